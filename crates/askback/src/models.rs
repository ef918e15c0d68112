//! `models`: which models the user has, whether they answer, which one a server would get, and who may use them unasked.

use std::fmt::Write as _;
use std::time::Instant;

use askback_core::display::neutralise_line;
use askback_core::sampling::choice::{Match, MatchBy};
use askback_core::sampling::{Content, ReplyContent, Role, SamplingMessage, SamplingRequest, ToolChoice};
use askback_desk::lending::Wish;
use askback_desk::wording::lending as words;
use askback_host::lending::LendingError;
use askback_models::local;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr as _;

use crate::command_line::{ModelsTask, Options};
use crate::config::ModelConfig;
use crate::console::{self, Console};
use crate::failure::{Failure, FailureKind};
use crate::model_keys::{KeyError, ModelKeys};
use crate::run_call::print_out;
use crate::target::Setup;
use crate::{lending, wording};

/// Runs the command and gives its exit code.
pub(crate) async fn run(console: &Console, task: &ModelsTask, options: &Options) -> u8 {
    let outcome = match Setup::read(console, options) {
        Ok(setup) => match task {
            ModelsTask::List => list(console, &setup, options),
            ModelsTask::Test { model } => test(console, &setup, model.as_deref()).await,
            ModelsTask::Explain { server, hints, priorities } => {
                explain(console, &setup, server, hints.clone(), *priorities)
            }
            ModelsTask::Detect => {
                detect(console, &setup).await;
                Ok(())
            }
            ModelsTask::Stop(stopped) => stop(console, &setup, *stopped),
            ModelsTask::Revoke { server } => revoke(console, &setup, server),
            ModelsTask::Key { model, forget } => key(console, &setup, model, *forget),
        },
        Err(failure) => Err(failure),
    };
    match outcome {
        Ok(()) => 0,
        Err(failure) => {
            wording::print_failure(&console.texts, &failure, console.colour);
            failure.kind.exit_code()
        }
    }
}

fn list(console: &Console, setup: &Setup, options: &Options) -> Result<(), Failure> {
    let texts = &console.texts;
    let (models, lender) = (setup.models(), setup.lender());
    if options.json {
        let value = json!({
            "models": models.iter().map(value_of).collect::<Vec<_>>(),
            "default": setup.sampling().default,
            "stopped": lender.is_stopped(),
            "permitted": lender.permitted().into_iter().map(|(name, source)| json!({ "server": name, "source": source })).collect::<Vec<_>>(),
        });
        print_out(&serde_json::to_string_pretty(&value).unwrap_or_default());
        return Ok(());
    }
    if models.is_empty() {
        print_out(&texts.get("models-none"));
    } else {
        print_out(&table(console, setup));
    }
    if lender.is_stopped() {
        print_out(&format!("\n{}", texts.get("models-stopped")));
    }
    let permitted = lender.permitted();
    if !permitted.is_empty() {
        let mut text = format!("\n{}", texts.get("models-permitted"));
        for (name, source) in permitted {
            let left = words::left(texts, &lender.left(&name)).unwrap_or_default();
            let variables = [("server", (&name).into()), ("source", source.into()), ("left", left.into())];
            let _ = write!(text, "\n  {}", texts.format("models-permitted-server", &variables));
        }
        print_out(&text);
    }
    Ok(())
}

fn value_of(model: &ModelConfig) -> Value {
    let ModelConfig { card, settings } = model;
    json!({
        "name": card.name,
        "provider": settings.provider.as_str(),
        "model": card.model,
        "baseUrl": settings.base_url.as_ref().map(|url| url.as_str()),
        "cost": card.cost,
        "speed": card.speed,
        "intelligence": card.intelligence,
        "images": card.takes.images,
        "audio": card.takes.audio,
        "tools": card.takes.tools,
        "context": card.context,
        "pricePerMillion": card.price.map(|price| json!({ "input": price.input, "output": price.output })),
        "ready": lending::missing_key(settings).is_none(),
    })
}

