//! What goes wrong between a client and a server, as data: `[server.http.through]` of a scenario, and what the runs under faults make up.

use serde::Deserialize;

/// What goes wrong between a client and a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Faults {
    /// Decides about everything that is left open.
    pub seed: u64,
    /// Whether bytes arrive one by one, or in pieces of any size when there are many.
    pub split: bool,
    /// The most milliseconds that a piece is late.
    pub delay: u64,
    /// Where a connection breaks off.
    pub cut: Option<CutAt>,
    /// Whether each event of a stream comes twice: at once, or again after the next one.
    pub double: bool,
    /// Whether events of one stream, and whole answers to requests that are under way together, overtake each other. Bytes of one connection
    /// cannot: the network keeps them in order.
    pub swap: bool,
}

/// A place where a connection breaks off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutAt {
    /// The number of the connection, counted from 1.
    pub connection: u32,
    /// How many bytes still arrive.
    pub byte: usize,
    /// Whose bytes are counted; what the client gets if not given.
    #[serde(default)]
    pub on_the_way: Way,
}

/// A direction of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// From the server to the client.
    #[default]
    ToClient,
    /// From the client to the server.
    ToServer,
}

impl Faults {
    /// What must change nothing: everything arrives, but late and in pieces.
    pub fn harmless(seed: u64) -> Faults {
        Faults { seed, split: true, delay: 3, ..Faults::default() }
    }

    /// Whether more is altered than when bytes arrive.
    pub(super) fn alters_events(&self) -> bool {
        self.double || self.swap
    }

    /// Where this direction of a connection breaks off.
    pub(super) fn cut_of(&self, connection: u32, way: Way) -> Option<usize> {
        self.cut.filter(|cut| cut.connection == connection && cut.on_the_way == way).map(|cut| cut.byte)
    }
}
