//! JSON-RPC 2.0 messages as raw values.

use serde_json::{Map, Value, json};

/// The id of a request: exactly as it came, so that it goes back exactly so.
#[derive(Clone, Debug, PartialEq)]
pub enum Id {
    /// A number.
    Number(serde_json::Number),
    /// Text.
    Text(String),
}

impl Id {
    pub(crate) fn parse(value: &Value) -> Option<Id> {
        match value {
            Value::Number(number) => Some(Id::Number(number.clone())),
            Value::String(text) => Some(Id::Text(text.clone())),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// The id as JSON.
    pub fn to_value(&self) -> Value {
        match self {
            Id::Number(number) => Value::Number(number.clone()),
            Id::Text(text) => Value::from(text.as_str()),
        }
    }
}

/// An error object.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorObject {
    /// Its code.
    pub code: i64,
    /// Its message.
    pub message: String,
    /// Its data.
    pub data: Option<Value>,
}

impl ErrorObject {
    /// Reads an error object, whatever of it is there.
    pub(crate) fn read(error: Value) -> ErrorObject {
        let code = error.get("code");
        ErrorObject {
            code: code
                .and_then(Value::as_i64)
                .or_else(|| code.and_then(Value::as_f64).map(|code| code as i64))
                .unwrap_or(0),
            message: match error.get("message").and_then(Value::as_str) {
                Some(message) => message.to_owned(),
                None => error.as_str().map_or_else(|| error.to_string(), str::to_owned),
            },
            data: error.get("data").cloned(),
        }
    }
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A request; anything with a method and an id, whatever the id.
    Request {
        /// Its id.
        id: Id,
        /// Its method.
        method: String,
        /// Its parameters; an empty object when it has none.
        params: Value,
    },
    /// A notification.
    Notification {
        /// Its method.
        method: String,
        /// Its parameters; an empty object when it has none.
        params: Value,
    },
    /// A response.
    Response {
        /// The id of the request; nothing when the peer could not tell.
        id: Option<Id>,
        /// The result or the error.
        outcome: Result<Value, ErrorObject>,
    },
}

impl Message {
    /// Reads one message.
    ///
    /// # Errors
    /// What is wrong with it, in English.
    pub fn parse(value: Value) -> Result<Message, String> {
        let Value::Object(mut object) = value else { return Err("a message is a JSON object".into()) };
        if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err("\"jsonrpc\" is not \"2.0\"".into());
        }
        let params = |object: &mut Map<String, Value>| match object.remove("params") {
            None | Some(Value::Null) => Value::Object(Map::new()),
            Some(params) => params,
        };
        if let Some(method) = object.get("method") {
            let Some(method) = method.as_str().map(str::to_owned) else {
                return Err("\"method\" is not a string".into());
            };
            return match object.remove("id") {
                None => Ok(Message::Notification { method, params: params(&mut object) }),
                Some(id) => match Id::parse(&id) {
                    Some(id) => Ok(Message::Request { id, method, params: params(&mut object) }),
                    None => Err(format!("the id of a request is a string or a number, not {id}")),
                },
            };
        }
        let id = match object.remove("id") {
            None | Some(Value::Null) => None,
            Some(id) => Some(Id::parse(&id).ok_or_else(|| format!("the id of a response cannot be {id}"))?),
        };
        if let Some(error) = object.remove("error").filter(|error| !error.is_null()) {
            return Ok(Message::Response { id, outcome: Err(ErrorObject::read(error)) });
        }
        match object.remove("result") {
            Some(result) => Ok(Message::Response { id, outcome: Ok(result) }),
            None => Err("neither a method nor a result nor an error".into()),
        }
    }
}

/// A request as one line, without its line end.
pub fn request_line(id: u64, method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

/// A notification as one line.
pub fn notification_line(method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
}

/// A successful response as one line.
pub fn result_line(id: &Id, result: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id.to_value(), "result": result }).to_string()
}

/// An error response as one line.
pub fn error_line(id: &Id, code: i64, message: &str) -> String {
    json!({ "jsonrpc": "2.0", "id": id.to_value(), "error": { "code": code, "message": message } }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<Message, String> {
        Message::parse(serde_json::from_str(text).unwrap())
    }

    #[test]
    fn r06_whatever_has_a_method_is_a_request() {
        for id in ["1", "\"r-1\"", "0", "-1", "9007199254740993"] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"roots/list"}}"#);
            let Ok(Message::Request { id: read, .. }) = check(&text) else { panic!("{text}") };
            assert_eq!(read.to_value().to_string(), id);
        }
    }

    #[test]
    fn ids_of_no_possible_type_are_refused() {
        assert!(check(r#"{"jsonrpc":"2.0","id":{},"method":"x"}"#).is_err());
        assert!(check(r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#).is_err());
        assert!(check(r#"{"jsonrpc":"2.0","id":[1],"result":{}}"#).is_err());
        assert!(check(r#"{"jsonrpc":"2.0"}"#).is_err());
        assert!(check(r#"{"level":"info"}"#).is_err());
    }

    #[test]
    fn an_error_without_id_is_a_response() {
        let read = check(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}"#).unwrap();
        assert!(matches!(read, Message::Response { id: None, outcome: Err(ErrorObject { code: -32000, .. }) }));
    }
}
