//! Projects: in whose name pages and servers ask, from where, for what and how much.
//!
//! A project's id is public: it stands in the page. Its origins keep other pages from spending its quota; they are no proof of who
//! asks, as anything that is not a browser can name any origin. The secret is one.

mod answer;
mod kit;
mod known;
pub(crate) mod origin;
pub(crate) mod table;

use crate::config::Method;
use crate::shared::Rate;
use k256::sha2::{Digest, Sha256};
use origin::{Origin, Pattern};
use portico_terms::ChainId;
use std::fmt::Write;

pub(crate) use answer::router;
pub(crate) use known::Projects;

/// A well-formed project id: 1 to 64 letters, digits, hyphens or underscores.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct ProjectId(String);

const LONGEST: usize = 64;

/// One project as it stands in the database.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Entry {
    pub(crate) id: ProjectId,
    /// For people.
    pub(crate) name: String,
    /// In epoch milliseconds.
    pub(crate) created_at: i64,
    /// In epoch milliseconds.
    pub(crate) disabled_at: Option<i64>,
    pub(crate) quota: Quota,
    /// None allows nobody but the server's own pages and who knows the secret.
    pub(crate) origins: Vec<Pattern>,
    /// None allows every method that the chain passes on.
    pub(crate) methods: Vec<Method>,
    /// None allows every chain that is served.
    pub(crate) chains: Vec<ChainId>,
    /// SHA-256 in hex. The secret is 32 random bytes, so nothing slower is called for.
    pub(crate) secret_hash: String,
}

/// How much a project may ask; what is not said is not limited.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Quota {
    /// On average.
    pub(crate) per_second: Option<u32>,
    /// At once, after a rest; ten seconds' worth if it is not said.
    pub(crate) burst: Option<u32>,
    /// From midnight to midnight, UTC.
    pub(crate) per_day: Option<u32>,
}

impl ProjectId {
    /// Reads one.
    pub(crate) fn parse(text: &str) -> Option<ProjectId> {
        let fits = (1..=LONGEST).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        fits.then(|| ProjectId(text.into()))
    }

    /// One that nobody has: 32 hex digits.
    pub(crate) fn random() -> Result<ProjectId, getrandom::Error> {
        Ok(ProjectId(random_hex::<16>()?))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Entry {
    /// Whether pages of this origin may ask. None stands for what is no page, or does not say which.
    pub(crate) fn allows_origin(&self, page: Option<&Origin>) -> bool {
        self.origins.iter().any(|pattern| match page {
            Some(page) => pattern.covers(page),
            None => *pattern == Pattern::Any,
        })
    }

    /// Whether it may ask for this chain.
    pub(crate) fn allows_chain(&self, chain: &ChainId) -> bool {
        self.chains.is_empty() || self.chains.contains(chain)
    }

    /// Whether nothing is left out by this kind of rule.
    pub(crate) fn allows_all(&self, kind: table::Kind) -> bool {
        match kind {
            table::Kind::Origin => self.origins.contains(&Pattern::Any),
            table::Kind::Method => self.methods.is_empty(),
            table::Kind::Chain => self.chains.is_empty(),
        }
    }

    /// Whether this is its secret.
    pub(crate) fn has_secret(&self, secret: &str) -> bool {
        hash(secret) == self.secret_hash
    }
}

impl Quota {
    /// How fast it may be spent, if that is limited.
    pub(crate) fn rate(self) -> Option<Rate> {
        let per_second = self.per_second?;
        let burst = self.burst.unwrap_or_else(|| per_second.saturating_mul(10));
        Some(Rate { per_second: per_second.into(), burst })
    }
}

/// A secret that nobody has: 64 hex digits.
pub(crate) fn random_secret() -> Result<String, getrandom::Error> {
    random_hex::<32>()
}

/// What of a secret is kept.
pub(crate) fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret))
}

fn random_hex<const BYTES: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
