//! Scenarios of the embedded wallet's settings, which the frame draws: the modal makes room, and learns that the visitor is done.

use portico_api::frame::FrameEvent;
use portico_core::account::BALANCE_CACHE;
use portico_core::embedded::{Event, LIMIT, LoginPhase, Method, SETTLE};
use portico_core::modal::{Event as Modal, View};
use portico_json::{Value, parse};
use portico_testkit::{Store, World, options, with_login};

const EMAIL: &str = "alice@example.org";

fn value(text: &str) -> Value {
    parse(text).unwrap()
}

fn submitted() -> World {
    let mut world = World::with(&with_login(&options()), vec![], Store::default());
    world.open(None);
    world.embedded(Event::EmailSubmitted { email: EMAIL.into() });
    world.advance(SETTLE);
    world
}

fn type_code(world: &mut World) {
    world.embedded(Event::CodeTyped { text: "123456".into() });
}

/// World with the settings of a connected visitor.
fn shown() -> World {
    let mut world = submitted();
    type_code(&mut world);
    world.open(None);
    world.embedded(Event::SettingsAsked);
    world
}

/// World with a login whose wallet is locked.
fn locked() -> World {
    let mut world = submitted();
    world.frame.answers.push((FrameEvent::ConnectOtp, Ok(value(r#"{"locked":true}"#))));
    type_code(&mut world);
    world
}

fn view(world: &World) -> View {
    world.snapshot().modal.view
}

fn connected(world: &World) -> bool {
    world.snapshot().account.accounts.first().is_some_and(|account| account.address.is_some())
}

fn hidden(world: &World) -> usize {
    world.frame.payloads(FrameEvent::HideSettings).len()
}

#[test]
fn the_settings_are_shown_until_the_visitor_is_done_however_long_it_takes() {
    let mut world = shown();
    assert_eq!((view(&world), world.snapshot().embedded.settings), (View::UpgradeEmailWallet, true));
    assert!(world.event_names().contains(&"EMAIL_UPGRADE_FROM_MODAL"));
    world.advance(100 * LIMIT);
    assert!(world.snapshot().embedded.settings);
    world.embedded(Event::SettingsAsked);
    assert_eq!(world.frame.payloads(FrameEvent::ShowSettings).len(), 1, "one at a time");
    world.frame_answers(FrameEvent::ShowSettings, Ok(value(r#"{"connected":true}"#)));
    assert_eq!((view(&world), world.snapshot().embedded.settings), (View::Account, false));
    assert!(connected(&world));
    assert_eq!(hidden(&world), 0);
}

#[test]
fn leaving_their_view_or_closing_the_modal_hides_the_settings() {
    let mut world = shown();
    world.modal(Modal::BackAsked);
    assert_eq!((view(&world), hidden(&world)), (View::Account, 1));
    let mut world = shown();
    world.modal(Modal::CloseAsked);
    assert_eq!((world.snapshot().embedded.settings, hidden(&world)), (false, 1));
}

/// World whose host adds the login of its site, by the call with this ticket.
fn adding() -> World {
    let mut world = submitted();
    type_code(&mut world);
    world.embedded(Event::MethodCalled { method: Method::AddLogin, payload: value(r#"{"jwt":"a.b.c"}"#), ticket: 7 });
    world
}

fn answer(world: &World) -> String {
    world.answer(7).unwrap_or_default()
}

#[test]
fn the_host_adds_the_login_of_its_site_in_the_settings_where_the_visitor_agrees() {
    let mut world = adding();
    assert_eq!((view(&world), world.snapshot().modal.open), (View::UpgradeEmailWallet, true));
    assert_eq!(world.frame.payloads(FrameEvent::ShowSettings), [&value(r#"{"jwt":"a.b.c"}"#)]);
    assert_eq!(answer(&world), "");
    world.frame_answers(FrameEvent::ShowSettings, Ok(value(r#"{"connected":true,"added":true}"#)));
    assert!(answer(&world).contains("resolved"), "{}", answer(&world));
    assert!(connected(&world));

    let mut world = adding();
    world.frame_answers(FrameEvent::ShowSettings, Ok(value(r#"{"connected":true}"#)));
    assert!(answer(&world).contains("aborted"), "{}", answer(&world));

    let mut world = adding();
    world.modal(Modal::CloseAsked);
    assert!(answer(&world).contains("aborted"), "{}", answer(&world));
    assert_eq!(hidden(&world), 1);
}

#[test]
fn the_host_adds_no_login_beside_open_settings_without_a_token_and_without_an_account() {
    let mut world = shown();
    let add = |world: &mut World, payload: &str| {
        world.embedded(Event::MethodCalled { method: Method::AddLogin, payload: value(payload), ticket: 7 });
        answer(world)
    };
    let told = add(&mut world, r#"{"jwt":"a.b.c"}"#);
    assert!(told.contains("Finish the open request first"), "{told}");
    let mut world = submitted();
    type_code(&mut world);
    let told = add(&mut world, r#"{"jwt":7}"#);
    assert!(told.contains("Check the parameters"), "{told}");
    let mut world = World::with(&with_login(&options()), vec![], Store::default());
    world.embedded(Event::MethodCalled { method: Method::AddLogin, payload: value(r#"{"jwt":"a.b.c"}"#), ticket: 7 });
    world.advance(SETTLE);
    assert!(answer(&world).contains("Address or auth connector not found"), "{}", answer(&world));
}

#[test]
fn spec_4_36_and_4_37_signing_out_in_the_settings_logs_out_here_too() {
    let mut world = shown();
    world.frame_answers(FrameEvent::ShowSettings, Ok(value(r#"{"connected":false}"#)));
    assert!(!connected(&world));
    let stored = |key: &str| world.store.entries().iter().any(|entry| entry.key == key);
    assert!(!stored("@appkit-wallet/EMAIL_LOGIN_USED_KEY") && !stored("@appkit-wallet/EMAIL"));
}

#[test]
fn a_passkey_logs_in_without_an_address() {
    let mut world = World::with(&with_login(&options()), vec![], Store::default());
    world.open(None);
    world.embedded(Event::PasskeyAsked);
    world.advance(SETTLE);
    assert_eq!(view(&world), View::UpgradeEmailWallet);
    // The frame draws this view itself, in the theme of the page.
    let events: Vec<_> = world.frame.asked.iter().map(|(event, _)| *event).collect();
    assert_eq!(events, [FrameEvent::SyncDappData, FrameEvent::SyncTheme, FrameEvent::ShowSettings]);
    world.frame.session = true;
    world.frame_answers(FrameEvent::ShowSettings, Ok(value(r#"{"connected":true}"#)));
    assert!(connected(&world));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn a_wallet_that_was_opened_is_entered_until_its_account_is_there() {
    let mut world = World::with(&with_login(&options()), vec![], Store::default());
    world.open(None);
    world.embedded(Event::PasskeyAsked);
    world.advance(SETTLE);
    world.frame.silent.push(FrameEvent::GetUser);
    world.frame_answers(FrameEvent::ShowSettings, Ok(value(r#"{"connected":true}"#)));
    let embedded = world.snapshot().embedded;
    assert_eq!(
        (view(&world), embedded.settings, embedded.phase),
        (View::UpgradeEmailWallet, false, LoginPhase::Entering)
    );
}

#[test]
fn a_login_by_passkey_that_is_left_leads_back() {
    let mut world = World::with(&with_login(&options()), vec![], Store::default());
    world.open(None);
    world.embedded(Event::PasskeyAsked);
    world.advance(SETTLE);
    world.frame_answers(FrameEvent::ShowSettings, Ok(value(r#"{"connected":false}"#)));
    assert_eq!((view(&world), world.snapshot().embedded.fault), (View::Connect, None));
}

#[test]
fn nobody_opens_the_settings_of_nobody() {
    let mut world = submitted();
    world.embedded(Event::SettingsAsked);
    assert!(world.frame.payloads(FrameEvent::ShowSettings).is_empty());
}

#[test]
fn a_locked_wallet_is_opened_in_the_settings_before_the_account_connects() {
    let mut world = locked();
    assert_eq!((view(&world), connected(&world)), (View::UpgradeEmailWallet, false));
    assert!(world.frame.payloads(FrameEvent::GetUser).is_empty());
    world.frame.session = true;
    world.frame_answers(FrameEvent::ShowSettings, Ok(value(r#"{"connected":true}"#)));
    assert!(connected(&world));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn a_locked_wallet_that_is_not_opened_connects_nobody() {
    let mut world = locked();
    world.frame_answers(FrameEvent::ShowSettings, Ok(value(r#"{"connected":false}"#)));
    assert!(!connected(&world));
    assert_eq!(view(&world), View::Connect);
    let mut world = locked();
    world.modal(Modal::BackAsked);
    assert_eq!((view(&world), hidden(&world), connected(&world)), (View::Connect, 1, false));
    world.frame_answers(FrameEvent::ShowSettings, Ok(value(r#"{"connected":true}"#)));
    assert!(!connected(&world), "a late answer connects nobody");
}

/// Connected visitor whose page asks for a request that the visitor approves; what is offered then.
fn requested(world: &mut World, method: &str, params: &str, answer: &str) -> bool {
    world.frame.answers.push((FrameEvent::RpcRequest, Ok(value(answer))));
    let (params, method) = (value(params), method.to_string());
    world.embedded(Event::RequestAsked { method, params, chain: None, ticket: 90 });
    world.advance(0);
    world.snapshot().embedded.offer
}

const HASH: &str = r#""0xabababababababababababababababababababababababababababababababab""#;

#[test]
fn a_passkey_is_offered_after_the_first_payment_and_never_again_once_declined() {
    let mut world = submitted();
    type_code(&mut world);
    assert!(!world.snapshot().embedded.offer);
    let own = world.snapshot().account.accounts[0].address.clone().unwrap();
    let (signs, pays) =
        (format!(r#"["0x6869","{own}"]"#), format!(r#"[{{"from":"{own}","to":"{own}","value":"0x1"}}]"#));
    assert!(!requested(&mut world, "personal_sign", &signs, r#""0x11""#), "a signature pays nothing");
    assert!(requested(&mut world, "eth_sendTransaction", &pays, HASH));
    // Another page of this browser offers it still.
    let mut later = World::with(&with_login(&options()), vec![], world.store.clone());
    later.frame.session = true;
    later.advance(SETTLE);
    assert!(later.snapshot().embedded.offer);
    later.embedded(Event::PasskeyDeclined);
    assert!(!later.snapshot().embedded.offer);
    assert!(!requested(&mut later, "eth_sendTransaction", &pays, HASH));
}

#[test]
fn a_passkey_is_offered_once_the_account_holds_coins() {
    let mut world = submitted();
    type_code(&mut world);
    let own = world.snapshot().account.accounts[0].address.clone().unwrap();
    world.open(None);
    assert!(!world.snapshot().embedded.offer, "an empty account has nothing to lose");
    world.node.balances.insert(own.to_lowercase(), 1);
    world.advance(BALANCE_CACHE);
    world.modal(Modal::CloseAsked);
    world.open(None);
    assert!(world.snapshot().embedded.offer);
    world.embedded(Event::PasskeyDeclined);
    world.advance(BALANCE_CACHE);
    world.modal(Modal::CloseAsked);
    world.open(None);
    assert!(!world.snapshot().embedded.offer);
}

#[test]
fn a_visitor_who_opened_the_settings_is_offered_no_passkey() {
    let mut world = submitted();
    type_code(&mut world);
    let own = world.snapshot().account.accounts[0].address.clone().unwrap();
    let pays = format!(r#"[{{"from":"{own}","to":"{own}","value":"0x1"}}]"#);
    assert!(requested(&mut world, "eth_sendTransaction", &pays, HASH));
    world.open(None);
    world.embedded(Event::SettingsAsked);
    assert!(!world.snapshot().embedded.offer);
    world.modal(Modal::CloseAsked);
    assert!(!requested(&mut world, "eth_sendTransaction", &pays, HASH));
}
