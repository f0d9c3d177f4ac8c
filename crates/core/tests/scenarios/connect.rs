use portico_core::Event;
use portico_core::connect::{Event as Connect, Phase, Status};
use portico_core::modal::{Event as Modal, View};
use portico_json::{Value, parse};
use portico_terms::Namespace;
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, options};

const REQUEST: &str = "eth_requestAccounts";

fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha")
}

fn status(world: &World) -> Status {
    world.snapshot().account.accounts[0].status
}

fn phase(world: &World) -> Option<Phase> {
    world.snapshot().connect.attempt.map(|attempt| attempt.phase)
}

#[test]
fn spec_1_2_an_announced_browser_wallet_connects_and_the_modal_closes() {
    let mut world = World::new(vec![alpha()]);
    world.open(None);
    assert_eq!(world.snapshot().modal.view, View::Connect);
    world.choose("example.alpha");
    let snapshot = world.snapshot();
    let account = &snapshot.account.accounts[0];
    assert_eq!(account.caip_address.as_deref(), Some("eip155:31337:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"));
    assert_eq!(account.balance.as_deref(), Some("10000.000"));
    assert!(account.is_connected && !snapshot.modal.open);
    assert_eq!(world.event_names(), ["MODAL_OPEN", "SELECT_WALLET", "CONNECT_SUCCESS", "MODAL_CLOSE"]);
}

#[test]
fn spec_4_1_the_status_goes_from_disconnected_over_connecting_to_connected_and_back_over_reconnecting() {
    let mut world = World::new(vec![alpha().when(REQUEST, Behaviour::Late(1_000))]);
    assert_eq!(status(&world), Status::Disconnected);
    world.connect_first();
    assert_eq!(status(&world), Status::Connecting);
    world.advance(1_000);
    assert_eq!(status(&world), Status::Connected);
    world.wallet().behaviours.insert("eth_accounts".into(), Behaviour::Late(1_000));
    let handle = world.wallets[0].handle();
    world.dispatch(Event::Connect(Connect::WalletDisconnected { handle }));
    assert_eq!(status(&world), Status::Reconnecting);
    world.advance(1_000);
    assert_eq!(status(&world), Status::Connected);
}

#[test]
fn the_hosts_picture_of_a_wallet_is_in_the_list_in_the_attempt_and_in_the_account() {
    let options = options().replacen('{', r#"{"connectorImages":{"example.alpha":"/alpha.svg"},"#, 1);
    let mut world = World::with(&options, vec![alpha().when(REQUEST, Behaviour::Late(1_000))], Store::default());
    world.connect_first();
    let picture = Some("/alpha.svg");
    let snapshot = world.snapshot();
    assert_eq!(snapshot.wallets.groups[0].items[0].image_url.as_deref(), picture);
    assert_eq!(snapshot.connect.attempt.and_then(|attempt| attempt.image_url).as_deref(), picture);
    world.advance(1_000);
    let wallet = world.snapshot().account.accounts[0].connected_wallet_info.clone();
    assert_eq!(wallet.and_then(|wallet| wallet.image_url).as_deref(), picture);
}

#[test]
fn a_refusal_shows_and_trying_again_connects() {
    let mut world = World::new(vec![alpha().when(REQUEST, Behaviour::Refuse)]);
    world.connect_first();
    assert_eq!((phase(&world), world.snapshot().modal.view), (Some(Phase::Refused), View::ConnectingExternal));
    assert_eq!(status(&world), Status::Disconnected);
    assert!(world.event_names().contains(&"USER_REJECTED"));
    world.wallet().behaviours.clear();
    world.dispatch(Event::Connect(Connect::RetryAsked));
    assert_eq!(status(&world), Status::Connected);
}

#[test]
fn a_slow_wallet_gets_a_hint_and_still_connects() {
    let mut world = World::new(vec![alpha().when(REQUEST, Behaviour::Late(30_000))]);
    world.connect_first();
    world.advance(7_999);
    assert_eq!(phase(&world), Some(Phase::Waiting));
    world.advance(1);
    assert_eq!(phase(&world), Some(Phase::Slow));
    world.advance(22_000);
    assert_eq!(status(&world), Status::Connected);
}

#[test]
fn going_back_from_a_silent_wallet_cancels_and_its_late_answer_is_for_nobody() {
    let mut world = World::new(vec![alpha().when(REQUEST, Behaviour::Late(60_000))]);
    world.connect_first();
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, status(&world)), (View::Connect, Status::Disconnected));
    world.advance(60_000);
    assert_eq!(status(&world), Status::Disconnected);
}

