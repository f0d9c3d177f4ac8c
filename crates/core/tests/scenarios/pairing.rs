//! Scenarios of pairings: who is offered a code on the screen, and the result for the host. The modules share one page, phone and relay.

mod answer;
mod kept;
mod life;
mod relays;
mod tracked;
mod ways;

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
    // Without a relay no session is possible, so there is nothing to wait for.
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
