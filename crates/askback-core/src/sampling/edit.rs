//! A request as text that a person edits in an editor of theirs, and back.
//!
//! Owns the format and what of a request is a person's to change: the system prompt, the texts of messages, the limit of the reply (downwards),
//! temperature and stop sequences; tools, attachments and texts may be left out. Calls of tools and their results are shown and stay. Must
//! not know editors or files, and has no words for the person: a caller puts explanations above as comments.
//!
//! ```text
//! # comments, up to the first section
//! max-tokens: 500
//! temperature: 0.7
//! stop: "END"
//! tool: "search"
//!
//! === system
//! Be brief.
//!
//! === 1.1 user text
//! Which flight is best?
//!
//! === 1.2 user image image/png
//! ```
//!
//! A section holds its text as it is. Its heading begins with more equals signs than any line of the request, so that nothing a server
//! writes can be read as a heading.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Content, SamplingMessage, SamplingRequest, ToolChoice};

/// Why an edited text is no request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct EditError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: EditProblem,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditProblem {
    /// Above the sections there are only settings.
    #[error("{0:?} is no setting")]
    UnknownSetting(String),
    /// A setting may be there once.
    #[error("{0} is set twice")]
    SetTwice(&'static str),
    /// A number is wanted, from 1 to what the server asked for.
    #[error("max-tokens is to be a whole number from 1 to {most}")]
    MaxTokens {
        /// What the server asked for.
        most: u64,
    },
    /// A number is wanted that is not negative.
    #[error("temperature is to be a number of at least 0")]
    Temperature,
    /// A text in quotation marks is wanted, as JSON writes it.
    #[error("{0:?} is no text in quotation marks")]
    Quotes(String),
    /// Tools may be left out, but none be added.
    #[error("the server offers no tool {0:?}")]
    UnknownTool(String),
    /// Sections may be left out, but none be added.
    #[error("the request has no section {0:?}")]
    UnknownSection(String),
    /// A section may be there once.
    #[error("the section {0:?} is there twice")]
    SectionTwice(String),
    /// Calls of tools and their results stay as they are.
    #[error("the section {0:?} cannot be changed or left out")]
    Fixed(String),
    /// Nothing would be left to send.
    #[error("no message is left")]
    Empty,
}

impl SamplingRequest {
    /// The request as text to edit, below these lines of comment.
    pub fn to_edit(&self, comments: &[&str]) -> String {
        let fence = fence(self);
        let mut text = String::new();
        for line in comments.iter().flat_map(|comment| comment.lines()) {
            text.push_str("# ");
            text.push_str(line);
            text.push('\n');
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "max-tokens: {}", self.max_tokens);
        let temperature = self.temperature.map(|temperature| format!(" {temperature}")).unwrap_or_default();
        let _ = writeln!(text, "temperature:{temperature}");
        for sequence in &self.stop_sequences {
            let _ = writeln!(text, "stop: {}", quoted(sequence));
        }
        for tool in &self.tools {
            let _ = writeln!(text, "tool: {}", quoted(&tool.name));
        }
        text.push('\n');
        let system = ("system".to_owned(), self.system_prompt.clone().unwrap_or_default());
        for (heading, body) in
            std::iter::once(system).chain(sections(self).map(|(_, _, heading, body)| (heading, body)))
        {
            let _ = write!(text, "{fence} {heading}\n{body}\n\n");
        }
        text
    }