#[test]
fn closing_the_modal_while_the_wallet_asks_does_not_cancel() {
    let mut world = World::new(vec![alpha().when(REQUEST, Behaviour::Late(5_000))]);
    world.connect_first();
    world.modal(Modal::CloseAsked);
    world.advance(5_000);
    assert_eq!(status(&world), Status::Connected);
    assert!(!world.snapshot().modal.open);
}

#[test]
fn choosing_another_wallet_leaves_the_first_one_behind() {
    let mut beta = ScriptedWallet::named("Beta");
    beta.accounts = vec!["0x70997970C51812dc3A010C7d01b50e0d17dc79C8".into()];
    let mut world = World::new(vec![alpha().when(REQUEST, Behaviour::Late(9_000)), beta]);
    world.connect_first();
    world.modal(Modal::BackAsked);
    world.choose("example.beta");
    world.advance(20_000);
    let account = &world.snapshot().account.accounts[0];
    assert_eq!(account.connected_wallet_info.as_ref().map(|wallet| wallet.name.as_str()), Some("Beta"));
}

#[test]
fn a_wallet_that_asks_already_says_so() {
    let pending = parse(r#"{"code":-32002,"message":"Already processing eth_requestAccounts"}"#).unwrap();
    let mut world = World::new(vec![alpha().when(REQUEST, Behaviour::Throw(pending))]);
    world.connect_first();
    assert_eq!(phase(&world), Some(Phase::Pending));
}

#[test]
fn an_answer_without_an_account_tells_the_visitor_what_to_do() {
    for (answer, told) in [
        ("null", "The wallet shared no account. Unlock it and try again."),
        (r#"["0x12"]"#, "The wallet shared an invalid address. Try another wallet."),
    ] {
        let mut world = World::new(vec![alpha().when(REQUEST, Behaviour::Nonsense(parse(answer).unwrap()))]);
        world.connect_first();
        assert_eq!(world.snapshot().connect.attempt.unwrap().error.unwrap().message, told);
    }
}

#[test]
fn every_answer_that_is_not_what_the_standard_says_becomes_a_typed_error() {
    for nonsense in [
        "null",
        "{}",
        "[]",
        "7",
        r#""0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266""#,
        "[null]",
        r#"["0x12"]"#,
        r#"[["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"]]"#,
    ] {
        let mut world = World::new(vec![alpha().when(REQUEST, Behaviour::Nonsense(parse(nonsense).unwrap()))]);
        world.connect_first();
        let attempt = world.snapshot().connect.attempt.unwrap();
        assert_eq!((attempt.phase, attempt.error.map(|error| error.code)), (Phase::Failed, Some(-32603)), "{nonsense}");
        assert!(attempt.own, "the wallet did not say what is wrong with its answer: {nonsense}");
    }
    for nonsense in ["null", "{}", r#""0x""#, r#""mainnet""#, "0", "-1", "1.5", r#""0xffffffffffffffffffff""#] {
        let mut world = World::new(vec![alpha().when("eth_chainId", Behaviour::Nonsense(parse(nonsense).unwrap()))]);
        world.connect_first();
        assert_eq!(phase(&world), Some(Phase::Failed), "{nonsense}");
        assert_eq!(status(&world), Status::Disconnected);
    }
}

#[test]
fn an_answer_that_comes_twice_counts_once() {
    let mut world = World::new(vec![alpha().when(REQUEST, Behaviour::Twice).when("eth_chainId", Behaviour::Twice)]);
    world.connect_first();
    assert_eq!(status(&world), Status::Connected);
    assert_eq!(world.event_names().iter().filter(|name| **name == "CONNECT_SUCCESS").count(), 1);
}

#[test]
fn spec_8_50_a_connected_wallet_cannot_be_connected_again() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    let asked = Connect::ConnectAsked { connector: Some("example.alpha".into()), namespace: None, ticket: 7 };
    world.dispatch(Event::Connect(asked));
    assert_eq!(
        world.answer(7).unwrap(),
        r#"[{"type":"rejected","error":{"reason":"alreadyConnected","message":"Connector already connected","code":null}}]"#
    );
}

#[test]
fn spec_8_50_a_wallet_is_unavailable_while_it_is_reconnecting() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    world.wallet().behaviours.insert("eth_accounts".into(), Behaviour::Silent);
    let handle = world.wallets[0].handle();
    world.dispatch(Event::Connect(Connect::WalletDisconnected { handle }));
    assert_eq!(status(&world), Status::Reconnecting);
    world.dispatch(Event::Connect(Connect::ConnectAsked {
        connector: Some("example.alpha".into()),
        namespace: None,
        ticket: 8,
    }));
    assert!(world.answer(8).unwrap().contains("Connector unavailable while reconnecting"));
    world.advance(5_000);
    assert_eq!(status(&world), Status::Disconnected);
}

