//! Transactions on their way: sent again while no node knows them, until they are in a block or another one has spent the same outputs.

use super::confirm::Request;
use super::kept::LIMITS;
use super::{Alarm, Bitcoin, DECIMALS, Reason};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::modal::View;
use crate::notice::{Message, Variant};
use crate::pay::kept::OnItsWay;
use crate::pay::outcome::{Receipt, SentState, page};
use crate::signal::Signal;
use crate::wallet::bip122;
use portico_calldata::bitcoin::OutPoint;
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, address::shorten};

/// Time between two reads of the state, in milliseconds. Blocks are ten minutes apart on average.
const POLL: u64 = 10_000;

/// A signed transaction.
#[derive(Clone, Debug)]
pub struct Pending {
    pub one: OnItsWay,
    /// The transaction in hex.
    pub wire: String,
    /// Outputs that it spends.
    pub spent: Vec<OutPoint>,
    /// Its first output that is spent was the account's. False for one from storage, which anyone can fill with a transaction of others.
    pub own: bool,
}

impl Pending {
    pub fn new(request: &Request, id: String, wire: String, now: u64) -> Pending {
        let Request { chain, from, amount, symbol, plan, .. } = request;
        let (chain, from, amount, symbol) = (chain.clone(), from.clone(), amount.clone(), symbol.clone());
        let spent = plan.coins.iter().map(|coin| coin.at).collect();
        Pending { one: OnItsWay { id, chain, from, amount, symbol, since: now }, wire, spent, own: true }
    }

    pub fn spends(&self, at: OutPoint) -> bool {
        self.spent.contains(&at)
    }

    /// Output to which it binds the next payment of the account.
    pub fn first(&self) -> Option<OutPoint> {
        self.spent.first().copied()
    }

    pub fn ask_state(&self, cx: &mut Cx) {
        let params = vec![Value::Text(self.one.id.clone()), Value::Bool(true)];
        cx.call(&self.one.chain, bip122::TRANSACTION, params, Reason::Status(self.one.id.clone()));
    }

    /// Its bytes, as nodes take them.
    pub fn wire(&self) -> Value {
        Value::Text(self.wire.clone())
    }
}

/// The last sent transaction, for its view.
#[derive(Debug)]
pub struct Last {
    one: OnItsWay,
    state: SentState,
    /// Transaction that spent the same outputs.
    replaced_by: Option<String>,
    /// Network fee in satoshis.
    fee: u64,
    value: Option<String>,
    receiver: String,
}

impl Last {
    pub fn new(request: &Request, signed: &Pending) -> Last {
        Last {
            one: signed.one.clone(),
            state: SentState::Pending,
            replaced_by: None,
            fee: request.plan.fee,
            value: request.value.clone(),
            receiver: request.to.clone(),
        }
    }
}

/// The last sent transaction (view BitcoinSendConfirmed).
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "BitcoinSent")]
pub struct Sent {
    /// Amount in coins, exact.
    pub amount: String,
    /// "BTC"
    pub symbol: String,
    /// Value in US dollars, if a price was known when it was signed.
    pub value: Option<String>,
    /// Full address of the receiver.
    pub receiver: String,
    pub receipt: Receipt,
}

impl Bitcoin {
    /// Follows a transaction that was sent.
    pub(super) fn follow(&mut self, request: &Request, signed: Pending, cx: &mut Cx) {
        let Request { chain, from, to, .. } = request;
        self.paid.pays((chain, from), to, None, cx);
        if self.pending.len() >= LIMITS.most {
            self.pending.remove(0).one.forget(cx);
        }
        self.pending.push(signed);
        cx.start(Alarm::Poll, POLL);
    }

    /// Reads the state of all transactions on their way.
    pub(super) fn poll(&mut self, cx: &mut Cx) {
        for pending in &self.pending {
            pending.ask_state(cx);
        }
        if !self.pending.is_empty() {
            cx.start(Alarm::Poll, POLL);
        }
    }

    pub(super) fn on_status(&mut self, id: &str, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        match answer {
            Ok(told) if told.get("txid").as_str() == Some(id) && told.get("blockheight").as_u64().is_some() => {
                self.in_block(id, cx);
            }
            Err(error) if bip122::is_unknown(error) => self.missed(id, cx),
            _ => {}
        }
    }

