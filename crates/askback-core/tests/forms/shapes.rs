//! The shapes of schemas that servers send, each with what becomes of it.
//!
//! Owns the expectations: how a shape is drawn and what is sent for what is entered. The reference page shows what really happens, and the
//! test compares it with these.

use askback_core::form::Entry;
use serde_json::{Value, json};

/// One shape.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    /// The property called `value`, or a whole schema.
    schema: Value,
    whole: bool,
    required: bool,
    /// How it is drawn, or why it is refused, in the words of the page.
    pub(crate) becomes: Result<&'static str, &'static str>,
    /// Entries (none: as the form stands at first), and the content that is sent for them or why nothing is.
    pub(crate) tries: Vec<(Option<Entry>, Result<Value, &'static str>)>,
}

/// Shapes that belong together.
pub(crate) struct Group {
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) shapes: Vec<Shape>,
}

impl Shape {
    /// The schema as a server sends it.
    pub(crate) fn requested_schema(&self) -> Value {
        if self.whole {
            return self.schema.clone();
        }
        let required: &[&str] = if self.required { &["value"] } else { &[] };
        json!({"type": "object", "properties": {"value": self.schema}, "required": required})
    }

    /// What of it is shown: of a whole schema with nothing but one property called `value` and definitions, that property.
    pub(crate) fn shown(&self) -> &Value {
        let only = self.schema.pointer("/properties/value").filter(|_| {
            let defined = self.schema.get("$defs").or_else(|| self.schema.get("definitions")).is_some();
            self.whole && defined
        });
        only.unwrap_or(&self.schema)
    }

    fn drawn(mut self, how: &'static str) -> Shape {
        self.becomes = Ok(how);
        self
    }

    /// What is sent as `value`.
    fn sends(self, entry: Entry, value: Value) -> Shape {
        self.content(Some(entry), json!({"value": value}))
    }

    fn leaves_out(self, entry: Entry) -> Shape {
        self.content(Some(entry), json!({}))
    }

    fn untouched(self, content: Value) -> Shape {
        self.content(None, content)
    }

    fn content(mut self, entry: Option<Entry>, content: Value) -> Shape {
        self.tries.push((entry, Ok(content)));
        self
    }

    fn refuses(mut self, entry: Entry, why: &'static str) -> Shape {
        self.tries.push((Some(entry), Err(why)));
        self
    }

    fn untouched_refuses(mut self, why: &'static str) -> Shape {
        self.tries.push((None, Err(why)));
        self
    }
}

fn shape(name: &'static str, schema: Value, whole: bool, required: bool) -> Shape {
    Shape { name, schema, whole, required, becomes: Ok(""), tries: Vec::new() }
}

/// A form of one required property.
fn required(name: &'static str, property: Value) -> Shape {
    shape(name, property, false, true)
}

/// A form of one property that may be left out.
fn optional(name: &'static str, property: Value) -> Shape {
    shape(name, property, false, false)
}

fn whole(name: &'static str, schema: Value) -> Shape {
    shape(name, schema, true, false)
}

fn refused(name: &'static str, schema: Value, why: &'static str) -> Shape {
    Shape { becomes: Err(why), ..whole(name, schema) }
}

fn text(text: &str) -> Entry {
    Entry::Text(text.into())
}

const YES: Entry = Entry::Boolean(true);
const NO: Entry = Entry::Boolean(false);
const NOTHING: Entry = Entry::Blank;
const FIRST: Entry = Entry::Choice(0);
const SECOND: Entry = Entry::Choice(1);

fn ticked(indices: &[usize]) -> Entry {
    Entry::Choices(indices.to_vec())
}

