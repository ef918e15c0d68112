# Lets Elvish complete the command line of askback.
#
#   eval (askback completions elvish | slurp)

use str

set edit:completion:arg-completer[askback] = {|@words|
    var index = (- (count $words) 1)
    e:askback complete-words elvish $index -- $@words 2>/dev/null | from-lines | each {|line|
        var value state about = (str:split "\t" $line)
        var suffix = (if (eq $state begun) { put '' } else { put ' ' })
        var shown = $value
        if (not-eq $about '') {
            set shown = $value'  -- '$about
        }
        edit:complex-candidate $value &display=$shown &code-suffix=$suffix
    }
}
