//! Bitcoin: wallets by the JSON-RPC methods of its WalletConnect namespace. Those of the page answer a few more: their accounts without a
//! question, the balance, another network and the end of the connection.

use super::WalletRequest;
use portico_encoding::base64::{self, Spelling};
use portico_encoding::hex;
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
    purpose(account).is_none_or(|purpose| purpose == "payment")
}

/// Whether a described address is the one where the wallet keeps ordinals.
pub fn holds_ordinals(account: &Value) -> bool {
    matches!(purpose(account), Some("ordinal" | "ordinals"))
}

fn purpose(account: &Value) -> Option<&str> {
    account.get("purpose").as_str().or_else(|| account.get("intention").as_str())
}

/// Balance of an address on a network, of the page's source.
pub fn balance(chain: &ChainId, address: &str) -> WalletRequest {
    let params = vec![text("address", address), text("network", &chain.to_string())];
    WalletRequest { method: "getBalance", params: Value::Object(params) }
}

/// Balance in satoshis: a decimal text of the page's source, or the answer of a node to [`BALANCE`].
pub fn read_balance(answer: Result<Value, RpcError>) -> Result<Amount, RpcError> {
    let answer = answer?;
    let text = answer.as_str().and_then(|text| Amount::from_units(text, 0).ok());
    let amount = text.or_else(|| answer.get("balance").as_u64().map(Amount::from));
    amount.ok_or_else(|| RpcError::nonsense("Couldn't read the amount from the balance source"))
}

/// Error of a page that names no source of balances.
pub fn no_source() -> RpcError {
    RpcError::new(4200, "No source of Bitcoin balances")
}

/// Methods of nodes: names of Bitcoin Core, and of its index of addresses.
pub const COINS: &str = "getaddressutxos";
pub const BALANCE: &str = "getaddressbalance";
pub const FEE: &str = "estimatesmartfee";
pub const TRANSACTION: &str = "getrawtransaction";
pub const SPENDER: &str = "gettxspendingprevout";
pub const SEND: &str = "sendrawtransaction";

/// Longest PSBT of an answer, in letters: 8 MB in hex, which is the most that the adapter takes.
const LONGEST_PSBT: usize = 16_000_000;

/// Parameter that names one address.
pub fn of_address(address: &str) -> Value {
    Value::Object(vec![("addresses".into(), Value::List(vec![address.into()]))])
}

/// Parameter that names one output.
pub fn of_output(id: &str, index: u32) -> Value {
    let output = vec![text("txid", id), ("vout".into(), Value::Number(index.to_string()))];
    Value::List(vec![Value::Object(output)])
}

/// Signs all inputs of a transaction (BIP-174) by the key of an address, without sending it.
pub fn sign_psbt(psbt: &[u8], address: &str, inputs: usize) -> WalletRequest {
    let input = |index: usize| {
        Value::Object(vec![("index".into(), Value::Number(index.to_string())), text("address", address)])
    };
    let params = vec![
        text("account", address),
        text("psbt", &base64::encode(psbt, Spelling::Standard)),
        ("signInputs".into(), Value::List((0..inputs).map(input).collect())),
        ("broadcast".into(), Value::Bool(false)),
    ];
    WalletRequest { method: "signPsbt", params: Value::Object(params) }
}

/// PSBT in a wallet's answer, in base64 or hex.
pub fn signed_psbt(answer: &Value) -> Option<Vec<u8>> {
    let text = answer.as_str().or_else(|| answer.get("psbt").as_str()).filter(|text| text.len() <= LONGEST_PSBT)?;
    hex::decode(text).or_else(|| base64::decode(text, Spelling::Standard))
}

/// Whether a node refused a transaction, by the codes of Bitcoin Core. One that the node has already is none.
pub fn is_refused(error: &RpcError) -> bool {
    let known = ["already in", "already known", "already-known", "already-in-mempool"];
    matches!(error.code, -26 | -25 | -22 | -8) && !known.iter().any(|words| error.message.contains(words))
}

/// Whether a node has never seen a transaction.
pub fn is_unknown(error: &RpcError) -> bool {
    error.code == -5
}
