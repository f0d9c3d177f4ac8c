//! The connected account: its address, its balance, its tabs.

mod balance;
mod identity;
mod state;
#[cfg(test)]
mod tests;

pub use balance::{BALANCE_DECIMALS, BalanceState, TOKEN_DECIMALS};
pub use identity::is_looked_up;
pub use state::{AccountState, EmbeddedWalletInfo, OneAccount, Quantity, TokenBalance, User, View, WalletInfo};

use crate::CallFault;
use crate::config::Options;
use crate::connect::ConnectFault;
use crate::cx::Cx;
use crate::effect::{HostError, Operation};
use crate::network::{NetworkFault, Networks};
use crate::notice::{Message, Variant};
use balance::{Balance, answer_host, read_balance, read_of};
use portico_json::{Json, Map, Value};
use portico_terms::address::{shorten, to_checksum};
use portico_terms::rpc::RpcError;
use portico_terms::{AccountId, Amount, ChainId, ConnectorKind, Namespace, Network, Price};
use state::{all_accounts, tabs, token_balances, wallet_features, wallet_info};
use std::rc::Rc;

/// A tab of the Account view (spec 2.8).
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum Tab {
    /// Coins and tokens.
    #[default]
    Tokens,
    /// Collectibles.
    Nfts,
    /// Transactions.
    Activity,
}

/// What visitor and host do about the account.
#[derive(Clone, Debug, Json)]
#[json(name = "AccountEvent")]
pub enum Event {
    /// A tab was chosen.
    TabChosen {
        /// Which.
        tab: Tab,
    },
    /// The balance is wanted anew.
    RefreshAsked {
        /// The host's call.
        ticket: Option<u32>,
    },
    /// A price arrived. Nobody tells one yet: prices come with the balances of tokens.
    PriceTold {
        /// Of the coin of this chain, CAIP-2.
        chain: String,
        /// What one is worth in US dollars, in plain notation; what cannot be read, and zero, mean that no price is known.
        usd: String,
    },
    /// The host wants the native balance of any account on any of its networks.
    BalanceAsked {
        /// A namespace by its name; `null` is that of the account in use.
        namespace: Option<String>,
        /// The address.
        address: String,
        /// The CAIP-2 id of the chain, or its reference alone.
        chain: String,
        /// The host's call.
        ticket: u32,
    },
    /// The page is visible again.
    PageShown,
    /// The address was to be copied.
    CopyAsked,
    /// The host names an address.
    LabelSet {
        /// A namespace by its name.
        namespace: Option<String>,
        /// The address.
        address: String,
        /// Its name; `null` removes it.
        label: Option<String>,
    },
}

/// Why something was asked.
#[derive(Clone, Debug)]
pub enum Asked {
    /// The native balance of a namespace, for whom, on which chain.
    Balance(Namespace, portico_terms::ChainId, String),
    /// The native balance of an account that is not in use, for a host's call, in a network's currency.
    OtherBalance(u32, Rc<Network>),
    /// The clipboard.
    Copy,
}

