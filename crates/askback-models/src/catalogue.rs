//! What is known of well-known models, by their names.
//!
//! Owns a table of model families with rough scores and prices. All of it is an estimate, as of [`AS_OF`]: scores place a model among the
//! others, prices are list prices of the provider's own endpoint without discounts. The user's configuration overrides all of it. A model that
//! is not in the table gets neutral scores and no price.

use crate::settings::Takes;

/// When the table was last looked over.
pub const AS_OF: &str = "2026-11";

/// What is known of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The beginning of the names of its family; empty when the model is not known.
    pub family: &'static str,
    /// How dear it is, from 0 (free) to 1.
    pub cost: f64,
    /// How quick it is, from 0 to 1.
    pub speed: f64,
    /// How capable it is, from 0 to 1.
    pub intelligence: f64,
    /// What it takes besides text.
    pub takes: Takes,
    /// The most tokens that it takes and gives in one request, if known.
    pub context: Option<u64>,
    /// What it costs, if known with reasonable certainty.
    pub price: Option<EstimatedPrice>,
}

/// A list price in US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EstimatedPrice {
    /// Of tokens read.
    pub input: f64,
    /// Of tokens written.
    pub output: f64,
}

/// What is known of the model of this name, in the provider's words.
///
/// The name may be preceded by a path (`google/gemini-2.5-pro`, `models/…`) and followed by a date or a tag (`-2024-07-18`, `:8b`). The longest
/// family that it begins with counts.
pub fn known(model: &str) -> Known {
    let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
    let families = FAMILIES.iter().filter(|known| begins(&name, known.family));
    families.max_by_key(|known| known.family.len()).copied().unwrap_or(UNKNOWN)
}

/// Whether a name is of a family: what follows must not continue a word or a number.
fn begins(name: &str, family: &str) -> bool {
    let Some(rest) = name.strip_prefix(family) else { return false };
    let continues_number =
        family.ends_with(|last: char| last.is_ascii_digit()) && rest.starts_with(|next: char| next.is_ascii_digit());
    !continues_number && !rest.starts_with(|next: char| next.is_ascii_alphabetic() && next != 'v')
}

const UNKNOWN: Known = Known {
    family: "",
    cost: 0.5,
    speed: 0.5,
    intelligence: 0.5,
    takes: Takes { images: false, audio: false, tools: true },
    context: None,
    price: None,
};

const TEXT: Takes = Takes { images: false, audio: false, tools: true };
const SEES: Takes = Takes { images: true, audio: false, tools: true };
const HEARS: Takes = Takes { images: true, audio: true, tools: true };
const NO_TOOLS: Takes = Takes { images: false, audio: false, tools: false };

/// A model that is paid for.
const fn paid(family: &'static str, scores: [f64; 3], takes: Takes, context: u64, input: f64, output: f64) -> Known {
    let [cost, speed, intelligence] = scores;
    let price = Some(EstimatedPrice { input, output });
    Known { family, cost, speed, intelligence, takes, context: Some(context), price }
}

/// A model without a price that is certain, or with open weights: then it depends on where it runs.
const fn unpriced(family: &'static str, scores: [f64; 3], takes: Takes, context: u64) -> Known {
    let [cost, speed, intelligence] = scores;
    Known { family, cost, speed, intelligence, takes, context: Some(context), price: None }
}

