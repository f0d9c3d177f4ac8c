//! Reading of native balances: of the active account, one read at a time and cached, and of any other account for a host call.

use super::assets::balances_of;
use super::balance::{answer_host, read_balance, read_of};
use super::{Accounts, BalanceState, Reason};
use crate::CallFault;
use crate::config::{Feature, supported_on};
use crate::connect::ConnectFault;
use crate::cx::Cx;
use crate::effect::HostError;
use crate::modal::View;
use crate::network::NetworkFault;
use crate::notice::{Message, Variant};
use crate::signal::Signal;
use crate::wallet::{bip122, eip155};
use portico_api::account::Balances;
use portico_json::Value;
use portico_terms::rpc::{RpcError, RpcErrorKind};
use portico_terms::{AccountId, Amount, ChainId, ConnectorKind, Namespace, Network};
use std::rc::Rc;

/// Maximum number of balance reads in flight: that of the active account, and an outdated one whose node may be slow.
const MOST_READS: usize = 2;

/// Requests the balance of a chain's own coin: from a node of an EVM chain, on Bitcoin from the source that the page's adapter has, elsewhere
/// from the host's server (spec 6.9), past its cache if `anew`. Returns false if none tells it.
fn read_coin(chain: &ChainId, address: &str, anew: bool, reason: Reason, cx: &mut Cx) -> bool {
    if chain.namespace() == Namespace::Eip155 {
        cx.call(chain, eip155::BALANCE, vec![address.into(), "latest".into()], reason);
        return true;
    }
    if chain.namespace() == Namespace::Bip122 {
        let own = cx.facts.accounts.iter().find(|account| account.namespace == Namespace::Bip122);
        let Some(handle) = own.map(|account| account.handle.clone()) else { return false };
        cx.ask(bip122::balance(chain, address).to(&handle), reason);
        return true;
    }
    supported_on(Feature::Balances, chain.namespace()) && cx.http(balances_of(chain, address, anew), reason)
}

/// Asks a node for the balance of a Bitcoin account if the page has no source of its own, and the host has a server.
pub(super) fn asked_a_node(chain: &ChainId, address: &str, answer: &Result<Value, RpcError>, cx: &mut Cx) -> bool {
    use RpcErrorKind::{MethodNotFound, UnsupportedMethod};
    let lacks = |error: &RpcError| matches!(error.kind, UnsupportedMethod | MethodNotFound);
    let asks = chain.namespace() == Namespace::Bip122
        && answer.as_ref().is_err_and(lacks)
        && cx.facts.options.endpoint.is_some();
    if asks {
        let reason = Reason::NodeBalance(chain.clone(), address.into());
        cx.call(chain, bip122::BALANCE, vec![bip122::of_address(address)], reason);
    }
    asks
}

/// Balance of a chain's own coin in the response to [`read_coin`].
pub(super) fn amount_in(answer: Result<Value, RpcError>, chain: &ChainId, cx: &mut Cx) -> Result<Amount, RpcError> {
    match chain.namespace() {
        Namespace::Eip155 => return read_balance(answer),
        Namespace::Bip122 => return bip122::read_balance(answer),
        Namespace::Solana | Namespace::Polkadot => {}
    }
    let before = cx.skipped;
    let listed: Option<Balances> = cx.read(&answer?);
    // An item that was left out may have been the coin.
    let whole = cx.skipped == before;
    let amount = listed.and_then(|listed| coin_in(listed, chain, whole));
    amount.ok_or_else(|| RpcError::nonsense("Couldn't get the balance from the server"))
}

/// Balance of a chain's own coin in the server's list (spec 7.5). A list that is `whole` has no coin where an account has none.
fn coin_in(Balances { balances, .. }: Balances, chain: &ChainId, whole: bool) -> Option<Amount> {
    let coin = balances.into_iter().find(|coin| coin.address.is_none() && coin.chain_id == chain.to_string());
    let Some(coin) = coin else { return whole.then_some(Amount::ZERO) };
    Amount::from_units(&coin.quantity.numeric, coin.quantity.decimals.parse().ok()?).ok()
}

/// Chain and address of a host's argument: CAIP-10 (spec 8.30), or the address alone.
pub(super) fn host_address(text: String) -> Result<(Option<ChainId>, String), CallFault> {
    if !text.contains(':') {
        return Ok((None, text));
    }
    match text.parse::<AccountId>() {
        Ok(account) => Ok((Some(account.chain().clone()), account.address().into())),
        Err(error) => Err(CallFault::InvalidAddress(error.to_string())),
    }
}

impl Accounts {
    pub(super) fn refresh_asked(&mut self, ticket: Option<u32>, cx: &mut Cx) {
        if cx.facts.account.is_none() {
            return cx.reject_host(ticket, ConnectFault::NotConnected.into());
        }
        if cx.facts.active_network.is_none() {
            return cx.reject_host(ticket, NetworkFault::CaipNetworkNotFound.into());
        }
        self.waiting.extend(ticket);
        cx.signal(Signal::RefreshAsked);
        self.refresh(cx);
    }

