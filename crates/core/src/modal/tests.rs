use super::*;
use crate::boot::Environment;
use crate::config::Options;
use crate::facts::{ActiveAccount, Facts};
use crate::modal::Alarm;
use portico_terms::ConnectorKind;
use std::rc::Rc;

fn facts(change: impl FnOnce(&mut Facts)) -> Facts {
    let options = Options { adapters: vec![Namespace::Eip155, Namespace::Solana], ..Options::default() };
    let mut facts = Facts { options: Rc::new(options), ..Facts::default() };
    change(&mut facts);
    facts
}

/// Connects an account of each of these namespaces.
fn connect(facts: &mut Facts, namespaces: Vec<Namespace>) {
    let account = |namespace| ActiveAccount {
        namespace,
        address: String::new(),
        connector: String::new(),
        handle: String::new(),
        kind: ConnectorKind::Announced,
        wallet: String::new(),
    };
    facts.accounts = namespaces.into_iter().map(|namespace| account(namespace).into()).collect();
}

fn with_options(facts: &mut Facts, change: impl FnOnce(&mut Options)) {
    let mut options = (*facts.options).clone();
    change(&mut options);
    facts.options = Rc::new(options);
}

fn send(modal: &mut Modal, facts: &Facts, event: Event) -> Vec<Signal> {
    let mut cx = Cx::new(0, facts);
    modal.update(event, &mut cx);
    cx.signals
}

fn open(modal: &mut Modal, facts: &Facts, view: Option<&str>) -> View {
    let event = Event::OpenAsked {
        view: view.map(Into::into),
        namespace: None,
        uri: None,
        arguments: Value::Null,
        ticket: None,
    };
    send(modal, facts, event);
    modal.top()
}

fn push(modal: &mut Modal, facts: &Facts, view: View) {
    send(modal, facts, Event::ViewAsked { view });
}

#[test]
fn spec_2_1_the_modal_is_one_overlay_with_a_stack_of_views() {
    let facts = facts(|_| {});
    let mut modal = Modal::default();
    assert!(!modal.is_open());
    open(&mut modal, &facts, None);
    push(&mut modal, &facts, View::Networks);
    let picture = modal.view(&facts);
    assert_eq!((picture.open, picture.view, picture.depth, picture.can_go_back), (true, View::Networks, 1, true));
}

#[test]
fn spec_2_2_every_view_of_the_contract_has_its_name() {
    for name in [
        "Connect",
        "Account",
        "AllWallets",
        "ConnectingWalletConnect",
        "ConnectingWalletConnectBasic",
        "ConnectingExternal",
        "ConnectingFarcaster",
        "UnsupportedChain",
        "ChooseAccountName",
        "RegisterAccountName",
        "RegisterAccountNameSuccess",
        "SIWXSignMessage",
        "ApproveTransaction",
        "Swap",
    ] {
        assert!(View::from_word(name).is_some(), "{name}");
    }
    assert_eq!(View::from_host("ConnectingSiwe"), Some(View::SIWXSignMessage));
}

#[test]
fn spec_2_3_opening_takes_a_namespace_a_view_and_a_connection_uri() {
    let facts = facts(|_| {});
    let mut modal = Modal::default();
    let event = Event::OpenAsked {
        view: None,
        namespace: Some("solana".into()),
        uri: Some("wc:1@2".into()),
        arguments: Value::Null,
        ticket: None,
    };
    let signals = send(&mut modal, &facts, event);
    assert!(signals.contains(&Signal::NamespaceAsked(Namespace::Solana)));
    assert_eq!(modal.view(&facts).data.get("uri").as_str(), Some("wc:1@2"));
}

#[test]
fn spec_2_4_an_explicit_view_is_shown_with_its_data() {
    let facts = facts(|_| {});
    let mut modal = Modal::default();
    let arguments = Value::Object(vec![("amount".into(), "1".into())]);
    let event = Event::OpenAsked {
        view: Some("Networks".into()),
        namespace: None,
        uri: None,
        arguments: arguments.clone(),
        ticket: None,
    };
    send(&mut modal, &facts, event);
    assert_eq!((modal.top(), modal.view(&facts).data), (View::Networks, arguments));
}

#[test]
fn spec_2_5_without_adapters_and_not_connected_mobile_shows_all_wallets_and_desktop_the_basic_code() {
    let mobile = facts(|facts| {
        with_options(facts, |options| options.adapters.clear());
        facts.environment = Environment { mobile: true, ..Environment::default() }.into();
    });
    assert_eq!(open(&mut Modal::default(), &mobile, None), View::AllWallets);
    let desktop = facts(|facts| with_options(facts, |options| options.adapters.clear()));
    assert_eq!(open(&mut Modal::default(), &desktop, None), View::ConnectingWalletConnectBasic);
}

