//! Public keys of a service (JWK Set, RFC 7517), fetched when they are needed and kept for an hour.

use super::decode;
use crate::source::{Fault, fetch};
use portico_json::Value;
use reqwest::{Client, Url};
use ring::signature::{ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey};
use std::time::Duration;
use tokio::sync::Mutex;

/// Milliseconds for which fetched keys are used.
const KEPT: i64 = 3_600_000;
/// Milliseconds for which they count while their address fails.
const LONGEST: i64 = 2 * KEPT;
/// Milliseconds between two fetches, also because of an unknown key: a stream of made-up tokens must not become a stream of requests.
const PAUSE: i64 = 60_000;
/// The same after a fetch that failed, for a token that no key is known for: its visitor can't log in meanwhile.
const FAILED_PAUSE: i64 = 10_000;
/// Maximum number of keys of a service.
const MOST: usize = 100;
/// Time limit of a fetch.
const WAIT: Duration = Duration::from_secs(5);

/// Signature algorithms of ID tokens. "none" and those with shared secrets are not among them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Algorithm {
    Rs256,
    Es256,
}

impl Algorithm {
    pub(super) fn parse(word: &str) -> Option<Algorithm> {
        match word {
            "RS256" => Some(Algorithm::Rs256),
            "ES256" => Some(Algorithm::Es256),
            _ => None,
        }
    }
}

/// Public key of a service. Its algorithm is that of the key, whatever a token says.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Key {
    id: Option<String>,
    form: Form,
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum Form {
    Rsa { n: Vec<u8>, e: Vec<u8> },
    P256(Vec<u8>),
}

impl Key {
    fn read(value: &Value) -> Option<Key> {
        let member = |name: &str| value.get(name).as_str();
        if member("use").is_some_and(|purpose| purpose != "sig") {
            return None;
        }
        let bytes = |name: &str| decode(member(name)?);
        let algorithm = member("alg");
        let form = match member("kty")? {
            "RSA" if algorithm.is_none_or(|word| word == "RS256") => Form::Rsa { n: bytes("n")?, e: bytes("e")? },
            "EC" if member("crv") == Some("P-256") => {
                let (x, y) = (bytes("x")?, bytes("y")?);
                let point = (x.len() == 32 && y.len() == 32).then(|| [&[4][..], &x, &y].concat())?;
                Form::P256(point)
            }
            _ => return None,
        };
        Some(Key { id: member("kid").map(str::to_owned), form })
    }

    /// Whether the signature is right and made by the algorithm of this key.
    pub(super) fn signed(&self, algorithm: Algorithm, text: &[u8], signature: &[u8]) -> bool {
        match (&self.form, algorithm) {
            (Form::Rsa { n, e }, Algorithm::Rs256) => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, text, signature).is_ok()
            }
            (Form::P256(point), Algorithm::Es256) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(text, signature).is_ok()
            }
            _ => false,
        }
    }
}

/// Keys of one service.
pub(crate) struct KeySet {
    /// Address; `None` for keys that were read once.
    url: Option<Url>,
    kept: Mutex<Kept>,
}

struct Kept {
    keys: Vec<Key>,
    /// Time of the last fetch that brought keys.
    fetched: Option<i64>,
    /// Time of the last fetch, also of one that failed.
    asked: Option<i64>,
    /// Why the last fetch failed.
    fault: Option<Fault>,
}

impl KeySet {
    pub(crate) fn new(url: Url) -> KeySet {
        KeySet { url: Some(url), kept: Mutex::new(Kept::new(Vec::new())) }
    }

    /// Keys of a JWK Set; `None` if none of them can be used.
    pub(super) fn read(text: &str) -> Option<KeySet> {
        let keys = keys_of(&portico_json::parse(text).ok()?);
        (!keys.is_empty()).then(|| KeySet { url: None, kept: Mutex::new(Kept::new(keys)) })
    }

    /// Keys that may have signed a token with this key id; without an id, all. Fetches them when they are old, or when none has the id. An
    /// error says why the keys couldn't be fetched, if there is none to try.
    pub(super) async fn candidates(&self, client: &Client, id: Option<&str>, now: i64) -> Result<Vec<Key>, Fault> {
        let mut kept = self.kept.lock().await;
        let since = |at: Option<i64>| at.map_or(i64::MAX, |at| now.saturating_sub(at));
        let found = kept.with(id);
        let pause = if found.is_empty() && kept.fault.is_some() { FAILED_PAUSE } else { PAUSE };
        let stale = (found.is_empty() || since(kept.fetched) >= KEPT) && since(kept.asked) >= pause;
        let Some(url) = self.url.as_ref().filter(|_| stale) else { return kept.answer(id) };
        match fetch(client.get(url.clone()).timeout(WAIT)).await {
            Ok(value) => {
                kept.keys = keys_of(&value);
                (kept.fetched, kept.asked, kept.fault) = (Some(now), Some(now), None);
            }
            Err(fault) => {
                (kept.asked, kept.fault) = (Some(now), Some(fault));
                // A key that was withdrawn must not count for as long as its address fails.
                if kept.fetched.is_some_and(|at| now.saturating_sub(at) >= LONGEST) {
                    kept.keys.clear();
                }
            }
        }
        kept.answer(id)
    }
}

fn keys_of(set: &Value) -> Vec<Key> {
    set.get("keys").as_list().unwrap_or_default().iter().take(MOST).filter_map(Key::read).collect()
}

impl Kept {
    fn new(keys: Vec<Key>) -> Kept {
        Kept { keys, fetched: None, asked: None, fault: None }
    }

    fn answer(&self, id: Option<&str>) -> Result<Vec<Key>, Fault> {
        let found = self.with(id);
        match self.fault {
            Some(fault) if found.is_empty() => Err(fault),
            _ => Ok(found),
        }
    }
    fn with(&self, id: Option<&str>) -> Vec<Key> {
        let fits = |key: &&Key| id.is_none() || key.id.as_deref() == id;
        self.keys.iter().filter(fits).cloned().collect()
    }
}
