//! Dialogs by keystrokes, the screen through a terminal emulator, and the runner with a desk made for tests.

mod asks;
mod dialog;
mod drawn;
mod prompts;
mod properties;
mod screen;
