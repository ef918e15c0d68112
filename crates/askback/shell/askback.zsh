#compdef askback
# Lets zsh complete the command line of askback.
#
#   source <(askback completions zsh)        or put it into a folder of $fpath as _askback

_askback() {
    local -a all whole whole_shown begun begun_shown
    local value state about shown
    all=("${(@Q)words}")
    all[CURRENT]="${(Q)PREFIX}"
    while IFS=$'\t' read -r value state about; do
        shown="$value${about:+  -- $about}"
        if [[ $state == begun ]]; then
            begun+=("$value")
            begun_shown+=("$shown")
        else
            whole+=("$value")
            whole_shown+=("$shown")
        fi
    done < <(command askback complete-words zsh $((CURRENT - 1)) -- "${all[@]}" 2>/dev/null </dev/null)
    if (($#whole + $#begun == 0)); then
        _files
        return
    fi
    (($#whole)) && compadd -l -d whole_shown -a whole
    (($#begun)) && compadd -l -S '' -d begun_shown -a begun
    return 0
}

if [[ ${funcstack[1]} == _askback ]]; then
    _askback "$@"
else
    compdef _askback askback
fi
