//! Methods that a host may call (spec 5.29–5.31). All others are refused.

/// Methods that pass without an approval (spec 5.30): they read, or send what is signed already.
pub const SAFE: &str = "eth_accounts,eth_blobBaseFee,eth_blockNumber,eth_call,eth_chainId,eth_createAccessList,\
eth_estimateGas,eth_estimateUserOperationGas,eth_feeHistory,eth_gasPrice,eth_getAccount,eth_getBalance,\
eth_getBlockByHash,eth_getBlockByNumber,eth_getBlockReceipts,eth_getBlockTransactionCountByHash,\
eth_getBlockTransactionCountByNumber,eth_getCode,eth_getFilterChanges,eth_getFilterLogs,eth_getLogs,eth_getProof,\
eth_getStorageAt,eth_getTransactionByBlockHashAndIndex,eth_getTransactionByBlockNumberAndIndex,\
eth_getTransactionByHash,eth_getTransactionCount,eth_getTransactionReceipt,eth_getUncleCountByBlockHash,\
eth_getUncleCountByBlockNumber,eth_getUserOperationByHash,eth_getUserOperationReceipt,eth_maxPriorityFeePerGas,\
eth_newBlockFilter,eth_newFilter,eth_newPendingTransactionFilter,eth_sendRawTransaction,eth_supportedEntryPoints,\
eth_syncing,eth_uninstallFilter,wallet_getAssets,wallet_getCallsStatus,wallet_getCapabilities";

/// Safe methods of smart accounts and of wallets that are not built: they are known, and refused with a text of their own.
pub const UNSUPPORTED_READS: &str = "eth_estimateUserOperationGas,eth_getUserOperationByHash,\
eth_getUserOperationReceipt,eth_supportedEntryPoints,wallet_getAssets,wallet_getCallsStatus";

/// Methods that need the visitor's approval (spec 5.31).
pub const NEEDS_APPROVAL: &str = "eth_sendTransaction,eth_sendUserOperation,eth_signTypedData_v4,personal_sign,\
solana_signAllTransactions,solana_signAndSendTransaction,solana_signMessage,solana_signTransaction,\
wallet_grantPermissions,wallet_revokePermissions,wallet_sendCalls";

/// Whether a list has a method.
pub fn has(list: &str, method: &str) -> bool {
    portico_json::find_word(list, method).is_some()
}
