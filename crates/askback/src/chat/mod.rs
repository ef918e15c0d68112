//! `chat`: a conversation with one of the user's models, which may call the tools of their servers.
//!
//! Owns the order of things: what is made ready, who is talked to, how it ends. The conversation itself is the host's, and what it looks like
//! at a terminal is the face's.

mod document;
mod kept;
mod servers;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use askback_core::ServerName;
use askback_core::engine::Ending;
use askback_core::sampling::choice::ModelCard;
use askback_desk::chat::{ChatEvent, Conversation};
use askback_host::chat::{Chat, ChatSettings, ConsentRules, Session, SessionOptions, TellEnding, Toolbox};
use askback_host::wall_clock;
use askback_host::{Host, Notice};
use askback_term::chat::{ChatAtTerminal, showing};
use askback_term::drawing::Line;
use askback_term::screen::Screen;
use askback_term::tty::Tty;
use askback_term::zone::Zone;
use serde_json::Value;
use tokio::sync::mpsc;

use self::document::ChatDocument;
use self::servers::Ready;
use crate::command_line::{ChatTask, Options, TalkTask};
use crate::console::Console;
use crate::document::{self as call_document, Document};
use crate::failure::{Failure, FailureKind};
use crate::run_call::{interrupted, print_out, shut_down};
use crate::server_log::Level;
use crate::target::{Setup, Target};
use crate::watch::Watch;
use crate::{lending, wording};

/// Runs the command and gives its exit code.
pub(crate) async fn run(console: &Console, task: &ChatTask, options: &Options) -> u8 {
    match task {
        ChatTask::Talk(task) => talk(console, task, options).await,
        ChatTask::List => kept::list(console, options),
        ChatTask::Revoke { server } => kept::revoke(console, server),
    }
}

/// What a conversation is begun with.
struct Prepared {
    setup: Setup,
    model: ModelCard,
    targets: Vec<Target>,
}

fn prepare(console: &Console, task: &TalkTask, options: &Options) -> Result<Prepared, Failure> {
    let texts = &console.texts;
    let usage = |id: &str| Failure::new(FailureKind::Usage, texts.get(id));
    match &task.once {
        None if !console.interactive => return Err(usage("chat-nobody").hint(texts.get("chat-nobody-hint"))),
        Some(text) if text.trim().is_empty() => return Err(usage("chat-nothing-said").hint(texts.get("usage-chat"))),
        _ => {}
    }
    let setup = Setup::read(console, options)?;
    let wanted = task.model.as_deref().or(setup.chat().model.as_deref());
    let model = setup.lender().pick(wanted).map_err(|error| {
        let failure = Failure::new(FailureKind::Config, lending::explain(texts, &error));
        failure.hint(texts.get("chat-no-model-hint"))
    })?;
    let model = model.clone();
    let names = if task.servers.is_empty() && task.command.is_empty() {
        setup.offered_to_chats()
    } else {
        task.servers.clone()
    };
    let mut targets: Vec<Target> = names.iter().map(|name| setup.named(name, None, texts)).collect::<Result<_, _>>()?;
    if !task.command.is_empty() {
        targets.push(setup.command(&task.command, options.name.as_deref()));
    }
    let mut seen = std::collections::BTreeSet::new();
    targets.retain(|target| seen.insert(target.spec.name.clone()));
    Ok(Prepared { setup, model, targets })
}

async fn talk(console: &Console, task: &TalkTask, options: &Options) -> u8 {
    let mut document = ChatDocument::default();
    let Prepared { setup, model, targets } = match prepare(console, task, options) {
        Ok(prepared) => prepared,
        Err(failure) => {
            document.failure = Some(failure);
            return conclude(console, &document, options);
        }
    };
    document.model.clone_from(&model.name);
    let log_level = Level::shown_with(console.verbose).as_str();
    let (host, notices) = Host::start(setup.host_options(targets.iter().map(|target| &target.spec), Some(log_level)));
    let mut watch = Watch::new(console, notices, false);
    let began = Instant::now();
    if let Err(failure) = converse(console, &host, setup, model, targets, task, &mut watch, &mut document).await {
        document.failure.get_or_insert(failure);
    }
    if document.failure.is_none() && task.once.is_some() {
        document.failure = judge(console, &host, options, &document).await;
    }
    document.duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let code = conclude(console, &document, options);
    shut_down(&host, &mut watch.interrupts).await;
    code
}

