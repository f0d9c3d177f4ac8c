//! Mail about a login on a new device: whoever opens a wallet by a login alone doesn't do so unnoticed.

use super::asked::{CLIENT, LANGUAGE};
use super::enter::{By, Entry, told};
use super::login::{count, place, send};
use super::mail::{Address, Matter};
use super::table::{self, UserRow};
use super::{Vault, unread};
use crate::Failure;
use crate::language::Language;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use std::net::IpAddr;

/// Limits of these mails to one user, in ten minutes and in a day: more of them tell nothing new, and would fill a mailbox.
const ARRIVALS: [(i64, usize); 2] = [(10 * 60_000, 3), (24 * 60 * 60_000, 10)];

/// Visitor of a request, as its mail tells of them.
#[derive(Clone)]
struct Visitor {
    client: Option<IpAddr>,
    /// Address of the visitor without its end.
    place: String,
    language: Language,
}

tokio::task_local! {
    /// Visitor of the request that is answered: each way of logging in ends here, and no other one tells where it came from.
    static VISITOR: Visitor;
}

/// Answers a request with its visitor at hand.
pub(super) async fn noted(request: Request, next: Next) -> Response {
    let text = |headers: &HeaderMap, name: &str| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let client = text(request.headers(), CLIENT).parse::<IpAddr>().ok();
    let language = Language::of(&text(request.headers(), LANGUAGE));
    let place = client.map(place).unwrap_or_default();
    VISITOR.scope(Visitor { client, place, language }, next.run(request)).await
}

/// Address of the visitor whose request is answered.
pub(super) fn client() -> Option<IpAddr> {
    VISITOR.try_with(|visitor| visitor.client).ok().flatten()
}

impl Vault {
    /// Tells a user of a login on a device that was stored just now. A mail that can't be sent is in the log, and stops no login.
    pub(super) async fn arrived(&self, user: &UserRow, entry: &Entry<'_>) {
        if let Err(failure) = self.tell_arrival(user, entry).await {
            tracing::warn!(?failure, "couldn't send a notice about a login on a new device");
        }
    }

    async fn tell_arrival(&self, user: &UserRow, entry: &Entry<'_>) -> Result<(), Failure> {
        // The login by the mail's link was approved in the same mailbox.
        if entry.proof == By::ApprovedMail {
            return Ok(());
        }
        let Some(to) = told(self, user.clone())?.email.as_deref().and_then(Address::parse) else { return Ok(()) };
        // The first device belongs to whoever made the account.
        if !table::has_other_device(self.database(), &user.id, entry.device).await.map_err(unread)? {
            return Ok(());
        }
        if count(self, &format!("{} arrival", user.id), &ARRIVALS, 0).await.is_err() {
            return Ok(());
        }
        let visitor = VISITOR.try_with(Visitor::clone).ok();
        let (place, language) = visitor.map_or((String::new(), Language::English), |seen| (seen.place, seen.language));
        let matter = Matter::Arrived { host: entry.host.into(), browser: entry.label.into(), place };
        send(self, to, language.tag(), matter).map(drop)
    }
}
