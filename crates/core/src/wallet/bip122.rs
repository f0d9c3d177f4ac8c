//! Bitcoin: wallets by the JSON-RPC methods of its WalletConnect namespace. Those of the page answer a few more: their accounts without a
//! question, the balance, another network and the end of the connection.

use super::WalletRequest;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId};

pub const ACCOUNTS: &str = "getAccountAddresses";
pub const DISCONNECT: &str = "wallet_disconnect";

pub const SESSION_METHODS: &str = "sendTransfer signMessage signPsbt getAccountAddresses";

/// Lengths of a signature as text: at least that of 65 bytes in base64, at most that of a witness of many signatures in hex.
const SHORTEST: usize = 88;
const LONGEST: usize = 16_384;

/// Human-readable parts of Taproot addresses on each network, whose keys sign by BIP-322 alone.
const TAPROOT: [&str; 3] = ["bc1p", "tb1p", "bcrt1p"];

fn text(name: &str, value: &str) -> (String, Value) {
    (name.into(), Value::Text(value.into()))
}

/// Accounts on a network, by this method: with a question to the visitor, or those that the page may see already.
pub fn accounts(method: &'static str, silent: bool, chain: Option<ChainId>) -> WalletRequest {
    let mut params = vec![("silent".into(), Value::Bool(silent))];
    if let Some(chain) = chain {
        params.push(text("network", &chain.to_string()));
    }
    WalletRequest { method, params: Value::Object(params) }
}

/// Another network of the wallet, whose accounts are others there. The answer is the CAIP-2 id of the network on which the wallet is then.
pub fn switch(chain: &ChainId) -> WalletRequest {
    WalletRequest { method: "switchNetwork", params: Value::Object(vec![text("network", &chain.to_string())]) }
}

/// Signs a text by the key of an address.
pub fn sign_text(message: &str, address: &str) -> WalletRequest {
    let mut params = vec![text("account", address), text("address", address), text("message", message)];
    if TAPROOT.iter().any(|part| address.starts_with(part)) {
        params.push(text("protocol", "bip322"));
    }
    WalletRequest { method: "signMessage", params: Value::Object(params) }
}

/// Signature in a wallet's answer, in base64 (wallets of the page) or hex (remote ones).
pub fn signature(answer: &Value) -> Option<&str> {
    let text = answer.as_str().or_else(|| answer.get("signature").as_str())?;
    let spelt = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    ((SHORTEST..=LONGEST).contains(&text.len()) && text.bytes().all(spelt)).then_some(text)
}

/// Whether a described address is for payments: those that hold ordinals or tokens of other layers are no account of the visitor.
pub fn pays(account: &Value) -> bool {
    let purpose = account.get("purpose").as_str().or_else(|| account.get("intention").as_str());
    purpose.is_none_or(|purpose| purpose == "payment")
}

/// Balance of an address on a network, of the page's source.
pub fn balance(chain: &ChainId, address: &str) -> WalletRequest {
    let params = vec![text("address", address), text("network", &chain.to_string())];
    WalletRequest { method: "getBalance", params: Value::Object(params) }
}

/// Balance in satoshis in the answer, a decimal text.
pub fn read_balance(answer: Result<Value, RpcError>) -> Result<Amount, RpcError> {
    let amount = answer?.as_str().and_then(|text| Amount::from_units(text, 0).ok());
    amount.ok_or_else(|| RpcError::nonsense("Couldn't read the amount from the page's balance source"))
}
