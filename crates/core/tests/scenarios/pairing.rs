//! The code on the screen: how it comes, how long it lives, and the links that carry it. Longer than other files: the stories share one
//! page, one phone and one relay, which are told once at the top.

use portico_core::connect::{Event as Connect, LinkKind, PairingPhase, PairingView, Platform, RelayState, Status};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::{AlertKey, Message};
use portico_core::{Environment, Event, LinkTarget};
use portico_json::{Value, parse, to_text};
use portico_testkit::{ScriptedWallet, Store, World, every_namespace, options, with_relay};

const CHOICE: &str = "WALLETCONNECT_DEEPLINK_CHOICE";

fn world(prepare: impl FnOnce(&mut Environment)) -> World {
    let mut world = World::with(&with_relay(&options()), vec![], Store::default());
    prepare(&mut world.environment);
    world.reload();
    world
}

fn desktop() -> World {
    world(|_| {})
}

fn phone(environment: &mut Environment) {
    environment.mobile = true;
}

fn shown(mut world: World, wallet: &str) -> World {
    world.open(None);
    world.choose(wallet);
    world
}

fn with(given: &str) -> World {
    World::with(&with_relay(&options().replacen('{', given, 1)), vec![], Store::default())
}

fn uri(world: &World) -> String {
    world.pairing().uri.unwrap()
}

fn count(world: &World) -> usize {
    world.remote.topics.len()
}

fn tap(world: &mut World) -> (String, LinkTarget) {
    world.connecting(Connect::LinkAsked);
    world.remote.links.last().cloned().unwrap()
}

#[test]
fn spec_1_2_a_remote_wallet_is_a_way_to_connect_where_there_is_a_relay() {
    let mut world = desktop();
    world.open(None);
    let groups = world.snapshot().wallets.groups;
    assert_eq!((groups[0].items[0].id.as_str(), groups[0].items[0].installed), ("walletConnect", false));
    world.choose("walletConnect");
    let snapshot = world.snapshot();
    assert_eq!(snapshot.modal.view, View::ConnectingWalletConnect);
    assert_eq!(snapshot.pairing.unwrap().phase, PairingPhase::Ready);
}

