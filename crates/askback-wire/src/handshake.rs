//! Finding out the era of a server, and agreeing on a revision.
//!
//! Serves "Backward Compatibility" of the stdio page of 2026-07-28 and the lifecycle pages of the earlier revisions. Owns the decisions;
//! the host starts processes, carries lines and watches the time. One era per process: to change its mind, a handshake asks for a fresh
//! one.

use serde_json::{Map, Value, json};

use askback_core::engine::ServerError;
use askback_core::violation::Violation;

use crate::declared::Declared;
use crate::http::mirrored;
use crate::incoming::Incoming;
use crate::jsonrpc::{self, ErrorObject, Id, Message};
use crate::outgoing::Outgoing;
use crate::revision::{Era, ProtocolChoice, Revision};
use crate::session::{Session, modern_meta, server_error};

/// The id of the first request.
const FIRST_ID: u64 = 1;

/// `UnsupportedProtocolVersionError`
const UNSUPPORTED_VERSION: i64 = -32022;
/// `MissingRequiredClientCapabilityError` and `HeaderMismatchError`: only a modern server knows them.
const MODERN_ERRORS: [i64; 3] = [UNSUPPORTED_VERSION, -32021, HEADER_MISMATCH];
/// `HeaderMismatchError`
pub(crate) const HEADER_MISMATCH: i64 = -32020;

/// What to do next.
#[derive(Debug)]
pub enum Step {
    /// Send these messages, possibly none, and go on waiting.
    Continue(Vec<Outgoing>),
    /// End this process and start a fresh one; then ask [`Handshake::begin`] again. Over HTTP there is nothing to end.
    StartFresh,
    /// Over HTTP: the server may be one of 2024-11-05. Open a stream with GET, and then ask [`Handshake::begin`] again; where there is no such
    /// stream, this failure is what happened.
    OpenStream(ConnectFailure),
    /// The era and the revision are settled.
    Done(Box<Established>),
    /// There is no way to talk to this server.
    Failed(ConnectFailure),
}

/// A connection that can be used.
#[derive(Debug)]
pub struct Established {
    /// The session.
    pub session: Session,
    /// Messages to send before anything else.
    pub send: Vec<Outgoing>,
    /// Messages that came early and are still to be received.
    pub early: Vec<Message>,
    /// What the server says of itself.
    pub server_info: Value,
    /// The server's capabilities, as sent.
    pub capabilities: Value,
    /// The server's instructions.
    pub instructions: Option<String>,
    /// Rules that were broken on the way.
    pub violations: Vec<Violation>,
}

/// Why there is no way to talk to a server.
#[derive(Clone, Debug, PartialEq)]
pub enum ConnectFailure {
    /// No revision that both sides speak.
    NoSharedVersion {
        /// What the server speaks, as it says.
        theirs: Vec<String>,
    },
    /// A revision was required and the server speaks another.
    NotThatVersion {
        /// The one required.
        wanted: Revision,
        /// What the server answered.
        theirs: String,
    },
    /// The server refused.
    Refused(ServerError),
    /// The process ended before it had answered.
    Ended,
    /// Nothing came in time.
    Silent,
    /// The server answered over HTTP with a status, and with nothing that is a message.
    Http {
        /// The status.
        status: u16,
        /// The beginning of what it answered, or where it sent us.
        body: String,
    },
    /// What came is no answer.
    Invalid {
        /// What is wrong with it.
        what: String,
    },
}

/// How long to wait, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// While nothing at all has come from standard output: the server may still be starting.
    pub before_output: u64,
    /// After the last line that came and was no answer.
    pub after_output: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// `server/discover`, not knowing what the server is.
    Probe,
    /// `server/discover`, knowing that it has to be modern.
    Discover,
    /// `initialize`.
    Initialize,
}

/// The state of a handshake, over as many processes as it takes.
#[derive(Debug)]
pub struct Handshake {
    choice: ProtocolChoice,
    declared: Declared,
    client: Value,
    stage: Stage,
    /// Whether the probe has been tried, so that it is not tried again.
    probed: bool,
    /// The legacy revision to ask for.
    legacy: Revision,
    early: Vec<Message>,
    violations: Vec<Violation>,
    medium: Medium,
    /// Whether a server that refused its own version was asked once more.
    asked_again: bool,
    /// The id of the request in flight. A fresh process knows of no earlier ones, and an address may.
    id: u64,
}

/// What lies between us and the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Medium {
    /// The standard streams of a process.
    Process,
    /// Streamable HTTP.
    Http,
    /// The transport of 2024-11-05.
    OldHttp,
}

