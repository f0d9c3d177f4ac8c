use portico_core::Event;
use portico_core::connect::{Event as Connecting, Status};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, every_namespace, options};

fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha").permitted()
}

fn stored(connectors: &[&str]) -> Store {
    let list: Vec<_> = connectors.iter().map(|id| format!(r#"{{"namespace":"eip155","connector":"{id}"}}"#)).collect();
    let mut store = Store::default();
    store.values.insert("@portico/version".into(), "1".into());
    store.values.insert("@portico/connections".into(), format!("[{}]", list.join(",")));
    store
}

fn status(world: &World) -> Status {
    world.snapshot().account.accounts[0].status
}

fn connect(world: &mut World, wallet: &str) {
    world.open(None);
    world.choose(wallet);
}

fn wallet_name(world: &World) -> Option<String> {
    world.snapshot().account.accounts[0].connected_wallet_info.clone().map(|wallet| wallet.name)
}

#[test]
fn spec_4_2_a_stored_connected_status_becomes_connecting_while_it_syncs() {
    let world = World::with_hidden(vec![alpha()], stored(&["example.alpha"]), &["example.alpha"]);
    assert_eq!(status(&world), Status::Connecting);
}

#[test]
fn spec_4_2_it_becomes_disconnected_if_the_sync_fails() {
    let mut world = World::with(&options(), vec![ScriptedWallet::named("Alpha")], stored(&["example.alpha"]));
    assert_eq!(status(&world), Status::Disconnected);
    world.advance(60_000);
    assert_eq!(status(&world), Status::Disconnected);
}

#[test]
fn after_a_reload_the_visitor_is_still_connected_without_being_asked() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha")]);
    world.connect_first();
    world.wallet().requests.clear();
    world.reload();
    assert_eq!(status(&world), Status::Connected);
    let asked: Vec<_> = world.wallets[0].requests.iter().map(|(method, _)| method.as_str()).collect();
    assert_eq!(asked, ["eth_accounts", "eth_chainId"]);
    assert!(world.wallets[0].watched && !world.snapshot().modal.open);
}

#[test]
fn spec_4_3_reconnect_tries_the_most_recently_used_first_and_ends_connected_if_any_succeeds() {
    let beta = ScriptedWallet::named("Beta").permitted();
    let world = World::with(&options(), vec![beta.clone(), alpha()], stored(&["example.alpha", "example.beta"]));
    assert_eq!(wallet_name(&world).as_deref(), Some("Alpha"));
    assert!(world.wallets[0].requests.is_empty());
    let refusing = alpha().when("eth_accounts", Behaviour::Refuse);
    let world = World::with(&options(), vec![beta, refusing], stored(&["example.alpha", "example.beta"]));
    assert_eq!(wallet_name(&world).as_deref(), Some("Beta"));
}

#[test]
fn spec_4_3_when_none_succeeds_it_ends_disconnected_with_no_current_connection() {
    let wallets = vec![ScriptedWallet::named("Alpha"), ScriptedWallet::named("Beta")];
    let world = World::with(&options(), wallets, stored(&["example.alpha", "example.beta"]));
    assert_eq!((status(&world), wallet_name(&world)), (Status::Disconnected, None));
    assert!(!world.store.values.contains_key("@portico/connections"));
}

#[test]
fn a_wallet_that_announces_itself_late_is_waited_for() {
    let mut world = World::with_hidden(vec![alpha()], stored(&["example.alpha"]), &["example.alpha"]);
    world.advance(4_000);
    world.announce("example.alpha");
    assert_eq!(status(&world), Status::Connected);
}

#[test]
fn spec_4_2_a_wallet_that_is_gone_is_waited_for_once_and_the_next_load_starts_disconnected() {
    let mut world = World::with_hidden(vec![alpha()], stored(&["example.alpha"]), &["example.alpha"]);
    assert_eq!(status(&world), Status::Connecting);
    world.advance(5_000);
    assert_eq!(status(&world), Status::Disconnected);
    world.announce("example.alpha");
    assert_eq!(status(&world), Status::Disconnected);
    world.reload();
    assert_eq!(status(&world), Status::Disconnected);
    assert!(!world.store.values.contains_key("@portico/connections"));
}

#[test]
fn spec_4_2_the_page_waits_for_none_of_several_wallets_that_are_gone_and_keeps_a_silent_one() {
    let silent = ScriptedWallet::named("Beta").when("eth_accounts", Behaviour::Silent);
    let store = stored(&["example.beta", "example.alpha", "example.gamma"]);
    let mut world = World::with_hidden(vec![silent, alpha()], store, &["example.alpha"]);
    world.advance(5_000);
    assert_eq!(status(&world), Status::Disconnected);
    let kept = &world.store.values["@portico/connections"];
    assert!(
        kept.contains("example.beta") && !kept.contains("example.alpha") && !kept.contains("example.gamma"),
        "{kept}"
    );
}

#[test]
fn spec_4_3_the_wallets_a_visitor_used_are_tried_after_the_last_one_until_it_is_disconnected() {
    let beta = ScriptedWallet::named("Beta").permitted();
    let mut world = World::new(vec![alpha(), beta]);
    connect(&mut world, "example.alpha");
    connect(&mut world, "example.beta");
    assert_eq!(wallet_name(&world).as_deref(), Some("Beta"));
    world.reload();
    assert_eq!(wallet_name(&world).as_deref(), Some("Beta"));
    // Beta is locked: the wallet used before it is still connected.
    world.wallets[1].behaviours.insert("eth_accounts".into(), Behaviour::Refuse);
    world.reload();
    assert_eq!(wallet_name(&world).as_deref(), Some("Alpha"));
    // A visitor who disconnects is not brought back by a former wallet.
    connect(&mut world, "example.beta");
    world.dispatch(Event::Connect(Connecting::DisconnectAsked { namespace: None, ticket: None }));
    world.reload();
    assert_eq!((status(&world), wallet_name(&world)), (Status::Disconnected, None));
}

#[test]
fn a_wallet_that_never_answers_does_not_keep_the_button_busy() {
    let mut world =
        World::with(&options(), vec![alpha().when("eth_accounts", Behaviour::Silent)], stored(&["example.alpha"]));
    assert_eq!(status(&world), Status::Connecting);
    world.advance(5_000);
    assert_eq!(status(&world), Status::Disconnected);
}

#[test]
fn a_host_that_switched_reconnecting_off_starts_disconnected_and_keeps_no_connection() {
    let options = options().replace(r#""projectId""#, r#""enableReconnect":false,"projectId""#);
    let mut store = stored(&["example.alpha"]);
    store.values.insert("@portico/recent_connector_id".into(), "example.alpha".into());
    store.values.insert("WALLETCONNECT_DEEPLINK_CHOICE".into(), "{}".into());
    let world = World::with(&options, vec![alpha()], store);
    assert_eq!(status(&world), Status::Disconnected);
    assert!(world.wallets[0].requests.is_empty());
    for key in ["@portico/connections", "@portico/recent_connector_id", "WALLETCONNECT_DEEPLINK_CHOICE"] {
        assert!(!world.store.values.contains_key(key), "{key}");
    }
}

#[test]
fn hostile_stored_values_start_clean() {
    for (key, value) in [
        ("@portico/connections", "{\"__proto__\":1}"),
        ("@portico/connections", "[[[[["),
        ("@portico/active_network", "eip155:999999"),
        ("@portico/recent_wallets", "null"),
        ("@portico/version", "\u{0}"),
    ] {
        let mut store = stored(&["example.alpha"]);
        store.values.insert(key.into(), value.into());
        let world = World::with(&options(), vec![], store);
        assert!(world.snapshot().network.active.is_some(), "{key}");
    }
}

#[test]
fn a_clock_that_steps_back_counts_as_no_time_passed() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha").when("eth_requestAccounts", Behaviour::Silent)]);
    world.connect_first();
    world.app.tick(0);
    world.advance(8_000);
    assert_eq!(world.snapshot().connect.attempt.map(|attempt| attempt.phase), Some(portico_core::connect::Phase::Slow));
}

/// Entries that AppKit 1.7 leaves in a browser with these connections. Its connectors are identified by the rdns on EVM chains, by the name
/// of the wallet on Solana, and by `AUTH` for a login.
fn left_by_appkit(evm: &str, solana: &str) -> Store {
    let values = [
        ("@appkit/connection_status", "connected"),
        ("@appkit/active_namespace", "eip155"),
        ("@appkit/connected_namespaces", "eip155,solana"),
        ("@appkit/active_caip_network_id", "eip155:31338"),
        ("@appkit/eip155:connected_connector_id", evm),
        ("@appkit/solana:connected_connector_id", solana),
        ("@appkit/connected_social", "google"),
        (
            "@appkit/recent_wallets",
            r#"[{"id":"c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96","name":"MetaMask","rdns":"io.metamask"}]"#,
        ),
        ("@appkit-wallet/EMAIL_LOGIN_USED_KEY", "true"),
    ];
    Store { values: values.map(|(key, value)| (key.into(), value.into())).into(), refuses: false }
}

#[test]
fn spec_4_2_a_visitor_of_appkit_comes_back_in_each_namespace_once_and_a_login_of_it_does_not() {
    let statuses = |world: &World| {
        let accounts = world.snapshot().account.accounts.into_iter();
        let two = accounts.filter(|one| matches!(one.namespace, Namespace::Eip155 | Namespace::Solana));
        two.map(|one| (one.status, one.connector)).collect::<Vec<_>>()
    };
    let wallets = || {
        let metamask = ScriptedWallet { rdns: "io.metamask".into(), ..ScriptedWallet::named("MetaMask") };
        let phantom = ScriptedWallet { rdns: "Phantom".into(), ..ScriptedWallet::named("Phantom") };
        let phantom = phantom.through(ConnectorKind::External);
        vec![
            metamask.on(31338).permitted(),
            phantom.of(Namespace::Solana, "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv").permitted(),
        ]
    };
    let back = |id: &str| (Status::Connected, Some(id.into()));
    let gone = (Status::Disconnected, None);

    let mut world = World::with(&every_namespace(), wallets(), left_by_appkit("io.metamask", "Phantom"));
    assert_eq!(statuses(&world), [back("io.metamask"), back("Phantom")]);
    let active = world.snapshot().network.active.unwrap();
    assert_eq!(active.caip_network_id.to_string(), "eip155:31338");
    // The entries of AppKit stay, and what the visitor does here counts from now on.
    world.dispatch(Event::Connect(Connecting::DisconnectAsked { namespace: Some("eip155".into()), ticket: None }));
    world.reload();
    assert!(world.store.values.contains_key("@appkit/eip155:connected_connector_id"));
    assert_eq!(statuses(&world), [gone.clone(), back("Phantom")]);

    for solana in ["Phantom", "AUTH"] {
        let hidden: Vec<_> = wallets().into_iter().map(|wallet| wallet.rdns).collect();
        let hidden: Vec<_> = hidden.iter().map(String::as_str).collect();
        let store = left_by_appkit("AUTH", solana);
        let world = World::with(&every_namespace(), wallets(), store.clone());
        assert_eq!(statuses(&world), [gone.clone(), if solana == "AUTH" { gone.clone() } else { back(solana) }]);
        assert!(world.wallets[0].requests.is_empty(), "no wallet stands for a login");
        // The visitor is not shown as connecting while the wallets have not announced themselves.
        let mut world = World::with_hidden(wallets(), store, &hidden);
        assert_eq!(statuses(&world)[0], gone);
        world.advance(60_000);
        assert_eq!(statuses(&world)[0], gone);
    }
}
