//! Scenarios of a wallet that shares several accounts, of which the visitor chooses one.

use crate::session::{POLKADOT_ACCOUNT, with_polkadot};
use crate::siwx::shown;
use portico_core::Event;
use portico_core::SignInCall;
use portico_core::account::AccountState;
use portico_core::connect::Event as Connect;
use portico_core::modal::{Event as Modal, View};
use portico_core::siwx::Event as SignIn;
use portico_json::{Value, parse};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, every_namespace, options, with_sign_in};

const SECOND: &str = "14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3";
const THIRD: &str = "1zugcag7cJVBtVRnFxv5Qftn7xKAnR6YJ9x4x3XLgGgmNnS";
const EVM: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const OTHER_EVM: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const SOLANA_ACCOUNT: &str = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";
const OTHER_SOLANA: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";

/// List of accounts as Polkadot's adapter tells it.
fn list(accounts: &[(&str, &str)]) -> Value {
    let described = |(address, name): &(&str, &str)| {
        Value::Object(vec![("address".into(), (*address).into()), ("name".into(), (*name).into())])
    };
    Value::List(accounts.iter().map(described).collect())
}

fn dot(accounts: &[(&str, &str)]) -> ScriptedWallet {
    let dot = ScriptedWallet::named("Dot").of(Namespace::Polkadot, POLKADOT_ACCOUNT);
    dot.through(ConnectorKind::Announced).when("getAccounts", Behaviour::Nonsense(list(accounts)))
}

const THREE: [(&str, &str); 3] = [(POLKADOT_ACCOUNT, "Savings"), (SECOND, "Daily"), (THIRD, "")];

/// Visitor who connected an extension with these accounts, and opened the account.
fn connected(accounts: &[(&str, &str)]) -> World {
    let mut world = World::with(&with_polkadot(&every_namespace()), vec![dot(accounts)], Store::default());
    world.choose("example.dot");
    world.open(None);
    world
}

/// The visitor goes to the list and chooses an account.
fn choose(world: &mut World, namespace: &str, address: &str) {
    world.modal(Modal::ViewAsked { view: View::SwitchAddress });
    let (namespace, address) = (namespace.into(), address.into());
    world.dispatch(Event::Connect(Connect::AccountAsked { namespace, address, ticket: None }));
}

fn tell(world: &mut World, accounts: Value) {
    let handle = world.wallets[0].handle();
    world.connecting(Connect::AccountsChanged { handle, accounts });
}

/// The extension shows other accounts from now on, and the page is loaded again.
fn reload_with(world: &mut World, accounts: &[(&str, &str)]) {
    world.wallets[0].behaviours.insert("getAccounts".into(), Behaviour::Nonsense(list(accounts)));
    world.reload();
}

fn account(world: &World, namespace: Namespace) -> AccountState {
    world.snapshot().account.accounts.into_iter().find(|one| one.namespace == namespace).unwrap()
}

fn active(world: &World) -> Option<String> {
    account(world, Namespace::Polkadot).address
}

fn names(world: &World) -> Vec<(String, String)> {
    let account = account(world, Namespace::Polkadot);
    account.names.iter().map(|(address, name)| (address.clone(), name.clone())).collect()
}

#[test]
fn spec_3_3_the_account_that_the_visitor_chooses_is_in_use_and_the_account_view_is_back() {
    let mut world = connected(&THREE);
    assert_eq!(active(&world).as_deref(), Some(POLKADOT_ACCOUNT));
    world.modal(Modal::ViewAsked { view: View::SwitchAddress });
    assert_eq!(shown(&world), Some(View::SwitchAddress));
    choose(&mut world, "polkadot", THIRD);
    let account = account(&world, Namespace::Polkadot);
    assert_eq!(account.address.as_deref(), Some(THIRD));
    assert!(account.caip_address.unwrap().ends_with(&format!(":{THIRD}")));
    assert_eq!(account.short_address.as_deref(), Some("1zug…GgmNnS"));
    let all: Vec<_> = account.all_accounts.iter().map(|one| one.address.as_str()).collect();
    assert_eq!(all, [THIRD, POLKADOT_ACCOUNT, SECOND]);
    assert_eq!(shown(&world), Some(View::Account));
}

#[test]
fn the_account_in_use_can_be_chosen_again_and_only_the_list_is_left() {
    let mut world = connected(&THREE);
    choose(&mut world, "polkadot", POLKADOT_ACCOUNT);
    assert_eq!((active(&world).as_deref(), shown(&world)), (Some(POLKADOT_ACCOUNT), Some(View::Account)));
}

#[test]
fn an_account_that_the_wallet_does_not_share_is_not_taken() {
    let mut world = connected(&THREE[..2]);
    for (namespace, address) in
        [("polkadot", THIRD), ("polkadot", "nonsense"), ("polkadot", ""), ("solana", SECOND), ("__proto__", SECOND)]
    {
        choose(&mut world, namespace, address);
        assert_eq!(active(&world).as_deref(), Some(POLKADOT_ACCOUNT), "{namespace} {address}");
    }
}

