//! Transactions that outlive the form: they stay in flight when the visitor leaves the form or reloads the page.

use super::event::Target;
use super::kept::{read, stored};
use super::moved::moved;
use super::step::Step;
use super::{Fault, Reason, Swap, calls};
use crate::analytics::{Name, Tracked};
use crate::app;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::ActiveAccount;
use crate::modal::View;
use crate::notice::{Message, Variant};
use crate::pay::erc20;
use crate::pay::receipt::{Flight, Question};
use crate::pay::signing::{self, Pending, Progress, Settlement};
use crate::signal::Signal;
use crate::storage::{self, keys};
use crate::swap::Alarm;
use crate::wallet::eip155;
use portico_json::{Value, to_text};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId};
use std::rc::Rc;

/// Time limit for a wallet's batch status, in milliseconds; then it is requested again.
const STATUS_TIMEOUT: u64 = 10_000;

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
    /// Side whose amount the visitor typed: the other amount is an expected one.
    pub typed: Target,
    /// Amount paid, or of an approval the approved amount, in whole tokens, with all digits.
    pub amount: String,
    /// Symbol of the paid token.
    pub symbol: String,
    /// Amount received.
    pub to_amount: String,
    /// Decimals of the paid and the received token; unknown after a reload.
    pub decimals: Option<(u8, u8)>,
    /// Symbol of the received token.
    pub to_symbol: String,
    /// Addresses of the paid and the received token, in lower case.
    pub pair: (String, String),
    /// Whether the sender is a smart account.
    pub smart_account: bool,
    /// Contract that a transaction calls, and a batch last; unknown after a reload.
    pub target: Option<String>,
    /// Number of the account's mined transactions before the wallet was asked, if known.
    pub least_nonce: Option<Amount>,
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

/// A signed swap, approval or batch.
#[derive(Clone, Debug)]
pub struct Signed {
    pub deal: Deal,
    /// Time of the batch status request in flight.
    status_asked: Option<u64>,
}

impl Signed {
    /// Transaction or batch of a deal, sent at `since`.
    pub fn new(deal: Deal, name: String, since: u64) -> (Flight, Signed) {
        let mut flight = Flight::new(name, deal.chain.clone(), deal.address.clone(), since);
        if !deal.smart_account && deal.kind != Kind::Batch {
            flight = flight.sent_by_account(deal.target.clone(), deal.least_nonce);
        }
        (flight, Signed { deal, status_asked: None })
    }
}

impl Swap {
    /// Follows a transaction hash or batch id from the wallet. A repeated one is the same transaction.
    pub(super) fn follow(&mut self, deal: Deal, hash: String, cx: &mut Cx) {
        if deal.kind.swaps() {
            self.approved = None;
        }
        let (flight, signed) = Signed::new(deal, hash, cx.now);
        self.payments.follow(flight, signed, cx.now);
        self.keep(cx);
        self.read_receipts(cx);
    }

    /// Follows the stored transactions of an earlier page; stored values are untrusted.
    pub fn resume(&mut self, cx: &mut Cx) {
        let stored = std::mem::take(&mut self.stored);
        let found = stored.as_list().unwrap_or_default().iter().filter_map(read);
        let recent = found.filter(|(_, _, since)| signing::is_recent(*since, cx.now));
        let found = recent.map(|(deal, hash, since)| Signed::new(deal, hash, since.min(cx.now))).collect();
        self.payments.resume(found, cx);
        self.keep(cx);
        self.read_receipts(cx);
    }

    /// Stores pending transactions, and an approval without its swap yet, for the next page load.
    pub(super) fn keep(&self, cx: &mut Cx) {
        let area = StorageArea::Local;
        let all: Vec<Value> = self.payments.pending.iter().chain(&self.approved).map(stored).collect();
        if all.is_empty() {
            return cx.order(Operation::RemoveStorage { area, key: keys::PENDING_SWAPS.into() });
        }
        let text = to_text(&Value::List(all));
        for (key, value) in [(keys::VERSION, storage::VERSION.into()), (keys::PENDING_SWAPS, text)] {
            cx.order(Operation::WriteStorage { area, key: key.into(), value });
        }
    }

    /// Requests the receipts of all pending transactions.
    pub(super) fn read_receipts(&mut self, cx: &mut Cx) {
        let mut statuses = Vec::new();
        for pending in &mut self.payments.pending {
            if pending.content.deal.kind == Kind::Batch {
                statuses.extend(ask_status(pending, cx));
            } else {
                pending.read(receipt_of, cx);
            }
        }
        self.read_batch_receipt(cx);
        for (name, status) in statuses {
            self.on_receipt(&name, Question::Receipt, &status, cx);
        }
    }

    /// Batch status from the wallet.
    pub(super) fn on_batch_status(&mut self, name: &str, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if let Some(batch) = self.payments.pending.iter_mut().find(|pending| pending.flight.hash() == name) {
            batch.content.status_asked = None;
            let deal = batch.content.deal.clone();
            let hash = answer.as_ref().ok().and_then(calls::transaction_of).map(String::from);
            let receipt = answer.and_then(|answer| calls::receipt_of(&answer, name));
            self.on_receipt(name, Question::Receipt, &receipt, cx);
            if let (Some(hash), Ok(Value::Object(_))) = (hash, &receipt) {
                self.batch_mined(name, &hash, deal, cx);
            }
        }
    }

