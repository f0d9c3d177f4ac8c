//! Scenarios of the host's calls: values they resolve with and errors they reject with.

use portico_core::Event;
use portico_core::connect::Event as Connect;
use portico_core::modal::{Event as Modal, View};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, options};

fn connect(world: &mut World, connector: Option<&str>, namespace: Option<&str>, ticket: u32) {
    let asked =
        Connect::ConnectAsked { connector: connector.map(Into::into), namespace: namespace.map(Into::into), ticket };
    world.dispatch(Event::Connect(asked));
}

#[test]
fn connect_opens_the_modal_and_resolves_with_the_account() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha")]);
    connect(&mut world, None, None, 1);
    assert_eq!((world.snapshot().modal.view, world.answer(1)), (View::Connect, None));
    world.choose("example.alpha");
    let answer = world.answer(1).unwrap();
    assert!(answer.contains(r#""caipAddress":"eip155:31337:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266""#), "{answer}");
    connect(&mut world, None, None, 2);
    assert!(world.answer(2).unwrap().contains("resolved"));
}

#[test]
fn connect_rejects_when_the_visitor_closes_the_modal() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha")]);
    connect(&mut world, None, None, 1);
    world.modal(Modal::CloseAsked);
    assert!(world.answer(1).unwrap().contains(r#""reason":"modalClosed""#));
}

#[test]
fn connect_with_a_wallet_of_its_own_needs_no_modal_and_rejects_with_the_wallets_code() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha").when("eth_requestAccounts", Behaviour::Refuse)]);
    connect(&mut world, Some("example.alpha"), None, 1);
    assert!(!world.snapshot().modal.open);
    assert_eq!(
        world.answer(1).unwrap(),
        r#"[{"type":"rejected","error":{"reason":"userRejected","message":"User rejected the request.","code":4001}}]"#
    );
    assert_eq!(world.snapshot().connect.attempt, None);
}

#[test]
fn a_refusal_in_the_modal_leaves_the_promise_open_for_another_try() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha").when("eth_requestAccounts", Behaviour::Refuse)]);
    connect(&mut world, None, None, 1);
    world.choose("example.alpha");
    assert_eq!(world.answer(1), None);
    world.wallet().behaviours.clear();
    world.dispatch(Event::Connect(Connect::RetryAsked));
    assert!(world.answer(1).unwrap().contains("resolved"));
}

