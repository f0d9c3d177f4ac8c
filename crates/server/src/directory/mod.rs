//! The wallet directory: which wallets there are, how they are found.
//!
//! The data is committed in `crates/server/directory` with where it comes from. Here it is parsed once, and searched in memory: a
//! thousand wallets are few enough to look at each for every request.

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

/// The wallets that come with the server.
const BUNDLED: &str = include_str!("../../directory/wallets.json");

/// The wallets a visitor can find, in the order in which they are listed.
#[derive(Clone, Debug)]
pub struct Directory {
    wallets: Vec<Wallet>,
    index: Index,
}

/// What a request found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<'a> {
    /// How many there are on all pages together.
    pub count: usize,
    /// Those of the page that was asked for.
    pub wallets: Vec<&'a Wallet>,
}

/// Why a list of wallets is not a directory.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    /// Not a list, or something in it that is no wallet.
    #[error("line {line}: {sentence}")]
    At {
        /// Counted from 1.
        line: usize,
        /// What is wrong there.
        sentence: String,
    },
    /// Two wallets of one id.
    #[error("two wallets have the id `{0}`")]
    Twice(String),
}

impl Directory {
    /// The directory that comes with the server.
    ///
    /// # Panics
    ///
    /// When the committed data is not a directory, which a test keeps from happening.
    pub fn bundled() -> Directory {
        Directory::parse(BUNDLED).expect("the committed directory is one")
    }

    /// A directory written as the JSON list of its wallets.
    pub fn parse(text: &str) -> Result<Directory, DirectoryError> {
        let records: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| at(1, &error))?;
        let wallets = records
            .into_iter()
            .map(|record| serde_json::from_str(record.get()).map_err(|error| at(line_of(text, record.get()), &error)));
        Directory::new(wallets.collect::<Result<_, _>>()?)
    }

    /// The directory of these wallets, in their order.
    pub fn new(mut wallets: Vec<Wallet>) -> Result<Directory, DirectoryError> {
        let mut ids = HashSet::new();
        if let Some(twice) = wallets.iter().find(|wallet| !ids.insert(wallet.id.to_lowercase())) {
            return Err(DirectoryError::Twice(twice.id.clone()));
        }
        wallets.sort_by_key(|wallet| wallet.order);
        Ok(Directory { index: Index::of(&wallets), wallets })
    }

    /// All wallets, in their order.
    pub fn wallets(&self) -> &[Wallet] {
        &self.wallets
    }

    /// The wallets that a request asks for: the nearest to the search first, and the first of the directory among equally near.
    pub fn find(&self, query: &Query) -> Found<'_> {
        self.counted(query).0
    }

    /// The same, with how much was compared for it.
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
        // The sort is stable, so that equally near wallets stay in their order.
        matches.sort_by_key(|(rank, _)| *rank);
        let wallets = matches.iter().skip(query.page.offset()).take(query.page.entries()).map(|(_, wallet)| *wallet);
        (Found { count: matches.len(), wallets: wallets.collect() }, work)
    }
}

/// On which line of a text a piece of it begins.
fn line_of(text: &str, piece: &str) -> usize {
    let before = (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    1 + text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count()
}

/// What is wrong with a text that begins on this line.
fn at(line: usize, error: &serde_json::Error) -> DirectoryError {
    DirectoryError::At { line: line + error.line().saturating_sub(1), sentence: without_place(error) }
}

/// What is wrong, without the place within the text: that is told as the line of the whole.
fn without_place(error: &serde_json::Error) -> String {
    let mut sentence = error.to_string();
    if let Some(place) = sentence.rfind(" at line ") {
        sentence.truncate(place);
    }
    sentence
}