#[test]
fn spec_2_6_connected_shows_account_otherwise_connect() {
    assert_eq!(open(&mut Modal::default(), &facts(|_| {}), None), View::Connect);
    assert_eq!(
        open(&mut Modal::default(), &facts(|facts| connect(facts, vec![Namespace::Eip155])), None),
        View::Account
    );
}

#[test]
fn spec_6_2_account_is_shown_only_when_connected() {
    for view in ["Account", "WalletSend"] {
        assert_eq!(open(&mut Modal::default(), &facts(|_| {}), Some(view)), View::Connect);
    }
}

#[test]
fn spec_2_7_the_modal_is_360_pixels_wide() {
    assert_eq!(WIDTH, 360);
}

#[test]
fn spec_2_18_pushing_the_view_already_on_top_does_nothing() {
    let facts = facts(|_| {});
    let mut modal = Modal::default();
    open(&mut modal, &facts, None);
    push(&mut modal, &facts, View::Networks);
    push(&mut modal, &facts, View::Networks);
    assert_eq!(modal.view(&facts).depth, 1);
}

#[test]
fn spec_2_19_reset_replaces_the_whole_history() {
    let facts = facts(|_| {});
    let mut modal = Modal::default();
    open(&mut modal, &facts, None);
    push(&mut modal, &facts, View::Networks);
    modal.reset(View::Account);
    assert_eq!((modal.top(), modal.view(&facts).depth), (View::Account, 0));
}

#[test]
fn spec_2_20_replace_swaps_the_top_entry() {
    let facts = facts(|_| {});
    let mut modal = Modal::default();
    open(&mut modal, &facts, None);
    push(&mut modal, &facts, View::Networks);
    modal.replace(View::SwitchNetwork);
    assert_eq!((modal.top(), modal.view(&facts).depth), (View::SwitchNetwork, 1));
    send(&mut modal, &facts, Event::BackAsked);
    assert_eq!(modal.top(), View::Connect);
}

#[test]
fn spec_2_21_going_back_with_one_entry_left_closes_the_modal() {
    let facts = facts(|_| {});
    let mut modal = Modal::default();
    open(&mut modal, &facts, None);
    send(&mut modal, &facts, Event::BackAsked);
    assert!(!modal.is_open());
}

#[test]
fn spec_2_21_going_back_while_unsupported_chain_is_in_history_closes_the_modal() {
    let facts = facts(|_| {});
    let mut modal = Modal::default();
    open(&mut modal, &facts, None);
    push(&mut modal, &facts, View::UnsupportedChain);
    push(&mut modal, &facts, View::SwitchNetwork);
    send(&mut modal, &facts, Event::BackAsked);
    assert!(!modal.is_open());
}

#[test]
fn spec_2_23_closing_an_embedded_modal_goes_to_account_if_connected_otherwise_connect() {
    for (connected, expected) in [(vec![Namespace::Eip155], View::Account), (vec![], View::Connect)] {
        let facts = facts(|facts| {
            with_options(facts, |options| options.embedded = true);
            connect(facts, connected);
        });
        let mut modal = Modal::default();
        open(&mut modal, &facts, Some("Networks"));
        send(&mut modal, &facts, Event::CloseAsked);
        assert_eq!(modal.top(), expected);
    }
}

#[test]
fn spec_2_25_closing_is_disabled_on_a_required_sign_in_without_a_session() {
    for view in [View::SIWXSignMessage, View::ApproveTransaction] {
        let due = facts(|facts| {
            facts.sign_in_due = true;
            connect(facts, vec![Namespace::Eip155]);
        });
        let mut modal = Modal::default();
        open(&mut modal, &due, None);
        modal.push(view, &mut Cx::new(0, &due));
        assert_eq!(modal.top(), view);
        send(&mut modal, &due, Event::CloseAsked);
        assert!(modal.is_open() && !modal.view(&due).closable);
        let done = facts(|_| {});
        assert!(modal.view(&done).closable);
        send(&mut modal, &done, Event::CloseAsked);
        assert!(!modal.is_open());
    }
}