/// All of them, in the order of the page.
pub(crate) fn groups() -> Vec<Group> {
    let group = |title, about, shapes| Group { title, about, shapes };
    vec![
        group("Text", "Limits count characters as people do (code points), not bytes.", texts()),
        group(
            "Numbers",
            "What is typed is read in decimal and sent exactly, or not at all. One parser checks and sends.",
            numbers(),
        ),
        group("Yes or no", "Nothing is chosen until the person chooses.", booleans()),
        group(
            "One of several",
            "The person sees the names, the server gets the values. Nothing is chosen beforehand but a default.",
            choices(),
        ),
        group("Several of several", "The answer is always a list, even of one.", multiple_choices()),
        group(
            "Optional fields",
            "What may be null may be left out: an untouched field is not sent, and null never is.",
            nullables(),
        ),
        group("Defaults", "A default that fits is filled in, also when it is false, zero or empty.", defaults()),
        group(
            "References and parts",
            "References within the schema are followed. Nothing is ever fetched. Here `Size` is `{\"type\": \"string\", \"enum\": [\"s\", \"l\"], \"title\": \"Size\"}`.",
            references(),
        ),
        group(
            "Beyond the protocol",
            "The protocol knows flat forms of plain values only. What else servers send is entered all the same, and checked against the schema.",
            beyond(),
        ),
        group("The form as a whole", "These are whole schemas, not properties.", forms()),
        group(
            "Not answered, and why",
            "A schema that cannot be a form is refused with a reason that names the place. One that no answer can satisfy is shown, and says so.",
            unanswerable(),
        ),
    ]
}

fn texts() -> Vec<Shape> {
    vec![
        required("plain", json!({"type": "string"}))
            .drawn("text; required")
            .sends(text("Ada"), json!("Ada"))
            .sends(text(""), json!(""))
            .untouched_refuses("a value is needed"),
        optional("optional", json!({"type": "string"}))
            .drawn("text; optional")
            .leaves_out(NOTHING)
            .sends(text(""), json!("")),
        required(
            "title and description",
            json!({"type": "string", "title": "Your name", "description": "As on the ticket"}),
        )
        .drawn("text; required; label “Your name”; hint “As on the ticket”")
        .sends(text("Ada"), json!("Ada")),
        required("length", json!({"type": "string", "minLength": 2, "maxLength": 4}))
            .drawn("text, 2 to 4 characters; required")
            .sends(text("😀😀😀😀"), json!("😀😀😀😀"))
            .refuses(text("a"), "too short: 1 of at least 2 characters"),
        required("exact length", json!({"type": "string", "minLength": 6, "maxLength": 6}))
            .drawn("text, 6 characters; required")
            .refuses(text("12345"), "too short: 5 of at least 6 characters"),
        required("pattern", json!({"type": "string", "pattern": "^[A-Z]{3}$"}))
            .drawn("text, matching `^[A-Z]{3}$`; required")
            .sends(text("ABC"), json!("ABC"))
            .refuses(text("abc"), "does not match `^[A-Z]{3}$`"),
        required("pattern that looks ahead", json!({"type": "string", "pattern": "^(?=.*[0-9]).+$"}))
            .drawn("text, matching `^(?=.*[0-9]).+$`; required")
            .sends(text("a1"), json!("a1"))
            .refuses(text("a"), "does not match `^(?=.*[0-9]).+$`"),
        required("pattern that is none", json!({"type": "string", "pattern": "[0-9"}))
            .drawn("text; required; note: the pattern cannot be checked")
            .sends(text("a"), json!("a")),
        required("e-mail", json!({"type": "string", "format": "email"}))
            .drawn("e-mail address; required")
            .sends(text(" ada@example.com "), json!("ada@example.com"))
            .refuses(text("ada"), "not an e-mail address"),
        required("URI", json!({"type": "string", "format": "uri"}))
            .drawn("URI; required")
            .sends(text("https://example.com/a"), json!("https://example.com/a"))
            .refuses(text("example.com"), "not an absolute URI"),
        required("date", json!({"type": "string", "format": "date"}))
            .drawn("date; required")
            .sends(text("2026-07-28"), json!("2026-07-28"))
            .refuses(text("2026-02-30"), "not a day that exists"),
        required("date and time", json!({"type": "string", "format": "date-time"}))
            .drawn("date and time with offset; required")
            .sends(text("2026-05-01T10:00:00+05:30"), json!("2026-05-01T10:00:00+05:30"))
            .refuses(text("2026-05-01T10:00"), "the offset from UTC is missing")
            .refuses(text("2026-05-01 10:00:00Z"), "not a date and time"),
        required("unknown format", json!({"type": "string", "format": "uuid"}))
            .drawn("text; required; note: the format `uuid` is not checked")
            .sends(text("anything"), json!("anything")),
        required("no type, but limits of text", json!({"minLength": 1}))
            .drawn("text, at least 1 character; required")
            .sends(text("Ada"), json!("Ada")),
        required("unknown keywords", json!({"type": "string", "examples": ["Ada"], "x-order": 1}))
            .drawn("text; required")
            .sends(text("Ada"), json!("Ada")),
        required("secret", json!({"type": "string", "title": "API key"}))
            .drawn("text; required; label “API key”; locked: asks for a secret (`API key`)"),
        required("secret by format", json!({"type": "string", "format": "password"})).drawn(
            "text; required; note: the format `password` is not checked; locked: asks for a secret (`password`)",
        ),
    ]
}

