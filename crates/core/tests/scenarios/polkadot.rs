//! Scenarios of Polkadot extensions: accounts in the spelling of their network, the way back, and the end of the connection.

use crate::session::{POLKADOT_ACCOUNT, with_polkadot};
use portico_core::Event;
use portico_core::account::{BalanceState, Event as Account};
use portico_core::connect::{Event as Connect, Status};
use portico_core::network::Event as Network;
use portico_json::{Value, parse};
use portico_terms::{AccountKind, ConnectorKind, Namespace};
use portico_testkit::{Behaviour, POLKADOT, ScriptedWallet, Store, World, every_namespace};

const KUSAMA: &str = "polkadot:b0a8d493285c2df73290dfb7e61f870f";
/// The same account on Kusama.
const KUSAMA_ACCOUNT: &str = "HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F";

fn dot() -> ScriptedWallet {
    ScriptedWallet::named("Dot").of(Namespace::Polkadot, POLKADOT_ACCOUNT).through(ConnectorKind::Announced)
}

/// Options with Polkadot and Kusama.
fn networks() -> String {
    let options = with_polkadot(&every_namespace());
    let reference = |chain: &str| chain.split(':').nth(1).unwrap().to_owned();
    let start = options.find(&format!(r#"{{"id":"{}"#, reference(POLKADOT))).unwrap();
    let own = options[start..].trim_end_matches("]}");
    options.replace(own, &format!("{own},{}", own.replace(&reference(POLKADOT), &reference(KUSAMA))))
}

fn connected(options: &str, wallet: ScriptedWallet) -> World {
    let mut world = World::with(options, vec![wallet], Store::default());
    world.open(None);
    world.choose("example.dot");
    world
}

fn account(world: &World) -> portico_core::account::AccountState {
    world.snapshot().account.accounts.into_iter().find(|one| one.namespace == Namespace::Polkadot).unwrap()
}

fn last(world: &World) -> (&str, &Value) {
    let (method, params) = world.wallets[0].requests.last().unwrap();
    (method, params)
}

#[test]
fn spec_3_6_an_account_of_an_extension_connects_as_one_of_its_network() {
    let world = connected(&networks(), dot());
    let account = account(&world);
    assert_eq!(account.caip_address, Some(format!("{POLKADOT}:{POLKADOT_ACCOUNT}")));
    assert_eq!(account.all_accounts[0].kind, AccountKind::Eoa);
    let (method, params) = last(&world);
    assert_eq!(
        (method, params.get("silent"), params.get("network").as_str()),
        ("getAccounts", &Value::Bool(false), Some(POLKADOT))
    );
}

#[test]
fn an_account_that_is_no_address_of_polkadot_connects_nothing() {
    for answer in [
        "[]",
        "null",
        "[null]",
        r#"[{"address":null}]"#,
        r#"[{"address":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"}]"#,
        r#"[{"address":"15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp0"}]"#,
    ] {
        let nonsense = Behaviour::Nonsense(parse(answer).unwrap());
        let world = connected(&networks(), dot().when("getAccounts", nonsense));
        assert!(!account(&world).is_connected, "{answer}");
    }
}

#[test]
fn spec_4_3_an_extension_comes_back_without_a_question_and_is_released_at_the_end() {
    let before = connected(&networks(), dot());
    let mut world = World::with(&networks(), before.wallets.clone(), before.store.clone());
    assert_eq!(account(&world).address.as_deref(), Some(POLKADOT_ACCOUNT));
    assert_eq!((last(&world).0, last(&world).1.get("silent")), ("getAccounts", &Value::Bool(true)));
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: Some("polkadot".into()), ticket: Some(1) }));
    assert_eq!(last(&world).0, "wallet_disconnect");
    let requests = world.wallets[0].requests.len();
    let world = World::with(&networks(), world.wallets.clone(), world.store.clone());
    assert!(!account(&world).is_connected);
    assert_eq!(world.wallets[0].requests.len(), requests, "an extension that was disconnected is asked nothing");
}

#[test]
fn an_extension_that_was_never_connected_is_asked_nothing() {
    let mut world = World::with(&networks(), vec![dot().permitted()], Store::default());
    world.open(None);
    assert!(world.wallets[0].requests.is_empty());
    assert_eq!(account(&world).status, Status::Disconnected);
}

#[test]
fn another_network_spells_the_same_account_in_another_way() {
    let mut world = connected(&networks(), dot());
    world.dispatch(Event::Network(Network::SwitchAsked { network: KUSAMA.into(), ticket: Some(1) }));
    assert_eq!((last(&world).0, last(&world).1.get("network").as_str()), ("switchNetwork", Some(KUSAMA)));
    assert!(world.answer(1).unwrap().contains("resolved"));
    let handle = world.wallets[0].handle();
    world.connecting(Connect::AccountsChanged { handle, accounts: Value::List(vec![KUSAMA_ACCOUNT.into()]) });
    assert_eq!(account(&world).caip_address, Some(format!("{KUSAMA}:{KUSAMA_ACCOUNT}")));
}

#[test]
fn an_extension_that_tells_no_account_any_more_is_disconnected() {
    let mut world = connected(&networks(), dot());
    let handle = world.wallets[0].handle();
    world.connecting(Connect::AccountsChanged { handle: handle.clone(), accounts: parse(r#"["0x00"]"#).unwrap() });
    assert_eq!(account(&world).address.as_deref(), Some(POLKADOT_ACCOUNT), "nonsense counts as no change");
    world.connecting(Connect::AccountsChanged { handle, accounts: Value::List(Vec::new()) });
    assert!(!account(&world).is_connected);
}

#[test]
fn an_account_on_a_network_without_a_source_of_balances_has_none_and_no_failure() {
    let mut world = connected(&networks(), dot());
    assert_eq!(account(&world).balance_state, BalanceState::Unknown);
    world.dispatch(Event::Account(Account::RefreshAsked { ticket: Some(1) }));
    assert!(world.answer(1).unwrap().contains("rejected"));
}
