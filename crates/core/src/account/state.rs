//! Account state for views and hosts (spec 3.3).

use super::assets::Portfolio;
use super::balance::BalanceState;
use super::identity::is_looked_up;
use super::offer::wallet_features;
use super::token::Token;
use super::{Account, Accounts, Tab};
use crate::config::{Feature, Features, Options, WalletFeature, supported_on};
use crate::connect::{Connect, Connection, Status};
use crate::facts::EmbeddedUser;
use crate::network::Networks;
use crate::pay::standing::Mark;
use crate::pay::tokens::worth;
use portico_json::{Json, Map};
use portico_terms::address::shorten;
use portico_terms::amount::AMOUNT_DECIMALS;
use portico_terms::{AccountKind, Amount, ConnectorKind, Namespace, Network, Price};

/// The wallet of an account (spec 3.11).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct WalletInfo {
    pub name: String,
    /// rdns or id of the wallet.
    pub identifier: String,
    /// Kind of its connector.
    #[json(rename = "type")]
    pub kind: ConnectorKind,
    /// Handle of its icon in the page.
    pub handle: String,
    /// Whether the icon behind the handle may be drawn.
    pub icon: bool,
    /// URL of the host's icon; takes precedence over the announced one.
    pub image_url: Option<String>,
}

/// The user of an embedded wallet (spec 3.4).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct User {
    pub username: Option<String>,
    /// "email" by default.
    pub auth_provider: String,
    pub account_type: Option<AccountKind>,
    /// Whether the smart account's contract is deployed.
    pub is_smart_account_deployed: Option<bool>,
}

/// The embedded wallet of an account (spec 3.4).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct EmbeddedWalletInfo {
    pub user: User,
}

impl User {
    /// User as the frame told; by e-mail if there is no other provider (spec 3.4).
    pub fn of(user: EmbeddedUser, kind: AccountKind) -> User {
        User {
            username: user.name.or(user.email),
            auth_provider: user.provider.unwrap_or_else(|| "email".into()),
            account_type: Some(kind),
            is_smart_account_deployed: user.deployed,
        }
    }
}

/// One account of a wallet.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct OneAccount {
    pub namespace: Namespace,
    pub address: String,
    #[json(rename = "type")]
    pub kind: AccountKind,
}

/// The account's balance of a token (spec 3.12).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct TokenBalance {
    /// "Ether"
    pub name: String,
    /// "ETH"
    pub symbol: String,
    /// CAIP-2 id of the chain.
    pub chain_id: String,
    /// CAIP-10 id of the contract; `null` for the chain's own coin.
    pub address: Option<String>,
    /// Value in US dollars, with two decimals, `<0.01` if it is less than that; `null` without a price (spec 2.11).
    pub value: Option<String>,
    /// Price of one token in US dollars, if known.
    pub price: Option<String>,
    /// Amount of the token.
    pub quantity: Quantity,
    /// Amount with two decimals, for the list (spec 2.11).
    pub shown: String,
    pub icon_url: Option<String>,
    /// Reason to distrust its name and symbol. A suspicious name is empty.
    pub mark: Option<Mark>,
    /// Whether it is on no list and has no price, or has a mark: it is listed behind the row of hidden tokens.
    pub hidden: bool,
}

/// Amount of a token.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Quantity {
    /// Decimals of the token, as text.
    pub decimals: String,
    /// Exact amount.
    pub numeric: String,
}