    /// The request as the person has edited it.
    ///
    /// # Errors
    /// The first line that cannot be understood, or that changes what is not the person's to change.
    pub fn from_edit(&self, text: &str) -> Result<SamplingRequest, EditError> {
        let fence = format!("{} ", fence(self));
        let mut lines = Lines { text, line: 0 };
        let settings = Settings::read(&mut lines, &fence, self)?;
        let mut written = read_sections(lines, &fence)?;
        let last_line = text.lines().count().max(1);
        let mut request = SamplingRequest { messages: Vec::new(), ..settings.apply(self) };
        request.system_prompt = match written.remove("system") {
            Some((_, prompt)) if !prompt.is_empty() || self.system_prompt.as_deref() == Some("") => Some(prompt),
            _ => None,
        };
        let mut messages: Vec<SamplingMessage> =
            self.messages.iter().map(|message| SamplingMessage { role: message.role, content: Vec::new() }).collect();
        for (message, part, heading, body) in sections(self) {
            let content = &self.messages[message].content[part];
            let edited = written.remove(&heading);
            let at = |line: Option<usize>, problem| EditError { line: line.unwrap_or(last_line), problem };
            let kept = match (content, edited) {
                (Content::Text(_), Some((_, edited))) => Content::Text(edited),
                (Content::Image(_) | Content::Audio(_), Some(_)) => content.clone(),
                (Content::Text(_) | Content::Image(_) | Content::Audio(_), None) => continue,
                (Content::ToolUse { .. } | Content::ToolResult { .. }, edited) => match edited {
                    Some((_, edited)) if edited.trim() == body.trim() => content.clone(),
                    other => return Err(at(other.map(|(line, _)| line), EditProblem::Fixed(heading))),
                },
            };
            messages[message].content.push(kept);
        }
        if let Some((heading, (line, _))) = written.into_iter().min_by_key(|(_, (line, _))| *line) {
            return Err(EditError { line, problem: EditProblem::UnknownSection(heading) });
        }
        messages.retain(|message| !message.content.is_empty());
        if messages.is_empty() {
            return Err(EditError { line: last_line, problem: EditProblem::Empty });
        }
        request.messages = messages;
        Ok(request)
    }
}

/// The parts of all messages: message, part, heading and body.
fn sections(request: &SamplingRequest) -> impl Iterator<Item = (usize, usize, String, String)> + '_ {
    request.messages.iter().enumerate().flat_map(|(message, said)| {
        said.content.iter().enumerate().map(move |(part, content)| {
            let (kind, body) = describe(content);
            let heading = format!("{}.{} {} {kind}", message + 1, part + 1, said.role.as_str());
            // An editor may take away spaces at the end of a line.
            (message, part, heading.trim_end().to_owned(), body)
        })
    })
}

/// What a heading says of a part, and what stands below it.
fn describe(content: &Content) -> (String, String) {
    // A media type is the server's text, and a heading is one line.
    let media = |kind: &str, mime: &str| (format!("{kind} {}", mime.escape_debug()), String::new());
    match content {
        Content::Text(text) => ("text".into(), text.clone()),
        Content::Image(image) => media("image", &image.mime_type),
        Content::Audio(audio) => media("audio", &audio.mime_type),
        Content::ToolUse { name, input, .. } => {
            (format!("tool call {}", quoted(name)), serde_json::Value::Object(input.clone()).to_string())
        }
        Content::ToolResult { content, .. } => ("tool result".into(), content.to_string()),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Equals signs, at least three, and more than at the beginning of any line of the request's texts.
fn fence(request: &SamplingRequest) -> String {
    let run = |line: &str| line.bytes().take_while(|byte| *byte == b'=').count();
    let longest = |text: &str| text.split('\n').map(run).max().unwrap_or(0);
    let bodies = sections(request).map(|(_, _, _, body)| longest(&body)).max().unwrap_or(0);
    let system = request.system_prompt.as_deref().map_or(0, longest);
    "=".repeat(bodies.max(system).max(2) + 1)
}

/// Lines with their numbers; what remains is kept whole.
struct Lines<'t> {
    text: &'t str,
    line: usize,
}

impl<'t> Lines<'t> {
    fn next(&mut self) -> Option<&'t str> {
        if self.text.is_empty() {
            return None;
        }
        let (line, rest) = self.text.split_once('\n').unwrap_or((self.text, ""));
        self.text = rest;
        self.line += 1;
        Some(line)
    }
}