    /// A transaction is in a block. One from storage counts once its first output that is spent is known to have been the account's.
    pub(super) fn in_block(&mut self, id: &str, cx: &mut Cx) {
        let Some(signed) = self.pending.iter().chain(&self.bound).find(|signed| signed.one.id == id) else { return };
        match signed.first().filter(|_| !signed.own) {
            Some(at) => {
                let params = vec![Value::Text(at.id())];
                cx.call(&signed.one.chain, bip122::TRANSACTION, params, Reason::Spent(id.into()));
            }
            None => self.settle(id, SentState::Confirmed, None, cx),
        }
    }

    /// A node doesn't know a transaction: it is sent again.
    fn missed(&mut self, id: &str, cx: &mut Cx) {
        let Some(pending) = self.pending.iter().find(|pending| pending.one.id == id) else { return };
        cx.call(&pending.one.chain, bip122::SEND, vec![pending.wire()], Reason::Resent(id.into()));
    }

    /// A node refuses a transaction that was sent before: another one may have spent its first output. Two nodes have to agree on that where two
    /// are known: who is made to believe that a payment failed pays again.
    pub(super) fn on_resent(&mut self, id: &str, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Some(pending) = self.pending.iter().find(|pending| pending.one.id == id) else { return };
        let refused = answer.as_ref().is_err_and(bip122::is_refused);
        if let Some(first) = pending.spent.first().filter(|_| refused) {
            let asked = bip122::of_output(&first.id(), first.index);
            cx.call_agreed(&pending.one.chain, bip122::SPENDER, vec![asked], Reason::Spender(id.into()));
        }
    }

    pub(super) fn on_spender(&mut self, id: &str, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Some(told) = answer.as_ref().ok().and_then(Value::as_list).and_then(<[Value]>::first) else { return };
        let spender = told.get("spendingtxid").as_str().filter(|text| OutPoint::of(text, 0).is_some());
        if spender == Some(id) {
            return;
        }
        let state = if spender.is_some() { SentState::Replaced } else { SentState::Lost };
        self.settle(id, state, spender.map(Into::into), cx);
    }

    fn settle(&mut self, id: &str, state: SentState, replaced_by: Option<String>, cx: &mut Cx) {
        let Some(signed) = self.remove(id, state == SentState::Confirmed) else { return };
        if state == SentState::Confirmed {
            signed.one.forget(cx);
        } else {
            // The node may lie, so the next payment spends the same output if it is still there.
            signed.keep_end(cx);
            self.bound.push(signed);
        }
        let last = self.last.as_mut().filter(|last| last.one.id == id);
        let seen = last.is_some() && cx.facts.view == Some(View::BitcoinSendConfirmed);
        if let Some(last) = last {
            (last.state, last.replaced_by) = (state, replaced_by);
        }
        // The receipt on the screen says it already.
        if !(seen && matches!(state, SentState::Confirmed | SentState::Replaced)) {
            let (variant, message) = match state {
                SentState::Confirmed => (Variant::Success, Message::TransactionConfirmed),
                SentState::Replaced => (Variant::Error, Message::TransactionReplaced),
                // Nodes refuse it now, as in a surge of fees, and may take it later.
                _ => (Variant::Error, Message::TransactionPending),
            };
            cx.say(variant, message);
        }
        cx.signal(Signal::SendSettled);
    }

    /// Removes a transaction on its way; one that was given up too, if `all`.
    pub(super) fn remove(&mut self, id: &str, all: bool) -> Option<Pending> {
        let of = |list: &mut Vec<Pending>| {
            let at = list.iter().position(|signed| signed.one.id == id)?;
            Some(list.remove(at))
        };
        of(&mut self.pending).or_else(|| if all { of(&mut self.bound) } else { None })
    }

    /// The last sent transaction.
    pub(super) fn sent(&self, facts: &Facts) -> Option<Sent> {
        let Last { one, state, replaced_by, fee, value, receiver } = self.last.as_ref()?;
        let network = facts.network(&one.chain);
        Some(Sent {
            amount: one.amount.clone(),
            symbol: one.symbol.clone(),
            value: value.clone(),
            receiver: receiver.clone(),
            receipt: Receipt {
                state: *state,
                slow: false,
                hash_short: Some(shorten(&one.id)),
                hash: Some(one.id.clone()),
                network_name: network.map(|network| network.name.clone()),
                since: one.since,
                fee: Some(Amount::from(*fee).to_units(DECIMALS)),
                fee_symbol: one.symbol.clone(),
                url: page(&one.chain, "/tx/", replaced_by.as_ref().unwrap_or(&one.id), facts),
                replaced_by: replaced_by.clone(),
            },
        })
    }
}
