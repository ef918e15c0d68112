//! An ask: one request of a server to the client side.
//!
//! Owns what an ask is once it has been read. How one is read from a message is the wire's business.

use serde_json::Value;

use crate::form::Form;
use crate::sampling::SamplingRequest;

/// Which of the four things a server asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AskKind {
    /// Structured data from the person (elicitation, form mode).
    Form,
    /// Something done on a web page by the person (elicitation, URL mode).
    Url,
    /// A completion by a model that the user owns.
    Sampling,
    /// The folders that the user has opened.
    Roots,
}

impl AskKind {
    /// The word used in answer files, in JSON output and in configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            AskKind::Form => "form",
            AskKind::Url => "url",
            AskKind::Sampling => "sampling",
            AskKind::Roots => "roots",
        }
    }
}

/// One request of a server to the client side, read and understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The server's key for this ask within its round. A server request has none of its own; the wire gives it its method.
    pub key: String,
    /// What is asked.
    pub body: AskBody,
    /// The parameters exactly as the server sent them.
    pub raw: Value,
    /// What is worth telling the server's author: dialects understood, deprecations.
    pub notes: Vec<AuthorNote>,
}

/// What is asked, by kind.
#[derive(Clone, Debug, PartialEq)]
pub enum AskBody {
    /// Elicitation in form mode.
    Form(FormAsk),
    /// Elicitation in URL mode.
    Url(UrlAsk),
    /// `sampling/createMessage`.
    Sampling(Box<SamplingRequest>),
    /// `roots/list`.
    Roots,
}

/// A form that the person is asked to fill in.
#[derive(Clone, Debug, PartialEq)]
pub struct FormAsk {
    /// The server's own words, as sent.
    pub message: String,
    /// The fields to draw, made from the schema.
    pub form: Form,
}

/// A web page that the person is asked to visit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlAsk {
    /// The server's own words, as sent.
    pub message: String,
    /// The address, as sent; never opened, resolved or fetched without consent.
    pub url: String,
    /// The server's id for completion notices (legacy only).
    pub elicitation_id: Option<String>,
}

impl Ask {
    /// Which of the four kinds this is.
    pub fn kind(&self) -> AskKind {
        match self.body {
            AskBody::Form(_) => AskKind::Form,
            AskBody::Url(_) => AskKind::Url,
            AskBody::Sampling(_) => AskKind::Sampling,
            AskBody::Roots => AskKind::Roots,
        }
    }

    /// The server's words to the person, if this kind has any.
    pub fn message(&self) -> Option<&str> {
        match &self.body {
            AskBody::Form(form) => Some(&form.message),
            AskBody::Url(url) => Some(&url.message),
            AskBody::Sampling(_) | AskBody::Roots => None,
        }
    }
}

/// Something for the author of the server, said once and quietly; never a reason to refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthorNote {
    /// The method or parameter names come from an older tutorial; `instead` is the standard name.
    OldDialect {
        /// What was sent.
        found: String,
        /// What the specification says.
        instead: String,
    },
    /// Roots and sampling are deprecated as of 2026-07-28.
    Deprecated {
        /// The deprecated feature, by its standard name.
        feature: &'static str,
    },
}

/// Why an ask cannot be put to anyone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskProblem {
    /// The method is none that a server may ask with.
    UnknownMethod {
        /// The method, as sent.
        method: String,
    },
    /// The client never declared that it can answer this.
    Undeclared {
        /// The capability the server would have had to see, in dotted form, e.g. `elicitation.url`.
        capability: String,
    },
    /// The parameters are wrong; `what` says which and how, in English, for the server's author.
    Invalid {
        /// The JSON path of the offending part, e.g. `params.requestedSchema`.
        path: String,
        /// What is wrong with it.
        what: String,
    },
}

impl std::fmt::Display for AskProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AskProblem::UnknownMethod { method } => write!(f, "unknown method {method:?}"),
            AskProblem::Undeclared { capability } => {
                write!(f, "the client has not declared the capability {capability}")
            }
            AskProblem::Invalid { path, what } => write!(f, "{path}: {what}"),
        }
    }
}
