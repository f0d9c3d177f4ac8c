//! Solana: wallets by the Wallet Standard, and calls of nodes. A request is named after the feature of the wallet that answers it.

use super::WalletRequest;
use portico_encoding::base58;
use portico_encoding::base64::{self, Spelling};
use portico_json::Value;

/// Accounts by their addresses.
pub const ACCOUNTS: &str = "getMultipleAccounts";
/// Token accounts of an owner.
pub const TOKENS: &str = "getTokenAccountsByOwner";
/// Least balance of an account, by its bytes.
pub const RENT: &str = "getMinimumBalanceForRentExemption";
pub const EPOCH: &str = "getEpochInfo";
/// Prices of a compute unit that transactions of the last blocks paid.
pub const PRICES: &str = "getRecentPrioritizationFees";
pub const BLOCK: &str = "getLatestBlockhash";
pub const SIMULATE: &str = "simulateTransaction";
pub const SEND: &str = "sendTransaction";
pub const STATUSES: &str = "getSignatureStatuses";
pub const HEIGHT: &str = "getBlockHeight";

/// Longest text of an account's data that is read: a mint with its metadata has some hundred bytes.
const LONGEST_DATA: usize = 64 * 1024;

/// Account of the chain, as a node tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainAccount {
    pub lamports: u64,
    /// Address of the program that owns it.
    pub owner: String,
    pub executable: bool,
    pub data: Vec<u8>,
}

impl ChainAccount {
    fn read(value: &Value) -> Option<ChainAccount> {
        let data = value.get("data").as_list()?.first()?.as_str().filter(|data| data.len() <= LONGEST_DATA)?;
        Some(ChainAccount {
            lamports: value.get("lamports").as_u64()?,
            owner: value.get("owner").as_str()?.into(),
            executable: value.get("executable").as_bool()?,
            data: base64::decode(data, Spelling::Standard)?,
        })
    }
}

/// Settings of a call: `commitment` and the encoding of accounts and transactions.
pub fn settings(more: &[(&str, Value)]) -> Value {
    let mut fields = vec![("commitment".into(), "confirmed".into()), ("encoding".into(), "base64".into())];
    fields.extend(more.iter().map(|(name, value)| (String::from(*name), value.clone())));
    Value::Object(fields)
}

/// Parameters of [`ACCOUNTS`].
pub fn accounts_params(addresses: Vec<String>) -> Vec<Value> {
    vec![Value::List(addresses.into_iter().map(Value::Text).collect()), settings(&[])]
}

/// So many accounts in the answer to [`ACCOUNTS`], in the order of their addresses; `None` inside stands for no account.
pub fn accounts_in(answer: &Value, count: usize) -> Option<Vec<Option<ChainAccount>>> {
    let list = answer.get("value").as_list().filter(|list| list.len() == count)?;
    list.iter().map(|item| if item.is_null() { Some(None) } else { ChainAccount::read(item).map(Some) }).collect()
}

/// Addresses and accounts in the answer to [`TOKENS`].
pub fn tokens_in(answer: &Value) -> Option<Vec<(&str, ChainAccount)>> {
    let read = |item: &'_ Value| ChainAccount::read(item.get("account"));
    answer.get("value").as_list()?.iter().map(|item| Some((item.get("pubkey").as_str()?, read(item)?))).collect()
}

/// Bytes of a transaction as nodes and wallets take them.
pub fn encoded(transaction: &[u8]) -> String {
    base64::encode(transaction, Spelling::Standard)
}

/// The wallet signs a transaction; with `sends` it sends it too, for a wallet that does nothing else.
pub fn sign_transaction(transaction: &[u8], address: &str, sends: bool) -> WalletRequest {
    let params =
        vec![("transaction".into(), Value::Text(encoded(transaction))), ("pubkey".into(), Value::Text(address.into()))];
    let method = if sends { "solana_signAndSendTransaction" } else { "solana_signTransaction" };
    WalletRequest { method, params: Value::Object(params) }
}

/// Signed transaction in a wallet's answer, if it has one besides the signature.
pub fn signed_transaction(answer: &Value) -> Option<Vec<u8>> {
    decoded(answer.get("transaction").as_str()?)
}

/// Bytes of a transaction from their text.
pub fn decoded(text: &str) -> Option<Vec<u8>> {
    (text.len() <= LONGEST_DATA).then(|| base64::decode(text, Spelling::Standard))?
}

/// Accounts. With a question to the visitor, a wallet that can may also sign in to the site on the network.
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
