//! The arguments of a call, as typed: `KEY=VALUE`, `KEY:=JSON` and `--args JSON`.

use askback_desk::Texts;
use serde_json::{Map, Value};

use crate::command_line::Verb;
use crate::failure::{Failure, FailureKind};

/// The arguments; words override what `--args` gives.
pub(crate) fn read(
    verb: Verb,
    words: &[String],
    json: Option<&str>,
    texts: &Texts,
) -> Result<Map<String, Value>, Failure> {
    let usage = |id: &str, word: &str, detail: &str| {
        Failure::new(FailureKind::Usage, texts.format(id, &[("word", word.into()), ("detail", detail.into())]))
            .hint(texts.get("arguments-hint"))
    };
    let mut arguments = match json {
        None => Map::new(),
        Some(text) => match serde_json::from_str(text) {
            Ok(Value::Object(object)) => object,
            Ok(_) => return Err(usage("arguments-not-object", text, "")),
            Err(error) => return Err(usage("arguments-not-json", text, &error.to_string())),
        },
    };
    for word in words {
        let Some((key, value)) = word.split_once('=').filter(|(key, _)| !key.is_empty() && *key != ":") else {
            return Err(usage("arguments-no-key", word, ""));
        };
        let (key, value) = match key.strip_suffix(':') {
            None => (key, Value::from(value)),
            Some(key) => {
                let parsed = serde_json::from_str(value);
                (key, parsed.map_err(|error| usage("arguments-not-json", word, &error.to_string()))?)
            }
        };
        if verb == Verb::Prompt && !value.is_string() {
            return Err(usage("arguments-not-text", word, ""));
        }
        arguments.insert(key.to_owned(), value);
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_desk::Lang;
    use serde_json::json;

    fn check(words: &[&str], args: Option<&str>) -> Result<Value, FailureKind> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let texts = Texts::new(Lang::En, &[crate::ASKBACK]);
        read(Verb::Tool, &words, args, &texts).map(Value::Object).map_err(|failure| failure.kind)
    }

    #[test]
    fn text_and_json() {
        assert_eq!(
            check(&["a=1", "b:=1", "c:=[true]", "d=x=y", "e="], None),
            Ok(json!({"a":"1","b":1,"c":[true],"d":"x=y","e":""}))
        );
        assert_eq!(check(&["a=2"], Some(r#"{"a":1,"z":null}"#)), Ok(json!({"a":"2","z":null})));
    }

    #[test]
    fn what_is_no_argument_is_a_usage_error() {
        for word in ["a", "=x", ":=1", "a:=x"] {
            assert_eq!(check(&[word], None), Err(FailureKind::Usage), "{word}");
        }
        assert_eq!(check(&[], Some("[1]")), Err(FailureKind::Usage));
        assert_eq!(check(&[], Some("{")), Err(FailureKind::Usage));
    }
}