impl Handshake {
    /// A handshake with a server of which nothing is known but the choice. `client` is our `Implementation` object.
    pub fn new(choice: ProtocolChoice, declared: Declared, client: Value) -> Handshake {
        let stage = match choice {
            ProtocolChoice::Auto => Stage::Probe,
            ProtocolChoice::RememberedLegacy => Stage::Initialize,
            ProtocolChoice::Only(revision) => match revision.era() {
                Era::Modern => Stage::Discover,
                Era::Legacy => Stage::Initialize,
            },
        };
        let legacy = match choice {
            ProtocolChoice::Only(revision) => revision,
            ProtocolChoice::Auto | ProtocolChoice::RememberedLegacy => Revision::NEWEST_LEGACY,
        };
        let (early, violations) = (Vec::new(), Vec::new());
        let medium = Medium::Process;
        Handshake {
            choice,
            declared,
            client,
            stage,
            probed: false,
            legacy,
            early,
            violations,
            medium,
            asked_again: false,
            id: 0,
        }
    }

    /// The same over HTTP, where no process has to be started afresh to try again.
    #[must_use]
    pub fn over_http(mut self) -> Handshake {
        self.medium = Medium::Http;
        self
    }

    /// The first message for a new process.
    pub fn begin(&mut self) -> Outgoing {
        self.early.clear();
        self.id = if self.medium == Medium::Process { FIRST_ID } else { self.id + 1 };
        match self.stage {
            Stage::Probe | Stage::Discover => {
                self.probed = true;
                let revision = Revision::NEWEST_MODERN;
                let meta = modern_meta(revision, &self.client, self.declared);
                let params = json!({ "_meta": meta });
                let message = Outgoing::request(self.id, jsonrpc::request_line(self.id, "server/discover", params));
                match self.medium {
                    Medium::Http => message.with_headers(mirrored::standard("server/discover", &Map::new())),
                    Medium::Process | Medium::OldHttp => message,
                }
            }
            Stage::Initialize => {
                let revision = self.legacy;
                let params = json!({
                    "protocolVersion": revision.as_str(),
                    "capabilities": self.declared.to_value(revision),
                    "clientInfo": self.client,
                });
                Outgoing::request(self.id, jsonrpc::request_line(self.id, "initialize", params))
            }
        }
    }

    /// How long to wait for the answer to [`Handshake::begin`].
    pub fn patience(&self) -> Patience {
        match self.stage {
            // A cold package runner takes ten seconds and more before its first byte; a server that talks but does not answer is known sooner.
            Stage::Probe => Patience { before_output: 20_000, after_output: 5_000 },
            Stage::Discover | Stage::Initialize => Patience { before_output: 60_000, after_output: 60_000 },
        }
    }

    /// Takes in what a line turned out to be.
    pub fn received(&mut self, incoming: Incoming) -> Step {
        match incoming {
            Incoming::Message(message) => self.message(message),
            Incoming::Batch(messages) => {
                let mut send = Vec::new();
                let mut messages = messages.into_iter().flatten();
                while let Some(message) = messages.next() {
                    match self.message(message) {
                        Step::Continue(replies) => send.extend(replies),
                        Step::Done(mut established) => {
                            // Replies go out before the server is told that we are ready; what stands behind the answer came early.
                            send.append(&mut established.send);
                            established.send = send;
                            established.early.extend(messages);
                            return Step::Done(established);
                        }
                        step => return step,
                    }
                }
                Step::Continue(send)
            }
            // The answer came, and cannot be read: waiting on would be in vain.
            Incoming::Noise(noise) if noise.lost_response_to == Some(self.id) => {
                let failure = ConnectFailure::Invalid { what: noise.message };
                self.fall_back().unwrap_or(Step::Failed(failure))
            }
            Incoming::Noise(noise) => {
                if self.violations.len() < 5 {
                    self.violations.push(Violation::new(noise.rule, noise.message));
                }
                Step::Continue(Vec::new())
            }
        }
    }

    /// The process ended, or closed its output.
    pub fn ended(&mut self) -> Step {
        self.fall_back().unwrap_or(Step::Failed(ConnectFailure::Ended))
    }

    /// Nothing came in time.
    pub fn silent(&mut self) -> Step {
        self.fall_back().unwrap_or(Step::Failed(ConnectFailure::Silent))
    }

