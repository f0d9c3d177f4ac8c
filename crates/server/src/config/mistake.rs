//! What is wrong with a configuration, and where.

use std::fmt;
use std::path::PathBuf;

/// One mistake: a place and a sentence.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mistake {
    place: SettingSource,
    sentence: String,
}

/// Where a setting came from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SettingSource {
    /// The file as a whole.
    File(PathBuf),
    /// A line of the file, counted from 1.
    Line(PathBuf, usize),
    /// A variable of the environment.
    Variable(String),
    /// A flag of the command line.
    Flag(&'static str),
    /// Nobody set it.
    Default(&'static str),
}

impl Mistake {
    pub(super) fn new(place: SettingSource, sentence: impl Into<String>) -> Mistake {
        Mistake { place, sentence: sentence.into() }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}.", self.place, self.sentence)
    }
}

impl fmt::Display for SettingSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingSource::File(path) => write!(formatter, "{}", path.display()),
            SettingSource::Line(path, line) => write!(formatter, "{}, line {line}", path.display()),
            SettingSource::Variable(name) => formatter.write_str(name),
            SettingSource::Flag(name) => formatter.write_str(name),
            SettingSource::Default(name) => write!(formatter, "the default of `{name}`"),
        }
    }
}
