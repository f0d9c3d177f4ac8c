//! Lines of `portico doctor` and `portico vault doctor`.

use super::{Printed, tell};
use std::fmt::Display;
use std::io::{Write, stdout};

/// Printed report; `wrong` is set once a check failed.
#[derive(Default)]
pub(super) struct Report {
    wrong: bool,
}

impl Report {
    pub(super) fn ok(&self, what: &str, said: impl Display) {
        self.line("ok", what, said);
    }

    pub(super) fn note(&self, what: &str, said: impl Display) {
        self.line("note", what, said);
    }

    pub(super) fn wrong(&mut self, what: &str, said: impl Display) {
        self.wrong = true;
        self.line("wrong", what, said);
    }

    /// An error if a check failed.
    pub(super) fn end(self) -> Result<(), Printed> {
        if self.wrong { Err(tell("Fix the lines that start with `wrong`, then run this again")) } else { Ok(()) }
    }

    fn line(&self, word: &str, what: &str, said: impl Display) {
        // The reader may close the pipe, as `head` does after its lines.
        let _ = writeln!(stdout(), "{word:<6} {what}: {said}");
    }
}
