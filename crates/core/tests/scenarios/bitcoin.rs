//! Scenarios of Bitcoin wallets: addresses by purpose, networks with other addresses, and balances of the page's own source.

use portico_core::Event;
use portico_core::account::{BalanceState, Event as Account};
use portico_core::connect::{Event as Connect, Status};
use portico_core::network::Event as Network;
use portico_core::notice::{Message, Variant};
use portico_json::{Value, parse};
use portico_terms::{AccountKind, ConnectorKind, Namespace};
use portico_testkit::{BITCOIN, Behaviour, ScriptedWallet, Store, World, every_namespace};

const ADDRESS: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
const SIGNET_ADDRESS: &str = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";
const SIGNET: &str = "bip122:00000008819873e925422c1ff0f99f7c";

fn bit() -> ScriptedWallet {
    ScriptedWallet::named("Bit").of(Namespace::Bip122, ADDRESS).through(ConnectorKind::Announced)
}

/// Options with a second network of Bitcoin.
fn with_signet() -> String {
    let options = every_namespace();
    let reference = |chain: &str| chain.split(':').nth(1).unwrap().to_owned();
    let start = options.find(&format!(r#"{{"id":"{}"#, reference(BITCOIN))).unwrap();
    let own = options[start..].trim_end_matches("]}");
    options.replace(own, &format!("{own},{}", own.replace(&reference(BITCOIN), &reference(SIGNET))))
}

/// World of a visitor who connected the wallet.
fn connected(wallet: ScriptedWallet) -> World {
    let mut world = World::with(&with_signet(), vec![wallet], Store::default());
    world.open(None);
    world.choose("example.bit");
    world
}

fn account(world: &World) -> portico_core::account::AccountState {
    world.snapshot().account.accounts.into_iter().find(|one| one.namespace == Namespace::Bip122).unwrap()
}

fn methods(world: &World) -> Vec<&str> {
    world.wallets[0].requests.iter().map(|(method, _)| method.as_str()).collect()
}

fn switch(world: &mut World, ticket: u32) {
    world.dispatch(Event::Network(Network::SwitchAsked { network: SIGNET.into(), ticket: Some(ticket) }));
}

fn active(world: &World) -> Option<String> {
    world.snapshot().network.active.map(|network| network.caip_network_id.to_string())
}

fn snack(world: &World) -> Option<(Variant, Option<Message>)> {
    world.snapshot().notice.snack.map(|snack| (snack.variant, snack.message))
}

#[test]
fn spec_3_5_and_3_6_the_accounts_of_a_bitcoin_wallet_are_its_payment_addresses() {
    let world = connected(bit());
    let account = account(&world);
    assert_eq!(account.caip_address, Some(format!("{BITCOIN}:{ADDRESS}")));
    let all: Vec<_> = account.all_accounts.iter().map(|one| (one.address.as_str(), one.kind)).collect();
    assert_eq!(all, [(ADDRESS, AccountKind::Payment)]);
}

#[test]
fn an_account_that_is_no_address_of_bitcoin_connects_nothing() {
    for answer in [
        r#"[]"#,
        r#"null"#,
        r#"[null]"#,
        r#"[{"address":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"}]"#,
        r#"[{"address":"bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdb"}]"#,
        r#"[{"address":"bc1p9fjtrm3nwhemkjek0wxtswz2glmneu33w9lcylrvd7alttk0psmq6cnwza","purpose":"ordinal"}]"#,
    ] {
        let nonsense = Behaviour::Nonsense(parse(answer).unwrap());
        let world = connected(bit().when("getAccountAddresses", nonsense));
        assert!(!account(&world).is_connected, "{answer}");
    }
}

#[test]
fn spec_4_3_a_bitcoin_wallet_comes_back_without_a_question_and_is_released_at_the_end() {
    let before = connected(bit());
    let mut world = World::with(&with_signet(), before.wallets.clone(), before.store.clone());
    assert_eq!(active(&world).as_deref(), Some(BITCOIN));
    let (method, params) =
        world.wallets[0].requests.iter().rfind(|(method, _)| method.starts_with("getAccount")).unwrap();
    assert_eq!((method.as_str(), params.get("silent")), ("getAccountAddresses", &Value::Bool(true)));
    assert_eq!(params.get("network").as_str(), Some(BITCOIN));
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: Some("bip122".into()), ticket: Some(1) }));
    assert_eq!(methods(&world).last(), Some(&"wallet_disconnect"));
    assert!(!world.wallets[0].permitted);
    let world = World::with(&with_signet(), world.wallets.clone(), world.store.clone());
    assert!(!account(&world).is_connected);
}

