//! Accounts of a wallet, and their changes.

use super::attempt::host_chain;
use super::{Connect, ConnectFault, Reason, Status};
use crate::connect::Alarm;
use crate::cx::Cx;
use crate::effect::Operation;
use crate::modal::View;
use crate::shown::clean;
use crate::signal::Signal;
use crate::wallet;
use portico_json::{Map, Value};
use portico_terms::address::read_address;
use portico_terms::rpc::RpcError;
use portico_terms::{ConnectorKind, Namespace};

/// Maximum number of accounts; a longer list is rejected.
const MOST_ACCOUNTS: usize = 1_000;

/// Most accounts of one wallet whose names are read.
const MOST_NAMES: usize = 200;

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

impl Connect {
    /// Names that the connected wallet gave to its accounts, by address; only lists of objects have them. On EVM chains names are those that a
    /// registry knows. Called from home only, so that the first module needs no code for it.
    pub fn names(&self, namespace: Namespace) -> Map<String, String> {
        let mut names = Map::default();
        let page = self.connection(namespace).filter(|connection| connection.topic.is_none());
        let told = page.and(self.told.get(&namespace)).filter(|_| namespace != Namespace::Eip155);
        let told = told.and_then(|told| wallet::accounts_in(namespace, told)).unwrap_or_default();
        for account in told.iter().take(MOST_NAMES) {
            let name = clean(account.get("name").as_str().unwrap_or_default());
            let address = account.get("address").as_str().filter(|_| !name.is_empty());
            if let Some(address) = address.and_then(|address| read_address(namespace, address)) {
                names.insert(address, name);
            }
        }
        names
    }

    /// Whether the account of a namespace came back with a reload.
    pub fn came_back(&self, namespace: Namespace) -> bool {
        self.returned.contains(&namespace)
    }

    /// Notes whether the account of a namespace came back with a reload, or the visitor connected it.
    pub fn note_return(&mut self, namespace: Namespace, came_back: bool) {
        self.returned.retain(|known| *known != namespace);
        self.returned.extend(came_back.then_some(namespace));
    }

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
        let Ok(shared) = read_accounts(namespace, accounts) else { return };
        let chosen = connection.chosen;
        let switched = connection.renew(shared, false);
        // A list of addresses alone takes no name away.
        if accounts.as_list().is_some_and(|list| list.iter().any(|account| account.as_str().is_none())) {
            self.told.insert(namespace, accounts.clone());
        }
        if chosen {
            self.store(cx);
        }
        if switched {
            cx.signal(Signal::AccountSwitched { namespace });
        }
    }

    /// The visitor or the host chose another of the accounts that a connected wallet shares: it becomes the first. The wallet is not asked,
    /// because no standard has a request for it; it decides for each request whether it signs for the account.
    pub(super) fn account_asked(&mut self, namespace: &str, address: &str, ticket: Option<u32>, cx: &mut Cx) {
        let connected = self.connections.iter_mut().find(|connection| connection.namespace.word() == namespace);
        let Some(connection) = connected else {
            return cx.reject_host(ticket, ConnectFault::NotConnected.into());
        };
        let (namespace, before) = (connection.namespace, connection.accounts[0].clone());
        let address = read_address(namespace, address).unwrap_or_default();
        if !connection.choose(&address) {
            return cx.reject_host(ticket, ConnectFault::AccountNotFound.into());
        }
        let switched = connection.accounts[0] != before;
        self.store(cx);
        cx.signal(Signal::FormStepLeft(View::SwitchAddress));
        if switched {
            cx.signal(Signal::AccountSwitched { namespace });
        }
        cx.resolve_host(ticket, Value::Null);
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
