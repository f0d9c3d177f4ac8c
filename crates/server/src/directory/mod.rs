//! The wallet directory: list of wallets, and search.
//!
//! The data is committed in `crates/server/directory` with its provenance. It is parsed once and searched in memory: a thousand wallets
//! are few enough to scan for every request.

mod distance;
mod fold;
pub(crate) mod import;
mod link;
mod live;
mod picture;
mod query;
mod routes;
mod search;
pub(crate) mod table;
mod wallet;

#[cfg(test)]
mod tests;

pub(crate) use live::Live;
pub(crate) use routes::router;

pub use link::{AppLink, LinkError, WebLink};
pub use query::{Page, PageError, Platform, Query};
pub use wallet::{Injected, Wallet, WalletError};

use fold::Needle;
use search::{Index, Rank};
use serde_json::value::RawValue;
use std::collections::HashSet;

/// Bundled wallets.
const BUNDLED: &str = include_str!("../../directory/wallets.json");

/// Wallets that a visitor can find, in listed order.
#[derive(Clone, Debug)]
pub struct Directory {
    wallets: Vec<Wallet>,
    index: Index,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<'a> {
    /// Number of wallets on all pages together.
    pub count: usize,
    /// Wallets of the requested page.
    pub wallets: Vec<&'a Wallet>,
}

/// Reason why a list of wallets is not a valid directory.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    /// The directory is not a list, or one of its elements is not a valid wallet.
    #[error("line {line}: {sentence}")]
    At {
        /// Line, counted from 1.
        line: usize,
        sentence: String,
    },
    /// Two wallets with the same id.
    #[error("two wallets have the id `{0}`")]
    Twice(String),
}

impl Directory {
    /// Bundled directory.
    ///
    /// # Panics
    ///
    /// If the committed data is not a valid directory, which a test prevents.
    pub fn bundled() -> Directory {
        Directory::parse(BUNDLED).expect("the bundled directory is valid")
    }

    /// Parses a directory from a JSON list of wallets.
    pub fn parse(text: &str) -> Result<Directory, DirectoryError> {
        let records: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| at(1, &error))?;
        let wallets = records
            .into_iter()
            .map(|record| serde_json::from_str(record.get()).map_err(|error| at(line_of(text, record.get()), &error)));
        Directory::new(wallets.collect::<Result<_, _>>()?)
    }

    /// Directory of these wallets, sorted by their `order`.
    pub fn new(mut wallets: Vec<Wallet>) -> Result<Directory, DirectoryError> {
        let mut ids = HashSet::new();
        if let Some(twice) = wallets.iter().find(|wallet| !ids.insert(wallet.id.to_lowercase())) {
            return Err(DirectoryError::Twice(twice.id.clone()));
        }
        wallets.sort_by_key(|wallet| wallet.order);
        Ok(Directory { index: Index::of(&wallets), wallets })
    }

    /// All wallets, in listed order.
    pub fn wallets(&self) -> &[Wallet] {
        &self.wallets
    }

    /// Wallets that match a query: the best matches first, and equal matches in the order of the directory.
    pub fn find(&self, query: &Query) -> Found<'_> {
        self.counted(query).0
    }

    /// Like [`find`](Self::find), with the number of comparisons.
    fn counted(&self, query: &Query) -> (Found<'_>, u64) {
        let needle = Needle::new(&query.search);
        let filter = query.filter();
        let mut work = 0;
        let mut matches: Vec<(Rank, &Wallet)> = Vec::new();
        for (wallet, entry) in self.wallets.iter().zip(self.index.entries()) {
            if !filter.takes(wallet, entry) {
                continue;
            }
            let rank = match &needle {
                None => Some(Rank::Exact),
                Some(needle) => entry.rank(needle, &mut work),
            };
            matches.extend(rank.map(|rank| (rank, wallet)));
        }
        // The sort is stable, so equal matches keep the order of the directory.
        matches.sort_by_key(|(rank, _)| *rank);
        let wallets = matches.iter().skip(query.page.offset()).take(query.page.entries()).map(|(_, wallet)| *wallet);
        (Found { count: matches.len(), wallets: wallets.collect() }, work)
    }
}

/// Line of `text` on which its slice `piece` begins, counted from 1.
fn line_of(text: &str, piece: &str) -> usize {
    let before = (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    1 + text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count()
}

/// Error in a record that begins on this line.
fn at(line: usize, error: &serde_json::Error) -> DirectoryError {
    DirectoryError::At { line: line + error.line().saturating_sub(1), sentence: without_place(error) }
}

/// Message without the position in the record; [`DirectoryError::At`] has the line in the whole text.
fn without_place(error: &serde_json::Error) -> String {
    let mut sentence = error.to_string();
    if let Some(place) = sentence.rfind(" at line ") {
        sentence.truncate(place);
    }
    sentence
}
