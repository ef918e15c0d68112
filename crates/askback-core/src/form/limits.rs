//! Bounds on what a schema may cost.
//!
//! Owns the size, depth and work that a server's schema may ask for, and the rule that no reference leaves the document. Everything that
//! reads a schema afterwards may rely on them. Must not know fields.

use std::collections::HashMap;

use serde_json::Value;

use super::FormError;
use super::reference::{Document, Target};

/// The largest schema that is read, in bytes of JSON text (estimated from the values).
pub const MAX_BYTES: usize = 1024 * 1024;
/// The deepest nesting of JSON values, and the longest chain of references and alternatives.
pub const MAX_DEPTH: usize = 64;
/// The most fields a form may have.
pub const MAX_FIELDS: usize = 1_000;
/// The most choices that all fields of a form may have together.
pub const MAX_CHOICES: usize = 20_000;
/// The most different patterns a form may have; compiling them is the most expensive part of reading.
pub const MAX_PATTERNS: usize = 100;
/// The most of them that may turn out not to be usable, or not in linear time: finding that out takes longest.
pub const MAX_UNUSABLE_PATTERNS: usize = 10;
/// The most subschemas that a schema may have, as each of them is compiled.
pub const MAX_SUBSCHEMAS: usize = 2_500;
/// The most subschemas that may apply to one and the same value once references are followed: a few lines can ask for 2^40 checks.
const MAX_WORK: u64 = 10_000;

/// The most that a whole form may have of them, the fields taken together.
const MAX_TOTAL_WORK: u64 = 100_000;

/// Refuses schemas that are too large, too deep or too laborious, and references that leave the document or lead back to themselves.
pub(super) fn check<'a>(document: &Document<'a>, root: &'a Value) -> Result<(), FormError> {
    check_size(root)?;
    Walk { document, measured: HashMap::new(), open: Vec::new(), steps: vec![Step::root()] }.run(root)
}

fn check_size(root: &Value) -> Result<(), FormError> {
    let mut bytes = 0_usize;
    let mut open = vec![(root, 1)];
    while let Some((value, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            return Err(FormError::TooLarge { what: format!("it is nested more than {MAX_DEPTH} levels deep") });
        }
        bytes += match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => 4,
            Value::String(text) => text.len() + 2,
            Value::Array(list) => {
                open.extend(list.iter().map(|child| (child, depth + 1)));
                list.len() + 2
            }
            Value::Object(map) => {
                open.extend(map.values().map(|child| (child, depth + 1)));
                map.keys().map(|key| key.len() + 4).sum::<usize>() + 2
            }
        };
        if bytes > MAX_BYTES {
            return Err(FormError::TooLarge { what: format!("it is longer than {MAX_BYTES} bytes") });
        }
    }
    Ok(())
}

/// What applying one subschema to one value takes.
#[derive(Clone, Copy)]
enum Measure {
    /// Being measured: meeting it again means that it leads back to itself.
    Open,
    Done {
        /// Subschemas applied to the value.
        work: u64,
        /// The longest chain of them.
        height: usize,
    },
}

/// One step of the way to a subschema, for messages; kept as a tree because the ways of a large schema are many and long.
struct Step<'a> {
    parent: usize,
    keyword: &'a str,
    name: Option<&'a str>,
}

impl Step<'_> {
    fn root() -> Self {
        Step { parent: 0, keyword: "requestedSchema", name: None }
    }
}

struct Walk<'a, 'd> {
    document: &'d Document<'a>,
    measured: HashMap<*const Value, Measure>,
    /// Subschemas of parts of a value, still to be measured.
    open: Vec<(&'a Value, usize)>,
    steps: Vec<Step<'a>>,
}

impl<'a> Walk<'a, '_> {
    fn run(mut self, root: &'a Value) -> Result<(), FormError> {
        self.open.push((root, 0));
        let mut total = 0_u64;
        while let Some((schema, step)) = self.open.pop() {
            total = total.saturating_add(self.measure(schema, step, 1)?.0);
            if total > MAX_TOTAL_WORK {
                let what = format!("its references ask for more than {MAX_TOTAL_WORK} checks");
                return Err(FormError::TooLarge { what });
            }
        }
        Ok(())
    }