    /// Over HTTP: the request of [`Handshake::begin`] was answered with this status and without a message. Serves "Backward Compatibility" of
    /// the Streamable HTTP page of 2026-07-28 and "Backwards Compatibility" of the transports pages before it.
    pub fn refused(&mut self, status: u16, body: &str) -> Step {
        let failure = ConnectFailure::Http { status, body: body.to_owned() };
        // Somewhere else is not this server, in whatever era.
        if (300..400).contains(&status) {
            return Step::Failed(failure);
        }
        if let Some(step) = self.fall_back() {
            return step;
        }
        let may_be_old = match self.choice {
            ProtocolChoice::Auto | ProtocolChoice::RememberedLegacy => true,
            // A revision says what is spoken and not over what: servers keep this transport and speak newer ones over it.
            ProtocolChoice::Only(revision) => revision.era() == Era::Legacy,
        };
        if self.stage == Stage::Initialize
            && self.medium == Medium::Http
            && may_be_old
            && matches!(status, 400 | 404 | 405)
        {
            self.medium = Medium::OldHttp;
            return Step::OpenStream(failure);
        }
        Step::Failed(failure)
    }

    /// The version that a request of [`Handshake::begin`] speaks, for its header field; `initialize` has none.
    pub fn version_header(&self) -> Option<Revision> {
        match self.stage {
            Stage::Probe | Stage::Discover => Some(Revision::NEWEST_MODERN),
            Stage::Initialize => None,
        }
    }

    /// What did not answer the probe is legacy: a fresh process and `initialize`.
    fn fall_back(&mut self) -> Option<Step> {
        match self.stage {
            Stage::Probe => {
                self.stage = Stage::Initialize;
                self.violations.clear();
                Some(Step::StartFresh)
            }
            Stage::Initialize if self.choice == ProtocolChoice::RememberedLegacy && !self.probed => {
                self.stage = Stage::Probe;
                self.choice = ProtocolChoice::Auto;
                Some(Step::StartFresh)
            }
            Stage::Initialize | Stage::Discover => None,
        }
    }

    fn message(&mut self, message: Message) -> Step {
        match message {
            // To a server that is known to be modern no response may be written.
            Message::Request { id, method, .. } if method == "ping" && self.stage != Stage::Discover => {
                Step::Continue(vec![Outgoing::response(jsonrpc::result_line(&id, json!({})))])
            }
            message @ (Message::Request { .. } | Message::Notification { .. }) => {
                // Kept until there is someone to take it; a server that floods the handshake is not kept whole.
                if self.early.len() < 1000 {
                    self.early.push(message);
                }
                Step::Continue(Vec::new())
            }
            Message::Response { id, outcome } => {
                let ours = match &id {
                    // Nothing else is in flight, so an answer without an id is the answer.
                    None => outcome.is_err(),
                    Some(Id::Number(number)) => number.as_f64() == Some(self.id as f64),
                    Some(Id::Text(text)) => *text == self.id.to_string(),
                };
                match (ours, self.stage) {
                    (false, _) => Step::Continue(Vec::new()),
                    (true, Stage::Probe | Stage::Discover) => self.discovered(outcome),
                    (true, Stage::Initialize) => self.initialized(outcome),
                }
            }
        }
    }

    fn discovered(&mut self, outcome: Result<Value, ErrorObject>) -> Step {
        match outcome {
            Ok(result) => match versions(result.get("supportedVersions")).filter(|_| is_complete(&result)) {
                Some(theirs) => self.choose(theirs, Some(result)),
                None if self.stage == Stage::Discover => Step::Failed(ConnectFailure::Invalid {
                    what: "the answer to server/discover is no complete result with supportedVersions".into(),
                }),
                None => self.fall_back().unwrap_or(Step::StartFresh),
            },
            Err(error) if error.code == UNSUPPORTED_VERSION => {
                let supported = error.data.as_ref().and_then(|data| data.get("supported"));
                self.choose(versions(supported).unwrap_or_default(), None)
            }
            // A modern server to which our header fields do not come as they were sent: nothing else would come right either.
            Err(error) if error.code == HEADER_MISMATCH && self.medium == Medium::Http => {
                Step::Failed(ConnectFailure::Refused(server_error(error)))
            }
            // A modern server that will not say more about itself.
            Err(error) if MODERN_ERRORS.contains(&error.code) => self.modern(None),
            Err(error) => self.fall_back().unwrap_or(Step::Failed(ConnectFailure::Refused(server_error(error)))),
        }
    }

    /// Chooses from the revisions that a modern or dual-era server says it speaks.
    fn choose(&mut self, theirs: Vec<String>, discovered: Option<Value>) -> Step {
        if theirs.iter().any(|version| version == Revision::NEWEST_MODERN.as_str()) {
            // A server that refuses what it says it speaks, as some do once: over HTTP it costs nothing to ask again.
            let refused = discovered.is_none();
            if refused && self.medium == Medium::Http && !std::mem::replace(&mut self.asked_again, true) {
                self.stage = Stage::Discover;
                return Step::StartFresh;
            }
            return self.modern(discovered);
        }
        let legacy = theirs.iter().filter_map(|version| Revision::parse(version)).max();
        match (legacy, self.choice) {
            (Some(_), ProtocolChoice::Auto | ProtocolChoice::RememberedLegacy) => {
                self.stage = Stage::Initialize;
                Step::StartFresh
            }
            (_, ProtocolChoice::Only(wanted)) => {
                Step::Failed(ConnectFailure::NotThatVersion { wanted, theirs: theirs.join(", ") })
            }
            (None, _) => Step::Failed(ConnectFailure::NoSharedVersion { theirs }),
        }
    }

