//! The connected account: its address, its balance, its tabs. A little longer than other files: whatever is read of an account comes back
//! to one `answered`, where what belongs to another account is told apart.

mod abilities;
mod assets;
mod balance;
mod identity;
mod nfts;
mod offer;
mod receive;
mod recent;
mod state;
#[cfg(test)]
mod tests;

pub use assets::{PORTFOLIO_CACHE, RETRY_GUARD, Token as Holding};
pub use balance::{BALANCE_CACHE, BALANCE_DECIMALS, BalanceState, TOKEN_DECIMALS};
pub use identity::{IDENTITY_CACHE, is_looked_up};
pub use nfts::{Item as NftItem, NftsView};
pub use offer::Offer;
pub use receive::View as ReceiveView;
pub use state::{AccountState, EmbeddedWalletInfo, Extent, OneAccount, Quantity, TokenBalance, User, View, WalletInfo};

use crate::CallFault;
use crate::analytics::{Name, Tracked};
use crate::config::Options;
use crate::connect::ConnectFault;
use crate::cx::Cx;
use crate::effect::{HostError, Operation};
use crate::network::{NetworkFault, Networks};
use crate::notice::{Message, Variant};
use crate::pay::tokens::Purse;
use crate::signal::Signal;
use crate::storage::Stored;
use crate::timer::Timer;
use assets::Portfolio;
use balance::{Balance, answer_host, read_balance, read_of};
use identity::Identities;
use nfts::Nfts;
use offer::{Offered, wallet_features};
use portico_json::{Json, Map, Value};
use portico_terms::address::{shorten, to_checksum};
use portico_terms::rpc::RpcError;
use portico_terms::{AccountId, Amount, ChainId, ConnectorKind, Namespace, Network, Price};
use receive::Receive;
use recent::Recent;
use state::{all_accounts, dollars, tabs, token_balances, wallet_info};
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
    /// The tokens are wanted anew.
    TokensAsked,
    /// The end of the list of collectibles came into view, or another try was asked for.
    NftsAsked,
    /// A price arrived. One comes with the tokens as well.
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
    /// What the wallet can do, by the number of the attempt.
    Capabilities(u32),
    /// What the wallet holds.
    Assets(u32),
    /// What the server says that the account holds.
    Portfolio(u32),
    /// A page of the collectibles.
    Nfts(u32),
    /// Who this address says it is.
    Identity(String),
    /// The clipboard.
    Copy,
    /// What the server offers.
    Offer,
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
    /// Of accounts that are not in use now.
    balances: Recent<Balance>,
    portfolio: Portfolio,
    nfts: Nfts,
    identities: Identities,
    offered: Offered,
    receive: Receive,
}

/// So many balances are read at a time: that of the account in use, and one that is not wanted any more, whose node may be slow.
const MOST_READS: usize = 2;

impl Accounts {
    /// Before anybody connected, with what was stored.
    pub fn new(stored: &Stored) -> Accounts {
        Accounts { identities: Identities::new(&stored.identities), ..Accounts::default() }
    }