    /// Response of the chain about a transaction, or of the wallet about a batch.
    pub(super) fn on_receipt(&mut self, hash: &str, about: Question, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let progress = self.payments.on_response(hash, about, answer, receipt_of, Alarm::Receipt, cx);
        let Progress::Settled(pending, settlement) = progress else { return };
        let last = self.last.as_mut().filter(|last| last.outcome.name == hash);
        let seen = last.is_some() && cx.facts.view == Some(View::SwapConfirmed);
        if let Some(last) = last {
            last.outcome.settle(settlement, &pending.flight);
            if let (Settlement::Confirmed, Ok(receipt)) = (settlement, answer) {
                (last.paid, last.received) = moved(receipt, &pending.content.deal, cx.facts).unwrap_or_default();
            }
        }
        if pending.content.deal.kind.swaps() {
            settled(&pending.content.deal, settlement, seen, cx);
        } else {
            self.approved(*pending, settlement, cx);
        }
        self.keep(cx);
    }

    /// The approval or revocation is mined, replaced, or given up.
    fn approved(&mut self, pending: Pending<Signed>, settlement: Settlement, cx: &mut Cx) {
        let (deal, owner) = (&pending.content.deal, cx.facts.account.as_ref().map(|account| account.address.clone()));
        let current = deal.attempt == self.attempt && self.step == Step::ApprovalPending;
        let spender = self.pricing.quote().and_then(|quote| quote.spender.as_ref());
        // The replacement may be the same approval with a higher fee: the allowance on the chain shows.
        let mined = matches!(settlement, Settlement::Confirmed | Settlement::Replaced);
        match (self.form.from.as_ref(), spender, owner) {
            (Some(coin), Some(spender), Some(owner)) if current && mined => {
                let params = erc20::params(&coin.address, erc20::allowance(&owner, spender));
                cx.call(&deal.chain, eip155::CALL, params, Reason::Allowance(self.attempt, deal.kind));
            }
            _ if current && settlement == Settlement::Lost => self.fail(Fault::ApprovalLate, None, cx),
            _ if current => self.fail(Fault::ApprovalReverted, None, cx),
            // The visitor left the form or reloaded: nothing was swapped yet, and the visitor can continue.
            _ if settlement == Settlement::Confirmed => cx.say(Variant::Error, Message::SwapUnfinished),
            _ if settlement == Settlement::Lost => return cx.say(Variant::Error, Message::TransactionPending),
            _ if settlement == Settlement::Foreign => return cx.say(Variant::Error, Message::TransactionForeign),
            _ if settlement == Settlement::Replaced => return cx.say(Variant::Error, Message::TransactionReplaced),
            _ => return cx.say(Variant::Error, Message::SwapFailed),
        }
        if mined {
            self.approved = Some(pending);
        }
    }
}

fn receipt_of(hash: String, question: Question) -> app::Reason {
    Reason::Receipt(hash, question).into()
}

/// Requests the status of a batch from the wallet. Returns a result instead if the wallet is not connected or the last request timed out.
fn ask_status(batch: &mut Pending<Signed>, cx: &mut Cx) -> Option<(String, Result<Value, RpcError>)> {
    let name = || String::from(batch.flight.hash());
    let Signed { deal, status_asked } = &mut batch.content;
    let own = |account: &&Rc<ActiveAccount>| account.address.eq_ignore_ascii_case(&deal.address);
    let Some(account) = cx.facts.accounts.iter().find(own) else {
        // The wallet is still reconnecting after a reload.
        return Some((name(), Ok(Value::Null)));
    };
    if let Some(since) = *status_asked {
        let waited = cx.now.saturating_sub(since);
        if waited >= STATUS_TIMEOUT {
            *status_asked = None;
            return Some((name(), Err(RpcError::nonsense("The wallet isn't responding"))));
        }
        cx.start(Alarm::Receipt, STATUS_TIMEOUT - waited);
        return None;
    }
    let operation = Operation::RequestWallet {
        handle: account.handle.clone(),
        method: eip155::CALLS_STATUS.into(),
        params: Value::List(vec![Value::Text(name())]),
    };
    cx.ask(operation, Reason::BatchStatus(name()));
    cx.start(Alarm::Receipt, STATUS_TIMEOUT);
    *status_asked = Some(cx.now);
    None
}

/// The swap is mined, replaced, or given up.
fn settled(deal: &Deal, settlement: Settlement, seen: bool, cx: &mut Cx) {
    let failed = |message: &str| deal.tracked(Name::SwapError).with("message", message);
    let (tracked, variant, message) = match settlement {
        Settlement::Confirmed => (Some(deal.tracked(Name::SwapSuccess)), Variant::Success, Message::SwapDone),
        Settlement::Reverted => (Some(failed("reverted")), Variant::Error, Message::SwapFailed),
        Settlement::Replaced => (Some(failed("replaced")), Variant::Error, Message::TransactionReplaced),
        Settlement::Foreign => (None, Variant::Error, Message::TransactionForeign),
        Settlement::Lost => (None, Variant::Error, Message::TransactionPending),
    };
    if let Some(tracked) = tracked {
        cx.signal(Signal::Track(tracked));
    }
    // The receipt on the screen says it already.
    if !(seen && matches!(settlement, Settlement::Confirmed | Settlement::Reverted)) {
        cx.say(variant, message);
    }
    cx.signal(Signal::SendSettled);
}
