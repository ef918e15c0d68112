# Lets fish complete the command line of askback.
#
#   askback completions fish | source

function __askback_candidates
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l all (commandline -op)
    set -l begun (count $before)
    if test -n "$current"
        set begun (math $begun + 1)
    end
    set -l after
    if test (count $all) -gt $begun
        set after $all[(math $begun + 1)..-1]
    end
    command askback complete-words fish (count $before) -- $before "$current" $after 2>/dev/null </dev/null
end

complete -c askback -f -a '(__askback_candidates)'
complete -c askback -l answers -r -F
complete -c askback -l config -r -F
complete -c askback -l root -r -F
