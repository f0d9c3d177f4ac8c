//! What is wrong with a configuration, and where.

use std::fmt;
use std::path::PathBuf;

/// One mistake: a place and a sentence.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mistake {
    place: Place,
    sentence: String,
}

/// Where a setting came from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Place {
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
    pub(super) fn new(place: Place, sentence: impl Into<String>) -> Mistake {
        Mistake { place, sentence: sentence.into() }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}.", self.place, self.sentence)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => write!(formatter, "{}", path.display()),
            Place::Line(path, line) => write!(formatter, "{}, line {line}", path.display()),
            Place::Variable(name) => formatter.write_str(name),
            Place::Flag(name) => formatter.write_str(name),
            Place::Default(name) => write!(formatter, "the default of `{name}`"),
        }
    }
}
