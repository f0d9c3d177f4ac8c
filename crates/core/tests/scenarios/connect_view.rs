//! Scenarios of the Connect view: the order of the methods, and that of the groups of wallets.

use portico_core::Event;
use portico_core::config::Event as Config;
use portico_core::connect::Event as Connect;
use portico_core::modal::View;
use portico_json::parse;
use portico_terms::ConnectorKind;
use portico_testkit::{ScriptedWallet, Store, World, options, with_login, with_relay};

/// Options with these features.
fn featuring(features: &str, options: &str) -> String {
    options.replacen('{', &format!(r#"{{"features":{features},"#), 1)
}

/// World of a visitor who opened the modal of a host with logins.
fn opened(options: &str, wallets: Vec<ScriptedWallet>) -> World {
    let mut world = World::with(&with_login(options), wallets, Store::default());
    world.open(None);
    world
}

fn methods(world: &World) -> Vec<&'static str> {
    world.snapshot().connect.methods.iter().map(|method| method.word()).collect()
}

fn alpha(kind: ConnectorKind) -> ScriptedWallet {
    ScriptedWallet::named("Alpha").through(kind)
}

#[test]
fn spec_2_14_the_order_is_email_social_wallet_and_wallet_email_social_once_a_wallet_of_the_browser_is_usable() {
    let (logins_first, wallets_first) = (["email", "social", "wallet"], ["wallet", "email", "social"]);
    assert_eq!(methods(&opened(&options(), vec![])), logins_first);
    assert_eq!(methods(&opened(&options(), vec![alpha(ConnectorKind::Injected)])), wallets_first);
    assert_eq!(methods(&opened(&options(), vec![alpha(ConnectorKind::Announced)])), wallets_first);
    // Neither the host's own wallet nor a remote one is a wallet of this browser.
    assert_eq!(methods(&opened(&options(), vec![alpha(ConnectorKind::External)])), logins_first);
    assert_eq!(methods(&opened(&with_relay(&options()), vec![])), logins_first);
    // A wallet that announces itself late changes the order of the open modal.
    let mut world = opened(&options(), vec![]);
    let wallet = alpha(ConnectorKind::Announced).announcement();
    world.dispatch(Event::Connect(Connect::WalletFound { wallet }));
    assert_eq!(methods(&world), wallets_first);
}

#[test]
fn spec_2_14_the_host_may_override_the_order_whether_a_wallet_is_usable_or_not() {
    for order in [
        ["email", "social", "wallet"],
        ["email", "wallet", "social"],
        ["social", "email", "wallet"],
        ["social", "wallet", "email"],
        ["wallet", "email", "social"],
        ["wallet", "social", "email"],
    ] {
        let features = format!(r#"{{"connectMethodsOrder":["{}"]}}"#, order.join(r#"",""#));
        for wallets in [vec![], vec![alpha(ConnectorKind::Announced)]] {
            assert_eq!(methods(&opened(&featuring(&features, &options()), wallets.clone())), order);
            let mut changed = opened(&options(), wallets);
            let features = parse(&features).unwrap();
            changed.dispatch(Event::Config(Config::FeaturesChanged { features }));
            assert_eq!(methods(&changed), order);
        }
    }
    let two = featuring(r#"{"connectMethodsOrder":["social","wallet"]}"#, &options());
    assert_eq!(methods(&opened(&two, vec![])), ["social", "wallet"], "e-mail is left out");
}

/// Options of a host that features a wallet, defines one by data and serves a relay.
fn with_lists(options: &str) -> String {
    let lists = r#""featuredWalletIds":["me.rainbow"],"customWallets":[{"id":"own","name":"Own"}]"#;
    with_relay(&options.replacen('{', &format!("{{{lists},"), 1))
}

fn disconnect(world: &mut World) {
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    world.come_back();
    world.open(None);
}

/// List of a visitor who used one of two wallets of this browser, and can use one of the host's.
fn with_wallets(options: &str) -> World {
    let host = ScriptedWallet::named("Host").through(ConnectorKind::External);
    let wallets = vec![ScriptedWallet::named("Alpha"), ScriptedWallet::named("Beta"), host];
    let mut world = World::with(&with_lists(options), wallets, Store::default());
    world.connect_first();
    disconnect(&mut world);
    world
}

/// List of a visitor without a wallet in this browser, who used a remote one.
fn without_wallets(options: &str) -> World {
    let mut world = World::with(&with_lists(options), vec![], Store::default());
    world.open(None);
    world.choose("io.metamask");
    world.remote_approves();
    disconnect(&mut world);
    world
}

fn groups(world: &World) -> Vec<(&'static str, String)> {
    let groups = world.snapshot().wallets.groups.into_iter();
    let names = |items: Vec<portico_core::connect::Item>| items.into_iter().map(|item| item.name).collect::<Vec<_>>();
    groups.map(|group| (group.kind.word(), names(group.items).join(","))).collect()
}

/// Groups of a visitor with wallets, in the default order. Recommended wallets are for those who have none.
const SIX: [(&str, &str); 6] = [
    ("walletConnect", "WalletConnect"),
    ("recent", "Alpha"),
    ("injected", "Beta"),
    ("featured", "Rainbow"),
    ("custom", "Own"),
    ("external", "Host"),
];

/// Groups of a visitor without wallets, in the default order.
const FIVE: [(&str, &str); 5] = [
    ("walletConnect", "WalletConnect"),
    ("recent", "MetaMask"),
    ("featured", "Rainbow"),
    ("custom", "Own"),
    ("recommended", "Coinbase Wallet"),
];

fn expected(groups: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    groups.iter().map(|(kind, names)| (*kind, String::from(*names))).collect()
}

#[test]
fn spec_2_15_the_seven_groups_stand_in_the_order_of_the_contract() {
    let world = with_wallets(&options());
    assert_eq!((world.snapshot().modal.view, groups(&world)), (View::Connect, expected(&SIX)));
    let world = without_wallets(&options());
    assert_eq!((world.snapshot().modal.view, groups(&world)), (View::Connect, expected(&FIVE)));
}

#[test]
fn spec_2_15_the_seven_groups_stand_in_the_order_of_the_host() {
    let order = ["recommended", "external", "custom", "featured", "injected", "recent", "walletConnect"];
    let features = format!(r#"{{"connectorTypeOrder":["{}"]}}"#, order.join(r#"",""#));
    let reversed = |groups: &[_]| expected(groups).into_iter().rev().collect::<Vec<_>>();
    let options = featuring(&features, &options());
    assert_eq!(groups(&with_wallets(&options)), reversed(&SIX));
    assert_eq!(groups(&without_wallets(&options)), reversed(&FIVE));
}

#[test]
fn spec_2_15_recommended_wallets_are_for_those_who_have_none() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha")]);
    world.open(None);
    assert_eq!(groups(&world), [("injected", "Alpha".to_string())]);
    assert!(world.snapshot().directory.unwrap().all);
}
