//! Scenarios of messages that arrive while the modal is closed.

use portico_core::Event;
use portico_core::network::Event as Network;
use portico_core::notice::{AlertKey, Event as Notice, Message, Variant};
use portico_core::send::Event as Send;
use portico_core::{modal::Event as Modal, modal::View};
use portico_json::Value;
use portico_testkit::{ScriptedWallet, Store, World, options};

const RECEIVER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

fn alert(world: &World) -> (Option<AlertKey>, bool) {
    let notice = world.snapshot().notice;
    (notice.alert.map(|alert| alert.key), notice.over_page)
}

fn switch_to_unknown(world: &mut World, ticket: u32) {
    let network = Value::Text("eip155:1".into());
    world.dispatch(Event::Network(Network::SwitchAsked { network, ticket: Some(ticket) }));
}

#[test]
fn a_transaction_that_is_mined_after_the_modal_was_closed_is_told() {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha")]);
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world.dispatch(Event::Send(Send::AmountTyped { text: "1".into() }));
    world.dispatch(Event::Send(Send::ReceiverTyped { text: RECEIVER.into() }));
    world.advance(500);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.modal(Modal::CloseAsked);
    world.advance(1_000);
    world.node.receipts.insert(format!("0x{}", "ab".repeat(32)), true);
    for _ in 0..30 {
        if world.snack() == Some(Message::TransactionConfirmed) {
            assert!(!world.snapshot().modal.open);
            return;
        }
        world.advance(500);
    }
    panic!("the visitor never heard of it");
}

#[test]
fn spec_8_47_an_unknown_network_is_told_over_the_page_and_a_mistake_in_the_options_waits() {
    let mut world = World::with(&options().replace(r#""projectId":"test","#, ""), vec![], Store::default());
    assert_eq!(alert(&world), (Some(AlertKey::ProjectIdNotConfigured), false));
    switch_to_unknown(&mut world, 1);
    assert_eq!(alert(&world), (Some(AlertKey::SwitchNetworkNotFound), true));
    world.dispatch(Event::Notice(Notice::AlertDismissed));
    assert_eq!(alert(&world), (Some(AlertKey::ProjectIdNotConfigured), false));
}

#[test]
fn in_an_open_or_an_embedded_modal_the_oldest_alert_is_read_first() {
    let no_project = options().replace(r#""projectId":"test","#, "");
    let mut opened = World::with(&no_project, vec![], Store::default());
    opened.open(None);
    let embedded = no_project.replacen('{', r#"{"enableEmbedded":true,"#, 1);
    for mut world in [opened, World::with(&embedded, vec![], Store::default())] {
        switch_to_unknown(&mut world, 1);
        assert_eq!(alert(&world), (Some(AlertKey::ProjectIdNotConfigured), false));
    }
}

#[test]
fn spec_2_31_a_message_that_was_set_to_stay_stays_until_it_is_closed() {
    let mut world = World::new(vec![]);
    let said = |auto_close| Notice::HostSaid { variant: Variant::Loading, text: "Signing in".into(), auto_close };
    let shown = |world: &World| world.snapshot().notice.snack.is_some();
    world.dispatch(Event::Notice(said(None)));
    world.advance(60_000);
    assert!(shown(&world));
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    assert!(!shown(&world));
    world.dispatch(Event::Notice(said(Some(true))));
    world.advance(60_000);
    assert!(!shown(&world));
}

#[test]
fn spec_2_32_every_alert_is_told_to_the_console_once_also_where_none_is_drawn() {
    let careless = options().replace(r#""projectId":"test","#, r#""endpoints":"nonsense","#);
    let silent = careless.replacen('{', r#"{"debug":false,"#, 1);
    for (options, drawn) in [(careless, true), (silent, false)] {
        let mut world = World::with(&options, vec![], Store::default());
        assert_eq!(alert(&world).0.is_some(), drawn);
        switch_to_unknown(&mut world, 1);
        let keys: Vec<_> = world.alerts.iter().map(|(key, _)| *key).collect();
        let expected = [AlertKey::ProjectIdNotConfigured, AlertKey::InvalidOptions, AlertKey::SwitchNetworkNotFound];
        assert_eq!(keys, expected, "drawn: {drawn}");
    }
}
