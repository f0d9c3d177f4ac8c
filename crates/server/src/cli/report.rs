//! Lines of `portico doctor` and `portico vault doctor`.

use super::printed::{Printed, tell};
use crate::config::ended;
use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::io::{Write, stdout};

/// Printed report, with the number of its problems and notes.
#[derive(Default)]
pub(super) struct Report {
    wrong: Cell<usize>,
    notes: Cell<usize>,
    /// Parts that are off, with the settings that turn them on.
    off: RefCell<Vec<String>>,
}

impl Report {
    pub(super) fn ok(&self, what: &str, said: impl Display) {
        self.line("ok", what, said);
    }

    /// Remembers a part that is off, and what to set to turn it on; all of them are one line.
    pub(super) fn off(&self, what: &str, setting: impl Display) {
        self.off.borrow_mut().push(format!("{what} ({setting})"));
    }

    pub(super) fn note(&self, what: &str, said: impl Display) {
        self.notes.update(|count| count + 1);
        self.line("note", what, said);
    }

    pub(super) fn wrong(&mut self, what: &str, said: impl Display) {
        self.wrong.update(|count| count + 1);
        self.line("wrong", what, said);
    }

    /// Prints what is off, and how much was found; an error if a check failed.
    pub(super) fn end(self) -> Result<(), Printed> {
        let off = self.off.take();
        if !off.is_empty() {
            self.ok("off", format!("{}. To turn one on, set what is in its brackets.", off.join(", ")));
        }
        let (wrong, notes) = (self.wrong.get(), self.notes.get());
        // The reader may close the pipe, as `head` does after its lines.
        let _ = writeln!(stdout(), "{}", counted(wrong, notes));
        if wrong > 0 { Err(tell("Fix the lines that start with `wrong`, then run this again")) } else { Ok(()) }
    }

    fn line(&self, word: &str, what: &str, said: impl Display) {
        // The reader may close the pipe, as `head` does after its lines.
        let _ = writeln!(stdout(), "{word:<6} {what}: {}", styled(&said.to_string()));
    }
}

/// First words of errors that are sentences elsewhere; names keep their capital letters.
const BEGINNINGS: [&str; 9] = ["A", "Another", "Can't", "Couldn't", "No", "Other", "The", "There", "This"];

/// Text after a label: it begins with a small letter, and only two sentences or more have full stops.
fn styled(said: &str) -> String {
    let first = said.split(' ').next().unwrap_or_default();
    let said = match BEGINNINGS.contains(&first) {
        true => first.to_lowercase() + &said[first.len()..],
        false => said.to_owned(),
    };
    if said.contains(". ") || said.contains("? ") {
        return ended(&said);
    }
    said.strip_suffix('.').map(str::to_owned).unwrap_or(said)
}

/// Number of problems and notes in words.
fn counted(wrong: usize, notes: usize) -> String {
    let some = |count: usize, word: &str| match count {
        0 => None,
        1 => Some(format!("1 {word}")),
        _ => Some(format!("{count} {word}s")),
    };
    let all: Vec<String> = [some(wrong, "problem"), some(notes, "note")].into_iter().flatten().collect();
    if all.is_empty() { "No problems".into() } else { all.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_with_a_small_letter_and_have_full_stops_from_two_sentences_on() {
        for (said, told) in [
            ("The database x can't be found. Check it", "the database x can't be found. Check it."),
            ("Couldn't read it (no such file).", "couldn't read it (no such file)"),
            ("Ethereum is served", "Ethereum is served"),
            ("none yet. Add one: portico project add Shop", "none yet. Add one: portico project add Shop"),
            ("8 public keys can be used", "8 public keys can be used"),
        ] {
            assert_eq!(styled(said), told);
        }
    }

    #[test]
    fn problems_and_notes_are_counted_in_words() {
        let told = [(0, 0), (1, 0), (0, 1), (1, 2), (2, 1)].map(|(wrong, notes)| counted(wrong, notes));
        assert_eq!(told, ["No problems", "1 problem", "1 note", "1 problem, 2 notes", "2 problems, 1 note"]);
    }
}