/// State of one account for views and hosts (spec 3.3).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct AccountState {
    pub namespace: Namespace,
    /// Selected tab.
    pub current_tab: Tab,
    /// Tabs to show (spec 2.8, 6.4, 6.9).
    pub tabs: Vec<Tab>,
    /// Buttons to show, in the host's order: enabled, supported by the namespace, and available on the server (spec 6.8).
    pub wallet_features: Vec<WalletFeature>,
    /// Coins and tokens.
    pub token_balance: Vec<TokenBalance>,
    /// Loading state of the tokens, apart from the chain's own coin.
    pub tokens_state: BalanceState,
    /// Whether the row of hidden tokens is open.
    pub tokens_revealed: bool,
    /// Total value in US dollars, with two decimals, if a price is known.
    pub total_value: Option<String>,
    /// Whether an embedded wallet's smart account is deployed.
    pub smart_account_deployed: Option<bool>,
    /// Labels that the host gave to addresses.
    pub address_labels: Map<String, String>,
    /// Names of the wallet's accounts by their addresses, as far as they are known.
    pub names: Map<String, String>,
    /// All accounts of the wallet.
    pub all_accounts: Vec<OneAccount>,
    /// User of an embedded wallet.
    pub user: Option<User>,
    /// CAIP-10 id of the account.
    pub caip_address: Option<String>,
    /// Address of the account.
    pub address: Option<String>,
    /// Shortened address: 4 leading and 6 trailing characters (spec 2.12).
    pub short_address: Option<String>,
    /// Native balance with three decimals (spec 2.10).
    pub balance: Option<String>,
    /// Exact native balance, in the coin's smallest unit.
    pub balance_amount: Option<Amount>,
    /// Symbol of the coin: "ETH".
    pub balance_symbol: Option<String>,
    /// Loading state of the balance.
    pub balance_state: BalanceState,
    /// Name of the account, if it has one.
    pub profile_name: Option<String>,
    /// URL of the account's avatar, if it has one.
    pub profile_image: Option<String>,
    /// URL of the account on the explorer.
    pub address_explorer_url: Option<String>,
    /// The connected wallet.
    pub connected_wallet_info: Option<WalletInfo>,
    /// Preferred kind of account; the field name is that of the contract (spec 3.3).
    pub preferred_account_types: AccountKind,
    /// Social provider of an embedded wallet.
    pub social_provider: Option<String>,
    /// Whether a window of a social login is open; the window itself stays in the page.
    pub social_window: bool,
    /// URL of a Farcaster login.
    pub farcaster_url: Option<String>,
    /// Connection status.
    pub status: Status,
    /// Whether an account is connected.
    pub is_connected: bool,
    /// Id of the connector.
    pub connector: Option<String>,
    pub embedded_wallet_info: Option<EmbeddedWalletInfo>,
}

/// Accounts for views.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "AccountView")]
pub struct View {
    /// State of every namespace that the host serves.
    pub accounts: Vec<AccountState>,
}

fn tabs(namespace: Namespace, features: &Features) -> Vec<Tab> {
    let activity = features.history && supported_on(Feature::Activity, namespace);
    let tabs = Tab::ALL.iter().copied();
    tabs.filter(|tab| *tab != Tab::Activity || activity).collect()
}

fn all_accounts(connection: &Connection, kind: AccountKind) -> Vec<OneAccount> {
    connection
        .accounts
        .iter()
        .map(|address| OneAccount { namespace: connection.namespace, address: address.clone(), kind })
        .collect()
}

fn wallet_info(connection: &Connection, options: &Options) -> WalletInfo {
    let connector = &connection.connector;
    WalletInfo {
        name: connector.name.clone(),
        identifier: connector.rdns.clone().unwrap_or_else(|| connector.id.clone()),
        kind: connector.kind,
        handle: connector.handle.clone(),
        icon: connector.icon,
        image_url: options.picture_of(connector),
    }
}

/// Amount of detail to send of an account.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Extent {
    Whole,
    /// Everything but the tokens, which may be thousands: only the coin.
    Coin,
}

/// The chain's own coin first, then the tokens by value; and the total value in US cents.
fn token_balances(
    account: &Account,
    portfolio: Option<&Portfolio>,
    price: Option<Price>,
    network: Option<&Network>,
    extent: Extent,
) -> (Vec<TokenBalance>, Option<Amount>) {
    let Some(network) = network else { return (Vec::new(), None) };
    let currency = &network.native_currency;
    let told = portfolio.and_then(Portfolio::coin);
    let coin = account.balance.amount().or(told.map(|coin| coin.amount)).map(|amount| Token {
        name: currency.name.clone(),
        symbol: currency.symbol.clone(),
        address: None,
        decimals: currency.decimals,
        amount,
        price,
        cents: price.and_then(|price| price.nearest_cents(amount, currency.decimals)),
        icon: network.assets.image_url.clone().or_else(|| told?.icon.clone()),
        mark: None,
        hidden: false,
    });
    let others = portfolio.map(|portfolio| portfolio.tokens.as_slice()).unwrap_or_default().iter();
    let all: Vec<&Token> = coin.iter().chain(others.filter(|token| token.address.is_some())).collect();
    let mut total = None;
    for cents in all.iter().filter_map(|token| token.cents) {
        total = total.unwrap_or(Amount::ZERO).plus(cents);
    }
    let chain = network.caip_network_id.to_string();
    let told = if extent == Extent::Whole { all.len() } else { usize::from(coin.is_some()) };
    (all.into_iter().take(told).map(|token| token.balance(&chain)).collect(), total)
}

