//! The machine: turns, rounds of tools, calls one after the other, each with its consent.
//!
//! What the model is told stays balanced whatever happens: every tool use gets a result before the model is asked again, one that was stopped
//! or declined as well.

use std::collections::{BTreeSet, VecDeque};

use askback_core::call::ServerName;
use askback_core::sampling::{
    Content, ReplyContent, Role, SamplingMessage, SamplingReply, SamplingRequest, SamplingTool, ToolChoice,
};
use askback_desk::chat::ConsentBy;
use serde_json::{Map, Value};

use super::briefing::{self, ServerNotes};
use super::caution::may_stand;
use super::discovery;
use super::event::{Decision, Effect, Entry, Input, ToolCall, TurnEnd};
use super::tool_output::{ToolOutput, bounded};
use super::toolbox::{ChatTool, Toolbox};

/// What a chat is made with.
#[derive(Clone, Debug)]
pub struct ChatSettings {
    /// The date, as the model is told it.
    pub today: String,
    /// The most tokens of one reply.
    pub max_tokens: u64,
    /// The model's context in tokens, if known.
    pub context: Option<u64>,
    /// Whether the model takes tools.
    pub takes_tools: bool,
    /// How many rounds of tools a turn may have.
    pub rounds: u32,
    /// The share of the context, 0 to 1, above which the model is told of two tools that find the others.
    pub share: f64,
    /// The most bytes of one result that the model is told.
    pub result_bytes: usize,
}

impl ChatSettings {
    /// Settings for a model of such a context.
    pub fn new(today: impl Into<String>, context: Option<u64>, takes_tools: bool) -> ChatSettings {
        // A result may take about an eighth of the context, at four bytes a token; a reply may take a quarter.
        let result_bytes = context.map_or(32_000, |context| usize::try_from(context / 2).unwrap_or(usize::MAX));
        ChatSettings {
            today: today.into(),
            max_tokens: context.map_or(4_096, |context| (context / 4).clamp(256, 8_192)),
            context,
            takes_tools,
            rounds: 25,
            share: 0.1,
            result_bytes: result_bytes.clamp(2_000, 64_000),
        }
    }
}

/// A conversation.
#[derive(Clone, Debug)]
pub struct Chat {
    settings: ChatSettings,
    toolbox: Toolbox,
    discovery: bool,
    system_prompt: String,
    tools: Vec<SamplingTool>,
    messages: Vec<SamplingMessage>,
    remembered: BTreeSet<(ServerName, String)>,
    state: State,
    /// How many rounds of tools this turn had.
    rounds: u32,
    /// Tool uses of the last reply that are still to come.
    queue: VecDeque<Wanted>,
    /// Results of the last reply's tool uses.
    results: Vec<Content>,
}

#[derive(Clone, Debug, PartialEq)]
enum State {
    /// It is the person's turn.
    Idle,
    /// The model works.
    Thinking,
    /// The person decides about this call.
    Deciding(ToolCall),
    /// This call is under way; the note is for the model, in front of the result.
    Calling(ToolCall, Option<String>),
}

/// A tool use of the model's.
#[derive(Clone, Debug)]
struct Wanted {
    id: String,
    name: String,
    input: Map<String, Value>,
}

impl Chat {
    /// A conversation in which nothing has been said.
    pub fn new(settings: ChatSettings, toolbox: Toolbox, notes: &[ServerNotes]) -> Chat {
        let discovery = discovery::is_needed(&toolbox, settings.context, settings.share);
        let tools = match (settings.takes_tools, discovery) {
            (false, _) => Vec::new(),
            (true, true) => discovery::definitions(),
            (true, false) => toolbox.definitions(),
        };
        Chat {
            system_prompt: briefing::system_prompt(
                &settings.today,
                notes,
                (discovery && settings.takes_tools).then_some(&toolbox),
            ),
            settings,
            toolbox,
            discovery,
            tools,
            messages: Vec::new(),
            remembered: BTreeSet::new(),
            state: State::Idle,
            rounds: 0,
            queue: VecDeque::new(),
            results: Vec::new(),
        }
    }

    /// Whether the model has to look for the tools instead of being told of all.
    pub fn discovers(&self) -> bool {
        self.discovery && self.settings.takes_tools
    }

    /// What is known of a tool.
    pub fn tool(&self, server: &ServerName, tool: &str) -> Option<&ChatTool> {
        self.toolbox.iter().map(|(_, found)| found).find(|found| found.server == *server && found.name == tool)
    }

    /// What the model will be told of a call that ended: the text, whether it is an error, and how many bytes are left out.
    pub fn outcome(&self, input: &Input) -> (String, bool, usize) {
        let output = match input {
            Input::Returned { result, .. } => ToolOutput::of(result, self.settings.result_bytes),
            Input::Failed { message, .. } => ToolOutput::failed(message.clone(), self.settings.result_bytes),
            _ => ToolOutput::error(String::new()),
        };
        (output.text, output.is_error, output.left_out)
    }

