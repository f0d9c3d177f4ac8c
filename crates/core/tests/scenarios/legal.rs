//! Scenarios of a host whose visitors must accept its legal pages before they choose a wallet.

use portico_core::connect::{Consent, Event as Connect, Status};
use portico_core::modal::{Event as Modal, View};
use portico_core::{Event, config};
use portico_json::parse;
use portico_testkit::{ScriptedWallet, Store, World, options, with_relay};

const TERMS: &str = r#""termsConditionsUrl":"https://host.example/terms","#;

fn world(extra: &str) -> World {
    let options = options().replacen('{', &["{", extra].concat(), 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha")], Store::default());
    world.open(None);
    world
}

fn asking() -> World {
    world(&[r#""features":{"legalCheckbox":true},"#, TERMS].concat())
}

fn tick(world: &mut World, ticked: bool) {
    world.dispatch(Event::Connect(Connect::LegalTicked { ticked }));
}

fn status(world: &World) -> Status {
    world.snapshot().account.accounts[0].status
}

fn consent(world: &World) -> Consent {
    world.snapshot().connect.consent
}

#[test]
fn spec_6_6_the_legal_checkbox_is_off_by_default_and_then_nothing_is_asked() {
    let mut world = world(TERMS);
    assert_eq!(consent(&world), Consent::Unasked);
    world.choose("example.alpha");
    assert_eq!(status(&world), Status::Connected);
}

#[test]
fn until_the_box_is_ticked_no_wallet_can_be_chosen() {
    let mut world = asking();
    assert_eq!(consent(&world), Consent::Missing);
    world.choose("example.alpha");
    assert_eq!((status(&world), world.snapshot().connect.attempt), (Status::Disconnected, None));
    tick(&mut world, true);
    assert_eq!(consent(&world), Consent::Given);
    world.choose("example.alpha");
    assert_eq!(status(&world), Status::Connected);
}

#[test]
fn until_the_box_is_ticked_no_code_is_shown_wherever_the_modal_opens() {
    let legal = [r#"{"features":{"legalCheckbox":true},"#, TERMS].concat();
    let with = with_relay(&options().replacen('{', &legal, 1));
    let without_adapters = with.replace(r#"{"namespace":"eip155"}"#, "");
    for (options, view, mobile) in [
        (&with, Some("ConnectingWalletConnectBasic"), false),
        (&with, Some("AllWallets"), true),
        (&without_adapters, None, false),
        (&without_adapters, None, true),
    ] {
        let mut world = World::with(options, vec![], Store::default());
        world.environment.mobile = mobile;
        world.reload();
        world.open(view);
        assert_eq!((world.snapshot().modal.view, world.remote.topics.len()), (View::Connect, 0), "{view:?} {mobile}");
        world.modal(Modal::ReplaceAsked { view: "ConnectingWalletConnectBasic".into() });
        world.modal(Modal::RedirectAsked { view: "AllWallets".into() });
        world.choose("walletConnect");
        assert_eq!((world.snapshot().modal.view, world.remote.topics.len()), (View::Connect, 0), "{view:?} {mobile}");
        tick(&mut world, true);
        world.modal(Modal::RedirectAsked { view: "ConnectingWalletConnectBasic".into() });
        assert_eq!(world.remote.topics.len(), 1, "{view:?} {mobile}");
    }
    // A host that starts a connection itself obtains consent on its own.
    let mut world = World::with(&with, vec![], Store::default());
    let (connector, namespace) = (Some("walletConnect".into()), None);
    world.dispatch(Event::Connect(Connect::ConnectAsked { connector, namespace, ticket: 1 }));
    assert_eq!(world.remote.topics.len(), 1);
}

#[test]
fn a_tick_can_be_taken_away_and_is_not_remembered_by_the_browser() {
    let mut world = asking();
    tick(&mut world, true);
    tick(&mut world, false);
    world.choose("example.alpha");
    assert_eq!((consent(&world), status(&world)), (Consent::Missing, Status::Disconnected));
    tick(&mut world, true);
    world.reload();
    assert_eq!(consent(&world), Consent::Missing);
}

#[test]
fn the_host_itself_is_not_held_back() {
    let mut world = asking();
    let connector = Some("example.alpha".into());
    world.dispatch(Event::Connect(Connect::ConnectAsked { connector, namespace: None, ticket: 1 }));
    assert!(world.answer(1).unwrap().contains("resolved"));
    assert_eq!(status(&world), Status::Connected);
}

#[test]
fn without_a_page_to_agree_to_there_is_nothing_to_tick() {
    let world = world(r#""features":{"legalCheckbox":true},"privacyPolicyUrl":"javascript:alert(1)","#);
    assert_eq!(consent(&world), Consent::Unasked);
}

#[test]
fn a_host_may_begin_to_ask_later() {
    let mut world = world(TERMS);
    let features = parse(r#"{"legalCheckbox":true}"#).unwrap();
    world.dispatch(Event::Config(config::Event::FeaturesChanged { features }));
    assert_eq!(consent(&world), Consent::Missing);
}