/// Connects, talks, and waits for the end.
#[expect(clippy::too_many_arguments, reason = "one step of one story, split off for reading only")]
async fn converse(
    console: &Console,
    host: &Host,
    setup: Setup,
    model: ModelCard,
    targets: Vec<Target>,
    task: &TalkTask,
    watch: &mut Watch,
    document: &mut ChatDocument,
) -> Result<(), Failure> {
    let editor = ["VISUAL", "EDITOR"].into_iter().find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    let screen = (console.interactive || console.draws()).then(|| {
        let screen = Screen::new(Tty::new(editor), console.colour);
        console.print_through(screen.printer());
        screen
    });
    let named = !task.servers.is_empty() || !task.command.is_empty();
    // A server may ask before it is of any use, e.g. for folders, and waits until somebody has answered.
    let asked = async {
        if let Some(screen) = screen.as_ref().filter(|_| console.interactive) {
            let (texts, zone) = (Arc::clone(&console.texts), Zone::of_system());
            askback_term::prompts::run(host.desk(), texts, zone, screen.clone()).await;
        }
        std::future::pending::<std::convert::Infallible>().await
    };
    let ready = tokio::select! {
        ready = servers::connect(console, host, targets) => ready,
        never = asked => match never {},
        () = watch.interrupts.next() => return Err(interrupted(console)),
    };
    console.no_status();
    document.servers = ready.iter().map(servers::document).collect();
    for failed in ready.iter().filter_map(|server| server.outcome.as_ref().err()) {
        if named {
            return Err(failed.clone());
        }
        note_failure(console, failed);
    }
    let faults = Arc::new(Mutex::new(Vec::new()));
    let session = begin(console, host, &setup, &model, ready, task, &faults, document)?;
    // Before the first word, so that none is missed.
    let mut record = session.subscribe();
    let outcome = hold(console, host, session, task, screen.as_ref(), watch, document).await;
    while let Ok(event) = record.try_recv() {
        document.take(event);
    }
    if let Some(screen) = screen {
        screen.restore();
    }
    document.faults = std::mem::take(&mut *faults.lock().unwrap_or_else(PoisonError::into_inner));
    outcome
}