#[test]
fn a_wallet_that_lost_its_chain_and_comes_back_stays_connected() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    let handle = world.wallets[0].handle();
    world.dispatch(Event::Connect(Connect::WalletDisconnected { handle }));
    assert_eq!(status(&world), Status::Connected);
}

#[test]
fn spec_3_20_the_wallets_used_last_are_remembered() {
    let mut world = World::new(vec![alpha(), ScriptedWallet::named("Beta")]);
    world.connect_first();
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    world.reload();
    let groups = world.snapshot().wallets.groups;
    let names: Vec<_> = groups.iter().map(|group| (group.kind.word(), group.items[0].name.as_str())).collect();
    assert_eq!(names, [("recent", "Alpha"), ("injected", "Beta")]);
}

#[test]
fn spec_9_6_at_most_two_wallets_are_recent_and_the_last_one_is_first() {
    let names = ["Alpha", "Beta", "Gamma"];
    let mut world = World::new(names.map(ScriptedWallet::named).to_vec());
    for name in names {
        world.open(None);
        world.choose(&format!("example.{}", name.to_lowercase()));
        world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
        world.advance(10_000);
    }
    let groups = world.snapshot().wallets.groups;
    let recent: Vec<_> = groups[0].items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!((groups[0].kind.word(), recent), ("recent", vec!["Gamma", "Beta"]));
}

#[test]
fn a_wallet_that_announces_itself_late_appears_in_the_open_modal() {
    let mut world = World::with_hidden(vec![alpha()], Store::default(), &["example.alpha"]);
    world.open(None);
    let kinds =
        |world: &World| world.snapshot().wallets.groups.iter().map(|group| group.kind.word()).collect::<Vec<_>>();
    assert_eq!(kinds(&world), ["recommended"]);
    world.announce("example.alpha");
    assert_eq!(kinds(&world), ["injected"]);
    assert_eq!(world.snapshot().wallets.groups[0].items[0].name, "Alpha");
}

#[test]
fn a_wallet_that_announces_itself_twice_is_there_once_and_a_double_of_its_rdns_has_an_id_of_its_own() {
    let mut world = World::new(vec![alpha()]);
    world.announce("example.alpha");
    assert_eq!(world.snapshot().wallets.groups[0].items.len(), 1);
    let mut double = alpha().announcement();
    double.handle = "another-uuid".into();
    world.dispatch(Event::Connect(Connect::WalletFound { wallet: double }));
    let ids: Vec<_> = world.snapshot().wallets.groups[0].items.iter().map(|item| item.id.clone()).collect();
    assert_eq!(ids, ["example.alpha", "another-uuid"]);
}

#[test]
fn the_wallets_shown_follow_the_accounts_that_it_shows() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    world.wallet_shows(&["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"]);
    let account = &world.snapshot().account.accounts[0];
    assert_eq!(account.address.as_deref(), Some("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"));
    assert_eq!(account.all_accounts.len(), 2);
    assert_eq!(account.balance.as_deref(), Some("0.000"));
}