#[test]
fn spec_2_28_a_refused_close_shakes_the_modal_for_500_ms() {
    let facts = facts(|facts| {
        facts.sign_in_due = true;
        connect(facts, vec![Namespace::Eip155]);
    });
    let mut modal = Modal::default();
    open(&mut modal, &facts, None);
    let mut cx = Cx::new(100, &facts);
    modal.update(Event::CloseAsked, &mut cx);
    assert_eq!(cx.alarms, [(Alarm::ShakeEnd.into(), Some(600))]);
    assert!(modal.view(&facts).shaking);
    modal.alarm(Alarm::ShakeEnd);
    assert!(!modal.view(&facts).shaking);
}

#[test]
fn spec_9_4_animations_last_120_150_and_150_ms() {
    assert_eq!(ANIMATION, [120, 150, 150]);
}

#[test]
fn spec_2_3_every_view_that_hosts_may_name_is_shown_once_a_wallet_is_connected() {
    let facts = facts(|facts| connect(facts, vec![Namespace::Eip155]));
    for view in [
        "Account",
        "Connect",
        "Networks",
        "ApproveTransaction",
        "OnRampProviders",
        "ConnectingWalletConnectBasic",
        "Swap",
        "WhatIsAWallet",
        "WhatIsANetwork",
        "AllWallets",
        "WalletSend",
        "ProfileWallets",
    ] {
        assert_eq!(open(&mut Modal::default(), &facts, Some(view)).word(), view);
    }
}

#[test]
fn an_unknown_view_is_told_and_the_modal_opens_at_its_first_view() {
    for name in ["Nonsense", "ConnectingExternal", "", "connect"] {
        let facts = facts(|_| {});
        let mut modal = Modal::default();
        let event = Event::OpenAsked {
            view: Some(name.into()),
            namespace: None,
            uri: None,
            arguments: Value::Null,
            ticket: Some(1),
        };
        let mut cx = Cx::new(0, &facts);
        modal.update(event, &mut cx);
        assert_eq!(modal.top(), View::Connect, "{name}");
        assert!(matches!(&cx.signals[0], Signal::Warn(_, detail) if detail.contains("Unknown view")), "{name}");
        assert!(portico_json::to_text(&cx.asks[0].0).contains("unknownView"));
    }
}

#[test]
fn spec_2_20_a_host_replaces_the_view_on_top_and_an_unknown_one_is_told() {
    let facts = facts(|_| {});
    let mut modal = Modal::default();
    open(&mut modal, &facts, None);
    push(&mut modal, &facts, View::WhatIsAWallet);
    send(&mut modal, &facts, Event::ReplaceAsked { view: "Networks".into() });
    assert_eq!((modal.top(), modal.view(&facts).depth), (View::Networks, 1));
    for event in
        [Event::ReplaceAsked { view: "SwitchNetwork".into() }, Event::RedirectAsked { view: "Nonsense".into() }]
    {
        let signals = send(&mut modal, &facts, event);
        assert!(matches!(&signals[0], Signal::Warn(_, detail) if detail.contains("Unknown view")));
        assert_eq!(modal.top(), View::Networks);
    }
    send(&mut modal, &facts, Event::ReplaceAsked { view: "Account".into() });
    assert_eq!(modal.top(), View::Networks);
}

#[test]
fn spec_6_4_a_feature_that_is_off_has_no_view() {
    let facts = facts(|facts| {
        connect(facts, vec![Namespace::Eip155]);
        with_options(facts, |options| {
            options.features.send = false;
            options.network_switch = false;
        });
    });
    for view in ["WalletSend", "Networks"] {
        assert_eq!(open(&mut Modal::default(), &facts, Some(view)), View::Account, "{view}");
    }
}

#[test]
fn spec_8_54_a_view_that_is_refused_is_not_tracked_as_if_the_visitor_came_to_it() {
    let tracked = |facts: &Facts, open: bool| {
        let mut modal = Modal { open, ..Modal::default() };
        send(&mut modal, facts, Event::ViewAsked { view: View::Networks }).len()
    };
    assert_eq!((tracked(&facts(|_| {}), true), tracked(&facts(|_| {}), false)), (1, 0));
    let off = facts(|facts| with_options(facts, |options| options.network_switch = false));
    assert_eq!(tracked(&off, true), 0);
}

#[test]
fn spec_2_3_a_namespace_that_is_not_connected_shows_connect_though_another_one_is() {
    let facts = facts(|facts| connect(facts, vec![Namespace::Eip155]));
    let mut modal = Modal::default();
    let event = Event::OpenAsked {
        view: None,
        namespace: Some("solana".into()),
        uri: None,
        arguments: Value::Null,
        ticket: None,
    };
    send(&mut modal, &facts, event);
    assert_eq!(modal.top(), View::Connect);
}
