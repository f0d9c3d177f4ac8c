use portico_core::Event;
use portico_core::connect::{Event as Connect, Status};
use portico_core::modal::View;
use portico_core::send::Event as Send;
use portico_json::parse;
use portico_testkit::{Behaviour, ScriptedWallet, World};

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
    assert_eq!(world.answer(4).unwrap(), r#"[{"type":"resolved","value":null}]"#);
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