/// What is kept of one account beyond its connection.
#[derive(Debug, Default)]
struct Account {
    tab: Tab,
    balance: Balance,
    labels: Map<String, String>,
    profile_name: Option<String>,
    profile_image: Option<String>,
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Accounts {
    accounts: Map<Namespace, Account>,
    waiting: Vec<u32>,
    /// Balances that are being read: CAIP-10.
    reading: Vec<String>,
    /// Another one is to be read when one of these is in.
    wanted: bool,
    prices: Map<ChainId, Price>,
}

/// So many balances are read at a time: that of the account in use, and one that is not wanted any more, whose node may be slow.
const MOST_READS: usize = 2;

impl Accounts {
    /// One event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::TabChosen { tab } => {
                if let Some(namespace) = cx.facts.active_namespace {
                    self.accounts.or_default(namespace).tab = tab;
                }
            }
            Event::RefreshAsked { ticket } => self.refresh_asked(ticket, cx),
            Event::PriceTold { chain, usd } => {
                if let Ok(chain) = chain.parse() {
                    match usd.parse() {
                        Ok(price) => self.prices.insert(chain, price),
                        Err(_) => drop(self.prices.remove(&chain)),
                    }
                }
            }
            Event::BalanceAsked { namespace, address, chain, ticket } => {
                self.balance_asked(namespace.as_deref(), address, &chain, ticket, cx)
            }
            Event::PageShown => self.refresh(cx),
            Event::CopyAsked => {
                if let Some(account) = &cx.facts.account {
                    cx.ask(Operation::CopyText { text: account.address.clone() }, Asked::Copy);
                }
            }
            Event::LabelSet { namespace, address, label } => self.label(namespace, address, label, cx),
        }
    }

    /// The host names an address (spec 8.11, 8.12).
    fn label(&mut self, namespace: Option<String>, address: String, label: Option<String>, cx: &mut Cx) {
        let namespace = match namespace.as_deref().map(Namespace::from_word) {
            None => cx.facts.active_namespace.ok_or(NetworkFault::ChainRequired),
            Some(namespace) => namespace.ok_or(NetworkFault::ChainAdapterNotFound),
        };
        match namespace {
            Ok(namespace) => {
                // Hosts write addresses in either case.
                let address = if namespace == Namespace::Eip155 { to_checksum(&address) } else { address };
                let labels = &mut self.accounts.or_default(namespace).labels;
                match label {
                    Some(label) => labels.insert(address, label),
                    None => drop(labels.remove(&address)),
                }
            }
            Err(fault) => {
                cx.tell(crate::signal::Signal::Warn(crate::notice::AlertKey::InvalidOptions, fault.to_string()))
            }
        }
    }

    fn refresh_asked(&mut self, ticket: Option<u32>, cx: &mut Cx) {
        if cx.facts.account.is_none() {
            return cx.reject_host(ticket, ConnectFault::NotConnected.into());
        }
        if cx.facts.active_network.is_none() {
            return cx.reject_host(ticket, NetworkFault::CaipNetworkNotFound.into());
        }
        self.waiting.extend(ticket);
        self.refresh(cx);
    }

    /// What one coin of a chain is worth, where a price is known.
    pub fn price(&self, chain: &ChainId) -> Option<Price> {
        self.prices.get(chain).copied()
    }

    /// The host names the account. Only the balance of the one in use is kept.
    fn balance_asked(&mut self, namespace: Option<&str>, address: String, chain: &str, ticket: u32, cx: &mut Cx) {
        let namespace = namespace.map_or(cx.facts.active_namespace, Namespace::from_word);
        let wanted = |network: &&Rc<Network>| {
            Some(network.chain_namespace) == namespace
                && (network.id == *chain || network.caip_network_id.to_string() == *chain)
        };
        let Some(network) = cx.facts.networks.iter().find(wanted).cloned() else {
            return cx.reject_host(Some(ticket), NetworkFault::NetworkNotFound.into());
        };
        let active = cx.facts.account.as_ref().is_some_and(|account| account.address.eq_ignore_ascii_case(&address))
            && cx.facts.active_network.as_ref().is_some_and(|it| it.caip_network_id == network.caip_network_id);
        if active {
            return self.refresh_asked(Some(ticket), cx);
        }
        if network.chain_namespace != Namespace::Eip155 {
            return cx.reject_host(Some(ticket), NetworkFault::UnsupportedChain.into());
        }
        if let Err(error) = AccountId::new(network.caip_network_id.clone(), &address) {
            return cx.reject_host(Some(ticket), CallFault::InvalidAddress(error.to_string()).into());
        }
        let params = vec![Value::Text(address), "latest".into()];
        cx.call(&network.caip_network_id.clone(), "eth_getBalance", params, Asked::OtherBalance(ticket, network));
    }

    /// Asks for the native balance of the active account.
    pub fn refresh(&mut self, cx: &mut Cx) {
        let (Some(account), Some(network)) = (&cx.facts.account, &cx.facts.active_network) else {
            return self.refuse_waiting(&NetworkFault::CaipNetworkNotFound.into(), cx);
        };
        let chain = network.caip_network_id.clone();
        let (namespace, address) = (account.namespace, account.address.clone());
        if namespace != Namespace::Eip155 || network.chain_namespace != namespace {
            return;
        }
        self.accounts.or_default(namespace).balance.ask(&chain, &address);
        let read = read_of(&chain, &address);
        if self.reading.contains(&read) {
            return;
        }
        self.wanted = self.reading.len() >= MOST_READS;
        if self.wanted {
            return;
        }
        self.reading.push(read);
        let asked = Asked::Balance(namespace, chain.clone(), address.clone());
        cx.call(&chain, "eth_getBalance", vec![Value::Text(address), "latest".into()], asked);
    }

    /// A transaction was mined: a balance that is being read may be that of before, and is read once more.
    pub fn spent(&mut self, cx: &mut Cx) {
        let reading = !self.reading.is_empty();
        self.refresh(cx);
        self.wanted |= reading;
    }

    /// An account is there, or another network is active: what was known of the old one is not shown for the new one.
    pub fn changed(&mut self, namespace: Namespace, network: Option<&Network>, cx: &mut Cx) {
        let account = self.accounts.or_default(namespace);
        if !network.is_some_and(identity::is_looked_up) {
            account.profile_name = None;
            account.profile_image = None;
        }
        if network.is_none() {
            account.balance.lose();
        }
        self.refresh(cx);
    }

    fn refuse_waiting(&mut self, error: &HostError, cx: &mut Cx) {
        for ticket in std::mem::take(&mut self.waiting) {
            cx.reject_host(Some(ticket), error.clone());
        }
    }

    /// Resets the account (spec 4.9).
    pub fn reset(&mut self, namespaces: &[Namespace], cx: &mut Cx) {
        self.refuse_waiting(&ConnectFault::NotConnected.into(), cx);
        for namespace in namespaces {
            self.accounts.remove(namespace);
        }
    }

    /// One answer.
    #[inline(never)]
    pub fn answered(&mut self, asked: Asked, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match asked {
            Asked::Balance(namespace, chain, address) => {
                let read = read_of(&chain, &address);
                self.reading.retain(|other| *other != read);
                if std::mem::take(&mut self.wanted) {
                    self.refresh(cx);
                }
                let amount = read_balance(answer);
                let Some(account) = self.accounts.get_mut(&namespace) else { return };
                if !account.balance.is_for(&chain, &address) {
                    return;
                }
                self.tell_host(&amount, cx);
                let Some(account) = self.accounts.get_mut(&namespace) else { return };
                let was_well = account.balance.state() != BalanceState::Unavailable;
                if account.balance.take(amount) == BalanceState::Unavailable && was_well {
                    cx.say(Variant::Error, Message::TokenBalanceUnavailable);
                }
            }
            Asked::OtherBalance(ticket, network) => answer_host(ticket, &network, &read_balance(answer), cx),
            Asked::Copy => match answer {
                Ok(_) => cx.say(Variant::Success, Message::AddressCopied),
                Err(_) => cx.say(Variant::Error, Message::CopyFailed),
            },
        }
    }

    fn tell_host(&mut self, amount: &Result<Amount, RpcError>, cx: &mut Cx) {
        let Some(network) = &cx.facts.active_network else { return };
        let network = network.clone();
        for ticket in std::mem::take(&mut self.waiting) {
            answer_host(ticket, &network, amount, cx);
        }
    }

    /// What is known of the native balance of the account in use.
    pub fn native_balance(&self, namespace: Namespace) -> Option<Amount> {
        self.accounts.get(&namespace)?.balance.amount()
    }

    /// What views read.
    pub fn view(&self, connect: &crate::connect::Connect, networks: &Networks, options: &Options) -> View {
        let served =
            options.networks.iter().map(|network| network.chain_namespace).chain(options.adapters.iter().copied());
        let mut namespaces = Vec::new();
        for namespace in served {
            if !namespaces.contains(&namespace) {
                namespaces.push(namespace);
            }
        }
        View {
            accounts: namespaces
                .into_iter()
                .map(|namespace| self.state(namespace, connect, networks, options))
                .collect(),
        }
    }

    fn state(
        &self,
        namespace: Namespace,
        connect: &crate::connect::Connect,
        networks: &Networks,
        options: &Options,
    ) -> AccountState {
        let kind = options.preferred_kind(namespace);
        let nothing = Account::default();
        let account = self.accounts.get(&namespace).unwrap_or(&nothing);
        let connection = connect.connection(namespace);
        // Nothing of the host's last network is told of a wallet that stands elsewhere (spec 4.21).
        let network = networks.active_network_of(namespace);
        let address = connection.map(|connection| connection.active_account().address);
        let user = connection
            .filter(|connection| connection.connector.kind == ConnectorKind::Auth)
            .map(|_| User::new(None, kind));
        let currency = network.map(|network| &network.native_currency);
        let amount = account.balance.amount().filter(|_| network.is_some());
        AccountState {
            namespace,
            current_tab: account.tab,
            tabs: tabs(namespace, &options.features),
            wallet_features: wallet_features(namespace, &options.features),
            token_balance: token_balances(account, network.map(|network| &**network)),
            smart_account_deployed: None,
            address_labels: account.labels.clone(),
            all_accounts: connection
                .map(|connection| all_accounts(connection, connection.kind(options)))
                .unwrap_or_default(),
            user: user.clone(),
            caip_address: networks
                .chain_of(namespace)
                .zip(address.as_ref())
                .map(|(chain, address)| [&chain.to_string(), ":", address].concat()),
            short_address: address.as_deref().map(shorten),
            balance: amount
                .zip(currency)
                .map(|(amount, currency)| amount.to_units_fixed(currency.decimals, BALANCE_DECIMALS)),
            balance_amount: amount,
            balance_symbol: currency.filter(|_| connection.is_some()).map(|currency| currency.symbol.clone()),
            balance_state: account.balance.state(),
            profile_name: account.profile_name.clone(),
            profile_image: account.profile_image.clone(),
            address_explorer_url: network
                .and_then(|network| network.explorer_url())
                .zip(address.as_ref())
                .map(|(url, address)| [url, "/address/", address].concat()),
            connected_wallet_info: connection.map(|connection| wallet_info(connection, options)),
            preferred_account_types: kind,
            social_provider: None,
            social_window: false,
            farcaster_url: None,
            status: connect.status(namespace),
            is_connected: connection.is_some(),
            connector: connection.map(|connection| connection.connector.id.clone()),
            embedded_wallet_info: user.map(|user| EmbeddedWalletInfo { user }),
            address,
        }
    }
}