/// Puts the conversation together.
#[expect(clippy::too_many_arguments, reason = "one step of one story, split off for reading only")]
fn begin(
    console: &Console,
    host: &Host,
    setup: &Setup,
    model: &ModelCard,
    ready: Vec<Ready>,
    task: &TalkTask,
    faults: &Arc<Mutex<Vec<String>>>,
    document: &mut ChatDocument,
) -> Result<Arc<Session>, Failure> {
    let texts = &console.texts;
    let now = Zone::of_system().shown(wall_clock::now());
    let today = now.get(..10).unwrap_or_default();
    let chat = setup.chat();
    let mut settings = ChatSettings::new(today, model.context, model.takes.tools);
    settings.rounds = chat.rounds.unwrap_or(settings.rounds);
    settings.share = chat.definitions.unwrap_or(settings.share);
    settings.max_tokens = chat.reply_tokens.unwrap_or(settings.max_tokens);
    let toolbox = Toolbox::new(ready.iter().flat_map(|server| server.tools.iter().cloned()));
    let notes: Vec<_> = ready.iter().filter_map(Ready::notes).collect();
    let count = toolbox.len();
    let machine = Chat::new(settings, toolbox, &notes);

    let mut transcript = kept::transcript(console, &now, setup.sampling().redactor.clone());
    if let Some(transcript) = &mut transcript {
        document.transcript = Some(transcript.path().display().to_string());
        if let Err(error) = transcript.add_line(servers::began(&model.name, &model.model, &ready)) {
            kept::not_kept(console, &error);
        }
    }
    if console.interactive {
        let variables = [("model", (&model.name).into()), ("count", (count as u64).into())];
        let id = match (count, model.takes.tools, machine.discovers()) {
            (0, ..) => "chat-begins-without-tools",
            (_, false, _) => "chat-begins-model-takes-none",
            (.., true) => "chat-begins-with-discovery",
            (.., false) => "chat-begins",
        };
        console.note(&texts.format(id, &variables));
    }
    let rules = ConsentRules { servers: setup.chat_rules(), given: task.allow.clone(), person: console.interactive };
    Ok(Session::start(SessionOptions {
        chat: machine,
        model: model.name.clone(),
        redact: chat.redact.unwrap_or(true),
        lender: Arc::clone(setup.lender()),
        host: host.clone(),
        tell_ending: endings(console, &ready, faults),
        servers: ready.into_iter().map(Ready::into_server).collect(),
        rules,
        standing: kept::consents(console)?,
        transcript,
    }))
}

/// The words for calls that have no result; what nobody could answer is gathered.
fn endings(console: &Console, ready: &[Ready], faults: &Arc<Mutex<Vec<String>>>) -> TellEnding {
    let texts = Arc::clone(&console.texts);
    let faults = Arc::clone(faults);
    let connected = ready.iter().filter_map(|server| server.outcome.as_ref().ok().cloned());
    let connected: std::collections::BTreeMap<_, _> = connected.map(|server| (server.name.clone(), server)).collect();
    Arc::new(move |server: &ServerName, ending: &Ending| {
        let lines = wording::fault_lines(&texts, &ending.faults);
        faults.lock().unwrap_or_else(PoisonError::into_inner).extend(lines);
        match (&ending.outcome, connected.get(server)) {
            (Err(failure), Some(connected)) => wording::call_failure(&texts, connected, failure).message,
            _ => String::new(),
        }
    })
}

/// Holds the conversation until it ends.
async fn hold(
    console: &Console,
    host: &Host,
    session: Arc<Session>,
    task: &TalkTask,
    screen: Option<&Screen>,
    watch: &mut Watch,
    document: &mut ChatDocument,
) -> Result<(), Failure> {
    let mut calls = session.subscribe();
    let face = async {
        match screen.filter(|_| console.interactive) {
            Some(screen) => {
                let conversation: Arc<dyn Conversation> = Arc::clone(&session) as _;
                let (texts, zone, screen) = (Arc::clone(&console.texts), Zone::of_system(), screen.clone());
                let (desk, once) = (host.desk(), task.once.clone());
                askback_term::chat::run(ChatAtTerminal { desk, conversation, texts, zone, screen, once }).await;
            }
            None => told(console, &session, task.once.clone().unwrap_or_default()).await,
        }
    };
    tokio::pin!(face);
    let mut stopped = false;
    let mut noticed = Document::default();
    let mut events = true;
    loop {
        tokio::select! {
            biased;
            Some(notice) = watch.notices.recv() => notice_of(console, &session, notice, watch, &mut noticed),
            event = calls.recv(), if events => match event {
                Some(ChatEvent::Returned { .. } | ChatEvent::Ended { .. }) => watch.next_call(console),
                Some(_) => {}
                None => events = false,
            },
            () = watch.progress.drawing_is_due() => watch.progress.draw(console),
            () = &mut face => break,
            () = watch.interrupts.next() => {
                session.stop();
                // A conversation that waits for what the person says has nothing to be stopped.
                if stopped || task.once.is_none() {
                    document.failure = Some(interrupted(console));
                    break;
                }
                stopped = true;
            }
        }
    }
    while let Ok(notice) = watch.notices.try_recv() {
        notice_of(console, &session, notice, watch, &mut noticed);
    }
    watch.next_call(console);
    host.close_desk();
    document.asks.extend(noticed.asks.iter().map(call_document::ask));
    document.violations = noticed.violations;
    Ok(())
}

