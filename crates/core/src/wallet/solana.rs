//! Solana: wallets by the Wallet Standard. A request is named after the feature of the wallet that answers it.

use super::WalletRequest;
use portico_encoding::base58;
use portico_json::Value;

/// Accounts, with a question to the visitor.
pub const CONNECT: &str = "standard:connect";
pub const DISCONNECT: &str = "standard:disconnect";

pub const SESSION_METHODS: &str = "solana_signMessage solana_signTransaction solana_requestAccounts solana_getAccounts \
    solana_signAllTransactions solana_signAndSendTransaction";

/// Signs a text, which is sent as bytes in base58.
pub fn sign_text(text: &str, address: &str) -> WalletRequest {
    let params = vec![
        ("message".into(), Value::Text(base58::encode(text.as_bytes()))),
        ("pubkey".into(), Value::Text(address.into())),
    ];
    WalletRequest { method: "solana_signMessage", params: Value::Object(params) }
}

/// Signature of 64 bytes in a wallet's answer, in base58.
pub fn signature(answer: &Value) -> Option<&str> {
    let text = answer.as_str().or_else(|| answer.get("signature").as_str())?;
    (text.len() <= LONGEST_SIGNATURE && base58::decode(text)?.len() == 64).then_some(text)
}

/// Length of the longest text of 64 bytes in base58.
const LONGEST_SIGNATURE: usize = 88;

/// Accounts that the page may see already.
pub fn accounts() -> WalletRequest {
    WalletRequest { method: CONNECT, params: Value::Object(vec![("silent".into(), Value::Bool(true))]) }
}