fn numbers() -> Vec<Shape> {
    vec![
        required("whole number", json!({"type": "integer"}))
            .drawn("whole number; required")
            .sends(text("1.0"), json!(1))
            .sends(text("1e3"), json!(1000))
            .sends(text("9007199254740993"), json!(9_007_199_254_740_993_u64))
            .refuses(text("1.5"), "not a whole number")
            .refuses(text("seven"), "not a number"),
        required("number", json!({"type": "number"}))
            .drawn("number; required")
            .sends(text(".5"), json!(0.5))
            .sends(text("3"), json!(3))
            .refuses(text("1,5"), "not a number")
            .refuses(text("1e400"), "cannot be sent exactly"),
        required("bounds", json!({"type": "integer", "minimum": 18, "maximum": 120}))
            .drawn("whole number, at least 18, at most 120; required")
            .sends(text("18"), json!(18))
            .refuses(text("17"), "must be at least 18")
            .refuses(text("121"), "must be at most 120"),
        required(
            "bounds of JavaScript",
            json!({"type": "integer", "minimum": -9_007_199_254_740_991_i64, "maximum": 9_007_199_254_740_991_i64}),
        )
        .drawn("whole number; required")
        .refuses(text("9007199254740992"), "the schema refuses it: value is greater than the maximum of 9007199254740991"),
        required("open bounds", json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}))
            .drawn("number, more than 0, less than 1; required")
            .refuses(text("0"), "must be more than 0")
            .refuses(text("1"), "must be less than 1"),
        required("bounds written as fractions", json!({"type": "integer", "minimum": 0.0, "maximum": 10.0}))
            .drawn("whole number, at least 0.0, at most 10.0; required")
            .sends(text("10"), json!(10))
            .refuses(text("11"), "must be at most 10"),
        required("steps", json!({"type": "number", "multipleOf": 0.1}))
            .drawn("number, a multiple of 0.1; required")
            .sends(text("0.3"), json!(0.3))
            .refuses(text("0.35"), "not a multiple of 0.1"),
        required("both number types", json!({"type": ["integer", "number"]}))
            .drawn("number; required")
            .sends(text("1.5"), json!(1.5)),
        required("bounds of draft 4", json!({"type": "integer", "minimum": 0, "exclusiveMinimum": true}))
            .drawn("whole number, more than 0; required\nnote: /properties/value/exclusiveMinimum is not valid JSON Schema and is not checked (value is not of type \"number\")")
            .refuses(text("0"), "must be more than 0"),
        optional("optional", json!({"type": "number"})).drawn("number; optional").leaves_out(text("")),
    ]
}

fn booleans() -> Vec<Shape> {
    vec![
        required("plain", json!({"type": "boolean"}))
            .drawn("yes or no; required")
            .sends(YES, json!(true))
            .sends(NO, json!(false))
            .untouched_refuses("a value is needed"),
        optional("optional", json!({"type": "boolean"})).drawn("yes or no; optional").untouched(json!({})),
        optional("default no", json!({"type": "boolean", "default": false}))
            .drawn("yes or no; optional; starts as `false`")
            .untouched(json!({"value": false})),
        required("consent", json!({"type": "boolean", "const": true}))
            .drawn("one of true; required; note: the value is fixed")
            .untouched_refuses("a value is needed")
            .sends(FIRST, json!(true)),
    ]
}

