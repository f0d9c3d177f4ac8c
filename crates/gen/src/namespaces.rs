//! Snapshots of hosts with several namespaces: accounts of Solana, Bitcoin and Polkadot, the wallets that are offered there, and accounts of
//! several namespaces at once.

use crate::snapshots::Cases;
use portico_api::account::{Balance, Balances, Quantity};
use portico_api::project::ProjectConfig;
use portico_core::account::{Event as Account, Tab};
use portico_core::detail::Event as Detail;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::notice::Event as Notice;
use portico_core::{Event, Snapshot};
use portico_json::{Number, Value};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{
    BITCOIN, BITCOIN_ADDRESS, Behaviour, BitcoinNode, POLKADOT, SOLANA, ScriptedWallet, Store, World, every_namespace,
    options,
};

const EVM: &str = "eip155:31337";
const SOLANA_ADDRESS: &str = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";
const POLKADOT_ADDRESS: &str = "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5";
const USDC: &str = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/// Name, symbol, decimals, price in US dollars, amount and mint of a token.
type Held = (&'static str, &'static str, &'static str, f64, &'static str, Option<&'static str>);

const ON_EVM: [Held; 1] = [("Ether", "ETH", "18", 3120.5, "1.25", None)];

const ON_SOLANA: [Held; 3] = [
    ("Solana", "SOL", "9", 150.25, "12.480512", None),
    ("USD Coin", "USDC", "6", 1.0, "125.5", Some(USDC)),
    ("Jupiter", "JUP", "6", 0.4127, "310.2", Some("JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN")),
];

const ON_BITCOIN: [Held; 1] = [("Bitcoin", "BTC", "8", 67_250.5, "0.0532", None)];

fn balances(chain: &str, held: &[Held]) -> Balances {
    let row = |(name, symbol, decimals, price, amount, mint): &Held| Balance {
        name: (*name).into(),
        symbol: (*symbol).into(),
        chain_id: chain.into(),
        address: mint.map(|mint| format!("{chain}:{mint}")),
        price: Number::from(*price),
        quantity: Quantity { decimals: (*decimals).into(), numeric: (*amount).into() },
        ..Balance::default()
    };
    Balances { balances: held.iter().map(row).collect(), ..Balances::default() }
}

/// JSON of a network besides those of EVM chains.
fn network(chain: &str, name: &str, symbol: &str, decimals: u8) -> String {
    let (namespace, id) = chain.split_once(':').unwrap_or_default();
    format!(
        r#"{{"id":"{id}","chainNamespace":"{namespace}","name":"{name}","nativeCurrency":{{"name":"{name}","symbol":"{symbol}","decimals":{decimals}}},"rpcUrls":{{"default":{{"http":["https://{namespace}.example"]}}}},"blockExplorers":{{"default":{{"name":"Scan","url":"https://{namespace}-scan.example"}}}}}}"#
    )
}

/// Options of a host with a server and these namespaces beside the EVM chains.
pub fn host(others: &[Namespace]) -> String {
    let mut options = options();
    for namespace in others {
        let network = match namespace {
            Namespace::Solana => network(SOLANA, "Solana", "SOL", 9),
            Namespace::Bip122 => network(BITCOIN, "Bitcoin", "BTC", 8),
            Namespace::Polkadot => network(POLKADOT, "Polkadot", "DOT", 10),
            Namespace::Eip155 => continue,
        };
        options.insert_str(options.len() - 2, &format!(",{network}"));
        let adapter = format!(r#",{{"namespace":"{}"}}],"networks""#, namespace.word());
        options = options.replacen(r#"],"networks""#, &adapter, 1);
    }
    options
        .replacen('{', r#"{"endpoints":"https://host.example","#, 1)
        .replace(r#""testnet":true"#, r#""testnet":false"#)
}

const ALL: [Namespace; 3] = [Namespace::Solana, Namespace::Bip122, Namespace::Polkadot];

fn evm() -> ScriptedWallet {
    ScriptedWallet::named("Alpha Wallet")
}

fn solana() -> ScriptedWallet {
    ScriptedWallet::named("Epsilon").of(Namespace::Solana, SOLANA_ADDRESS)
}

fn bitcoin() -> ScriptedWallet {
    ScriptedWallet::named("Zeta").of(Namespace::Bip122, BITCOIN_ADDRESS).through(ConnectorKind::Announced)
}

fn polkadot() -> ScriptedWallet {
    ScriptedWallet::named("Dot Wallet").of(Namespace::Polkadot, POLKADOT_ADDRESS).through(ConnectorKind::Announced)
}

/// Account view of a host with these namespaces, whose visitor connected these wallets in this order.
fn connected(others: &[Namespace], wallets: Vec<ScriptedWallet>, held: &Balances) -> World {
    let chosen: Vec<_> = wallets.iter().map(|wallet| wallet.rdns.clone()).collect();
    let pays_on_bitcoin = wallets.iter().any(|wallet| wallet.namespace == Namespace::Bip122);
    let mut world = World::with(&host(others), wallets, Store::default());
    if pays_on_bitcoin && chosen.len() == 1 {
        let mut node = BitcoinNode::default();
        node.fund(BITCOIN_ADDRESS, 5_320_000, true);
        world.node.chain = Some(node.chain().0);
    }
    world.server.serves("/config", &ProjectConfig { chains: vec![BITCOIN.into()], ..ProjectConfig::default() });
    world.server.serves("/balance", held);
    for rdns in chosen {
        world.choose(&rdns);
    }
    world.open(None);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world
}

fn on_solana() -> World {
    connected(&ALL[..1], vec![solana()], &balances(SOLANA, &ON_SOLANA))
}

fn on_bitcoin() -> World {
    connected(&ALL[..2], vec![bitcoin()], &balances(BITCOIN, &ON_BITCOIN))
}

fn on_polkadot() -> World {
    connected(&ALL, vec![polkadot()], &Balances::default())
}

/// Account on EVM chains, and on these wallets' namespaces.
fn beside(others: &[Namespace], wallets: Vec<ScriptedWallet>) -> World {
    let mut world = connected(others, wallets, &balances(EVM, &ON_EVM));
    world.dispatch(Event::Network(Network::NetworkChosen { chain: EVM.into() }));
    world
}

fn receiving(mut world: World) -> Snapshot {
    world.modal(Modal::ViewAsked { view: View::WalletReceive });
    world.snapshot()
}

/// Wallets of a host with every namespace: those of one namespace, or all.
fn offered(namespace: Option<Namespace>) -> World {
    let wallets = vec![evm(), solana(), bitcoin(), polkadot(), ScriptedWallet::named("Beta"), ghost(Namespace::Solana)];
    let mut world = World::with(&host(&ALL), wallets, Store::default());
    world.modal(Modal::OpenAsked {
        view: None,
        namespace: namespace.map(|namespace| namespace.word().into()),
        uri: None,
        arguments: Value::Null,
        ticket: None,
    });
    world
}

/// Wallet of one name in several namespaces.
fn ghost(namespace: Namespace) -> ScriptedWallet {
    let account = match namespace {
        Namespace::Eip155 => return ScriptedWallet::named("Beta"),
        Namespace::Solana => SOLANA_ADDRESS,
        Namespace::Bip122 => BITCOIN_ADDRESS,
        Namespace::Polkadot => POLKADOT_ADDRESS,
    };
    let own = ScriptedWallet::named("Beta").of(namespace, account).through(ConnectorKind::Announced);
    ScriptedWallet { rdns: format!("{}.beta", namespace.word()), ..own }
}

/// Choice between all namespaces of a wallet.
fn chooser() -> Snapshot {
    let wallets = [Namespace::Eip155].into_iter().chain(ALL).map(ghost).collect();
    let mut world = World::with(&host(&ALL), wallets, Store::default());
    world.open(None);
    world.choose("example.beta");
    world.snapshot()
}

/// The visitor connects an account of another namespace from the account.
fn further() -> Snapshot {
    let mut world = beside(&ALL, vec![evm()]);
    for wallet in [solana(), ghost(Namespace::Solana)] {
        world.wallets.push(wallet);
    }
    world.reload();
    world.open(None);
    world.dispatch(Event::Network(Network::NetworkChosen { chain: SOLANA.into() }));
    world.snapshot()
}

/// Wallet of a namespace that comes back after a reload, and whose answer takes time.
fn returning() -> Snapshot {
    let mut world = beside(&ALL[..1], vec![solana(), evm()]);
    world.wallets[0].behaviours.insert("standard:connect".into(), Behaviour::Silent);
    world.reload();
    world.open(None);
    world.snapshot()
}

/// Account of an extension that shares several, with names of which one is a trick and one is long.
fn shared() -> World {
    let accounts = [
        (POLKADOT_ADDRESS, "Savings"),
        ("14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3", "\u{202e}gnidarT"),
        (
            "13UVJyLnbVp9RBZYFwFGyDvVd1y27Tt8tkntv6Q7JVPhFsTB",
            "Allowance of the committee for the summer school in the old town",
        ),
        ("1zugcag7cJVBtVRnFxv5Qftn7xKAnR6YJ9x4x3XLgGgmNnS", ""),
    ];
    let described = accounts
        .map(|(address, name)| Value::Object(vec![("address".into(), address.into()), ("name".into(), name.into())]));
    let list = Behaviour::Nonsense(Value::List(described.into()));
    connected(&ALL, vec![polkadot().when("getAccounts", list)], &Balances::default())
}

/// Wallet that shares more accounts than fit the card.
fn many() -> World {
    let mut wallet = solana();
    let letters = "123456789BC".chars();
    wallet.accounts.extend(letters.map(|letter| SOLANA_ADDRESS.replace("AaKv", &format!("{letter}aKv"))));
    connected(&ALL[..1], vec![wallet], &balances(SOLANA, &ON_SOLANA))
}

/// Accounts to choose from.
fn choosing(mut world: World) -> Snapshot {
    world.modal(Modal::ViewAsked { view: View::SwitchAddress });
    world.snapshot()
}

pub fn cases() -> Cases {
    let mut unread = connected(&ALL[..1], vec![solana()], &Balances::default());
    unread.server.answers("/balance", 503, "");
    unread.advance(60_000);
    unread.dispatch(Event::Account(Account::RefreshAsked { ticket: None }));
    unread.dispatch(Event::Notice(Notice::SnackDismissed));
    let mut token = on_solana();
    token.dispatch(Event::Detail(Detail::TokenAsked { address: Some(format!("{SOLANA}:{USDC}")) }));
    let mut collectibles = on_bitcoin();
    collectibles.dispatch(Event::Account(Account::TabChosen { tab: Tab::Nfts }));
    let mut networks = beside(&ALL, vec![evm(), solana()]);
    networks.dispatch(Event::Network(Network::NetworkChosen { chain: SOLANA.into() }));
    networks.modal(Modal::ViewAsked { view: View::Networks });
    // A host without a server has no source for balances of Bitcoin.
    let mut alone = World::with(&every_namespace(), vec![bitcoin()], Store::default());
    alone.choose("example.zeta");
    alone.open(None);
    vec![
        ("Account.solana", on_solana().snapshot()),
        ("Account.solana.unavailable", unread.snapshot()),
        ("Account.bitcoin", on_bitcoin().snapshot()),
        ("Account.bitcoin.alone", alone.snapshot()),
        ("Account.bitcoin.nfts", collectibles.snapshot()),
        ("Account.polkadot", on_polkadot().snapshot()),
        ("Account.polkadot.several", shared().snapshot()),
        ("SwitchAddress.named", choosing(shared())),
        ("SwitchAddress.many", choosing(many())),
        ("Account.beside.vacant", beside(&ALL[..1], vec![evm()]).snapshot()),
        ("Account.beside.one", beside(&ALL[..1], vec![solana(), evm()]).snapshot()),
        ("Account.beside.some", beside(&ALL[..2], vec![solana(), evm()]).snapshot()),
        ("Account.beside.all", beside(&ALL, vec![solana(), bitcoin(), polkadot(), evm()]).snapshot()),
        ("Account.beside.returning", returning()),
        ("Connect.namespaces", offered(None).snapshot()),
        ("Connect.solana", offered(Some(Namespace::Solana)).snapshot()),
        ("Connect.bitcoin", offered(Some(Namespace::Bip122)).snapshot()),
        ("Connect.polkadot", offered(Some(Namespace::Polkadot)).snapshot()),
        ("Connect.further", further()),
        ("ConnectingMultiChain.all", chooser()),
        ("Networks.namespaces", networks.snapshot()),
        ("TokenDetails.solana", token.snapshot()),
        ("WalletReceive.solana", receiving(on_solana())),
        ("WalletReceive.bitcoin", receiving(on_bitcoin())),
        ("WalletReceive.polkadot", receiving(on_polkadot())),
    ]
}
