//! Mistakes in a configuration, with their locations.

use std::fmt;
use std::path::PathBuf;

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

impl Mistake {
    /// Whether it is a mistake at this place.
    pub(super) fn is_at(&self, place: &SettingSource) -> bool {
        self.place == *place
    }

    pub(super) fn new(place: SettingSource, sentence: impl Into<String>) -> Mistake {
        Mistake { place, sentence: sentence.into() }
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

/// Text with a full stop, unless it ends in one already, or in a question.
pub(crate) fn ended(text: &str) -> String {
    if text.ends_with(['.', '?']) { text.to_owned() } else { format!("{text}.") }
}