fn choices() -> Vec<Shape> {
    let drawn = "one of Small · Large; required";
    let named = json!([{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}]);
    vec![
        required("`enum`", json!({"type": "string", "enum": ["s", "l"]}))
            .drawn("one of s · l; required")
            .sends(SECOND, json!("l"))
            .untouched_refuses("a value is needed"),
        required("`oneOf` of titled constants", json!({"type": "string", "oneOf": named}))
            .drawn(drawn)
            .sends(FIRST, json!("s")),
        required("the same without `type`", json!({"oneOf": named})).drawn(drawn).sends(FIRST, json!("s")),
        required("the same with `anyOf`", json!({"anyOf": named})).drawn(drawn).sends(SECOND, json!("l")),
        required("`enumNames`", json!({"type": "string", "enum": ["s", "l"], "enumNames": ["Small", "Large"]}))
            .drawn(drawn)
            .sends(SECOND, json!("l")),
        required("`enumNames` too short", json!({"type": "string", "enum": ["s", "l"], "enumNames": ["Small"]}))
            .drawn("one of Small · l; required; note: `enumNames` has another length than `enum`")
            .sends(SECOND, json!("l")),
        required("`enumNames` too long", json!({"type": "string", "enum": ["s"], "enumNames": ["Small", "Large"]}))
            .drawn("one of Small; required; note: `enumNames` has another length than `enum`")
            .sends(FIRST, json!("s")),
        required(
            "two with one name",
            json!({"oneOf": [{"const": "a", "title": "Same"}, {"const": "b", "title": "Same"}]}),
        )
        .drawn("one of Same (a) · Same (b); required")
        .sends(SECOND, json!("b")),
        required("`enum` of numbers", json!({"type": "integer", "enum": [1, 2]}))
            .drawn("one of 1 · 2; required")
            .sends(SECOND, json!(2)),
        required("`enum` of different types", json!({"enum": ["auto", 1, true]}))
            .drawn("one of auto · 1 · true; required")
            .sends(SECOND, json!(1)),
        required("`enum` with a value of another type", json!({"type": "integer", "enum": [1, "x"]}))
            .drawn("one of 1; required")
            .sends(FIRST, json!(1)),
        optional("`enum` with null", json!({"enum": ["s", "l", null]}))
            .drawn("one of s · l; optional")
            .untouched(json!({})),
        required("an empty text among them", json!({"enum": ["", "s"]}))
            .drawn("one of \"\" · s; required")
            .sends(FIRST, json!("")),
        required("`const`", json!({"type": "string", "const": "v1"}))
            .drawn("one of v1; required; starts as `\"v1\"`; note: the value is fixed")
            .untouched(json!({"value": "v1"})),
        optional("`const`, optional", json!({"const": "v1"}))
            .drawn("one of v1; optional; note: the value is fixed")
            .untouched(json!({})),
    ]
}

