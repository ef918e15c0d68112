//! The commands `completions`, for the user, and `complete-words`, for the scripts.

use std::time::Duration;

use super::complete;
use super::live::Live;
use super::place::Place;
use super::shell::Shell;
use super::shell_words::{self, Line};
use crate::command_line::{self, WordsTask};
use crate::console::Console;
use crate::failure::{Failure, FailureKind};
use crate::run_call::print_out;
use crate::wording;

/// The longest that candidates may take, a server's start included.
const PATIENCE: Duration = Duration::from_millis(2700);

/// Prints the script for a shell and gives the exit code.
pub(crate) fn print_script(console: &Console, shell: Option<&str>) -> u8 {
    let texts = &console.texts;
    let failure = match shell.map(|name| (name, Shell::named(name))) {
        Some((_, Some(shell))) => {
            print_out(shell.script().trim_end());
            return 0;
        }
        Some((name, None)) => Failure::new(FailureKind::Usage, texts.format("usage-shell", &[("value", name.into())])),
        None => Failure::new(FailureKind::Usage, texts.get("usage-no-shell")),
    };
    let known = Shell::ALL.map(Shell::name).join(", ");
    let failure = failure.hint(texts.format("usage-shell-hint", &[("known", known.into())]));
    wording::print_failure(texts, &failure, console.colour);
    failure.kind.exit_code()
}

/// Prints the candidates for a place on a command line. Whatever goes wrong, there are none: a shell has nowhere to say why.
pub(crate) async fn complete_words(console: &Console, task: &WordsTask) -> u8 {
    let Some(shell) = Shell::named(&task.shell) else { return FailureKind::Usage.exit_code() };
    let Some(line) = line(shell, task) else { return FailureKind::Usage.exit_code() };
    let definition = command_line::definition(&console.texts);
    let place = Place::read(&definition, &line.words, line.index);
    let mut live = Live::new(console, &place, PATIENCE);
    let candidates = tokio::time::timeout(PATIENCE, complete(&place, &definition, &mut live)).await;
    let rendered = candidates.unwrap_or_default();
    let rendered: Vec<String> = rendered.iter().filter_map(|candidate| shell.render(candidate, &line)).collect();
    if !rendered.is_empty() {
        print_out(&rendered.join("\n"));
    }
    live.end().await;
    0
}

/// Bash gives the line before and after the cursor and its word breaks, the others words and an index.
fn line(shell: Shell, task: &WordsTask) -> Option<Line> {
    match (shell, task.index, task.words.as_slice()) {
        (Shell::Bash, None, [before, after, breaks]) => Some(shell_words::read(before, after, breaks)),
        (Shell::Bash, ..) => None,
        (_, Some(index), words) => Some(Line { words: words.to_vec(), index, ..Line::default() }),
        (_, None, _) => None,
    }
}
