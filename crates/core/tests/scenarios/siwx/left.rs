//! Scenarios of leaving a sign-in by its cancel: to Connect, back to a network with a session, to another namespace, or to a network that the host does not serve.

use super::{ACCOUNT, CHAIN, OTHER, alpha, asked, is_connected, phase, shown, signed, tracked};
use portico_core::connect::Event as Connect;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::siwx::{Event as SignIn, FRESH, Phase};
use portico_core::{Event, SignInCall};
use portico_json::{Value, parse};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, every_namespace, options, with_sign_in};

const SECOND: &str = "eip155:31338";
/// Request of the Solana wallet's accounts.
const CONNECT: &str = "standard:connect";
const SOLANA_ADDRESS: &str = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";

fn choose(world: &mut World, chain: &str) {
    world.dispatch(Event::Network(Network::NetworkChosen { chain: chain.into() }));
}

fn chain(world: &World) -> Option<String> {
    world.snapshot().network.active.map(|network| network.caip_network_id.to_string())
}

/// A visitor who signed in, moved to another network and is asked there.
fn moved(required: bool) -> World {
    let mut world = signed(required);
    choose(&mut world, SECOND);
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    world
}

#[test]
fn spec_4_28_cancelling_a_required_sign_in_disconnects_and_shows_connect() {
    let mut world = asked(true);
    assert!(world.snapshot().siwx.disconnects, "the button says so");
    world.sign_in(SignIn::CancelAsked);
    assert!(!is_connected(&world));
    assert_eq!((shown(&world), phase(&world)), (Some(View::Connect), Phase::Idle));
    assert_eq!(tracked(&world, "CLICK_CANCEL_SIWX").len(), 1);
    assert_eq!(world.site.count(SignInCall::RevokeSession), 0, "there was no session");
    world.modal(Modal::CloseAsked);
    assert_eq!(shown(&world), None);
}

#[test]
fn spec_4_28_cancelling_an_optional_sign_in_closes_the_modal_resets_it_to_connect_and_keeps_the_account() {
    let mut world = asked(false);
    assert!(!world.snapshot().siwx.disconnects);
    world.sign_in(SignIn::CancelAsked);
    assert!(is_connected(&world));
    let modal = world.snapshot().modal;
    assert_eq!((modal.open, modal.view, modal.depth), (false, View::Connect, 0));
    assert_eq!(tracked(&world, "CLICK_CANCEL_SIWX").len(), 1);
    // The visitor is connected, so the modal opens at the account (spec 2.6).
    world.open(None);
    assert_eq!(shown(&world), Some(View::Account));
    world.modal(Modal::CloseAsked);
    world.advance(60_000);
    assert_eq!((shown(&world), world.site.count(SignInCall::GetSessions)), (None, 1), "the visitor has decided");
}

