//! Writes server-sent events, plainly or as oddly as the format allows.
//!
//! Knows the format of event streams and nothing of what they carry.

use crate::http::manners::HttpManners;

/// One event.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Event<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) name: Option<&'a str>,
    pub(super) data: &'a str,
}

impl Event<'_> {
    /// As it stands in a stream, with its blank line.
    pub(super) fn written(&self, manners: &HttpManners) -> String {
        let mut text = manners.before_each.clone();
        for (field, value) in [("event", self.name), ("id", self.id)] {
            text.extend(value.map(|value| format!("{field}: {value}\n")));
        }
        // After the first key is a place where JSON may be broken.
        match self.data.split_once(':').filter(|_| manners.split_data && self.data.starts_with('{')) {
            Some((key, rest)) => text.push_str(&format!("data: {key}\ndata: :{rest}\n\n")),
            None => text.push_str(&format!("data: {}\n\n", self.data)),
        }
        with_line_ends(&text, manners)
    }
}

/// An event with an id and nothing else, from which a client can come again.
pub(super) fn priming(id: &str, manners: &HttpManners) -> String {
    with_line_ends(&format!("id: {id}\ndata:\n\n"), manners)
}

/// How long the client is to wait before it comes again, in milliseconds.
pub(super) fn retry(milliseconds: u64, manners: &HttpManners) -> String {
    with_line_ends(&format!("retry: {milliseconds}\n\n"), manners)
}

/// Text with the line ends of these streams.
pub(super) fn with_line_ends(text: &str, manners: &HttpManners) -> String {
    text.replace('\n', manners.line_end.as_deref().unwrap_or("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(manners: &str, written: &str) {
        let manners: HttpManners = toml::from_str(manners).unwrap();
        let event = Event { id: Some("7"), name: None, data: r#"{"a":1}"# };
        assert_eq!(event.written(&manners), written);
    }

    #[test]
    fn events_are_written_plainly_or_oddly() {
        check("", "id: 7\ndata: {\"a\":1}\n\n");
        check("line_end = \"\\r\"", "id: 7\rdata: {\"a\":1}\r\r");
        check("split_data = true", "id: 7\ndata: {\"a\"\ndata: :1}\n\n");
        check("before_each = \":keepalive\\n\\n\"", ":keepalive\n\nid: 7\ndata: {\"a\":1}\n\n");
    }
}
