# Lets bash complete the command line of askback.
#
#   source <(askback completions bash)

_askback() {
    local candidate
    COMPREPLY=()
    while IFS= read -r candidate; do
        COMPREPLY+=("$candidate")
    done < <(
        command askback complete-words bash -- \
            "${COMP_LINE:0:COMP_POINT}" "${COMP_LINE:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null </dev/null
    )
    # A candidate that is complete brings its own space.
    if ((${#COMPREPLY[@]})); then
        compopt -o nospace 2>/dev/null
    fi
}

complete -o default -F _askback askback
