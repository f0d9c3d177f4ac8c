//! `[onramp]`: the on-ramp providers, their keys, and the rate limit of purchases (spec 9.8).

use super::cdp_key::{CdpKey, CdpKeyError};
use super::file::Read;
use super::{Keyed, Mistake};
use reqwest::Url;

pub(super) const SETTINGS: &[&str] = &[
    "onramp.providers",
    "onramp.coinbase_key_id",
    "onramp.coinbase_key",
    "onramp.coinbase_key_file",
    "onramp.coinbase_url",
    "onramp.meld_key",
    "onramp.meld_key_file",
    "onramp.meld_url",
    "onramp.sessions_per_client_per_minute",
    "onramp.returns",
];

const COINBASE: &str = "https://api.developer.coinbase.com";
const MELD: &str = "https://api.meld.io";
const DEFAULT_SESSIONS: &str = "10";
const MOST_SESSIONS: usize = 10_000;

/// Settings of purchases.
#[derive(Clone, Debug, Default)]
pub struct Onramp {
    /// On-ramp providers with a key, in listed order, without duplicates.
    pub sellers: Vec<Seller>,
    /// Maximum number of purchase pages per visitor and minute.
    pub sessions_per_client_per_minute: u32,
    /// Whether on-ramp providers redirect the visitor back to the page.
    pub returns: bool,
    /// Whether an empty `onramp.providers` turns purchases off.
    pub off: bool,
}

/// On-ramp provider with its credentials.
#[derive(Clone, Debug)]
pub enum Seller {
    /// <https://docs.cdp.coinbase.com/onramp>
    Coinbase {
        /// API address without a path.
        url: Url,
        /// Key that signs each request.
        key: CdpKey,
    },
    /// <https://docs.meld.io>
    Meld(Keyed),
}

impl Seller {
    /// Id in the configuration and in API responses.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Seller::Coinbase { .. } => "coinbase",
            Seller::Meld(_) => "meld",
        }
    }

    /// API address.
    pub(crate) fn url(&self) -> &Url {
        match self {
            Seller::Coinbase { url, .. } => url,
            Seller::Meld(keyed) => &keyed.url,
        }
    }
}

const WORDS: [&str; 2] = ["coinbase", "meld"];

impl Read<'_> {
    pub(super) fn onramp(&mut self) -> Onramp {
        let mut there: Vec<Seller> = [self.coinbase(), self.meld()].into_iter().flatten().collect();
        let mut off = false;
        if let Some((words, place)) = self.texts("onramp.providers") {
            off = words.is_empty();
            let mut sellers = Vec::new();
            for word in words {
                let found = there.iter().position(|seller| seller.word() == word);
                let checked = match found {
                    Some(found) => Ok(there.remove(found)),
                    None if sellers.iter().any(|seller: &Seller| seller.word() == word) => {
                        Err(format!("`onramp.providers` names {word} twice"))
                    }
                    None if WORDS.contains(&word.as_str()) => {
                        Err(format!("`onramp.providers` names {word}, which needs `onramp.{word}_key`"))
                    }
                    None => Err(format!("use a list of {} as `onramp.providers`, not `{word}`", WORDS.join(" and "))),
                };
                sellers.extend(self.keep(place.clone(), checked));
            }
            there = sellers;
        }
        let sessions =
            self.number("onramp.sessions_per_client_per_minute", DEFAULT_SESSIONS, MOST_SESSIONS, "purchases");
        Onramp {
            sellers: there,
            off,
            returns: self.switch("onramp.returns", true).unwrap_or_default(),
            sessions_per_client_per_minute: sessions.and_then(|number| u32::try_from(number).ok()).unwrap_or(1),
        }
    }

    fn coinbase(&mut self) -> Option<Seller> {
        let url = self.url("onramp.coinbase_url", COINBASE)?;
        let id = self.text("onramp.coinbase_key_id");
        let secret = self.secret_given("onramp.coinbase_key", "onramp.coinbase_key_file")?;
        let ((id, id_at), (secret, secret_at)) = match (id, secret) {
            (None, None) => return None,
            (Some(id), Some(secret)) => (id, secret),
            (Some((_, place)), None) => {
                let sentence = "set `onramp.coinbase_key`, the secret of Coinbase's key, as well";
                self.mistakes.push(Mistake::new(place, sentence));
                return None;
            }
            (None, Some((_, place))) => {
                let sentence = "set `onramp.coinbase_key_id`, the name of Coinbase's key, as well";
                self.mistakes.push(Mistake::new(place, sentence));
                return None;
            }
        };
        // The error must not repeat even an invalid secret.
        let key = CdpKey::parse(&id, &secret);
        let place = if matches!(key, Err(CdpKeyError::Id)) { id_at } else { secret_at };
        let key = self.keep(place, key.map_err(|told| told.to_string()))?;
        Some(Seller::Coinbase { url, key })
    }

    fn meld(&mut self) -> Option<Seller> {
        self.keyed("onramp.meld_key", "onramp.meld_key_file", "onramp.meld_url", MELD).map(Seller::Meld)
    }
}

impl Onramp {
    /// Settings that would enable the missing providers; empty if all are there.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        let there = |word: &str| self.sellers.iter().any(|seller| seller.word() == word);
        let keys = [("coinbase", "`onramp.coinbase_key_id` and `onramp.coinbase_key`"), ("meld", "`onramp.meld_key`")];
        keys.into_iter().filter(|(word, _)| !there(word)).map(|(_, key)| key).collect()
    }
}
