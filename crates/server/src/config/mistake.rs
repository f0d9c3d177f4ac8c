//! Mistakes in a configuration, with their locations.

use std::fmt;
use std::path::{Path, PathBuf};

/// Mistake in a configuration: a location and a sentence.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mistake {
    place: SettingSource,
    sentence: String,
}

/// Source of a setting.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SettingSource {
    /// Configuration file as a whole.
    File(PathBuf),
    /// Line of the file, counted from 1.
    Line(PathBuf, usize),
    /// Environment variable.
    Variable(String),
    /// Command-line flag.
    Flag(&'static str),
    /// Default value, or a missing setting.
    Default(&'static str),
}

impl SettingSource {
    /// Line of the file; 0 for other places.
    pub(super) fn number(&self) -> usize {
        if let SettingSource::Line(_, line) = self { *line } else { 0 }
    }
}

impl Mistake {
    /// Whether it is a mistake at this place.
    pub(super) fn is_at(&self, place: &SettingSource) -> bool {
        self.place == *place
    }

    pub(super) fn new(place: SettingSource, sentence: impl Into<String>) -> Mistake {
        Mistake { place, sentence: sentence.into() }
    }

    /// The place of the setting.
    pub(crate) fn place(&self) -> &SettingSource {
        &self.place
    }

    /// The sentence, without the location.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, ended(&self.sentence))
    }
}

impl fmt::Display for SettingSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingSource::File(path) => write!(formatter, "{}", path.display()),
            SettingSource::Line(path, line) => write!(formatter, "{}, line {line}", path.display()),
            SettingSource::Variable(name) => formatter.write_str(name),
            SettingSource::Flag(name) => formatter.write_str(name),
            SettingSource::Default(name) => write!(formatter, "`{name}`"),
        }
    }
}

/// Path for a sentence, with the folder that it is relative to: "keys/a (relative to /srv)". Relative paths start at the folder in which the command runs,
/// not at that of the configuration.
pub(crate) fn named(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    match std::env::current_dir() {
        Ok(here) if path.is_relative() => format!("{} (relative to {})", path.display(), here.display()),
        _ => path.display().to_string(),
    }
}

/// Text with a full stop, unless it ends in one already, in a question, or in a command to copy after a colon.
pub(crate) fn ended(text: &str) -> String {
    let commands = ["portico ", "aws ", "pkcs11-tool "];
    let command = text.rsplit_once(": ").is_some_and(|(_, last)| commands.iter().any(|name| last.starts_with(name)));
    if command || text.ends_with(['.', '?', '…']) { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_to_copy_ends_without_a_full_stop() {
        let texts =
            ["add it", "Add it.", "Add it?", "Add one: portico project add Shop", "Delete it: aws kms", "see: docs"]
                .map(ended);
        assert_eq!(
            texts,
            ["add it.", "Add it.", "Add it?", "Add one: portico project add Shop", "Delete it: aws kms", "see: docs."]
        );
    }
}