#[test]
fn spec_4_2_the_chosen_account_is_back_after_a_reload() {
    let mut world = connected(&THREE);
    choose(&mut world, "polkadot", SECOND);
    world.reload();
    assert_eq!(active(&world).as_deref(), Some(SECOND));
    // Another account at the top of the extension's list changes nothing.
    reload_with(&mut world, &[THREE[2], THREE[0], THREE[1]]);
    assert_eq!(active(&world).as_deref(), Some(SECOND));
}

#[test]
fn an_account_that_the_wallet_stopped_to_share_gives_way_to_its_first() {
    let mut world = connected(&THREE);
    choose(&mut world, "polkadot", SECOND);
    tell(&mut world, list(&[THREE[2], THREE[1]]));
    assert_eq!(active(&world).as_deref(), Some(SECOND), "it is still shared");
    tell(&mut world, list(&[THREE[2], THREE[0]]));
    assert_eq!(active(&world).as_deref(), Some(THIRD));
    let mut world = connected(&THREE);
    choose(&mut world, "polkadot", SECOND);
    reload_with(&mut world, &[THREE[2], THREE[0]]);
    assert_eq!(active(&world).as_deref(), Some(THIRD));
}

#[test]
fn without_a_choice_the_first_account_of_the_wallet_is_in_use() {
    let mut world = connected(&THREE);
    reload_with(&mut world, &[THREE[1], THREE[0]]);
    assert_eq!(active(&world).as_deref(), Some(SECOND));
    tell(&mut world, list(&[THREE[2], THREE[1]]));
    assert_eq!(active(&world).as_deref(), Some(THIRD));
}

#[test]
fn a_disconnection_forgets_the_choice() {
    let mut world = connected(&THREE);
    choose(&mut world, "polkadot", SECOND);
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    assert_eq!(shown(&world), None);
    world.choose("example.dot");
    assert_eq!(active(&world).as_deref(), Some(POLKADOT_ACCOUNT));
}

#[test]
fn a_wallet_that_is_connected_anew_is_used_with_the_account_that_it_tells_first() {
    let other = ScriptedWallet::named("Other").of(Namespace::Polkadot, POLKADOT_ACCOUNT);
    let other = other.through(ConnectorKind::Announced).when("getAccounts", Behaviour::Nonsense(list(&[THREE[2]])));
    let mut world = World::with(&with_polkadot(&every_namespace()), vec![dot(&THREE), other], Store::default());
    world.choose("example.dot");
    choose(&mut world, "polkadot", SECOND);
    world.choose("example.other");
    assert_eq!(active(&world).as_deref(), Some(THIRD));
    world.choose("example.dot");
    assert_eq!(active(&world).as_deref(), Some(POLKADOT_ACCOUNT));
}

#[test]
fn a_stored_choice_is_untrusted() {
    let mut world = connected(&THREE);
    choose(&mut world, "polkadot", SECOND);
    let stored = world.store.values.get("@portico/connections").unwrap().clone();
    for value in ["\"nonsense\"", "\"\"", "7", "null"] {
        let mut store = world.store.clone();
        store.values.insert("@portico/connections".into(), stored.replace(&format!("\"{SECOND}\""), value));
        let world = World::with(&with_polkadot(&every_namespace()), world.wallets.clone(), store);
        assert_ne!(active(&world).as_deref(), Some(SECOND), "{value}");
    }
}

/// `SECOND` on Kusama.
const SECOND_ON_KUSAMA: &str = "FoQJpPyadYccjavVdTWxpxU7rUEaYhfLCPwXgkfD6Zat9QP";
/// `THIRD` on Kusama.
const THIRD_ON_KUSAMA: &str = "DaECbfUtC3wW1JMbKixqDCk56EuH9g8vBGDJKL8GPTfKkyM";
/// `SECOND` with the prefix 255, which has two bytes.
const SECOND_WITH_LONG_PREFIX: &str = "yGFxbGGNhpzjSAKB7iU4FRoxjKetFPqxqwEucsa8nqudSJANV";

#[test]
fn another_network_of_polkadot_keeps_the_choice_in_its_own_spelling() {
    for spelt in [SECOND_ON_KUSAMA, SECOND_WITH_LONG_PREFIX] {
        let mut world = connected(&THREE);
        choose(&mut world, "polkadot", SECOND);
        let elsewhere = [(THIRD_ON_KUSAMA, "Savings"), (spelt, "Daily")];
        tell(&mut world, list(&elsewhere));
        assert_eq!(active(&world).as_deref(), Some(spelt));
        assert!(names(&world).contains(&(spelt.into(), "Daily".into())));
        reload_with(&mut world, &elsewhere);
        assert_eq!(active(&world).as_deref(), Some(spelt));
    }
}

