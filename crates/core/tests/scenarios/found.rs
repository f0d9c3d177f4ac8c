//! Scenarios of wallets that appear twice, or pretend to be another one.

use portico_core::Event;
use portico_core::connect::{Event as Connect, Found};
use portico_terms::ConnectorKind;
use portico_testkit::{Behaviour, Faults, ScriptedWallet, Store, World, options};

fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha")
}

/// `window.ethereum` of MetaMask, and an announcement with MetaMask's rdns by another provider.
fn twins() -> (Found, Found) {
    let announced = Found { rdns: Some("io.metamask".into()), ..ScriptedWallet::named("Other").announcement() };
    let injected =
        Found { kind: ConnectorKind::Injected, rdns: None, flags: vec!["isMetaMask".into()], ..alpha().announcement() };
    (injected, announced)
}

fn find(world: &mut World, wallet: Found) {
    world.dispatch(Event::Connect(Connect::WalletFound { wallet }));
}

/// Id and handle of every wallet in the list.
fn listed(world: &World) -> Vec<(String, String)> {
    let groups = world.snapshot().wallets.groups;
    groups.into_iter().flat_map(|group| group.items).map(|item| (item.id, item.handle)).collect()
}

/// World in which wallets announce themselves only on request of the test.
fn quiet() -> World {
    let mut other = ScriptedWallet::named("Other");
    other.accounts = vec!["0x70997970C51812dc3A010C7d01b50e0d17dc79C8".into()];
    let hidden = ["example.alpha", "example.other"];
    World::with_hidden(
        vec![alpha().when("eth_requestAccounts", Behaviour::Late(1_000)), other],
        Store::default(),
        &hidden,
    )
}

#[test]
fn an_attempt_keeps_the_provider_that_it_asked_when_another_announces_the_same_name() {
    let mut world = quiet();
    let (injected, announced) = twins();
    find(&mut world, injected);
    world.choose("io.metamask");
    find(&mut world, announced);
    world.advance(1_000);
    assert_eq!(
        world.snapshot().account.accounts[0].address.as_deref(),
        Some("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")
    );
    assert!(world.wallets[0].watched && !world.wallets[1].watched);
    assert!(world.wallets[1].requests.is_empty());
}

#[test]
fn a_reconnection_keeps_the_provider_that_it_asked_when_another_announces_the_same_name() {
    let mut world = quiet();
    let (injected, announced) = twins();
    find(&mut world, injected.clone());
    world.choose("io.metamask");
    world.advance(1_000);
    world.wallet().behaviours.insert("eth_accounts".into(), Behaviour::Late(1_000));
    world.reload();
    find(&mut world, injected);
    find(&mut world, announced);
    world.advance(1_000);
    assert!(world.snapshot().account.accounts[0].is_connected);
    assert!(world.wallets[0].watched && !world.wallets[1].watched);
    assert!(world.wallets[1].requests.is_empty());
}

#[test]
fn a_wallet_that_is_connected_and_announces_itself_then_is_listed_once_and_stands_alone_after_it() {
    let mut world = quiet();
    let (injected, announced) = twins();
    let handles = [injected.handle.clone(), announced.handle.clone()];
    find(&mut world, injected);
    world.choose("io.metamask");
    world.advance(1_000);
    find(&mut world, announced);
    assert_eq!(listed(&world), [("io.metamask".into(), handles[0].clone())]);
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    assert_eq!(listed(&world), [("io.metamask".into(), handles[1].clone())]);
    world.choose("io.metamask");
    assert!(world.wallets[1].watched && !world.wallets[0].watched);
}

#[test]
fn every_listed_wallet_has_an_id_of_its_own_however_wallets_present_themselves() {
    let mut faults = Faults::seeded(7);
    for _ in 0..300 {
        let mut world = quiet();
        for _ in 0..12 {
            let any = |faults: &mut Faults, choices: &[&str]| {
                String::from(choices[faults.below(choices.len() as u64) as usize])
            };
            let wallet = Found {
                kind: [ConnectorKind::Injected, ConnectorKind::Announced, ConnectorKind::External]
                    [faults.below(3) as usize],
                namespace: any(&mut faults, &["eip155", "eip155", "solana"]),
                handle: any(&mut faults, &["uuid-example.alpha", "uuid-example.other", "a", "b", "io.metamask"]),
                rdns: Some(any(&mut faults, &["io.metamask", "io.rabby", "none"])),
                flags: vec![any(&mut faults, &["isMetaMask", "isRabby", ""])],
                ..alpha().announcement()
            };
            find(&mut world, wallet);
            match faults.below(4) {
                0 => world.choose("io.metamask"),
                1 => world.advance(1_000),
                2 => world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None })),
                _ => {}
            }
            let ids: Vec<_> = listed(&world).into_iter().map(|(id, _)| id).collect();
            let mut own = ids.clone();
            own.sort();
            own.dedup();
            assert_eq!(own.len(), ids.len(), "{ids:?}");
        }
    }
}

#[test]
fn a_recent_wallet_that_is_stored_twice_is_listed_once() {
    let mut store = Store::default();
    for (key, value) in [
        ("@portico/version", "1"),
        (
            "@portico/recent_wallets",
            r#"[{"id":"example.alpha","name":"A"},{"id":"example.alpha","name":"A"},{"id":"example.beta","name":"B"}]"#,
        ),
    ] {
        store.values.insert(key.into(), value.into());
    }
    let world = World::with(&portico_testkit::options(), vec![alpha(), ScriptedWallet::named("Beta")], store);
    let ids: Vec<_> = listed(&world).into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["example.alpha", "example.beta"]);
    assert!(world.snapshot().wallets.groups[0].items.iter().all(|item| item.recent));
}

#[test]
fn a_host_that_wants_no_wallet_of_one_kind_lists_none_of_it() {
    for (more, left) in [(r#""enableInjected":false,"#, "Other"), (r#""enableEIP6963":false,"#, "MetaMask")] {
        let options = options().replacen('{', &format!("{{{more}"), 1);
        let mut world = World::with(&options, vec![], Store::default());
        let (injected, announced) = twins();
        find(&mut world, injected);
        find(&mut world, Found { rdns: Some("example.other".into()), ..announced });
        world.open(None);
        let groups = world.snapshot().wallets.groups.into_iter();
        let installed = groups.filter(|group| group.kind.word() == "injected");
        let names: Vec<_> = installed.flat_map(|group| group.items).map(|item| item.name).collect();
        assert_eq!(names, [left], "{more}");
    }
}

#[test]
fn nobody_in_the_page_goes_by_the_id_of_the_way_to_remote_wallets() {
    let mut world = World::new(vec![alpha()]);
    let before = listed(&world);
    let handle = "walletConnect".to_owned();
    find(&mut world, Found { handle, rdns: None, ..ScriptedWallet::named("WalletConnect").announcement() });
    assert_eq!(listed(&world), before);
    let connector = Some("walletConnect".into());
    world.dispatch(Event::Connect(Connect::ConnectAsked { connector, namespace: None, ticket: 1 }));
    assert!(world.answer(1).unwrap().contains("connectorNotFound"));
    assert!(world.wallets[0].requests.is_empty());
}
