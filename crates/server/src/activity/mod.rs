//! What an account did: pieces that sources tell, put together to transactions, in pages that begin where the last one ended.

mod classify;
mod compose;
mod cursor;
mod merge;
mod piece;
mod time;

pub(crate) use compose::{Of, compose};
pub(crate) use cursor::{Cursor, Places, Track};
pub(crate) use merge::{Leaf, Params, Stream, page};
pub(crate) use piece::{Moved, Paid, Piece, SignedCall, Thing, What};
pub(crate) use time::{rfc3339, written};

/// A page of anything, and where the next begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page<T> {
    /// At most [`ROWS`].
    pub(crate) rows: Vec<T>,
    /// In the source's own words; nothing after the last page.
    pub(crate) next: Option<String>,
}

/// How many rows a page has.
pub(crate) const ROWS: usize = 50;
