//! The form for the traveller and somebody to call, and what its answer must hold. The client has checked the answer
//! already; a server checks again.

use serde_json::{Map, Value, json};

use crate::talk::{Interruption, Told};

/// Who travels, as far as the booking says so.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contact {
    pub(crate) full_name: String,
    pub(crate) email: String,
    pub(crate) bags: u64,
    pub(crate) emergency_name: String,
}

pub(crate) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "fullName": {
                "type": "string",
                "title": "Full name",
                "description": "As in the passport",
                "minLength": 2,
                "maxLength": 80
            },
            "email": {
                "type": "string",
                "title": "E-mail",
                "description": "Where the tickets go",
                "format": "email"
            },
            "nationality": {
                "type": "string",
                "title": "Nationality",
                "description": "Country that issued the passport"
            },
            "dateOfBirth": {
                "type": "string",
                "title": "Date of birth",
                "format": "date"
            },
            "dietary": {
                "type": "array",
                "title": "Dietary needs",
                "description": "For the flights and the hotel",
                "items": {
                    "type": "string",
                    "enum": ["vegetarian", "vegan", "halal", "kosher", "gluten free", "no nuts"]
                },
                "maxItems": 3
            },
            "bags": {
                "type": "integer",
                "title": "Bags to check in",
                "minimum": 0,
                "maximum": 3,
                "default": 1
            },
            "emergencyName": {
                "type": "string",
                "title": "Emergency contact",
                "description": "Somebody to call who does not travel with you",
                "minLength": 2
            },
            "emergencyPhone": {
                "type": "string",
                "title": "Telephone of the emergency contact",
                "description": "With the country code, as in +34 600 000 000",
                "pattern": "^\\+?[0-9][0-9 ()-]{6,18}$"
            }
        },
        "required": ["fullName", "email", "dateOfBirth", "emergencyName", "emergencyPhone"]
    })
}

/// Reads the answer.
pub(crate) fn read(content: &Map<String, Value>) -> Told<Contact> {
    let text = |name: &str, fits: fn(&str) -> bool| match content.get(name).and_then(Value::as_str).map(str::trim) {
        Some(text) if fits(text) => Ok(text.to_owned()),
        _ => Err(Interruption::Failed(format!("Nothing was booked: the answer for `{name}` does not fit the form."))),
    };
    let named = |name: &str| name.chars().count() >= 2;
    text("dateOfBirth", is_date)?;
    text("emergencyPhone", is_telephone)?;
    Ok(Contact {
        full_name: text("fullName", named)?,
        email: text("email", |email| {
            email.split_once('@').is_some_and(|(who, host)| !who.is_empty() && !host.is_empty())
        })?,
        emergency_name: text("emergencyName", named)?,
        bags: match content.get("bags") {
            None => 1,
            Some(bags) => bags.as_u64().filter(|bags| *bags <= 3).ok_or_else(|| {
                Interruption::Failed("Nothing was booked: `bags` must be a number from 0 to 3.".to_owned())
            })?,
        },
    })
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    parts.iter().map(|part| part.len()).eq([4, 2, 2]) && parts.concat().bytes().all(|byte| byte.is_ascii_digit())
}

fn is_telephone(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or(text);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && (7..=19).contains(&digits.chars().count())
        && digits.chars().all(|each| each.is_ascii_digit() || " ()-".contains(each))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telephones_and_dates() {
        for good in ["+34 600 000 000", "0049 (40) 123-456", "1234567"] {
            assert!(is_telephone(good), "{good}");
        }
        for bad in ["", "+", "123456", "call me", "+34 600 000 000 000 000 0", " 1234567"] {
            assert!(!is_telephone(bad), "{bad}");
        }
        assert!(is_date("1990-05-01"));
        assert!(!is_date("1990-5-1") && !is_date("01/05/1990") && !is_date("abcd-ef-gh"));
    }
}
