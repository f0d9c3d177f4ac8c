//! Unfinished swaps of the account, and the receipt of the last signed one.

use super::flight::{Deal, Kind, Signed};
use super::moved::moved;
use super::{Alarm, Reason, Swap, Target};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::pay::outcome::{Outcome, Receipt, page};
use crate::pay::receipt::{INTERVAL, fee_of, is_of};
use crate::pay::signing::{self, Pending};
use crate::pay::tokens::worth;
use portico_json::{Json, Value};
use portico_terms::amount::{AMOUNT_DECIMALS, nearest_units, shown_units};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, Price};

/// Number of reads after which the receipt of a batch's transaction is given up: its estimates stay.
const MISSES: u8 = 15;

/// Step of an unfinished swap.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SwapInFlightStep")]
pub enum InFlightStep {
    /// The approval, or the revocation before it, is not mined yet.
    Approval,
    /// The approval is mined, and the swap is not signed: the visitor can go on with it.
    Approved,
    /// The swap is not mined yet.
    Swap,
}

/// An unfinished swap of the visitor.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapInFlight")]
pub struct InFlight {
    pub step: InFlightStep,
    /// Transaction hash in lower case; for a batch the id that the wallet gave it (EIP-5792).
    pub hash: String,
    /// URL of the transaction on the explorer.
    pub url: Option<String>,
    /// Amount paid, with three decimals (spec 2.10); in [`InFlightStep::Approved`] the approved amount, with all digits.
    pub amount: String,
    /// "ETH"
    pub symbol: String,
    /// Expected amount, with three decimals.
    pub to_amount: String,
    /// "USDC"
    pub to_symbol: String,
    /// Time of sending, in epoch milliseconds.
    pub since: u64,
    /// It takes so long that a higher fee may help.
    pub slow: bool,
}

/// The last signed swap (view SwapConfirmed).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Swapped {
    /// Amount paid, with all digits; an expected one where the amount to receive was typed.
    pub amount: String,
    /// "ETH"
    pub symbol: String,
    /// Side whose amount was typed, and so is exact.
    pub typed: Target,
    /// Amount that left, exact, as the logs of the mined receipt say; `null` before it is mined, where the amount was typed, and where they
    /// do not say it.
    pub paid: Option<String>,
    /// Amount received, with all digits; an expected one where the amount to pay was typed.
    pub to_amount: String,
    /// "USDC"
    pub to_symbol: String,
    /// Amount that arrived, exact, as the logs of the mined receipt say; `null` before it is mined, and where they do not say it.
    pub received: Option<String>,
    /// Value of the amount paid, in US dollars, if a price was known when it was signed.
    pub value: Option<String>,
    /// Value of the amount received.
    pub to_value: Option<String>,
    pub receipt: Receipt,
}

/// The last signed swap, for its view.
#[derive(Clone, Debug)]
pub struct Last {
    pub outcome: Outcome,
    typed: Target,
    amount: String,
    symbol: String,
    to_amount: String,
    to_symbol: String,
    pub paid: Option<String>,
    pub received: Option<String>,
    decimals: Option<(u8, u8)>,
    /// Transaction of a batch, while its receipt is read.
    mined: Option<Mined>,
    /// Prices of the paid and the received token when it was signed.
    prices: (Option<Price>, Option<Price>),
}

impl Last {
    pub fn new(deal: &Deal, name: &str, prices: (Option<Price>, Option<Price>), now: u64) -> Last {
        Last {
            outcome: Outcome::new(name, deal.kind == Kind::Batch, &deal.chain, &deal.address, now),
            typed: deal.typed,
            amount: deal.amount.clone(),
            symbol: deal.symbol.clone(),
            to_amount: deal.to_amount.clone(),
            to_symbol: deal.to_symbol.clone(),
            paid: None,
            received: None,
            decimals: deal.decimals,
            mined: None,
            prices,
        }
    }
}

/// Transaction in which a batch was mined.
#[derive(Clone, Debug)]
struct Mined {
    hash: String,
    deal: Deal,
    /// Number of reads that found no receipt.
    missed: u8,
}