#[rustfmt::skip]
const FAMILIES: &[Known] = &[
    //    family               cost  speed intelligence     takes  context    input  output
    paid("gpt-4o",            [0.55, 0.60, 0.60],           SEES,    128_000,  2.50, 10.00),
    paid("gpt-4o-mini",       [0.15, 0.80, 0.45],           SEES,    128_000,  0.15,  0.60),
    paid("gpt-4.1",           [0.50, 0.60, 0.65],           SEES,  1_047_576,  2.00,  8.00),
    paid("gpt-4.1-mini",      [0.25, 0.75, 0.55],           SEES,  1_047_576,  0.40,  1.60),
    paid("gpt-4.1-nano",      [0.10, 0.90, 0.35],           SEES,  1_047_576,  0.10,  0.40),
    paid("gpt-5",             [0.55, 0.40, 0.85],           SEES,    400_000,  1.25, 10.00),
    paid("gpt-5-mini",        [0.25, 0.60, 0.70],           SEES,    400_000,  0.25,  2.00),
    paid("gpt-5-nano",        [0.10, 0.75, 0.50],           SEES,    400_000,  0.05,  0.40),
    paid("o3",                [0.50, 0.25, 0.80],           SEES,    200_000,  2.00,  8.00),
    paid("o4-mini",           [0.40, 0.45, 0.70],           SEES,    200_000,  1.10,  4.40),
    paid("claude-3-haiku",    [0.15, 0.85, 0.35],           SEES,    200_000,  0.25,  1.25),
    paid("claude-3-5-haiku",  [0.30, 0.75, 0.50],           SEES,    200_000,  0.80,  4.00),
    paid("claude-haiku-4-5",  [0.35, 0.75, 0.65],           SEES,    200_000,  1.00,  5.00),
    paid("claude-3-5-sonnet", [0.60, 0.55, 0.65],           SEES,    200_000,  3.00, 15.00),
    paid("claude-3-7-sonnet", [0.60, 0.50, 0.70],           SEES,    200_000,  3.00, 15.00),
    paid("claude-sonnet-4",   [0.60, 0.50, 0.80],           SEES,    200_000,  3.00, 15.00),
    paid("claude-opus-4",     [0.95, 0.30, 0.85],           SEES,    200_000, 15.00, 75.00),
    paid("claude-opus-4-5",   [0.75, 0.40, 0.90],           SEES,    200_000,  5.00, 25.00),
    paid("gemini-2.0-flash",  [0.10, 0.90, 0.50],           HEARS, 1_048_576,  0.10,  0.40),
    paid("gemini-2.5-flash",  [0.25, 0.80, 0.65],           HEARS, 1_048_576,  0.30,  2.50),
    paid("gemini-2.5-flash-lite", [0.10, 0.90, 0.50],       HEARS, 1_048_576,  0.10,  0.40),
    paid("gemini-2.5-pro",    [0.55, 0.45, 0.80],           HEARS, 1_048_576,  1.25, 10.00),
    // Known by name, but not with a price that is certain.
    unpriced("claude-haiku",      [0.35, 0.75, 0.65],           SEES,    200_000),
    unpriced("claude-sonnet",     [0.60, 0.50, 0.85],           SEES,    200_000),
    unpriced("claude-opus",       [0.80, 0.35, 0.90],           SEES,    200_000),
    unpriced("gemini-3",          [0.55, 0.50, 0.90],           HEARS, 1_048_576),
    unpriced("mistral-large",     [0.50, 0.50, 0.65],           TEXT,    128_000),
    unpriced("mistral-small",     [0.20, 0.75, 0.50],           SEES,    128_000),
    unpriced("deepseek-chat",     [0.20, 0.50, 0.70],           TEXT,    128_000),
    unpriced("deepseek-reasoner", [0.20, 0.30, 0.75],           TEXT,    128_000),
    // With open weights, mostly run on machines of one's own.
    unpriced("gpt-oss",           [0.10, 0.50, 0.60],           TEXT,    131_072),
    unpriced("llama3.1",          [0.10, 0.60, 0.40],           TEXT,    131_072),
    unpriced("llama3.2",          [0.05, 0.80, 0.30],           TEXT,    131_072),
    unpriced("llama3.3",          [0.20, 0.40, 0.55],           TEXT,    131_072),
    unpriced("qwen2.5",           [0.10, 0.60, 0.45],           TEXT,     32_768),
    unpriced("qwen3",             [0.10, 0.60, 0.55],           TEXT,     40_960),
    unpriced("gemma3",            [0.10, 0.60, 0.40], Takes { images: true, audio: false, tools: false }, 131_072),
    unpriced("phi4",              [0.10, 0.60, 0.45],           NO_TOOLS, 16_384),
    unpriced("smollm2",           [0.00, 0.95, 0.10],           TEXT,      8_192),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(model: &str, family: &str) {
        assert_eq!(known(model).family, family, "{model}");
    }

    #[test]
    fn the_longest_family_that_a_name_begins_with_counts() {
        check("gpt-4o-mini-2024-07-18", "gpt-4o-mini");
        check("gpt-4o-2024-08-06", "gpt-4o");
        check("openai/GPT-4.1-nano", "gpt-4.1-nano");
        check("claude-opus-4-5-20251101", "claude-opus-4-5");
        check("claude-opus-4-1", "claude-opus-4");
        check("claude-opus-9", "claude-opus");
        check("models/gemini-2.5-flash-lite", "gemini-2.5-flash-lite");
        check("llama3.2:1b", "llama3.2");
        check("smollm2-135m-instruct", "smollm2");
        check("SmolLM2:360m", "smollm2");
    }

    #[test]
    fn what_only_looks_alike_is_not_known() {
        for model in ["", "o30", "gpt-50", "gpt-4omega", "my-gpt-4o", "qwen", "qwen25"] {
            let unknown = known(model);
            check(model, "");
            assert_eq!((unknown.cost, unknown.speed, unknown.intelligence, unknown.price), (0.5, 0.5, 0.5, None));
        }
    }

    #[test]
    fn every_entry_is_in_bounds_and_found_by_its_own_name() {
        for entry in FAMILIES {
            assert_eq!(known(entry.family), *entry);
            for score in [entry.cost, entry.speed, entry.intelligence] {
                assert!((0.0..=1.0).contains(&score), "{}", entry.family);
            }
            assert!(
                entry.price.is_none_or(|price| 0.0 < price.input && price.input <= price.output),
                "{}",
                entry.family
            );
        }
    }
}
