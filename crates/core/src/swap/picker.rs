//! The list from which the visitor chooses a token.

use super::Target;
use super::tokens::{Joined, PAGE};

/// State of the token list.
#[derive(Debug)]
pub struct Picker {
    /// Side that a token is chosen for.
    pub target: Target,
    pub search: String,
    /// The chain's list, matched with the account's tokens.
    pub joined: Joined,
    /// Number of rows sent to the views.
    pub rows: usize,
    /// Whether the row of hidden tokens is open.
    pub revealed: bool,
    /// Counter of changes to the view.
    pub revision: u32,
}

impl Default for Picker {
    fn default() -> Picker {
        Picker {
            target: Target::default(),
            search: String::new(),
            joined: Joined::default(),
            rows: PAGE,
            revealed: false,
            revision: 0,
        }
    }
}

impl Picker {
    /// Shows the first rows of another side or search.
    pub fn show(&mut self, target: Target, search: String) {
        (self.target, self.search, self.rows) = (target, search, PAGE);
        self.revision += 1;
    }
}
