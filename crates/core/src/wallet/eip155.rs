//! EVM chains: wallets by EIP-1193, nodes by the execution API.

use super::WalletRequest;
use portico_json::Value;
use portico_terms::{Amount, ChainId, Network};

/// Accounts, with a question to the visitor (EIP-1102).
pub const CONNECT: &str = "eth_requestAccounts";
pub const ACCOUNTS: &str = "eth_accounts";
pub const CHAIN: &str = "eth_chainId";

/// Signature and sending of a transaction.
pub const SEND_TRANSACTION: &str = "eth_sendTransaction";
/// Sending of an atomic batch (EIP-5792).
pub const SEND_CALLS: &str = "wallet_sendCalls";
/// Status of a batch (EIP-5792).
pub const CALLS_STATUS: &str = "wallet_getCallsStatus";
/// Abilities of the wallet on each chain (EIP-5792).
pub const CAPABILITIES: &str = "wallet_getCapabilities";
/// Tokens that the wallet lists (EIP-7811).
pub const ASSETS: &str = "wallet_getAssets";

/// Chain reads.
pub const BALANCE: &str = "eth_getBalance";
pub const BLOCK_NUMBER: &str = "eth_blockNumber";
pub const BLOCK: &str = "eth_getBlockByNumber";
pub const CALL: &str = "eth_call";
pub const CODE: &str = "eth_getCode";
pub const ESTIMATE_GAS: &str = "eth_estimateGas";
pub const FEE_HISTORY: &str = "eth_feeHistory";
pub const GAS_PRICE: &str = "eth_gasPrice";
pub const PRIORITY_FEE: &str = "eth_maxPriorityFeePerGas";
/// Simulation of transactions, with the transfers of the coin as logs (execution API).
pub const SIMULATE: &str = "eth_simulateV1";
pub const RECEIPT: &str = "eth_getTransactionReceipt";
pub const TRANSACTION: &str = "eth_getTransactionByHash";
pub const TRANSACTION_COUNT: &str = "eth_getTransactionCount";

/// Shows the status of a batch in the wallet (EIP-5792); requested of a session besides the methods of spec 9.20.
pub const SHOW_CALLS_STATUS: &str = "wallet_showCallsStatus";

/// Revokes the permission to see the accounts (EIP-2255).
pub fn release() -> WalletRequest {
    let permission = Value::Object(vec![(ACCOUNTS.into(), Value::Object(Vec::new()))]);
    WalletRequest { method: "wallet_revokePermissions", params: Value::List(vec![permission]) }
}

/// Switches the wallet's chain (EIP-3326).
pub fn switch(chain: &ChainId) -> WalletRequest {
    let params = Value::List(vec![Value::Object(vec![("chainId".into(), quantity(chain))])]);
    WalletRequest { method: "wallet_switchEthereumChain", params }
}

/// Adds a chain to the wallet (EIP-3085).
pub fn add(network: &Network) -> WalletRequest {
    let texts = |items: Vec<String>| Value::List(items.into_iter().map(Value::Text).collect());
    let currency = Value::Object(vec![
        ("name".into(), network.native_currency.name.as_str().into()),
        ("symbol".into(), network.native_currency.symbol.as_str().into()),
        ("decimals".into(), Value::Number(network.native_currency.decimals.to_string())),
    ]);
    let chain_urls = network.rpc_urls.chain_default.as_ref().unwrap_or(&network.rpc_urls.default);
    let mut params = vec![
        ("chainId".into(), quantity(&network.caip_network_id)),
        ("chainName".into(), network.name.as_str().into()),
        ("nativeCurrency".into(), currency),
        ("rpcUrls".into(), texts(chain_urls.http.clone())),
    ];
    if let Some(url) = network.explorer_url() {
        params.push(("blockExplorerUrls".into(), texts(vec![url.into()])));
    }
    WalletRequest { method: "wallet_addEthereumChain", params: Value::List(vec![Value::Object(params)]) }
}

/// Signs a text (EIP-191).
pub fn sign_text(text: &str, address: &str) -> WalletRequest {
    WalletRequest { method: "personal_sign", params: Value::List(vec![Value::Text(hex(text)), address.into()]) }
}

/// Text as hex bytes. A loop, because a chain of iterators compiles to more code.
pub(crate) fn hex(text: &str) -> String {
    let mut digits = String::from("0x");
    for byte in text.bytes() {
        for half in [byte >> 4, byte & 15] {
            digits.push(char::from(b"0123456789abcdef"[usize::from(half)]));
        }
    }
    digits
}

/// Chain in an answer or event: a hex quantity (EIP-695), or a decimal number as some wallets send it.
pub fn read_chain(answer: &Value) -> Option<ChainId> {
    let number = match answer {
        Value::Text(text) => match text.strip_prefix("0x") {
            Some(_) => Amount::from_hex(text).ok()?.to_string().parse().ok()?,
            None => text.parse().ok()?,
        },
        Value::Number(text) => text.parse().ok()?,
        _ => return None,
    };
    // CAIP-2 allows 32 characters, EIP-2294 this bound.
    if number == 0 || number > 9_007_199_254_740_990 { None } else { Some(ChainId::eip155(number)) }
}

fn quantity(chain: &ChainId) -> Value {
    Value::Text(Amount::from(chain.number().unwrap_or_default()).to_hex())
}
