//! Receivers that an account paid before, and spenders that it let take tokens. They are those for whom something was signed in this browser:
//! neither the host page nor the server can name one. Storage is the visitor's own, and still untrusted until parsed.

use portico_calldata::{Address, hex};
use portico_json::Value;
use portico_terms::address::shorten;

/// Maximum number of receivers that are read.
const MOST: usize = 500;

/// Begin of a stored spender.
const SPENDER: &str = "spender:";

/// Receivers that an account paid, and its spenders, each with the number of its chain.
#[derive(Debug, Default)]
pub struct Paid {
    receivers: Vec<(u64, Address)>,
    spenders: Vec<(u64, Address)>,
}

/// Relation of the account to a receiver.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Standing {
    Known,
    /// The account paid nothing to this address on this chain.
    New,
    /// The account paid nothing to it, and it could be mistaken for this one.
    LooksLike(Address),
}

impl Paid {
    /// Reads what the worker stored; entries of another form are left out.
    pub fn read(value: &Value) -> Paid {
        let entry = |text: &str| {
            let (chain, to) = text.split_once(':')?;
            Some((chain.parse().ok()?, hex::address(to)?))
        };
        let mut paid = Paid::default();
        for text in value.as_list().unwrap_or_default().iter().take(MOST).filter_map(Value::as_str) {
            match text.strip_prefix(SPENDER) {
                Some(spender) => paid.spenders.extend(entry(spender)),
                None => paid.receivers.extend(entry(text)),
            }
        }
        paid
    }

    /// Whether the account let nobody of this address take tokens on this chain before.
    pub fn is_new_spender(&self, chain: u64, spender: &Address) -> bool {
        !self.spenders.contains(&(chain, *spender))
    }

    /// An address on another chain can be somebody else's: a contract's is.
    pub fn standing(&self, chain: u64, to: &Address) -> Standing {
        if self.receivers.contains(&(chain, *to)) {
            return Standing::Known;
        }
        let alike = self.receivers.iter().find(|(_, known)| looks_like(known, to));
        alike.map_or(Standing::New, |(_, known)| Standing::LooksLike(*known))
    }
}

/// Form in which the worker stores a receiver: "1:0x…".
pub fn entry(chain: u64, to: &Address) -> String {
    [&chain.to_string(), ":", &hex::text(to)].concat()
}

/// The same for a spender.
pub fn spender_entry(chain: u64, spender: &Address) -> String {
    [SPENDER, &entry(chain, spender)].concat()
}

/// Whether an address could be mistaken for a known one: they differ, and look the same when shortened, here or in other wallets.
fn looks_like(known: &Address, to: &Address) -> bool {
    let (own, other) = (hex::text(known), hex::text(to));
    let ends = |text: &str| (text.get(2..6).map(str::to_owned), text.get(38..).map(str::to_owned));
    known != to && (shorten(&own) == shorten(&other) || ends(&own) == ends(&other))
}
