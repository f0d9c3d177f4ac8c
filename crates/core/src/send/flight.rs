//! Transactions that outlive the form, and the page: money moves even when the visitor looks elsewhere.

use super::{Asked, Send};
use crate::account::BALANCE_DECIMALS;
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::Facts;
use crate::notice::{Message, Variant};
use crate::pay::receipt::{Flight, Question, Step};
use crate::shown::clean;
use crate::signal::Signal;
use crate::storage::{self, StoredTransaction, keys};
use crate::timer::Timer;
use portico_json::{Json, Value};
use portico_terms::ChainId;
use portico_terms::amount::shown_units;
use portico_terms::rpc::{RpcError, is_transaction_hash};

/// So many are followed at a time, here and after a reload.
const MOST: usize = 8;

/// What was sent longer ago is not looked for after a reload, in milliseconds.
const OLDEST: u64 = 86_400_000;

/// A transaction that a wallet was asked to sign.
#[derive(Debug)]
pub struct Signing {
    /// Tells its answer from that of another one.
    pub attempt: u32,
    /// On which chain.
    pub chain: ChainId,
    /// From whom.
    pub address: String,
    /// In coins, exact.
    pub amount: String,
    /// Of which coin.
    pub symbol: String,
    /// To whom.
    pub receiver: String,
    /// That one's name.
    pub receiver_name: Option<String>,
    /// Whether the sender is a smart account.
    pub smart_account: bool,
    /// The host's call.
    pub ticket: Option<u32>,
}

impl Signing {
    /// An event about it.
    pub fn tracked(&self, name: Name) -> Tracked {
        let tracked =
            Tracked::new(name).flag("isSmartAccount", self.smart_account).with("amount", self.amount.as_str());
        tracked.with("network", self.chain.to_string()).with("token", self.symbol.as_str())
    }
}

/// A transaction that is not mined yet.
#[derive(Debug)]
pub struct Pending {
    /// The wait for its receipt.
    pub flight: Flight,
    /// In coins, exact.
    pub amount: String,
    /// Of which coin.
    pub symbol: String,
    /// It takes so long that a higher fee may help.
    pub slow: bool,
}

/// What became of a transaction.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum SentState {
    /// The network has it.
    Pending,
    /// It was mined.
    Confirmed,
    /// It was mined, and moved nothing.
    Failed,
    /// Another transaction took its place.
    Replaced,
    /// It was looked for long enough.
    Lost,
}

/// What was sent last, for the view that says so.
#[derive(Clone, Debug)]
pub struct Last {
    pub hash: String,
    pub chain: ChainId,
    pub amount: String,
    pub symbol: String,
    pub receiver: String,
    pub receiver_name: Option<String>,
    pub state: SentState,
}

/// A transaction of the visitor's own that is not mined yet.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct InFlight {
    /// In small letters.
    pub hash: String,
    /// Its page on the explorer.
    pub url: Option<String>,
    /// With three decimals (spec 2.10).
    pub amount: String,
    /// "ETH"
    pub symbol: String,
    /// Whether it takes so long that a higher fee may help.
    pub slow: bool,
}

/// What was sent last (view WalletSendConfirmed).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Sent {
    /// What became of it.
    pub state: SentState,
    /// Whether it takes so long that a higher fee may help.
    pub slow: bool,
    /// In coins, exact.
    pub amount: String,
    /// "ETH"
    pub symbol: String,
    /// To whom: 4 leading and 6 trailing characters.
    pub receiver_short: String,
    /// To whom, whole.
    pub receiver: String,
    /// That one's name.
    pub receiver_name: Option<String>,
    /// The transaction's page on the explorer.
    pub url: Option<String>,
}

fn page_of(hash: &str, chain: &ChainId, facts: &Facts) -> Option<String> {
    let url = facts.network(chain)?.explorer_url()?;
    Some([url, "/tx/", &hash.to_ascii_lowercase()].concat())
}

impl Send {
    /// The wallet signed: from now on it is followed.
    pub fn follow(&mut self, signing: Signing, hash: String, current: bool, cx: &mut Cx) {
        if current {
            self.last = Some(Last {
                hash: hash.clone(),
                chain: signing.chain.clone(),
                amount: signing.amount.clone(),
                symbol: signing.symbol.clone(),
                receiver: signing.receiver,
                receiver_name: signing.receiver_name,
                state: SentState::Pending,
            });
        }
        // A wallet that tells one hash twice sent one transaction.
        self.pending.retain(|known| !known.flight.hash().eq_ignore_ascii_case(&hash));
        if self.pending.len() == MOST {
            self.pending.remove(0);
        }
        let flight = Flight::new(hash, signing.chain, signing.address, cx.now);
        self.pending.push(Pending { flight, amount: signing.amount, symbol: signing.symbol, slow: false });
        self.keep(cx);
        self.look(cx);
    }

