//! Transactions on their way: sent again until they are in a block or too old to get into one.

use super::confirm::Request;
use super::notify::Subscription;
use super::{Alarm, Reason, Solana};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::modal::View;
use crate::notice::{Message, Variant};
use crate::pay::kept::{Limits, OnItsWay, restored};
use crate::pay::outcome::{Receipt, SentState, page};
use crate::pay::signing::{LONGEST_PENDING, MOST_PENDING};
use crate::signal::Signal;
use crate::wallet::solana;
use portico_calldata::solana::{Message as Paying, SIGNATURE, Step, Transaction, key, verify};
use portico_encoding::base58;
use portico_json::{Json, Read, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, Namespace, address::shorten};

/// Time between two reads of the state, in milliseconds: a block takes 0.4 s, and being confirmed about a second.
const POLL: u64 = 2_000;

/// Time between two reads while a notification is expected, in milliseconds.
const RARE_POLL: u64 = 4_000;

/// Time between two reads of a state about which the nodes were asked in vain, in milliseconds.
const LATE_POLL: u64 = 10_000;

/// Number of reads after which the visitor is told that the nodes do not tell the outcome. It starts once the last block that the transaction
/// may be in is final.
const DOUBTS: u8 = 10;

/// Number of answers "unknown" after the last block that a transaction may be in. Nodes are apart, and one of them may be behind.
const MISSES: u8 = 3;

/// Time before which no transaction counts as too old, whatever a node says about the height of its chain, in milliseconds: 150 blocks of up to
/// 0.5 s, and the time until they are final. A visitor who believes that nothing was sent pays again.
const LIFE: u64 = 120_000;

/// Stored transactions that are followed after a reload. Whether one is on the chain can be told for a day and longer.
const LIMITS: Limits = Limits { age: LONGEST_PENDING, most: MOST_PENDING };

#[derive(Debug)]
pub struct Pending {
    /// Its id is the signature in base58.
    pub one: OnItsWay,
    sent: SentBytes,
    /// Whether the last block that it may be in is final.
    pub(super) over: bool,
    /// Answers "unknown" since then.
    misses: u8,
    /// Reads since then without an answer of both nodes, one after the other.
    doubts: u8,
    pub(super) subscription: Subscription,
}

/// Signed bytes of a transaction that was sent, and the last block that may have it; also its stored form.
#[derive(Clone, Debug, Json)]
struct SentBytes {
    /// The signed transaction in base64.
    wire: String,
    /// Height of the last block that it may be in.
    last_valid: u64,
}

/// The last sent transaction, for its view.
#[derive(Debug)]
pub struct Last {
    one: OnItsWay,
    state: SentState,
    /// Network fee in lamports.
    fee: u64,
    value: Option<String>,
    receiver: String,
}

/// The last sent transaction (view SolanaSendConfirmed).
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SolanaSent")]
pub struct Sent {
    /// Amount in coins or tokens, exact.
    pub amount: String,
    /// "SOL"
    pub symbol: String,
    /// Value in US dollars, if a price was known when it was signed.
    pub value: Option<String>,
    /// Full address of the receiver.
    pub receiver: String,
    pub receipt: Receipt,
}

impl Solana {
    /// Sends a signed transaction, and follows it; the receipt on the screen is that of the current one.
    pub(super) fn follow(&mut self, request: &Request, signature: String, bytes: &[u8], current: bool, cx: &mut Cx) {
        let Request { chain, from, amount, symbol, .. } = request;
        let receiver = base58::encode(&request.plan.to);
        self.paid.pays((chain, from), &receiver, None, cx);
        let one = OnItsWay {
            id: signature,
            chain: chain.clone(),
            from: from.clone(),
            amount: amount.clone(),
            symbol: symbol.clone(),
            since: cx.now,
        };
        if current {
            self.last = Some(Last {
                one: one.clone(),
                state: SentState::Pending,
                fee: request.fee,
                value: request.value.clone(),
                receiver,
            });
        }
        let sent = SentBytes { wire: solana::encoded(bytes), last_valid: request.last_valid };
        // The page may be gone before the network has told the outcome.
        one.keep(&sent, cx);
        if self.pending.len() == MOST_PENDING {
            self.pending.remove(0).one.forget(cx);
        }
        let pending = Pending::new(one, sent);
        pending.send(cx);
        self.pending.push(pending);
        self.subscribe(cx);
        cx.start(Alarm::Poll, POLL);
    }

