//! One transaction from the point of view of an address: change that comes back to it is neither sent nor received.

use crate::activity::{Of, Paid, Piece, PieceContent, SignedCall, compose, rfc3339};
use crate::source::loose;
use portico_api::account::Transaction;
use portico_json::Value;
use portico_terms::Amount;
use std::time::{SystemTime, UNIX_EPOCH};

/// Recipients that a row names each with its amount; more are one amount.
const MOST_RECIPIENTS: usize = 16;

/// Name of a script without an address.
const UNKNOWN: &str = "unknown";

/// Transaction of the proxy's `getaddresstransactions`.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) id: String,
    fee: u64,
    /// Spent outputs; none if the coins are newly mined.
    spent: Vec<Part>,
    made: Vec<Part>,
    /// Height and time in seconds; `None` while it is unconfirmed.
    block: Option<(u64, u64)>,
}

#[derive(Debug)]
struct Part {
    address: String,
    satoshis: u64,
}

impl Part {
    fn read(item: &Value) -> Option<Part> {
        let address = item.get("address").as_str().unwrap_or(UNKNOWN).to_owned();
        Some(Part { address, satoshis: loose::number(item.get("satoshis"))? })
    }
}

impl Told {
    pub(super) fn read(item: &Value) -> Option<Told> {
        let parts = |name: &str| item.get(name).as_list()?.iter().map(Part::read).collect::<Option<Vec<Part>>>();
        let block = match item.get("blockheight") {
            Value::Null => None,
            height => Some((loose::number(height)?, loose::number(item.get("blocktime"))?)),
        };
        let id = item.get("txid").as_str()?.to_owned();
        Some(Told { id, fee: loose::number(item.get("fee"))?, spent: parts("vin")?, made: parts("vout")?, block })
    }

    pub(super) fn is_confirmed(&self) -> bool {
        self.block.is_some()
    }

    /// Row of the history; `None` if the transaction does not change the balance of the address, or makes no sense.
    pub(super) fn row(&self, of: Of<'_>) -> Option<Transaction> {
        let mut paid = self.paid(of.account.address())?.into_iter();
        let first = paid.next()?;
        // The list has no times of arrival, and a transaction without a block is new.
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let (block, at) = self.block.unwrap_or_else(|| (u64::MAX, now()));
        let at = rfc3339(at)?;
        let call = SignedCall {
            from: first.from,
            to: first.to,
            value: first.value,
            pending: !self.is_confirmed(),
            fee: Some(self.fee.into()),
            ..SignedCall::default()
        };
        let pieces = std::iter::once(PieceContent::Call(call)).chain(paid.map(PieceContent::Paid));
        let pieces: Vec<Piece> =
            pieces.map(|what| Piece { block, hash: self.id.clone(), at: at.clone(), what }).collect();
        compose(of, self.id.clone(), &pieces)
    }

    /// Payments of the address or to it.
    fn paid(&self, own: &str) -> Option<Vec<Paid>> {
        let sum = |parts: &[Part]| {
            let mut own_parts = parts.iter().filter(|part| part.address == own);
            own_parts.try_fold(0_u64, |sum, part| sum.checked_add(part.satoshis))
        };
        let (went, came) = (sum(&self.spent)?, sum(&self.made)?);
        let paid = |from: &str, to: &str, satoshis: u64| Paid {
            from: from.into(),
            to: to.into(),
            value: Amount::from(satoshis),
        };
        let payer = largest(&self.spent, own).unwrap_or_default();
        if went <= came {
            // Others who pay together with the address pay it more than it spent.
            return Some(if went == came { Vec::new() } else { vec![paid(payer, own, came - went)] });
        }
        let recipient = largest(&self.made, own);
        // Others who pay together with it share the recipients and the fee.
        if self.spent.iter().any(|part| part.address != own) {
            return Some(vec![paid(own, recipient.unwrap_or(UNKNOWN), went - came)]);
        }
        let Some(recipient) = recipient else { return Some(vec![paid(own, own, came)]) };
        let mut each: Vec<Paid> = Vec::new();
        for part in self.made.iter().filter(|part| part.address != own && part.satoshis > 0) {
            if let Some(paid) = each.iter_mut().find(|paid| paid.to == part.address) {
                paid.value = paid.value.plus(part.satoshis.into())?;
            } else if each.len() < MOST_RECIPIENTS {
                each.push(paid(own, &part.address, part.satoshis));
            } else {
                let all = (went - came).checked_sub(self.fee)?;
                return Some(vec![paid(own, recipient, all)]);
            }
        }
        // An output that only carries data moves nothing to anybody.
        Some(if each.is_empty() { vec![paid(own, own, came)] } else { each })
    }
}

/// Address with the largest amount beside one's own.
fn largest<'a>(parts: &'a [Part], own: &str) -> Option<&'a str> {
    let others = parts.iter().filter(|part| part.address != own);
    others.max_by_key(|part| part.satoshis).map(|part| part.address.as_str())
}

#[cfg(test)]
mod tests;
