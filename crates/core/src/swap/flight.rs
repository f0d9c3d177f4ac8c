//! Transactions that outlive the form: they stay in flight when the visitor leaves the form or reloads the page.

use super::kept::{read, stored};
use super::{Fault, Phase, Reason, Swap, calls};
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::ActiveAccount;
use crate::notice::{Message, Variant};
use crate::pay::erc20;
use crate::pay::receipt::{Flight, Question, Step};
use crate::signal::Signal;
use crate::storage::{self, keys};
use crate::swap::Alarm;
use portico_json::{Value, to_text};
use portico_terms::ChainId;
use portico_terms::rpc::RpcError;
use std::rc::Rc;

/// Maximum number of transactions followed at a time, also after a reload.
const MOST: usize = 8;

/// Maximum age of a transaction to follow after a reload, in milliseconds.
const OLDEST: u64 = 86_400_000;

/// Time limit for a wallet's batch status, in milliseconds; then it is requested again.
const PATIENCE: u64 = 10_000;

/// Content of a signing request to the wallet.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// Approval of zero: some tokens require it before a new approval.
    Revocation,
    /// Approval of the spender.
    Approval,
    Swap,
    /// Revocation if needed, approval and swap in one atomic batch (EIP-5792).
    Batch,
}

impl Kind {
    /// Whether this includes the swap itself.
    pub fn swaps(self) -> bool {
        matches!(self, Kind::Swap | Kind::Batch)
    }
}

/// A swap, or one of its approvals, as events and lists describe it.
#[derive(Clone, Debug)]
pub struct Deal {
    pub kind: Kind,
    /// Number of the confirmation that it belongs to.
    pub attempt: u32,
    pub chain: ChainId,
    /// Account address.
    pub address: String,
    /// Amount paid, in whole tokens, exact.
    pub amount: String,
    /// Symbol of the paid token.
    pub symbol: String,
    /// Expected amount.
    pub to_amount: String,
    /// Symbol of the received token.
    pub to_symbol: String,
    /// Addresses of the paid and the received token, in lower case.
    pub pair: (String, String),
    /// Whether the sender is a smart account.
    pub smart_account: bool,
}

impl Deal {
    /// Analytics event about it.
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

/// An unmined transaction, or a batch whose status comes from the wallet.
#[derive(Clone, Debug)]
pub struct Pending {
    /// Receipt polling. A batch has its id in place of a hash.
    pub flight: Flight,
    pub deal: Deal,
    /// It takes so long that a higher fee may help.
    pub slow: bool,
    /// Time of the batch status request in flight.
    asked: Option<u64>,
}

impl Pending {
    /// A transaction or batch sent at `since`.
    pub fn new(deal: Deal, name: String, since: u64, now: u64) -> Pending {
        let flight = Flight::new(name, deal.chain.clone(), deal.address.clone(), since);
        Pending { slow: flight.is_slow(now), flight, deal, asked: None }
    }
}

impl Swap {
    /// Follows a transaction hash or batch id from the wallet. A repeated one is the same transaction.
    pub(super) fn follow(&mut self, deal: Deal, hash: String, cx: &mut Cx) {
        self.pending.retain(|known| !known.flight.hash().eq_ignore_ascii_case(&hash));
        if self.pending.len() == MOST {
            self.pending.remove(0);
        }
        if deal.kind.swaps() {
            self.approved = None;
        }
        self.pending.push(Pending::new(deal, hash, cx.now, cx.now));
        self.keep(cx);
        self.look(cx);
    }

    /// Follows the stored transactions of an earlier page; stored values are untrusted.
    pub fn resume(&mut self, cx: &mut Cx) {
        for stored in std::mem::take(&mut self.stored).as_list().unwrap_or_default() {
            let Some((deal, hash, since)) = read(stored) else { continue };
            let known = self.pending.iter().any(|known| known.flight.hash().eq_ignore_ascii_case(&hash));
            let served = cx.facts.network(&deal.chain).is_some();
            let recent = cx.now.checked_sub(since).is_some_and(|age| age < OLDEST);
            if !known && served && recent && self.pending.len() < MOST {
                self.pending.push(Pending::new(deal, hash, since, cx.now));
            }
        }
        self.keep(cx);
        self.look(cx);
    }

    /// Stores pending transactions, and an approval without its swap yet, for the next page load.
    pub(super) fn keep(&self, cx: &mut Cx) {
        let area = StorageArea::Local;
        let all: Vec<Value> = self.pending.iter().chain(&self.approved).map(stored).collect();
        if all.is_empty() {
            return cx.order(Operation::RemoveStorage { area, key: keys::PENDING_SWAPS.into() });
        }
        let text = to_text(&Value::List(all));
        for (key, value) in [(keys::VERSION, storage::VERSION.into()), (keys::PENDING_SWAPS, text)] {
            cx.order(Operation::WriteStorage { area, key: key.into(), value });
        }
    }