#[derive(Default)]
struct Settings {
    max_tokens: Option<u64>,
    temperature: Option<Option<f64>>,
    stop_sequences: Vec<String>,
    tools: Vec<String>,
}

impl Settings {
    /// Reads what stands above the first section, and leaves that section's heading to be read.
    fn read(lines: &mut Lines<'_>, fence: &str, asked: &SamplingRequest) -> Result<Settings, EditError> {
        let mut settings = Settings::default();
        while !lines.text.starts_with(fence) {
            let Some(line) = lines.next() else { break };
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            settings.read_line(line, asked).map_err(|problem| EditError { line: lines.line, problem })?;
        }
        Ok(settings)
    }

    fn read_line(&mut self, line: &str, asked: &SamplingRequest) -> Result<(), EditProblem> {
        let (name, value) = line.split_once(':').ok_or_else(|| EditProblem::UnknownSetting(line.to_owned()))?;
        let value = value.trim();
        let text = || serde_json::from_str::<String>(value).map_err(|_| EditProblem::Quotes(value.to_owned()));
        match name.trim() {
            "max-tokens" => {
                let most = asked.max_tokens;
                let count = value.parse().ok().filter(|count| (1..=most).contains(count));
                set_once(&mut self.max_tokens, count.ok_or(EditProblem::MaxTokens { most })?, "max-tokens")
            }
            "temperature" if value.is_empty() => set_once(&mut self.temperature, None, "temperature"),
            "temperature" => {
                let asked = asked.temperature;
                let known = |number: &f64| number.is_finite() && (*number >= 0.0 || Some(*number) == asked);
                let number = value.parse::<f64>().ok().filter(known).ok_or(EditProblem::Temperature)?;
                set_once(&mut self.temperature, Some(number), "temperature")
            }
            "stop" => {
                self.stop_sequences.push(text()?);
                Ok(())
            }
            "tool" => {
                let tool = text()?;
                if !asked.tools.iter().any(|known| known.name == tool) {
                    return Err(EditProblem::UnknownTool(tool));
                }
                self.tools.push(tool);
                Ok(())
            }
            other => Err(EditProblem::UnknownSetting(other.to_owned())),
        }
    }

    fn apply(self, asked: &SamplingRequest) -> SamplingRequest {
        let mut request = asked.clone();
        request.max_tokens = self.max_tokens.unwrap_or(asked.max_tokens);
        request.temperature = self.temperature.flatten();
        request.stop_sequences = self.stop_sequences;
        request.tools.retain(|tool| self.tools.contains(&tool.name));
        if request.tools.is_empty() && !asked.tools.is_empty() {
            // Without tools no call of one can be demanded.
            request.tool_choice = ToolChoice::Auto;
        }
        request
    }
}

fn set_once<T>(setting: &mut Option<T>, value: T, name: &'static str) -> Result<(), EditProblem> {
    match setting.replace(value) {
        None => Ok(()),
        Some(_) => Err(EditProblem::SetTwice(name)),
    }
}

/// The sections by heading, with the line of the heading and the body.
fn read_sections(mut lines: Lines<'_>, fence: &str) -> Result<BTreeMap<String, (usize, String)>, EditError> {
    let mut sections = BTreeMap::new();
    while let Some(heading) = lines.next() {
        let line = lines.line;
        let heading = heading.strip_prefix(fence).unwrap_or_default().trim().to_owned();
        let start = lines.text;
        while !lines.text.starts_with(fence) && lines.next().is_some() {}
        let body = &start[..start.len() - lines.text.len()];
        if sections.insert(heading.clone(), (line, body_text(body).to_owned())).is_some() {
            return Err(EditError { line, problem: EditProblem::SectionTwice(heading) });
        }
    }
    Ok(sections)
}

/// The body without the line break that ends it, and without the empty line that follows, which some editors take away at the end of a file.
fn body_text(body: &str) -> &str {
    let text = body.strip_suffix('\n').unwrap_or(body);
    text.strip_suffix('\n').unwrap_or(text)
}

#[cfg(test)]
mod tests;