    fn measure(&mut self, schema: &'a Value, step: usize, depth: usize) -> Result<(u64, usize), FormError> {
        let Value::Object(map) = schema else { return Ok((1, 1)) };
        match self.measured.get(&std::ptr::from_ref(schema)) {
            Some(Measure::Done { work, height }) => return Ok((*work, *height)),
            Some(Measure::Open) => {
                return Err(FormError::Invalid { path: self.path(step), what: "leads back to itself".into() });
            }
            None => {}
        }
        if depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        if self.measured.len() >= MAX_SUBSCHEMAS {
            return Err(FormError::TooLarge { what: format!("it has more than {MAX_SUBSCHEMAS} subschemas") });
        }
        self.measured.insert(schema, Measure::Open);
        let (mut work, mut height) = (1_u64, 0_usize);
        let mut add = |walk: &mut Self, child: &'a Value, step: usize| {
            let (more, below) = walk.measure(child, step, depth + 1)?;
            work = work.saturating_add(more);
            height = height.max(below);
            Ok::<(), FormError>(())
        };
        for (keyword, value) in map {
            match (keyword.as_str(), value) {
                ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                    let step = self.step(step, keyword, None);
                    match self.document.follow(reference) {
                        Target::Here(target) => add(self, target, step)?,
                        Target::Nowhere => {}
                        Target::Outside => {
                            return Err(FormError::RemoteReference {
                                path: self.path(step),
                                target: reference.clone(),
                            });
                        }
                    }
                }
                ("allOf" | "anyOf" | "oneOf", Value::Array(parts)) => {
                    let step = self.step(step, keyword, None);
                    for part in parts {
                        add(self, part, step)?;
                    }
                }
                ("not" | "if" | "then" | "else", part) => {
                    let step = self.step(step, keyword, None);
                    add(self, part, step)?;
                }
                ("dependentSchemas" | "dependencies", Value::Object(parts)) => {
                    for (name, part) in parts {
                        let step = self.step(step, keyword, Some(name));
                        add(self, part, step)?;
                    }
                }
                ("properties" | "patternProperties", Value::Object(parts)) => {
                    for (name, part) in parts {
                        let step = self.step(step, keyword, Some(name));
                        self.open.push((part, step));
                    }
                }
                ("items" | "prefixItems", Value::Array(parts)) => {
                    let step = self.step(step, keyword, None);
                    self.open.extend(parts.iter().map(|part| (part, step)));
                }
                (
                    "items"
                    | "additionalItems"
                    | "unevaluatedItems"
                    | "contains"
                    | "additionalProperties"
                    | "unevaluatedProperties"
                    | "propertyNames",
                    part,
                ) => {
                    let step = self.step(step, keyword, None);
                    self.open.push((part, step));
                }
                _ => {}
            }
        }
        height += 1;
        if height > MAX_DEPTH {
            return Err(self.too_deep());
        }
        if work > MAX_WORK {
            let what = format!("its references ask for more than {MAX_WORK} checks of one value");
            return Err(FormError::TooLarge { what });
        }
        self.measured.insert(schema, Measure::Done { work, height });
        Ok((work, height))
    }

    fn too_deep(&self) -> FormError {
        FormError::TooLarge { what: format!("its references go through more than {MAX_DEPTH} steps") }
    }

    fn step(&mut self, parent: usize, keyword: &'a str, name: Option<&'a str>) -> usize {
        self.steps.push(Step { parent, keyword, name });
        self.steps.len() - 1
    }

    fn path(&self, mut step: usize) -> String {
        let mut parts = Vec::new();
        loop {
            let Step { parent, keyword, name } = &self.steps[step];
            parts.extend(name.map(str::to_owned));
            parts.push((*keyword).to_owned());
            if step == 0 {
                break;
            }
            step = *parent;
        }
        parts.reverse();
        parts.join(".")
    }
}