    /// Requests the receipts of all pending transactions.
    pub(super) fn look(&mut self, cx: &mut Cx) {
        let (calls, transactions): (Vec<_>, Vec<_>) =
            self.pending.iter_mut().partition(|pending| pending.deal.kind == Kind::Batch);
        for Pending { flight, .. } in transactions {
            for (method, params, question) in flight.look() {
                cx.call(&flight.chain, method, params, Reason::Looked(flight.hash().into(), question));
            }
        }
        let untold: Vec<_> = calls.into_iter().filter_map(|calls| ask_of(calls, cx)).collect();
        for (name, answer) in untold {
            self.looked(&name, Question::Receipt, &answer, cx);
        }
    }

    /// Batch status from the wallet.
    pub(super) fn on_batch_status(&mut self, name: &str, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if let Some(calls) = self.pending.iter_mut().find(|pending| pending.flight.hash() == name) {
            calls.asked = None;
            let receipt = answer.and_then(|answer| calls::receipt_of(&answer, name));
            self.looked(name, Question::Receipt, &receipt, cx);
        }
    }

    pub(super) fn looked(&mut self, hash: &str, about: Question, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Some(index) = self.pending.iter().position(|pending| pending.flight.hash() == hash) else { return };
        let pending = &mut self.pending[index];
        pending.slow = pending.flight.is_slow(cx.now);
        let step = pending.flight.on_response(about, answer, cx.now);
        match step {
            Step::Wait => {}
            Step::Again(delay) => cx.start(Alarm::Receipt, delay),
            Step::Mined(_) | Step::Replaced | Step::GivenUp => {
                let pending = self.pending.remove(index);
                if pending.deal.kind.swaps() {
                    settled(&pending.deal, step, cx);
                } else {
                    self.approved(pending, step, cx);
                }
                self.keep(cx);
            }
        }
    }

    /// The approval or revocation is mined, replaced, or given up.
    fn approved(&mut self, pending: Pending, step: Step, cx: &mut Cx) {
        let (deal, owner) = (&pending.deal, cx.facts.account.as_ref().map(|account| account.address.clone()));
        let current = deal.attempt == self.attempt && self.phase == Phase::ApprovalPending;
        let spender = self.quote.as_ref().and_then(|quote| quote.spender.as_ref());
        // The replacement may be the same approval with a higher fee: the allowance on the chain shows.
        let mined = matches!(step, Step::Mined(true) | Step::Replaced);
        match (self.from.as_ref(), spender, owner) {
            (Some(coin), Some(spender), Some(owner)) if current && mined => {
                let params = erc20::params(&coin.address, erc20::allowance(&owner, spender));
                cx.call(&deal.chain, "eth_call", params, Reason::Allowance(self.attempt, deal.kind));
            }
            _ if current && step == Step::GivenUp => self.fail(Fault::ApprovalLate, cx),
            _ if current => self.fail(Fault::ApprovalReverted, cx),
            // The visitor left the form or reloaded: nothing was swapped yet, and the visitor can continue.
            _ if step == Step::Mined(true) => cx.say(Variant::Error, Message::SwapUnfinished),
            _ if step == Step::GivenUp => return cx.say(Variant::Error, Message::TransactionPending),
            _ if step == Step::Replaced => return cx.say(Variant::Error, Message::TransactionReplaced),
            _ => return cx.say(Variant::Error, Message::SwapFailed),
        }
        if mined {
            self.approved = Some(pending);
        }
    }
}

/// Requests the status of a batch from the wallet. Returns a result instead if the wallet is not connected or the last request timed out.
fn ask_of(calls: &mut Pending, cx: &mut Cx) -> Option<(String, Result<Value, RpcError>)> {
    let name = || String::from(calls.flight.hash());
    let own = |account: &&Rc<ActiveAccount>| account.address.eq_ignore_ascii_case(&calls.deal.address);
    let Some(account) = cx.facts.accounts.iter().find(own) else {
        // The wallet is still reconnecting after a reload.
        return Some((name(), Ok(Value::Null)));
    };
    if let Some(since) = calls.asked {
        let waited = cx.now.saturating_sub(since);
        if waited >= PATIENCE {
            calls.asked = None;
            return Some((name(), Err(RpcError::nonsense("The wallet does not answer"))));
        }
        cx.start(Alarm::Receipt, PATIENCE - waited);
        return None;
    }
    let operation = Operation::RequestWallet {
        handle: account.handle.clone(),
        method: calls::STATUS.into(),
        params: Value::List(vec![Value::Text(name())]),
    };
    cx.ask(operation, Reason::Told(name()));
    cx.start(Alarm::Receipt, PATIENCE);
    calls.asked = Some(cx.now);
    None
}

/// The swap is mined, replaced, or given up.
fn settled(deal: &Deal, step: Step, cx: &mut Cx) {
    let failed = |message: &str| deal.tracked(Name::SwapError).with("message", message);
    match step {
        Step::Mined(true) => {
            cx.signal(Signal::Track(deal.tracked(Name::SwapSuccess)));
            cx.say(Variant::Success, Message::SwapDone);
        }
        Step::Mined(false) => {
            cx.signal(Signal::Track(failed("reverted")));
            cx.say(Variant::Error, Message::SwapFailed);
        }
        Step::Replaced => {
            cx.signal(Signal::Track(failed("replaced")));
            cx.say(Variant::Error, Message::TransactionReplaced);
        }
        _ => cx.say(Variant::Error, Message::TransactionPending),
    }
    cx.signal(Signal::SendSettled);
}
