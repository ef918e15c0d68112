//! Line prompts: a server's questions, asked and answered in the terminal's own scrollback.
//!
//! Owns the dialogs ([`dialog`], pure), the screen that draws them ([`screen`]), the runner between desk and terminal ([`prompts`]), and the
//! conversation with a model in which they come up ([`chat`]).
//! Must not know the protocol, eras or transports: everything comes over [`askback_desk::Desk`].

pub mod chat;
pub mod dialog;
pub mod drawing;
pub mod editor;
pub mod key;
pub mod prompts;
pub mod screen;
pub mod tty;
pub mod zone;

use askback_desk::texts::Resource;

/// The messages of the terminal faces.
pub const TERM: Resource =
    Resource { en: include_str!("../locales/en/term.ftl"), zh_cn: include_str!("../locales/zh-CN/term.ftl") };

#[cfg(test)]
mod tests {
    use askback_desk::texts::differences;

    #[test]
    fn every_language_has_every_message() {
        assert_eq!(differences(&super::TERM), Vec::<String>::new());
    }
}
