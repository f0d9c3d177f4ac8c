//! Solana: wallets by the Wallet Standard. A request is named after the feature of the wallet that answers it.

use super::WalletRequest;
use portico_json::Value;

/// Accounts, with a question to the visitor.
pub const CONNECT: &str = "standard:connect";
pub const DISCONNECT: &str = "standard:disconnect";

pub const SESSION_METHODS: &str = "solana_signMessage solana_signTransaction solana_requestAccounts solana_getAccounts \
    solana_signAllTransactions solana_signAndSendTransaction";

/// Accounts that the page may see already.
pub fn accounts() -> WalletRequest {
    WalletRequest { method: CONNECT, params: Value::Object(vec![("silent".into(), Value::Bool(true))]) }
}
