//! Secrets in what a server would send to a model: found, hidden behind placeholders, and put back into the reply.
//!
//! Owns what counts as a secret, the placeholders, and the report of what was hidden. Must not know who asks, or providers.
//!
//! A text is searched for known formats ([`known`]), values that a name beside them gives away ([`assignment`]), long random-looking tokens
//! ([`entropy`]) and the user's own patterns ([`own`]). A secret of six bytes or more that is found in one place is then hidden wherever it
//! stands. Names of tools and ids of tool calls stay as they are, since replies refer to them, and so does the Base64 of images and sound.
//!
//! This protects from accidents. A server that wants a secret past it has only to spell it otherwise.

mod assignment;
mod entropy;
mod known;
mod own;
mod placeholders;
mod spans;
mod texts;

use std::collections::HashMap;
use std::ops::RangeInclusive;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use serde_json::Value;

use crate::sampling::SamplingRequest;
pub use own::PatternError;
pub use placeholders::Placeholders;
use spans::Span;
pub use texts::Place;

/// How long a secret is that is hidden wherever it stands, in bytes. A shorter one is hidden only where it is found: elsewhere the same few letters are
/// most often something else. A longer one is a block whose form is found again anyhow.
const HIDDEN_EVERYWHERE: RangeInclusive<usize> = 6..=8 * 1024;
/// How often a request is searched. The second time finds nothing as a rule.
const MOST_PASSES: usize = 8;

/// What stands in the place of a secret that nobody puts back.
pub const MASK: &str = "••••••";

/// What a secret is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SecretKind {
    /// A private key in PEM.
    PrivateKey,
    /// A key of Amazon Web Services.
    Aws,
    /// A token of GitHub.
    GitHub,
    /// A token of GitLab.
    GitLab,
    /// A token or web hook of Slack.
    Slack,
    /// A key or token of Google.
    Google,
    /// A key of Stripe.
    Stripe,
    /// A key of a provider of models.
    ModelProvider,
    /// A token of another service, known by its form.
    Service,
    /// A JSON Web Token.
    Jwt,
    /// A password in a URL.
    UrlPassword,
    /// What stands in an `Authorization` header.
    Authorization,
    /// A value whose name says that it is secret.
    Named,
    /// What one of the user's patterns matches.
    Own,
    /// A long token that looks random.
    Random,
}

/// Finds and hides secrets. The default one knows no patterns of the user.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    own: own::OwnPatterns,
}

/// A request without its secrets.
#[derive(Clone, Debug)]
pub struct Redacted {
    /// The request, with placeholders.
    pub request: SamplingRequest,
    /// What was hidden, in the order of its placeholders.
    pub found: Vec<Found>,
    /// The way back.
    pub placeholders: Placeholders,
}

/// A secret that was hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What stands in its place.
    pub placeholder: String,
    /// What it is.
    pub kind: SecretKind,
    /// Where it stood, each place once.
    pub places: Vec<Place>,
    /// How often it stood there altogether.
    pub times: usize,
    /// Its beginning and end, as far as they may be shown.
    pub shown: String,
}

impl Redactor {
    /// A redactor that also hides whatever these regular expressions match.
    ///
    /// # Errors
    /// The first pattern that is no regular expression, or too large a one.
    pub fn new<P: AsRef<str>>(patterns: &[P]) -> Result<Redactor, PatternError> {
        Ok(Redactor { own: own::OwnPatterns::compile(patterns)? })
    }

    /// The request with every secret hidden. The same secret has the same placeholder everywhere.
    pub fn redact(&self, request: &SamplingRequest) -> Redacted {
        let mut request = request.clone();
        let mut labels = placeholders::UsedLabels::default();
        texts::visit(&mut request, &mut |_, _, text| labels.see(text));
        let mut placeholders = Placeholders::new(labels.free());
        let mut secrets = Secrets::default();
        // What is left beside a placeholder may look like a secret only now.
        for _ in 0..MOST_PASSES {
            if !self.hide(&mut request, &mut secrets, &placeholders) {
                break;
            }
        }
        let found = secrets.report(&placeholders);
        placeholders.keep(secrets.texts);
        Redacted { request, found, placeholders }
    }

    /// A text with [`MASK`] in the place of every secret, for what is kept or shown and never put back.
    pub fn mask(&self, text: &str) -> String {
        let spans = self.find(None, text);
        let mut masked = String::with_capacity(text.len());
        let mut end = 0;
        for span in spans {
            masked.push_str(&text[end..span.start]);
            masked.push_str(MASK);
            end = span.end;
        }
        masked.push_str(&text[end..]);
        masked
    }

