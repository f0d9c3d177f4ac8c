//! Transactions that outlive the form, and the page: money moves even when the visitor looks elsewhere.

use super::{Reason, Send};
use crate::account::BALANCE_DECIMALS;
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::Facts;
use crate::notice::{Message, Variant};
use crate::pay::receipt::{Flight, Question, Step};
use crate::pay::replaced::Deed;
use crate::shown::clean;
use crate::signal::Signal;
use crate::storage::{self, StoredTransaction, keys};
use crate::timer::Timer;
use portico_json::{Json, Read, Value, parse, to_text};
use portico_terms::ChainId;
use portico_terms::amount::shown_units;
use portico_terms::rpc::{RpcError, is_transaction_hash};

/// So many are followed at a time, here and after a reload.
const MOST: usize = 8;

/// What was sent longer ago is not looked for after a reload, in milliseconds.
pub const OLDEST: u64 = 86_400_000;

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
    /// What took its place.
    pub other: Option<String>,
    pub from: String,
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
    /// When it was sent, epoch milliseconds.
    pub since: u64,
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
    /// The hash of the transaction that took its place, where it was found.
    pub replaced_by: Option<String>,
    /// The explorer's page of the transaction, or of the one that took its place; where that was not found, of the account.
    pub url: Option<String>,
}

fn page_of(hash: &str, chain: &ChainId, facts: &Facts) -> Option<String> {
    page(chain, "/tx/", &hash.to_ascii_lowercase(), facts)
}

fn page(chain: &ChainId, of: &str, what: &str, facts: &Facts) -> Option<String> {
    Some([facts.network(chain)?.explorer_url()?, of, what].concat())
}

impl Send {
    /// The wallet signed: from now on it is followed.
    pub fn follow(&mut self, signing: Signing, hash: String, current: bool, cx: &mut Cx) {
        if current {
            self.last = Some(Last {
                hash: hash.clone(),
                other: None,
                from: signing.address.clone(),
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
            forget(self.pending.remove(0).flight.hash(), cx);
        }
        let flight = Flight::new(hash, signing.chain, signing.address, cx.now);
        let pending = Pending { flight, amount: signing.amount, symbol: signing.symbol, slow: false };
        keep(&pending, cx);
        self.pending.push(pending);
        self.look(cx);
    }

    /// What was sent before the page was loaded, by it or in another tab: stored values are hostile. What is sound stays as it is stored: the
    /// tab that sent it may have removed it by now.
    pub fn resume(&mut self, cx: &mut Cx) {
        let mut found = Vec::new();
        for (hash, text) in std::mem::take(&mut self.stored) {
            let stored = parse(&text).ok().and_then(|value| StoredTransaction::read(&value).ok()).filter(|stored| {
                // The clocks of tabs differ.
                let recent = cx.now.abs_diff(stored.since) < OLDEST;
                recent && is_transaction_hash(&hash) && shown_units(&stored.amount, BALANCE_DECIMALS).is_some()
            });
            match stored {
                Some(stored) => found.push((hash, stored)),
                None => forget(&hash, cx),
            }
        }
        // The newest, and they the oldest first.
        found.retain(|(_, stored)| cx.facts.network(&stored.chain).is_some());
        found.sort_by_key(|(_, stored)| stored.since);
        let room = MOST.saturating_sub(self.pending.len());
        for (hash, stored) in found.split_off(found.len().saturating_sub(room)) {
            if self.pending.iter().any(|known| known.flight.hash().eq_ignore_ascii_case(&hash)) {
                continue;
            }
            let flight = Flight::new(hash, stored.chain, clean(&stored.address), stored.since.min(cx.now))
                .with_deed(Deed::read(&stored.deed));
            let symbol = clean(&stored.symbol);
            self.pending.push(Pending { slow: flight.is_slow(cx.now), flight, amount: stored.amount, symbol });
        }
        self.look(cx);
    }

    /// Looks for all that is not mined yet.
    pub fn look(&mut self, cx: &mut Cx) {
        for pending in &self.pending {
            ask(&pending.flight, cx);
        }
    }

    /// One answer about one of them.
    pub fn receipt(&mut self, hash: &str, question: Question, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(index) = self.pending.iter().position(|pending| pending.flight.hash() == hash) else { return };
        let pending = &mut self.pending[index];
        pending.slow = pending.flight.is_slow(cx.now);
        let knew = pending.flight.deed().is_some();
        let step = pending.flight.told(question, &answer, cx.now);
        if !knew && pending.flight.deed().is_some() {
            // Another tab may have seen it mined, and removed it.
            cx.ask(Operation::ReadStorage { prefix: key(hash) }, Reason::Kept(hash.into()));
        }
        let (state, variant, message) = match step {
            Step::Wait => return,
            Step::Again(0) => return ask(&pending.flight, cx),
            Step::Again(delay) => return cx.start(Timer::ReceiptPoll, delay),
            Step::Mined(true) => (SentState::Confirmed, Variant::Success, Message::TransactionConfirmed),
            Step::Mined(false) => (SentState::Failed, Variant::Error, Message::FailedToSendTransaction),
            Step::Replaced => (SentState::Replaced, Variant::Error, Message::TransactionReplaced),
            Step::GivenUp => (SentState::Lost, Variant::Error, Message::TransactionPending),
        };
        let pending = self.pending.remove(index);
        forget(hash, cx);
        if let Some(last) = self.last.as_mut().filter(|last| last.hash == hash) {
            last.state = state;
            last.other = pending.flight.other().cloned();
        }
        cx.say(variant, message);
        cx.tell(Signal::SendSettled);
    }

    /// What it does is kept beside it, where it is still kept.
    pub fn kept(&mut self, hash: &str, stored: &Value, cx: &mut Cx) {
        let pending = self.pending.iter().find(|pending| pending.flight.hash() == hash);
        if let Some(pending) = pending.filter(|_| stored.as_list().is_some_and(|list| !list.is_empty())) {
            keep(pending, cx);
        }
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
            since: pending.flight.since,
            slow: pending.slow,
        })
        .collect()
    }

