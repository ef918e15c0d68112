//! One request of the client and what is sent back, as plain data with a channel at its end.
//!
//! Knows nothing of MCP, and nothing of the library that speaks HTTP.

use tokio::sync::mpsc::UnboundedSender;

/// A request as it arrived.
#[derive(Clone, Debug, Default)]
pub struct Received {
    /// `POST`, `GET`, `DELETE`.
    pub method: String,
    /// The path and the query.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The whole body.
    pub body: String,
}

/// A part of what is sent back. The end of the channel is the end of the body.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    /// Status and headers; with a body when it is known whole.
    Head(Head),
    /// A part of the body.
    Data(Vec<u8>),
    /// The connection breaks off.
    Cut,
}

/// Status and headers.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The whole body, if nothing follows.
    pub whole: Option<Vec<u8>>,
}

/// The end at which the server writes an answer.
#[derive(Clone, Debug)]
pub struct Line {
    /// The number of the exchange.
    pub exchange: u64,
    /// Where the pieces go.
    pub pieces: UnboundedSender<Piece>,
}

impl Received {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// Whether a header lists a media type.
    pub fn lists(&self, header: &str, media_type: &str) -> bool {
        let listed = self.headers.iter().filter(|(found, _)| found == header).flat_map(|(_, value)| value.split(','));
        listed
            .map(|one| one.split(';').next().unwrap_or_default().trim())
            .any(|one| one.eq_ignore_ascii_case(media_type))
    }
}

impl Head {
    /// A body of a type, known whole.
    pub fn whole(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Head {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        Head { status, headers, whole: Some(body.into()) }
    }

    /// No body at all.
    pub fn empty(status: u16) -> Head {
        Head { status, headers: Vec::new(), whole: Some(Vec::new()) }
    }

    /// With a further header.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Head {
        self.headers.push((name.to_owned(), value.into()));
        self
    }
}

impl Line {
    /// A line on which nobody listens.
    pub fn to_nobody() -> Line {
        let (pieces, _) = tokio::sync::mpsc::unbounded_channel();
        Line { exchange: 0, pieces }
    }

    /// Sends a piece. A client that has gone is told of on its own, so it does not matter here.
    pub fn send(&self, piece: Piece) {
        let _ = self.pieces.send(piece);
    }
}