    /// A value with every text in it masked; names of fields stay.
    pub fn mask_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.mask(text).into(),
            Value::Array(items) => items.iter().map(|item| self.mask_value(item)).collect(),
            Value::Object(fields) => {
                Value::Object(fields.iter().map(|(key, value)| (key.clone(), self.mask_value(value))).collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    /// Hides what can be found now, and says whether that was anything.
    fn hide(&self, request: &mut SamplingRequest, secrets: &mut Secrets, placeholders: &Placeholders) -> bool {
        let mut found_in: Vec<Vec<Span>> = Vec::new();
        texts::visit(request, &mut |_, field, text| {
            let spans = self.find(field, text);
            for span in &spans {
                secrets.number(&text[span.start..span.end], span.kind);
            }
            found_in.push(spans);
        });
        if found_in.iter().all(Vec::is_empty) {
            return false;
        }
        let everywhere = secrets.everywhere();
        let mut found_in = found_in.into_iter();
        texts::visit(request, &mut |place, _, text| {
            let mut spans = found_in.next().unwrap_or_default();
            spans.extend(everywhere.spans(text));
            let spans = spans::join(spans, text);
            if spans.is_empty() {
                return;
            }
            let mut redacted = String::with_capacity(text.len());
            let mut end = 0;
            for span in spans {
                let number = secrets.number(&text[span.start..span.end], span.kind);
                redacted.push_str(&text[end..span.start]);
                redacted.push_str(&placeholders.placeholder(number));
                secrets.note(number, place);
                end = span.end;
            }
            redacted.push_str(&text[end..]);
            *text = redacted;
        });
        true
    }

    fn find(&self, field: Option<&str>, text: &str) -> Vec<Span> {
        let mut spans = Vec::new();
        known::find(text, &mut spans);
        assignment::find(text, &mut spans);
        entropy::find(text, &mut spans);
        self.own.find(text, &mut spans);
        if let Some(field) = field {
            assignment::find_field(field, text, &mut spans);
        }
        spans::join(spans, text)
    }
}

/// The secrets of one request, by number.
#[derive(Default)]
struct Secrets {
    texts: Vec<String>,
    kinds: Vec<SecretKind>,
    numbers: HashMap<String, usize>,
    places: Vec<Vec<Place>>,
    times: Vec<usize>,
}

impl Secrets {
    fn number(&mut self, secret: &str, kind: SecretKind) -> usize {
        if let Some(number) = self.numbers.get(secret) {
            return *number;
        }
        let number = self.texts.len();
        self.texts.push(secret.to_owned());
        self.kinds.push(kind);
        self.places.push(Vec::new());
        self.times.push(0);
        self.numbers.insert(secret.to_owned(), number);
        number
    }

    fn note(&mut self, number: usize, place: &Place) {
        self.times[number] += 1;
        // Places are visited one after the other, so the last one is the only one that can come again.
        if self.places[number].last() != Some(place) {
            self.places[number].push(place.clone());
        }
    }

    fn everywhere(&self) -> Everywhere {
        let pairs = self.texts.iter().zip(&self.kinds);
        let (texts, kinds): (Vec<&String>, Vec<SecretKind>) =
            pairs.filter(|(text, _)| HIDDEN_EVERYWHERE.contains(&text.len())).unzip();
        // This kind is the slowest to search with and by far the quickest to build, which counts for a search that is made once.
        let search = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .match_kind(MatchKind::LeftmostLongest)
            .build(texts);
        // Building fails only beyond the greatest number of states, far above what one message may have.
        Everywhere { search: search.ok(), kinds }
    }

    fn report(&self, placeholders: &Placeholders) -> Vec<Found> {
        // A secret that only ever stood within a longer one has no place of its own.
        let seen = (0..self.texts.len()).filter(|number| self.times[*number] > 0);
        seen.map(|number| Found {
            placeholder: placeholders.placeholder(number),
            kind: self.kinds[number],
            places: self.places[number].clone(),
            times: self.times[number],
            shown: masked(&self.texts[number], self.kinds[number]),
        })
        .collect()
    }
}

/// Finds the secrets again, wherever they stand.
struct Everywhere {
    search: Option<AhoCorasick>,
    kinds: Vec<SecretKind>,
}

impl Everywhere {
    fn spans<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Span> + 't {
        self.search.iter().flat_map(move |search| {
            let span = |found: aho_corasick::Match| Span {
                start: found.start(),
                end: found.end(),
                kind: self.kinds[found.pattern().as_usize()],
            };
            search.find_iter(text).map(span)
        })
    }
}

/// The beginning of a token of a known form, which says what it is, and the end of a long one; nothing of a short secret or a key block.
fn masked(secret: &str, kind: SecretKind) -> String {
    let chars: Vec<char> = secret.chars().collect();
    let (head, tail) = match (kind, chars.len()) {
        (SecretKind::PrivateKey | SecretKind::Named | SecretKind::UrlPassword, ..24) | (_, ..12) => (0, 0),
        (SecretKind::PrivateKey, _) => (0, 0),
        (_, 12..24) => (2, 0),
        _ => (4, 2),
    };
    let head: String = chars[..head].iter().collect();
    let tail: String = chars[chars.len() - tail..].iter().collect();
    format!("{head}…{tail}")
}

#[cfg(test)]
mod tests;
