//! Transactions that outlive the form and the page: they stay in flight when the visitor leaves.

use super::{Reason, Send};
use crate::analytics::{Name, Tracked};
use crate::app;
use crate::cx::Cx;
use crate::effect::Operation;
use crate::facts::Facts;
use crate::modal::View;
use crate::notice::{Message, Variant};
use crate::pay::kept::{self, InFlight, Limits, OnItsWay, restored};
use crate::pay::outcome::{Outcome, Payment, Receipt};
use crate::pay::receipt::{Flight, Question};
use crate::pay::replaced::TransactionContent;
use crate::pay::signing::{LONGEST_PENDING, MOST_PENDING, Pending, Progress, Settlement};
use crate::send::Alarm;
use crate::signal::Signal;
use portico_json::{Json, Value};
use portico_terms::rpc::{RpcError, is_transaction_hash};
use portico_terms::{Amount, ChainId, Namespace};

/// A transfer that a wallet is asked to sign.
#[derive(Debug)]
pub struct Transfer {
    /// Number of the attempt; identifies the wallet's response.
    pub attempt: u32,
    pub chain: ChainId,
    /// Address of the sender.
    pub address: String,
    /// Amount in coins or tokens, exact.
    pub amount: String,
    /// Symbol of the coin or token.
    pub symbol: String,
    /// Value in US dollars, if a price is known.
    pub value: Option<String>,
    /// Address of the receiver.
    pub receiver: String,
    /// Address that the transaction is sent to: the receiver, or the token's contract.
    pub target: String,
    /// Name of the receiver.
    pub receiver_name: Option<String>,
    /// Whether the sender is a smart account.
    pub smart_account: bool,
    /// Number of the account's mined transactions before the wallet was asked, if known.
    pub least_nonce: Option<Amount>,
    /// Ticket of the host call.
    pub ticket: Option<u32>,
}

impl Transfer {
    /// Analytics event about it.
    pub fn tracked(&self, name: Name) -> Tracked {
        let tracked =
            Tracked::new(name).flag("isSmartAccount", self.smart_account).with("amount", self.amount.as_str());
        tracked.with("network", self.chain.to_string()).with("token", self.symbol.as_str())
    }
}

/// Amount and symbol of a sent transaction.
#[derive(Debug)]
pub struct Paid {
    /// Amount in coins or tokens, exact.
    pub amount: String,
    /// Symbol of the coin or token.
    pub symbol: String,
}

/// The last sent transaction, for its view.
#[derive(Clone, Debug)]
pub struct Last {
    pub outcome: Outcome,
    pub amount: String,
    pub symbol: String,
    pub value: Option<String>,
    pub receiver: String,
    pub receiver_name: Option<String>,
}

/// The last sent transaction (view WalletSendConfirmed).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Sent {
    /// Amount in coins or tokens, exact.
    pub amount: String,
    /// "ETH"
    pub symbol: String,
    /// Value in US dollars, if a price was known when it was signed.
    pub value: Option<String>,
    /// Full address of the receiver.
    pub receiver: String,
    /// Name of the receiver.
    pub receiver_name: Option<String>,
    pub receipt: Receipt,
}

impl Send {
    /// Follows a signed transaction.
    pub fn follow(&mut self, transfer: Transfer, hash: String, current: bool, cx: &mut Cx) {
        if current {
            self.last = Some(Last {
                outcome: Outcome::new(&hash, false, &transfer.chain, &transfer.address, cx.now),
                amount: transfer.amount.clone(),
                symbol: transfer.symbol.clone(),
                value: transfer.value,
                receiver: transfer.receiver,
                receiver_name: transfer.receiver_name,
            });
        }
        let mut flight = Flight::new(hash, transfer.chain, transfer.address, cx.now);
        if !transfer.smart_account {
            flight = flight.sent_by_account(Some(transfer.target), transfer.least_nonce);
        }
        let paid = Paid { amount: transfer.amount, symbol: transfer.symbol };
        if let Some(dropped) = self.payments.follow(flight, paid, cx.now) {
            forget(dropped.flight.hash(), cx);
        }
        if let Some(pending) = self.payments.pending.last() {
            keep(pending, cx);
        }
        self.read_receipts(cx);
    }

    /// Follows stored transactions of an earlier page or another tab.
    pub fn resume(&mut self, cx: &mut Cx) {
        let found = restored(
            std::mem::take(&mut self.stored),
            Namespace::Eip155,
            &Limits { age: LONGEST_PENDING, most: MOST_PENDING },
            |one, deed| {
                let flight = Flight::new(one.id.clone(), one.chain.clone(), one.from.clone(), one.since);
                let paid = Paid { amount: one.amount.clone(), symbol: one.symbol.clone() };
                is_transaction_hash(&one.id).then(|| (flight.with_deed(TransactionContent::read(deed)), paid))
            },
            cx,
        );
        self.payments.resume(found, cx);
        self.read_receipts(cx);
    }

