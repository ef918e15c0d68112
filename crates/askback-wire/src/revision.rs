//! The protocol revisions and their two eras.

/// The two ways in which the protocol works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// 2026-07-28 and later: stateless, multi round-trip requests.
    Modern,
    /// 2025-11-25 and earlier: `initialize`, server-initiated requests.
    Legacy,
}

impl Era {
    /// The word in JSON output.
    pub fn as_str(self) -> &'static str {
        match self {
            Era::Modern => "modern",
            Era::Legacy => "legacy",
        }
    }
}

/// A revision of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Revision {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25
    V2025_11_25,
    /// 2026-07-28
    V2026_07_28,
}

impl Revision {
    /// All revisions, oldest first.
    pub const ALL: [Revision; 5] = [
        Revision::V2024_11_05,
        Revision::V2025_03_26,
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ];
    /// What a modern server is asked for.
    pub const NEWEST_MODERN: Revision = Revision::V2026_07_28;
    /// What a legacy server is asked for.
    pub const NEWEST_LEGACY: Revision = Revision::V2025_11_25;

    /// The version string on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Revision::V2024_11_05 => "2024-11-05",
            Revision::V2025_03_26 => "2025-03-26",
            Revision::V2025_06_18 => "2025-06-18",
            Revision::V2025_11_25 => "2025-11-25",
            Revision::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision with this version string, if it is one that is spoken here.
    pub fn parse(text: &str) -> Option<Revision> {
        Revision::ALL.into_iter().find(|revision| revision.as_str() == text)
    }

    /// The era that it belongs to.
    pub fn era(self) -> Era {
        if self >= Revision::V2026_07_28 { Era::Modern } else { Era::Legacy }
    }
}

impl std::fmt::Display for Revision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which revision to speak with a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProtocolChoice {
    /// Whatever the server turns out to speak.
    #[default]
    Auto,
    /// Whatever the server turns out to speak, but it spoke the legacy era when it was last met.
    RememberedLegacy,
    /// This one and no other.
    Only(Revision),
}
