//! The state of an account as views and hosts read it (spec 3.3).

use super::assets::Portfolio;
use super::balance::{BALANCE_DECIMALS, BalanceState, TOKEN_DECIMALS};
use super::offer::wallet_features;
use super::token::Token;
use super::{Account, Accounts, Tab};
use crate::config::{Feature, Features, Options, WalletFeature, supported_on};
use crate::connect::{Connect, Connection, Status};
use crate::network::Networks;
use portico_json::{Json, Map};
use portico_terms::address::shorten;
use portico_terms::amount::shown_units;
use portico_terms::{AccountKind, Amount, ConnectorKind, Namespace, Network, Price};

/// The wallet behind an account (spec 3.11).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct WalletInfo {
    /// Its name.
    pub name: String,
    /// Its rdns, or its id.
    pub identifier: String,
    /// The social provider of an embedded wallet.
    pub social: Option<String>,
    /// How it is reached.
    #[json(rename = "type")]
    pub kind: ConnectorKind,
    /// The name under which the page keeps its picture.
    pub handle: String,
    /// Whether that picture may be drawn.
    pub icon: bool,
    /// The host's picture, by address: it goes before the announced one.
    pub image_url: Option<String>,
}

/// The user of an embedded wallet (spec 3.4).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct User {
    /// The name.
    pub username: Option<String>,
    /// "email" by default.
    pub auth_provider: String,
    /// The kind of account.
    pub account_type: Option<AccountKind>,
    /// Whether the contract is there.
    pub is_smart_account_deployed: Option<bool>,
}

/// The embedded wallet behind an account (spec 3.4).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct EmbeddedWalletInfo {
    /// Its user.
    pub user: User,
}

impl User {
    /// A user of whom nothing is known but that they logged in: by e-mail, unless something else is said (spec 3.4).
    pub fn new(provider: Option<&str>, kind: AccountKind) -> User {
        User {
            username: None,
            auth_provider: provider.unwrap_or("email").into(),
            account_type: Some(kind),
            is_smart_account_deployed: None,
        }
    }
}

/// One address of a wallet.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct OneAccount {
    /// The namespace.
    pub namespace: Namespace,
    /// The address.
    pub address: String,
    /// Its kind.
    #[json(rename = "type")]
    pub kind: AccountKind,
}

/// A token with what the account has of it (spec 3.12).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct TokenBalance {
    /// "Ether"
    pub name: String,
    /// "ETH"
    pub symbol: String,
    /// CAIP-2.
    pub chain_id: String,
    /// The contract, CAIP-10; `null` for the chain's own coin.
    pub address: Option<String>,
    /// What it is worth in US dollars, with two decimals, where a price is known (spec 2.11).
    pub value: Option<String>,
    /// What one is worth in US dollars, where a price is known.
    pub price: Option<String>,
    /// How much.
    pub quantity: Quantity,
    /// With two decimals, for the list (spec 2.11).
    pub shown: String,
    /// The picture.
    pub icon_url: Option<String>,
}

/// How much of a token.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Quantity {
    /// As text.
    pub decimals: String,
    /// Exact.
    pub numeric: String,
}

/// The state of one account as views and hosts read it (spec 3.3).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct AccountState {
    /// The namespace.
    pub namespace: Namespace,
    /// The tab in use.
    pub current_tab: Tab,
    /// The tabs to show (spec 2.8, 6.4, 6.9).
    pub tabs: Vec<Tab>,
    /// The buttons to show, in the host's order: what is switched on, can be done on this namespace, and is there (spec 6.8).
    pub wallet_features: Vec<WalletFeature>,
    /// The coins and tokens.
    pub token_balance: Vec<TokenBalance>,
    /// How the tokens stand, apart from the chain's own coin.
    pub tokens_state: BalanceState,
    /// What all of it is worth in US dollars, with two decimals, where a price is known.
    pub total_value: Option<String>,
    /// Of an embedded wallet.
    pub smart_account_deployed: Option<bool>,
    /// Names that the host gave to addresses.
    pub address_labels: Map<String, String>,
    /// All addresses that the wallet shows.
    pub all_accounts: Vec<OneAccount>,
    /// The user of an embedded wallet.
    pub user: Option<User>,
    /// CAIP-10.
    pub caip_address: Option<String>,
    /// The address alone.
    pub address: Option<String>,
    /// 4 leading and 6 trailing characters (spec 2.12).
    pub short_address: Option<String>,
    /// With three decimals (spec 2.10).
    pub balance: Option<String>,
    /// Exact, in the coin's smallest unit.
    pub balance_amount: Option<Amount>,
    /// "ETH"
    pub balance_symbol: Option<String>,
    /// How the balance stands.
    pub balance_state: BalanceState,
    /// The account's name, where there is one.
    pub profile_name: Option<String>,
    /// The account's picture, where there is one.
    pub profile_image: Option<String>,
    /// The account's page on the explorer.
    pub address_explorer_url: Option<String>,
    /// The wallet.
    pub connected_wallet_info: Option<WalletInfo>,
    /// The kind of account that is preferred; the name is that of the contract (spec 3.3).
    pub preferred_account_types: AccountKind,
    /// The social provider of an embedded wallet.
    pub social_provider: Option<String>,
    /// Whether a window of a social login is open; the window itself stays in the page.
    pub social_window: bool,
    /// The address of a Farcaster login.
    pub farcaster_url: Option<String>,
    /// Where the connection stands.
    pub status: Status,
    /// Whether there is an account.
    pub is_connected: bool,
    /// The connector's id.
    pub connector: Option<String>,
    /// The embedded wallet.
    pub embedded_wallet_info: Option<EmbeddedWalletInfo>,
}

/// What views read.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "AccountView")]
pub struct View {
    /// Every namespace that the host serves.
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
        social: None,
        kind: connector.kind,
        handle: connector.handle.clone(),
        icon: connector.icon,
        image_url: options.picture_of(connector),
    }
}

/// How much of an account is to be told.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Extent {
    /// Everything.
    Whole,
    /// All but the tokens, of which there may be thousands: the coin alone.
    Coin,
}

/// The chain's own coin first, then the tokens, the most valuable first; and what all of it is worth, in hundredths of a dollar.
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
        cents: price.and_then(|price| price.cents(amount, currency.decimals)),
        icon: network.assets.image_url.clone().or_else(|| told?.icon.clone()),
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
            value: self.cents.map(dollars),
            price: self.price.map(Price::to_units),
            shown: shown_units(&numeric, TOKEN_DECIMALS).unwrap_or_default(),
            quantity: Quantity { decimals: self.decimals.to_string(), numeric },
            icon_url: self.icon.clone(),
        }
    }
}

/// Hundredths of a dollar with their point.
fn dollars(cents: Amount) -> String {
    cents.to_units_fixed(2, TOKEN_DECIMALS)
}

impl Accounts {
    /// What views read.
    pub fn view(&self, connect: &Connect, networks: &Networks, options: &Options, extent: Extent) -> View {
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
        connect: &Connect,
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
