//! Requests to wallets and chains by namespace: the one place in the core with the method names and the answer shapes of the namespaces. Features
//! name what they want (connect, accounts, chain, sign, release), and the connector's namespace chooses the request.

pub mod bip122;
pub mod eip155;
mod polkadot;
pub mod solana;
mod treatment;

pub use polkadot::account_id;
pub(crate) use treatment::Treatment;

use crate::effect::Operation;
use portico_json::Value;
use portico_terms::rpc::{WALLET_METHODS, is_signature};
use portico_terms::{ChainId, Namespace};

/// Request to a wallet: method and parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct WalletRequest {
    pub method: &'static str,
    pub params: Value,
}

impl WalletRequest {
    fn new(method: &'static str) -> WalletRequest {
        WalletRequest { method, params: Value::Null }
    }

    /// Sends the request to the wallet of this handle.
    pub fn to(self, handle: &str) -> Operation {
        Operation::RequestWallet { handle: handle.into(), method: self.method.into(), params: self.params }
    }
}

/// Request for accounts: with a question to the visitor, or with `silent` for those that the page may see already. `chain` is the one that the
/// connection will have, for wallets whose accounts differ between chains.
pub fn accounts(namespace: Namespace, silent: bool, chain: Option<ChainId>) -> WalletRequest {
    match namespace {
        Namespace::Eip155 => WalletRequest::new(if silent { eip155::ACCOUNTS } else { eip155::CONNECT }),
        Namespace::Solana => bip122::accounts(solana::CONNECT, silent, chain),
        Namespace::Bip122 => bip122::accounts(bip122::ACCOUNTS, silent, chain),
        Namespace::Polkadot => bip122::accounts(polkadot::ACCOUNTS, silent, chain),
    }
}

/// Request to go to another chain. `None` where wallets have no chain of their own, or where the accounts are the same on each.
pub fn switch(chain: &ChainId) -> Option<WalletRequest> {
    match chain.namespace() {
        Namespace::Eip155 => Some(eip155::switch(chain)),
        Namespace::Bip122 | Namespace::Polkadot => Some(bip122::switch(chain)),
        Namespace::Solana => None,
    }
}

/// Request for the wallet's chain. `None` where wallets have no chain of their own: the host's network counts.
pub fn chain(namespace: Namespace) -> Option<WalletRequest> {
    (namespace == Namespace::Eip155).then(|| WalletRequest::new(eip155::CHAIN))
}

/// Request to end the page's access to the accounts. Without it the wallet would reconnect without asking the visitor.
pub fn release(namespace: Namespace) -> WalletRequest {
    match namespace {
        Namespace::Eip155 => eip155::release(),
        Namespace::Solana => WalletRequest::new(solana::DISCONNECT),
        Namespace::Bip122 | Namespace::Polkadot => WalletRequest::new(bip122::DISCONNECT),
    }
}

/// Request to sign a text.
pub fn sign_text(namespace: Namespace, text: &str, address: &str) -> WalletRequest {
    match namespace {
        Namespace::Eip155 => eip155::sign_text(text, address),
        Namespace::Solana => solana::sign_text(text, address),
        Namespace::Bip122 => bip122::sign_text(text, address),
        Namespace::Polkadot => polkadot::sign_text(text, address),
    }
}

/// Signature of a text in a wallet's answer: hex on EVM chains (spec 5.32) and Polkadot, base58 on Solana, base64 or hex on Bitcoin.
pub fn signature(namespace: Namespace, answer: &Value) -> Option<&str> {
    match namespace {
        Namespace::Solana => solana::signature(answer),
        Namespace::Bip122 => bip122::signature(answer),
        Namespace::Polkadot => polkadot::signature(answer),
        Namespace::Eip155 => answer.as_str().filter(|text| is_signature(text)),
    }
}

/// Accounts in a wallet's answer or event, as it sent them: addresses, or objects that describe them.
pub fn accounts_in(namespace: Namespace, answer: &Value) -> Option<&[Value]> {
    match namespace {
        Namespace::Solana => answer.get("accounts").as_list().or_else(|| answer.as_list()),
        _ => answer.as_list(),
    }
}

/// Addresses in a wallet's answer or event, as it sent them.
pub fn addresses(namespace: Namespace, answer: &Value) -> Option<Vec<&str>> {
    let list = accounts_in(namespace, answer);
    // A wallet of many addresses describes each by an object.
    let own = list?.iter().filter(|account| namespace != Namespace::Bip122 || bip122::pays(account));
    own.map(|account| account.as_str().or_else(|| account.get("address").as_str())).collect()
}

/// Chain in a wallet's answer or event.
pub fn read_chain(namespace: Namespace, answer: &Value) -> Option<ChainId> {
    match namespace {
        Namespace::Eip155 => eip155::read_chain(answer),
        _ => answer.as_str()?.parse().ok().filter(|chain: &ChainId| chain.namespace() == namespace),
    }
}

/// Methods requested of a WalletConnect session (spec 9.20).
pub fn session_methods(namespace: Namespace) -> impl Iterator<Item = &'static str> {
    let (methods, one_more) = match namespace {
        Namespace::Eip155 => (WALLET_METHODS, Some(eip155::SHOW_CALLS_STATUS)),
        Namespace::Solana => (solana::SESSION_METHODS, None),
        Namespace::Bip122 => (bip122::SESSION_METHODS, None),
        Namespace::Polkadot => (polkadot::SESSION_METHODS, None),
    };
    methods.split(' ').chain(one_more)
}
