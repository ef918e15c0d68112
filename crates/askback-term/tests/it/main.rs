//! Dialogs by keystrokes, the screen through a terminal emulator, and the runner with a desk made for tests.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod asks;
mod chat;
mod dialog;
mod drawn;
mod lent;
mod prompts;
mod properties;
mod sampling;
mod screen;
