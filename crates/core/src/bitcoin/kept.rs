//! Signed transactions in storage: those of earlier pages and of other tabs.

use super::flight::Pending;
use super::{Bitcoin, DECIMALS, Reason};
use crate::cx::Cx;
use crate::effect::Operation;
use crate::pay::kept::{Limits, OnItsWay, key, restored};
use portico_calldata::bitcoin::{Address, LARGEST, Previous, id_text};
use portico_encoding::hex;
use portico_json::{Json, Read, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, Namespace};

/// Stored transactions that are followed after a reload, of any age: nodes keep an unconfirmed one for two weeks from the last time that
/// anyone sent it, so that only a block or another spender of its outputs ends it.
pub const LIMITS: Limits = Limits { age: u64::MAX, most: 32 };

/// Time during which a payment that was given up binds the next one after a reload, in milliseconds: two weeks. Also where another one is said
/// to have replaced it: one node can make that up, and send the payment later.
const BOUND_FOR: u64 = 14 * 86_400_000;

/// Time at which a payment was given up.
#[derive(Clone, Debug, Json)]
pub struct End {
    pub at: u64,
}

/// Stored form of a signed transaction, besides what all chains store.
#[derive(Clone, Debug, Json)]
struct SentBytes {
    /// The transaction in hex.
    wire: String,
    end: Option<End>,
}

impl Pending {
    /// Stores it for the next page load, or how it ended.
    pub fn keep(&self, end: Option<End>, cx: &mut Cx) {
        self.one.keep(&SentBytes { wire: self.wire.clone(), end }, cx);
    }

    /// Stores that it ended, unless another tab has seen it in a block and removed it.
    pub fn keep_end(&self, cx: &mut Cx) {
        let prefix = key(Namespace::Bip122, &self.one.id);
        cx.ask(Operation::ReadStorage { prefix }, Reason::Kept(self.one.id.clone(), cx.now));
    }
}

impl Bitcoin {
    /// Follows stored transactions of an earlier page.
    pub fn resume(&mut self, cx: &mut Cx) {
        let stored = std::mem::take(&mut self.stored);
        self.take_stored(stored, cx);
    }

    /// Reads what other tabs have signed meanwhile.
    pub(super) fn reread(&mut self, cx: &mut Cx) {
        self.storage_asked = true;
        cx.ask(Operation::ReadStorage { prefix: key(Namespace::Bip122, "") }, Reason::Stored);
    }

    pub(super) fn on_stored(&mut self, stored: &Value, cx: &mut Cx) {
        self.storage_asked = false;
        let known = |id: &str| self.pending.iter().chain(&self.bound).any(|signed| signed.one.id == id);
        let entries = entries(stored).filter(|(id, _)| !known(id)).map(|(id, text)| (id.into(), text.into())).collect();
        self.take_stored(entries, cx);
        let pending = &self.pending;
        if let Some(coins) = &mut self.coins {
            coins.retain(|coin| !pending.iter().any(|signed| signed.spends(coin.at)));
        }
    }

    /// Follows transactions from storage. Those that were given up bind the next payment; they are asked about once.
    fn take_stored(&mut self, stored: Vec<(String, String)>, cx: &mut Cx) {
        let before = self.pending.len();
        for (mut signed, end) in restored(stored, Namespace::Bip122, &LIMITS, sound, cx) {
            if let Some(network) = cx.facts.network(&signed.one.chain) {
                signed.one.symbol = network.native_currency.symbol.clone();
            }
            let list = match end {
                None => &mut self.pending,
                // A clock that was ahead makes the time longer, not shorter.
                Some(end) if cx.now.saturating_sub(end.at) >= BOUND_FOR => {
                    signed.one.forget(cx);
                    continue;
                }
                Some(_) => {
                    signed.ask_state(cx);
                    &mut self.bound
                }
            };
            if list.len() < LIMITS.most {
                list.push(signed);
            }
        }
        if self.pending.len() > before {
            self.pending.sort_by_key(|signed| signed.one.since);
            self.poll(cx);
        }
    }

    /// Stored form of a transaction that was given up.
    pub(super) fn on_kept(&self, id: &str, at: u64, stored: &Value, cx: &mut Cx) {
        let given_up = self.bound.iter().find(|signed| signed.one.id == id);
        if let Some(signed) = given_up.filter(|_| entries(stored).any(|(kept, _)| kept == id)) {
            signed.keep(Some(End { at }), cx);
        }
    }

    /// Transaction whose output one from storage spends: of whom that output was.
    pub(super) fn on_spent(&mut self, id: &str, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let found = self.pending.iter_mut().chain(&mut self.bound).find(|signed| signed.one.id == id);
        let Some(signed) = found else { return };
        let Some(at) = signed.first() else { return };
        let text = answer.as_ref().ok().and_then(Value::as_str);
        let Some(made) = text.and_then(read).filter(|made| made.id == at.transaction) else { return };
        let script = Address::parse(&signed.one.from).ok().map(|from| from.kind.script());
        if made.outputs.get(at.index as usize).map(|output| &output.script) == script.as_ref() {
            signed.own = true;
            return self.in_block(id, cx);
        }
        // Somebody else's transaction, which the account has nothing to do with.
        if let Some(signed) = self.remove(id, true) {
            signed.one.forget(cx);
        }
    }
}

/// Ids and texts of a read of the storage.
fn entries(stored: &Value) -> impl Iterator<Item = (&str, &str)> {
    let prefix = key(Namespace::Bip122, "");
    stored.as_list().unwrap_or_default().iter().filter_map(move |entry| {
        Some((entry.get("key").as_str()?.strip_prefix(&prefix)?, entry.get("value").as_str()?))
    })
}

fn read(wire: &str) -> Option<Previous> {
    Previous::read(&hex::decode(Some(wire).filter(|wire| wire.len() <= 2 * LARGEST)?)?)
}

/// Signed transaction of a stored one, and how it ended: the bytes have to hash to its id, and tell the amount.
fn sound(one: &OnItsWay, deed: &Value) -> Option<(Pending, Option<End>)> {
    let SentBytes { wire, end } = SentBytes::read(deed).ok()?;
    let Previous { inputs: spent, outputs, .. } = read(&wire).filter(|read| id_text(&read.id) == one.id)?;
    Address::parse(&one.from).ok().filter(|_| !spent.is_empty())?;
    let amount = Amount::from(outputs.first()?.satoshis).to_units(DECIMALS);
    let one = OnItsWay { amount, ..one.clone() };
    Some((Pending { one, wire, spent, own: false }, end))
}
