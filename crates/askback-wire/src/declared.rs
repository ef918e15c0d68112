//! What the client tells a server that it can answer.

use serde_json::{Map, Value, json};

use crate::revision::{Era, Revision};

/// What can be answered right now, and so is declared; nothing else is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// Elicitation in form mode.
    pub form: bool,
    /// Elicitation in URL mode.
    pub url: bool,
    /// Sampling.
    pub sampling: bool,
    /// Sampling with tools.
    pub sampling_tools: bool,
    /// Sampling with context of the server's own: the user lets it be added.
    pub sampling_context: bool,
    /// Roots.
    pub roots: bool,
}

impl Declared {
    /// What of this the revision has a word for.
    pub fn within(self, revision: Revision) -> Declared {
        Declared {
            form: self.form && revision >= Revision::V2025_06_18,
            url: self.url && revision >= Revision::V2025_11_25,
            sampling: self.sampling,
            sampling_tools: self.sampling && self.sampling_tools && revision >= Revision::V2025_11_25,
            sampling_context: self.sampling && self.sampling_context && revision >= Revision::V2025_11_25,
            roots: self.roots,
        }
    }

    /// The `ClientCapabilities` of a revision.
    pub fn to_value(self, revision: Revision) -> Value {
        let declared = self.within(revision);
        let mut capabilities = Map::new();
        if declared.form || declared.url {
            let mut modes = Map::new();
            // Before 2025-11-25 there are no modes, and an empty object means forms.
            if revision >= Revision::V2025_11_25 {
                if declared.form {
                    modes.insert("form".into(), json!({}));
                }
                if declared.url {
                    modes.insert("url".into(), json!({}));
                }
            }
            capabilities.insert("elicitation".into(), Value::Object(modes));
        }
        if declared.sampling {
            let parts = [("tools", declared.sampling_tools), ("context", declared.sampling_context)];
            let parts = parts.into_iter().filter(|(_, declared)| *declared);
            let sampling = parts.map(|(name, _)| (name.to_owned(), json!({}))).collect();
            capabilities.insert("sampling".into(), Value::Object(sampling));
        }
        if declared.roots {
            let roots = match revision.era() {
                Era::Legacy => json!({ "listChanged": true }),
                Era::Modern => json!({}),
            };
            capabilities.insert("roots".into(), roots);
        }
        Value::Object(capabilities)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Declared =
        Declared { form: true, url: true, sampling: true, sampling_tools: true, sampling_context: false, roots: true };

    #[test]
    fn every_revision_is_told_what_it_has_words_for() {
        let check = |revision, expected: Value| assert_eq!(ALL.to_value(revision), expected);
        check(
            Revision::V2026_07_28,
            json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": {} }),
        );
        check(
            Revision::V2025_11_25,
            json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": { "listChanged": true } }),
        );
        check(Revision::V2025_06_18, json!({ "elicitation": {}, "sampling": {}, "roots": { "listChanged": true } }));
        check(Revision::V2025_03_26, json!({ "sampling": {}, "roots": { "listChanged": true } }));
    }

    #[test]
    fn what_cannot_be_answered_is_not_declared() {
        assert_eq!(Declared::default().to_value(Revision::V2026_07_28), json!({}));
        let form = Declared { form: true, ..Declared::default() };
        assert_eq!(form.to_value(Revision::V2025_11_25), json!({ "elicitation": { "form": {} } }));
    }
}
