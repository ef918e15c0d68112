//! Signs that a field asks for a secret.
//!
//! Owns the words that give it away, in English and Chinese, and the words that take the suspicion back. Must not know what is done
//! about it.

use super::{Field, FieldKind, SecretSign};

/// Words that name a secret wherever they stand.
const STRONG: [&str; 18] = [
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "apikey",
    "credential",
    "credentials",
    "cvv",
    "cvv2",
    "cvc",
    "cvc2",
    "otp",
    "totp",
    "mnemonic",
    "ssn",
    "privatekey",
];
/// Words that name a secret as the name or title of a field, but occur in prose with other meanings.
const WEAK: [&str; 5] = ["secret", "secrets", "token", "pin", "pass"];
/// Pairs and triples of words that name a secret wherever they stand.
const PHRASES: [&[&str]; 44] = [
    &["api", "key"],
    &["api", "keys"],
    &["api", "token"],
    &["api", "secret"],
    &["access", "key"],
    &["access", "token"],
    &["auth", "token"],
    &["auth", "key"],
    &["authentication", "token"],
    &["authorization", "token"],
    &["authorization", "code"],
    &["bearer", "token"],
    &["refresh", "token"],
    &["session", "token"],
    &["session", "cookie"],
    &["personal", "token"],
    &["bot", "token"],
    &["client", "secret"],
    &["secret", "key"],
    &["secret", "token"],
    &["secret", "access"],
    &["private", "key"],
    &["ssh", "key"],
    &["signing", "key"],
    &["encryption", "key"],
    &["license", "key"],
    &["pin", "code"],
    &["pin", "number"],
    &["your", "pin"],
    &["your", "token"],
    &["your", "secret"],
    &["pass", "phrase"],
    &["pass", "word"],
    &["pass", "code"],
    &["security", "code"],
    &["verification", "code"],
    &["one", "time", "code"],
    &["one", "time", "password"],
    &["2fa", "code"],
    &["mfa", "code"],
    &["seed", "phrase"],
    &["recovery", "phrase"],
    &["recovery", "code"],
    &["social", "security", "number"],
];
/// What makes a number of these a payment credential.
const CARDS: [&str; 6] = ["credit", "debit", "bank", "payment", "visa", "mastercard"];
/// After a word these show that it is about the secret, or about something else altogether.
const ABOUT: [&str; 42] = [
    "count",
    "counts",
    "limit",
    "limits",
    "budget",
    "usage",
    "length",
    "size",
    "type",
    "types",
    "name",
    "names",
    "policy",
    "strength",
    "expiry",
    "expiration",
    "rotation",
    "hint",
    "manager",
    "format",
    "age",
    "id",
    "ids",
    "label",
    "window",
    "price",
    "cost",
    "rate",
    "symbol",
    "balance",
    "amount",
    "holders",
    "standard",
    "scope",
    "scopes",
    "ttl",
    "provider",
    "per",
    "santa",
    "used",
    "bucket",
    "url",
];
/// Before "token" these show that it is a unit of text or money.
const UNITS: [&str; 20] = [
    "max",
    "min",
    "maximum",
    "minimum",
    "num",
    "number",
    "total",
    "count",
    "input",
    "output",
    "prompt",
    "completion",
    "context",
    "nft",
    "governance",
    "stop",
    "special",
    "eos",
    "pad",
    "per",
];
/// After "pin" these show that it is a verb or an ornament.
const PINNED: [&str; 13] =
    ["to", "top", "it", "this", "the", "message", "post", "color", "colour", "map", "board", "item", "note"];
/// Before "pin" these show that it is a piece of metal.
const HARDWARE: [&str; 9] = ["gpio", "led", "input", "output", "data", "analog", "digital", "map", "board"];
/// Shortly before a word these show that it is not wanted.
const NEGATIONS: [&str; 10] = ["no", "not", "never", "without", "don", "dont", "cannot", "avoid", "isn", "nor"];

const CHINESE: [&str; 34] = [
    "密码",
    "口令",
    "密钥",
    "私钥",
    "令牌",
    "验证码",
    "校验码",
    "动态码",
    "银行卡号",
    "信用卡号",
    "储蓄卡号",
    "借记卡号",
    "安全码",
    "助记词",
    "支付码",
    "凭据",
    "登录凭证",
    "访问凭证",
    "身份凭证",
    "密碼",
    "金鑰",
    "私鑰",
    "權杖",
    "驗證碼",
    "信用卡號",
    "銀行卡號",
    "銀行帳號",
    "安全碼",
    "助記詞",
    "憑據",
    "憑證密鑰",
    "银行账号",
    "社会安全号码",
    "卡号密码",
];
const CHINESE_ABOUT: [&str; 18] = [
    "数",
    "数量",
    "上限",
    "长度",
    "策略",
    "强度",
    "学",
    "桶",
    "类型",
    "名称",
    "有效期",
    "个数",
    "预算",
    "用量",
    "管理器",
    "數",
    "長度",
    "名稱",
];
const CHINESE_NEGATIONS: [&str; 9] = ["不要", "请勿", "勿", "无需", "无须", "切勿", "不需要", "不会", "不得"];

