//! List whose `]` was forgotten. The parser complains only about the setting or section below it, which it takes for an item.

use super::parser::assignment;
use toml::de::DeTable;

/// List that was left open.
pub(super) struct OpenList {
    /// Offset at which it begins.
    pub(super) begin: usize,
    /// Line before which the `]` is missing, counted from 1; `None` if the list goes to the end of the file.
    pub(super) before: Option<usize>,
}

impl OpenList {
    /// Sentence about the line in which the list begins.
    pub(super) fn sentence(&self) -> String {
        match self.before {
            Some(line) => format!("close this list with ], before line {line}"),
            None => "close the list with ]".into(),
        }
    }
}

/// The open list that is the likely cause of a mistake at this offset. `message` is the parser's.
pub(super) fn open_list(text: &str, offset: usize, message: &str) -> Option<OpenList> {
    let mut scan = Scan::default();
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if start > offset {
            break;
        }
        if let Some(begin) = scan.list().filter(|_| begins(line.trim()))
            && is_mended(text, start, number)
        {
            return Some(OpenList { begin, before: Some(number + 1) });
        }
        scan.take(line, start);
        start += line.len();
    }
    let begin = scan.list().filter(|_| message.starts_with("unclosed array") && start >= text.len())?;
    Some(OpenList { begin, before: None })
}

/// Whether a line looks like a setting or the header of a section.
fn begins(line: &str) -> bool {
    let name = |text: &str| {
        let plain = text.chars().all(|letter| letter.is_alphanumeric() || "_-.:\"'".contains(letter));
        plain && text.chars().any(char::is_alphanumeric)
    };
    match line.strip_prefix('[') {
        Some(rest) => rest.trim_start_matches('[').split_once(']').is_some_and(|(header, _)| name(header.trim())),
        None => assignment(line).is_some_and(|(key, _)| name(key)),
    }
}

/// Whether a `]` above the line at this offset makes it a good one. The end of the list further below would be a mistake then, so it is not what is missing.
fn is_mended(text: &str, start: usize, number: usize) -> bool {
    let (above, below) = text.split_at(start);
    let mended = format!("{above}]\n{below}");
    let Err(error) = DeTable::parse(&mended) else { return true };
    let Some(span) = error.span() else { return false };
    let at = mended[..span.start].matches('\n').count();
    // The added line pushes the others down.
    let line = mended.lines().nth(at).unwrap_or_default().trim_start();
    at > number + 1 && !line.starts_with([']', '}'])
}

/// Lists and tables that are open where the text was read to.
#[derive(Default)]
pub(super) struct Scan {
    /// Bracket and offset of each, the innermost last.
    open: Vec<(char, usize)>,
    /// Quotes that end the text of several lines in which it is.
    quotes: Option<&'static str>,
    /// Whether a quote is missing, so that brackets can't be told from texts.
    unclear: bool,
}

impl Scan {
    /// Reads a whole text.
    pub(super) fn of(text: &str) -> Scan {
        let mut scan = Scan::default();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            scan.take(line, start);
            start += line.len();
        }
        scan
    }

    /// Bracket and offset of the innermost list or table.
    pub(super) fn innermost(&self) -> Option<(char, usize)> {
        self.open.last().copied()
    }

    /// Offset of the innermost list, if no table in it is open.
    fn list(&self) -> Option<usize> {
        let (bracket, begin) = self.open.last().filter(|_| self.quotes.is_none() && !self.unclear)?;
        (*bracket == '[').then_some(*begin)
    }

    /// Reads one line, which begins at this offset.
    fn take(&mut self, line: &str, start: usize) {
        // The brackets of a section's header open nothing.
        if self.open.is_empty() && self.quotes.is_none() && line.trim_start().starts_with('[') {
            return;
        }
        let mut at = 0;
        while let Some(letter) = line[at..].chars().next() {
            let rest = &line[at..];
            let step = match self.quotes {
                Some(quotes) if rest.starts_with(quotes) => {
                    self.quotes = None;
                    quotes.len()
                }
                Some("\"\"\"") if letter == '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                Some(_) => letter.len_utf8(),
                None => match letter {
                    '#' => return,
                    '"' | '\'' => self.quote(rest, letter),
                    '[' | '{' => {
                        self.open.push((letter, start + at));
                        1
                    }
                    ']' | '}' => {
                        self.open.pop();
                        1
                    }
                    _ => letter.len_utf8(),
                },
            };
            at += step;
        }
    }

    /// Length of the text in quotes that begins here, or of its opening quotes if it may have several lines.
    fn quote(&mut self, rest: &str, quote: char) -> usize {
        for quotes in ["\"\"\"", "'''"] {
            if rest.starts_with(quotes) {
                self.quotes = Some(quotes);
                return quotes.len();
            }
        }
        let mut escaped = false;
        let mut letters = rest.char_indices();
        // The quote that begins the text.
        letters.next();
        for (at, letter) in letters {
            match letter {
                _ if escaped => escaped = false,
                '\\' if quote == '"' => escaped = true,
                _ if letter == quote => return at + 1,
                _ => {}
            }
        }
        self.unclear = true;
        rest.len()
    }
}