/// Takes in what the host tells; what was decided about an ask stands in the transcript, without secrets.
fn notice_of(console: &Console, session: &Session, notice: Notice, watch: &mut Watch, noticed: &mut Document) {
    if let Notice::Decided(decided) = &notice
        && let Value::Object(ask) = call_document::ask(decided)
    {
        let about = [("type", "ask"), ("server", decided.server.as_str())];
        let about = about.map(|(key, value)| (key.to_owned(), Value::from(value)));
        session.note(about.into_iter().chain(ask).collect());
    }
    watch.take(console, notice, noticed);
}

/// One turn with nobody at the terminal: what the model says goes to standard output once the turn is over, what is done is told on standard error.
async fn told(console: &Console, session: &Arc<Session>, text: String) {
    let mut events: mpsc::UnboundedReceiver<ChatEvent> = session.subscribe();
    session.say(text);
    let tell = |lines: Vec<Line>| {
        for line in lines.iter().filter(|line| !line.spans.is_empty()) {
            console.note(&line.text());
        }
    };
    while let Some(event) = events.recv().await {
        match event {
            ChatEvent::Decided { call, allowed, by } => tell(showing::decided(&console.texts, &call, allowed, by)),
            ChatEvent::Returned { call, text, is_error, left_out } => {
                tell(showing::returned(&console.texts, &call, &text, is_error, left_out));
            }
            ChatEvent::NotKept { detail } => kept::not_kept(console, &detail),
            // Without a person there is nobody to be asked.
            ChatEvent::Consent(_) => session.stop(),
            ChatEvent::Ended { .. } => return,
            ChatEvent::Thinking { .. } | ChatEvent::Text(_) | ChatEvent::Said { .. } => {}
        }
    }
}

/// Judges how the one turn went, now that everything is known.
async fn judge(console: &Console, host: &Host, options: &Options, document: &ChatDocument) -> Option<Failure> {
    let texts = &console.texts;
    if let Some(failure) = document.turn_failure(texts) {
        return Some(failure);
    }
    let unused = host.answers().await;
    let unused: Vec<String> = unused.unused().map(|entry| entry.place.clone()).collect();
    if !unused.is_empty() && !options.allow_unused {
        let mut failure = Failure::new(FailureKind::Answers, texts.get("failed-unused"));
        failure.details = unused;
        return Some(failure.hint(texts.get("failed-unused-hint")));
    }
    let broken = options.strict && !document.violations.is_empty();
    broken.then(|| Failure::new(FailureKind::Protocol, texts.get("failed-strict")))
}

fn note_failure(console: &Console, failure: &Failure) {
    let variables = [("why", failure.message.as_str().into())];
    console.styled_note(&console.texts.format("chat-without", &variables), askback_term::drawing::Style::Warning);
}

/// Prints what the model said, or the document, and what went wrong; gives the exit code.
fn conclude(console: &Console, document: &ChatDocument, options: &Options) -> u8 {
    if options.json {
        print_out(&serde_json::to_string_pretty(&document.to_value()).unwrap_or_default());
    } else if console.interactive && console.stdout_is_terminal {
        // The person has seen it.
    } else if !document.text.is_empty() {
        print_out(&console.for_stdout(&document.text));
    }
    if let Some(path) = &document.transcript {
        console.note(&console.texts.format("chat-kept", &[("path", path.into())]));
    }
    match &document.failure {
        None => 0,
        Some(failure) => {
            wording::print_failure(&console.texts, failure, console.colour);
            failure.kind.exit_code()
        }
    }
}
