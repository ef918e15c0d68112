//! A line as bash reads it, up to the cursor and after it: words, quotes, and where the word begins that bash will replace.
//!
//! Bash hands over words that are broken at `=` and `:` and still quoted, so the line itself is read here. Must not know what the words mean.

/// A line with its cursor.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// The words, without quotes. The one with the cursor ends at the cursor.
    pub(crate) words: Vec<String>,
    /// Which of them has the cursor.
    pub(crate) index: usize,
    /// How many bytes of that word bash keeps when it puts in a candidate.
    pub(crate) kept: usize,
    /// The quote that is open at the cursor.
    pub(crate) quote: Option<char>,
}

/// Reads what is before and after the cursor; `breaks` are the characters at which bash breaks words, its `COMP_WORDBREAKS`.
pub(crate) fn read(before: &str, after: &str, breaks: &str) -> Line {
    let mut reader = Reader::default();
    reader.read(before, breaks);
    let (kept, quote) = (reader.kept, reader.quote);
    let index = reader.words.len();
    let at_cursor = std::mem::take(&mut reader.word);
    // The rest of the word is after the cursor and is put aside.
    reader.is_begun = true;
    reader.read(after, breaks);
    reader.end_word();
    let mut words = reader.words;
    words[index] = at_cursor;
    Line { words, index, kept, quote }
}

#[derive(Default)]
struct Reader {
    words: Vec<String>,
    word: String,
    /// Whether there is a word, be it empty.
    is_begun: bool,
    quote: Option<char>,
    is_escaped: bool,
    kept: usize,
}

impl Reader {
    fn read(&mut self, text: &str, breaks: &str) {
        for c in text.chars() {
            if self.is_escaped {
                self.is_escaped = false;
                // Within double quotes a backslash means itself before most characters.
                if self.quote == Some('"') && !matches!(c, '"' | '\\' | '$' | '`') {
                    self.word.push('\\');
                }
                self.word.push(c);
                continue;
            }
            match (c, self.quote) {
                ('\\', None | Some('"')) => {
                    self.is_escaped = true;
                    self.is_begun = true;
                }
                ('\'' | '"', None) => {
                    self.quote = Some(c);
                    self.is_begun = true;
                    self.kept = self.word.len();
                }
                (c, Some(quote)) if c == quote => {
                    self.quote = None;
                    self.kept = self.word.len();
                }
                (c, None) if c.is_whitespace() => self.end_word(),
                (c, quote) => {
                    self.word.push(c);
                    self.is_begun = true;
                    if quote.is_none() && breaks.contains(c) {
                        self.kept = self.word.len();
                    }
                }
            }
        }
    }

    fn end_word(&mut self) {
        if std::mem::take(&mut self.is_begun) {
            self.words.push(std::mem::take(&mut self.word));
        }
        self.kept = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words with the cursor in them, and what bash keeps of the word at the cursor.
    fn check(line: &str) -> (Vec<String>, String) {
        let (before, after) = line.split_once('|').unwrap();
        let mut line = read(before, after, " \t\n\"'><=;|&(:");
        let kept = line.words[line.index][..line.kept].to_owned();
        line.words[line.index].push('|');
        (line.words, kept)
    }

    #[test]
    fn words_and_quotes() {
        assert_eq!(check("askback call |").0, ["askback", "call", "|"]);
        assert_eq!(check("askback ca|ll x").0, ["askback", "ca|", "x"]);
        assert_eq!(check("a 'b c' d\\ e \"f\\\" \\g\" |").0, ["a", "b c", "d e", "f\" \\g", "|"]);
        assert_eq!(check("a '' | -- x").0, ["a", "", "|", "--", "x"]);
        assert_eq!(check("a \"b c|").0, ["a", "b c|"]);
        assert_eq!(check("|").0, ["|"]);
    }

    #[test]
    fn what_bash_keeps() {
        assert_eq!(check("askback call t city=Ro|").1, "city=");
        assert_eq!(check("askback call t n:=tr|").1, "n:=");
        assert_eq!(check("askback call t city=New\\ =Y|").1, "city=New =");
        assert_eq!(check("askback call t city=\"New =Y|").1, "city=");
        assert_eq!(check("askback read t trip://a|").1, "trip:");
        assert_eq!(check("askback call city=x |").1, "");
    }
}
