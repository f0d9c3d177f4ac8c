//! Signed transactions on their way, as far as all chains are alike: their form in storage for the next page, and in the list of activity.
//! Stored values are untrusted until they are read here.

use super::outcome::page;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::Facts;
use crate::shown::clean;
use crate::storage::{self, StoredTransaction, keys};
use portico_json::{Json, Read, Value, Write, parse, to_text};
use portico_terms::amount::{AMOUNT_DECIMALS, nearest_units, shown_units};
use portico_terms::{ChainId, Namespace};

/// A transaction that was signed and is not final.
#[derive(Clone, Debug)]
pub struct OnItsWay {
    /// Hash, signature or id by which its chain knows it.
    pub id: String,
    pub chain: ChainId,
    /// Address of the sender.
    pub from: String,
    /// Amount in coins or tokens, exact.
    pub amount: String,
    /// Symbol of the coin or token.
    pub symbol: String,
    /// Time of sending, in epoch milliseconds.
    pub since: u64,
}

/// An unmined transaction of the visitor.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct InFlight {
    /// Hash in lower case; on chains other than EVM the signature or id.
    pub hash: String,
    /// URL of the transaction on the explorer.
    pub url: Option<String>,
    /// Amount with three decimals (spec 2.10); exact on chains other than EVM.
    pub amount: String,
    /// "ETH"
    pub symbol: String,
    /// Time of sending, in epoch milliseconds.
    pub since: u64,
    /// Whether it takes so long that a higher fee may help.
    pub slow: bool,
}

/// Stored transactions of a namespace that are followed after a reload.
pub struct Limits {
    /// Maximum age, in milliseconds.
    pub age: u64,
    /// Maximum number.
    pub most: usize,
}

impl OnItsWay {
    /// Stores it for the next page load, with what its chain needs to follow it.
    pub fn keep(&self, deed: &impl Write, cx: &mut Cx) {
        let stored = StoredTransaction {
            chain: self.chain.clone(),
            address: self.from.clone(),
            amount: self.amount.clone(),
            symbol: self.symbol.clone(),
            since: self.since,
            deed: parse(&to_text(deed)).unwrap_or_default(),
        };
        storage::keep(key(self.chain.namespace(), &self.id), to_text(&stored), cx);
    }

    /// Removes it from storage.
    pub fn forget(&self, cx: &mut Cx) {
        forget(self.chain.namespace(), &self.id, cx);
    }

    pub fn view(&self, slow: bool, facts: &Facts) -> InFlight {
        let evm = self.chain.namespace() == Namespace::Eip155;
        let rounded = evm.then(|| nearest_units(&self.amount, AMOUNT_DECIMALS).unwrap_or_default());
        InFlight {
            url: page(&self.chain, "/tx/", &self.id, facts),
            hash: self.id.clone(),
            amount: rounded.unwrap_or_else(|| self.amount.clone()),
            symbol: self.symbol.clone(),
            since: self.since,
            slow,
        }
    }
}

/// Transactions of the active account among those on their way, which are the oldest first; the newest come first.
pub fn in_flight<'a>(all: impl DoubleEndedIterator<Item = &'a OnItsWay>, facts: &Facts) -> Vec<InFlight> {
    let Some(account) = &facts.account else { return Vec::new() };
    all.rev().filter(|one| one.from == account.address).map(|one| one.view(false, facts)).collect()
}

/// Storage key of a transaction.
pub fn key(namespace: Namespace, id: &str) -> String {
    match namespace {
        Namespace::Eip155 => [keys::PENDING, &id.to_ascii_lowercase()].concat(),
        other => [keys::PENDING, other.word(), "/", id].concat(),
    }
}

/// Removes a transaction from storage.
pub fn forget(namespace: Namespace, id: &str, cx: &mut Cx) {
    cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: key(namespace, id) });
}

/// Reads stored transactions of a namespace by id and text: of those of networks that the host serves the newest up to the limit, the oldest of
/// these first. `sound` reads what its chain needs. Invalid and old ones are removed from storage. Valid ones are not stored again: the tab
/// that sent one may have removed it by now.
pub fn restored<T>(
    stored: Vec<(String, String)>,
    namespace: Namespace,
    limits: &Limits,
    sound: impl Fn(&OnItsWay, &Value) -> Option<T>,
    cx: &mut Cx,
) -> Vec<T> {
    let mut found = Vec::new();
    for (id, text) in stored {
        match parse(&text).ok().and_then(|value| read(&id, &value, limits.age, &sound, cx.now)) {
            Some(one) if one.0.chain.namespace() == namespace => found.push(one),
            _ => forget(namespace, &id, cx),
        }
    }
    let found = newest(found, limits.most, |(one, _)| (&one.chain, one.since), cx.facts);
    found.into_iter().map(|(_, one)| one).collect()
}

fn read<T>(
    id: &str,
    value: &Value,
    age: u64,
    sound: impl Fn(&OnItsWay, &Value) -> Option<T>,
    now: u64,
) -> Option<(OnItsWay, T)> {
    let stored = StoredTransaction::read(value).ok()?;
    let valid = is_recent(stored.since, now, age) && shown_units(&stored.amount, AMOUNT_DECIMALS).is_some();
    let one = OnItsWay {
        id: id.into(),
        chain: stored.chain,
        from: clean(&stored.address),
        amount: stored.amount,
        symbol: clean(&stored.symbol),
        since: stored.since.min(now),
    };
    sound(&one, &stored.deed).filter(|_| valid).map(|more| (one, more))
}

/// Whether a time is less than this apart from now. Clocks of tabs may differ.
pub fn is_recent(since: u64, now: u64, age: u64) -> bool {
    now.abs_diff(since) < age
}

/// Those of networks that the host serves, by chain and time of sending: the newest up to a number, the oldest of these first.
pub fn newest<T>(mut stored: Vec<T>, most: usize, of: impl Fn(&T) -> (&ChainId, u64), facts: &Facts) -> Vec<T> {
    stored.retain(|one| facts.network(of(one).0).is_some());
    stored.sort_by_key(|one| of(one).1);
    stored.split_off(stored.len().saturating_sub(most))
}
