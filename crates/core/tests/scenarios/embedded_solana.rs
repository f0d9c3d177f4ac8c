//! Scenarios of the embedded wallet's account on Solana, which the page tells after a login.

mod awaited;

use portico_core::Event as Any;
use portico_core::account::AccountState;
use portico_core::connect::{Event as Connect, Status};
use portico_core::embedded::{Event, SETTLE};
use portico_core::modal::View;
use portico_core::network::Event as Network;
use portico_json::Value;
use portico_terms::{AccountKind, ConnectorKind, Namespace};
use portico_testkit::{SOLANA, ScriptedWallet, Store, World, every_namespace, with_login};

const EVM: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const OURS: &str = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";
const THEIRS: &str = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi";

fn world(wallets: Vec<ScriptedWallet>) -> World {
    World::with(&with_login(&every_namespace()), wallets, Store::default())
}

fn log_in(world: &mut World) {
    world.open(None);
    world.embedded(Event::EmailSubmitted { email: "alice@example.org".into() });
    world.advance(SETTLE);
    world.embedded(Event::CodeTyped { text: "123456".into() });
}

/// The page tells these accounts on Solana.
fn tell(world: &mut World, accounts: &[&str]) {
    let accounts = Value::List(accounts.iter().map(|address| Value::Text((*address).into())).collect());
    world.dispatch(Any::Connect(Connect::LoginToldOnSolana { accounts }));
}

fn logged_in() -> World {
    let mut world = world(vec![]);
    log_in(&mut world);
    tell(&mut world, &[OURS]);
    world
}

fn state(world: &World, namespace: Namespace) -> AccountState {
    let accounts = world.snapshot().account.accounts;
    accounts.into_iter().find(|account| account.namespace == namespace).unwrap()
}

fn address(world: &World, namespace: Namespace) -> Option<String> {
    state(world, namespace).address
}

fn disconnect(world: &mut World, namespace: Option<&str>) {
    let namespace = namespace.map(String::from);
    world.dispatch(Any::Connect(Connect::DisconnectAsked { namespace, ticket: None }));
}

#[test]
fn spec_1_2_and_1_3_a_login_has_an_account_on_solana_beside_the_active_one() {
    let mut world = world(vec![]);
    tell(&mut world, &[OURS]);
    assert_eq!(address(&world, Namespace::Solana), None, "without a login there is no account of it");
    log_in(&mut world);
    for wrong in [&[][..], &["not an address"], &[EVM]] {
        tell(&mut world, wrong);
        assert_eq!(address(&world, Namespace::Solana), None, "{wrong:?}");
    }
    tell(&mut world, &[OURS]);
    let account = state(&world, Namespace::Solana);
    assert_eq!(account.address.as_deref(), Some(OURS));
    assert_eq!(account.caip_address, Some(format!("{SOLANA}:{OURS}")));
    assert_eq!((account.status, account.connector.as_deref()), (Status::Connected, Some("AUTH")));
    let wallet = account.connected_wallet_info.unwrap();
    assert_eq!((wallet.handle.as_str(), wallet.kind), ("embedded:solana", ConnectorKind::Auth));
    let user = account.embedded_wallet_info.unwrap().user;
    assert_eq!((user.username.as_deref(), user.account_type), (Some("alice@example.org"), Some(AccountKind::Eoa)));
    let snapshot = world.snapshot();
    assert_eq!(snapshot.network.active_namespace, Some(Namespace::Eip155), "the page stays where it was");
    assert!(!snapshot.modal.open);
    assert_eq!(address(&world, Namespace::Eip155).as_deref(), Some(EVM));
}

#[test]
fn a_host_that_waits_for_an_account_on_solana_gets_that_of_the_login() {
    let mut world = world(vec![]);
    log_in(&mut world);
    let waiting = Connect::ConnectAsked { connector: None, namespace: Some("solana".into()), ticket: 7 };
    world.dispatch(Any::Connect(waiting));
    assert_eq!(world.answer(7), None);
    tell(&mut world, &[OURS]);
    assert!(world.answer(7).unwrap().contains(&format!("{SOLANA}:{OURS}")), "{:?}", world.answer(7));
}

#[test]
fn spec_4_14_the_modal_shows_the_account_once_the_visitor_chose_the_network() {
    let mut world = logged_in();
    world.open(Some("Account"));
    world.dispatch(Any::Network(Network::NetworkChosen { chain: SOLANA.into() }));
    let snapshot = world.snapshot();
    assert_eq!(snapshot.network.active_namespace, Some(Namespace::Solana));
    assert_eq!((snapshot.modal.open, snapshot.modal.view), (true, View::Account));
    assert_eq!(state(&world, Namespace::Solana).short_address.as_deref(), Some("7S3P…ArAaKv"));
}

