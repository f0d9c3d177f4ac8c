//! Links of mails that approve a device or confirm what a visitor does in the settings. The web tier draws their page and asks here; a GET of
//! it shows and a POST decides, so that programs that fetch links decide nothing.

use super::encoding::{decode, hash};
use super::table::Asker;
use crate::Failure;
use axum::http::StatusCode;
use portico_json::{Json, Read, parse};

/// Token of a mail.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub(crate) struct Shown {
    pub(crate) token: String,
}

/// Decision of the visitor.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub(crate) struct Decision {
    pub(crate) token: String,
    pub(crate) approve: bool,
}

/// What the page shows.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub(crate) struct Asking {
    /// "login", "export" or "change".
    pub(crate) deed: String,
    pub(crate) host: String,
    pub(crate) browser: String,
    pub(crate) place: String,
    pub(crate) number: String,
    /// BCP 47 tag of the mail's language; empty if it is not known.
    pub(crate) language: String,
    /// Beginning of the request, in epoch milliseconds.
    pub(crate) at: i64,
    /// Whether nobody decided yet.
    pub(crate) open: bool,
}

impl Asking {
    /// `good` is the time from the beginning of such a request to its end, in milliseconds.
    pub(super) fn new(deed: &str, asker: Asker, good: i64, open: bool) -> Asking {
        let Asker { host, browser, place, number, language, ends_at, .. } = asker;
        Asking { deed: deed.into(), host, browser, place, number, language, at: ends_at - good, open }
    }
}

pub(super) fn body<T: Read>(text: &str) -> Result<T, Failure> {
    let read = parse(text).ok().and_then(|value| T::read(&value).ok());
    read.ok_or_else(|| Failure::parameter("body", "Use the JSON of this path as body"))
}

/// Hash by which the row of a token is found.
pub(super) fn token_hash(token: &str) -> Result<String, Failure> {
    decode::<32>(token).map(|_| hash(token)).ok_or_else(ended)
}

/// 410: there is no row of this token any more.
pub(super) fn ended() -> Failure {
    Failure::new(StatusCode::GONE, "token", "This link has ended")
}

/// 409: somebody decided before.
pub(super) fn answered() -> Failure {
    Failure::new(StatusCode::CONFLICT, "token", "This request was answered before")
}
