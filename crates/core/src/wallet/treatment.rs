//! Treatment of methods by the embedded wallet (spec 5.29 to 5.31).

/// Treatment of a method.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Treatment {
    /// Answered with the account.
    Accounts,
    /// Answered with the chain.
    Chain,
    /// Chooses another chain.
    Switch,
    /// Adds a chain, which this wallet does not do.
    Add,
    /// Read of a chain, sent to a node.
    Node,
    /// Read of the wallet, sent to the frame without a window.
    Wallet,
    /// The visitor approves it in the frame.
    Approval,
    /// Not accepted (spec 8.36).
    Refused,
}

/// Reads of a chain, without their prefix `eth_` (spec 5.30).
const READS: &str = " blobBaseFee blockNumber call createAccessList estimateGas feeHistory gasPrice getAccount getBalance \
    getBlockByHash getBlockByNumber getBlockReceipts getBlockTransactionCountByHash getBlockTransactionCountByNumber \
    getCode getFilterChanges getFilterLogs getLogs getProof getStorageAt getTransactionByBlockHashAndIndex \
    getTransactionByBlockNumberAndIndex getTransactionByHash getTransactionCount getTransactionReceipt \
    getUncleCountByBlockHash getUncleCountByBlockNumber maxPriorityFeePerGas newBlockFilter newFilter \
    newPendingTransactionFilter sendRawTransaction syncing uninstallFilter ";

/// Reads of the wallet (spec 5.30).
const WALLET: &str = " wallet_getCapabilities wallet_getCallsStatus wallet_getAssets ";

/// Methods that need the visitor's approval (spec 5.31).
const APPROVAL: &str = " personal_sign eth_signTypedData_v4 eth_sendTransaction solana_signMessage \
    solana_signTransaction solana_signAllTransactions solana_signAndSendTransaction wallet_sendCalls \
    wallet_grantPermissions wallet_revokePermissions eth_sendUserOperation ";

fn lists(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == name)
}

impl Treatment {
    /// Treatment of a method by its name.
    pub fn of(method: &str) -> Treatment {
        match method {
            "eth_accounts" | "eth_requestAccounts" => Treatment::Accounts,
            "eth_chainId" | "net_version" => Treatment::Chain,
            "wallet_switchEthereumChain" => Treatment::Switch,
            "wallet_addEthereumChain" => Treatment::Add,
            _ if lists(WALLET, method) => Treatment::Wallet,
            _ if lists(APPROVAL, method) => Treatment::Approval,
            _ if method.strip_prefix("eth_").is_some_and(|name| lists(READS, name)) => Treatment::Node,
            _ => Treatment::Refused,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_5_29_any_other_method_is_refused() {
        for method in [
            "",
            "eth_sign",
            "eth_signTransaction",
            "eth_",
            "call",
            "eth_call eth_getCode",
            "personal_sign ",
            "wallet_watchAsset",
        ] {
            assert_eq!(Treatment::of(method), Treatment::Refused, "{method:?}");
        }
    }

    #[test]
    fn spec_5_30_reads_sent_transactions_and_capabilities_are_safe() {
        for method in ["eth_call", "eth_getBalance", "eth_getTransactionReceipt", "eth_sendRawTransaction"] {
            assert_eq!(Treatment::of(method), Treatment::Node, "{method}");
        }
        assert_eq!(Treatment::of("wallet_getCapabilities"), Treatment::Wallet);
    }

    #[test]
    fn spec_5_31_eleven_methods_need_approval() {
        let methods: Vec<_> = APPROVAL.split_ascii_whitespace().collect();
        assert_eq!(methods.len(), 11);
        assert!(methods.iter().all(|method| Treatment::of(method) == Treatment::Approval));
    }
}
