//! The last signed transaction of a feature that pays, and the receipt that its view shows of it.

use super::receipt::Flight;
use super::signing::Settlement;
use crate::facts::Facts;
use portico_json::Json;
use portico_terms::address::shorten;
use portico_terms::{Amount, ChainId};

/// State of a sent transaction.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum SentState {
    /// Not mined yet.
    Pending,
    /// Mined.
    Confirmed,
    /// Mined, but reverted: nothing was transferred.
    Failed,
    /// Another transaction with the same nonce was mined.
    Replaced,
    /// Given up: not mined within the time limit.
    Lost,
    /// Too old to be mined any more: nothing was transferred.
    Expired,
}

/// Payment of the visitor, for the list of activity.
#[derive(Clone, Debug)]
pub struct Payment {
    /// Address of the sender.
    pub from: String,
    pub chain: ChainId,
    /// Amount in coins or tokens, exact.
    pub amount: String,
    /// "ETH"
    pub symbol: String,
    /// Full address of the receiver.
    pub receiver: String,
    pub receipt: Receipt,
}

/// A signed transaction: its hash, network, fee and state, as far as they are known.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "PaymentReceipt")]
pub struct Receipt {
    pub state: SentState,
    /// Whether it takes so long that a higher fee may help.
    pub slow: bool,
    /// Hash of the transaction in lower case; `null` for a batch, which has none before it is mined.
    pub hash: Option<String>,
    /// Shortened `hash`: 4 leading and 6 trailing characters.
    pub hash_short: Option<String>,
    pub network_name: Option<String>,
    /// Time of sending, in epoch milliseconds.
    pub since: u64,
    /// Fee that was paid, in coins, exact; `null` before the transaction is mined, and where somebody else paid it.
    pub fee: Option<String>,
    /// Symbol of the coin that pays the fee: "ETH".
    pub fee_symbol: String,
    /// Hash of the replacing transaction, if it was found.
    pub replaced_by: Option<String>,
    /// Explorer URL of the transaction, or of the one that replaced it; of the account if that one was not found.
    pub url: Option<String>,
}

/// The last signed transaction, while its view is open.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Hash as the wallet returned it, or the id of a batch.
    pub name: String,
    /// Whether `name` is the id of a batch (EIP-5792), which is on no explorer.
    batch: bool,
    chain: ChainId,
    from: String,
    since: u64,
    state: SentState,
    fee: Option<Amount>,
    /// Hash of the replacing transaction.
    other: Option<String>,
    /// Hash of the transaction of a batch, in lower case, once it is mined.
    transaction: Option<String>,
}

impl Outcome {
    /// Chain and sender.
    pub fn of(&self) -> (ChainId, String) {
        (self.chain.clone(), self.from.clone())
    }

    /// A transaction that was just sent.
    pub fn new(name: &str, batch: bool, chain: &ChainId, from: &str, since: u64) -> Outcome {
        let (chain, from, name) = (chain.clone(), from.into(), name.into());
        let state = SentState::Pending;
        Outcome { name, batch, chain, from, since, state, fee: None, other: None, transaction: None }
    }

    /// The transaction is mined, replaced, or given up.
    pub fn settle(&mut self, settlement: Settlement, flight: &Flight) {
        self.state = match settlement {
            Settlement::Confirmed => SentState::Confirmed,
            Settlement::Reverted => SentState::Failed,
            Settlement::Replaced => SentState::Replaced,
            Settlement::Foreign | Settlement::Lost => SentState::Lost,
        };
        self.other = flight.other().cloned();
        self.fee = flight.fee().filter(|_| matches!(settlement, Settlement::Confirmed | Settlement::Reverted));
    }

    /// The transaction in which the batch was mined. Its fee is known once its receipt is.
    pub fn mined_in(&mut self, hash: &str, fee: Option<Amount>) {
        (self.transaction, self.fee) = (Some(hash.to_ascii_lowercase()), fee);
    }

    pub fn view(&self, slow: bool, facts: &Facts) -> Receipt {
        let network = facts.network(&self.chain);
        let coin = network.map(|network| &network.native_currency);
        let hash = self.transaction.clone().or_else(|| (!self.batch).then(|| self.name.to_ascii_lowercase()));
        let url = match (&self.other, &hash) {
            (None, _) if self.state == SentState::Replaced => page(&self.chain, "/address/", &self.from, facts),
            (Some(other), _) => page(&self.chain, "/tx/", other, facts),
            (None, Some(hash)) => page(&self.chain, "/tx/", hash, facts),
            (None, None) => None,
        };
        Receipt {
            state: self.state,
            slow,
            hash_short: hash.as_deref().map(shorten),
            hash,
            network_name: network.map(|network| network.name.clone()),
            since: self.since,
            fee: self.fee.zip(coin).map(|(fee, coin)| fee.to_units(coin.decimals)),
            fee_symbol: coin.map(|coin| coin.symbol.clone()).unwrap_or_default(),
            replaced_by: self.other.clone(),
            url,
        }
    }
}

/// Page of the explorer about a transaction or an account.
pub fn page(chain: &ChainId, of: &str, what: &str, facts: &Facts) -> Option<String> {
    facts.network(chain)?.explorer_page(of, what)
}
