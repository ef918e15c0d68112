//! Addresses, and what is seen in them.

use proptest::prelude::*;

use super::{Address, AddressWarning, NotOpenable, Openable, inspect};

/// One line on an address: the text with its host in brackets and the registrable part in doubled ones, other forms, warnings.
fn told(raw: &str) -> String {
    let Address { text, openable, warnings } = inspect(raw);
    assert_eq!(text, raw, "the text is kept as it was sent");
    let warnings: Vec<String> = warnings.iter().map(|warning| format!("{warning:?}")).collect();
    let mut told = match openable {
        Openable::No(why) => format!("never: {why:?}"),
        Openable::Yes(destination) => {
            let mut told = match &destination.parts {
                None => "cannot be told apart".to_owned(),
                Some(parts) => {
                    assert_eq!(parts.before_host.start, 0);
                    assert_eq!(parts.rest.end, raw.len());
                    let [before, subdomain, registrable, rest] =
                        [&parts.before_host, &parts.subdomain, &parts.registrable, &parts.rest]
                            .map(|range| &raw[range.clone()]);
                    format!("{before}[{subdomain}[{registrable}]]{rest}")
                }
            };
            told.push_str(&format!(" → {}", destination.host));
            if let Some(unicode) = &destination.unicode_host {
                told.push_str(&format!(" = {}[{}]", unicode.before, unicode.registrable));
            }
            told
        }
    };
    if !warnings.is_empty() {
        told.push_str(&format!("; {}", warnings.join(", ")));
    }
    told
}