impl Swap {
    /// Unfinished swaps of the active account, the newest first. An approved one is gone on with on its own network.
    pub(super) fn in_flight(&self, facts: &Facts) -> Vec<InFlight> {
        let Some(account) = &facts.account else { return Vec::new() };
        let here = facts.active_network.as_ref().map(|network| &network.caip_network_id);
        let pending = self.payments.pending.iter().rev().map(|pending| (pending, step_of(pending)));
        let approved = self.approved.iter().filter(|pending| Some(&pending.content.deal.chain) == here);
        let all = pending.chain(approved.map(|pending| (pending, InFlightStep::Approved)));
        let own = all.filter(|(pending, _)| pending.content.deal.address.eq_ignore_ascii_case(&account.address));
        own.map(|(pending, step)| in_flight(pending, step, facts)).collect()
    }

    /// Reads the receipt of the transaction in which a batch was mined: the wallet names the transaction, and the chain says what it cost and
    /// moved.
    pub(super) fn batch_mined(&mut self, name: &str, hash: &str, deal: Deal, cx: &mut Cx) {
        let Some(last) = self.last.as_mut().filter(|last| last.outcome.name == name) else { return };
        last.outcome.mined_in(hash, None);
        last.mined = Some(Mined { hash: hash.into(), deal, missed: 0 });
        self.read_batch_receipt(cx);
    }

    pub(super) fn read_batch_receipt(&self, cx: &mut Cx) {
        if let Some(Mined { hash, deal, .. }) = self.last.as_ref().and_then(|last| last.mined.as_ref()) {
            signing::read_receipt(&deal.chain, hash, Reason::BatchReceipt(hash.clone()), cx);
        }
    }

    /// Response of the chain about the transaction of a batch. One of two nodes alone may make up what it tells.
    pub(super) fn on_batch_receipt(&mut self, hash: &str, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Some(last) = &mut self.last else { return };
        let Some(mined) = last.mined.as_mut().filter(|mined| mined.hash == hash) else { return };
        if let Some(receipt) = answer.as_ref().ok().filter(|told| is_of(told, "transactionHash", hash)) {
            last.outcome.mined_in(hash, fee_of(receipt, &mined.deal.address));
            (last.paid, last.received) = moved(receipt, &mined.deal, cx.facts).unwrap_or_default();
            last.mined = None;
        } else if mined.missed < MISSES {
            mined.missed += 1;
            cx.start(Alarm::Receipt, INTERVAL);
        } else {
            last.mined = None;
        }
    }

    /// The last signed swap.
    pub(super) fn swapped(&self, facts: &Facts) -> Option<Swapped> {
        let Last { outcome, typed, amount, symbol, to_amount, to_symbol, paid, received, decimals, prices, .. } =
            self.last.as_ref()?;
        let value = |amount: &str, decimals: Option<u8>, price| {
            worth(Amount::from_units(amount, decimals?).ok()?, decimals?, price)
        };
        let (unit, to_unit) = decimals.unzip();
        let slow = self.payments.pending.iter().any(|pending| pending.slow && pending.flight.hash() == outcome.name);
        Some(Swapped {
            amount: amount.clone(),
            symbol: symbol.clone(),
            typed: *typed,
            paid: paid.clone(),
            to_amount: to_amount.clone(),
            to_symbol: to_symbol.clone(),
            received: received.clone(),
            value: value(paid.as_ref().unwrap_or(amount), unit, prices.0),
            to_value: value(received.as_ref().unwrap_or(to_amount), to_unit, prices.1),
            receipt: outcome.view(slow, facts),
        })
    }
}

fn step_of(pending: &Pending<Signed>) -> InFlightStep {
    if pending.content.deal.kind.swaps() { InFlightStep::Swap } else { InFlightStep::Approval }
}

fn in_flight(pending: &Pending<Signed>, step: InFlightStep, facts: &Facts) -> InFlight {
    let deal = &pending.content.deal;
    let hash = pending.flight.hash().to_ascii_lowercase();
    let amount = match (step, deal.kind) {
        // A rounded amount would understate what the spender may take.
        (InFlightStep::Approved, Kind::Revocation) => Amount::ZERO.to_units(0),
        (InFlightStep::Approved, _) => deal.amount.clone(),
        _ => nearest_units(&deal.amount, AMOUNT_DECIMALS).unwrap_or_default(),
    };
    InFlight {
        step,
        // A batch id is on no explorer.
        url: page(&deal.chain, "/tx/", &hash, facts).filter(|_| deal.kind != Kind::Batch),
        hash,
        amount,
        symbol: deal.symbol.clone(),
        // Cut as in the history, where it will be a gain.
        to_amount: shown_units(&deal.to_amount, AMOUNT_DECIMALS).unwrap_or_default(),
        to_symbol: deal.to_symbol.clone(),
        since: pending.flight.since,
        slow: pending.slow,
    }
}