#[test]
fn a_wallet_that_took_the_permission_away_stays_disconnected_after_a_reload() {
    let mut before = connected(bit());
    before.wallets[0].permitted = false;
    let world = World::with(&with_signet(), before.wallets.clone(), before.store.clone());
    assert_eq!(account(&world).status, Status::Disconnected);
}

#[test]
fn another_network_of_bitcoin_is_asked_of_the_wallet_whose_addresses_are_others_there() {
    let mut world = connected(bit());
    world.wallets[0].behaviours.insert("switchNetwork".into(), Behaviour::Silent);
    switch(&mut world, 1);
    assert_eq!((methods(&world).last(), active(&world).as_deref()), (Some(&"switchNetwork"), Some(BITCOIN)));
    assert_eq!(world.answer(1), None);
    world.wallets[0].behaviours.clear();
    switch(&mut world, 2);
    assert!(world.answer(1).unwrap().contains("rejected"), "the newer switch counts");
    assert!(world.answer(2).unwrap().contains("resolved"));
    assert_eq!(active(&world).as_deref(), Some(SIGNET));
    let handle = world.wallets[0].handle();
    world.connecting(Connect::AccountsChanged { handle, accounts: Value::List(vec![SIGNET_ADDRESS.into()]) });
    assert_eq!(account(&world).caip_address, Some(format!("{SIGNET}:{SIGNET_ADDRESS}")));
    let world = World::with(&with_signet(), world.wallets.clone(), world.store.clone());
    let (_, params) = world.wallets[0].requests.iter().rfind(|(method, _)| method == "getAccountAddresses").unwrap();
    assert_eq!(params.get("network").as_str(), Some(SIGNET), "asked for the accounts there after a reload");
}

#[test]
fn a_wallet_that_refuses_another_network_or_stays_where_it_was_keeps_the_page_there() {
    let elsewhere = Behaviour::Nonsense(BITCOIN.into());
    let nothing = Behaviour::Nonsense(Value::Null);
    for behaviour in [Behaviour::Refuse, elsewhere, nothing] {
        let mut world = connected(bit().when("switchNetwork", behaviour.clone()));
        switch(&mut world, 1);
        assert!(world.answer(1).unwrap().contains("rejected"), "{behaviour:?}");
        assert_eq!(active(&world).as_deref(), Some(BITCOIN), "{behaviour:?}");
        assert!(!methods(&world).contains(&"wallet_addEthereumChain"));
    }
}

#[test]
fn the_balance_is_that_of_the_pages_source_and_is_asked_for_the_account_on_its_network() {
    let world = connected(bit().when("getBalance", Behaviour::Nonsense("123456000".into())));
    let shown = account(&world);
    assert_eq!((shown.balance.as_deref(), shown.balance_symbol.as_deref()), (Some("1.234"), Some("BTC")));
    let (_, params) = world.wallets[0].requests.iter().find(|(method, _)| method == "getBalance").unwrap();
    assert_eq!((params.get("address").as_str(), params.get("network").as_str()), (Some(ADDRESS), Some(BITCOIN)));
}

#[test]
fn a_page_without_a_source_has_no_balance_and_reports_no_failure() {
    let mut world = connected(bit());
    let shown = account(&world);
    assert_eq!((shown.balance_state, shown.balance, shown.token_balance.len()), (BalanceState::Unknown, None, 0));
    assert_eq!(snack(&world), None);
    world.dispatch(Event::Account(Account::RefreshAsked { ticket: Some(1) }));
    assert!(world.answer(1).unwrap().contains("rejected"));
}

#[test]
fn spec_8_1_a_source_that_fails_is_reported() {
    for answer in ["null", r#""""#, r#""1.5""#, r#""-1""#, r#""abc""#, "{}"] {
        let nonsense = Behaviour::Nonsense(parse(answer).unwrap());
        let world = connected(bit().when("getBalance", nonsense));
        assert_eq!(account(&world).balance_state, BalanceState::Unavailable, "{answer}");
        assert_eq!(snack(&world), Some((Variant::Error, Some(Message::TokenBalanceUnavailable))), "{answer}");
    }
}