    /// Follows stored transactions of an earlier page or another tab.
    pub fn resume(&mut self, cx: &mut Cx) {
        let (stored, facts) = (std::mem::take(&mut self.stored), cx.facts);
        let sound = |one: &OnItsWay, deed: &Value| sound(one, deed, facts);
        self.pending.extend(restored(stored, Namespace::Solana, &LIMITS, sound, cx));
        self.poll(cx);
    }

    /// Sends all transactions on their way again, and reads their state.
    pub(super) fn poll(&mut self, cx: &mut Cx) {
        for pending in &self.pending {
            if pending.over {
                pending.ask_two(cx);
                pending.ask_each(cx);
            } else {
                pending.ask(cx);
                pending.send(cx);
                let finality = Value::Object(vec![("commitment".into(), "finalized".into())]);
                cx.call(&pending.one.chain, solana::HEIGHT, vec![finality], Reason::Height(pending.one.id.clone()));
            }
        }
        self.subscribe(cx);
        if let Some(pause) = self.pending.iter().map(Pending::pause).min() {
            cx.start(Alarm::Poll, pause);
        }
    }

    /// Number of final blocks.
    pub(super) fn on_height(&mut self, signature: &str, answer: &Result<Value, RpcError>, now: u64) {
        let height = answer.as_ref().ok().and_then(Value::as_u64);
        if let Some(pending) = self.pending.iter_mut().find(|pending| pending.one.id == signature) {
            let old = now.saturating_sub(pending.one.since) >= LIFE;
            pending.over |= old && height.is_some_and(|height| height > pending.sent.last_valid);
        }
    }

    /// State of a transaction, as one node tells it or two of them. One is believed about a success alone: a visitor who is made to believe that
    /// a payment failed pays again.
    pub(super) fn on_status(&mut self, signature: &str, answer: &Result<Value, RpcError>, agreed: bool, cx: &mut Cx) {
        let Some(at) = self.pending.iter().position(|pending| pending.one.id == signature) else { return };
        let told = answer.as_ref().ok().and_then(|answer| answer.get("value").as_list()?.first());
        let Some(told) = told else { return self.on_doubt(at, agreed, cx) };
        let confirmed = matches!(told.get("confirmationStatus").as_str(), Some("confirmed" | "finalized"));
        let pending = &mut self.pending[at];
        if agreed {
            pending.doubts = 0;
        }
        let state = match (confirmed, told.get("err").is_null()) {
            (true, true) => SentState::Confirmed,
            (true, false) if agreed => SentState::Failed,
            // Two nodes are asked already.
            (true, false) if pending.over => return,
            (true, false) => return pending.ask_two(cx),
            (false, _) => {
                pending.misses += u8::from(agreed && pending.over && told.is_null());
                if pending.misses < MISSES {
                    return;
                }
                SentState::Expired
            }
        };
        self.pending.remove(at).one.forget(cx);
        self.subscribe(cx);
        let seen = self.show(signature, state, cx.facts);
        let (variant, message) = match state {
            SentState::Confirmed => (Variant::Success, Message::TransactionConfirmed),
            SentState::Expired => (Variant::Error, Message::TransactionExpired),
            _ => (Variant::Error, Message::FailedToSendTransaction),
        };
        // The receipt on the screen says it already.
        if !(seen && state == SentState::Confirmed) {
            cx.say(variant, message);
        }
        cx.signal(Signal::SendSettled);
    }

    /// The nodes disagree, or one of them does not answer. Where that lasts, the visitor is told to look at the explorer; a success or an end that
    /// the nodes tell later still counts.
    fn on_doubt(&mut self, at: usize, agreed: bool, cx: &mut Cx) {
        let pending = &mut self.pending[at];
        if !(agreed && pending.over) {
            return;
        }
        pending.doubts = pending.doubts.saturating_add(1);
        if pending.doubts == DOUBTS {
            let id = pending.one.id.clone();
            if !self.show(&id, SentState::Lost, cx.facts) {
                cx.say(Variant::Error, Message::TransactionPending);
            }
        }
    }

    /// Sets the state on the receipt of a transaction. Returns whether that receipt is on the screen.
    fn show(&mut self, signature: &str, state: SentState, facts: &Facts) -> bool {
        let last = self.last.as_mut().filter(|last| last.one.id == signature);
        let seen = last.is_some() && facts.view == Some(View::SolanaSendConfirmed);
        if let Some(last) = last {
            last.state = state;
        }
        seen
    }