#[cfg(test)]
mod tests {
    use crate::config::parser::tests::mistake;

    const CHAIN: &str = "[[chains]]\nid = \"eip155:1\"\n";

    #[test]
    fn a_list_without_its_end_is_told_at_its_first_line() {
        for (text, told) in [
            (
                format!("{CHAIN}upstreams = [\"http://x\"\nexplorer = \"http://y\"\n"),
                "3: close this list with ], before line 4.",
            ),
            (
                format!("{CHAIN}upstreams = [\"http://x\",\nexplorer = \"http://y\"\n"),
                "3: close this list with ], before line 4.",
            ),
            (
                "trusted_proxies = [\"127.0.0.1\" # [ours\n\nlog = \"info\"\n".into(),
                "1: close this list with ], before line 3.",
            ),
            (
                "admin_from = [\n  \"10.0.0.0/8\",\n\n[relay]\nenabled = true\n".into(),
                "1: close this list with ], before line 4.",
            ),
            (
                "admin_from = [\n  \"10.0.0.0/8\"\n\n[relay]\nenabled = true\n".into(),
                "1: close this list with ], before line 4.",
            ),
            (
                format!("log = \"info\"\nadmin_from = [\n  '10.0.0.0/8'\n{CHAIN}upstreams = []\n"),
                "2: close this list with ], before line 4.",
            ),
            (
                format!("{CHAIN}upstreams = [{{ url = \"http://x\", rps = 5 }}\n[[chains]]\n"),
                "3: close this list with ], before line 4.",
            ),
            (
                "admin_from = [\n[swap.onchain.\"eip155:100\"]\nwrapped = \"0x0\"\n".into(),
                "1: close this list with ], before line 2.",
            ),
            // The next setting is a list of several lines, and one further below has a mistake of its own.
            (
                "admin_from = [\"::1\"\nrpc.methods = [\n  \"a\",\n]\nlog = off\n".into(),
                "1: close this list with ], before line 2.",
            ),
            ("admin_from = [\n  \"10.0.0.0/8\",\n".into(), "1: close the list with ]."),
        ] {
            assert_eq!(mistake(&text), format!("portico.toml, line {told}"), "{text}");
        }
    }

    #[test]
    fn a_list_that_ends_further_below_is_not_told_to_be_open() {
        let table = "write each table of a list in { }, as in { url = \"https://node.example\", rps = 5 }.";
        for (text, told) in [
            (format!("{CHAIN}upstreams = [\n  url = \"http://x\"\n]\n"), &*format!("4: {table}")),
            (format!("{CHAIN}upstreams = [{{ url = \"http://x\" }},\n  rps = 5 }}]\n"), &format!("4: {table}")),
            (
                format!("{CHAIN}upstreams = [\n  \"http://x\"\n  \"http://y\"\n]\n"),
                "5: put a comma between the items of the list.",
            ),
            // A text with = is no setting.
            (
                format!("{CHAIN}upstreams = [\n  \"http://x\"\n  \"http://y/?a = b\"\n]\n"),
                "5: put a comma between the items of the list.",
            ),
        ] {
            assert_eq!(mistake(&text), format!("portico.toml, line {told}"), "{text}");
        }
    }

    #[test]
    fn brackets_in_texts_and_comments_begin_no_list() {
        for value in ["\"a [\"", "'a [\\'", "\"a \\\" [\"", "\"\"\"\n[\n\"\"\"", "'''\n[\n'''", "\"a\" # ["] {
            let text = format!("log = {value}\nlisten = off\n");
            let line = 2 + value.matches('\n').count();
            let told = format!("portico.toml, line {line}: use true or false: listen = false.");
            assert_eq!(mistake(&text), told, "{text}");
        }
    }
}
