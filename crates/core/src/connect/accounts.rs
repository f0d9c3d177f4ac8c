//! Accounts of a wallet, and their changes.

use super::attempt::host_chain;
use super::{Connect, ConnectFault, Reason, Status};
use crate::connect::Alarm;
use crate::cx::Cx;
use crate::effect::Operation;
use crate::signal::Signal;
use crate::wallet;
use portico_json::Value;
use portico_terms::address::{is_bitcoin, is_evm, is_polkadot, is_solana, to_checksum};
use portico_terms::rpc::RpcError;
use portico_terms::{ConnectorKind, Namespace};

/// Maximum number of accounts; a longer list is rejected.
const MOST_ACCOUNTS: usize = 1_000;

/// Parses a list of addresses: not empty, each an address of the namespace, no duplicates. EVM addresses get their checksum (EIP-55),
/// whatever case the wallet sent, so that equal addresses are equal texts.
pub fn read_accounts(namespace: Namespace, value: &Value) -> Result<Vec<String>, RpcError> {
    let items = wallet::addresses(namespace, value)
        .filter(|items| items.len() <= MOST_ACCOUNTS)
        .ok_or_else(|| RpcError::nonsense("The wallet shared no account. Unlock it and try again."))?;
    let mut accounts: Vec<String> = Vec::new();
    for item in items {
        let address = read_address(namespace, item);
        let address =
            address.ok_or_else(|| RpcError::nonsense("The wallet shared an invalid address. Try another wallet."))?;
        if !accounts.contains(&address) {
            accounts.push(address);
        }
    }
    if accounts.is_empty() { Err(RpcError::nonsense(&ConnectFault::AccountNotFound.to_string())) } else { Ok(accounts) }
}

/// Parses one address of a namespace.
pub(super) fn read_address(namespace: Namespace, address: &str) -> Option<String> {
    is_address(namespace, address)
        .then(|| if namespace == Namespace::Eip155 { to_checksum(address) } else { address.into() })
}

fn is_address(namespace: Namespace, text: &str) -> bool {
    match namespace {
        Namespace::Eip155 => text.starts_with("0x") && is_evm(text),
        Namespace::Solana => is_solana(text),
        Namespace::Bip122 => is_bitcoin(text),
        Namespace::Polkadot => is_polkadot(text),
    }
}

impl Connect {
    /// EIP-1193 `accountsChanged`: other accounts, or none at all, which means that the permission was revoked.
    pub(super) fn accounts_changed(&mut self, handle: &str, accounts: &Value, cx: &mut Cx) {
        let Some(connection) = self.connections.iter_mut().find(|connection| connection.connector.handle == handle)
        else {
            return;
        };
        let namespace = connection.namespace;
        if wallet::addresses(namespace, accounts).is_some_and(|accounts| accounts.is_empty()) {
            return self.permission_revoked(namespace, cx);
        }
        // Invalid accounts count as no change.
        if let Ok(accounts) = read_accounts(namespace, accounts)
            && accounts != connection.accounts
        {
            let same = connection.accounts.first() == accounts.first();
            connection.accounts = accounts;
            if !same {
                cx.signal(Signal::AccountSwitched { namespace });
            }
        }
    }

    /// EIP-1193 `disconnect`: the wallet reaches no chain. A request checks whether it is still connected.
    pub(super) fn lost(&mut self, handle: &str, cx: &mut Cx) {
        let Some(connection) = self.connections.iter().find(|connection| connection.connector.handle == handle) else {
            return;
        };
        let namespace = connection.namespace;
        if connection.connector.kind == ConnectorKind::WalletConnect {
            return self.left(namespace, cx);
        }
        // A check is in flight; repeated events must not start more.
        if self.status(namespace) == Status::Reconnecting {
            return;
        }
        self.statuses.insert(namespace, Status::Reconnecting);
        cx.start(Alarm::ReconnectEnd, super::reconnect::PATIENCE);
        let request = wallet::accounts(namespace, true, host_chain(namespace, cx.facts));
        cx.ask(request.to(handle), Reason::Recheck(namespace));
    }

    pub(super) fn rechecked(&mut self, namespace: Namespace, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if self.status(namespace) != Status::Reconnecting {
            return;
        }
        match answer.and_then(|value| read_accounts(namespace, &value)) {
            Ok(_) => {
                self.statuses.insert(namespace, Status::Connected);
            }
            Err(_) => self.drop_connection(namespace, cx),
        }
    }

    /// The wallet ended the connection: drops it without a request to the wallet.
    pub(super) fn drop_connection(&mut self, namespace: Namespace, cx: &mut Cx) {
        let namespaces = self.together(Some(namespace));
        for handle in self.forget(&namespaces) {
            cx.order(Operation::UnwatchWallet { handle });
        }
        self.clear(cx);
        self.store(cx);
        cx.signal(Signal::Disconnected { namespaces });
    }
}
