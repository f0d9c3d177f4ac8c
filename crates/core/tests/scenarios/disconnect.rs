use portico_core::Event;
use portico_core::connect::{Event as Connect, Status};
use portico_core::modal::{Event as Modal, View};
use portico_core::send::Event as Send;
use portico_json::{Value, parse};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, every_namespace};

const REVOKE: &str = "wallet_revokePermissions";

fn connected(wallet: ScriptedWallet) -> World {
    let mut world = World::new(vec![wallet]);
    world.connect_first();
    world
}

fn disconnect(world: &mut World, ticket: Option<u32>) {
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket }));
}

#[test]
fn spec_4_6_the_visitor_disconnects_and_stays_disconnected_after_a_reload() {
    let mut world = connected(ScriptedWallet::named("Alpha"));
    world.open(None);
    assert_eq!(world.snapshot().modal.view, View::Account);
    disconnect(&mut world, Some(1));
    assert_eq!(world.answer(1).unwrap(), r#"[{"type":"resolved","value":null}]"#);
    assert!(!world.snapshot().modal.open && !world.wallets[0].watched);
    assert!(world.event_names().ends_with(&["MODAL_CLOSE", "DISCONNECT_SUCCESS"]));
    world.reload();
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
}

#[test]
fn a_wallet_that_is_asked_when_the_host_disconnects_leaves_the_list_of_wallets() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha").when("eth_requestAccounts", Behaviour::Silent)]);
    world.open(None);
    world.choose("example.alpha");
    assert_eq!(world.snapshot().modal.view, View::ConnectingExternal);
    disconnect(&mut world, Some(1));
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.open, snapshot.modal.view, snapshot.connect.attempt), (true, View::Connect, None));
}

#[test]
fn spec_4_7_disconnecting_clears_the_send_state() {
    let mut world = connected(ScriptedWallet::named("Alpha"));
    world.open(Some("WalletSend"));
    world.dispatch(Event::Send(Send::AmountTyped { text: "1".into() }));
    disconnect(&mut world, None);
    assert_eq!(world.snapshot().send.send_token_amount, "");
}

#[test]
fn spec_4_9_each_chains_account_and_network_state_are_reset() {
    let mut world = connected(ScriptedWallet::named("Alpha").on(999));
    assert!(world.snapshot().network.unsupported.is_some());
    disconnect(&mut world, None);
    let snapshot = world.snapshot();
    let account = &snapshot.account.accounts[0];
    assert_eq!((account.address.as_ref(), account.balance.as_ref(), account.all_accounts.len()), (None, None, 0));
    assert_eq!(snapshot.network.unsupported, None);
}

#[test]
fn spec_4_10_the_deep_link_and_the_social_provider_are_cleared() {
    let mut world = connected(ScriptedWallet::named("Alpha"));
    for key in ["WALLETCONNECT_DEEPLINK_CHOICE", "@portico/connected_social"] {
        world.store.values.insert(key.into(), "x".into());
    }
    disconnect(&mut world, None);
    assert!(
        !world.store.values.contains_key("WALLETCONNECT_DEEPLINK_CHOICE")
            && !world.store.values.contains_key("@portico/connected_social")
    );
}