    fn modern(&mut self, discovered: Option<Value>) -> Step {
        let revision = Revision::NEWEST_MODERN;
        let result = discovered.unwrap_or_else(|| Value::Object(Map::new()));
        let meta = result.get("_meta");
        let server_info = meta
            .and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"))
            .or_else(|| result.get("serverInfo"))
            .cloned()
            .unwrap_or(Value::Null);
        self.established(revision, Vec::new(), server_info, &result)
    }

    fn initialized(&mut self, outcome: Result<Value, ErrorObject>) -> Step {
        let result = match outcome {
            Ok(result) => result,
            Err(error) => {
                let modern = MODERN_ERRORS.contains(&error.code);
                let supported = error.data.as_ref().and_then(|data| data.get("supported"));
                // A server that does not come down to an older revision by itself, but says which it speaks, is asked for that one.
                let spoken = versions(supported).unwrap_or_default();
                let older = spoken.iter().filter_map(|version| Revision::parse(version));
                let older = older.filter(|revision| *revision < self.legacy).max();
                let speaks_ours = spoken.iter().any(|version| version == self.legacy.as_str());
                if let (Some(older), false, false) =
                    (older, speaks_ours, matches!(self.choice, ProtocolChoice::Only(_)))
                {
                    self.legacy = older;
                    return Step::StartFresh;
                }
                if self.choice == ProtocolChoice::RememberedLegacy && !self.probed {
                    self.choice = ProtocolChoice::Auto;
                    self.stage = Stage::Probe;
                    return Step::StartFresh;
                }
                // The probe was misjudged, as when a slow server answered it too late: it is modern after all.
                if modern && self.choice == ProtocolChoice::Auto && self.legacy == Revision::NEWEST_LEGACY {
                    self.choice = ProtocolChoice::Only(Revision::NEWEST_MODERN);
                    self.stage = Stage::Discover;
                    return Step::StartFresh;
                }
                if let (true, ProtocolChoice::Only(wanted)) = (modern, self.choice) {
                    let theirs = versions(supported).unwrap_or_default().join(", ");
                    return Step::Failed(ConnectFailure::NotThatVersion { wanted, theirs });
                }
                return Step::Failed(ConnectFailure::Refused(server_error(error)));
            }
        };
        let Some(version) = result.get("protocolVersion").and_then(Value::as_str) else {
            let what = "the answer to initialize names no protocolVersion".into();
            return Step::Failed(ConnectFailure::Invalid { what });
        };
        match (Revision::parse(version), self.choice) {
            (Some(revision), ProtocolChoice::Only(wanted)) if revision != wanted => {
                Step::Failed(ConnectFailure::NotThatVersion { wanted, theirs: version.to_owned() })
            }
            (Some(revision), _) if revision.era() == Era::Legacy => {
                let ready = jsonrpc::notification_line("notifications/initialized", json!({}));
                let server_info = result.get("serverInfo").cloned().unwrap_or(Value::Null);
                self.established(revision, vec![Outgoing::notification(ready)], server_info, &result)
            }
            _ => Step::Failed(ConnectFailure::NoSharedVersion { theirs: vec![version.to_owned()] }),
        }
    }

    fn established(&mut self, revision: Revision, send: Vec<Outgoing>, server_info: Value, result: &Value) -> Step {
        let instructions = result.get("instructions").and_then(Value::as_str).map(str::to_owned);
        let session = Session::new(revision, self.declared, self.client.clone(), self.id + 1);
        let session = session.with_instructions(instructions.clone());
        Step::Done(Box::new(Established {
            session: if self.medium == Medium::Http { session.over_http() } else { session },
            send,
            early: std::mem::take(&mut self.early),
            server_info,
            capabilities: result.get("capabilities").cloned().unwrap_or_else(|| json!({})),
            instructions,
            violations: std::mem::take(&mut self.violations),
        }))
    }
}

/// A result that says of itself that it is something else (a question, say) is no answer.
fn is_complete(result: &Value) -> bool {
    result.get("resultType").is_none_or(|kind| kind == "complete")
}

fn versions(value: Option<&Value>) -> Option<Vec<String>> {
    let list = value?.as_array()?;
    Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}
