//! Requests to third parties, such as explorers, price services and exchanges: fetching with a limit on the size, reading of what they answer, and
//! keeping of what was fetched.

mod fetch;
pub(crate) mod kept;
pub(crate) mod loose;

use crate::outbound::ConnectFault;
use futures_util::future::BoxFuture;

pub(crate) use fetch::{fetch, fetch_made, fetch_text};

/// Future of a source's response.
pub(crate) type SourceAnswer<'a, T> = BoxFuture<'a, Result<T, Fault>>;

/// Error of a source. Never contains the requested URL, because URLs may contain keys.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fault {
    /// The source does not support this chain; no request was sent.
    NotServed,
    /// The connection could not be opened.
    Unopened(ConnectFault),
    /// The connection broke off, or every way to the source failed.
    Unreachable,
    /// Timeout.
    Silent,
    /// Unexpected HTTP status.
    Status(u16),
    /// The response exceeds the size limit.
    TooLong,
    /// The response is malformed.
    Nonsense,
    /// The cursor is not one of this source.
    Cursor,
}
