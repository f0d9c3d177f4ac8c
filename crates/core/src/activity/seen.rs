//! Payments that this page saw mined. A network without an explorer has no history of coins, so the list shows at least these.

use super::Kind;
use super::page::{Item, Move, Status};
use crate::pay::outcome::{Payment, SentState};
use portico_terms::ChainId;
use portico_terms::address::{is_evm, shorten, to_checksum};
use portico_terms::amount::{AMOUNT_DECIMALS, nearest_units};
use portico_terms::sign_in::rfc3339;

/// Chain and address of an account.
type Owner = (ChainId, String);

/// Maximum number of payments that are kept; the oldest are forgotten.
const MOST: usize = 50;

/// Payments of this page.
#[derive(Debug, Default)]
pub struct Seen {
    /// Hashes of payments that were sent, with the account that was active.
    sent: Vec<(String, Owner)>,
    /// Payments that were mined.
    mined: Vec<(Owner, Item)>,
}

impl Seen {
    /// A payment was sent from this account.
    pub fn sent(&mut self, sent: &Payment, of: &Owner) {
        let Some(hash) = &sent.receipt.hash else { return };
        // The last payment of the form may be that of an account that was in use before.
        if sent.chain != of.0 || !sent.from.eq_ignore_ascii_case(&of.1) {
            return;
        }
        if self.sent.iter().all(|(known, _)| known != hash) {
            push(&mut self.sent, (hash.clone(), of.clone()));
        }
    }

    /// The payment is mined, if its receipt says so.
    pub fn settled(&mut self, sent: Payment) {
        let status = match sent.receipt.state {
            SentState::Confirmed => Status::Confirmed,
            SentState::Failed => Status::Failed,
            SentState::Pending | SentState::Replaced | SentState::Expired | SentState::Lost => return,
        };
        let at = self.sent.iter().position(|(hash, _)| Some(hash) == sent.receipt.hash.as_ref());
        let Some(at) = at else { return };
        let (hash, of) = self.sent.remove(at);
        push(&mut self.mined, (of, item(sent, hash, status)));
    }

    /// Payments of an account.
    pub fn of(&self, owner: &Owner) -> impl Iterator<Item = &Item> {
        self.mined.iter().filter(move |(of, _)| of == owner).map(|(_, item)| item)
    }
}

fn push<T>(list: &mut Vec<T>, one: T) {
    if list.len() == MOST {
        list.remove(0);
    }
    list.push(one);
}

/// Row of a payment. Its time is that of sending, because a receipt has none.
fn item(sent: Payment, hash: String, status: Status) -> Item {
    let Payment { amount, symbol, receiver, receipt, .. } = sent;
    let paid = Move {
        sign: "-".into(),
        amount: nearest_units(&amount, AMOUNT_DECIMALS),
        exact: Some(amount),
        name: symbol,
        picture: None,
        nft: false,
        count: None,
        at_most: false,
        address: None,
        contract: None,
        mark: None,
    };
    Item {
        id: hash.clone(),
        kind: Kind::Send,
        status,
        mined_at: rfc3339(receipt.since / 1000),
        other: Some(shorten(&receiver)),
        other_address: Some(&receiver).filter(|text| is_evm(text)).map(|text| to_checksum(text)),
        contract: None,
        own: true,
        application: None,
        moves: vec![paid],
        approval: None,
        fee: receipt.fee,
        hash: Some(hash),
        url: receipt.url,
    }
}
