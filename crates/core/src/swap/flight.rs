//! Transactions that outlive the form: money moves even when the visitor looks elsewhere.

use super::{Asked, Fault, Phase, Swap};
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::notice::{Message, Variant};
use crate::pay::erc20;
use crate::pay::receipt::{Flight, Question, Step};
use crate::shown::clean;
use crate::signal::Signal;
use crate::storage::{self, keys};
use crate::timer::Timer;
use portico_json::{Value, to_text};
use portico_terms::ChainId;
use portico_terms::amount::shown_units;
use portico_terms::rpc::{RpcError, is_transaction_hash};

/// So many are followed at a time, here and after a reload.
const MOST: usize = 8;

/// What was swapped longer ago is not looked for after a reload, in milliseconds.
const OLDEST: u64 = 86_400_000;

/// What a wallet was asked to sign.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// That nobody may take anything any more: some tokens want an old permission back before they give another.
    Revocation,
    /// That a contract may take what is paid.
    Approval,
    /// The swap itself.
    Swap,
}

/// A swap, or its approval, as events and lists tell it.
#[derive(Clone, Debug)]
pub struct Deal {
    /// Which of the two.
    pub kind: Kind,
    /// Tells its answer from that of another one.
    pub attempt: u32,
    /// On which chain.
    pub chain: ChainId,
    /// Whose.
    pub address: String,
    /// What is paid, in whole tokens, exact.
    pub amount: String,
    /// Of what.
    pub symbol: String,
    /// What is expected.
    pub to_amount: String,
    /// Of what.
    pub to_symbol: String,
    /// Whether the sender is a smart account.
    pub smart_account: bool,
}

impl Deal {
    /// An event about it.
    pub fn tracked(&self, name: Name) -> Tracked {
        Tracked::new(name)
            .flag("isSmartAccount", self.smart_account)
            .with("network", self.chain.to_string())
            .with("swapFromToken", self.symbol.as_str())
            .with("swapToToken", self.to_symbol.as_str())
            .with("swapFromAmount", self.amount.as_str())
            .with("swapToAmount", self.to_amount.as_str())
    }
}

/// A transaction that is not mined yet.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The wait for its receipt.
    pub flight: Flight,
    /// What it is.
    pub deal: Deal,
    /// It takes so long that a higher fee may help.
    pub slow: bool,
}

impl Pending {
    fn stored(&self) -> Value {
        let Deal { chain, address, amount, symbol, to_amount, to_symbol, smart_account, .. } = &self.deal;
        let text = |name: &str, value: &str| (name.into(), Value::Text(value.into()));
        Value::Object(vec![
            text("hash", self.flight.hash()),
            text("chain", &chain.to_string()),
            text("address", address),
            text("amount", amount),
            text("symbol", symbol),
            text("toAmount", to_amount),
            text("toSymbol", to_symbol),
            ("smartAccount".into(), Value::Bool(*smart_account)),
            ("since".into(), Value::Number(self.flight.since.to_string())),
        ])
    }
}

/// A swap as it was stored, with its hash and when it was sent.
fn read(stored: &Value) -> Option<(Deal, String, u64)> {
    let text = |name: &str| stored.get(name).as_str();
    let amount = |name: &str| text(name).filter(|amount| shown_units(amount, 0).is_some()).map(String::from);
    let hash = text("hash").filter(|hash| is_transaction_hash(hash))?;
    let deal = Deal {
        kind: Kind::Swap,
        attempt: 0,
        chain: text("chain")?.parse().ok()?,
        address: clean(text("address")?),
        amount: amount("amount")?,
        symbol: clean(text("symbol")?),
        to_amount: amount("toAmount")?,
        to_symbol: clean(text("toSymbol")?),
        smart_account: stored.get("smartAccount").as_bool()?,
    };
    Some((deal, hash.into(), stored.get("since").as_u64()?))
}

impl Swap {
    /// The wallet told a hash. One that it tells twice is one transaction.
    pub(super) fn follow(&mut self, deal: Deal, hash: String, cx: &mut Cx) {
        self.pending.retain(|known| !known.flight.hash().eq_ignore_ascii_case(&hash));
        if self.pending.len() == MOST {
            self.pending.remove(0);
        }
        let flight = Flight::new(hash, deal.chain.clone(), deal.address.clone(), cx.now);
        self.pending.push(Pending { flight, deal, slow: false });
        self.keep(cx);
        self.look(cx);
    }