    /// The last sent transaction.
    pub(super) fn sent(&self, facts: &Facts) -> Option<Sent> {
        let Last { one, state, fee, value, receiver } = self.last.as_ref()?;
        let network = facts.network(&one.chain);
        let coin = network.map(|network| &network.native_currency);
        let mined = matches!(state, SentState::Confirmed | SentState::Failed);
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
                fee: coin.filter(|_| mined).map(|coin| Amount::from(*fee).to_units(coin.decimals)),
                fee_symbol: coin.map(|coin| coin.symbol.clone()).unwrap_or_default(),
                replaced_by: None,
                url: page(&one.chain, "/tx/", &one.id, facts),
            },
        })
    }
}

/// A stored transaction: its bytes have to be exactly those that the account signed, and tell what it pays.
fn sound(one: &OnItsWay, deed: &Value, facts: &Facts) -> Option<Pending> {
    let sent = SentBytes::read(deed).ok()?;
    let signature: [u8; SIGNATURE] = base58::decode(solana::signature(&one.id.as_str().into())?)?.try_into().ok()?;
    let bytes = solana::decoded(&sent.wire)?;
    let transaction = Transaction::read(&bytes).filter(|read| read.signatures == [&signature[..]])?;
    let from = key(&one.from).filter(|from| transaction.message.signers() == [*from])?;
    if !verify(&from, transaction.signed, &signature) {
        return None;
    }
    let (amount, symbol) = paid_by(&transaction.message, one, facts)?;
    Some(Pending::new(OnItsWay { amount, symbol, ..one.clone() }, sent))
}

/// Amount and symbol of the one payment that a message orders. The bytes do not contain the symbol of a token, which is the stored one, but never
/// that of the coin.
fn paid_by(message: &Paying<'_>, one: &OnItsWay, facts: &Facts) -> Option<(String, String)> {
    let aside = |step: &Step<'_>| matches!(step, Step::UnitLimit(_) | Step::UnitPrice(_) | Step::Create { .. });
    let mut steps = message.ordered().filter(|step| !aside(step));
    let (step, None) = (steps.next()?, steps.next()) else { return None };
    // The list leaves out what is on a network that the page serves no more.
    let coin = facts.network(&one.chain).map(|network| &network.native_currency);
    match (step, coin) {
        (Step::Transfer { .. } | Step::SendToken { .. }, None) => Some((one.amount.clone(), one.symbol.clone())),
        (Step::Transfer { lamports, .. }, Some(coin)) => {
            Some((Amount::from(lamports).to_units(coin.decimals), coin.symbol.clone()))
        }
        (Step::SendToken { amount, mint: Some((mint, decimals)), .. }, Some(coin)) => {
            let is_coin = one.symbol.eq_ignore_ascii_case(&coin.symbol);
            let symbol = if is_coin { shorten(&base58::encode(&mint)) } else { one.symbol.clone() };
            Some((Amount::from(amount).to_units(decimals), symbol))
        }
        _ => None,
    }
}

impl Pending {
    fn new(one: OnItsWay, sent: SentBytes) -> Pending {
        Pending { one, sent, over: false, misses: 0, doubts: 0, subscription: Subscription::Due }
    }

    /// Parameters of the question about its state.
    fn question(&self) -> Vec<Value> {
        let history = Value::Object(vec![("searchTransactionHistory".into(), Value::Bool(true))]);
        vec![Value::List(vec![self.one.id.as_str().into()]), history]
    }

    /// Asks one node about its state.
    pub(super) fn ask(&self, cx: &mut Cx) {
        cx.call(&self.one.chain, solana::STATUSES, self.question(), Reason::Status(self.one.id.clone()));
    }

    /// Asks two nodes about its state, on which both have to agree.
    fn ask_two(&self, cx: &mut Cx) {
        cx.call_both(&self.one.chain, solana::STATUSES, self.question(), Reason::Agreed(self.one.id.clone()));
    }

    /// Asks both of them alone, too: a success that one tells counts, though the other one denies it or refuses to serve.
    fn ask_each(&self, cx: &mut Cx) {
        let reason = || Reason::Status(self.one.id.clone()).into();
        cx.call_each(&self.one.chain, solana::STATUSES, &self.question(), reason);
    }

    /// Time until its state is read again.
    fn pause(&self) -> u64 {
        match () {
            () if self.doubts >= DOUBTS => LATE_POLL,
            () if self.is_subscribed() => RARE_POLL,
            () => POLL,
        }
    }

    /// Sends it, without the node's own trial and repetition: it was tried, and is sent again here. Sending it twice changes nothing.
    fn send(&self, cx: &mut Cx) {
        let more = [("skipPreflight", Value::Bool(true)), ("maxRetries", Value::Number("0".into()))];
        let params = vec![Value::Text(self.sent.wire.clone()), solana::settings(&more)];
        cx.call(&self.one.chain, solana::SEND, params, Reason::Sent);
    }
}
