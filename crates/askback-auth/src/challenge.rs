//! Reads what a server says with its refusal: the `WWW-Authenticate` headers.
//!
//! Owns the grammar of RFC 9110, section 11.6.1 (several headers, several schemes in one header, quoted strings) and the choice of the
//! challenge that is OAuth's. Must not know what is done about it.
//!
//! Serves "Error Handling" and "Scope Challenge Handling" of the authorization pages.

/// The challenge with the scheme `Bearer`, as far as it matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Challenge {
    /// Where the server's metadata is, as written: absolute, or relative to the server.
    pub(crate) resource_metadata: Option<String>,
    /// The scopes that the refused request needs.
    pub(crate) scopes: Vec<String>,
    /// The code of the error.
    pub(crate) error: Option<String>,
    /// The error in the server's words.
    pub(crate) description: Option<String>,
}

impl Challenge {
    /// The challenge for bearer tokens among `headers`; nothing when there is none. Of several, the one that says where the metadata is.
    pub(crate) fn bearer(headers: &[String]) -> Option<Challenge> {
        let mut found: Vec<Challenge> = headers
            .iter()
            .flat_map(|header| challenges(header))
            .filter(|challenge| challenge.scheme.eq_ignore_ascii_case("bearer"))
            .map(Challenge::from_parsed)
            .collect();
        let best = found.iter().position(|challenge| challenge.resource_metadata.is_some()).unwrap_or(0);
        (!found.is_empty()).then(|| found.swap_remove(best))
    }

    /// Whether the token is good and its scopes are too few.
    pub(crate) fn wants_more_scopes(&self) -> bool {
        self.error.as_deref() == Some("insufficient_scope")
    }

    fn from_parsed(parsed: Parsed) -> Challenge {
        let parameter = |name: &str| {
            let found = parsed.parameters.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.clone()).filter(|value| !value.trim().is_empty())
        };
        Challenge {
            resource_metadata: parameter("resource_metadata"),
            scopes: parameter("scope").iter().flat_map(|scope| scope.split_whitespace()).map(str::to_owned).collect(),
            error: parameter("error"),
            description: parameter("error_description"),
        }
    }
}

struct Parsed {
    scheme: String,
    parameters: Vec<(String, String)>,
}