    /// Takes in what happened. What comes too late, or for another call than the one at hand, is of no effect.
    pub fn handle(&mut self, input: Input) -> Vec<Effect> {
        match (input, std::mem::replace(&mut self.state, State::Idle)) {
            (Input::Said(text), State::Idle) => self.said(text),
            (Input::Replied(reply), State::Thinking) => self.replied(reply),
            (Input::ModelFailed, State::Thinking) => self.end(TurnEnd::ModelFailed),
            (Input::Stopped, state) => self.stopped(state),
            (Input::Allowed { id, arguments, by, remember }, State::Deciding(call)) if id == call.id => {
                self.allowed(call, arguments, by, remember)
            }
            (Input::Declined { id, reason, by }, State::Deciding(call)) if id == call.id => {
                self.declined(call, reason, by)
            }
            (Input::Returned { id, result }, State::Calling(call, note)) if id == call.id => {
                let mut output = ToolOutput::of(&result, self.settings.result_bytes);
                if let Some(note) = note {
                    output.text = format!("{note}\n\n{}", output.text);
                }
                self.answered(id, output)
            }
            (Input::Failed { id, message }, State::Calling(call, _)) if id == call.id => {
                let output = ToolOutput::failed(message, self.settings.result_bytes);
                self.answered(id, output)
            }
            (_, state) => {
                self.state = state;
                Vec::new()
            }
        }
    }

    fn said(&mut self, text: String) -> Vec<Effect> {
        self.rounds = 0;
        self.messages.push(SamplingMessage { role: Role::User, content: vec![Content::Text(text.clone())] });
        let mut effects = vec![Effect::Record(Entry::Said { text })];
        effects.extend(self.complete());
        effects
    }

    fn complete(&mut self) -> Vec<Effect> {
        self.state = State::Thinking;
        vec![Effect::Complete(Box::new(SamplingRequest {
            system_prompt: Some(self.system_prompt.clone()),
            messages: self.messages.clone(),
            max_tokens: self.settings.max_tokens,
            tools: self.tools.clone(),
            tool_choice: ToolChoice::Auto,
            model_hints: Vec::new(),
            cost_priority: None,
            speed_priority: None,
            intelligence_priority: None,
            temperature: None,
            stop_sequences: Vec::new(),
            include_context: None,
            metadata: None,
            has_context: false,
        }))]
    }

    fn replied(&mut self, reply: SamplingReply) -> Vec<Effect> {
        let mut effects = vec![Effect::Record(Entry::Replied(reply.clone()))];
        let cut = reply.stop_reason.as_deref() == Some("maxTokens");
        let mut texts = Vec::new();
        let mut content = Vec::new();
        for part in reply.content {
            match part {
                ReplyContent::Text(text) if text.is_empty() => {}
                ReplyContent::Text(text) => {
                    texts.push(text.clone());
                    content.push(Content::Text(text));
                }
                ReplyContent::ToolUse { id, name, input } => {
                    self.queue.push_back(Wanted { id: id.clone(), name: name.clone(), input: input.clone() });
                    content.push(Content::ToolUse { id, name, input });
                }
                ReplyContent::Raw(block) => content.push(Content::Text(block.to_string())),
            }
        }
        // A message is never empty; a reply without words leaves none.
        if !content.is_empty() {
            self.messages.push(SamplingMessage { role: Role::Assistant, content });
        }
        if self.queue.is_empty() {
            effects.extend(self.end(TurnEnd::Finished { text: texts.join("\n\n"), cut }));
        } else if self.rounds >= self.settings.rounds {
            let rounds = self.rounds;
            let why =
                format!("Not called: a turn may have {rounds} rounds of tools. The person has to say that you go on.");
            effects.extend(self.give_up(&why));
            effects.extend(self.end(TurnEnd::Capped { rounds }));
        } else {
            self.rounds += 1;
            effects.extend(self.go_on());
        }
        effects
    }

    /// The next tool use of the reply, or the model again once all have their results.
    fn go_on(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        while let Some(wanted) = self.queue.pop_front() {
            match self.resolve(&wanted) {
                Ok(call) => {
                    effects.push(Effect::AskConsent(call.clone()));
                    self.state = State::Deciding(call);
                    return effects;
                }
                Err(output) => effects.push(self.result(wanted.id, output)),
            }
        }
        self.close_round();
        effects.extend(self.complete());
        effects
    }

