//! History of an account: pieces from sources, combined into transactions, in pages with a cursor.

mod approved;
mod classify;
mod compose;
mod cursor;
mod merge;
mod named;
mod net;
mod piece;
mod time;

pub(crate) use approved::approved;
pub(crate) use compose::{Of, compose};
pub(crate) use cursor::{Cursor, Places, Track};
pub(crate) use merge::{Leaf, Params, Stream, page};
pub(crate) use named::name_contract;
pub(crate) use net::doubt_coin;
pub(crate) use piece::{Approved, Moved, MovedAsset, Paid, Piece, PieceContent, SignedCall};
pub(crate) use time::{rfc3339, written};

/// Page of a list, with the position of the next one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page<T> {
    /// At most [`ROWS`].
    pub(crate) rows: Vec<T>,
    /// Position of the next page in the source's own format; `None` after the last page.
    pub(crate) next: Option<String>,
}

/// Rows per page.
pub(crate) const ROWS: usize = 50;
