//! Limits of each visitor and of all together. Those of an address are counted in the database (`table::mailings`).

use crate::Failure;
use crate::shared::{Bucket, Limit, Over, Rate, Shared};
use axum::http::StatusCode;
use std::net::IpAddr;

/// Logins of one visitor: at once after a pause, and in ten minutes.
const LOGINS: Rate = Rate { per_second: 20.0 / 600.0, burst: 20 };
/// Codes that one visitor may try.
const CODES: Rate = Rate { per_second: 30.0 / 600.0, burst: 30 };
/// Codes that all visitors may try: far above what people type, far below what guessing needs.
const ALL_CODES: Rate = Rate { per_second: 50.0, burst: 3000 };
/// Passwords that one visitor may try, and all visitors.
const PASSWORDS: Rate = Rate { per_second: 30.0 / 600.0, burst: 30 };
const ALL_PASSWORDS: Rate = Rate { per_second: 5.0, burst: 300 };
/// Requests of one visitor that add rows for ever: each is in the audit log.
const LOGGED: Rate = Rate { per_second: 60.0 / 600.0, burst: 60 };
/// Other requests of one visitor.
const REQUESTS: Rate = Rate { per_second: 5.0, burst: 100 };

/// All requests of one visitor, also those without a good proof. It is more than the other limits let through together, and less than fills the
/// visitor's share of the ids of used proofs.
const PROOFS: Rate = Rate { per_second: 10.0, burst: 250 };

/// Kind of request that is limited.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    Proof,
    Login,
    Code,
    Password,
    Logged,
    Request,
}

/// Spent limits, in memory.
pub(super) struct Limits {
    spent: Shared,
    own_logins: Rate,
    all_logins: Rate,
}

impl Limits {
    pub(super) fn new(logins_per_minute: u32) -> Limits {
        let all_logins = Rate { per_second: f64::from(logins_per_minute) / 60.0, burst: logins_per_minute.max(1) };
        // Of few logins one visitor has a quarter at most, so that others still log in.
        let burst = LOGINS.burst.min((logins_per_minute / 4).max(1));
        let own_logins = Rate { burst, ..LOGINS };
        Limits { spent: Shared::in_memory(), own_logins, all_logins }
    }

    /// Charges a request of a visitor, or answers 429.
    pub(super) async fn spend(&self, kind: Kind, client: IpAddr) -> Result<(), Failure> {
        let (word, own, all) = match kind {
            Kind::Proof => ("proof", PROOFS, None),
            Kind::Login => ("login", self.own_logins, Some(self.all_logins)),
            Kind::Code => ("code", CODES, Some(ALL_CODES)),
            Kind::Password => ("password", PASSWORDS, Some(ALL_PASSWORDS)),
            Kind::Logged => ("logged", LOGGED, None),
            Kind::Request => ("request", REQUESTS, None),
        };
        let own = Bucket { key: format!("vault:{word}:{client}"), limit: Limit::Rate(own) };
        let all = all.map(|rate| Bucket { key: format!("vault:{word}"), limit: Limit::Rate(rate) });
        let buckets: Vec<Bucket> = [own].into_iter().chain(all).collect();
        let Err(Over { place, spent }) = self.spent.spend_each(&buckets, 1).await else { return Ok(()) };
        if place > 0 {
            tracing::error!(
                what = word,
                "all visitors together are above a limit of the vault. Check whether this is an attack."
            );
        }
        Err(again(spent.seconds))
    }
}

/// 429 with the words of spec 8.35.
pub(super) fn again(seconds: u32) -> Failure {
    let sentence = format!("Please try again after {seconds} seconds");
    Failure::new(StatusCode::TOO_MANY_REQUESTS, "", sentence).again_after(seconds)
}