    /// What was sent before the page was loaded: stored values are hostile.
    pub fn resume(&mut self, cx: &mut Cx) {
        let stored = self.stored.take().unwrap_or_default();
        for stored in storage::list::<StoredTransaction>(&stored) {
            let known = self.pending.iter().any(|known| known.flight.hash().eq_ignore_ascii_case(&stored.hash));
            let served = cx.facts.network(&stored.chain).is_some();
            let age = cx.now.checked_sub(stored.since).filter(|age| *age < OLDEST);
            let shown = shown_units(&stored.amount, BALANCE_DECIMALS);
            let sound = is_transaction_hash(&stored.hash) && age.is_some() && shown.is_some();
            if known || !served || !sound || self.pending.len() == MOST {
                continue;
            }
            let flight = Flight::new(stored.hash, stored.chain, clean(&stored.address), stored.since);
            let symbol = clean(&stored.symbol);
            self.pending.push(Pending { slow: flight.is_slow(cx.now), flight, amount: stored.amount, symbol });
        }
        self.keep(cx);
        self.look(cx);
    }

    /// Another page goes on where this one ends.
    fn keep(&self, cx: &mut Cx) {
        let area = StorageArea::Local;
        if self.pending.is_empty() {
            return cx.order(Operation::RemoveStorage { area, key: keys::PENDING.into() });
        }
        let stored = self.pending.iter().map(|pending| StoredTransaction {
            hash: pending.flight.hash().into(),
            chain: pending.flight.chain.clone(),
            address: pending.flight.from.clone(),
            amount: pending.amount.clone(),
            symbol: pending.symbol.clone(),
            since: pending.flight.since,
        });
        let text = storage::text(&stored.collect::<Vec<_>>());
        for (key, value) in [(keys::VERSION, storage::VERSION.into()), (keys::PENDING, text)] {
            cx.order(Operation::WriteStorage { area, key: key.into(), value });
        }
    }

    /// Looks for all that is not mined yet.
    pub fn look(&mut self, cx: &mut Cx) {
        for Pending { flight, .. } in &self.pending {
            for (method, params, question) in flight.look() {
                cx.call(&flight.chain, method, params, Asked::Receipt(flight.hash().into(), question));
            }
        }
    }

    /// One answer about one of them.
    pub fn receipt(&mut self, hash: &str, question: Question, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(index) = self.pending.iter().position(|pending| pending.flight.hash() == hash) else { return };
        let pending = &mut self.pending[index];
        pending.slow = pending.flight.is_slow(cx.now);
        let (state, variant, message) = match pending.flight.told(question, &answer, cx.now) {
            Step::Wait => return,
            Step::Again(delay) => return cx.start(Timer::ReceiptPoll, delay),
            Step::Mined(true) => (SentState::Confirmed, Variant::Success, Message::TransactionConfirmed),
            Step::Mined(false) => (SentState::Failed, Variant::Error, Message::FailedToSendTransaction),
            Step::Replaced => (SentState::Replaced, Variant::Error, Message::TransactionReplaced),
            Step::GivenUp => (SentState::Lost, Variant::Error, Message::TransactionPending),
        };
        self.pending.remove(index);
        self.keep(cx);
        if let Some(last) = self.last.as_mut().filter(|last| last.hash == hash) {
            last.state = state;
        }
        cx.say(variant, message);
        cx.tell(Signal::SendSettled);
    }

    /// Those of the account in use, the newest first.
    pub fn in_flight(&self, facts: &Facts) -> Vec<InFlight> {
        let Some(account) = &facts.account else { return Vec::new() };
        let own = self.pending.iter().rev().filter(|pending| pending.flight.from == account.address);
        own.map(|pending| InFlight {
            hash: pending.flight.hash().to_ascii_lowercase(),
            url: page_of(pending.flight.hash(), &pending.flight.chain, facts),
            amount: shown_units(&pending.amount, BALANCE_DECIMALS).unwrap_or_default(),
            symbol: pending.symbol.clone(),
            slow: pending.slow,
        })
        .collect()
    }

    /// What was sent last.
    pub fn sent_last(&self, facts: &Facts) -> Option<Sent> {
        let last = self.last.as_ref()?;
        let slow = self.pending.iter().any(|pending| pending.slow && pending.flight.hash() == last.hash);
        Some(Sent {
            state: last.state,
            slow,
            amount: last.amount.clone(),
            symbol: last.symbol.clone(),
            receiver_short: portico_terms::address::shorten(&last.receiver),
            receiver: last.receiver.clone(),
            receiver_name: last.receiver_name.clone(),
            url: page_of(&last.hash, &last.chain, facts),
        })
    }
}