    /// What was sent last.
    pub fn sent_last(&self, facts: &Facts) -> Option<Sent> {
        let last = self.last.as_ref()?;
        let slow = self.pending.iter().any(|pending| pending.slow && pending.flight.hash() == last.hash);
        let url = match &last.other {
            None if last.state == SentState::Replaced => page(&last.chain, "/address/", &last.from, facts),
            other => page_of(other.as_ref().unwrap_or(&last.hash), &last.chain, facts),
        };
        Some(Sent {
            state: last.state,
            slow,
            amount: last.amount.clone(),
            symbol: last.symbol.clone(),
            receiver_short: portico_terms::address::shorten(&last.receiver),
            receiver: last.receiver.clone(),
            receiver_name: last.receiver_name.clone(),
            replaced_by: last.other.clone(),
            url,
        })
    }
}

fn key(hash: &str) -> String {
    [keys::PENDING, &hash.to_ascii_lowercase()].concat()
}

/// Another page goes on where this one ends.
fn keep(Pending { flight, amount, symbol, .. }: &Pending, cx: &mut Cx) {
    let stored = StoredTransaction {
        chain: flight.chain.clone(),
        address: flight.from.clone(),
        amount: amount.clone(),
        symbol: symbol.clone(),
        since: flight.since,
        deed: flight.deed().map(Deed::write).unwrap_or_default(),
    };
    storage::keep(key(flight.hash()), to_text(&stored), cx);
}

fn forget(hash: &str, cx: &mut Cx) {
    cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: key(hash) });
}

fn ask(flight: &Flight, cx: &mut Cx) {
    for (method, params, question) in flight.look() {
        cx.call(&flight.chain, method, params, Reason::Receipt(flight.hash().into(), question));
    }
}
