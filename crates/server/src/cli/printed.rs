//! Sentences of commands that fail.

use crate::config::{Mistake, ended};
use std::fmt::Display;
use std::path::Path;

/// Error of a command that was already printed.
pub(super) struct Printed;

pub(super) fn print(mistakes: Vec<Mistake>) -> Printed {
    for mistake in mistakes {
        remark!("{mistake}");
    }
    Printed
}

/// Sentence about a file to write whose folder is missing.
pub(super) fn no_folder(file: &Path) -> String {
    let folder = file.parent().unwrap_or(Path::new("."));
    format!("The folder {} doesn't exist. Create it first.", folder.display())
}

/// Sentence that follows no place, so it starts with a capital letter.
pub(super) fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

pub(super) fn tell(sentence: impl Display) -> Printed {
    remark!("{}", ended(&sentence.to_string()));
    Printed
}
