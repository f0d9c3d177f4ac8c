//! Which methods are passed on.
//!
//! Any web page may call the proxy, so only what reads a chain or carries a signature already is passed on (spec 5.29, 5.30). What
//! asks for a signature goes from the page to the visitor's wallet (spec 5.31) and never comes by here; a node that signed for
//! whoever asks would hold keys that are everybody's.

use crate::config::Chain;
use portico_terms::Namespace;

/// What becomes of a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Passage {
    /// Passed on, and to another node where one fails or is slow.
    Repeatable,
    /// Passed on, and asked of the same node as those before: it is about something that only this node knows.
    Bound,
    /// Passed on, but to no second node that could do it again.
    Once,
    /// Not passed on.
    Refused,
}

/// Reads of a chain behind `eip155`, what a wallet signed before, and `wallet_getCapabilities` (spec 5.30). In the order of the alphabet.
/// Sending a signed transaction twice is safe: its nonce lets its chain take it once only.
const EIP155: [&str; 45] = [
    "eth_blobBaseFee",
    "eth_blockNumber",
    "eth_call",
    "eth_chainId",
    "eth_config",
    "eth_createAccessList",
    "eth_estimateGas",
    "eth_feeHistory",
    "eth_gasPrice",
    "eth_getBalance",
    "eth_getBlockByHash",
    "eth_getBlockByNumber",
    "eth_getBlockReceipts",
    "eth_getBlockTransactionCountByHash",
    "eth_getBlockTransactionCountByNumber",
    "eth_getCode",
    "eth_getFilterChanges",
    "eth_getFilterLogs",
    "eth_getLogs",
    "eth_getProof",
    "eth_getStorageAt",
    "eth_getTransactionByBlockHashAndIndex",
    "eth_getTransactionByBlockNumberAndIndex",
    "eth_getTransactionByHash",
    "eth_getTransactionCount",
    "eth_getTransactionReceipt",
    "eth_getUncleByBlockHashAndIndex",
    "eth_getUncleByBlockNumberAndIndex",
    "eth_getUncleCountByBlockHash",
    "eth_getUncleCountByBlockNumber",
    "eth_maxPriorityFeePerGas",
    "eth_newBlockFilter",
    "eth_newFilter",
    "eth_newPendingTransactionFilter",
    "eth_protocolVersion",
    "eth_sendRawTransaction",
    "eth_sendRawTransactionSync",
    "eth_simulateV1",
    "eth_syncing",
    "eth_uninstallFilter",
    "net_listening",
    "net_version",
    "wallet_getCapabilities",
    "web3_clientVersion",
    "web3_sha3",
];

/// What a node remembers for whoever asked. In the order of the alphabet.
const FILTERS: [&str; 6] = [
    "eth_getFilterChanges",
    "eth_getFilterLogs",
    "eth_newBlockFilter",
    "eth_newFilter",
    "eth_newPendingTransactionFilter",
    "eth_uninstallFilter",
];

/// Beside the reads of Solana, which all begin with `get`. Its `sendTransaction` takes what is signed, but without a nonce.
const SOLANA: [&str; 3] = ["isBlockhashValid", "minimumLedgerSlot", "simulateTransaction"];

/// What becomes of a call of this method on this chain.
pub(super) fn passage(chain: &Chain, method: &str) -> Passage {
    let namespace = chain.id.namespace();
    let reads = match namespace {
        Namespace::Eip155 => EIP155.binary_search(&method).is_ok(),
        Namespace::Solana => method.starts_with("get") || SOLANA.contains(&method),
        Namespace::Polkadot | Namespace::Bip122 => false,
    };
    let sends = namespace == Namespace::Solana && method == "sendTransaction";
    match () {
        () if reads && FILTERS.contains(&method) => Passage::Bound,
        () if reads => Passage::Repeatable,
        // Nobody here knows what a method of the operator's choice does when it comes twice.
        () if sends || chain.methods.iter().any(|allowed| allowed.covers(method)) => Passage::Once,
        () => Passage::Refused,
    }
}

/// Whether a node takes long for it in general.
pub(super) fn is_heavy(method: &str) -> bool {
    matches!(
        method,
        "eth_createAccessList"
            | "eth_estimateGas"
            | "eth_getBlockReceipts"
            | "eth_getLogs"
            | "eth_getProof"
            | "eth_sendRawTransactionSync"
            | "eth_simulateV1"
            | "getBlock"
            | "getProgramAccounts"
            | "getSignaturesForAddress"
            | "simulateTransaction"
    )
}

/// Whether a second node is asked beside one that is slow. Not where it is slow by its nature.
pub(super) fn is_hedged(method: &str) -> bool {
    method != "eth_sendRawTransactionSync"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_can_be_searched() {
        assert!(EIP155.is_sorted());
    }
}
