//! Transactions on their way: sent again while no node knows them, until they are in a block or another one has spent the same outputs.

use super::confirm::Request;
use super::{Alarm, Bitcoin, DECIMALS, Reason};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::modal::View;
use crate::notice::{Message, Variant};
use crate::pay::outcome::{Receipt, SentState, page};
use crate::signal::Signal;
use crate::wallet::bip122;
use portico_calldata::bitcoin::OutPoint;
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, address::shorten};

/// Time between two reads of the state, in milliseconds. Blocks are ten minutes apart on average.
const POLL: u64 = 10_000;

#[derive(Debug)]
pub struct Pending {
    /// Id of the transaction.
    id: String,
    /// The signed transaction in hex.
    wire: String,
    chain: ChainId,
    from: String,
    spent: Vec<OutPoint>,
}

impl Pending {
    pub fn spends(&self, at: OutPoint) -> bool {
        self.spent.contains(&at)
    }
}

/// The last sent transaction, for its view.
#[derive(Debug)]
pub struct Last {
    id: String,
    chain: ChainId,
    since: u64,
    state: SentState,
    /// Transaction that spent the same outputs.
    replaced_by: Option<String>,
    /// Network fee in satoshis.
    fee: u64,
    amount: String,
    symbol: String,
    value: Option<String>,
    receiver: String,
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
    pub(super) fn follow(&mut self, request: &Request, id: String, wire: String, cx: &mut Cx) {
        let Request { chain, from, amount, symbol, to, plan, .. } = request;
        self.paid.pays((chain, from), to, None, cx);
        self.last = Some(Last {
            id: id.clone(),
            chain: chain.clone(),
            since: cx.now,
            state: SentState::Pending,
            replaced_by: None,
            fee: plan.fee,
            amount: amount.clone(),
            symbol: symbol.clone(),
            value: request.value.clone(),
            receiver: to.clone(),
        });
        let spent = plan.coins.iter().map(|coin| coin.at).collect();
        self.pending.push(Pending { id, wire, chain: chain.clone(), from: from.clone(), spent });
        cx.start(Alarm::Poll, POLL);
    }

    /// Reads the state of all transactions on their way.
    pub(super) fn poll(&mut self, cx: &mut Cx) {
        for Pending { id, chain, .. } in &self.pending {
            let params = vec![Value::Text(id.clone()), Value::Bool(true)];
            cx.call(chain, bip122::TRANSACTION, params, Reason::Status(id.clone()));
        }
        if !self.pending.is_empty() {
            cx.start(Alarm::Poll, POLL);
        }
    }

    pub(super) fn on_status(&mut self, id: &str, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        match answer {
            Ok(told) if told.get("txid").as_str() == Some(id) && told.get("blockheight").as_u64().is_some() => {
                self.settle(id, SentState::Confirmed, None, cx);
            }
            Err(error) if bip122::is_unknown(error) => self.missed(id, cx),
            _ => {}
        }
    }

    /// A node doesn't know a transaction: it is sent again.
    fn missed(&mut self, id: &str, cx: &mut Cx) {
        let Some(pending) = self.pending.iter().find(|pending| pending.id == id) else { return };
        cx.call(&pending.chain, bip122::SEND, vec![Value::Text(pending.wire.clone())], Reason::Resent(id.into()));
    }

    /// A node refuses a transaction that was sent before: another one may have spent its first output. Two nodes have to agree on that where two
    /// are known: who is made to believe that a payment failed pays again.
    pub(super) fn on_resent(&mut self, id: &str, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Some(pending) = self.pending.iter().find(|pending| pending.id == id) else { return };
        let refused = answer.as_ref().is_err_and(bip122::is_refused);
        if let Some(first) = pending.spent.first().filter(|_| refused) {
            let asked = bip122::of_output(&first.id(), first.index);
            cx.call_agreed(&pending.chain, bip122::SPENDER, vec![asked], Reason::Spender(id.into()));
        }
    }

    pub(super) fn on_spender(&mut self, id: &str, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Some(told) = answer.as_ref().ok().and_then(Value::as_list).and_then(<[Value]>::first) else { return };
        let spender = told.get("spendingtxid").as_str().filter(|text| OutPoint::of(text, 0).is_some());
        if spender == Some(id) {
            return;
        }
        // The node may lie, so the next payment spends the same output if it is still there.
        if let Some(Pending { chain, from, spent, .. }) = self.pending.iter().find(|pending| pending.id == id) {
            self.bound.extend(spent.first().map(|at| (chain.clone(), from.clone(), *at)));
        }
        let state = if spender.is_some() { SentState::Replaced } else { SentState::Lost };
        self.settle(id, state, spender.map(Into::into), cx);
    }

    fn settle(&mut self, id: &str, state: SentState, replaced_by: Option<String>, cx: &mut Cx) {
        let Some(at) = self.pending.iter().position(|pending| pending.id == id) else { return };
        self.pending.remove(at);
        let last = self.last.as_mut().filter(|last| last.id == id);
        let seen = last.is_some() && cx.facts.view == Some(View::BitcoinSendConfirmed);
        if let Some(last) = last {
            (last.state, last.replaced_by) = (state, replaced_by);
        }
        // The receipt on the screen says it already.
        if !(seen && matches!(state, SentState::Confirmed | SentState::Replaced)) {
            let (variant, message) = match state {
                SentState::Confirmed => (Variant::Success, Message::TransactionConfirmed),
                _ => (Variant::Error, Message::FailedToSendTransaction),
            };
            cx.say(variant, message);
        }
        cx.signal(Signal::SendSettled);
    }

    /// The last sent transaction.
    pub(super) fn sent(&self, facts: &Facts) -> Option<Sent> {
        let last = self.last.as_ref()?;
        let network = facts.network(&last.chain);
        Some(Sent {
            amount: last.amount.clone(),
            symbol: last.symbol.clone(),
            value: last.value.clone(),
            receiver: last.receiver.clone(),
            receipt: Receipt {
                state: last.state,
                slow: false,
                hash_short: Some(shorten(&last.id)),
                hash: Some(last.id.clone()),
                network_name: network.map(|network| network.name.clone()),
                since: last.since,
                fee: Some(Amount::from(last.fee).to_units(DECIMALS)),
                fee_symbol: last.symbol.clone(),
                url: page(&last.chain, "/tx/", last.replaced_by.as_ref().unwrap_or(&last.id), facts),
                replaced_by: last.replaced_by.clone(),
            },
        })
    }
}
