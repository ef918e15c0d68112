//! Which models of different vendors are alike.
//!
//! Owns the words in the names of models that tell their class and vendor. Must not know which models the user has.
//!
//! | class | words in names of models |
//! |---|---|
//! | small and quick | `haiku`, `mini`, `nano`, `flash`, `small`, `lite`, `tiny`, `micro`, `instant`, `smollm`, `smollm2`, up to 15 billion parameters (`8b`) |
//! | all-round | `sonnet`, `gpt`, `pro`, `medium`, `plus`, up to 100 billion parameters (`70b`) |
//! | large | `opus`, `large`, `ultra`, `max`, more parameters (`405b`) |
//!
//! A word for a smaller class wins over one for a greater (`gpt-5-mini` is small).

/// A class of models that are alike across vendors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelClass {
    /// Small and quick.
    Small,
    /// All-round.
    Middle,
    /// Large.
    Large,
}

const SMALL: [&str; 11] =
    ["haiku", "mini", "nano", "flash", "small", "lite", "tiny", "micro", "instant", "smollm", "smollm2"];
const MIDDLE: [&str; 5] = ["sonnet", "gpt", "pro", "medium", "plus"];
const LARGE: [&str; 4] = ["opus", "large", "ultra", "max"];

/// The vendors as users write them, and the families by which servers mean them.
const VENDORS: [(&str, &[&str]); 8] = [
    ("anthropic", &["claude", "haiku", "sonnet", "opus"]),
    ("openai", &["gpt", "chatgpt", "o1", "o3", "o4"]),
    ("google", &["gemini", "gemma"]),
    ("meta", &["llama"]),
    ("mistral", &["mistral", "mixtral", "codestral", "ministral"]),
    ("alibaba", &["qwen"]),
    ("deepseek", &["deepseek"]),
    ("xai", &["grok"]),
];

impl ModelClass {
    /// The class that a name or a hint tells, if it tells one.
    pub fn of(name: &str) -> Option<ModelClass> {
        let words = words(name);
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        if has(&SMALL) {
            return Some(ModelClass::Small);
        }
        if let Some(billions) = words.iter().find_map(|word| word.strip_suffix('b')?.parse::<u32>().ok()) {
            return Some(match billions {
                ..=15 => ModelClass::Small,
                16..=100 => ModelClass::Middle,
                _ => ModelClass::Large,
            });
        }
        // "Pro" is the all-round model of a family, unless a greater word stands beside it.
        if has(&LARGE) {
            return Some(ModelClass::Large);
        }
        has(&MIDDLE).then_some(ModelClass::Middle)
    }
}

/// The vendor that a hint means, when it names one or a family of its models.
pub fn vendor_of(hint: &str) -> Option<&'static str> {
    let words = words(hint);
    VENDORS.iter().find_map(|(vendor, families)| {
        let named = |word: &String| word == vendor || families.iter().any(|family| is_family(word, family));
        words.iter().any(named).then_some(*vendor)
    })
}

/// `llama3` and `qwen2` carry their version in the same word.
fn is_family(word: &str, family: &str) -> bool {
    word.strip_prefix(family).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

fn words(name: &str) -> Vec<String> {
    let words = name.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_told_by_whole_words() {
        let check = |name: &str, class: Option<ModelClass>| assert_eq!(ModelClass::of(name), class, "{name}");
        check("claude-3-5-haiku-latest", Some(ModelClass::Small));
        check("GPT-5-mini", Some(ModelClass::Small));
        check("gemini-2.5-flash", Some(ModelClass::Small));
        check("llama-3.1-8b-instruct", Some(ModelClass::Small));
        check("llama-3.1-70b", Some(ModelClass::Middle));
        check("llama-3.1-405b", Some(ModelClass::Large));
        check("claude-3-sonnet", Some(ModelClass::Middle));
        check("gemini-1.5-pro", Some(ModelClass::Middle));
        check("gpt-4o", Some(ModelClass::Middle));
        check("mistral-large-latest", Some(ModelClass::Large));
        check("claude-opus-4", Some(ModelClass::Large));
        check("gemini", None);
        check("claude", None);
        check("", None);
        check("b", None);
        check("99999999999b", None);
    }

    #[test]
    fn families_have_vendors() {
        for (hint, vendor) in [
            ("claude", Some("anthropic")),
            ("Claude-3-Sonnet", Some("anthropic")),
            ("gpt", Some("openai")),
            ("llama3", Some("meta")),
            ("OpenAI", Some("openai")),
            ("nope", None),
            ("minimax", None),
        ] {
            assert_eq!(vendor_of(hint), vendor, "{hint}");
        }
    }
}
