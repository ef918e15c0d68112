//! The four things a server can ask, as the requests that carry them. Knows which client capability each needs, and
//! nothing about when or how the request is sent.
//!
//! The requests are written as JSON: `rmcp`'s typed form schema has no place for `pattern`, and its typed URL request
//! has an `elicitationId` in the modern era too, where the field is gone.

use rmcp::model::{ClientCapabilities, ProtocolVersion};
use serde_json::{Value, json};

/// One request to the client side.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ask {
    /// Fill in this form.
    Form { message: String, schema: Value },
    /// Do something on this page.
    Url { message: String, url: String, elicitation_id: String },
    /// Let the user's language model answer; the parameters of `sampling/createMessage`.
    Sampling(Value),
    /// Which folders are open?
    Roots,
}

impl Ask {
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Form { .. } | Self::Url { .. } => "elicitation/create",
            Self::Sampling(_) => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }

    /// The parameters as revision `version` has them.
    pub(crate) fn params(&self, version: &ProtocolVersion) -> Option<Value> {
        match self {
            Self::Form { message, schema } if *version < ProtocolVersion::V_2025_11_25 => {
                Some(json!({ "message": message, "requestedSchema": schema }))
            }
            Self::Form { message, schema } => {
                Some(json!({ "mode": "form", "message": message, "requestedSchema": schema }))
            }
            Self::Url { message, url, .. } if *version >= ProtocolVersion::V_2026_07_28 => {
                Some(json!({ "mode": "url", "message": message, "url": url }))
            }
            Self::Url { message, url, elicitation_id } => {
                Some(json!({ "mode": "url", "message": message, "url": url, "elicitationId": elicitation_id }))
            }
            Self::Sampling(params) => Some(params.clone()),
            Self::Roots => None,
        }
    }

    /// The capability this ask needs and the client has not declared, by its name and as the protocol writes it.
    pub(crate) fn missing(&self, client: &ClientCapabilities) -> Option<(&'static str, Value)> {
        let elicitation = client.elicitation.as_ref();
        let sampling = client.sampling.as_ref();
        match self {
            // `elicitation: {}` means forms.
            Self::Form { .. } => elicitation
                .is_none_or(|modes| modes.form.is_none() && modes.url.is_some())
                .then(|| ("elicitation.form", json!({ "elicitation": { "form": {} } }))),
            Self::Url { .. } => elicitation
                .is_none_or(|modes| modes.url.is_none())
                .then(|| ("elicitation.url", json!({ "elicitation": { "url": {} } }))),
            Self::Sampling(params) if params.get("tools").is_some() => sampling
                .is_none_or(|modes| modes.tools.is_none())
                .then(|| ("sampling.tools", json!({ "sampling": { "tools": {} } }))),
            Self::Sampling(_) => sampling.is_none().then(|| ("sampling", json!({ "sampling": {} }))),
            Self::Roots => client.roots.is_none().then(|| ("roots", json!({ "roots": {} }))),
        }
    }
}

/// The capabilities that these asks need and the client lacks: their names, and one object that has them all.
pub(crate) fn missing<'a>(
    asks: impl IntoIterator<Item = &'a Ask>,
    client: &ClientCapabilities,
) -> Option<(String, Value)> {
    let mut names: Vec<&str> = Vec::new();
    let mut all = json!({});
    for (name, required) in asks.into_iter().filter_map(|ask| ask.missing(client)) {
        if !names.contains(&name) {
            names.push(name);
            merge(&mut all, required);
        }
    }
    (!names.is_empty()).then(|| (names.join(", "), all))
}

fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key).or_insert_with(|| json!({})), value);
            }
        }
        (into, from) => *into = from,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(capabilities: Value) -> ClientCapabilities {
        serde_json::from_value(capabilities).unwrap()
    }

    #[test]
    fn an_empty_elicitation_capability_means_forms() {
        let form = Ask::Form { message: String::new(), schema: json!({}) };
        assert_eq!(form.missing(&client(json!({ "elicitation": {} }))), None);
        assert!(form.missing(&client(json!({ "elicitation": { "url": {} } }))).is_some());
        assert!(form.missing(&client(json!({}))).is_some());
    }

    #[test]
    fn what_is_missing_is_named_together() {
        let asks = [
            Ask::Url { message: String::new(), url: String::new(), elicitation_id: String::new() },
            Ask::Sampling(json!({ "tools": [] })),
            Ask::Roots,
        ];
        let (names, required) = missing(&asks, &client(json!({ "elicitation": {}, "sampling": {} }))).unwrap();
        assert_eq!(names, "elicitation.url, sampling.tools, roots");
        assert_eq!(required, json!({ "elicitation": { "url": {} }, "sampling": { "tools": {} }, "roots": {} }));
    }
}