fn table(console: &Console, setup: &Setup) -> String {
    let texts = &console.texts;
    let default = setup.sampling().default.as_deref();
    let first = ["name", "model", "cost", "speed", "intelligence", "takes", "state"];
    let mut rows: Vec<Vec<String>> = vec![first.map(|id| texts.get(&format!("models-column-{id}"))).to_vec()];
    for ModelConfig { card, settings } in setup.models() {
        let mut takes = vec![texts.get("models-takes-text")];
        for (taken, id) in [
            (card.takes.images, "unsupported-images"),
            (card.takes.audio, "unsupported-audio"),
            (card.takes.tools, "unsupported-tools"),
        ] {
            if taken {
                takes.push(texts.get(id));
            }
        }
        let state = match lending::missing_key(settings) {
            Some("") => texts.get("models-no-key"),
            Some(variable) => texts.format("models-no-variable", &[("variable", variable.into())]),
            None if lending::has_kept_key(settings) => texts.get("models-key-kept"),
            None if default == Some(card.name.as_str()) => texts.get("models-default"),
            None => texts.get("models-ready"),
        };
        let model = format!("{} {}", settings.provider.as_str(), card.model);
        let score = |value: f64| format!("{value}");
        rows.push(vec![
            card.name.clone(),
            model,
            score(card.cost),
            score(card.speed),
            score(card.intelligence),
            takes.join(&texts.get("limits-separator")),
            state,
        ]);
    }
    let widths: Vec<usize> =
        (0..first.len()).map(|at| rows.iter().map(|row| row[at].width()).max().unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell}{}", " ".repeat(width - cell.width())));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The smallest request that shows that a model answers.
fn trial() -> SamplingRequest {
    let text = Content::Text("Reply with the one word: ready".to_owned());
    SamplingRequest {
        system_prompt: None,
        messages: vec![SamplingMessage { role: Role::User, content: vec![text] }],
        max_tokens: 32,
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        model_hints: Vec::new(),
        cost_priority: None,
        speed_priority: None,
        intelligence_priority: None,
        temperature: None,
        stop_sequences: Vec::new(),
        include_context: None,
        has_context: false,
        metadata: None,
    }
}

async fn test(console: &Console, setup: &Setup, name: Option<&str>) -> Result<(), Failure> {
    let texts = &console.texts;
    let chosen: Vec<&ModelConfig> =
        setup.models().iter().filter(|model| name.is_none_or(|name| model.card.name == name)).collect();
    if chosen.is_empty() {
        let message = match name {
            Some(name) => texts.format("lending-unknown", &[("name", name.into())]),
            None => texts.get("models-none"),
        };
        return Err(Failure::new(FailureKind::Usage, message));
    }
    let mut failed = Vec::new();
    for ModelConfig { card, settings } in chosen {
        let began = Instant::now();
        let outcome = match lending::connect(settings.clone(), texts) {
            Ok(model) => model.complete(&trial(), tokio::sync::mpsc::unbounded_channel().0).await,
            Err(error) => Err(error),
        };
        match outcome {
            Ok(completion) => {
                let said: String = completion.reply.content.iter().filter_map(text_of).collect();
                let variables = [
                    ("name", (&card.name).into()),
                    ("model", neutralise_line(&completion.reply.model).into()),
                    ("said", neutralise_line(&said).into()),
                    ("seconds", format!("{:.1}", began.elapsed().as_secs_f64()).into()),
                ];
                print_out(&texts.format("models-test-well", &variables));
            }
            Err(error) => {
                let error = LendingError::Model { name: card.name.clone(), error };
                failed.push(neutralise_line(&lending::explain(texts, &error)));
            }
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    let mut failure = Failure::new(FailureKind::Connect, texts.get("models-test-badly"));
    failure.details = failed;
    Err(failure)
}

/// Looks for models that this machine serves, and prints what to write for those that are not configured yet.
async fn detect(console: &Console, setup: &Setup) {
    let texts = &console.texts;
    let found = local::find(&local::usual_places()).await;
    if found.is_empty() {
        let ports: Vec<String> =
            local::usual_places().iter().map(|place| format!("{} ({})", place.port, place.kind.as_str())).collect();
        let ports = ports.join(&texts.get("limits-separator"));
        print_out(&texts.format("models-detect-nothing", &[("ports", ports.into())]));
        return;
    }
    for local::Found { kind, base_url, models } in found {
        let known = |model: &str| {
            let same = |config: &&ModelConfig| {
                config.card.model == model && config.settings.base_url.as_ref() == Some(&base_url)
            };
            setup.models().iter().find(same).map(|config| config.card.name.clone())
        };
        let variables = [("kind", kind.as_str().into()), ("address", base_url.as_str().into())];
        print_out(&texts.format("models-detect-found", &variables));
        for model in models {
            let shown = neutralise_line(&model);
            if let Some(name) = known(&model) {
                let variables = [("name", name.into()), ("model", shown.into())];
                print_out(&texts.format("models-detect-known", &variables));
                continue;
            }
            // What JSON writes as a string, TOML reads as the same.
            let value = |text: &str| Value::from(text).to_string();
            let name: String =
                model.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).take(40).collect();
            print_out(&format!(
                "\n[models.{}]\nprovider = {}\nbase_url = {}\nmodel = {}",
                name.trim_matches('-'),
                value(kind.provider().as_str()),
                value(base_url.as_str()),
                value(&model)
            ));
        }
    }
}

fn text_of(content: &ReplyContent) -> Option<&str> {
    match content {
        ReplyContent::Text(text) => Some(text),
        ReplyContent::ToolUse { .. } | ReplyContent::Raw(_) => None,
    }
}

fn explain(
    console: &Console,
    setup: &Setup,
    server: &str,
    hints: Vec<String>,
    [cost, speed, intelligence]: [Option<f64>; 3],
) -> Result<(), Failure> {
    let texts = &console.texts;
    let lender = setup.lender();
    if !lender.has_models() {
        return Err(Failure::new(FailureKind::Config, texts.get("lending-none")).hint(texts.get("models-none")));
    }
    let clamp = |value: Option<f64>| value.map(|value| value.clamp(0.0, 1.0));
    let request = SamplingRequest {
        model_hints: hints,
        cost_priority: clamp(cost),
        speed_priority: clamp(speed),
        intelligence_priority: clamp(intelligence),
        ..trial()
    };
    let offer = lender.offer(server, &Wish { request, model: None, redact: true });
    let mut text = String::new();
    for (at, model) in offer.models.iter().enumerate() {
        let matched = model.matched.as_ref().map(|matched| hint_of(console, matched)).unwrap_or_default();
        let _ = writeln!(text, "{}. {} ({}){matched}", at + 1, model.name, model.model);
    }
    if let Some(why) = &offer.why {
        let _ = writeln!(text, "{}", words::why(texts, why));
    }
    for unusable in &offer.unusable {
        let reasons: Vec<String> = unusable.reasons.iter().map(|reason| words::unfit(texts, reason)).collect();
        let why = reasons.join(&texts.get("limits-separator"));
        let variables = [("name", (&unusable.name).into()), ("why", why.into())];
        let _ = writeln!(text, "{}", texts.format("models-unusable", &variables));
    }
    if let Some(exceeded) = &offer.exceeded {
        let _ = writeln!(text, "{}", lending::explain(texts, &LendingError::Exceeded(*exceeded)));
    }
    if let Some(left) = words::left(texts, &offer.left) {
        let _ = writeln!(text, "{}", texts.format("models-left", &[("left", left.into())]));
    }
    print_out(text.trim_end());
    Ok(())
}

fn hint_of(console: &Console, matched: &Match) -> String {
    let id = match matched.by {
        MatchBy::Id | MatchBy::Name => "models-matched",
        MatchBy::Vendor | MatchBy::Class(_) => "models-alike",
    };
    console.texts.format(id, &[("hint", neutralise_line(&matched.hint).into())])
}

fn stop(console: &Console, setup: &Setup, stopped: bool) -> Result<(), Failure> {
    setup.lender().stop(stopped).map_err(|error| not_written(console, &error))?;
    console::err(format_args!("{}", console.texts.get(if stopped { "models-stopped" } else { "models-resumed" })));
    Ok(())
}

fn revoke(console: &Console, setup: &Setup, server: &str) -> Result<(), Failure> {
    let count = setup.lender().revoke(server).map_err(|error| not_written(console, &error))?;
    if count == 0 {
        let message = console.texts.format("models-nothing-to-revoke", &[("server", server.into())]);
        return Err(Failure::new(FailureKind::Usage, message));
    }
    console::err(format_args!("{}", console.texts.format("models-revoked", &[("server", server.into())])));
    Ok(())
}

/// Keeps a key for the endpoint of a model, or forgets it.
fn key(console: &Console, setup: &Setup, name: &str, forget: bool) -> Result<(), Failure> {
    let texts = &console.texts;
    let Some(ModelConfig { settings, .. }) = setup.models().iter().find(|model| model.card.name == name) else {
        return Err(Failure::new(FailureKind::Usage, texts.format("lending-unknown", &[("name", name.into())])));
    };
    let not_kept = |error: &KeyError| {
        let message = texts.format("models-key-not-kept", &[("detail", error.detail().into())]);
        Failure::new(FailureKind::Config, message)
    };
    let keys = ModelKeys::of_system().ok_or_else(|| not_kept(&KeyError::NoPlace))?;
    let place = settings.base_url.as_ref().map_or(settings.provider.as_str(), |url| url.as_str());
    let variables = [("place", place.into()), ("name", name.into())];
    if forget {
        keys.forget(settings).map_err(|error| not_kept(&error))?;
        console::err(format_args!("{}", texts.format("models-key-forgotten", &variables)));
        return Ok(());
    }
    let read = if console.interactive {
        console::err(format_args!("{}", texts.format("models-key-wanted", &variables)));
        rpassword::read_password()
    } else {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map(|_| line)
    };
    let key = read.map_err(|error| not_kept(&KeyError::List(error)))?;
    let key = key.trim();
    if key.is_empty() || key.chars().any(|char| char.is_whitespace() || char.is_control()) {
        return Err(Failure::new(FailureKind::Usage, texts.get("models-key-none")));
    }
    keys.keep(settings, key).map_err(|error| not_kept(&error))?;
    console::err(format_args!("{}", texts.format("models-key-is-kept", &variables)));
    if settings.key.is_some() {
        console::err(format_args!("{}", texts.get("models-key-other-first")));
    }
    Ok(())
}

fn not_written(console: &Console, error: &std::io::Error) -> Failure {
    let message = console.texts.format("models-not-written", &[("detail", error.to_string().into())]);
    Failure::new(FailureKind::Config, message)
}