#[test]
fn spec_8_12_an_unknown_namespace_says_chain_adapter_not_found() {
    let mut world = World::new(vec![]);
    connect(&mut world, None, Some("cosmos"), 1);
    assert!(world.answer(1).unwrap().contains(r#""message":"Chain adapter not found""#));
}

#[test]
fn spec_8_14_without_any_network_a_connection_needs_a_chain() {
    let mut world = World::with(r#"{"projectId":"a","adapters":[{"namespace":"eip155"}]}"#, vec![], Store::default());
    connect(&mut world, None, None, 1);
    assert!(world.answer(1).unwrap().contains(r#""message":"Chain is required to get connection controller client""#));
}

#[test]
fn spec_8_15_a_namespace_without_an_adapter_has_no_connection_client() {
    let options = options().replace(r#"{"namespace":"eip155"}"#, r#"{"namespace":"solana"}"#);
    let mut world = World::with(&options, vec![], Store::default());
    connect(&mut world, None, Some("eip155"), 1);
    assert!(world.answer(1).unwrap().contains(r#""message":"ConnectionController client not set""#));
}

#[test]
fn without_networks_the_modal_still_shows_the_wallets() {
    let mut world = World::with(
        r#"{"projectId":"a","adapters":[{"namespace":"eip155"}]}"#,
        vec![ScriptedWallet::named("Alpha")],
        Store::default(),
    );
    world.open(None);
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.view, snapshot.wallets.groups.len()), (View::Connect, 1));
    assert_eq!(snapshot.notice.alert.map(|alert| alert.detail).as_deref(), Some("networks: add at least one network"));
}

#[test]
fn spec_2_23_an_embedded_modal_shows_the_account_once_connected_and_connect_once_disconnected() {
    let embedded = options().replace(r#""projectId""#, r#""enableEmbedded":true,"projectId""#);
    let mut world = World::with(&embedded, vec![ScriptedWallet::named("Alpha")], Store::default());
    assert_eq!(world.snapshot().modal.view, View::Connect);
    world.choose("example.alpha");
    assert_eq!(world.snapshot().modal.view, View::Account);
    world.reload();
    assert_eq!(world.snapshot().modal.view, View::Account);
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    assert_eq!(world.snapshot().modal.view, View::Connect);
}

#[test]
fn a_host_that_named_a_wallet_never_gets_another_ones_account() {
    let alpha = ScriptedWallet::named("Alpha").when("eth_requestAccounts", Behaviour::Silent);
    let mut world = World::new(vec![alpha, ScriptedWallet::named("Beta")]);
    connect(&mut world, Some("example.alpha"), None, 1);
    connect(&mut world, Some("example.beta"), None, 2);
    assert!(world.answer(1).unwrap().contains(r#""reason":"cancelled""#));
    assert!(world.answer(2).unwrap().contains("example.beta"));
}

#[test]
fn connect_rejects_with_what_the_wallet_said_last_once_the_visitor_closes_the_modal() {
    for (thrown, told) in [(r#"{"code":4001}"#, "userRejected"), ("null", "No reason was given")] {
        let thrown = Behaviour::Throw(portico_json::parse(thrown).unwrap());
        let mut world = World::new(vec![ScriptedWallet::named("Alpha").when("eth_requestAccounts", thrown)]);
        connect(&mut world, None, None, 1);
        world.choose("example.alpha");
        assert_eq!(world.answer(1), None, "another try is possible");
        world.modal(Modal::CloseAsked);
        let answer = world.answer(1).unwrap();
        assert!(answer.contains(told), "{answer}");
    }
}

#[test]
fn connect_settles_when_the_wallet_asks_already_and_the_visitor_closes_the_modal() {
    let pending = portico_json::parse(r#"{"code":-32002}"#).unwrap();
    let mut world =
        World::new(vec![ScriptedWallet::named("Alpha").when("eth_requestAccounts", Behaviour::Throw(pending))]);
    connect(&mut world, None, None, 1);
    world.choose("example.alpha");
    world.modal(Modal::CloseAsked);
    assert!(world.answer(1).unwrap().contains("modalClosed"));
}

#[test]
fn connect_with_a_wallet_of_its_own_rejects_though_the_modal_shows_something_else() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha").when("eth_requestAccounts", Behaviour::Refuse)]);
    world.open(Some("Networks"));
    connect(&mut world, Some("example.alpha"), None, 1);
    assert!(world.answer(1).unwrap().contains("userRejected"));
}

#[test]
fn spec_8_50_a_namespace_without_networks_says_chain_not_configured() {
    let mut world = World::with(r#"{"projectId":"a","adapters":[{"namespace":"eip155"}]}"#, vec![], Store::default());
    connect(&mut world, None, Some("eip155"), 1);
    assert!(world.answer(1).unwrap().contains(r#""message":"Chain not configured""#));
}

#[test]
fn spec_8_50_a_wallet_that_shares_no_account_says_account_not_found_for_connector() {
    let none = Behaviour::Nonsense(portico_json::parse("[]").unwrap());
    let mut world = World::new(vec![ScriptedWallet::named("Alpha").when("eth_requestAccounts", none)]);
    connect(&mut world, Some("example.alpha"), None, 1);
    assert!(world.answer(1).unwrap().contains(r#""message":"Account not found for connector""#));
}

#[test]
fn spec_8_50_a_send_on_another_network_of_the_host_says_chain_mismatch_and_on_a_strangers_unsupported_chain() {
    for (chain, message) in
        [("31338", "Chain mismatch"), ("eip155:31338", "Chain mismatch"), ("1", "Unsupported chain")]
    {
        let mut world = World::new(vec![ScriptedWallet::named("Alpha")]);
        world.connect_first();
        world.modal(Modal::OpenAsked {
            view: Some("WalletSend".into()),
            namespace: None,
            uri: None,
            arguments: portico_json::parse(&format!(r#"{{"amount":"1","chainId":"{chain}"}}"#)).unwrap(),
            ticket: Some(1),
        });
        assert!(world.answer(1).unwrap().contains(&format!(r#""message":"{message}""#)), "{chain}");
    }
}

#[test]
fn spec_8_54_an_embedded_modal_neither_opens_nor_closes() {
    for (option, told) in [("", vec!["MODAL_OPEN", "MODAL_CLOSE"]), (r#""enableEmbedded":true,"#, vec![])] {
        let options = options().replace(r#""projectId""#, &format!(r#"{option}"projectId""#));
        let mut world = World::with(&options, vec![], Store::default());
        world.open(None);
        world.modal(Modal::CloseAsked);
        assert_eq!(world.event_names(), told);
    }
}

#[test]
fn spec_6_4_a_host_that_opens_the_send_form_learns_that_sending_is_off_or_that_nobody_is_connected() {
    let off = options().replace(r#""projectId""#, r#""features":{"send":false},"projectId""#);
    for (options, connects, reason) in
        [(&off, true, "featureOff"), (&off, false, "featureOff"), (&options(), false, "notConnected")]
    {
        let mut world = World::with(options, vec![ScriptedWallet::named("Alpha")], Store::default());
        if connects {
            world.connect_first();
        }
        world.modal(Modal::OpenAsked {
            view: Some("WalletSend".into()),
            namespace: None,
            uri: None,
            arguments: portico_json::Value::Null,
            ticket: Some(1),
        });
        assert!(world.answer(1).unwrap().contains(reason), "{connects} {:?}", world.answer(1));
    }
}

#[test]
fn spec_6_4_a_host_that_opens_a_view_of_a_feature_that_it_switched_off_learns_so() {
    let off = r#""features":{"send":false,"receive":false,"swaps":false,"onramp":false,"history":false},"projectId""#;
    let off = options().replace(r#""projectId""#, off);
    for view in ["WalletSend", "WalletReceive", "Swap", "OnRampProviders", "Transactions", "Networks"] {
        for options in [&off, &options()] {
            let mut world = World::with(options, vec![ScriptedWallet::named("Alpha")], Store::default());
            world.connect_first();
            world.modal(Modal::OpenAsked {
                view: Some(view.into()),
                namespace: None,
                uri: None,
                arguments: portico_json::Value::Null,
                ticket: Some(1),
            });
            let refused = world.answer(1).is_some_and(|answer| answer.contains("featureOff"));
            // Networks are not a feature and always open.
            assert_eq!(refused, options == &off && view != "Networks", "{view} {:?}", world.answer(1));
        }
    }
}

#[test]
fn spec_2_3_a_connection_uri_opens_the_view_that_draws_it_and_an_account_that_is_there_needs_none() {
    let with_uri = |view: Option<&str>| Modal::OpenAsked {
        view: view.map(Into::into),
        namespace: None,
        uri: Some("wc:1@2".into()),
        arguments: portico_json::Value::Null,
        ticket: None,
    };
    let mut world = World::new(vec![ScriptedWallet::named("Alpha")]);
    world.modal(with_uri(None));
    let modal = world.snapshot().modal;
    assert_eq!((modal.view, modal.data.get("uri").as_str()), (View::ConnectingWalletConnectBasic, Some("wc:1@2")));
    world.modal(with_uri(Some("Networks")));
    assert_eq!(world.snapshot().modal.view, View::Networks);
    world.open(None);
    world.choose("example.alpha");
    world.modal(with_uri(None));
    assert_eq!(world.snapshot().modal.view, View::Account);
}

#[test]
fn spec_8_54_what_the_visitor_does_is_tracked_with_its_properties() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha"), ScriptedWallet::named("Beta")]);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WhatIsAWallet });
    world.modal(Modal::BackAsked);
    world.choose("example.alpha");
    world.open(Some("Networks"));
    world.modal(Modal::ViewAsked { view: View::WhatIsANetwork });
    world.modal(Modal::BackAsked);
    world.dispatch(Event::Network(portico_core::network::Event::NetworkChosen { chain: "eip155:31338".into() }));
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: Some("eip155".into()), ticket: None }));
    let told = world.events.iter().map(|(name, properties)| {
        let own = properties.as_object().unwrap().iter().filter(|(name, _)| name != "caipNetworkId");
        format!("{name} {}", portico_json::to_text(&portico_json::Value::Object(own.cloned().collect())))
    });
    let told: Vec<_> = told.collect();
    assert_eq!(
        told,
        [
            r#"MODAL_OPEN {"connected":false}"#,
            "CLICK_WALLET_HELP {}",
            r#"SELECT_WALLET {"name":"Alpha","platform":"browser","displayIndex":0,"view":"Connect"}"#,
            r#"CONNECT_SUCCESS {"method":"browser","name":"Alpha","reconnect":false,"view":"Connect"}"#,
            r#"MODAL_CLOSE {"connected":true}"#,
            "CLICK_NETWORKS {}",
            r#"MODAL_OPEN {"connected":true}"#,
            "CLICK_NETWORK_HELP {}",
            r#"SWITCH_NETWORK {"network":"eip155:31338"}"#,
            r#"MODAL_CLOSE {"connected":true}"#,
            r#"DISCONNECT_SUCCESS {"namespace":"eip155"}"#,
        ]
    );
}

#[test]
fn spec_8_54_failures_are_tracked_with_the_words_of_the_wallet() {
    for (thrown, name) in [(Behaviour::Refuse, "USER_REJECTED"), (Behaviour::Nonsense("x".into()), "CONNECT_ERROR")] {
        let mut world = World::new(vec![ScriptedWallet::named("Alpha").when("eth_requestAccounts", thrown)]);
        world.choose("example.alpha");
        let (_, properties) = world.events.iter().find(|(told, _)| told == name).unwrap();
        assert!(properties.get("message").as_str().is_some_and(|message| !message.is_empty()), "{name}");
    }
}

#[test]
fn spec_8_54_the_way_of_a_connection_is_tracked() {
    use portico_terms::ConnectorKind;
    for (kind, method) in
        [(ConnectorKind::WalletConnect, "qrcode"), (ConnectorKind::Auth, "email"), (ConnectorKind::External, "browser")]
    {
        let mut world = World::new(vec![ScriptedWallet::named("Alpha").through(kind)]);
        world.choose("example.alpha");
        let (_, properties) = world.events.iter().find(|(told, _)| told == "CONNECT_SUCCESS").unwrap();
        assert_eq!(properties.get("method").as_str(), Some(method));
    }
}
