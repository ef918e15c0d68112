//! The user's folders: where roots come from, whether they are there, and which server may be told of which.
//!
//! [`RootKeeper`] looks; the engine decides what follows. Folders that are added or removed in another run, and folders that come and go, are
//! found by looking again once a second.

mod book;
mod folder;
mod keeper;
mod watch;
mod workspace;

pub use book::{AddedRoot, Consent};
pub use folder::Absence;
pub use keeper::{LeftOut, Looked, RootKeeper, RootKeeperOptions, RootSource, WhyLeftOut};
pub(crate) use watch::watch;
pub use workspace::workspace;

#[cfg(test)]
mod tests;
