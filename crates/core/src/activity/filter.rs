//! Filters for transactions.

use portico_api::account::{Transaction, Transfer};

/// Whether a transfer is of a spam NFT (spec 3.16).
pub fn is_spam(transfer: &Transfer) -> bool {
    transfer.nft_info.as_ref().is_some_and(|nft| nft.flags.is_spam)
}

/// Whether to show a transaction: not all of its transfers are spam (spec 5.13), and it is on the connected chain (spec 5.14).
pub fn is_shown(transaction: &Transaction, chain: &str) -> bool {
    let transfers = transaction.transfers.as_deref().unwrap_or_default();
    let spam = !transfers.is_empty() && transfers.iter().all(is_spam);
    !spam && transaction.metadata.chain.as_deref() == Some(chain)
}
