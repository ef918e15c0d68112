//! JSON as it comes out of a fuzzer: nearly right.
//!
//! Owns a reading that makes a value of any text, so that a changed byte changes the value instead of ending the run at the parser. Text that
//! is JSON is read as what it is.

use serde_json::{Map, Value};

/// Deeper than anything that is read is allowed to be.
const MAX_DEPTH: usize = 150;

/// The value at the beginning of a text, and what follows it.
pub(crate) fn read(text: &str) -> (Value, &str) {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    if let Some(Ok(value)) = values.next() {
        return (value, &text[values.byte_offset()..]);
    }
    let mut loose = Loose { rest: text };
    let value = loose.value(0);
    (value, loose.rest)
}

struct Loose<'t> {
    rest: &'t str,
}

impl<'t> Loose<'t> {
    fn value(&mut self, depth: usize) -> Value {
        match self.next() {
            None | Some('}' | ']') => Value::Null,
            Some('{') => {
                self.skip();
                Value::Object(if depth < MAX_DEPTH { self.object(depth) } else { Map::new() })
            }
            Some('[') => {
                self.skip();
                Value::Array(if depth < MAX_DEPTH { self.array(depth) } else { Vec::new() })
            }
            Some('"') => Value::String(self.string()),
            Some(_) => {
                let word = self.word();
                serde_json::from_str(word).unwrap_or_else(|_| Value::from(word))
            }
        }
    }

    fn object(&mut self, depth: usize) -> Map<String, Value> {
        let mut object = Map::new();
        while !self.closes() {
            let key = match self.next() {
                Some('"') => self.string(),
                Some('{' | '[') => String::new(),
                _ => self.word().to_owned(),
            };
            let value = self.value(depth + 1);
            object.insert(key, value);
        }
        object
    }

    fn array(&mut self, depth: usize) -> Vec<Value> {
        let mut array = Vec::new();
        while !self.closes() {
            array.push(self.value(depth + 1));
        }
        array
    }

    /// The next character that means something.
    fn next(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',' || c == ':');
        self.rest.chars().next()
    }

    /// Whether the object or array ends here; its bracket is taken.
    fn closes(&mut self) -> bool {
        match self.next() {
            None => true,
            Some('}' | ']') => {
                self.skip();
                true
            }
            Some(_) => false,
        }
    }

    /// Takes a character of one byte.
    fn skip(&mut self) {
        self.rest = &self.rest[1..];
    }

    /// A string; one that is not closed ends with its line.
    fn string(&mut self) -> String {
        self.skip();
        let mut escaped = false;
        let end = self.rest.find(|c: char| {
            let ends = c == '\n' || (c == '"' && !escaped);
            escaped = c == '\\' && !escaped;
            ends
        });
        let (raw, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.strip_prefix('"').unwrap_or(rest);
        serde_json::from_str(&format!("\"{raw}\"")).unwrap_or_else(|_| raw.to_owned())
    }

    fn word(&mut self) -> &'t str {
        let end = self.rest.find(|c: char| c.is_ascii_whitespace() || "{}[]\",:".contains(c));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::read;

    #[track_caller]
    fn check(text: &str, value: Value, rest: &str) {
        assert_eq!(read(text), (value, rest), "{text}");
    }

    #[test]
    fn json_is_read_as_what_it_is_and_anything_else_as_something() {
        check("{\"a\": [1, \"x\"]}\nrest", json!({"a": [1, "x"]}), "\nrest");
        check("{\"a\": [1, \"x}\nrest", json!({"a": [1, "x}", "rest"]}), "");
        check("{a b [c}", json!({"a": "b", "": ["c"]}), "");
        check("{\"a\\\"b\":1,,2]x", json!({"a\"b": 1, "2": null}), "x");
        check("", json!(null), "");
        check("}", json!(null), "}");
    }

    #[test]
    fn depth_is_bounded() {
        assert!(read(&"[".repeat(100_000)).0.is_array());
        assert!(read(&"{".repeat(100_000)).0.is_object());
    }
}
