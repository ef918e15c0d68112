# Lets PowerShell complete the command line of askback.
#
#   askback completions powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName askback -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { "$_" })
    $after = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -ge $cursorPosition } | ForEach-Object { "$_" })
    # An empty word does not survive on its way to a program everywhere, and is not needed at the end.
    $current = if ($wordToComplete -or $after) { @("$wordToComplete") } else { @() }
    $words = $before + $current + $after
    & askback complete-words powershell $before.Count '--' @words 2>$null | ForEach-Object {
        $value, $shown, $about = $_ -split "`t", 3
        if (-not $about) { $about = $shown }
        [System.Management.Automation.CompletionResult]::new($value, $shown, 'ParameterValue', $about)
    }
}