#[test]
fn spec_4_11_failures_are_collected_and_reported_as_a_disconnect_error() {
    let failure = parse(r#"{"code":-32000,"message":"out of order"}"#).unwrap();
    let mut world = connected(ScriptedWallet::named("Alpha").when(REVOKE, Behaviour::Throw(failure)));
    disconnect(&mut world, Some(3));
    let (name, properties) = world.events.iter().find(|(name, _)| name.starts_with("DISCONNECT")).unwrap();
    assert_eq!((name.as_str(), properties.get("message").as_str()), ("DISCONNECT_ERROR", Some("out of order")));
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
    assert!(world.answer(3).unwrap().contains("failedToDisconnect"));
}

/// Requests that end the connection of a host's wallet which has a `disconnect()` with this behaviour.
fn released(revokes: Behaviour, disconnects: Behaviour) -> (Vec<String>, World) {
    let wallet = ScriptedWallet::named("Sdk").through(ConnectorKind::External);
    let mut world = connected(wallet.when(REVOKE, revokes).when("disconnect", disconnects));
    disconnect(&mut world, Some(3));
    let asked = world.wallets[0].requests.iter().map(|(method, _)| method.clone());
    (asked.filter(|method| method == REVOKE || method == "disconnect").collect(), world)
}

#[test]
fn spec_4_11_a_hosts_wallet_is_released_by_a_revocation_and_by_its_own_disconnect() {
    let done = || Behaviour::Nonsense(Value::Null);
    let failure =
        |code: i64| Behaviour::Throw(parse(&format!(r#"{{"code":{code},"message":"out of order"}}"#)).unwrap());
    for (revokes, disconnects, ends_well) in [
        (done(), done(), true),
        (failure(4200), done(), true),
        // It answers the revocation after it was disconnected.
        (failure(4900), done(), true),
        (done(), failure(-32000), false),
        (failure(-32000), done(), false),
    ] {
        let (asked, world) = released(revokes, disconnects);
        assert_eq!(asked, [REVOKE, "disconnect"]);
        let told = world.event_names().contains(&"DISCONNECT_SUCCESS");
        assert_eq!((told, world.answer(3).unwrap().contains("resolved")), (ends_well, ends_well));
        assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
    }
    // Each of several failures is told.
    let (_, world) = released(failure(-32000), failure(-32001));
    let (_, properties) = world.events.iter().find(|(name, _)| name == "DISCONNECT_ERROR").unwrap();
    assert_eq!(properties.get("message").as_str(), Some("out of order; out of order"));
    let (_, mut world) = released(done(), Behaviour::Silent);
    assert_eq!(world.answer(3), None);
    world.advance(3_000);
    assert!(world.answer(3).unwrap().contains("failedToDisconnect"));
}

#[test]
fn spec_8_17_the_error_says_failed_to_disconnect() {
    let failure = parse(r#"{"code":-32000}"#).unwrap();
    let mut world = connected(ScriptedWallet::named("Alpha").when(REVOKE, Behaviour::Throw(failure)));
    disconnect(&mut world, Some(3));
    assert!(world.answer(3).unwrap().contains(r#""message":"Failed to disconnect""#));
}

#[test]
fn spec_4_12_the_account_status_is_disconnected_after_the_reset_even_if_the_wallet_is_silent() {
    let mut world = connected(ScriptedWallet::named("Alpha").when(REVOKE, Behaviour::Silent));
    disconnect(&mut world, Some(4));
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
    assert_eq!(world.answer(4), None);
    world.advance(3_000);
    // It may still be connected to the page, so this is no success (spec 4.11).
    assert!(world.answer(4).unwrap().contains("failedToDisconnect"));
    let told = world.events.iter().find(|(name, _)| name.starts_with("DISCONNECT")).unwrap();
    assert_eq!(
        (told.0.as_str(), told.1.get("message").as_str()),
        ("DISCONNECT_ERROR", Some("The wallet did not answer"))
    );
}

#[test]
fn a_wallet_that_cannot_revoke_is_not_a_failure() {
    for code in [4200, -32601] {
        let failure = parse(&format!(r#"{{"code":{code}}}"#)).unwrap();
        let mut world = connected(ScriptedWallet::named("Alpha").when(REVOKE, Behaviour::Throw(failure)));
        disconnect(&mut world, None);
        assert!(world.event_names().contains(&"DISCONNECT_SUCCESS"), "{code}");
    }
}

#[test]
fn disconnecting_when_nobody_is_connected_is_done_at_once() {
    let mut world = World::new(vec![]);
    disconnect(&mut world, Some(5));
    assert_eq!(world.answer(5).unwrap(), r#"[{"type":"resolved","value":null}]"#);
}

/// World of a visitor connected on EVM chains and Solana through one kind of connector, and on Bitcoin by a browser wallet.
fn everywhere(kind: ConnectorKind) -> World {
    let wallets = vec![
        ScriptedWallet::named("Evm").through(kind),
        ScriptedWallet::named("Sol")
            .through(kind)
            .of(Namespace::Solana, "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE"),
        ScriptedWallet::named("Bit").of(Namespace::Bip122, "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh"),
    ];
    let mut world = World::with(&every_namespace(), wallets, Store::default());
    for rdns in ["example.evm", "example.sol", "example.bit"] {
        world.choose(rdns);
    }
    assert_eq!(connected_to(&world), ["eip155", "solana", "bip122"]);
    world
}

fn connected_to(world: &World) -> Vec<&'static str> {
    let accounts = world.snapshot().account.accounts.into_iter();
    accounts.filter(|account| account.is_connected).map(|account| account.namespace.word()).collect()
}

fn disconnect_one(world: &mut World, namespace: &str) {
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: Some(namespace.into()), ticket: None }));
}

#[test]
fn spec_4_8_chains_connected_through_wallet_connect_or_the_embedded_wallet_are_disconnected_together() {
    for kind in [ConnectorKind::WalletConnect, ConnectorKind::Auth] {
        let mut world = everywhere(kind);
        disconnect_one(&mut world, "bip122");
        assert_eq!(connected_to(&world), ["eip155", "solana"]);
        let mut world = everywhere(kind);
        disconnect_one(&mut world, "solana");
        assert_eq!(connected_to(&world), ["bip122"]);
        assert!(world.wallets.iter().all(|wallet| wallet.watched == (wallet.namespace == Namespace::Bip122)));
        world.reload();
        assert_eq!(connected_to(&world), ["bip122"]);
    }
}

#[test]
fn spec_4_8_a_remote_session_that_ends_in_the_wallet_ends_on_all_its_chains() {
    let mut world = everywhere(ConnectorKind::WalletConnect);
    let handle = world.wallets[0].handle();
    world.dispatch(Event::Connect(Connect::WalletDisconnected { handle }));
    assert_eq!(connected_to(&world), ["bip122"]);
}

#[test]
fn spec_4_10_what_a_mechanism_left_behind_goes_with_its_last_connection_and_no_sooner() {
    let link = ["WALLETCONNECT_DEEPLINK_CHOICE"].as_slice();
    let login = [
        "@portico/connected_social",
        "@appkit-wallet/SESSION_TOKEN_KEY",
        "@appkit-wallet/EMAIL_LOGIN_USED_KEY",
        "@appkit-wallet/LAST_USED_CHAIN_KEY",
        "@appkit-wallet/EMAIL",
        "@appkit-wallet/SMART_ACCOUNT_ENABLED",
        "@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS",
        "@appkit-wallet/SOCIAL_USERNAME",
    ]
    .as_slice();
    let stays = ["@appkit-wallet/LAST_EMAIL_LOGIN_TIME", "@appkit-wallet/PREFERRED_ACCOUNT_TYPE"];
    for (kind, own) in [(ConnectorKind::WalletConnect, link), (ConnectorKind::Auth, login)] {
        let mut world = everywhere(kind);
        for key in own.iter().chain(&stays) {
            world.store.values.insert((*key).into(), "x".into());
        }
        disconnect_one(&mut world, "bip122");
        assert!(own.iter().all(|key| world.store.values.contains_key(*key)), "{kind:?}");
        disconnect_one(&mut world, "eip155");
        assert!(!own.iter().any(|key| world.store.values.contains_key(*key)), "{kind:?}");
        assert!(stays.iter().all(|key| world.store.values.contains_key(*key)));
        // The connector of this kind is offered again.
        world.modal(Modal::OpenAsked {
            view: None,
            namespace: Some("eip155".into()),
            uri: None,
            arguments: Value::Null,
            ticket: None,
        });
        let groups = world.snapshot().wallets.groups;
        let offered = groups.iter().any(|group| group.kind.word() == "walletConnect");
        assert_eq!(offered, kind == ConnectorKind::WalletConnect);
    }
}
