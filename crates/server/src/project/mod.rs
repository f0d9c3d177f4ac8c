//! Projects: identity, allowed origins, and limits of pages and servers that send requests.
//!
//! A project's id is public, as it is part of the page. Its origins keep other pages from spending its quota; they do not
//! authenticate, since any client but a browser can send any origin. The secret does.

mod known;
pub(crate) mod origin;
pub(crate) mod snippet;
pub(crate) mod table;

use crate::config::Method;
use crate::digits::grouped;
use crate::shared::Rate;
use k256::sha2::{Digest, Sha256};
use origin::{Origin, Pattern};
use portico_terms::ChainId;
use std::fmt::Write;

pub(crate) use known::{Projects, Used};

/// Project id: 1 to 64 letters, digits, hyphens or underscores.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct ProjectId(String);

const LONGEST: usize = 64;

/// Project as stored in the database.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Entry {
    pub(crate) id: ProjectId,
    /// Display name.
    pub(crate) name: String,
    /// Epoch milliseconds.
    pub(crate) created_at: i64,
    /// Epoch milliseconds.
    pub(crate) disabled_at: Option<i64>,
    pub(crate) quota: Quota,
    /// Allowed origins; if empty, only the server's own pages and clients with the secret.
    pub(crate) origins: Vec<Pattern>,
    /// Allowed methods; if empty, every method that the chain passes on.
    pub(crate) methods: Vec<Method>,
    /// Allowed chains; if empty, every chain that is served.
    pub(crate) chains: Vec<ChainId>,
    /// SHA-256 in hex. The secret is 32 random bytes, so a slow hash is not needed.
    pub(crate) secret_hash: String,
}

/// Request limits of a project; `None` means unlimited.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Quota {
    /// Average rate.
    pub(crate) per_second: Option<u32>,
    /// Burst size; ten seconds' worth if `None`.
    pub(crate) burst: Option<u32>,
    /// Per day in UTC.
    pub(crate) per_day: Option<u32>,
}

impl ProjectId {
    pub(crate) fn parse(text: &str) -> Option<ProjectId> {
        let fits = (1..=LONGEST).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        fits.then(|| ProjectId(text.into()))
    }

    /// New random id: 32 hex digits.
    pub(crate) fn random() -> Result<ProjectId, getrandom::Error> {
        Ok(ProjectId(random_hex::<16>()?))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Entry {
    /// Whether pages of this origin may send requests. `None` stands for clients that are no page or send no origin.
    pub(crate) fn allows_origin(&self, page: Option<&Origin>) -> bool {
        self.origins.iter().any(|pattern| match page {
            Some(page) => pattern.covers(page),
            None => *pattern == Pattern::Any,
        })
    }

    /// Whether the project may use this chain.
    pub(crate) fn allows_chain(&self, chain: &ChainId) -> bool {
        self.chains.is_empty() || self.chains.contains(chain)
    }

    /// Whether rules of this kind allow everything.
    pub(crate) fn allows_all(&self, kind: table::Kind) -> bool {
        match kind {
            table::Kind::Origin => self.origins.contains(&Pattern::Any),
            table::Kind::Method => self.methods.is_empty(),
            table::Kind::Chain => self.chains.is_empty(),
        }
    }

    /// Whether this is the project's secret.
    pub(crate) fn has_secret(&self, secret: &str) -> bool {
        hash(secret) == self.secret_hash
    }
}

impl Quota {
    /// Part of the quota that one visitor may use, in words, such as "at most 0.625 per second, 7 at once, 4 per day"; `None` if that is
    /// all of it. `parts` is `limits.client_part`.
    pub(crate) fn of_visitor(self, parts: u32) -> Option<String> {
        let parts = parts.max(1);
        let rate = self.per_second.zip(self.rate()).map(|(per_second, rate)| {
            format!("{} per second, {} at once", part_of(per_second, parts), grouped(rate.burst.div_ceil(parts).into()))
        });
        let day = self.per_day.map(|most| format!("{} per day", grouped(most.div_ceil(parts).into())));
        let all: Vec<String> = rate.into_iter().chain(day).collect();
        (parts > 1 && !all.is_empty()).then(|| format!("at most {}", all.join(", ")))
    }

    /// Rate limit, if there is one.
    pub(crate) fn rate(self) -> Option<Rate> {
        let per_second = self.per_second?;
        let burst = self.burst.unwrap_or_else(|| per_second.saturating_mul(10));
        Some(Rate { per_second: per_second.into(), burst })
    }
}

/// One of equal parts of a number, in at most three decimals; with `~` if it has more.
fn part_of(number: u32, parts: u32) -> String {
    let thousandths = u64::from(number) * 1000 / u64::from(parts);
    if thousandths == 0 {
        return "under 0.001".into();
    }
    let about = if thousandths * u64::from(parts) == u64::from(number) * 1000 { "" } else { "~" };
    let decimals = format!(".{:03}", thousandths % 1000);
    format!("{about}{}{}", grouped(thousandths / 1000), decimals.trim_end_matches('0').trim_end_matches('.'))
}

/// New random secret: 64 hex digits.
pub(crate) fn random_secret() -> Result<String, getrandom::Error> {
    random_hex::<32>()
}

/// Stored hash of a secret.
pub(crate) fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret))
}

/// Random bytes in hex.
pub(crate) fn random_hex<const BYTES: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_of_one_visitor_is_told_in_words() {
        let quota = |per_second, per_day| Quota { per_second, burst: None, per_day };
        assert_eq!(quota(None, Some(30)).of_visitor(8).as_deref(), Some("at most 4 per day"));
        let told = "at most 0.625 per second, 7 at once, 250 per day";
        assert_eq!(quota(Some(5), Some(2000)).of_visitor(8).as_deref(), Some(told));
        let parts =
            [(50, 8), (8000, 8), (10, 3), (20_000, 8), (1, 10_000)].map(|(number, parts)| part_of(number, parts));
        assert_eq!(parts, ["6.25", "1,000", "~3.333", "2,500", "under 0.001"]);
        assert_eq!((quota(None, Some(30)).of_visitor(1), quota(None, None).of_visitor(8)), (None, None));
    }

    #[test]
    fn a_project_id_is_1_to_64_letters_digits_hyphens_and_underscores() {
        for text in ["a", "demo-1_X", &"f".repeat(64)] {
            assert_eq!(ProjectId::parse(text), Some(ProjectId(text.into())));
        }
        for text in ["", " ", "a b", "é", "a.b", "../x", &"f".repeat(65)] {
            assert_eq!(ProjectId::parse(text), None, "{text}");
        }
        let (one, two) = (ProjectId::random().unwrap(), ProjectId::random().unwrap());
        assert_eq!((one.as_str().len(), ProjectId::parse(one.as_str())), (32, Some(one.clone())));
        assert_ne!(one, two);
    }

    #[test]
    fn a_hash_is_that_of_sha_256() {
        assert_eq!(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(random_secret().unwrap().len(), 64);
    }

    #[test]
    fn a_burst_is_ten_seconds_worth_where_it_is_not_said() {
        let quota = |per_second, burst| Quota { per_second, burst, per_day: None }.rate();
        assert_eq!(quota(None, Some(5)), None);
        assert_eq!(quota(Some(3), None), Some(Rate { per_second: 3.0, burst: 30 }));
        assert_eq!(quota(Some(3), Some(5)), Some(Rate { per_second: 3.0, burst: 5 }));
    }
}
