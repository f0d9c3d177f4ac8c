//! Polkadot: remote wallets by the methods of its WalletConnect namespace. Extensions of the page are asked by the page's adapter, with the requests of
//! Bitcoin: accounts on a network, whose addresses are spelt in another way on each, another network, and the end of the connection.

use super::WalletRequest;
use portico_encoding::base58;
use portico_json::Value;
use portico_terms::rpc::is_signature;

pub const ACCOUNTS: &str = "getAccounts";

pub const SESSION_METHODS: &str = "polkadot_signTransaction polkadot_signMessage";

/// Lengths of a signature in hex with `0x`: 64 bytes, or 65 with recovery (ecdsa), and a byte before them for the kind of key.
const SHORTEST: usize = 130;
const LONGEST: usize = 134;

/// Length of an account id and of the checksum after it in an address, in bytes. One or two bytes for the network are before them.
const ACCOUNT_ID: usize = 32;
const CHECKSUM: usize = 2;

/// Account id in an address (SS58): it is the same in the spelling of each network.
pub fn account_id(address: &str) -> Option<[u8; ACCOUNT_ID]> {
    let bytes = base58::decode(address)?;
    let start = bytes.len().checked_sub(ACCOUNT_ID + CHECKSUM).filter(|start| matches!(start, 1 | 2))?;
    bytes[start..start + ACCOUNT_ID].try_into().ok()
}

/// Signs a text by the key of an address.
pub fn sign_text(message: &str, address: &str) -> WalletRequest {
    let params = [("address", address), ("message", message)];
    let params = params.map(|(name, value)| (name.into(), Value::Text(value.into())));
    WalletRequest { method: "polkadot_signMessage", params: Value::Object(params.into()) }
}

/// Signature in a wallet's answer, in hex.
pub fn signature(answer: &Value) -> Option<&str> {
    let text = answer.as_str().or_else(|| answer.get("signature").as_str())?;
    ((SHORTEST..=LONGEST).contains(&text.len()) && is_signature(text)).then_some(text)
}