/// Where the field shows that it may be asking for a secret. Fields into which no secret can be put show nothing.
pub(super) fn sign(field: &Field, format: Option<&str>) -> Option<SecretSign> {
    if !matches!(
        field.kind,
        FieldKind::Text { .. }
            | FieldKind::Number { .. }
            | FieldKind::Scalar { .. }
            | FieldKind::List { .. }
            | FieldKind::Json { .. }
    ) {
        return None;
    }
    if let Some(format) = format.filter(|format| format.eq_ignore_ascii_case("password")) {
        return Some(SecretSign { found: format.to_owned() });
    }
    let names = [Some(field.key.as_str()), field.title.as_deref()];
    let found = names.into_iter().flatten().find_map(|text| find(text, true));
    let found = found.or_else(|| field.description.as_deref().and_then(|text| find(beginning(text), false)));
    found.map(|found| SecretSign { found })
}

/// Whether the name of a field says that a secret is in it.
pub(crate) fn names_secret(name: &str) -> bool {
    find(beginning(name), true).is_some()
}

/// How much of a description is looked at, in bytes. What a field is for is said at the beginning.
const LOOKED_AT: usize = 8 * 1024;

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(LOOKED_AT)]
}

fn find(text: &str, is_name: bool) -> Option<String> {
    find_english(text, is_name).or_else(|| find_chinese(text))
}

struct Word<'t> {
    text: &'t str,
    at: usize,
    lower: String,
}

/// Splits text into words at everything that is no letter or digit, and where the case tells (`apiKey`, `APIKey`).
fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = None;
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut end_word = |from: &mut Option<usize>, to: usize| {
        if let Some(at) = from.take() {
            let piece = &text[at..to];
            words.push(Word { text: piece, at, lower: piece.to_ascii_lowercase() });
        }
    };
    for (index, &(at, char)) in chars.iter().enumerate() {
        if !char.is_ascii_alphanumeric() {
            end_word(&mut start, at);
            continue;
        }
        let before = index.checked_sub(1).map(|index| chars[index].1);
        let after = chars.get(index + 1).map(|(_, char)| *char);
        let rises = before.is_some_and(|before| before.is_ascii_lowercase() || before.is_ascii_digit());
        let ends_capitals = before.is_some_and(|before| before.is_ascii_uppercase())
            && after.is_some_and(|after| after.is_ascii_lowercase());
        if char.is_ascii_uppercase() && (rises || ends_capitals) {
            end_word(&mut start, at);
        }
        start.get_or_insert(at);
    }
    end_word(&mut start, text.len());
    words
}

fn find_english(text: &str, is_name: bool) -> Option<String> {
    let words = words(text);
    (0..words.len()).find_map(|index| {
        let length = secret_at(&words, index, is_name)?;
        let (first, last) = (&words[index], &words[index + length - 1]);
        let after = words.get(index + length).map(|word| word.lower.as_str());
        let about = after.is_some_and(|word| ABOUT.contains(&word));
        let negated = words[index.saturating_sub(4)..index].iter().any(|word| NEGATIONS.contains(&word.lower.as_str()));
        (!about && !negated).then(|| text[first.at..last.at + last.text.len()].to_owned())
    })
}