fn multiple_choices() -> Vec<Shape> {
    let named = json!([{"const": "s", "title": "Sea"}, {"const": "c", "title": "City"}]);
    vec![
        required("`items.enum`", json!({"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}}))
            .drawn("any of a · b · c; required")
            .sends(ticked(&[1]), json!(["b"]))
            .sends(ticked(&[0, 2]), json!(["a", "c"]))
            .sends(ticked(&[]), json!([])),
        required("`items.anyOf` of titled constants", json!({"type": "array", "items": {"anyOf": named}}))
            .drawn("any of Sea · City; required")
            .sends(ticked(&[0, 1]), json!(["s", "c"])),
        required("`items.oneOf`", json!({"type": "array", "items": {"oneOf": named}}))
            .drawn("any of Sea · City; required")
            .sends(ticked(&[1]), json!(["c"])),
        required(
            "how many",
            json!({"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 1, "maxItems": 2}),
        )
        .drawn("any of a · b · c, 1 to 2 of them; required")
        .refuses(ticked(&[]), "too few: 0 of at least 1")
        .refuses(ticked(&[0, 1, 2]), "too many: 3 of at most 2"),
        required("`uniqueItems`", json!({"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": true}))
            .drawn("any of a · b; required")
            .sends(ticked(&[0]), json!(["a"])),
        optional("optional", json!({"type": "array", "items": {"enum": ["a", "b"]}}))
            .drawn("any of a · b; optional")
            .untouched(json!({}))
            .sends(ticked(&[]), json!([])),
        required("more than there are", json!({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 3}))
            .drawn("JSON editor (a list); required")
            .sends(text("[\"a\", \"a\", \"b\"]"), json!(["a", "a", "b"])),
    ]
}

fn nullables() -> Vec<Shape> {
    vec![
        optional(
            "`anyOf` with null",
            json!({"anyOf": [{"type": "string", "maxLength": 20}, {"type": "null"}], "default": null}),
        )
        .drawn("text, at most 20 characters; optional")
        .untouched(json!({}))
        .sends(text("Bo"), json!("Bo")),
        optional("`oneOf` with null", json!({"oneOf": [{"type": "null"}, {"type": "string", "format": "date"}]}))
            .drawn("date; optional")
            .untouched(json!({})),
        optional("null in `type`", json!({"type": ["integer", "null"]}))
            .drawn("whole number; optional")
            .untouched(json!({}))
            .sends(text("3"), json!(3)),
        optional("a choice, or null", json!({"anyOf": [{"enum": ["s", "l"]}, {"type": "null"}]}))
            .drawn("one of s · l; optional")
            .untouched(json!({})),
        optional(
            "several, or null",
            json!({"anyOf": [{"type": "array", "items": {"enum": ["a", "b"]}}, {"type": "null"}]}),
        )
        .drawn("any of a · b; optional")
        .untouched(json!({})),
        required("null allowed, yet required", json!({"type": ["string", "null"]}))
            .drawn("text; required")
            .untouched_refuses("a value is needed"),
    ]
}

fn defaults() -> Vec<Shape> {
    vec![
        optional("zero", json!({"type": "integer", "default": 0}))
            .drawn("whole number; optional; starts as `0`")
            .untouched(json!({"value": 0}))
            .leaves_out(NOTHING),
        optional("empty text", json!({"type": "string", "default": ""}))
            .drawn("text; optional; starts as `\"\"`")
            .untouched(json!({"value": ""})),
        optional("one of several", json!({"enum": ["s", "l"], "default": "l"}))
            .drawn("one of s · l; optional; starts as `\"l\"`")
            .untouched(json!({"value": "l"})),
        optional("an empty list", json!({"type": "array", "items": {"enum": ["a", "b"]}, "default": []}))
            .drawn("any of a · b; optional; starts as `[]`")
            .untouched(json!({"value": []})),
        optional("null", json!({"type": "string", "default": null})).drawn("text; optional").untouched(json!({})),
        optional("of another type", json!({"type": "integer", "default": "seven"}))
            .drawn("whole number; optional; note: the default `\"seven\"` does not fit and is not used")
            .untouched(json!({})),
        optional("out of bounds", json!({"type": "integer", "minimum": 5, "default": 4}))
            .drawn("whole number, at least 5; optional; note: the default `4` does not fit and is not used")
            .untouched(json!({})),
        optional("not among the values", json!({"enum": ["s"], "default": "x"}))
            .drawn("one of s; optional; note: the default `\"x\"` does not fit and is not used")
            .untouched(json!({})),
    ]
}

fn references() -> Vec<Shape> {
    let size = json!({"Size": {"type": "string", "enum": ["s", "l"], "title": "Size"}});
    let form = |property: Value, defs: &str| json!({"type": "object", "properties": {"value": property}, defs: size, "required": ["value"]});
    let drawn = "one of s · l; required; label “Size”";
    vec![
        whole("`$ref` to `$defs`", form(json!({"$ref": "#/$defs/Size"}), "$defs")).drawn(drawn).sends(FIRST, json!("s")),
        whole("`$ref` to `definitions`", form(json!({"$ref": "#/definitions/Size"}), "definitions"))
            .drawn(drawn)
            .sends(SECOND, json!("l")),
        whole("`allOf` of one, with a default", form(json!({"allOf": [{"$ref": "#/$defs/Size"}], "default": "l"}), "$defs"))
            .drawn("one of s · l; required; starts as `\"l\"`; label “Size”")
            .untouched(json!({"value": "l"})),
        whole("`$ref` or null", form(json!({"anyOf": [{"$ref": "#/$defs/Size"}, {"type": "null"}]}), "$defs"))
            .drawn(drawn)
            .sends(FIRST, json!("s")),
        whole("`items` as `$ref`", form(json!({"type": "array", "items": {"$ref": "#/$defs/Size"}}), "$defs"))
            .drawn("any of s · l; required")
            .sends(ticked(&[0]), json!(["s"])),
        required("limits in parts", json!({"type": "string", "allOf": [{"pattern": "^ORD-"}, {"pattern": "-EU$"}]}))
            .drawn("text, matching `^ORD-`; required")
            .sends(text("ORD-7-EU"), json!("ORD-7-EU"))
            .refuses(text("ORD-7"), "does not match `-EU$`"),
        whole(
            "properties in parts",
            json!({"allOf": [
                {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"type": "object", "properties": {"b": {"type": "integer"}}}
            ]}),
        )
        .drawn("`a`: text; required\n`b`: whole number; optional")
        .untouched_refuses("`a`: a value is needed"),
        optional("`$ref` to nothing", json!({"$ref": "#/$defs/Gone"}))
            .drawn("JSON editor (anything goes); optional\nnote: the schema cannot be compiled (Pointer '/$defs/Gone' does not exist): only the fields are checked")
            .untouched(json!({})),
    ]
}

fn beyond() -> Vec<Shape> {
    let address = json!({"type": "object", "properties": {"zip": {"type": "string"}}, "required": ["zip"]});
    vec![
        required("text or number", json!({"anyOf": [{"type": "number"}, {"type": "string"}]}))
            .drawn("number or text on one line; required")
            .sends(text("9.90"), json!(9.9))
            .sends(text("a lot"), json!("a lot"))
            .sends(text("\"9.90\""), json!("9.90")),
        optional(
            "number, or text with a pattern, or null",
            json!({"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$"}, {"type": "null"}], "default": "9.90"}),
        )
        .drawn("number or text on one line; optional; starts as `\"9.90\"`")
        .untouched(json!({"value": "9.90"}))
        .sends(text("12.5"), json!(12.5)),
        required("several types", json!({"type": ["boolean", "integer"]}))
            .drawn("true/false or whole number on one line; required")
            .sends(text("true"), json!(true))
            .sends(text("3"), json!(3))
            .refuses(text("maybe"), "not a number"),
        required(
            "formats to choose from",
            json!({"anyOf": [{"type": "string", "format": "uri"}, {"type": "string", "format": "email"}]}),
        )
        .drawn("text; required")
        .sends(text("a@b"), json!("a@b")),
        required("list of text", json!({"type": "array", "items": {"type": "string"}, "maxItems": 3}))
            .drawn("list, one to a line: text, at most 3 lines; required")
            .sends(text("Ada\nBob"), json!(["Ada", "Bob"]))
            .sends(text("[]"), json!([])),
        required("list of dates", json!({"type": "array", "items": {"type": "string", "format": "date"}}))
            .drawn("list, one to a line: date; required")
            .sends(text("2026-07-28"), json!(["2026-07-28"]))
            .refuses(text("2026-07-28\ntomorrow"), "value 2: not a day that exists"),
        required("nested object", address.clone())
            .drawn("JSON editor (an object); required")
            .sends(text("{\"zip\": \"1010\"}"), json!({"zip": "1010"}))
            .refuses(text("{}"), "the schema refuses it: \"zip\" is a required property")
            .refuses(text("{"), "not JSON"),
        required("list of objects", json!({"type": "array", "items": address}))
            .drawn("JSON editor (a list); required")
            .sends(text("[{\"zip\": \"1010\"}]"), json!([{"zip": "1010"}])),
        required(
            "pair",
            json!({"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "minItems": 2}),
        )
        .drawn("JSON editor (a list); required")
        .sends(text("[48.2, 16.4]"), json!([48.2, 16.4])),
        required("map", json!({"type": "object", "additionalProperties": {"type": "integer"}}))
            .drawn("JSON editor (an object); required")
            .sends(text("{\"a\": 1}"), json!({"a": 1})),
        required("text or object", json!({"anyOf": [{"type": "string"}, {"type": "object"}]}))
            .drawn("JSON editor (several shapes); required")
            .sends(text("\"a\""), json!("a")),
        required("nothing said", json!({}))
            .drawn("JSON editor (anything goes); required")
            .sends(text("[1]"), json!([1])),
        required("`true`", json!(true)).drawn("JSON editor (anything goes); required").sends(text("null"), json!(null)),
    ]
}

fn forms() -> Vec<Shape> {
    let name = json!({"name": {"type": "string"}});
    vec![
        whole("no fields", json!({"type": "object", "properties": {}}))
            .drawn("no fields: accept, decline or cancel")
            .untouched(json!({})),
        whole("no `properties`", json!({"type": "object"}))
            .drawn("no fields: accept, decline or cancel")
            .untouched(json!({})),
        whole(
            "two properties with one title",
            json!({"type": "object", "properties": {
                "from": {"type": "string", "title": "Place"}, "to": {"type": "string", "title": "Place"}
            }}),
        )
        .drawn("`from`: text; optional; label “Place (from)”\n`to`: text; optional; label “Place (to)”")
        .untouched(json!({})),
        whole("title and dialect", json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "title": "You", "properties": name}))
            .drawn("text; optional")
            .untouched(json!({})),
        whole("unknown dialect", json!({"$schema": "https://example.com/dialect", "type": "object", "properties": name}))
            .drawn("text; optional\nnote: the dialect \"https://example.com/dialect\" is not known; the schema is read as JSON Schema 2020-12")
            .untouched(json!({})),
        whole("required, but not described", json!({"type": "object", "properties": name, "required": ["ghost"]}))
            .drawn("`name`: text; optional\n`ghost`: JSON editor (anything goes); required")
            .untouched_refuses("`ghost`: a value is needed"),
        whole(
            "required, described by the rest",
            json!({"type": "object", "properties": name, "required": ["age"], "additionalProperties": {"type": "integer"}}),
        )
        .drawn("`name`: text; optional\n`age`: whole number; required")
        .untouched_refuses("`age`: a value is needed"),
        whole("`required` of draft 3", json!({"type": "object", "properties": {"name": {"type": "string", "required": true}}}))
            .drawn("text; required\nnote: /properties/name/required is not valid JSON Schema and is not checked (value is not of type \"array\")")
            .untouched_refuses("`name`: a value is needed"),
    ]
}

fn unanswerable() -> Vec<Shape> {
    let one = |property: Value| json!({"type": "object", "properties": {"value": property}});
    vec![
        required("no values", json!({"enum": []}))
            .drawn("a choice of nothing; required\n**no answer is possible**: `value` is required and admits no value"),
        required("contradiction", json!({"type": "integer", "minimum": 3, "maximum": 2}))
            .drawn("whole number, at least 3, at most 2; required\n**no answer is possible**: `value` is required and admits no value")
            .refuses(text("3"), "must be at most 2"),
        whole("required, but not allowed", json!({"type": "object", "properties": {}, "required": ["ghost"], "additionalProperties": false}))
            .drawn("no fields: accept, decline or cancel\n**no answer is possible**: `ghost` is required and not allowed"),
        refused(
            "`$ref` to elsewhere",
            one(json!({"$ref": "https://example.com/size.json"})),
            "requestedSchema.properties.value.$ref: $ref to \"https://example.com/size.json\" leads outside the schema and is never fetched",
        ),
        refused(
            "`$ref` to itself",
            one(json!({"$ref": "#/properties/value"})),
            "requestedSchema.properties.value.$ref: leads back to itself",
        ),
        refused("not an object", json!({"type": "string"}), "requestedSchema.type: is not \"object\""),
        refused("not a schema", json!(true), "requestedSchema: is not an object"),
        refused("a property that is no schema", one(json!("string")), "requestedSchema.properties.value: is not a schema"),
        refused(
            "alternatives at the top",
            json!({"oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}),
            "requestedSchema: offers several alternatives at the top level, and a form has one list of fields",
        ),
    ]
}
