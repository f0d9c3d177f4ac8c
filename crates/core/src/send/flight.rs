//! Transactions that outlive the form: money moves even when the visitor looks elsewhere.

use crate::analytics::{Name, Tracked};
use crate::rpc::Receipt;
use portico_json::Value;
use portico_terms::ChainId;

/// A transaction that a wallet was asked to sign.
#[derive(Debug)]
pub struct Signing {
    /// Tells its answer from that of another one.
    pub attempt: u32,
    /// On which chain.
    pub chain: ChainId,
    /// From whom.
    pub address: String,
    /// As typed.
    pub amount: String,
    /// Of which coin.
    pub symbol: String,
    /// Whether the sender is a smart account.
    pub smart_account: bool,
    /// The host's call.
    pub ticket: Option<u32>,
}

/// A transaction that is not mined yet.
#[derive(Debug)]
pub struct Pending {
    /// The wait for its receipt.
    pub receipt: Receipt,
    /// On which chain.
    pub chain: ChainId,
    /// From whom.
    pub address: String,
    /// In coins, exact.
    pub amount: String,
    /// Of which coin.
    pub symbol: String,
}

impl Signing {
    /// An event about it.
    pub fn tracked(&self, name: Name) -> Tracked {
        let tracked =
            Tracked::new(name).flag("isSmartAccount", self.smart_account).with("amount", self.amount.as_str());
        tracked.with("network", self.chain.to_string()).with("token", self.symbol.as_str())
    }
}

/// Whether the transaction of that hash succeeded, where this is its receipt.
pub fn outcome_of(receipt: &Value, hash: &str) -> Option<bool> {
    let own = receipt.get("transactionHash").as_str().is_some_and(|told| told.eq_ignore_ascii_case(hash));
    match receipt.get("status").as_str() {
        Some("0x1") if own => Some(true),
        Some("0x0") if own => Some(false),
        _ => None,
    }
}
