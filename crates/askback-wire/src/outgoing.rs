//! A message on its way out: its text, and what a transport has to know of it without reading it.

/// A message to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The message as one line of JSON, without line end.
    pub line: String,
    /// What it is.
    pub role: Role,
}

/// What a message is to a transport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A request; its answer comes with this id.
    Request {
        /// The id.
        id: u64,
        /// The header fields that mirror its parameters over HTTP, with their values encoded; none on other transports and in other revisions.
        headers: Vec<(String, String)>,
        /// Whether the connection may not end before the server has had some time to take it in.
        parting: bool,
    },
    /// Nothing more is wanted of the request with this id. Where every request has a stream of its own, closing that says it.
    Cancellation {
        /// The id.
        id: u64,
    },
    /// Another notification.
    Notification,
    /// The answer to a request of the server's.
    Response {
        /// Our requests that wait for it, by their ids: where it does not arrive, they get no answer either.
        during: Vec<u64>,
    },
}

impl Outgoing {
    pub(crate) fn request(id: u64, line: String) -> Outgoing {
        Outgoing { line, role: Role::Request { id, headers: Vec::new(), parting: false } }
    }

    /// The same, as one of the last words of this connection.
    pub(crate) fn parting(mut self) -> Outgoing {
        if let Role::Request { parting, .. } = &mut self.role {
            *parting = true;
        }
        self
    }

    pub(crate) fn notification(line: String) -> Outgoing {
        Outgoing { line, role: Role::Notification }
    }

    pub(crate) fn response(line: String) -> Outgoing {
        Outgoing { line, role: Role::Response { during: Vec::new() } }
    }

    /// The id of the request that this is, if it is one.
    pub fn request_id(&self) -> Option<u64> {
        match self.role {
            Role::Request { id, .. } => Some(id),
            Role::Cancellation { .. } | Role::Notification | Role::Response { .. } => None,
        }
    }
}