#[test]
fn without_a_relay_or_where_the_host_says_so_nothing_of_it_is_there_and_nothing_is_fetched() {
    let off = with_relay(&options().replacen('{', r#"{"enableWalletConnect":false,"#, 1));
    let wrong = options().replacen('{', r#"{"relays":[{"relayUrl":"https://relay.example"}],"#, 1);
    let nameless = with_relay(&options().replace(r#""projectId":"test","#, ""));
    for options in [options(), off, wrong, nameless] {
        let mut world = World::with(&options, vec![], Store::default());
        world.open(None);
        assert!(world.snapshot().wallets.groups.iter().all(|group| group.items[0].id != "walletConnect"));
        world.choose("walletConnect");
        world.choose("io.metamask");
        assert_eq!(world.snapshot().modal.view, View::Downloads);
        assert_eq!((world.remote.fetched, world.snapshot().pairing), (0, None));
    }
}

#[test]
fn a_relay_with_a_project_of_its_own_needs_none_of_the_host_and_a_wrong_relay_is_told() {
    let own =
        options().replace(r#""projectId":"test","#, r#""relays":[{"relayUrl":"wss://a.example","projectId":"b"}],"#);
    let mut world = World::with(&own, vec![], Store::default());
    world.open(None);
    assert_eq!(world.snapshot().wallets.groups[0].items[0].id, "walletConnect");
    let wrong = options().replacen('{', r#"{"relays":[{"relayUrl":"javascript:alert(1)"}],"#, 1);
    let world = World::with(&wrong, vec![], Store::default());
    assert!(world.alerts.iter().any(|(_, detail)| detail.starts_with("relays: ")));
}

#[test]
fn the_client_is_fetched_once_when_wallets_are_listed_and_nothing_is_proposed_before_somebody_wants_it() {
    let mut world = desktop();
    assert_eq!(world.remote.fetched, 0);
    world.open(None);
    world.modal(Modal::CloseAsked);
    world.open(None);
    assert_eq!((world.remote.fetched, count(&world)), (1, 0));
}

#[test]
fn where_no_way_to_a_remote_wallet_is_shown_the_client_is_not_fetched() {
    for given in [r#"{"enableWallets":false,"#, r#"{"excludeWalletIds":["walletConnect"],"#] {
        let mut world = with(given);
        world.open(None);
        assert_eq!(world.remote.fetched, 0, "{given}");
    }
    for view in ["Networks", "WhatIsAWallet"] {
        let mut world = desktop();
        world.open(Some(view));
        assert_eq!(world.remote.fetched, 0, "{view}");
        world.open(None);
        world.choose("walletConnect");
        assert_eq!((world.remote.fetched, count(&world)), (1, 1), "{view}");
    }
}

#[test]
fn a_host_that_names_a_wallet_of_the_directory_gets_its_account() {
    let ask = |world: &mut World, id: &str| {
        world.connecting(Connect::ConnectAsked { connector: Some(id.into()), namespace: None, ticket: 1 })
    };
    let mut world = desktop();
    world.open(None);
    ask(&mut world, "io.metamask");
    assert_eq!((world.pairing().wallet.unwrap().id.as_str(), world.answer(1)), ("io.metamask", None));
    world.remote_approves();
    assert!(world.answer(1).unwrap().contains(r#""connectorId":"walletConnect""#));
    // Where no session can be had there is nothing to wait for.
    let mut world = World::with(&options(), vec![], Store::default());
    world.open(None);
    ask(&mut world, "io.metamask");
    assert!(world.answer(1).unwrap().contains("connectorNotFound"));
    assert_eq!(world.snapshot().modal.view, View::Connect);
}

#[test]
fn a_host_that_goes_on_to_another_view_leaves_no_code_waiting() {
    let mut world = desktop();
    world.connecting(Connect::ConnectAsked { connector: Some("walletConnect".into()), namespace: None, ticket: 1 });
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Connecting);
    world.open(Some("Networks"));
    world.advance(1_000);
    let snapshot = world.snapshot();
    assert_eq!((snapshot.account.accounts[0].status, snapshot.pairing), (Status::Disconnected, None));
    assert!(world.answer(1).unwrap().contains("cancelled"));
    world.advance(600_000);
    assert_eq!(count(&world), 1);
}

#[test]
fn spec_4_4_a_code_that_was_handed_to_a_wallet_outlives_the_page() {
    for kept in [true, false] {
        let mut page = world(|environment| {
            phone(environment);
            environment.telegram = kept;
        });
        page.open(None);
        page.choose("io.metamask");
        tap(&mut page);
        let code = uri(&page);
        page.reload();
        assert_eq!(page.remote.fetched, 2, "the client hears of what was approved meanwhile");
        if kept {
            page.open(Some("ConnectingWalletConnectBasic"));
            assert_eq!((uri(&page), count(&page)), (code, 1));
            assert!(page.pairing().qr.is_some() && page.snapshot().countdown.is_some());
        }
        page.remote_approves();
        assert!(page.snapshot().account.accounts[0].is_connected && page.remote.ended.is_empty());
        assert!(page.remote.watched[0].1.as_ref().unwrap().starts_with("metamask://"), "by its link");
        assert!(!page.store.values.contains_key("@portico/pairing"));
    }
}

#[test]
fn spec_4_4_a_session_that_was_approved_while_the_page_was_away_is_there_when_it_comes_back() {
    let mut page = shown(world(phone), "io.metamask");
    tap(&mut page);
    let session = page.remote.session(page.now);
    page.remote.sessions.push(to_text(&session));
    page.reload();
    assert!(page.snapshot().account.accounts[0].is_connected && page.remote.ended.is_empty());
}

#[test]
fn a_page_starts_the_core_at_load_while_a_wallet_may_have_a_code_and_not_for_ever() {
    let waits = |page: &World| page.store.values.contains_key("@portico/pairing");
    let mut page = world(phone);
    page.open(None);
    assert!(!waits(&page), "no code was shown");
    page.choose("io.metamask");
    assert!(waits(&page), "it may be copied from the screen");
    page.modal(Modal::BackAsked);
    assert!(!waits(&page), "it was taken back");
    page.choose("io.metamask");
    tap(&mut page);
    page.modal(Modal::CloseAsked);
    assert!(waits(&page), "the wallet was opened with it");
    page.reload();
    assert!(waits(&page), "it may be approved yet");
    page.now += 240_000;
    page.reload();
    assert!(!waits(&page));
    for nonsense in ["{", "null", "7"] {
        page.store.values.insert("@portico/pairing".into(), nonsense.into());
        page.reload();
        assert!(!waits(&page), "{nonsense}");
    }
}

#[test]
fn a_code_that_is_on_the_screen_outlives_a_reload_and_none_that_was_closed() {
    for away in [true, false] {
        let mut page = shown(desktop(), "walletConnect");
        let first = page.remote.topics[0].clone();
        let session = page.remote.session_for(&first, page.now);
        if away {
            page.remote.sessions.push(to_text(&session));
        }
        page.reload();
        assert_eq!(page.remote.fetched, 2, "without a click");
        if !away {
            assert!(!page.snapshot().account.accounts[0].is_connected);
            // The code is shown for a while in this page alone: another one is made.
            let mut page = shown(page, "walletConnect");
            assert_eq!(count(&page), 2);
            page.connecting(Connect::SessionSettled { session });
            assert!(page.snapshot().account.accounts[0].is_connected);
            assert_eq!(page.remote.closed, [page.remote.topics[1].clone()], "one session, not two");
            assert!(!page.store.values.contains_key("@portico/pairing"));
            continue;
        }
        assert!(page.snapshot().account.accounts[0].is_connected && page.remote.ended.is_empty());
        assert!(!page.store.values.contains_key("@portico/pairing"));
    }
    let mut page = shown(desktop(), "walletConnect");
    page.modal(Modal::CloseAsked);
    page.reload();
    assert_eq!(page.remote.fetched, 1, "nothing before the click");
}

#[test]
fn a_code_of_another_tab_is_left_to_it_by_who_found_it_in_storage() {
    for opened in [false, true] {
        let mut page = shown(desktop(), "walletConnect");
        let theirs = page.remote.topics[0].clone();
        page.remote.shared = true;
        let until = page.now + 100_000;
        let stored = format!(r#"{{"topic":"{theirs}","uri":"wc:{theirs}@2","until":{until},"opened":{opened}}}"#);
        page.store.values.insert("@portico/pairing".into(), stored.clone());
        page.reload();
        // This tab connects another wallet by its own code.
        let mut page = shown(page, "walletConnect");
        page.remote_approves();
        assert!(!page.remote.closed.contains(&theirs), "{opened}");
        let session = page.remote.session_for(&theirs, page.now);
        page.connecting(Connect::SessionSettled { session });
        assert!(page.remote.ended.is_empty(), "neither theirs nor ours");
        // Connected before: what is approved for theirs takes nobody's place.
        let mut page = shown(desktop(), "walletConnect");
        page.remote_approves();
        page.store.values.insert("@portico/pairing".into(), stored);
        page.remote.shared = true;
        page.reload();
        let other = to_text(&page.remote.session_for(&theirs, page.now)).replace("5e55", "aaaa");
        page.connecting(Connect::SessionSettled { session: parse(&other).unwrap() });
        assert!(page.remote.ended.is_empty(), "{opened}");
    }
}

#[test]
fn the_code_that_is_asked_for_in_the_list_of_all_wallets_comes_on_phones_too() {
    let mut page = world(phone);
    page.open(Some("AllWallets"));
    page.choose("walletConnect");
    let pairing = page.pairing();
    assert_eq!(page.snapshot().modal.view, View::ConnectingWalletConnect);
    assert_eq!((pairing.wallet, pairing.platform, pairing.qr.is_some()), (None, Platform::Qrcode, true));
    // From the first list the entry leads to that of all wallets (spec 2.15).
    page.modal(Modal::BackAsked);
    assert_eq!(page.snapshot().modal.view, View::AllWallets);
}

#[test]
fn a_stored_code_that_is_over_or_nonsense_counts_as_none() {
    let good = format!("{:064x}", 1);
    for stored in [
        "7".into(),
        "{".into(),
        format!(r#"{{"topic":"{good}","uri":"wc:{good}@2","until":1}}"#),
        format!(r#"{{"topic":"{good}","uri":"wc:{good}@2","until":9999999999999999}}"#),
        format!(r#"{{"topic":"{good}","uri":"javascript:alert(1)","until":1700000100000}}"#),
        r#"{"topic":"","uri":"wc:@2","until":1700000100000}"#.into(),
    ] {
        let mut page = world(|environment| environment.telegram = true);
        page.store.values.insert("@portico/version".into(), "1".into());
        page.store.values.insert("@portico/pairing".into(), stored.clone());
        page.reload();
        let mut page = shown(page, "walletConnect");
        assert_eq!((count(&page), page.pairing().phase), (1, PairingPhase::Ready), "{stored}");
        let session = page.remote.session_for(&good, page.now);
        page.connecting(Connect::SessionSettled { session });
        assert!(!page.snapshot().account.accounts[0].is_connected, "{stored}");
    }
}

#[test]
fn a_code_that_is_wanted_before_the_client_is_there_comes_with_it() {
    let mut world = desktop();
    world.remote.missing = 1;
    let mut world = shown(world, "walletConnect");
    // The client was asked for again by the choice, after it could not be had.
    assert_eq!((world.remote.fetched, count(&world)), (2, 1));
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
    world.modal(Modal::BackAsked);
    assert_eq!(world.remote.closed, world.remote.topics);
}

#[test]
fn a_client_that_cannot_be_had_is_said_and_another_try_may_do_better() {
    let mut world = desktop();
    world.remote.missing = 2;
    let mut world = shown(world, "walletConnect");
    let pairing = world.pairing();
    assert_eq!((pairing.phase, pairing.error.unwrap().message.as_str()), (PairingPhase::Failed, "Failed to fetch"));
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
    assert!(world.event_names().contains(&"CONNECT_ERROR"));
    world.connecting(Connect::PairingRetryAsked);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
}

#[test]
fn a_client_that_never_comes_is_slow_then_failed_and_leaves_the_ways_back_and_anew_open() {
    let mut world = desktop();
    world.remote.silent = true;
    let mut world = shown(world, "walletConnect");
    world.advance(7_999);
    assert_eq!(world.pairing().phase, PairingPhase::Opening);
    world.advance(1);
    assert_eq!(world.pairing().phase, PairingPhase::Slow);
    world.advance(21_999);
    assert_eq!(world.pairing().phase, PairingPhase::Slow);
    world.advance(1);
    assert_eq!(world.pairing().phase, PairingPhase::Failed);
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
    world.connecting(Connect::PairingRetryAsked);
    assert_eq!(world.pairing().phase, PairingPhase::Opening);
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, world.snapshot().pairing), (View::Connect, None));
    world.advance(600_000);
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
}

#[test]
fn an_answer_that_is_no_code_is_a_failure_and_never_a_blank_screen() {
    let nonsense = [
        Ok(Value::Null),
        Ok(parse(r#"{"uri":"javascript:alert(1)","topic":"a"}"#).unwrap()),
        Ok(parse(r#"{"uri":"wc:a b","topic":"a"}"#).unwrap()),
        Ok(parse(r#"{"uri":"wc:a@2"}"#).unwrap()),
        Ok(parse(&format!(r#"{{"uri":"wc:{}","topic":"a"}}"#, "a".repeat(3_000))).unwrap()),
        Err(Value::Text("out of order".into())),
    ];
    for answer in nonsense {
        let mut world = desktop();
        world.remote.pairing = Some(answer.clone());
        let world = shown(world, "walletConnect");
        assert_eq!(world.pairing().phase, PairingPhase::Failed, "{answer:?}");
        assert_eq!(world.snapshot().countdown, None);
    }
}

#[test]
fn a_code_too_long_for_a_picture_can_still_be_copied_and_opened() {
    let mut world = desktop();
    let long = format!("wc:a@2?symKey={}", "b".repeat(1_700));
    world.remote.pairing = Some(Ok(parse(&format!(r#"{{"uri":"{long}","topic":"a"}}"#)).unwrap()));
    let mut world = shown(world, "walletConnect");
    assert_eq!((world.pairing().phase, world.pairing().qr), (PairingPhase::Ready, None));
    world.connecting(Connect::UriCopyAsked);
    assert_eq!(world.clipboard, [long]);
}

#[test]
fn spec_4_5_a_code_lives_four_minutes_and_counts_as_expired_with_ten_seconds_left() {
    let mut world = shown(desktop(), "walletConnect");
    let first = uri(&world);
    assert_eq!(world.snapshot().countdown, Some(230));
    world.advance(229_999);
    assert_eq!((uri(&world), world.snapshot().countdown), (first.clone(), Some(1)));
    world.advance(1);
    assert_ne!(uri(&world), first);
    assert_eq!((world.pairing().phase, world.snapshot().countdown), (PairingPhase::Ready, Some(230)));
}

#[test]
fn spec_9_1_the_pairing_lifetime_is_four_minutes_and_the_margin_ten_seconds() {
    use portico_core::connect::{PAIRING_LIFE, PAIRING_MARGIN};
    assert_eq!((PAIRING_LIFE, PAIRING_MARGIN), (4 * 60_000, 10_000));
}

#[test]
fn a_code_that_the_client_gives_less_time_counts_as_long_as_that() {
    let mut world = desktop();
    let end = world.now / 1_000 + 60;
    let answer = format!(r#"{{"uri":"wc:a@2","topic":"a","expiryTimestamp":{end}}}"#);
    world.remote.pairing = Some(Ok(parse(&answer).unwrap()));
    let world = shown(world, "walletConnect");
    assert_eq!(world.snapshot().countdown, Some(50));
}

#[test]
fn a_client_whose_clock_is_behind_is_not_asked_for_code_after_code() {
    let mut world = desktop();
    world.remote.pairing = Some(Ok(parse(r#"{"uri":"wc:a@2","topic":"a","expiryTimestamp":1}"#).unwrap()));
    let mut world = shown(world, "walletConnect");
    world.advance(10_000);
    assert!(world.remote.asked.len() < 15, "{}", world.remote.asked.len());
}

#[test]
fn the_seconds_are_counted_while_the_code_is_looked_at_and_no_longer() {
    let mut world = shown(desktop(), "walletConnect");
    world.advance(5_000);
    assert_eq!(world.snapshot().countdown, Some(225));
    world.modal(Modal::CloseAsked);
    world.relay_tells(RelayState::Open, None);
    world.advance(10_000);
    let next = world.app.next_timeout();
    assert!(next.is_none_or(|at| at > world.now + 1_000), "no alarm each second: {next:?}");
    assert_eq!((world.snapshot().countdown, count(&world)), (None, 1));
}

#[test]
fn a_page_that_slept_through_the_life_of_a_code_shows_another_one_when_it_wakes() {
    let mut world = shown(desktop(), "walletConnect");
    let first = uri(&world);
    world.now += 3_600_000;
    world.app.tick(world.now);
    world.settle();
    assert_ne!(uri(&world), first);
    assert_eq!(world.snapshot().countdown, Some(230));
}

#[test]
fn the_wallet_that_read_the_code_before_may_still_approve() {
    let mut world = shown(desktop(), "walletConnect");
    let first = world.remote.topics[0].clone();
    world.advance(231_000);
    assert_eq!(count(&world), 2);
    assert!(world.remote.closed.is_empty());
    let session = world.remote.session_for(&first, world.now);
    world.connecting(Connect::SessionSettled { session });
    assert!(world.snapshot().account.accounts[0].is_connected);
}

#[test]
fn spec_4_4_on_telegram_and_in_safari_on_ios_a_code_that_is_still_good_is_kept() {
    let telegram = |environment: &mut Environment| environment.telegram = true;
    let safari = |environment: &mut Environment| (environment.ios, environment.safari) = (true, true);
    let chrome = |environment: &mut Environment| environment.ios = true;
    let mac = |environment: &mut Environment| environment.safari = true;
    type Prepare<'a> = &'a dyn Fn(&mut Environment);
    let cases: [(Prepare, bool); 4] = [(&telegram, true), (&safari, true), (&chrome, false), (&mac, false)];
    for (prepare, kept) in cases {
        for leave in [Modal::BackAsked, Modal::CloseAsked] {
            let mut world = shown(world(prepare), "walletConnect");
            let first = uri(&world);
            assert_eq!(world.snapshot().account.accounts[0].status, Status::Connecting);
            world.modal(leave);
            assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
            world.advance(100_000);
            world = shown(world, "walletConnect");
            assert_eq!(uri(&world) == first, kept);
            let left = if kept { 130 } else { 230 };
            assert_eq!(world.snapshot().countdown, Some(left));
            world.remote_approves();
            assert_eq!(world.snapshot().account.accounts[0].status, Status::Connected);
        }
    }
}

#[test]
fn spec_4_4_where_the_kept_code_is_too_old_another_one_is_made() {
    let mut world = shown(world(|environment| environment.telegram = true), "walletConnect");
    let first = uri(&world);
    world.modal(Modal::CloseAsked);
    world.advance(230_000);
    let world = shown(world, "walletConnect");
    assert_ne!(uri(&world), first);
}

#[test]
fn spec_2_5_without_adapters_the_modal_opens_at_the_code_or_on_a_phone_at_all_wallets() {
    let alone = with_relay(
        &every_namespace()
            .replace(r#""adapters":[{"namespace":"eip155"},{"namespace":"solana"},{"namespace":"bip122"}],"#, ""),
    );
    let mut world = World::with(&alone, vec![], Store::default());
    world.open(None);
    assert_eq!(world.snapshot().modal.view, View::ConnectingWalletConnectBasic);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
    let asked = world.remote.asked[0].as_object().unwrap().iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
    assert_eq!(asked, ["eip155", "solana", "bip122"]);
    world.remote_approves();
    assert!(!world.snapshot().modal.open && world.snapshot().account.accounts[0].is_connected);

    let mut world = World::with(&alone, vec![], Store::default());
    world.environment.mobile = true;
    world.reload();
    world.open(None);
    assert_eq!(world.snapshot().modal.view, View::AllWallets);
    world.choose("io.metamask");
    assert_eq!(world.snapshot().modal.view, View::ConnectingWalletConnect);
    assert!(world.pairing().href.unwrap().starts_with("metamask://wc?uri=wc%3A"));
}

#[test]
fn from_the_code_for_any_wallet_the_visitor_goes_to_one_and_back_with_the_same_code() {
    let alone = with_relay(&options().replace(r#""adapters":[{"namespace":"eip155"}],"#, ""));
    let mut world = World::with(&alone, vec![], Store::default());
    world.open(None);
    let topics = count(&world);
    world.choose("io.metamask");
    assert_eq!(world.pairing().wallet.unwrap().name, "MetaMask");
    world.modal(Modal::BackAsked);
    let snapshot = world.snapshot();
    assert_eq!(snapshot.modal.view, View::ConnectingWalletConnectBasic);
    assert_eq!(world.pairing().wallet, None);
    assert!(count(&world) <= topics + 1 && snapshot.countdown.is_some());
}

#[test]
fn spec_2_3_a_uri_of_the_host_is_drawn_and_is_the_hosts_to_keep_alive() {
    let open = |world: &mut World, uri: &str| {
        let uri = Some(uri.into());
        world.modal(Modal::OpenAsked { view: None, namespace: None, uri, arguments: Value::Null, ticket: None });
    };
    let mut world = World::new(vec![]);
    open(&mut world, "wc:abc@2?relay-protocol=irn&symKey=def");
    let pairing = world.pairing();
    assert_eq!(world.snapshot().modal.view, View::ConnectingWalletConnectBasic);
    assert_eq!(pairing.uri.as_deref(), Some("wc:abc@2?relay-protocol=irn&symKey=def"));
    assert!(pairing.qr.is_some() && world.snapshot().countdown.is_none());
    world.advance(600_000);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
    world.modal(Modal::CloseAsked);
    assert!(world.remote.closed.is_empty() && world.remote.fetched == 0);

    let mut world = World::new(vec![]);
    open(&mut world, "javascript:alert(1)");
    assert_eq!(world.snapshot().pairing, None);
}

#[test]
fn a_uri_that_cannot_be_drawn_is_there_to_be_copied() {
    let uri = format!("wc:abc@2?symKey={}", "d".repeat(2_000));
    let mut world = World::new(vec![]);
    world.modal(Modal::OpenAsked {
        view: None,
        namespace: None,
        uri: Some(uri.clone()),
        arguments: Value::Null,
        ticket: None,
    });
    let pairing = world.pairing();
    assert_eq!((pairing.phase, pairing.uri, pairing.qr), (PairingPhase::Ready, Some(uri), None));
}

#[test]
fn a_host_that_pairs_by_itself_is_not_interfered_with() {
    let mut world = with(r#"{"manualWCControl":true,"#);
    world.open(None);
    assert_eq!(world.snapshot().modal.view, View::ConnectingWalletConnectBasic);
    assert_eq!(count(&world), 0);
}

#[test]
fn a_wallet_that_no_session_reaches_says_where_to_get_it() {
    let own = r#"{"customWallets":[{"id":"own","name":"Own","homepage":"https://own.example","chrome_store":"https://store.example"}],"#;
    let world = shown(with(own), "own");
    assert_eq!((world.snapshot().modal.view, count(&world)), (View::Downloads, 0));
}

fn platforms(mobile: bool, links: &str) -> PairingView {
    let own = format!(r#"{{"customWallets":[{{"id":"own","name":"Own",{links}}}],"#);
    let mut world = with(&own);
    world.environment.mobile = mobile;
    world.reload();
    shown(world, "own").pairing()
}

#[test]
fn the_ways_to_a_wallet_are_those_of_its_links_and_of_this_device() {
    use Platform::{Desktop, Mobile, Qrcode, Unsupported, Web};
    let (app, universal) = (r#""mobile_link":"own://""#, r#""link_mode":"https://own.example""#);
    let (desktop, web) = (r#""desktop_link":"owndesk://""#, r#""webapp_link":"https://app.example""#);
    let all = [app, universal, desktop, web].join(",");
    for (mobile, links, ways) in [
        (false, app, vec![Qrcode]),
        (true, app, vec![Mobile]),
        (true, universal, vec![Mobile]),
        (false, desktop, vec![Desktop]),
        (true, desktop, vec![Unsupported]),
        (false, web, vec![Web]),
        (true, web, vec![Web]),
        (false, &all, vec![Qrcode, Web, Desktop]),
        (true, &all, vec![Mobile, Web]),
    ] {
        let pairing = platforms(mobile, links);
        assert_eq!((pairing.platform, pairing.platforms), (ways[0], ways), "{mobile} {links}");
    }
}

#[test]
fn a_way_that_is_not_offered_cannot_be_chosen() {
    let mut world = shown(desktop(), "com.ledger");
    assert_eq!(world.pairing().platforms, [Platform::Qrcode, Platform::Desktop]);
    world.connecting(Connect::PlatformChosen { platform: Platform::Mobile });
    assert_eq!(world.pairing().platform, Platform::Qrcode);
    world.connecting(Connect::PlatformChosen { platform: Platform::Desktop });
    assert!(world.pairing().href.unwrap().starts_with("ledgerlive://wc?uri="));
    assert_eq!(tap(&mut world).1, LinkTarget::Here);
}

#[test]
fn a_wallet_that_turns_out_to_be_in_this_browser_can_be_asked_there() {
    let mut wallet = ScriptedWallet::named("MetaMask");
    wallet.rdns = "io.metamask".into();
    let mut world = World::with_hidden(vec![wallet], Store::default(), &["io.metamask"]);
    world = World::with(&with_relay(&options()), world.wallets, Store::default());
    world.hidden = vec!["io.metamask".into()];
    world.reload();
    let mut world = shown(world, "io.metamask");
    assert_eq!(world.pairing().platforms, [Platform::Qrcode]);
    world.announce("io.metamask");
    assert_eq!(world.pairing().platforms, [Platform::Browser, Platform::Qrcode]);
    world.connecting(Connect::PlatformChosen { platform: Platform::Browser });
    assert_eq!(world.snapshot().account.accounts[0].connector.as_deref(), Some("io.metamask"));
}

#[test]
fn the_link_is_there_before_the_tap_and_opens_in_it() {
    let mut world = shown(world(phone), "io.metamask");
    let uri = uri(&world);
    let encoded: String = uri
        .bytes()
        .map(|byte| match byte {
            b':' | b'@' | b'?' | b'=' | b'&' => format!("%{byte:02X}"),
            _ => char::from(byte).to_string(),
        })
        .collect();
    let href = world.pairing().href.unwrap();
    assert_eq!(href, format!("metamask://wc?uri={encoded}"));
    assert_eq!(tap(&mut world), (href, LinkTarget::Here));
    assert_eq!(world.store.values[CHOICE], r#"{"href":"metamask://","name":"MetaMask"}"#);
    let pairing = world.pairing();
    assert!(pairing.opened && pairing.phase == PairingPhase::Ready);
    // Still waiting: open again, copy, or take the code to another device.
    assert_eq!(pairing.platforms, [Platform::Mobile, Platform::Qrcode]);
    tap(&mut world);
    assert_eq!(world.remote.links.len(), 2);
    world.connecting(Connect::PlatformChosen { platform: Platform::Qrcode });
    assert!(world.pairing().qr.is_some());
}

#[test]
fn the_universal_link_goes_first_where_the_host_prefers_it() {
    let mut world = with(r#"{"experimental_preferUniversalLinks":true,"#);
    phone(&mut world.environment);
    world.reload();
    let mut world = shown(world, "io.metamask");
    assert!(world.pairing().universal);
    let (href, target) = tap(&mut world);
    assert!(href.starts_with("https://metamask.app.link/wc?uri=wc%3A"), "{href}");
    assert_eq!(target, LinkTarget::Apart);
    // A wallet without one is opened by its scheme all the same.
    world.modal(Modal::CloseAsked);
    let world = shown(world, "com.ledger");
    assert!(world.pairing().href.unwrap().starts_with("ledgerlive://wc?uri="));
}

#[test]
fn on_android_inside_telegram_the_uri_is_encoded_twice() {
    let telegram = |environment: &mut Environment| (environment.mobile, environment.telegram) = (true, true);
    let android = |environment: &mut Environment| {
        telegram(environment);
        environment.android = true;
    };
    let mut twice = shown(world(android), "io.metamask");
    let href = twice.pairing().href.unwrap();
    assert!(href.starts_with("metamask://wc?uri=wc%253A"), "{href}");
    assert_eq!(tap(&mut twice).1, LinkTarget::Apart);
    let once = shown(world(telegram), "io.metamask");
    assert!(once.pairing().href.unwrap().starts_with("metamask://wc?uri=wc%3A"));
}

#[test]
fn a_link_that_would_run_something_in_the_page_is_never_opened() {
    for link in [
        "javascript:alert(1)//",
        "JavaScript://%0aalert(1)",
        "data:text/html,x",
        "data://x",
        "vbscript://x",
        "blob://x",
        "file:///etc/passwd",
        "intent://x#Intent;end",
        "own://x y",
        "own://a?b=c",
        "own://a#b",
        "own:",
        "//own.example",
    ] {
        let links =
            format!(r#""mobile_link":"{link}","desktop_link":"{link}","webapp_link":"{link}","link_mode":"{link}""#);
        let own = format!(r#"{{"customWallets":[{{"id":"own","name":"Own",{links}}}],"#);
        let mut world = with(&own);
        phone(&mut world.environment);
        world.reload();
        let mut world = shown(world, "own");
        world.connecting(Connect::LinkAsked);
        assert_eq!((world.remote.links.len(), world.store.values.contains_key(CHOICE)), (0, false), "{link}");
    }
}

#[test]
fn nothing_is_opened_where_there_is_nothing_to_open() {
    let mut world = desktop();
    world.connecting(Connect::LinkAsked);
    let mut world = shown(world, "io.metamask");
    world.connecting(Connect::LinkAsked);
    assert!(world.remote.links.is_empty() && !world.pairing().opened);
}

#[test]
fn the_address_of_the_pairing_is_copied_and_said_so() {
    let mut world = shown(desktop(), "walletConnect");
    world.connecting(Connect::UriCopyAsked);
    assert_eq!(world.clipboard, [uri(&world)]);
    assert!(world.pairing().copied);
    assert_eq!(world.snapshot().notice.snack.unwrap().message, Some(Message::LinkCopied));
    let mut world = shown(desktop(), "walletConnect");
    world.clipboard_works = false;
    world.connecting(Connect::UriCopyAsked);
    assert!(!world.pairing().copied);
    assert_eq!(world.snapshot().notice.snack.unwrap().message, Some(Message::CopyFailed));
}

#[test]
fn where_to_get_the_wallet_stands_below_for_this_device() {
    let kinds = |prepare: &dyn Fn(&mut Environment)| {
        let installs = shown(world(prepare), "io.metamask").pairing().installs;
        installs.into_iter().map(|link| link.kind).collect::<Vec<_>>()
    };
    use LinkKind::{AppStore, ChromeStore, Homepage, PlayStore};
    assert_eq!(kinds(&|_| {}), [ChromeStore, AppStore, PlayStore, Homepage]);
    assert_eq!(kinds(&|environment| (environment.mobile, environment.ios) = (true, true)), [AppStore, Homepage]);
    assert_eq!(kinds(&|environment| (environment.mobile, environment.android) = (true, true)), [PlayStore, Homepage]);
}

#[test]
fn on_a_phone_the_entry_leads_to_all_wallets_and_the_code_is_one_step_on() {
    let mut world = shown(world(phone), "walletConnect");
    assert_eq!((world.snapshot().modal.view, count(&world)), (View::AllWallets, 0));
    world.modal(Modal::ViewAsked { view: View::ConnectingWalletConnect });
    assert_eq!((world.pairing().wallet, world.pairing().platform), (None, Platform::Qrcode));
    // A host that hides the list has no other way than the code.
    let mut hidden = with(r#"{"allWallets":"HIDE","#);
    phone(&mut hidden.environment);
    hidden.reload();
    assert_eq!(shown(hidden, "walletConnect").snapshot().modal.view, View::ConnectingWalletConnect);
}

#[test]
fn a_visitor_who_refuses_in_the_wallet_hears_so_and_may_try_again() {
    for code in [5000, 4001] {
        let mut world = shown(desktop(), "io.metamask");
        world.remote_refuses(code, "User rejected.");
        let pairing = world.pairing();
        assert_eq!((pairing.phase, pairing.uri), (PairingPhase::Refused, None));
        assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
        assert!(world.event_names().contains(&"USER_REJECTED"));
        world.connecting(Connect::PairingRetryAsked);
        assert_eq!(world.pairing().phase, PairingPhase::Ready);
        assert_eq!(world.pairing().wallet.unwrap().name, "MetaMask");
    }
}

#[test]
fn a_wallet_that_cannot_says_why() {
    let mut world = shown(desktop(), "walletConnect");
    world.remote_refuses(5100, "Unsupported chains.");
    let pairing = world.pairing();
    assert_eq!((pairing.phase, pairing.error.unwrap().message.as_str()), (PairingPhase::Failed, "Unsupported chains."));
    assert!(world.event_names().contains(&"CONNECT_ERROR"));
}

#[test]
fn what_is_said_of_a_code_that_is_not_ours_or_not_shown_is_not_heard() {
    let mut world = shown(desktop(), "walletConnect");
    let before = to_text(&world.snapshot());
    for topic in ["", "stranger"] {
        world.connecting(Connect::PairingRejected { topic: topic.into(), code: 5000, message: "No".into() });
    }
    let session = world.remote.session_for("stranger", world.now);
    world.connecting(Connect::SessionSettled { session });
    assert_eq!(to_text(&world.snapshot()), before);
    assert!(world.remote.ended.is_empty(), "another tab's session is left to it");
    let first = world.remote.topics[0].clone();
    world.advance(461_000);
    world.connecting(Connect::PairingRejected { topic: first, code: 5000, message: "No".into() });
    assert_eq!(world.pairing().phase, PairingPhase::Ready, "an old code says nothing of the one on the screen");
}

#[test]
fn who_read_the_code_in_its_last_seconds_and_refused_hears_so() {
    let mut world = shown(desktop(), "walletConnect");
    let first = world.remote.topics[0].clone();
    world.advance(231_000);
    assert_eq!(count(&world), 2);
    let refused = Connect::PairingRejected { topic: first, code: 5000, message: "No".into() };
    world.connecting(refused.clone());
    assert_eq!(world.pairing().phase, PairingPhase::Refused);
    world.connecting(Connect::PairingRetryAsked);
    world.connecting(refused);
    assert_eq!((world.pairing().phase, count(&world)), (PairingPhase::Ready, 3));
}

#[test]
fn a_visitor_who_takes_none_of_the_chains_methods_or_events_has_refused() {
    for code in [5000, 5001, 5002, 5003, 4001] {
        let mut world = shown(desktop(), "walletConnect");
        world.remote_refuses(code, "User disapproved.");
        let pairing = world.pairing();
        assert_eq!((pairing.phase, pairing.error.unwrap().code), (PairingPhase::Refused, 4001), "{code}");
        assert!(world.event_names().contains(&"USER_REJECTED"), "{code}");
    }
}

#[test]
fn the_codes_that_were_on_the_screen_before_are_taken_back_once_a_wallet_is_connected() {
    let mut world = shown(desktop(), "walletConnect");
    world.advance(231_000);
    world.remote_approves();
    assert_eq!(world.remote.closed, world.remote.topics[..1]);
    let late = world.remote.session_for(&world.remote.topics[0], world.now);
    world.connecting(Connect::SessionSettled { session: late.clone() });
    assert_eq!(world.remote.ended, [late.get("topic").as_str().unwrap()]);
    assert!(world.snapshot().account.accounts[0].is_connected);
}

#[test]
fn a_code_that_was_taken_back_connects_nobody() {
    let mut world = shown(desktop(), "walletConnect");
    world.modal(Modal::BackAsked);
    world.remote_approves();
    assert!(!world.snapshot().account.accounts[0].is_connected);
    assert_eq!(world.remote.ended.len(), 1);
}

#[test]
fn who_closed_the_modal_after_reading_the_code_may_still_approve() {
    let mut world = shown(desktop(), "walletConnect");
    world.modal(Modal::CloseAsked);
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
    world.remote_approves();
    assert!(world.snapshot().account.accounts[0].is_connected && !world.snapshot().modal.open);
}

#[test]
fn a_link_that_was_opened_in_vain_says_when_its_time_is_over() {
    let mut world = shown(world(phone), "io.metamask");
    world.relay_tells(RelayState::Open, None);
    tap(&mut world);
    world.advance(229_999);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
    world.advance(1);
    let pairing = world.pairing();
    assert_eq!((pairing.phase, pairing.href, pairing.error), (PairingPhase::Expired, None, None));
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
    world.advance(60_000);
    assert_eq!(count(&world), 1);
    world.connecting(Connect::PairingRetryAsked);
    assert!(world.pairing().href.is_some() && !world.pairing().opened);
}

#[test]
fn a_relay_that_takes_long_is_slow_and_one_that_cannot_be_reached_is_said() {
    let mut world = shown(desktop(), "walletConnect");
    world.advance(7_999);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
    world.advance(1);
    assert_eq!(world.pairing().phase, PairingPhase::Slow);
    world.relay_tells(RelayState::Closed, Some("1006"));
    assert_eq!(world.pairing().phase, PairingPhase::Unreachable);
    world.relay_tells(RelayState::Connecting, None);
    assert_eq!(world.pairing().phase, PairingPhase::Slow);
    world.relay_tells(RelayState::Open, None);
    assert_eq!((world.pairing().phase, world.pairing().error), (PairingPhase::Ready, None));
    // It goes again, and comes back in time.
    world.relay_tells(RelayState::Closed, None);
    world.advance(7_000);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
    world.relay_tells(RelayState::Open, None);
    world.advance(7_000);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
}

#[test]
fn a_relay_that_goes_and_comes_does_not_put_off_what_is_said() {
    let mut world = shown(desktop(), "walletConnect");
    for _ in 0..8 {
        world.relay_tells(RelayState::Connecting, None);
        world.advance(500);
        world.relay_tells(RelayState::Closed, None);
        world.advance(500);
    }
    assert_eq!(world.pairing().phase, PairingPhase::Unreachable);
}

#[test]
fn one_relay_of_several_is_enough() {
    let mut world = shown(desktop(), "walletConnect");
    world.relay_tells(RelayState::Closed, Some("1006"));
    world.advance(8_000);
    assert_eq!(world.pairing().error.unwrap().code, 4900);
    world.relay_tells(RelayState::Refused, Some("Unauthorized: invalid key"));
    assert_eq!(world.pairing().phase, PairingPhase::Unreachable);
    assert_eq!(world.pairing().error.unwrap().code, 3000, "a better line would not help");
    let relay = "wss://other.example".into();
    world.connecting(Connect::RelayTold { relay, state: RelayState::Open, reason: None });
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
}

#[test]
fn spec_8_49_what_a_relay_says_becomes_the_alert_of_its_meaning_once() {
    for (said, key) in [
        ("Unauthorized: origin not allowed", AlertKey::OriginNotAllowed),
        ("JWT validation error: JWT Token is not yet valid", AlertKey::JwtTokenNotValid),
        ("Unauthorized: invalid key", AlertKey::InvalidProjectId),
    ] {
        let mut world = shown(desktop(), "walletConnect");
        world.relay_tells(RelayState::Refused, Some(said));
        world.relay_tells(RelayState::Refused, Some(said));
        assert_eq!(world.alerts, [(key, String::from("https://host.example"))]);
        let pairing = world.pairing();
        assert_eq!((pairing.phase, pairing.error.unwrap().message.as_str()), (PairingPhase::Unreachable, said));
        // Whoever tries again is not told what was before.
        world.connecting(Connect::PairingRetryAsked);
        assert_eq!(world.pairing().phase, PairingPhase::Ready);
    }
}

#[test]
fn spec_8_46_a_relay_that_misses_the_project_id_raises_the_alert_for_it() {
    let mut world = shown(desktop(), "walletConnect");
    world.relay_tells(RelayState::Refused, Some("Unauthorized: Project ID is missing"));
    assert_eq!(world.alerts[0].0, AlertKey::ProjectIdNotConfigured);
}

#[test]
fn a_wallet_that_was_chosen_is_tracked_with_the_way_to_it() {
    let selected = |world: World| {
        let event = world.events.iter().find(|(name, _)| name == "SELECT_WALLET").unwrap().1.clone();
        [event.get("name").as_str().unwrap().to_string(), event.get("platform").as_str().unwrap().into()]
    };
    assert_eq!(selected(shown(desktop(), "io.metamask")), ["MetaMask", "qrcode"]);
    assert_eq!(selected(shown(world(phone), "io.metamask")), ["MetaMask", "mobile"]);
    assert_eq!(selected(shown(desktop(), "walletConnect")), ["WalletConnect", "qrcode"]);
}

#[test]
fn a_choice_is_tracked_with_the_view_the_place_there_and_the_rank() {
    let told = |world: &World, wanted: &str| {
        let event = world.events.iter().rfind(|(name, _)| name == wanted).unwrap().1.clone();
        let own = event.as_object().unwrap().iter().filter(|(name, _)| name != "caipNetworkId");
        to_text(&portico_json::Value::Object(own.cloned().collect()))
    };
    let mut world = shown(desktop(), "io.metamask");
    let first = r#"{"name":"MetaMask","platform":"qrcode","displayIndex":1,"walletRank":1,"view":"Connect"}"#;
    assert_eq!(told(&world, "SELECT_WALLET"), first);
    world.remote_approves();
    let success = r#"{"method":"qrcode","name":"Pocket","reconnect":false,"walletRank":1,"view":"Connect"}"#;
    assert_eq!(told(&world, "CONNECT_SUCCESS"), success);
    world.reload();
    assert_eq!(
        told(&world, "CONNECT_SUCCESS"),
        r#"{"method":"qrcode","name":"Pocket","reconnect":true,"walletRank":1}"#
    );

    let mut world = desktop();
    world.open(Some("AllWallets"));
    world.choose("me.rainbow");
    assert!(told(&world, "SELECT_WALLET").ends_with(r#""view":"AllWallets"}"#));
    world.connecting(Connect::ConnectAsked { connector: Some("io.metamask".into()), namespace: None, ticket: 7 });
    assert_eq!(told(&world, "SELECT_WALLET"), r#"{"name":"MetaMask","platform":"qrcode","walletRank":1}"#);
}

#[test]
fn a_link_to_get_a_wallet_is_tracked_and_one_that_opens_it_is_not() {
    use portico_core::connect::LinkKind;
    let got = |world: &World| world.events.iter().filter(|(name, _)| name == "GET_WALLET").count();
    let mut world = shown(desktop(), "io.metamask");
    for kind in [LinkKind::Open, LinkKind::WebApp] {
        world.connecting(Connect::GetAsked { kind });
    }
    assert_eq!(got(&world), 0);
    world.connecting(Connect::GetAsked { kind: LinkKind::AppStore });
    let event = &world.events.last().unwrap().1;
    let own = ["name", "walletRank", "explorerId", "type"].map(|name| to_text(event.get(name)));
    assert_eq!(own, [r#""MetaMask""#, "1", r#""io.metamask""#, r#""app_store""#]);
    let mut world = shown(desktop(), "walletConnect");
    world.connecting(Connect::GetAsked { kind: LinkKind::Homepage });
    assert_eq!(got(&world), 0, "of no wallet");
}

#[test]
fn a_wallet_that_was_opened_by_its_link_and_cannot_connect_is_tracked_without_the_key() {
    let failed = |world: &World| world.events.iter().find(|(name, _)| name == "CONNECT_PROXY_ERROR").cloned();
    let mut world = shown(world(phone), "io.metamask");
    tap(&mut world);
    world.remote_refuses(5_100, "No such chain");
    let event = failed(&world).unwrap().1;
    assert_eq!(event.get("message").as_str(), Some("No such chain"));
    assert_eq!(event.get("name").as_str(), Some("MetaMask"));
    assert_eq!(event.get("mobile_link").as_str(), Some("metamask://"));
    assert!(event.get("uri").as_str().is_some_and(|uri| uri.starts_with("wc:") && uri.ends_with("@2")));
    // Where nothing was opened, or the visitor refused, the link is not to blame.
    for (open, code) in [(false, 5_100), (true, 5_000)] {
        let mut world = shown(self::world(phone), "io.metamask");
        if open {
            tap(&mut world);
        }
        world.remote_refuses(code, "");
        assert!(failed(&world).is_none());
    }
}

#[test]
fn a_host_that_asks_for_a_remote_wallet_gets_the_account_or_the_reason() {
    let ask = |world: &mut World, ticket: u32| {
        world.dispatch(Event::Connect(Connect::ConnectAsked {
            connector: Some("walletConnect".into()),
            namespace: None,
            ticket,
        }));
    };
    let mut world = desktop();
    ask(&mut world, 1);
    assert_eq!((world.snapshot().modal.open, world.snapshot().modal.view), (true, View::ConnectingWalletConnect));
    world.remote_refuses(5000, "No");
    assert!(world.answer(1).unwrap().contains("userRejected"));
    world.modal(Modal::CloseAsked);
    ask(&mut world, 2);
    world.modal(Modal::CloseAsked);
    assert!(world.answer(2).unwrap().contains("modalClosed"));
    ask(&mut world, 3);
    world.remote_approves();
    assert!(world.answer(3).unwrap().contains("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"));
    ask(&mut world, 4);
    world.remote_approves();
    for answers in world.answers.values() {
        assert_eq!(answers.len(), 1);
    }
}

#[test]
fn an_agreement_that_is_missing_holds_back_remote_wallets_too() {
    let asking = r#"{"features":{"legalCheckbox":true},"termsConditionsUrl":"https://host.example/terms","#;
    let world = shown(with(asking), "walletConnect");
    assert_eq!((world.snapshot().modal.view, world.snapshot().pairing), (View::Connect, None));
}

#[test]
fn a_code_waits_for_the_second_half_of_the_core_and_nobody_who_left_meanwhile_gets_one() {
    let mut world = desktop();
    world.home_missing = 1;
    let mut world = shown(world, "walletConnect");
    assert_eq!((world.snapshot().modal.view, count(&world)), (View::ConnectingWalletConnect, 0));
    assert!(world.snapshot().config.wallet_connect && world.snapshot().pairing.is_none());
    world.advance(3_000);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);

    for leave in [Modal::BackAsked, Modal::CloseAsked] {
        let mut world = desktop();
        world.home_missing = 1;
        let mut world = shown(world, "io.metamask");
        world.modal(leave);
        world.advance(3_000);
        assert_eq!((world.snapshot().pairing, count(&world)), (None, 0));
        let world = shown(world, "walletConnect");
        assert_eq!((world.pairing().phase, world.pairing().wallet), (PairingPhase::Ready, None));
    }
}
