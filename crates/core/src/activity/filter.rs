//! Filters for transactions.

use portico_json::Value;

/// Whether a transfer is of a spam NFT (spec 3.16).
pub fn is_spam(transfer: &Value) -> bool {
    transfer.get("nft_info").get("flags").get("is_spam").as_bool() == Some(true)
}

/// Whether to show a transaction: not all of its transfers are spam (spec 5.13), and it is on the connected chain (spec 5.14).
pub fn is_shown(transaction: &Value, chain: &str) -> bool {
    let transfers = transaction.get("transfers").as_list().unwrap_or_default();
    let spam = !transfers.is_empty() && transfers.iter().all(is_spam);
    !spam && transaction.get("metadata").get("chain").as_str() == Some(chain)
}