#[track_caller]
fn check(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .map(|(raw, expected)| (raw, expected, told(raw)))
        .filter(|(_, expected, told)| told != *expected)
        .map(|(raw, expected, told)| format!("{raw:?}\n  expected {expected}\n  told     {told}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn honest_addresses_are_quiet() {
    check(&[
        (
            "https://pay.example.com/checkout?id=7#top",
            "https://[pay.[example.com]]/checkout?id=7#top → pay.example.com",
        ),
        ("https://example.com", "https://[[example.com]] → example.com"),
        ("HTTPS://Pay.Example.COM:443/", "HTTPS://[Pay.[Example.COM]]:443/ → pay.example.com"),
        ("https://shop.example.co.uk./", "https://[shop.[example.co.uk.]]/ → shop.example.co.uk."),
        ("https://anna.github.io/x", "https://[[anna.github.io]]/x → anna.github.io"),
        ("https://github.io/", "https://[[github.io]]/ → github.io"),
        ("https://api.eu.dev.example.com/", "https://[api.eu.dev.[example.com]]/ → api.eu.dev.example.com"),
        (
            "https://id.example/login?return=https%3A%2F%2Fapp.example%2Fdone&to=https://app.example/",
            "https://[[id.example]]/login?return=https%3A%2F%2Fapp.example%2Fdone&to=https://app.example/ → id.example",
        ),
        ("http://localhost:8080/", "http://[[localhost]]:8080/ → localhost"),
        ("http://127.0.0.1:8080/", "http://[[127.0.0.1]]:8080/ → 127.0.0.1"),
        ("http://[::1]:8080/", "http://[[[::1]]]:8080/ → [::1]"),
    ]);
}

#[test]
fn e35_only_web_addresses_in_full_are_ever_opened() {
    check(&[
        ("javascript:alert(1)", "never: OtherScheme { scheme: \"javascript\" }"),
        (" JavaScript:alert(1)", "never: OtherScheme { scheme: \"javascript\" }"),
        ("java\tscript:alert(1)", "never: ControlCharacters"),
        ("data:text/html,x", "never: OtherScheme { scheme: \"data\" }"),
        ("file:///etc/passwd", "never: OtherScheme { scheme: \"file\" }"),
        ("vscode://x", "never: OtherScheme { scheme: \"vscode\" }"),
        ("view-source:https://x.example/", "never: OtherScheme { scheme: \"view-source\" }"),
        ("\\\\host\\share", "never: NotAbsolute"),
        ("//host/share", "never: NotAbsolute"),
        ("-h", "never: NotAbsolute"),
        ("--config=https://x.example/", "never: NotAbsolute"),
        ("not a url", "never: NotAbsolute"),
        ("", "never: NotAbsolute"),
        ("x.example", "never: NotAbsolute"),
        ("https://x.example/\nSet:1", "never: ControlCharacters"),
        ("https://x.example/\r\nSet:1", "never: ControlCharacters"),
        ("https://x.example/\u{1b}]52;c;x\u{7}", "never: ControlCharacters"),
        ("https://x.example/ --new-window", "never: Blanks"),
        (" https://x.example/", "never: Blanks"),
        ("https://x.example/\u{3000}", "never: Blanks"),
        ("https://", "never: BadHost"),
        ("https:x.example", "never: Malformed"),
        ("https:/x.example", "never: Malformed"),
        ("https:///x.example", "never: Malformed"),
        ("https://x.example:99999/", "never: Malformed"),
        ("https://x$(id).example/", "never: BadHost"),
        ("https://x y.example/", "never: Blanks"),
        ("https://x<y.example/", "never: BadHost"),
        ("https://1.2.3.400/", "never: BadHost"),
        ("https://[::g]/", "never: BadHost"),
        ("https://x..example/", "never: BadHost"),
    ]);
}

#[test]
fn e35_too_long_is_never_opened_and_long_is_remarked_upon() {
    let path = |bytes: usize| format!("https://x.example/{}", "a".repeat(bytes - "https://x.example/".len()));
    assert_eq!(told(&path(100_000)), "never: TooLong { bytes: 100000 }");
    assert_eq!(told(&path(8193)), "never: TooLong { bytes: 8193 }");
    assert!(told(&path(8192)).ends_with("→ x.example; Long { bytes: 8192 }"));
    assert!(told(&path(2048)).ends_with("→ x.example"));
}

#[test]
fn e35_what_may_be_opened_is_opened_with_warnings() {
    check(&[
        (
            "http://169.254.169.254/",
            "http://[[169.254.169.254]]/ → 169.254.169.254; IpAddress, Inside(CloudMetadata), PlainHttp",
        ),
        (
            "https://user:pw@bank.example@evil.example/",
            "https://user:pw@bank.example@[[evil.example]]/ → evil.example; UserInfo",
        ),
        ("https://@evil.example/", "https://@[[evil.example]]/ → evil.example; UserInfo"),
        ("https://x.example/\\nSet:1", "https://[[x.example]]/\\nSet:1 → x.example; Backslashes"),
        (
            "https://good.example\\@evil.example/",
            "https://[[good.example]]\\@evil.example/ → good.example; Backslashes",
        ),
        ("https:\\\\x.example\\", "https:\\\\[[x.example]]\\ → x.example; Backslashes"),
        ("http://x.example:8080/", "http://[[x.example]]:8080/ → x.example; PlainHttp, Port(8080)"),
        ("https://x.example/a`id`$(id);id|id&id", "https://[[x.example]]/a`id`$(id);id|id&id → x.example"),
    ]);
}

#[test]
fn e35_numbers_and_inner_networks_are_seen_through() {
    check(&[
        ("https://8.8.8.8/", "https://[[8.8.8.8]]/ → 8.8.8.8; IpAddress"),
        (
            "http://2852039166/",
            "http://[[2852039166]]/ → 169.254.169.254; DisguisedHost { host: \"169.254.169.254\" }, IpAddress, Inside(CloudMetadata), PlainHttp",
        ),
        ("https://0x7f.1/", "https://[[0x7f.1]]/ → 127.0.0.1; DisguisedHost { host: \"127.0.0.1\" }"),
        (
            "https://0300.0250.1/",
            "https://[[0300.0250.1]]/ → 192.168.0.1; DisguisedHost { host: \"192.168.0.1\" }, IpAddress, Inside(Private)",
        ),
        ("https://0.0.0.0/", "https://[[0.0.0.0]]/ → 0.0.0.0; IpAddress, Inside(ThisComputer)"),
        ("https://10.1.2.3/", "https://[[10.1.2.3]]/ → 10.1.2.3; IpAddress, Inside(Private)"),
        ("https://100.64.0.1/", "https://[[100.64.0.1]]/ → 100.64.0.1; IpAddress, Inside(Private)"),
        ("https://169.254.1.1/", "https://[[169.254.1.1]]/ → 169.254.1.1; IpAddress, Inside(LinkLocal)"),
        (
            "https://[::ffff:169.254.169.254]/",
            "https://[[[::ffff:169.254.169.254]]]/ → [::ffff:a9fe:a9fe]; IpAddress, Inside(CloudMetadata)",
        ),
        (
            "https://[fd00:ec2::254]/",
            "https://[[[fd00:ec2::254]]]/ → [fd00:ec2::254]; IpAddress, Inside(CloudMetadata)",
        ),
        ("https://[fd12::1]:444/", "https://[[[fd12::1]]]:444/ → [fd12::1]; IpAddress, Inside(Private), Port(444)"),
        ("https://[fe80::1]/", "https://[[[fe80::1]]]/ → [fe80::1]; IpAddress, Inside(LinkLocal)"),
        ("https://[2001:db8::1]/", "https://[[[2001:db8::1]]]/ → [2001:db8::1]; IpAddress"),
        ("https://router/", "https://[[router]]/ → router; Inside(Private)"),
        ("https://nas.local/", "https://[[nas.local]]/ → nas.local; Inside(Private)"),
        (
            "http://metadata.google.internal/",
            "http://[metadata.[google.internal]]/ → metadata.google.internal; Inside(CloudMetadata), PlainHttp",
        ),
    ]);
}

#[test]
fn e36_look_alike_hosts_are_unmasked() {
    check(&[
        (
            "https://xn--pple-43d.example/",
            "https://[[xn--pple-43d.example]]/ → xn--pple-43d.example = [аpple.example]; MixedScripts, LooksLike { plain: \"apple.example\" }, Punycode { ascii: \"xn--pple-43d.example\" }",
        ),
        (
            "https://аpple.example/",
            "https://[[аpple.example]]/ → xn--pple-43d.example = [аpple.example]; MixedScripts, LooksLike { plain: \"apple.example\" }, Punycode { ascii: \"xn--pple-43d.example\" }",
        ),
        (
            "https://github.com.login.evil.example/",
            "https://[github.com.login.[evil.example]]/ → github.com.login.evil.example; DomainInSubdomain { domain: \"github.com\" }",
        ),
        (
            "https://evil.example/https://github.com",
            "https://[[evil.example]]/https://github.com → evil.example; AddressInPath",
        ),
        (
            "https://github.com%2eevil.example/",
            "https://[github.com%2e[evil.example]]/ → github.com.evil.example; DomainInSubdomain { domain: \"github.com\" }, DisguisedHost { host: \"github.com.evil.example\" }",
        ),
        ("https://evil\u{202e}moc.example/", "never: BadHost; HiddenCharacters"),
    ]);
}

#[test]
fn e36_more_disguises_are_unmasked() {
    check(&[
        (
            "https://сор.example/",
            "https://[[сор.example]]/ → xn--n1aeb.example = [сор.example]; LooksLike { plain: \"cop.example\" }, Punycode { ascii: \"xn--n1aeb.example\" }",
        ),
        (
            "https://www.exämple.com/",
            "https://[www.[exämple.com]]/ → www.xn--exmple-cua.com = www.[exämple.com]; Punycode { ascii: \"www.xn--exmple-cua.com\" }",
        ),
        (
            "https://订票.公司.cn/",
            "https://[[订票.公司.cn]]/ → xn--mjz568a.xn--55qx5d.cn = [订票.公司.cn]; Punycode { ascii: \"xn--mjz568a.xn--55qx5d.cn\" }",
        ),
        (
            "https://店。example.com/",
            "https://[店。[example.com]]/ → xn--hxt.example.com = 店.[example.com]; Punycode { ascii: \"xn--hxt.example.com\" }",
        ),
        ("https://ｇithub.com/", "https://[[ｇithub.com]]/ → github.com; DisguisedHost { host: \"github.com\" }"),
        (
            "https://git\u{ad}hub.com/",
            "https://[[git\u{ad}hub.com]]/ → github.com; DisguisedHost { host: \"github.com\" }, HiddenCharacters",
        ),
        (
            "https://github.com-login.evil.example/",
            "https://[github.com-login.[evil.example]]/ → github.com-login.evil.example; DomainInSubdomain { domain: \"github.com\" }",
        ),
        (
            "https://www.bank.co.uk.evil.example/",
            "https://[www.bank.co.uk.[evil.example]]/ → www.bank.co.uk.evil.example; DomainInSubdomain { domain: \"bank.co.uk\" }",
        ),
        (
            "https://evil.example/https:%2f%2Fgithub.com",
            "https://[[evil.example]]/https:%2f%2Fgithub.com → evil.example; AddressInPath",
        ),
        (
            "https://evil.example/\u{202e}moc.elpmaxe",
            "https://[[evil.example]]/\u{202e}moc.elpmaxe → evil.example; HiddenCharacters",
        ),
        ("https://github.com%40evil.example/", "never: BadHost"),
        ("https://github.com%2fevil.example/", "never: BadHost"),
    ]);
}

#[test]
fn e35_what_is_opened_reads_the_same_everywhere() {
    for (raw, opened) in [
        ("https:\\\\good.example\\@evil.example/", "https://good.example/@evil.example/"),
        ("HTTPS://аpple.example", "https://xn--pple-43d.example/"),
        ("https://x.example/\u{202e}\"'", "https://x.example/%E2%80%AE%22'"),
    ] {
        assert_eq!(inspect(raw).destination().map(|destination| destination.url.as_str()), Some(opened));
    }
    assert!(inspect("-h").destination().is_none());
}

proptest! {
    #[test]
    fn e35_no_text_gets_past(raw in "(https?:(//|\\\\\\\\)?)?([a-zA-Zа0-9.%:@/\\\\?#\\[\\]。\u{202e}\u{ad} \n-]|%2[eE]|xn--|com\\.){0,40}") {
        let address = inspect(&raw);
        prop_assert_eq!(&address.text, &raw);
        match &address.openable {
            Openable::Yes(destination) => {
                let again = inspect(&destination.url);
                prop_assert_eq!(again.destination().map(|again| &again.url), Some(&destination.url));
                prop_assert_eq!(again.destination().map(|again| &again.host), Some(&destination.host));
                prop_assert!(destination.url.starts_with("http") && destination.url.is_ascii());
                prop_assert!(!destination.url.contains(|char: char| char.is_control() || char == ' '));
                if let Some(parts) = &destination.parts {
                    let joined: String = [&parts.before_host, &parts.subdomain, &parts.registrable, &parts.rest]
                        .map(|range| &raw[range.clone()]).concat();
                    prop_assert_eq!(joined, raw);
                }
            }
            Openable::No(NotOpenable::OtherScheme { scheme }) => prop_assert!(!scheme.starts_with("http")),
            Openable::No(_) => prop_assert!(!address.warnings.contains(&AddressWarning::PlainHttp)),
        }
    }
}