    /// Polls all unmined transactions.
    pub fn read_receipts(&self, cx: &mut Cx) {
        for pending in &self.payments.pending {
            pending.read(receipt_of, cx);
        }
    }

    /// Response of the chain about a transaction.
    pub fn receipt(&mut self, hash: &str, question: Question, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let progress = self.payments.on_response(hash, question, answer, receipt_of, Alarm::Receipt, cx);
        let (pending, settlement) = match progress {
            Progress::Waits => return,
            // Another tab may have seen it mined and removed it from storage.
            Progress::Identified => {
                return cx.ask(
                    Operation::ReadStorage { prefix: kept::key(Namespace::Eip155, hash) },
                    Reason::Kept(hash.into()),
                );
            }
            Progress::Settled(pending, settlement) => (pending, settlement),
        };
        let (variant, message) = match settlement {
            Settlement::Confirmed => (Variant::Success, Message::TransactionConfirmed),
            Settlement::Reverted => (Variant::Error, Message::FailedToSendTransaction),
            Settlement::Replaced => (Variant::Error, Message::TransactionReplaced),
            Settlement::Foreign => (Variant::Error, Message::TransactionForeign),
            Settlement::Lost => (Variant::Error, Message::TransactionPending),
        };
        forget(hash, cx);
        let last = self.last.as_mut().filter(|last| last.outcome.name == hash);
        let seen = last.is_some() && cx.facts.view == Some(View::WalletSendConfirmed);
        if let Some(last) = last {
            last.outcome.settle(settlement, &pending.flight);
        }
        // The receipt on the screen says it already.
        if !(seen && settlement == Settlement::Confirmed) {
            cx.say(variant, message);
        }
        cx.signal(Signal::SendSettled);
    }

    /// Stores the transaction's content, unless another tab removed the transaction meanwhile.
    pub fn kept(&mut self, hash: &str, stored: &Value, cx: &mut Cx) {
        let pending = self.payments.pending.iter().find(|pending| pending.flight.hash() == hash);
        if let Some(pending) = pending.filter(|_| stored.as_list().is_some_and(|list| !list.is_empty())) {
            keep(pending, cx);
        }
    }

    /// Unmined transactions of the active account, the newest first.
    pub fn in_flight(&self, facts: &Facts) -> Vec<InFlight> {
        let Some(account) = &facts.account else { return Vec::new() };
        let own = self.payments.pending.iter().rev().filter(|pending| pending.flight.from == account.address);
        own.map(|pending| on_its_way(pending).view(pending.slow, facts)).collect()
    }

    /// The last sent transaction.
    pub fn sent_last(&self, facts: &Facts) -> Option<Sent> {
        let last = self.last.as_ref()?;
        let name = &last.outcome.name;
        let slow = self.payments.pending.iter().any(|pending| pending.slow && pending.flight.hash() == name);
        Some(Sent {
            amount: last.amount.clone(),
            symbol: last.symbol.clone(),
            value: last.value.clone(),
            receiver: last.receiver.clone(),
            receiver_name: last.receiver_name.clone(),
            receipt: last.outcome.view(slow, facts),
        })
    }

    /// The last sent transaction, for the list of activity.
    pub fn last_payment(&self, facts: &Facts) -> Option<Payment> {
        let (chain, from) = self.last.as_ref()?.outcome.of();
        let Sent { amount, symbol, receiver, receipt, .. } = self.sent_last(facts)?;
        Some(Payment { from, chain, amount, symbol, receiver, receipt })
    }
}

fn on_its_way(Pending { flight, content: Paid { amount, symbol }, .. }: &Pending<Paid>) -> OnItsWay {
    OnItsWay {
        id: flight.hash().to_ascii_lowercase(),
        chain: flight.chain.clone(),
        from: flight.from.clone(),
        amount: amount.clone(),
        symbol: symbol.clone(),
        since: flight.since,
    }
}

/// Stores a pending transaction for the next page load.
fn keep(pending: &Pending<Paid>, cx: &mut Cx) {
    let deed = pending.flight.deed().map(TransactionContent::write).unwrap_or_default();
    on_its_way(pending).keep(&deed, cx);
}

fn forget(hash: &str, cx: &mut Cx) {
    kept::forget(Namespace::Eip155, hash, cx);
}

fn receipt_of(hash: String, question: Question) -> app::Reason {
    Reason::Receipt(hash, question).into()
}
