//! The words that people see.
//!
//! Owns the choice of language and the lookup of messages. Each crate brings its own Fluent resource; all ids share one name space, and a
//! test here checks that every language has every message with the same variables.

use std::borrow::Cow;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

/// A language that the product speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    ZhCn,
}

impl Lang {
    /// All languages.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::ZhCn];

    /// The language for a tag or a locale name such as `zh-CN` or `zh_CN.UTF-8`; `None` for a language that is not spoken here.
    pub fn from_tag(tag: &str) -> Option<Lang> {
        let language = tag.split(['-', '_', '.', '@']).next().unwrap_or_default();
        match language.to_ascii_lowercase().as_str() {
            "en" | "c" | "posix" => Some(Lang::En),
            "zh" => Some(Lang::ZhCn),
            _ => None,
        }
    }

    /// The tag, as `--lang` takes it.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::ZhCn => "zh-CN",
        }
    }
}

/// A Fluent resource in every language.
#[derive(Clone, Copy, Debug)]
pub struct Resource {
    /// The English messages.
    pub en: &'static str,
    /// The Simplified Chinese messages.
    pub zh_cn: &'static str,
}

impl Resource {
    fn source(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.en,
            Lang::ZhCn => self.zh_cn,
        }
    }
}

/// The messages about asks, forms and their errors, which all faces share.
pub const DESK: Resource =
    Resource { en: include_str!("../locales/en/desk.ftl"), zh_cn: include_str!("../locales/zh-CN/desk.ftl") };

/// Messages in one language.
pub struct Texts {
    lang: Lang,
    bundle: FluentBundle<FluentResource>,
}

impl Texts {
    /// The messages of `resources` and of [`DESK`] in `lang`.
    ///
    /// # Panics
    /// When a resource is not Fluent, or an id is there twice; the tests of each crate look for that.
    pub fn new(lang: Lang, resources: &[Resource]) -> Texts {
        let identifier: LanguageIdentifier = lang.tag().parse().expect("the tags of our languages are well-formed");
        let mut bundle = FluentBundle::new_concurrent(vec![identifier]);
        bundle.set_use_isolating(false);
        for resource in std::iter::once(&DESK).chain(resources) {
            let parsed = FluentResource::try_new(resource.source(lang).to_owned())
                .unwrap_or_else(|(_, errors)| panic!("a resource in {} is not Fluent: {errors:?}", lang.tag()));
            if let Err(errors) = bundle.add_resource(parsed) {
                panic!("a resource in {} repeats an id: {errors:?}", lang.tag());
            }
        }
        Texts { lang, bundle }
    }

    /// The language.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// The message `id` without variables.
    pub fn get(&self, id: &str) -> String {
        self.format(id, &[])
    }

    /// The message `id` with its variables. An unknown id is shown as itself: visible, and never a crash.
    pub fn format(&self, id: &str, variables: &[(&str, Variable<'_>)]) -> String {
        let Some(pattern) = self.bundle.get_message(id).and_then(|message| message.value()) else {
            return id.to_owned();
        };
        let mut args = FluentArgs::new();
        for (name, value) in variables {
            args.set(*name, value.to_fluent());
        }
        let mut errors = Vec::new();
        self.bundle.format_pattern(pattern, Some(&args), &mut errors).into_owned()
    }
}

/// A variable of a message.
#[derive(Clone, Debug)]
pub enum Variable<'a> {
    /// Text, put in as it is: neutralise what comes from a server first.
    Text(Cow<'a, str>),
    /// A count, which chooses the plural form.
    Count(u64),
}

impl Variable<'_> {
    fn to_fluent(&self) -> FluentValue<'_> {
        match self {
            Variable::Text(text) => FluentValue::from(text.as_ref()),
            Variable::Count(count) => FluentValue::from(*count),
        }
    }
}

impl<'a> From<&'a str> for Variable<'a> {
    fn from(text: &'a str) -> Self {
        Variable::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Variable<'a> {
    fn from(text: &'a String) -> Self {
        Variable::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Variable<'_> {
    fn from(text: String) -> Self {
        Variable::Text(Cow::Owned(text))
    }
}

impl From<u64> for Variable<'_> {
    fn from(count: u64) -> Self {
        Variable::Count(count)
    }
}

/// Every message that a language lacks or whose variables differ; empty when all is well. For tests of crates that bring a resource.
pub fn differences(resource: &Resource) -> Vec<String> {
    let outline = |lang: Lang| outline(resource.source(lang));
    let (english, chinese) = (outline(Lang::En), outline(Lang::ZhCn));
    let mut found = Vec::new();
    for (id, variables) in &english {
        match chinese.get(id) {
            None => found.push(format!("{id} is missing in zh-CN")),
            Some(others) if others != variables => {
                found.push(format!("{id} has {variables:?} in en and {others:?} in zh-CN"));
            }
            Some(_) => {}
        }
    }
    found.extend(chinese.keys().filter(|id| !english.contains_key(*id)).map(|id| format!("{id} is missing in en")));
    found
}

/// The ids of a resource with the names of their variables.
fn outline(source: &str) -> std::collections::BTreeMap<String, std::collections::BTreeSet<String>> {
    let mut messages = std::collections::BTreeMap::new();
    let mut current: Option<String> = None;
    for line in source.lines() {
        if !line.starts_with([' ', '#', '}', '-'])
            && let Some((id, _)) = line.split_once(" =")
        {
            current = Some(id.to_owned());
            messages.entry(id.to_owned()).or_insert_with(std::collections::BTreeSet::new);
        }
        let Some(id) = &current else { continue };
        for piece in line.split('$').skip(1) {
            let name: String =
                piece.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-' || *c == '_').collect();
            if let Some(variables) = messages.get_mut(id) {
                variables.insert(name);
            }
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_message() {
        assert_eq!(differences(&DESK), Vec::<String>::new());
        for lang in Lang::ALL {
            Texts::new(lang, &[]);
        }
    }

    #[test]
    fn locale_names_become_languages() {
        assert_eq!(Lang::from_tag("zh_CN.UTF-8"), Some(Lang::ZhCn));
        assert_eq!(Lang::from_tag("C"), Some(Lang::En));
        assert_eq!(Lang::from_tag("de_DE"), None);
    }
}
