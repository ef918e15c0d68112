//! What is fuzzed: one function per target, which takes any bytes and panics when something that must hold does not.
//!
//! Owns the targets' bodies. The folder `fuzz` at the root hands them to libFuzzer and keeps the corpora; the tests here replay what lies
//! there. Must not know libFuzzer.

mod address;
mod answer_file;
mod form_entries;
mod form_schema;
mod judge;
mod loose_json;
#[cfg(test)]
mod replay;
mod root;
mod shown;
mod wire;

pub use address::run as address;
pub use answer_file::run as answer_file;
pub use form_entries::run as form_entries;
pub use form_schema::run as form_schema;
pub use root::run as root;
pub use wire::run as wire;
