//! The words of sampling: why a model, what forbids one, what is hidden, what is left.

use askback_core::redaction::{Found, Place, SecretKind};
use askback_core::sampling::budget::{Cap, CapBy, Exceeded, Left, Limits};
use askback_core::sampling::choice::{Among, Match, MatchBy, Unfit, Why};
use askback_core::sampling::edit::{EditError, EditProblem};
use askback_core::sampling::estimate::CostRange;
use askback_core::sampling::families::ModelClass;

use super::safe;
use crate::texts::Texts;

/// Why this model suits best, in a sentence.
pub fn why(texts: &Texts, why: &Why) -> String {
    match why {
        Why::Hint { hint, among } => {
            texts.format("why-hint", &[("hint", safe(hint)), ("among", among_of(texts, *among).into())])
        }
        Why::MappedHint { hint, by, among } => {
            let among = among_of(texts, *among);
            let variables = [("hint", safe(hint)), ("among", (&among).into())];
            match by {
                MatchBy::Class(class) => {
                    let class = texts.get(match class {
                        ModelClass::Small => "class-small",
                        ModelClass::Middle => "class-middle",
                        ModelClass::Large => "class-large",
                    });
                    let variables = [("hint", safe(hint)), ("among", (&among).into()), ("class", class.into())];
                    texts.format("why-class", &variables)
                }
                MatchBy::Vendor | MatchBy::Id | MatchBy::Name => texts.format("why-vendor", &variables),
            }
        }
        Why::Priorities { cost, speed, intelligence } => {
            let weights =
                [("priority-cost", *cost), ("priority-speed", *speed), ("priority-intelligence", *intelligence)];
            let given: Vec<String> = weights
                .iter()
                .filter(|(_, weight)| *weight > 0.0)
                .map(|(id, weight)| format!("{} {weight}", texts.get(id)))
                .collect();
            texts.format("why-priorities", &[("priorities", given.join(&texts.get("limits-separator")).into())])
        }
        Why::Default { hints_missed: false } => texts.get("why-default"),
        Why::Default { hints_missed: true } => texts.get("why-default-missed"),
        Why::OnlyOne => texts.get("why-only-one"),
        Why::FirstListed { hints_missed: false } => texts.get("why-first"),
        Why::FirstListed { hints_missed: true } => texts.get("why-first-missed"),
    }
}

/// What decided among the models that a hint leads to; nothing where there was only one.
fn among_of(texts: &Texts, among: Among) -> String {
    match among {
        Among::One => String::new(),
        Among::Priorities => texts.get("among-priorities"),
        Among::Default => texts.get("among-default"),
        Among::Order => texts.get("among-order"),
    }
}

/// How a hint of the server leads to a model.
pub fn matched(texts: &Texts, matched: &Match) -> String {
    let id = match matched.by {
        MatchBy::Id | MatchBy::Name => "matched-hint",
        MatchBy::Vendor | MatchBy::Class(_) => "matched-alike",
    };
    texts.format(id, &[("hint", safe(&matched.hint))])
}

/// Why a model cannot be used for a request.
pub fn unfit(texts: &Texts, unfit: &Unfit) -> String {
    match unfit {
        Unfit::NotAllowed => texts.get("unfit-not-allowed"),
        Unfit::NoTools => texts.get("unfit-no-tools"),
        Unfit::NoImages => texts.get("unfit-no-images"),
        Unfit::NoAudio => texts.get("unfit-no-audio"),
        Unfit::ContextTooSmall { context, input } => {
            texts.format("unfit-context", &[("context", (*context).into()), ("input", (*input).into())])
        }
    }
}

/// Which limit forbids a request. `now` is the time in milliseconds since the epoch.
pub fn exceeded(texts: &Texts, exceeded: &Exceeded, now: u64) -> String {
    let (text, again_at) = match exceeded {
        Exceeded::Stopped => return texts.get("exceeded-stopped"),
        Exceeded::ToolLoop { limit, rounds } => {
            return texts.format("exceeded-loop", &[("limit", (*limit).into()), ("rounds", (*rounds).into())]);
        }
        Exceeded::Requests { limit, again_at } => {
            (texts.format("exceeded-requests", &[("limit", (*limit).into())]), *again_at)
        }
        Exceeded::Tokens { limit, left, needed, again_at } => {
            let variables = [("limit", (*limit).into()), ("left", (*left).into()), ("needed", (*needed).into())];
            (texts.format("exceeded-tokens", &variables), *again_at)
        }
        Exceeded::Money { limit, left, needed, again_at } => {
            let variables =
                [("limit", money(*limit).into()), ("left", money(*left).into()), ("needed", money(*needed).into())];
            (texts.format("exceeded-money", &variables), *again_at)
        }
    };
    let Some(wait) = again_at.map(|at| at.saturating_sub(now)) else { return text };
    let again = if wait < 120_000 {
        texts.format("exceeded-again-seconds", &[("count", wait.div_ceil(1_000).into())])
    } else if wait < 7_200_000 {
        texts.format("exceeded-again-minutes", &[("count", wait.div_ceil(60_000).into())])
    } else {
        texts.format("exceeded-again-hours", &[("count", wait.div_ceil(3_600_000).into())])
    };
    texts.format("exceeded-and-again", &[("what", text.into()), ("again", again.into())])
}