    /// One event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::TabChosen { tab } => {
                if let Some(namespace) = cx.facts.active_namespace {
                    self.accounts.or_default(namespace).tab = tab;
                    if tab == Tab::Activity {
                        cx.tell(Signal::Track(
                            Tracked::new(Name::ClickTransactions).flag("isSmartAccount", cx.facts.smart_account),
                        ));
                    }
                    cx.tell(Signal::AccountShown);
                }
            }
            Event::TokensAsked => self.portfolio.ask(true, cx),
            Event::NftsAsked => self.nfts.more(cx),
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
            Event::PageShown => {
                self.look(cx);
                cx.tell(Signal::AccountShown);
            }
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
            Err(fault) => cx.tell(Signal::Warn(crate::notice::AlertKey::InvalidOptions, fault.to_string())),
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

    /// Whether the wallet does several calls on the chain in use together or not at all (EIP-5792).
    pub fn batches(&self) -> bool {
        self.portfolio.batches
    }

    /// What the host's server offers.
    pub fn offer(&self) -> Rc<Offer> {
        self.offered.known()
    }

    /// Another one whenever the tokens may be others.
    pub fn tokens_revision(&self) -> u32 {
        self.portfolio.revision
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
        self.reading.push(read);
        let asked = Asked::Balance(namespace, chain.clone(), address.clone());
        cx.call(&chain, "eth_getBalance", vec![Value::Text(address), "latest".into()], asked);
    }

    /// The balance is looked at: it is asked for where it was not read just before (spec 9.5).
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

    /// The tokens are looked at, and the list of the chosen tab. True where that is the list of what the account did.
    pub fn show(&mut self, cx: &mut Cx) -> bool {
        self.offered.ask(cx);
        self.receive.show(cx.facts);
        self.portfolio.ask(false, cx);
        let tab = cx.facts.active_namespace.and_then(|namespace| self.accounts.get(&namespace)).map(|it| it.tab);
        if tab == Some(Tab::Nfts) {
            self.nfts.show(cx);
        }
        tab == Some(Tab::Activity) || cx.facts.view == "Transactions"
    }

    /// Another account or another network may be in use: tokens and collectibles that are not theirs are forgotten.
    pub fn forget_others(&mut self, facts: &crate::facts::Facts) {
        self.portfolio.changed(facts);
        self.nfts.changed(facts);
    }

    /// One alarm.
    pub fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
        self.portfolio.alarm(timer, cx);
    }

    /// A transaction was mined: a balance that is being read may be that of before, and is read once more.
    pub fn spent(&mut self, cx: &mut Cx) {
        let reading = !self.reading.is_empty();
        // It may have gone to another account of the same visitor.
        self.balances.retain(|_| false);
        self.portfolio.forget_kept();
        self.refresh(cx);
        self.wanted |= reading;
        if cx.facts.modal_open {
            self.portfolio.ask(true, cx);
        }
    }

    /// An account is there, or another network is active: what was known of the old one is not shown for the new one.
    pub fn changed(&mut self, namespace: Namespace, network: Option<&Network>, cx: &mut Cx) {
        if network.is_none() {
            self.accounts.or_default(namespace).balance.turn(None, &mut self.balances);
        }
        self.identify(namespace, network, cx);
        self.offered.ask(cx);
        self.look(cx);
    }

    /// Who the account says it is; where that is not looked up, name and picture are cleared (spec 4.40).
    fn identify(&mut self, namespace: Namespace, network: Option<&Network>, cx: &mut Cx) {
        let found = cx.facts.accounts.iter().find(|account| account.namespace == namespace);
        let address = found.filter(|_| network.is_some_and(is_looked_up)).map(|account| account.address.clone());
        let (name, image) = address.map(|address| self.identities.of(&address, cx)).unwrap_or_default();
        let account = self.accounts.or_default(namespace);
        account.profile_name = name;
        account.profile_image = image;
    }

    /// The account registered a name: it is shown at once (spec 4.29).
    pub fn named(&mut self, address: &str, name: &str, cx: &mut Cx) {
        self.identities.named(address, name, cx);
        let found = cx.facts.accounts.iter().find(|account| account.address == address);
        if let Some(account) = found.and_then(|account| self.accounts.get_mut(&account.namespace)) {
            account.profile_name = Some(name.into());
        }
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
        self.balances.retain(|_| false);
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
                    if let Some(kept) = self.balances.get_mut(&(chain, address)) {
                        kept.take(amount, cx.now);
                    }
                    return;
                }
                self.tell_host(&amount, cx);
                let Some(account) = self.accounts.get_mut(&namespace) else { return };
                let was_well = account.balance.state() != BalanceState::Unavailable;
                if account.balance.take(amount, cx.now) == BalanceState::Unavailable && was_well {
                    cx.say(Variant::Error, Message::TokenBalanceUnavailable);
                }
            }
            Asked::Capabilities(attempt) => self.portfolio.able(attempt, answer, cx),
            Asked::Assets(attempt) => {
                let price = self.portfolio.held(attempt, answer, cx);
                self.price_told(price, cx);
            }
            Asked::Portfolio(attempt) => match self.portfolio.told(attempt, answer, cx) {
                Ok(price) => self.price_told(price, cx),
                Err(true) => cx.say(Variant::Error, Message::TokenBalanceUnavailable),
                Err(false) => {}
            },
            Asked::Nfts(attempt) => self.nfts.answered(attempt, answer, cx),
            Asked::Identity(address) => {
                let Some((name, image)) = self.identities.answered(&address, answer, cx) else { return };
                let found = cx.facts.accounts.iter().find(|account| account.address == address);
                let looked_up = |account: &&Rc<crate::facts::ActiveAccount>| {
                    let chain = cx.facts.chains.iter().find(|chain| chain.namespace() == account.namespace);
                    chain.and_then(|chain| cx.facts.network(chain)).is_some_and(|network| is_looked_up(network))
                };
                if let Some(account) = found.filter(looked_up) {
                    let account = self.accounts.or_default(account.namespace);
                    account.profile_name = name;
                    account.profile_image = image;
                }
            }
            Asked::Offer => self.offered.answered(answer),
            Asked::OtherBalance(ticket, network) => answer_host(ticket, &network, &read_balance(answer), cx),
            Asked::Copy => match answer {
                Ok(_) => cx.say(Variant::Success, Message::AddressCopied),
                Err(_) => cx.say(Variant::Error, Message::CopyFailed),
            },
        }
    }

    /// What one coin of the active network is worth, as it came with the tokens.
    fn price_told(&mut self, price: Option<Price>, cx: &mut Cx) {
        if let Some((price, network)) = price.zip(cx.facts.active_network.as_ref()) {
            self.prices.insert(network.caip_network_id.clone(), price);
        }
    }

    fn tell_host(&mut self, amount: &Result<Amount, RpcError>, cx: &mut Cx) {
        let Some(network) = &cx.facts.active_network else { return };
        let network = network.clone();
        for ticket in std::mem::take(&mut self.waiting) {
            answer_host(ticket, &network, amount, cx);
        }
    }

    /// What somebody needs to send something to the account.
    pub fn receive_view(&self, networks: &Networks, facts: &crate::facts::Facts) -> Option<ReceiveView> {
        self.receive.view(networks, facts)
    }

    /// What is known of the native balance of the account in use.
    pub fn native_balance(&self, namespace: Namespace) -> Option<Amount> {
        self.accounts.get(&namespace)?.balance.amount()
    }

    /// What the account in use can pay with.
    pub fn purse(&self, namespace: Option<Namespace>) -> Purse<'_> {
        Purse {
            coin: namespace.and_then(|namespace| self.native_balance(namespace)),
            tokens: &self.portfolio.tokens,
            state: self.portfolio.state,
            revision: self.portfolio.revision,
        }
    }

    /// The collectibles of the account in use.
    pub fn nfts(&self) -> &Nfts {
        &self.nfts
    }

    /// What views read.
    pub fn view(
        &self,
        connect: &crate::connect::Connect,
        networks: &Networks,
        options: &Options,
        extent: Extent,
    ) -> View {
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
                .map(|namespace| self.state(namespace, connect, networks, options, extent))
                .collect(),
        }
    }

    fn state(
        &self,
        namespace: Namespace,
        connect: &crate::connect::Connect,
        networks: &Networks,
        options: &Options,
        extent: Extent,
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
        let own = network
            .zip(address.as_ref())
            .filter(|(network, address)| self.portfolio.is_for(&network.caip_network_id, address));
        let portfolio = own.map(|_| &self.portfolio);
        let price = network.and_then(|network| self.price(&network.caip_network_id));
        let (token_balance, total) =
            token_balances(account, portfolio, price, network.map(|network| &**network), extent);
        AccountState {
            namespace,
            current_tab: account.tab,
            tabs: tabs(namespace, &options.features),
            wallet_features: wallet_features(
                namespace,
                network.map(|network| &**network),
                &options.features,
                &self.offered.known(),
            ),
            token_balance,
            tokens_state: portfolio.map(|portfolio| portfolio.state).unwrap_or_default(),
            total_value: total.map(dollars),
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
