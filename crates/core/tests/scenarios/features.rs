//! Scenarios of the features of an account: those that the host enabled and its server supports.

use portico_api::project::{ProjectConfig, SwapConfig};
use portico_core::account::Tab;
use portico_core::config::WalletFeature;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::{Event, config};
use portico_json::{parse, to_text};
use portico_terms::Namespace;
use portico_testkit::{ScriptedWallet, Store, World, every_namespace, options, with_login};

const ALL: [WalletFeature; 4] =
    [WalletFeature::Onramp, WalletFeature::Swaps, WalletFeature::Receive, WalletFeature::Send];

/// Config of a project with swaps on the first chain, an on-ramp and names.
fn everything() -> String {
    let swap = SwapConfig { chains: vec!["eip155:31337".into()], ..SwapConfig::default() };
    to_text(&ProjectConfig {
        features: vec!["swap".into(), "onramp".into()],
        swap: Some(swap),
        names: Some("example.eth".into()),
        ..ProjectConfig::default()
    })
}

fn world(options: &str, config: &str) -> World {
    let options = options.replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha Wallet")], Store::default());
    world.server.answers("/config", 200, config);
    world.connect_first();
    world.open(None);
    world
}

fn shown(world: &World) -> Vec<WalletFeature> {
    world.snapshot().account.accounts[0].wallet_features.clone()
}

#[test]
fn spec_1_4_a_connected_visitor_sees_balances_and_may_send_look_back_buy_swap_and_register_a_name() {
    let mut world = world(&options(), &everything());
    let account = &world.snapshot().account.accounts[0];
    assert_eq!((account.balance.as_deref(), account.tabs.as_slice()), (Some("10000.000"), Tab::ALL));
    for view in [View::WalletSend, View::Transactions, View::OnRampProviders, View::Swap, View::RegisterAccountName] {
        world.modal(Modal::ViewAsked { view });
        assert_eq!(world.snapshot().modal.view, view);
        world.modal(Modal::BackAsked);
        assert_eq!(world.snapshot().modal.view, View::Account, "back from {view:?}");
    }
}

#[test]
fn spec_6_8_the_account_has_its_buttons_in_the_order_of_the_contract_or_the_hosts() {
    assert_eq!(shown(&world(&options(), &everything())), ALL);
    let own = options().replacen('{', r#"{"features":{"walletFeaturesOrder":["send","receive","swaps","onramp"]},"#, 1);
    let mut turned = ALL;
    turned.reverse();
    assert_eq!(shown(&world(&own, &everything())), turned);
}

#[test]
fn spec_6_4_a_feature_that_is_switched_off_has_no_button_and_no_view() {
    let mut world = world(&options(), &everything());
    let features = parse(r#"{"swaps":false,"onramp":false,"receive":false,"send":false,"history":false}"#).unwrap();
    world.dispatch(Event::Config(config::Event::FeaturesChanged { features }));
    assert!(shown(&world).is_empty());
    for view in [View::Swap, View::OnRampProviders, View::WalletReceive, View::WalletSend, View::Transactions] {
        world.modal(Modal::ViewAsked { view });
        assert_eq!(world.snapshot().modal.view, View::Account, "{view:?}");
    }
}

#[test]
fn spec_9_10_on_a_chain_where_the_server_does_not_swap_there_is_no_button_for_it() {
    let mut world = world(&options(), &everything());
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
    assert_eq!(shown(&world), [ALL[0], ALL[2], ALL[3]]);
}

#[test]
fn spec_6_9_on_solana_one_can_buy_receive_and_send() {
    let options = every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(
        &options,
        vec![ScriptedWallet::named("Sol").of(Namespace::Solana, "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM6")],
        Store::default(),
    );
    world.server.answers("/config", 200, &everything());
    world.connect_first();
    world.open(None);
    let accounts = world.snapshot().account.accounts;
    let solana = accounts.iter().find(|account| account.namespace == Namespace::Solana).unwrap();
    assert_eq!(solana.wallet_features, [ALL[0], ALL[2], ALL[3]]);
}

#[test]
fn what_the_server_offers_is_asked_for_once_for_names_and_features_together() {
    let mut world = world(&options(), &everything());
    assert_eq!(world.server.count("/config"), 1);
    world.modal(Modal::CloseAsked);
    world.open(None);
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
    assert_eq!(world.server.count("/config"), 1);
}

#[test]
fn without_a_word_of_the_server_only_what_needs_none_is_there() {
    for config in ["", "nonsense", "{}", r#"{"features":{"swap":true}}"#] {
        assert_eq!(shown(&world(&options(), config)), [ALL[2], ALL[3]], "{config}");
    }
    let mut bare = World::new(vec![ScriptedWallet::named("Alpha Wallet")]);
    bare.connect_first();
    bare.open(None);
    assert_eq!(shown(&bare), [ALL[2], ALL[3]]);
    assert_eq!(bare.server.count("/config"), 0);
}

#[test]
fn email_show_wallets_off_leaves_the_login_alone_where_there_is_a_frame() {
    let methods = |options: &str| {
        let mut world = World::with(options, vec![ScriptedWallet::named("Alpha")], Store::default());
        world.open(None);
        (to_text(&world.snapshot().connect.methods), world.snapshot().modal.view)
    };
    let off = |rest: &str| options().replacen('{', &format!(r#"{{"features":{{"emailShowWallets":false{rest}}},"#), 1);
    let (shown, first) = methods(&with_login(&off("")));
    assert_eq!((shown.as_str(), first), (r#"["email","social"]"#, View::Connect));
    // Without a frame, or without a login by email, the wallets are all that there is.
    assert_eq!(methods(&off("")).0, r#"["wallet"]"#);
    assert_eq!(methods(&with_login(&off(r#","email":false"#))).0, r#"["wallet","social"]"#);
}