    /// What was swapped before the page was loaded: stored values are hostile.
    pub fn resume(&mut self, cx: &mut Cx) {
        for stored in std::mem::take(&mut self.stored).as_list().unwrap_or_default() {
            let Some((deal, hash, since)) = read(stored) else { continue };
            let known = self.pending.iter().any(|known| known.flight.hash().eq_ignore_ascii_case(&hash));
            let served = cx.facts.network(&deal.chain).is_some();
            let recent = cx.now.checked_sub(since).is_some_and(|age| age < OLDEST);
            if !known && served && recent && self.pending.len() < MOST {
                let flight = Flight::new(hash, deal.chain.clone(), deal.address.clone(), since);
                self.pending.push(Pending { slow: flight.is_slow(cx.now), flight, deal });
            }
        }
        self.keep(cx);
        self.look(cx);
    }

    /// Another page goes on where this one ends. An approval alone is nothing to go on with.
    fn keep(&self, cx: &mut Cx) {
        let area = StorageArea::Local;
        let swaps = self.pending.iter().filter(|pending| pending.deal.kind == Kind::Swap);
        let stored: Vec<Value> = swaps.map(Pending::stored).collect();
        if stored.is_empty() {
            return cx.order(Operation::RemoveStorage { area, key: keys::PENDING_SWAPS.into() });
        }
        let text = to_text(&Value::List(stored));
        for (key, value) in [(keys::VERSION, storage::VERSION.into()), (keys::PENDING_SWAPS, text)] {
            cx.order(Operation::WriteStorage { area, key: key.into(), value });
        }
    }

    /// Asks for the receipts of all that is not mined yet.
    pub(super) fn look(&mut self, cx: &mut Cx) {
        for Pending { flight, .. } in &self.pending {
            for (method, params, question) in flight.look() {
                cx.call(&flight.chain, method, params, Asked::Looked(flight.hash().into(), question));
            }
        }
    }

    pub(super) fn looked(&mut self, hash: &str, about: Question, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Some(index) = self.pending.iter().position(|pending| pending.flight.hash() == hash) else { return };
        let pending = &mut self.pending[index];
        pending.slow = pending.flight.is_slow(cx.now);
        let step = pending.flight.told(about, answer, cx.now);
        match step {
            Step::Wait => {}
            Step::Again(delay) => cx.start(Timer::SwapReceipt, delay),
            Step::Mined(_) | Step::Replaced | Step::GivenUp => {
                let Pending { deal, .. } = self.pending.remove(index);
                self.keep(cx);
                match deal.kind {
                    Kind::Swap => settled(&deal, step, cx),
                    _ => self.approved(&deal, step, cx),
                }
            }
        }
    }

    /// The approval, or the revocation before it, is mined, or will not be.
    fn approved(&mut self, deal: &Deal, step: Step, cx: &mut Cx) {
        if deal.attempt != self.attempt || self.phase != Phase::ApprovalPending {
            return;
        }
        let owner = || cx.facts.account.as_ref().map(|account| account.address.clone());
        match (step, self.from.as_ref(), self.quote.as_ref().and_then(|quote| quote.spender.as_ref()), owner()) {
            // What took its place may be the same approval with a higher fee: the chain knows.
            (Step::Mined(true) | Step::Replaced, Some(coin), Some(spender), Some(owner)) => {
                let params = erc20::params(&coin.address, erc20::allowance(&owner, spender));
                cx.call(&deal.chain, "eth_call", params, Asked::Allowance(self.attempt, deal.kind));
            }
            (Step::GivenUp, ..) => self.fail(Fault::ApprovalLate, cx),
            _ => self.fail(Fault::ApprovalReverted, cx),
        }
    }
}

/// The swap is mined, or will not be.
fn settled(deal: &Deal, step: Step, cx: &mut Cx) {
    let failed = |message: &str| deal.tracked(Name::SwapError).with("message", message);
    match step {
        Step::Mined(true) => {
            cx.tell(Signal::Track(deal.tracked(Name::SwapSuccess)));
            cx.say(Variant::Success, Message::SwapDone);
        }
        Step::Mined(false) => {
            cx.tell(Signal::Track(failed("reverted")));
            cx.say(Variant::Error, Message::SwapFailed);
        }
        Step::Replaced => {
            cx.tell(Signal::Track(failed("replaced")));
            cx.say(Variant::Error, Message::TransactionReplaced);
        }
        _ => cx.say(Variant::Error, Message::TransactionPending),
    }
    cx.tell(Signal::SendSettled);
}