#[test]
fn spec_4_28_and_2_23_cancelling_an_optional_sign_in_in_an_embedded_modal_shows_the_account() {
    let embedded = with_sign_in(&options(), false).replacen('{', r#"{"enableEmbedded":true,"#, 1);
    let mut world = World::with(&embedded, vec![alpha()], Store::default());
    world.connect_first();
    assert_eq!(world.snapshot().modal.view, View::SIWXSignMessage);
    world.sign_in(SignIn::CancelAsked);
    let modal = world.snapshot().modal;
    assert_eq!((modal.view, modal.depth, is_connected(&world)), (View::Account, 0, true));
}

#[test]
fn spec_4_28_cancelling_after_a_change_of_network_leads_back_to_the_last_signed_one() {
    for (required, wait) in [(true, 0), (true, FRESH), (false, 0), (false, FRESH)] {
        let mut world = moved(required);
        world.advance(wait);
        assert!(!world.snapshot().siwx.disconnects);
        world.sign_in(SignIn::CancelAsked);
        assert_eq!((shown(&world), phase(&world)), (None, Phase::Idle));
        assert_eq!((chain(&world).as_deref(), is_connected(&world)), (Some(CHAIN), true));
        assert_eq!(world.wallet().chain, 31337);
        assert_eq!(world.site.count(SignInCall::RevokeSession), 0);
        assert!(required || world.snapshot().modal.view == View::Connect);
        world.open(None);
        assert_eq!(shown(&world), Some(View::Account));
    }
}

#[test]
fn spec_2_25_and_4_28_a_wallet_that_does_not_go_back_leaves_a_required_sign_in_due() {
    let mut world = moved(true);
    world.wallet().behaviours.insert("wallet_switchEthereumChain".into(), Behaviour::Refuse);
    world.sign_in(SignIn::CancelAsked);
    assert_eq!((shown(&world), chain(&world).as_deref()), (Some(View::SwitchNetwork), Some(SECOND)));
    world.modal(Modal::CloseAsked);
    assert!(world.snapshot().modal.shaking);
    world.modal(Modal::BackAsked);
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    // Another time the visitor is not led in a circle.
    assert!(world.snapshot().siwx.disconnects);
    world.sign_in(SignIn::CancelAsked);
    assert_eq!((shown(&world), is_connected(&world)), (Some(View::Connect), false));
}

#[test]
fn a_wallet_that_does_not_go_back_from_an_optional_sign_in_stays_connected() {
    let mut world = moved(false);
    world.wallet().behaviours.insert("wallet_switchEthereumChain".into(), Behaviour::Refuse);
    world.sign_in(SignIn::CancelAsked);
    assert_eq!((shown(&world), phase(&world), is_connected(&world)), (None, Phase::Idle, true));
    assert_eq!(chain(&world).as_deref(), Some(SECOND));
}

#[test]
fn spec_4_28_another_account_has_no_signed_network_to_go_back_to() {
    let mut world = moved(true);
    let handle = world.wallet().handle();
    let accounts = parse(&format!(r#"["{OTHER}"]"#)).unwrap();
    world.dispatch(Event::Connect(Connect::AccountsChanged { handle, accounts }));
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    world.sign_in(SignIn::CancelAsked);
    assert_eq!((shown(&world), is_connected(&world)), (Some(View::Connect), false));
}

#[test]
fn interface_2_2_both_choices_of_the_visitor_are_tracked() {
    let mut world = asked(true);
    world.sign_in(SignIn::SignAsked);
    assert_eq!(tracked(&world, "CLICK_SIGN_SIWX_MESSAGE").len(), 1);
    assert_eq!(tracked(&world, "CLICK_CANCEL_SIWX").len(), 0);
    world.sign_in(SignIn::SignAsked);
    assert_eq!(tracked(&world, "CLICK_SIGN_SIWX_MESSAGE").len(), 1, "there is nothing to sign any more");
    choose(&mut world, SECOND);
    world.sign_in(SignIn::CancelAsked);
    assert_eq!(tracked(&world, "CLICK_CANCEL_SIWX").len(), 1);
}

/// Wallets of an EVM account and of one of Solana, on a page that requires a sign-in.
fn of_two_namespaces() -> World {
    let sol = ScriptedWallet::named("Sol").of(Namespace::Solana, SOLANA_ADDRESS).through(ConnectorKind::External);
    World::with(&with_sign_in(&every_namespace(), true), vec![alpha(), sol], Store::default())
}

/// A visitor who signed in with an EVM account, connected one of Solana and is asked for it.
fn two_namespaces() -> World {
    let mut world = of_two_namespaces();
    world.connect_first();
    world.sign_in(SignIn::SignAsked);
    open_for(&mut world, "solana");
    world.choose("example.sol");
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    world
}

/// Namespaces that the host sees connected.
fn connected(world: &World) -> Vec<Namespace> {
    let accounts = world.snapshot().account.accounts;
    accounts.iter().filter(|account| account.address.is_some()).map(|one| one.namespace).collect()
}

/// The host connects the wallet of Solana.
fn host_connects(world: &mut World, namespace: Option<&str>, ticket: u32) {
    let (connector, namespace) = (Some("example.sol".into()), namespace.map(Into::into));
    world.dispatch(Event::Connect(Connect::ConnectAsked { connector, namespace, ticket }));
}

fn open_for(world: &mut World, namespace: &str) {
    let namespace = Some(namespace.into());
    world.modal(Modal::OpenAsked { view: None, namespace, uri: None, arguments: Value::Null, ticket: None });
}

#[test]
fn spec_6_3_an_account_of_another_namespace_signs_in_for_itself() {
    let mut world = two_namespaces();
    world.modal(Modal::CloseAsked);
    assert!(world.snapshot().modal.shaking, "the session of the first account is none of the second");
    assert_eq!(world.site.sessions, [(CHAIN.to_owned(), ACCOUNT.to_owned())]);
    world.sign_in(SignIn::CancelAsked);
    assert_eq!(chain(&world).as_deref(), Some(CHAIN), "the first account is signed in");
    world.open(None);
    assert_eq!(shown(&world), Some(View::Account));
}

#[test]
fn spec_6_3_another_namespace_leaves_no_account_behind_without_its_required_sign_in() {
    let mut world = two_namespaces();
    let asked = world.site.asked.len();
    open_for(&mut world, "eip155");
    for event in [
        Event::Connect(Connect::ConnectAsked { connector: None, namespace: Some("bip122".into()), ticket: 8 }),
        Event::Network(Network::NetworkChosen { chain: CHAIN.into() }),
        Event::Network(Network::SwitchAsked { network: CHAIN.into(), ticket: Some(9) }),
    ] {
        world.dispatch(event);
        assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
        assert_eq!(chain(&world).as_deref(), Some(portico_testkit::SOLANA));
        world.modal(Modal::CloseAsked);
        assert!(world.snapshot().modal.shaking);
        world.advance(500);
    }
    assert!(world.answer(9).unwrap().contains("cancelled"));
    assert_eq!(world.site.asked.len(), asked);
    world.reload();
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    assert_eq!(chain(&world).as_deref(), Some(portico_testkit::SOLANA));
}

#[test]
fn spec_6_3_a_host_connects_another_namespace_only_after_the_required_sign_in() {
    let mut world = of_two_namespaces();
    world.connect_first();
    for (ticket, namespace) in [(1, None), (2, Some("solana"))] {
        host_connects(&mut world, namespace, ticket);
        let told = world.answer(ticket).unwrap();
        assert!(told.contains("signInRequired") && told.contains("Sign in with the connected account first"), "{told}");
    }
    assert!(world.wallets[1].requests.is_empty());
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    assert_eq!(connected(&world), [Namespace::Eip155]);
    world.sign_in(SignIn::SignAsked);
    host_connects(&mut world, Some("solana"), 3);
    assert!(world.answer(3).unwrap().contains(SOLANA_ADDRESS));
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    world.sign_in(SignIn::CancelAsked);
    assert_eq!(connected(&world), [Namespace::Eip155]);
}

#[test]
fn a_host_connects_another_wallet_of_the_namespace_in_place_of_the_account_that_has_to_sign_in() {
    let beta = ScriptedWallet { accounts: vec![OTHER.into()], ..ScriptedWallet::named("Beta") };
    let mut world = World::with(&with_sign_in(&options(), true), vec![alpha(), beta], Store::default());
    world.connect_first();
    let (connector, namespace) = (Some("example.beta".into()), Some("eip155".into()));
    world.dispatch(Event::Connect(Connect::ConnectAsked { connector, namespace, ticket: 1 }));
    assert!(world.answer(1).unwrap().contains(OTHER));
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    let (_, given) = world.site.asked.last().unwrap();
    assert_eq!(given.get("accountAddress").as_str(), Some(OTHER));
}

#[test]
fn spec_6_3_a_wallet_that_answers_after_the_sign_in_of_another_account_is_due_leaves_none_without_it() {
    let mut world = of_two_namespaces();
    world.connect_first();
    world.wallets[0].behaviours.insert("eth_accounts".into(), Behaviour::Late(1_000));
    world.wallets[1].behaviours.insert(CONNECT.into(), Behaviour::Late(2_000));
    world.reload();
    host_connects(&mut world, Some("solana"), 1);
    world.advance(1_000);
    assert_eq!((shown(&world), connected(&world)), (Some(View::SIWXSignMessage), vec![Namespace::Eip155]));
    world.advance(1_000);
    assert!(world.answer(1).unwrap().contains(SOLANA_ADDRESS));
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    assert_eq!(connected(&world), [Namespace::Solana]);
    world.modal(Modal::CloseAsked);
    assert!(world.snapshot().modal.shaking);
    world.sign_in(SignIn::CancelAsked);
    assert_eq!((shown(&world), is_connected(&world)), (Some(View::Connect), false));
}

#[test]
fn a_wallet_that_answers_while_the_site_is_asked_about_another_account_leaves_that_one_connected() {
    let mut world = of_two_namespaces();
    world.connect_first();
    world.sign_in(SignIn::SignAsked);
    world.wallets[0].behaviours.insert("eth_accounts".into(), Behaviour::Late(1_000));
    world.wallets[1].behaviours.insert(CONNECT.into(), Behaviour::Late(2_000));
    world.site.silent.push(SignInCall::GetSessions);
    world.reload();
    host_connects(&mut world, Some("solana"), 1);
    world.advance(2_000);
    assert!(world.answer(1).unwrap().contains(SOLANA_ADDRESS));
    assert_eq!((connected(&world).len(), chain(&world).as_deref()), (2, Some(CHAIN)));
    // A call of the host that begins now is told to wait.
    host_connects(&mut world, Some("solana"), 2);
    assert!(world.answer(2).unwrap().contains("signInRequired"));
    world.site_answers(SignInCall::GetSessions, Ok(Value::List(vec![Value::Null])));
    assert_eq!((shown(&world), chain(&world).as_deref()), (None, Some(CHAIN)));
    assert_eq!((connected(&world).len(), world.site.count(SignInCall::RevokeSession)), (2, 0));
}

#[test]
fn spec_6_3_a_host_connects_no_wallet_that_may_be_of_another_namespace_before_the_required_sign_in() {
    let mut world = of_two_namespaces();
    world.connect_first();
    let calls = [("example.sol", Some("eip155")), ("walletConnect", None), ("a-wallet-of-the-directory", None)];
    for (ticket, (connector, namespace)) in (1..).zip(calls) {
        let (connector, namespace) = (Some(connector.into()), namespace.map(Into::into));
        world.dispatch(Event::Connect(Connect::ConnectAsked { connector, namespace, ticket }));
        assert!(world.answer(ticket).unwrap().contains("signInRequired"));
    }
    assert_eq!((shown(&world), connected(&world)), (Some(View::SIWXSignMessage), vec![Namespace::Eip155]));
}

#[test]
fn spec_4_28_cancelling_the_sign_in_of_one_namespace_keeps_the_session_of_the_other() {
    let mut world = two_namespaces();
    world.sign_in(SignIn::CancelAsked);
    assert_eq!(connected(&world), [Namespace::Eip155]);
    assert_eq!(world.site.sessions, [(CHAIN.to_owned(), ACCOUNT.to_owned())]);
    assert_eq!(world.site.count(SignInCall::RevokeSession), 0);
}

#[test]
fn spec_2_24_and_6_3_a_network_of_another_page_is_no_way_around_a_required_sign_in() {
    for allowed in ["", r#""allowUnsupportedChain":true,"#] {
        let options = options().replace(r#""projectId""#, &format!(r#"{allowed}"projectId""#));
        let mut world = World::with(&with_sign_in(&options, true), vec![alpha()], Store::default());
        world.connect_first();
        world.wallet_switches(999);
        assert_eq!((shown(&world), phase(&world)), (Some(View::UnsupportedChain), Phase::Idle), "{allowed}");
        world.modal(Modal::CloseAsked);
        assert_eq!(shown(&world), Some(View::UnsupportedChain), "{allowed}");
        assert!(world.site.sessions.is_empty());
        world.wallet_switches(31338);
        assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready), "{allowed}");
    }
    let options = options().replace(r#""projectId""#, r#""allowUnsupportedChain":true,"projectId""#);
    let mut world = World::with(&with_sign_in(&options, false), vec![alpha()], Store::default());
    world.connect_first();
    world.wallet_switches(999);
    assert_eq!(shown(&world), None, "an optional sign-in leaves the host's choice");
}