/// How many words from `index` on name a secret, if they do.
fn secret_at(words: &[Word<'_>], index: usize, is_name: bool) -> Option<usize> {
    let word = |offset: usize| words.get(index + offset).map(|word| word.lower.as_str());
    let before = index.checked_sub(1).map(|index| words[index].lower.as_str());
    let first = word(0)?;
    let is_metal = first == "pin" && before.is_some_and(|before| HARDWARE.contains(&before));
    if let Some(phrase) = PHRASES.iter().find(|phrase| (0..phrase.len()).all(|at| word(at) == Some(phrase[at])))
        && !is_metal
    {
        return Some(phrase.len());
    }
    if CARDS.contains(&first) {
        let number = |at: usize| matches!(word(at), Some("number" | "no" | "num"));
        match word(1) {
            Some("card") if number(2) => return Some(3),
            Some("cardnumber") => return Some(2),
            Some("account") if first == "bank" && number(2) => return Some(3),
            _ => {}
        }
    }
    let other_card = before.is_some_and(|before| {
        matches!(
            before,
            "library" | "loyalty" | "membership" | "member" | "business" | "id" | "gift" | "report" | "sim"
        )
    });
    if is_name && first == "card" && word(1) == Some("number") && !other_card {
        return Some(2);
    }
    if STRONG.contains(&first) {
        return Some(1);
    }
    let weak = match first {
        "token" => before.is_none_or(|before| !UNITS.contains(&before)),
        "pin" => !is_metal && word(1).is_none_or(|next| !PINNED.contains(&next)),
        // "Pass" alone is a ticket as often as a word.
        "pass" => {
            words.len() > 1 && before.is_some_and(|before| matches!(before, "user" | "db" | "admin" | "smtp" | "root"))
        }
        _ => WEAK.contains(&first),
    };
    let capital_pin = words[index].text == "PIN" && weak;
    ((is_name && weak) || capital_pin).then_some(1)
}

fn find_chinese(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    CHINESE.iter().find_map(|word| {
        text.match_indices(word).find_map(|(at, found)| {
            let after = &text[at + found.len()..];
            let before: String = {
                let mut last: Vec<char> = text[..at].chars().rev().take(8).collect();
                last.reverse();
                last.into_iter().collect()
            };
            let about = CHINESE_ABOUT.iter().any(|word| after.starts_with(word));
            let negated = CHINESE_NEGATIONS.iter().any(|word| before.contains(word));
            let counted =
                found == "令牌" && (before.ends_with("最大") || before.ends_with("最多") || before.ends_with("总"));
            (!about && !negated && !counted).then(|| found.to_owned())
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::form::Form;

    #[track_caller]
    fn check(key: &str, title: &str, description: &str, found: Option<&str>) {
        let schema = json!({"properties": {key: {"type": "string", "title": title, "description": description}}});
        let form = Form::read(&schema).expect("a form");
        let sign = form.fields[0].secret.as_ref().map(|sign| sign.found.as_str());
        assert_eq!(sign, found, "{key} / {title} / {description}");
    }

    #[test]
    fn e41_secrets_are_recognised_by_name() {
        for (key, found) in [
            ("password", "password"),
            ("user_passwd", "passwd"),
            ("dbPassword", "Password"),
            ("PWD", "PWD"),
            ("api_key", "api_key"),
            ("apiKey", "apiKey"),
            ("APIKey", "APIKey"),
            ("x-api-key", "api-key"),
            ("clientSecret", "clientSecret"),
            ("token", "token"),
            ("githubToken", "Token"),
            ("accessToken", "accessToken"),
            ("pin", "pin"),
            ("card_pin", "pin"),
            ("cvv", "cvv"),
            ("credit_card_number", "credit_card_number"),
            ("cardNumber", "cardNumber"),
            ("private_key", "private_key"),
            ("otp", "otp"),
            ("smtp_pass", "pass"),
            ("登录密码", "密码"),
            ("API令牌", "令牌"),
        ] {
            check(key, "", "", Some(found));
        }
    }

    #[test]
    fn e41_secrets_are_recognised_by_title_and_description() {
        check("x", "API token", "", Some("API token"));
        check("x", "Your PIN", "", Some("Your PIN"));
        check("x", "Credit card number", "", Some("Credit card number"));
        check("x", "", "Enter your password to go on.", Some("password"));
        check("x", "", "Paste an access token here", Some("access token"));
        check("x", "", "4-digit PIN", Some("PIN"));
        check("x", "银行卡号", "", Some("银行卡号"));
        check("x", "", "请输入短信验证码", Some("验证码"));
        check("x", "", "請輸入密碼", Some("密碼"));
    }

    #[test]
    fn e41_no_false_alarms() {
        for key in [
            "maxTokens",
            "token_count",
            "tokenLimit",
            "tokenize",
            "tokens",
            "max_token",
            "secretary",
            "pinned",
            "pin_to_top",
            "gpio_pin",
            "passenger",
            "passport",
            "password_length",
            "secret_name",
            "boarding_pass",
            "pinCodeLength",
            "compass",
            "keyboard",
            "key",
            "library_card_number",
            "spin",
            "opinion",
            "wordpass",
            "cardinality",
        ] {
            check(key, "", "", None);
        }
        check("x", "Token count", "", None);
        check("x", "Secretary", "Name of the secretary", None);
        check("x", "Pin to top", "Whether to pin the note", None);
        check("x", "", "Do not enter your password here.", None);
        check("x", "", "The token budget of the answer; a secret ingredient", None);
        check("x", "令牌数量", "密码学课程", None);
        check("x", "", "请勿输入密码", None);
        check("x", "最大令牌", "", None);
    }

    #[test]
    fn e41_format_password_and_what_cannot_hold_a_secret() {
        let schema = json!({"properties": {
            "x": {"type": "string", "format": "password"},
            "forgot_password": {"type": "boolean"},
            "password_kind": {"type": "string", "enum": ["a", "b"]},
            "pin": {"type": "integer"},
        }});
        let form = Form::read(&schema).expect("a form");
        let signs: Vec<_> = form.fields.iter().map(|field| field.secret.is_some()).collect();
        assert_eq!(signs, [true, false, false, true]);
    }
}