/// That the reply is shorter than the server asks for, and why.
pub fn capped(texts: &Texts, cap: &Cap, most: u64) -> String {
    let id = match cap.by {
        CapBy::ReplyTokens => "capped-by-reply",
        CapBy::TokensPerDay => "capped-by-day",
        CapBy::MoneyPerDay => "capped-by-money",
        CapBy::Context => "capped-by-context",
    };
    texts.format(id, &[("asked", cap.asked.into()), ("most", most.into())])
}

/// The limits of a server; nothing where there are none.
pub fn limits(texts: &Texts, limits: &Limits) -> Option<String> {
    let count = |id: &str, count: Option<u64>| count.map(|count| texts.format(id, &[("count", count.into())]));
    let parts = [
        count("limit-requests", limits.requests_per_minute),
        count("limit-tokens", limits.tokens_per_day),
        limits.money_per_day.map(|sum| texts.format("limit-money", &[("sum", money(sum).into())])),
        count("limit-reply", limits.reply_tokens),
        count("limit-loop", limits.tool_loop),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(&texts.get("limits-separator")))
}

/// What is left of the limits; nothing where there are none.
pub fn left(texts: &Texts, left: &Left) -> Option<String> {
    let requests = left.requests.map(|count| texts.format("left-requests", &[("count", count.into())]));
    let tokens = left.tokens.map(|count| texts.format("left-tokens", &[("count", count.into())]));
    let sum = left.money.map(|sum| texts.format("left-money", &[("sum", money(sum).into())]));
    let parts: Vec<String> = [requests, tokens, sum].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(&texts.get("limits-separator")))
}

/// What a request may cost, in the user's currency.
pub fn cost(texts: &Texts, cost: &CostRange) -> String {
    let variables = [("least", money(cost.least).into()), ("most", money(cost.most).into())];
    texts.format("cost-range", &variables)
}

/// A sum, with as many digits as say something.
fn money(sum: f64) -> String {
    match sum {
        sum if sum <= 0.0 => "0".to_owned(),
        sum if sum < 0.01 => format!("{sum:.5}"),
        sum if sum < 1.0 => format!("{sum:.3}"),
        sum => format!("{sum:.2}"),
    }
}

/// A secret that was found: what it is, where it stands, and, where it is hidden, what stands in its place.
pub fn found(texts: &Texts, found: &Found, hidden: bool) -> String {
    let kind = texts.get(match found.kind {
        SecretKind::PrivateKey => "secret-private-key",
        SecretKind::Aws => "secret-aws",
        SecretKind::GitHub => "secret-github",
        SecretKind::GitLab => "secret-gitlab",
        SecretKind::Slack => "secret-slack",
        SecretKind::Google => "secret-google",
        SecretKind::Stripe => "secret-stripe",
        SecretKind::ModelProvider => "secret-model-provider",
        SecretKind::Service => "secret-service",
        SecretKind::Jwt => "secret-jwt",
        SecretKind::UrlPassword => "secret-url-password",
        SecretKind::Authorization => "secret-authorization",
        SecretKind::Named => "secret-named",
        SecretKind::Own => "secret-own",
        SecretKind::Random => "secret-random",
    });
    let mut places: Vec<String> = found.places.iter().map(|place| place_of(texts, place)).collect();
    places.dedup();
    let variables = [
        ("kind", kind.into()),
        ("shown", safe(&found.shown)),
        ("placeholder", safe(&found.placeholder)),
        ("places", places.join(&texts.get("limits-separator")).into()),
    ];
    texts.format(if hidden { "secret-hidden" } else { "secret-shown" }, &variables)
}

/// Why an edited text is no request, with the line.
pub fn edit_error(texts: &Texts, error: &EditError) -> String {
    let quoted = |id: &str, text: &str| texts.format(id, &[("text", safe(text))]);
    let problem = match &error.problem {
        EditProblem::UnknownSetting(line) => quoted("edit-unknown-setting", line),
        EditProblem::SetTwice(setting) => quoted("edit-set-twice", setting),
        EditProblem::MaxTokens { most } => texts.format("edit-max-tokens", &[("most", (*most).into())]),
        EditProblem::Temperature => texts.get("edit-temperature"),
        EditProblem::Quotes(value) => quoted("edit-quotes", value),
        EditProblem::UnknownTool(tool) => quoted("edit-unknown-tool", tool),
        EditProblem::UnknownSection(heading) => quoted("edit-unknown-section", heading),
        EditProblem::SectionTwice(heading) => quoted("edit-section-twice", heading),
        EditProblem::Fixed(heading) => quoted("edit-fixed", heading),
        EditProblem::Empty => texts.get("edit-empty"),
    };
    texts.format("edit-error", &[("line", (error.line as u64).into()), ("problem", problem.into())])
}

fn place_of(texts: &Texts, place: &Place) -> String {
    let message = |number: &usize| [("number", (*number as u64 + 1).into())];
    match place {
        Place::SystemPrompt => texts.get("place-system-prompt"),
        Place::Text { message: number, .. }
        | Place::ToolInput { message: number, .. }
        | Place::ToolResult { message: number, .. } => texts.format("place-message", &message(number)),
        Place::Tool { .. } => texts.get("place-tool"),
        Place::StopSequence => texts.get("place-stop-sequence"),
        Place::Metadata => texts.get("place-metadata"),
    }
}