#[test]
fn an_account_in_the_place_of_a_hidden_one_is_not_chosen() {
    let mut world = connected(&THREE);
    choose(&mut world, "polkadot", SECOND);
    tell(&mut world, list(&[THREE[2], THREE[0]]));
    assert_eq!(active(&world).as_deref(), Some(THIRD));
    // The visitor chose neither, so the wallet's own order counts, after a reload too.
    tell(&mut world, list(&THREE));
    assert_eq!(active(&world).as_deref(), Some(POLKADOT_ACCOUNT));
    reload_with(&mut world, &[THREE[2], THREE[0], THREE[1]]);
    assert_eq!(active(&world).as_deref(), Some(THIRD));
}

#[test]
fn names_of_a_wallet_are_cleaned_and_cut() {
    let long = "x".repeat(10_000);
    let world = connected(&[(POLKADOT_ACCOUNT, "\u{202e}sgni\u{0}vaS\n"), (SECOND, &long), (THIRD, "\u{200b} ")]);
    let mut told = names(&world);
    told.sort();
    assert_eq!(told, [(SECOND.into(), "x".repeat(48)), (POLKADOT_ACCOUNT.into(), "sgnivaS".into())]);
}

#[test]
fn names_stay_with_their_wallet() {
    let mut world = connected(&THREE[..2]);
    tell(&mut world, Value::List(vec![SECOND.into(), POLKADOT_ACCOUNT.into()]));
    assert_eq!(names(&world).len(), 2, "a list of addresses alone takes no name away");
    tell(&mut world, list(&[(SECOND, "Rent"), THREE[0]]));
    assert!(names(&world).contains(&(SECOND.into(), "Rent".into())));
    let nameless = Value::List(vec![SECOND.into()]);
    world.wallets.push(ScriptedWallet { name: "Plain".into(), rdns: "example.plain".into(), ..dot(&[]) });
    world.wallets[1].behaviours.insert("getAccounts".into(), Behaviour::Nonsense(nameless));
    world.reload();
    world.choose("example.plain");
    assert_eq!((active(&world).as_deref(), names(&world).as_slice()), (Some(SECOND), &[][..]));
}

#[test]
fn an_evm_wallet_names_no_account_and_its_own_order_counts() {
    let answer = Value::List(vec![
        Value::Object(vec![("address".into(), EVM.into()), ("name".into(), "vitalik.eth".into())]),
        OTHER_EVM.into(),
    ]);
    let alpha = ScriptedWallet::named("Alpha").when("eth_requestAccounts", Behaviour::Nonsense(answer));
    let mut world = World::with(&options(), vec![alpha], Store::default());
    world.choose("example.alpha");
    assert_eq!(account(&world, Namespace::Eip155).names.iter().count(), 0);
    choose(&mut world, "eip155", OTHER_EVM);
    assert_eq!(account(&world, Namespace::Eip155).address.as_deref(), Some(OTHER_EVM));
    tell(&mut world, Value::List(vec![EVM.into(), OTHER_EVM.into()]));
    assert_eq!(account(&world, Namespace::Eip155).address.as_deref(), Some(EVM));
}

#[test]
fn spec_4_25_a_chosen_account_signs_in_for_itself_and_the_host_hears_of_it() {
    let signed = parse(&format!(r#"{{"signature":"{}"}}"#, "2".repeat(88))).unwrap();
    let mut sol = ScriptedWallet::named("Sol").of(Namespace::Solana, SOLANA_ACCOUNT).through(ConnectorKind::External);
    sol.accounts.push(OTHER_SOLANA.into());
    let sol = sol.when("solana_signMessage", Behaviour::Nonsense(signed));
    let mut world = World::with(&with_sign_in(&every_namespace(), true), vec![sol], Store::default());
    world.open(None);
    world.choose("example.sol");
    world.sign_in(SignIn::SignAsked);
    assert_eq!(shown(&world), None);
    world.open(None);
    choose(&mut world, "solana", OTHER_SOLANA);
    assert_eq!(account(&world, Namespace::Solana).address.as_deref(), Some(OTHER_SOLANA));
    assert_eq!(shown(&world), Some(View::SIWXSignMessage), "the second account has no session");
    world.sign_in(SignIn::SignAsked);
    let addresses: Vec<_> = world
        .site
        .asked
        .iter()
        .filter(|(call, _)| *call == SignInCall::CreateMessage)
        .map(|(_, given)| given.get("accountAddress").as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(addresses, [SOLANA_ACCOUNT, OTHER_SOLANA]);
    world.open(None);
    choose(&mut world, "solana", SOLANA_ACCOUNT);
    assert_ne!(shown(&world), Some(View::SIWXSignMessage), "the first one has a session already");
}