    /// Native balance for a host call. Only that of the active account is cached.
    pub(super) fn balance_asked(
        &mut self,
        namespace: Option<&str>,
        address: String,
        chain: &str,
        ticket: u32,
        cx: &mut Cx,
    ) {
        let (of, address) = match host_address(address) {
            Ok(parts) => parts,
            Err(fault) => return cx.reject_host(Some(ticket), fault.into()),
        };
        let namespace = namespace.map_or(cx.facts.active_namespace, Namespace::from_word);
        let wanted = |network: &&Rc<Network>| {
            Some(network.chain_namespace) == namespace
                && (network.id == *chain || network.caip_network_id.to_string() == *chain)
        };
        let Some(network) = cx.facts.networks.iter().find(wanted).cloned() else {
            return cx.reject_host(Some(ticket), NetworkFault::NetworkNotFound.into());
        };
        if of.is_some_and(|chain| chain != network.caip_network_id) {
            return cx.reject_host(Some(ticket), ConnectFault::ChainMismatch.into());
        }
        let active = cx.facts.account.as_ref().is_some_and(|account| account.address.eq_ignore_ascii_case(&address))
            && cx.facts.active_network.as_ref().is_some_and(|it| it.caip_network_id == network.caip_network_id);
        if active {
            return self.refresh_asked(Some(ticket), cx);
        }
        if let Err(error) = AccountId::new(network.caip_network_id.clone(), &address) {
            return cx.reject_host(Some(ticket), CallFault::InvalidAddress(error.to_string()).into());
        }
        let chain = network.caip_network_id.clone();
        if !read_coin(&chain, &address, false, Reason::OtherBalance(ticket, network), cx) {
            cx.reject_host(Some(ticket), NetworkFault::UnsupportedChain.into());
        }
    }

    /// Reads the native balance of the active account.
    pub fn refresh(&mut self, cx: &mut Cx) {
        let (Some(account), Some(network)) = (&cx.facts.account, &cx.facts.active_network) else {
            return self.refuse_waiting(&NetworkFault::CaipNetworkNotFound.into(), cx);
        };
        let chain = network.caip_network_id.clone();
        let (namespace, address) = (account.namespace, account.address.clone());
        if network.chain_namespace != namespace {
            return self.refuse_waiting(&NetworkFault::UnsupportedChain.into(), cx);
        }
        let balance = &mut self.accounts.or_default(namespace).balance;
        balance.turn(Some((chain.clone(), address.clone())), &mut self.balances);
        balance.ask();
        let read = read_of(&chain, &address);
        if self.reading.contains(&read) {
            return;
        }
        self.wanted = self.reading.len() >= MOST_READS;
        if self.wanted {
            return;
        }
        let anew = std::mem::take(&mut self.anew);
        if read_coin(&chain, &address, anew, Reason::Balance(namespace, chain.clone(), address.clone()), cx) {
            return self.reading.push(read);
        }
        // A network without a source of balances has not failed: the account says that balances aren't available on it.
        balance.forget();
        self.refuse_waiting(&NetworkFault::UnsupportedChain.into(), cx);
    }

    /// The balance is shown: reads it unless it is fresh (spec 9.5).
    pub fn look(&mut self, cx: &mut Cx) {
        let used = cx.facts.account.as_ref().zip(cx.facts.active_network.as_ref());
        let fresh = used.filter(|(account, network)| account.namespace == network.chain_namespace).is_some_and(
            |(account, network)| {
                let balance = &mut self.accounts.or_default(account.namespace).balance;
                balance.turn(Some((network.caip_network_id.clone(), account.address.clone())), &mut self.balances);
                balance.is_fresh(cx.now)
            },
        );
        if !fresh {
            self.refresh(cx);
        }
    }

    pub(super) fn refuse_waiting(&mut self, error: &HostError, cx: &mut Cx) {
        for ticket in std::mem::take(&mut self.waiting) {
            cx.reject_host(Some(ticket), error.clone());
        }
    }

    fn answer_host(&mut self, amount: &Result<Amount, RpcError>, cx: &mut Cx) {
        let Some(network) = &cx.facts.active_network else { return };
        let network = network.clone();
        for ticket in std::mem::take(&mut self.waiting) {
            answer_host(ticket, &network, amount, cx);
        }
    }

    /// A node's response for an account, active or not.
    pub(super) fn on_balance(
        &mut self,
        namespace: Namespace,
        chain: ChainId,
        address: String,
        answer: Result<Value, RpcError>,
        cx: &mut Cx,
    ) {
        let read = read_of(&chain, &address);
        self.reading.retain(|other| *other != read);
        if std::mem::take(&mut self.wanted) {
            self.refresh(cx);
        }
        let amount = amount_in(answer, &chain, cx);
        let Some(account) = self.accounts.get_mut(&namespace) else { return };
        if !account.balance.is_for(&chain, &address) {
            if let Some(kept) = self.balances.get_mut(&(chain, address)) {
                kept.take(amount, cx.now);
            }
            return;
        }
        self.answer_host(&amount, cx);
        let Some(account) = self.accounts.get_mut(&namespace) else { return };
        // A page without a source of balances has not failed: the account says that balances aren't available on this network.
        if amount.as_ref().is_err_and(|error| error.kind == RpcErrorKind::UnsupportedMethod) {
            return account.balance.forget();
        }
        let was_well = account.balance.state() != BalanceState::Unavailable;
        let is_funded = amount.as_ref().is_ok_and(|amount| *amount > Amount::ZERO);
        let is_of_login = cx.facts.account.as_ref().is_some_and(|active| active.kind == ConnectorKind::Auth);
        if is_funded && is_of_login {
            cx.signal(Signal::LoginFunded);
        }
        if account.balance.take(amount, cx.now) == BalanceState::Unavailable && was_well {
            say_unavailable(cx);
        }
    }
}

/// Says that a balance could not be read (spec 8.1), unless the account is on the screen: its view says it where the balance stands.
pub(super) fn say_unavailable(cx: &mut Cx) {
    if cx.facts.view != Some(View::Account) {
        cx.say(Variant::Error, Message::TokenBalanceUnavailable);
    }
}