impl Token {
    fn balance(&self, chain: &str) -> TokenBalance {
        let numeric = self.amount.to_units(self.decimals);
        TokenBalance {
            name: self.name.clone(),
            symbol: self.symbol.clone(),
            chain_id: chain.into(),
            address: self.address.clone(),
            value: worth(self.amount, self.decimals, self.price),
            price: self.price.map(Price::to_units),
            shown: self.amount.shown_balance(self.decimals),
            quantity: Quantity { decimals: self.decimals.to_string(), numeric },
            icon_url: self.icon.clone(),
            mark: self.mark,
            hidden: self.hidden,
        }
    }
}

impl View {
    /// Accounts without what is known of their holdings and names, which [`Accounts::complete`] adds.
    pub fn of_connections(connect: &Connect, networks: &Networks, options: &Options) -> View {
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
                .map(|namespace| AccountState::of_connection(namespace, connect, networks, options))
                .collect(),
        }
    }
}

impl AccountState {
    fn of_connection(namespace: Namespace, connect: &Connect, networks: &Networks, options: &Options) -> AccountState {
        let kind = options.preferred_kind(namespace);
        let connection = connect.connection(namespace);
        // For a wallet on another chain, no data of the host's last network is sent (spec 4.21).
        let network = networks.active_network_of(namespace);
        let address = connection.map(|connection| connection.active_account().address);
        let user = connection.and_then(|connection| connect.user_of(connection));
        let preferred = user.as_ref().and_then(|user| user.preferred);
        let user = connection.zip(user).map(|(connection, user)| User::of(user, connect.kind_of(connection, options)));
        let currency = network.map(|network| &network.native_currency);
        AccountState {
            namespace,
            current_tab: Tab::default(),
            tabs: Vec::new(),
            wallet_features: Vec::new(),
            token_balance: Vec::new(),
            tokens_state: BalanceState::default(),
            tokens_revealed: false,
            total_value: None,
            smart_account_deployed: None,
            address_labels: Map::default(),
            names: Map::default(),
            all_accounts: connection
                .map(|connection| all_accounts(connection, connect.kind_of(connection, options)))
                .unwrap_or_default(),
            user: user.clone(),
            caip_address: networks
                .chain_of(namespace)
                .zip(address.as_ref())
                .map(|(chain, address)| [&chain.to_string(), ":", address].concat()),
            short_address: address.as_deref().map(shorten),
            balance: None,
            balance_amount: None,
            balance_symbol: currency.filter(|_| connection.is_some()).map(|currency| currency.symbol.clone()),
            balance_state: BalanceState::default(),
            profile_name: None,
            profile_image: None,
            address_explorer_url: network
                .zip(address.as_ref())
                .and_then(|(network, address)| network.explorer_page("/address/", address)),
            connected_wallet_info: connection.map(|connection| wallet_info(connection, options)),
            preferred_account_types: preferred.unwrap_or(kind),
            social_provider: user
                .as_ref()
                .map(|user| user.auth_provider.clone())
                .filter(|provider| provider != "email"),
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

impl Accounts {
    /// Adds holdings, names, tabs and buttons to the accounts.
    pub fn complete(&self, view: &mut View, networks: &Networks, options: &Options, extent: Extent) {
        let nothing = Account::default();
        for state in &mut view.accounts {
            let namespace = state.namespace;
            let account = self.accounts.get(&namespace).unwrap_or(&nothing);
            let network = networks.active_network_of(namespace);
            let own = network
                .zip(state.address.as_ref())
                .filter(|(network, address)| self.portfolio.is_for(&network.caip_network_id, address));
            let portfolio = own.map(|_| &self.portfolio);
            let price = network.and_then(|network| self.price(&network.caip_network_id));
            let (token_balance, total) =
                token_balances(account, portfolio, price, network.map(|network| &**network), extent);
            let amount = account.balance.amount().filter(|_| network.is_some());
            state.current_tab = account.tab;
            state.tabs = tabs(namespace, &options.features);
            state.wallet_features =
                wallet_features(namespace, network.map(|network| &**network), &options.features, &self.offered.known());
            state.token_balance = token_balance;
            state.tokens_state = portfolio.map(|portfolio| portfolio.state).unwrap_or_default();
            state.tokens_revealed = portfolio.is_some_and(|portfolio| portfolio.revealed);
            state.total_value = total.map(Amount::dollars);
            state.address_labels = account.labels.clone();
            if network.is_some_and(|network| is_looked_up(network)) {
                self.identities.names(&state.all_accounts, &mut state.names);
            }
            state.balance = amount
                .zip(network)
                .map(|(amount, network)| amount.to_units_fixed(network.native_currency.decimals, AMOUNT_DECIMALS));
            state.balance_amount = amount;
            state.balance_state = account.balance.state();
            state.profile_name = account.profile_name.clone();
            state.profile_image = account.profile_image.clone();
        }
    }
}
