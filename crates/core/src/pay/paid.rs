//! Receivers that an account paid from this browser, as its storage says. Only these count as known: a server could name an address of its own
//! as paid before.

use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::shown::clean;
use crate::storage::{self, keys};
use portico_json::{Json, Value};
use portico_terms::ChainId;
use portico_terms::address::{is_bitcoin, is_evm, is_solana, shorten, to_checksum};
use std::marker::PhantomData;

/// A day, in milliseconds.
const A_DAY: u64 = 86_400_000;

/// Maximum number of them below an empty receiver.
const MOST_SUGGESTED: usize = 3;

/// Maximum number of them in storage.
const MOST_KEPT: usize = 100;

/// A receiver that the account paid from this browser.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "RecentReceiver")]
pub struct Recent {
    /// Address; on EVM chains with its checksum.
    pub address: String,
    /// Name by which it was paid: "alice.eth".
    pub name: Option<String>,
}

/// Addresses of a namespace, as the storage has them and as they are shown.
pub trait Addresses {
    /// Whether a stored text is an address, in the spelling of the storage.
    fn is_sound(text: &str) -> bool;

    /// An address as the storage has it.
    fn plain(address: &str) -> String {
        address.into()
    }

    /// An address as it is shown.
    fn shown(address: &str) -> String {
        address.into()
    }
}

/// Addresses of EVM chains, whose letters may have any case.
#[derive(Debug, Default)]
pub struct OnEvm;

#[derive(Debug, Default)]
pub struct OnSolana;

#[derive(Debug, Default)]
pub struct OnBitcoin;

impl Addresses for OnEvm {
    fn is_sound(text: &str) -> bool {
        text.starts_with("0x") && is_evm(text) && Self::plain(text) == *text
    }

    fn plain(address: &str) -> String {
        address.to_ascii_lowercase()
    }

    fn shown(address: &str) -> String {
        to_checksum(address)
    }
}

impl Addresses for OnSolana {
    fn is_sound(text: &str) -> bool {
        is_solana(text)
    }
}

impl Addresses for OnBitcoin {
    fn is_sound(text: &str) -> bool {
        is_bitcoin(text)
    }
}

/// Receivers that an account paid before on a chain. Sending on each namespace is a part of its own: with a type for each, the code is in these
/// parts, and not in the one that all visitors load.
#[derive(Debug, Default)]
pub struct PaidReceivers<A> {
    addresses: PhantomData<A>,
    of: Option<(ChainId, String)>,
    /// The latest first.
    list: Vec<Recent>,
    /// The storage was read.
    pub read: bool,
}

impl<A: Addresses + Default> PaidReceivers<A> {
    /// Receivers of this account on this chain.
    pub fn of(chain: ChainId, address: String) -> Self {
        PaidReceivers { of: Some((chain, address)), ..Self::default() }
    }

    /// Chain and account.
    pub fn owner(&self) -> Option<&(ChainId, String)> {
        self.of.as_ref()
    }

    /// Prefix of the keys to read from the storage. Reads it each time the form is opened, as another tab may have sent a payment.
    pub fn prefix(&self) -> Option<String> {
        self.of.as_ref().map(|(chain, address)| Self::key(chain, address))
    }

    /// Remembers the receiver of a payment, here and in storage. The active account or chain may have changed.
    pub fn pays(&mut self, (chain, from): (&ChainId, &str), receiver: &str, name: Option<&String>, cx: &mut Cx) {
        if self.of.as_ref().is_some_and(|(of, address)| of == chain && address == from) {
            let address = A::shown(receiver);
            self.list.retain(|known| known.address != address);
            self.list.insert(0, Recent { address, name: name.cloned() });
        }
        let key = [&Self::key(chain, from), A::plain(receiver).as_str()].concat();
        let mut value = cx.now.to_string();
        if let Some(name) = name {
            value.push(' ');
            value.push_str(name);
        }
        storage::keep(key, value, cx);
    }

    /// Reads the stored receivers of the account; stored values are untrusted. Invalid entries and the oldest above the limit are removed.
    pub fn kept(&mut self, under: &str, stored: &Value, cx: &mut Cx) {
        if self.prefix().as_deref() != Some(under) {
            return;
        }
        let now = cx.now;
        let read = |entry: &Value| {
            let to = entry.get("key").as_str()?.strip_prefix(under)?.to_owned();
            let value = entry.get("value").as_str().unwrap_or_default();
            let (at, name) = value.split_once(' ').unwrap_or((value, ""));
            let (at, name) = (at.parse::<u64>().ok(), Some(clean(name)).filter(|name| !name.is_empty()));
            let sound = A::is_sound(&to);
            // Clocks of tabs may differ, but not by a day.
            Some((at.filter(|at| sound && *at < now + A_DAY), to, name))
        };
        self.read = true;
        // Another tab may have paid since: the order is that of the storage.
        let before = std::mem::take(&mut self.list);
        // Times of the list. Few are stored, and the code of a sort is larger than this whole file.
        let mut times: Vec<u64> = Vec::new();
        for (at, to, name) in stored.as_list().unwrap_or_default().iter().filter_map(read) {
            let Some(at) = at else {
                forget(under, &to, cx);
                continue;
            };
            let place = times.iter().take_while(|other| **other >= at).count();
            times.insert(place, at);
            self.list.insert(place, Recent { address: A::shown(&to), name });
        }
        while self.list.len() > MOST_KEPT {
            let oldest = self.list.pop().map(|one| A::plain(&one.address)).unwrap_or_default();
            forget(under, &oldest, cx);
        }
        // Storage may be off; payments of this page are known anyway.
        for one in before {
            if !self.knows(&one.address) {
                self.list.push(one);
            }
        }
    }

    /// Receivers that were paid last.
    pub fn recent(&self) -> impl Iterator<Item = &Recent> {
        self.list.iter().take(MOST_SUGGESTED)
    }

    pub fn knows(&self, address: &str) -> bool {
        self.list.iter().any(|known| A::plain(&known.address) == A::plain(address))
    }

    /// Receiver that this address could be mistaken for.
    pub fn look_alike(&self, address: &str) -> Option<&String> {
        self.list.iter().map(|known| &known.address).find(|known| Self::looks_like(known, address))
    }

    /// Whether an address could be mistaken for a known one: they differ, and look the same when shortened, here or in other wallets.
    pub fn looks_like(known: &str, address: &str) -> bool {
        let ends = |text: &str| {
            let digits = text.strip_prefix("0x").unwrap_or(text);
            let last = digits.len().checked_sub(4).and_then(|place| digits.get(place..));
            (digits.get(..4).map(str::to_owned), last.map(str::to_owned))
        };
        let differ = A::plain(known) != A::plain(address);
        let (known, address) = (known.to_ascii_lowercase(), address.to_ascii_lowercase());
        differ && (shorten(&known) == shorten(&address) || ends(&known) == ends(&address))
    }

    /// Prefix of the keys under which the receivers of an account are stored.
    fn key(chain: &ChainId, address: &str) -> String {
        [keys::PAID, &chain.to_string(), ":", &A::plain(address), "/"].concat()
    }
}

/// Removes a stored receiver.
fn forget(under: &str, address: &str, cx: &mut Cx) {
    cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: [under, address].concat() });
}