    /// The call that a tool use is, or what the model gets without one.
    fn resolve(&mut self, wanted: &Wanted) -> Result<ToolCall, ToolOutput> {
        let (name, arguments) = match wanted.name.as_str() {
            discovery::SEARCH if self.discovery => {
                let text = discovery::search(&self.toolbox, &wanted.input);
                return Err(ToolOutput { text, is_error: false, left_out: 0 });
            }
            discovery::DESCRIBE if self.discovery => {
                let Some((definition, text)) = discovery::describe(&self.toolbox, &wanted.input) else {
                    return Err(ToolOutput::error("There is no such tool. Find its name with find_tools."));
                };
                // From now on the model is told of it as of a tool of its own.
                if self.tools.iter().all(|tool| tool.name != definition.name) {
                    self.tools.push(definition);
                }
                let (text, left_out) = bounded(text, self.settings.result_bytes);
                return Err(ToolOutput { text, is_error: false, left_out });
            }
            name => (name, wanted.input.clone()),
        };
        let Some(tool) = self.toolbox.get(name) else {
            return Err(ToolOutput::error(format!("There is no tool {name:?}.")));
        };
        let (server, tool, claim) = (tool.server.clone(), tool.name.clone(), tool.claim);
        let remembered = self.remembered.contains(&(server.clone(), tool.clone()));
        Ok(ToolCall { id: wanted.id.clone(), server, tool, arguments, claim, remembered })
    }

    fn allowed(&mut self, call: ToolCall, arguments: Map<String, Value>, by: ConsentBy, remember: bool) -> Vec<Effect> {
        let remember = remember && may_stand(call.claim);
        if remember {
            self.remembered.insert((call.server.clone(), call.tool.clone()));
        }
        let decision = Decision::Allowed { arguments: arguments.clone(), by, remember };
        let record = Effect::Record(Entry::Decided { call: call.clone(), decision });
        let note = (arguments != call.arguments).then(|| {
            format!("[The person changed the arguments of this call to {}]", Value::Object(arguments.clone()))
        });
        let call = ToolCall { arguments, ..call };
        self.state = State::Calling(call.clone(), note);
        vec![record, Effect::Call(call)]
    }

    fn declined(&mut self, call: ToolCall, reason: Option<String>, by: ConsentBy) -> Vec<Effect> {
        let text = match (&reason, by) {
            (Some(reason), _) => format!("The person declined this call, and says: {reason}"),
            (None, ConsentBy::Rule) => "The person does not let this tool be called. Do without it.".to_owned(),
            (None, ConsentBy::Nobody) => "Nobody is there to allow this call, so it was not made.".to_owned(),
            (None, _) => "The person declined this call.".to_owned(),
        };
        let id = call.id.clone();
        let record = Effect::Record(Entry::Decided { call, decision: Decision::Declined { reason, by } });
        let mut effects = vec![record];
        effects.extend(self.answered(id, ToolOutput::error(text)));
        effects
    }

    fn answered(&mut self, id: String, output: ToolOutput) -> Vec<Effect> {
        let mut effects = vec![self.result(id, output)];
        effects.extend(self.go_on());
        effects
    }

    fn stopped(&mut self, state: State) -> Vec<Effect> {
        let (call, why) = match state {
            State::Idle => return Vec::new(),
            State::Thinking => return self.end(TurnEnd::Stopped),
            State::Deciding(call) => (call, "The person stopped here. It was not called."),
            State::Calling(call, _) => (call, "The person stopped the call. The tool may have acted all the same."),
        };
        let mut effects = vec![self.result(call.id, ToolOutput::error(why))];
        effects.extend(self.give_up("The person stopped before this was called."));
        effects.extend(self.end(TurnEnd::Stopped));
        effects
    }

    /// What is still wanted is answered with this, so that the conversation stays balanced.
    fn give_up(&mut self, why: &str) -> Vec<Effect> {
        let left = std::mem::take(&mut self.queue);
        let effects = left.into_iter().map(|wanted| self.result(wanted.id, ToolOutput::error(why))).collect();
        self.close_round();
        effects
    }

    fn close_round(&mut self) {
        let content = std::mem::take(&mut self.results);
        if !content.is_empty() {
            self.messages.push(SamplingMessage { role: Role::User, content });
        }
    }

    fn result(&mut self, id: String, output: ToolOutput) -> Effect {
        let ToolOutput { text, is_error, left_out } = output;
        let content = serde_json::json!([{"type": "text", "text": text}]);
        self.results.push(Content::ToolResult { tool_use_id: id.clone(), content, is_error });
        Effect::Record(Entry::Answered { id, text, is_error, left_out })
    }

    fn end(&mut self, end: TurnEnd) -> Vec<Effect> {
        self.state = State::Idle;
        vec![Effect::Record(Entry::Ended(end.clone())), Effect::End(end)]
    }
}

#[cfg(test)]
mod tests;