#[test]
fn spec_4_8_and_4_12_both_accounts_of_a_login_end_together() {
    for namespace in [None, Some("solana"), Some("eip155")] {
        let mut world = logged_in();
        disconnect(&mut world, namespace);
        for namespace in [Namespace::Eip155, Namespace::Solana] {
            assert_eq!(address(&world, namespace), None, "{namespace:?}");
            assert_eq!(state(&world, namespace).status, Status::Disconnected);
        }
        assert!(!world.frame.session, "the session of the frame ends too");
        tell(&mut world, &[OURS]);
        assert_eq!(address(&world, Namespace::Solana), None, "an account that comes after the end is not taken");
    }
}

#[test]
fn an_account_that_leaves_the_page_leaves_the_login_as_it_is() {
    let mut world = logged_in();
    tell(&mut world, &[]);
    assert_eq!(address(&world, Namespace::Solana), None);
    assert_eq!(address(&world, Namespace::Eip155).as_deref(), Some(EVM));
    assert!(world.frame.session);
    tell(&mut world, &[OURS]);
    let removed = Network::AdapterRemoved { namespace: "solana".into(), ticket: Some(9) };
    world.dispatch(Any::Network(removed));
    assert_eq!(address(&world, Namespace::Eip155).as_deref(), Some(EVM));
    assert!(world.frame.session);
}

#[test]
fn a_solana_wallet_that_the_visitor_connected_keeps_its_place() {
    let wallet = ScriptedWallet::named("Sol").of(Namespace::Solana, THEIRS).through(ConnectorKind::External);
    let mut world = world(vec![wallet]);
    world.choose("example.sol");
    assert_eq!(address(&world, Namespace::Solana).as_deref(), Some(THEIRS));
    world.open(Some("Connect"));
    world.embedded(Event::EmailSubmitted { email: "alice@example.org".into() });
    world.advance(SETTLE);
    world.embedded(Event::CodeTyped { text: "123456".into() });
    for accounts in [&[OURS][..], &[]] {
        tell(&mut world, accounts);
        assert_eq!(address(&world, Namespace::Solana).as_deref(), Some(THEIRS), "{accounts:?}");
    }
    disconnect(&mut world, Some("solana"));
    assert_eq!(address(&world, Namespace::Eip155).as_deref(), Some(EVM), "another wallet is another mechanism");
    tell(&mut world, &[OURS]);
    assert_eq!(address(&world, Namespace::Solana).as_deref(), Some(OURS));
}

#[test]
fn spec_4_2_a_stored_account_on_solana_is_connecting_until_the_page_tells_it() {
    let mut world = logged_in();
    world.reload();
    assert_eq!(state(&world, Namespace::Solana).status, Status::Connecting);
    world.advance(SETTLE);
    assert_eq!(address(&world, Namespace::Eip155).as_deref(), Some(EVM));
    tell(&mut world, &[OURS]);
    assert_eq!(state(&world, Namespace::Solana).status, Status::Connected);
    let mut lost = logged_in();
    lost.reload();
    lost.advance(60_000);
    assert_eq!(state(&lost, Namespace::Solana).status, Status::Disconnected);
    tell(&mut lost, &[OURS]);
    assert_eq!(address(&lost, Namespace::Solana).as_deref(), Some(OURS), "late is not never");
}

/// World after a reload of a page that was on the login's account on Solana.
fn reloaded_on_solana() -> World {
    let mut world = logged_in();
    world.dispatch(Any::Network(Network::NetworkChosen { chain: SOLANA.into() }));
    assert_eq!(active(&world).as_deref(), Some(SOLANA));
    world.reload();
    world.advance(SETTLE);
    assert_eq!(address(&world, Namespace::Eip155).as_deref(), Some(EVM));
    world
}

fn active(world: &World) -> Option<String> {
    world.snapshot().network.active.map(|network| network.caip_network_id.to_string())
}

#[test]
fn spec_4_15_a_page_on_the_solana_account_of_a_login_is_there_again_after_a_reload() {
    for late in [0, 10_000] {
        let mut world = reloaded_on_solana();
        assert_eq!(active(&world).as_deref(), Some(SOLANA));
        world.advance(late);
        assert_eq!(state(&world, Namespace::Solana).status, Status::Connecting);
        tell(&mut world, &[OURS]);
        assert_eq!(active(&world).as_deref(), Some(SOLANA));
        let account = state(&world, Namespace::Solana);
        assert_eq!((account.status, account.address.as_deref()), (Status::Connected, Some(OURS)));
        assert_eq!(address(&world, Namespace::Eip155).as_deref(), Some(EVM), "the other account of the login stays");
    }
}

#[test]
fn spec_4_15_a_solana_account_that_does_not_come_back_leaves_the_page_on_the_network_of_the_login() {
    let mut world = reloaded_on_solana();
    world.advance(60_000);
    assert_eq!(state(&world, Namespace::Solana).status, Status::Disconnected);
    assert_eq!(active(&world).as_deref(), Some("eip155:31337"));
    world.reload();
    world.advance(SETTLE);
    assert_eq!(active(&world).as_deref(), Some("eip155:31337"));
}
