//! Allowlist of forwarded JSON-RPC methods.
//!
//! Any web page may call the proxy, so only chain reads and signed transactions are forwarded (spec 5.29, 5.30). Signing requests
//! go from the page to the visitor's wallet (spec 5.31) and never reach this server; a node that signed for every caller would
//! hold keys that anyone can use.

use super::esplora;
use crate::config::Chain;
use portico_terms::Namespace;

/// Rule for forwarding a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Passage {
    /// Forwarded, and to another node if one fails or is slow.
    Repeatable,
    /// Forwarded to the same node as earlier calls, as it holds state that no other node has.
    Bound,
    /// Forwarded, but never to a second node, which could execute it again.
    Once,
    /// Not forwarded.
    Refused,
}

/// Chain reads for `eip155`, submission of signed transactions, and `wallet_getCapabilities` (spec 5.30). Sorted for binary search.
/// Submitting a signed transaction twice is safe: its nonce allows it only once on its chain.
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

/// Methods for filters, which a node stores for the caller. Sorted alphabetically.
const FILTERS: [&str; 6] = [
    "eth_getFilterChanges",
    "eth_getFilterLogs",
    "eth_newBlockFilter",
    "eth_newFilter",
    "eth_newPendingTransactionFilter",
    "eth_uninstallFilter",
];

/// Solana reads that do not start with `get`. Not `sendTransaction`: its signed transactions have no nonce.
const SOLANA: [&str; 3] = ["isBlockhashValid", "minimumLedgerSlot", "simulateTransaction"];

/// Rule for this method on this chain.
pub(super) fn passage(chain: &Chain, method: &str) -> Passage {
    let namespace = chain.id.namespace();
    let reads = match namespace {
        Namespace::Eip155 => EIP155.binary_search(&method).is_ok(),
        Namespace::Solana => method.starts_with("get") || SOLANA.contains(&method),
        Namespace::Bip122 => esplora::READS.binary_search(&method).is_ok(),
        Namespace::Polkadot => false,
    };
    let sends = match namespace {
        Namespace::Solana => method == "sendTransaction",
        Namespace::Bip122 => method == esplora::SEND,
        Namespace::Eip155 | Namespace::Polkadot => false,
    };
    // An Esplora has no other methods.
    let adds = namespace != Namespace::Bip122 && chain.methods.iter().any(|allowed| allowed.covers(method));
    match () {
        () if reads && FILTERS.contains(&method) => Passage::Bound,
        () if reads => Passage::Repeatable,
        // The effect of repeating a method that the operator added is unknown.
        () if sends || adds => Passage::Once,
        () => Passage::Refused,
    }
}

/// Whether the server takes this method for this chain.
pub(crate) fn takes(chain: &Chain, method: &str) -> bool {
    !matches!(passage(chain, method), Passage::Refused)
}

/// Whether the method usually takes a node long.
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
            | "getaddressbalance"
            | "getaddresstransactions"
            | "getaddressutxos"
            | "simulateTransaction"
    )
}

/// Whether a slow node is hedged with a second one. Not for a method that waits by design.
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