/// The challenges of one header, in order. What does not fit the grammar is skipped, not guessed at.
fn challenges(header: &str) -> Vec<Parsed> {
    let mut found: Vec<Parsed> = Vec::new();
    let mut reader = Reader { rest: header };
    loop {
        reader.skip(|character| character == ',' || character.is_ascii_whitespace());
        let word = reader.take(is_token);
        if word.is_empty() {
            // Something that begins no challenge and no parameter, such as the padding of a token68.
            if reader.rest.is_empty() {
                return found;
            }
            reader.skip_one();
            continue;
        }
        let after_word = reader.rest;
        reader.skip(|character| character.is_ascii_whitespace());
        match (reader.skip_if('='), found.last_mut()) {
            (true, Some(challenge)) => {
                reader.skip(|character| character.is_ascii_whitespace());
                if let Some(value) = reader.value() {
                    challenge.parameters.push((word.to_owned(), value));
                }
            }
            (true, None) => {}
            (false, _) => {
                reader.rest = after_word;
                found.push(Parsed { scheme: word.to_owned(), parameters: Vec::new() });
            }
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|character| !wanted(character)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn skip(&mut self, unwanted: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(unwanted);
    }

    fn skip_one(&mut self) {
        let mut characters = self.rest.chars();
        characters.next();
        self.rest = characters.as_str();
    }

    fn skip_if(&mut self, wanted: char) -> bool {
        let stripped = self.rest.strip_prefix(wanted);
        self.rest = stripped.unwrap_or(self.rest);
        stripped.is_some()
    }

    /// A token, or a quoted string without its quotes; nothing when a quote is never closed, and then nothing is left to read.
    fn value(&mut self) -> Option<String> {
        if !self.skip_if('"') {
            // Servers write addresses without quotes, which are more than a token.
            return Some(self.take(|character| character != ',' && !character.is_ascii_whitespace()).to_owned());
        }
        let mut value = String::new();
        let mut characters = self.rest.chars();
        while let Some(character) = characters.next() {
            match character {
                '"' => {
                    self.rest = characters.as_str();
                    return Some(value);
                }
                '\\' => value.extend(characters.next()),
                _ => value.push(character),
            }
        }
        self.rest = "";
        None
    }
}

/// RFC 9110, section 5.6.2.
fn is_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The metadata's address, the scopes, the error, its description.
    type Expected<'a> = (Option<&'a str>, &'a [&'a str], Option<&'a str>, Option<&'a str>);

    #[track_caller]
    fn check(headers: &[&str], expected: Option<Expected<'_>>) {
        let headers: Vec<String> = headers.iter().map(|&header| header.to_owned()).collect();
        let expected = expected.map(|(metadata, scopes, error, description)| Challenge {
            resource_metadata: metadata.map(str::to_owned),
            scopes: scopes.iter().map(|&scope| scope.to_owned()).collect(),
            error: error.map(str::to_owned),
            description: description.map(str::to_owned),
        });
        assert_eq!(Challenge::bearer(&headers), expected);
    }

    #[test]
    fn parameters_are_tokens_or_quoted_strings() {
        check(
            &[r#"Bearer resource_metadata="https://a.example/x", scope="read write", error=invalid_token"#],
            Some((Some("https://a.example/x"), &["read", "write"], Some("invalid_token"), None)),
        );
        check(&["Bearer"], Some((None, &[], None, None)));
        check(&["bearer  SCOPE = read"], Some((None, &["read"], None, None)));
        check(
            &["Bearer resource_metadata=https://a.example/x?y=1, scope=read"],
            Some((Some("https://a.example/x?y=1"), &["read"], None, None)),
        );
    }

    #[test]
    fn quoted_strings_may_hold_what_looks_like_more() {
        check(
            &[r#"Bearer error_description="say \"scope=all\", error=none, Basic realm", error="invalid_token""#],
            Some((None, &[], Some("invalid_token"), Some(r#"say "scope=all", error=none, Basic realm"#))),
        );
    }

    #[test]
    fn a_parameter_is_known_by_its_whole_name() {
        check(&[r#"Bearer x_scope="all", error_uri="https://a.example""#], Some((None, &[], None, None)));
    }

    #[test]
    fn other_schemes_are_passed_over() {
        check(&[], None);
        check(&[r#"Basic realm="a, Bearer scope=all""#], None);
        check(
            &[r#"Basic realm="mail", Bearer scope="read", DPoP algs="ES256", scope="write""#],
            Some((None, &["read"], None, None)),
        );
        check(&["Negotiate YWJjZA==, Bearer error=invalid_token"], Some((None, &[], Some("invalid_token"), None)));
    }

    #[test]
    fn of_several_headers_the_one_with_metadata_counts() {
        check(
            &["Bearer realm=old", "Basic realm=x", r#"Bearer resource_metadata="/meta", scope=read"#],
            Some((Some("/meta"), &["read"], None, None)),
        );
        check(&["Basic realm=x", "Bearer scope=read"], Some((None, &["read"], None, None)));
    }

    #[test]
    fn what_is_broken_is_skipped() {
        check(&[r#"Bearer scope=read, error="never closed, scope=write"#], Some((None, &["read"], None, None)));
        check(&["scope=read"], None);
        check(&["Bearer ,;, ;scope=read"], Some((None, &["read"], None, None)));
        check(&["Bearer scope=\"\", error=\" \""], Some((None, &[], None, None)));
        check(&["“Bearer”"], Some((None, &[], None, None)));
    }
}