#[test]
fn a_wallet_that_shows_no_account_any_more_is_disconnected() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    world.wallet_shows(&[]);
    assert_eq!(status(&world), Status::Disconnected);
    assert!(!world.store.values.contains_key("@portico/connections"));
}

#[test]
fn accounts_changed_with_nonsense_changes_nothing() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    let before = world.snapshot();
    let handle = world.wallets[0].handle();
    for nonsense in ["null", "{}", "[7]", r#"["0x1"]"#] {
        let accounts = parse(nonsense).unwrap();
        world.dispatch(Event::Connect(Connect::AccountsChanged { handle: handle.clone(), accounts }));
        assert_eq!(world.snapshot(), before, "{nonsense}");
    }
}

#[test]
fn a_full_storage_does_not_keep_anybody_from_connecting() {
    let mut world =
        World::with(&portico_testkit::options(), vec![alpha()], Store { refuses: true, ..Store::default() });
    world.connect_first();
    assert_eq!(status(&world), Status::Connected);
}

#[test]
fn choosing_the_wallet_that_is_connected_shows_the_account() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    world.open(Some("Connect"));
    world.choose("example.alpha");
    assert_eq!(world.snapshot().modal.view, View::Account);
}

#[test]
fn an_unknown_connector_is_refused_with_its_reason() {
    let mut world = World::new(vec![]);
    world.dispatch(Event::Connect(Connect::ConnectAsked {
        connector: Some("nobody".into()),
        namespace: None,
        ticket: 1,
    }));
    assert!(world.answer(1).unwrap().contains("connectorNotFound"));
    assert_eq!(world.snapshot().connect.attempt, None);
    assert_eq!(world.snapshot().account.accounts[0].namespace, Namespace::Eip155);
    assert_eq!(world.snapshot().modal.data, Value::Null);
}

#[test]
fn a_wallet_that_says_again_and_again_that_it_is_disconnected_is_asked_once() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    world.wallet().behaviours.insert("eth_accounts".into(), Behaviour::Late(100));
    let handle = world.wallets[0].handle();
    world.wallet().requests.clear();
    for _ in 0..100 {
        world.dispatch(Event::Connect(Connect::WalletDisconnected { handle: handle.clone() }));
    }
    assert_eq!(world.wallets[0].requests.len(), 1);
    world.advance(100);
    assert_eq!(status(&world), Status::Connected);
}

#[test]
fn a_refused_attempt_in_an_embedded_modal_is_shown_and_can_be_tried_again() {
    let embedded = portico_testkit::options().replace(r#""projectId""#, r#""enableEmbedded":true,"projectId""#);
    let mut world = World::with(&embedded, vec![alpha().when(REQUEST, Behaviour::Refuse)], Store::default());
    world.choose("example.alpha");
    assert_eq!((world.snapshot().modal.view, phase(&world)), (View::ConnectingExternal, Some(Phase::Refused)));
}

#[test]
fn a_modal_opened_again_while_the_wallet_asks_shows_the_waiting_screen() {
    let mut world = World::new(vec![alpha().when(REQUEST, Behaviour::Late(60_000))]);
    world.connect_first();
    world.modal(Modal::CloseAsked);
    world.open(None);
    let modal = world.snapshot().modal;
    assert_eq!((modal.view, modal.can_go_back), (View::ConnectingExternal, true));
}

#[test]
fn another_wallet_that_locks_does_not_end_an_attempt() {
    let mut beta = ScriptedWallet::named("Beta").when(REQUEST, Behaviour::Late(5_000));
    beta.accounts = vec!["0x70997970C51812dc3A010C7d01b50e0d17dc79C8".into()];
    let mut world = World::new(vec![alpha(), beta]);
    world.connect_first();
    world.dispatch(Event::Connect(Connect::ConnectAsked {
        connector: Some("example.beta".into()),
        namespace: None,
        ticket: 3,
    }));
    world.wallet_shows(&[]);
    assert_eq!(status(&world), Status::Connecting);
    world.advance(5_000);
    assert!(world.answer(3).unwrap().contains("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"));
}
