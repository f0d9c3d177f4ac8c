//! Scenarios of a host that offers several wallets (`features.multiWallet`).

use portico_core::Event;
use portico_core::connect::Event as Connect;
use portico_core::connections::{Event as Connections, UsedConnection};
use portico_testkit::{ScriptedWallet, Store, World, options};

const FIRST: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const SECOND: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const KEY: &str = "@portico/used_connections";

fn alpha() -> ScriptedWallet {
    let mut wallet = ScriptedWallet::named("Alpha").permitted();
    wallet.accounts.push(SECOND.into());
    wallet
}

fn several() -> String {
    options().replace(r#""projectId""#, r#""features":{"multiWallet":true},"projectId""#)
}

fn world(options: &str) -> World {
    World::with(options, vec![alpha(), ScriptedWallet::named("Beta").permitted().on(31338)], Store::default())
}

fn stored(value: &str) -> Store {
    let mut store = Store::default();
    store.values.insert("@portico/version".into(), "1".into());
    store.values.insert(KEY.into(), value.into());
    store
}

fn recent(world: &World) -> Vec<UsedConnection> {
    world.snapshot().recent_connections
}

fn names(world: &World) -> Vec<String> {
    recent(world).into_iter().map(|one| one.name).collect()
}

fn disconnect(world: &mut World) {
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
}

fn delete(world: &mut World, connector: &str, address: &str, namespace: Option<&str>, ticket: u32) -> String {
    let (connector, address) = (connector.into(), address.into());
    let namespace = namespace.map(Into::into);
    world.dispatch(Event::Connections(Connections::DeleteAsked { connector, address, namespace, ticket }));
    world.answer(ticket).unwrap()
}

fn choose_account(world: &mut World, namespace: &str, address: &str, ticket: u32) -> String {
    let (namespace, address) = (namespace.into(), address.into());
    world.dispatch(Event::Connect(Connect::AccountAsked { namespace, address, ticket: Some(ticket) }));
    world.answer(ticket).unwrap()
}

fn active(world: &World) -> Option<String> {
    world.snapshot().account.accounts[0].address.clone()
}

#[test]
fn a_wallet_that_another_one_replaced_is_recent_with_its_accounts_and_its_chain() {
    let mut world = world(&several());
    world.choose("example.beta");
    assert_eq!(recent(&world), []);
    world.choose("example.alpha");
    let told = recent(&world);
    assert_eq!(names(&world), ["Beta"]);
    assert_eq!((told[0].connector.as_str(), told[0].accounts.as_slice()), ("example.beta", &[FIRST.to_owned()][..]));
    assert_eq!(told[0].chain.as_ref().map(ToString::to_string).as_deref(), Some("eip155:31338"));
}

#[test]
fn wallets_stay_recent_after_a_disconnection_and_a_reload_and_none_is_asked() {
    let mut world = world(&several());
    world.choose("example.beta");
    world.choose("example.alpha");
    disconnect(&mut world);
    assert_eq!(names(&world), ["Alpha", "Beta"]);
    for wallet in &mut world.wallets {
        wallet.requests.clear();
    }
    world.reload();
    world.dispatch(Event::Connections(Connections::ReadAsked));
    assert_eq!(names(&world), ["Alpha", "Beta"]);
    assert!(world.wallets.iter().all(|wallet| wallet.requests.is_empty()));
    world.choose("example.beta");
    assert_eq!(names(&world), ["Alpha"]);
}

#[test]
fn without_the_feature_nothing_is_stored_or_told() {
    let mut world = world(&options());
    world.choose("example.alpha");
    disconnect(&mut world);
    assert_eq!(recent(&world), []);
    assert!(!world.store.values.contains_key(KEY));
    let list = format!(
        r#"[{{"namespace":"eip155","connector":"a","name":"A","chain":null,"kind":"eoa","accounts":["{FIRST}"]}}]"#
    );
    let mut off = World::with(&options(), vec![alpha()], stored(&list));
    off.dispatch(Event::Connections(Connections::ReadAsked));
    assert_eq!(recent(&off), []);
    off.dispatch(Event::Connections(Connections::ReadAsked));
    let detail = "features.multiWallet: turn it on to use several wallets";
    assert!(off.alerts.iter().any(|(_, told)| told == detail), "{:?}", off.alerts);
    let mut on = World::with(&several(), vec![alpha()], stored(&list));
    on.dispatch(Event::Connections(Connections::ReadAsked));
    assert_eq!(names(&on), ["A"]);
}

#[test]
fn hostile_stored_connections_are_left_out() {
    let one = |namespace: &str, name: &str, chain: &str, account: &str| {
        format!(
            r#"{{"namespace":"{namespace}","connector":"{name}","name":"{name}\u202e","chain":"{chain}","kind":"eoa","accounts":["{account}"]}}"#
        )
    };
    let good = one("eip155", "good", "eip155:31337", &FIRST.to_lowercase());
    let list = [
        one("eip155", "script", "eip155:1", "javascript:alert(1)"),
        one("solana", "other", "eip155:1", FIRST),
        good.clone(),
        good,
        one("eip155", "far", "solana:mainnet", SECOND),
        "7".into(),
        r#"{"namespace":"__proto__"}"#.into(),
    ];
    let mut world = World::with(&several(), vec![], stored(&format!("[{}]", list.join(","))));
    world.dispatch(Event::Connections(Connections::ReadAsked));
    let told = recent(&world);
    assert_eq!(names(&world), ["good", "far"]);
    assert_eq!((told[0].accounts[0].as_str(), told[1].chain.as_ref()), (FIRST, None));
    for nonsense in ["{\"__proto__\":1}", "[[[[[", "", "null"] {
        let mut world = World::with(&several(), vec![], stored(nonsense));
        world.dispatch(Event::Connections(Connections::ReadAsked));
        assert_eq!(recent(&world), [], "{nonsense}");
    }
}

#[test]
fn as_many_connections_as_eight_are_kept() {
    let wallets: Vec<_> = (0..10).map(|number| ScriptedWallet::named(&format!("W{number}")).permitted()).collect();
    let mut world = World::with(&several(), wallets, Store::default());
    for number in 0..10 {
        world.choose(&format!("example.w{number}"));
    }
    disconnect(&mut world);
    assert_eq!(names(&world), ["W9", "W8", "W7", "W6", "W5", "W4", "W3", "W2"]);
}

#[test]
fn a_deletion_takes_one_account_and_the_wallet_with_its_last_one() {
    let mut world = world(&several());
    world.choose("example.alpha");
    disconnect(&mut world);
    let told = delete(&mut world, "example.alpha", &SECOND.to_lowercase(), Some("eip155"), 1);
    assert_eq!(told, r#"[{"type":"resolved","value":false}]"#);
    assert_eq!(recent(&world)[0].accounts, [FIRST]);
    world.reload();
    world.dispatch(Event::Connections(Connections::ReadAsked));
    assert_eq!(recent(&world)[0].accounts, [FIRST]);
    assert_eq!(delete(&mut world, "example.alpha", FIRST, None, 2), r#"[{"type":"resolved","value":true}]"#);
    assert_eq!(recent(&world), []);
    assert!(!world.store.values.contains_key(KEY));
}

#[test]
fn a_deletion_of_a_connected_or_an_unknown_account_rejects_and_keeps_the_rest() {
    let mut world = world(&several());
    world.choose("example.beta");
    world.choose("example.alpha");
    let asked = [
        ("example.alpha", FIRST, None),
        ("example.beta", SECOND, None),
        ("example.beta", "javascript:alert(1)", None),
        ("example.beta", FIRST, Some("solana")),
        ("example.beta", FIRST, Some("nonsense")),
        ("example.gamma", FIRST, None),
    ];
    for (ticket, (connector, address, namespace)) in asked.into_iter().enumerate() {
        let told = delete(&mut world, connector, address, namespace, ticket as u32);
        assert!(told.contains("connectionNotFound"), "{connector} {address} {namespace:?}: {told}");
    }
    assert_eq!(names(&world), ["Beta"]);
}

#[test]
fn another_account_of_the_connected_wallet_becomes_active_and_the_wallet_is_not_asked() {
    let mut world = world(&several());
    world.choose("example.alpha");
    assert_eq!(active(&world).as_deref(), Some(FIRST));
    world.wallet().requests.clear();
    let told = choose_account(&mut world, "eip155", &SECOND.to_lowercase(), 1);
    assert_eq!(told, r#"[{"type":"resolved","value":null}]"#);
    assert_eq!(active(&world).as_deref(), Some(SECOND));
    assert!(world.wallet().requests.iter().all(|(method, _)| method != "eth_requestAccounts"));
    // The wallet's own choice later counts more.
    world.wallet_shows(&[FIRST, SECOND]);
    assert_eq!(active(&world).as_deref(), Some(FIRST));
}

#[test]
fn an_account_that_the_wallet_does_not_share_or_a_namespace_without_a_wallet_rejects() {
    let mut world = world(&several());
    assert!(choose_account(&mut world, "eip155", FIRST, 1).contains("notConnected"));
    world.choose("example.alpha");
    for (ticket, address) in ["0x0000000000000000000000000000000000000001", "", "nonsense"].into_iter().enumerate() {
        let told = choose_account(&mut world, "eip155", address, 2 + ticket as u32);
        assert!(told.contains("accountNotFound"), "{address}: {told}");
    }
    assert!(choose_account(&mut world, "solana", FIRST, 9).contains("notConnected"));
    assert_eq!(active(&world).as_deref(), Some(FIRST));
}
