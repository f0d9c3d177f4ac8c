//! Bitcoin: wallets by the JSON-RPC methods of its WalletConnect namespace.

pub const ACCOUNTS: &str = "getAccountAddresses";

pub const SESSION_METHODS: &str = "sendTransfer signMessage signPsbt getAccountAddresses";
