//! Scenarios of wallets of several namespaces at once.

mod balance;
mod solana;
mod together;

use portico_core::Event;
use portico_core::account::{AccountState, BALANCE_CACHE, BalanceState, Event as Account};
use portico_core::connect::{Event as Connect, Status};
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_json::Value;
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{Behaviour, POLKADOT, SOLANA, ScriptedWallet, Store, World, every_namespace};

const SOLANA_ADDRESS: &str = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";
const EVM_ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha")
}

fn sol() -> ScriptedWallet {
    ScriptedWallet::named("Sol").of(Namespace::Solana, SOLANA_ADDRESS).through(ConnectorKind::External)
}

/// World with both wallets, those in `connected` connected; the last one's namespace is active.
fn world(wallets: [ScriptedWallet; 2], connected: &[&str]) -> World {
    let mut world = World::with(&every_namespace(), wallets.into(), Store::default());
    for rdns in connected {
        world.choose(rdns);
    }
    world
}

fn connect(world: &mut World, namespace: Option<&str>, ticket: u32) {
    let asked = Connect::ConnectAsked { connector: None, namespace: namespace.map(Into::into), ticket };
    world.dispatch(Event::Connect(asked));
}

fn switch(world: &mut World, chain: &str, ticket: u32) {
    world.dispatch(Event::Network(Network::SwitchAsked { network: chain.into(), ticket: Some(ticket) }));
}

fn open_for(world: &mut World, namespace: &str) {
    world.modal(Modal::OpenAsked {
        view: None,
        namespace: Some(namespace.into()),
        uri: None,
        arguments: Value::Null,
        ticket: None,
    });
}

fn active(world: &World) -> Option<String> {
    world.snapshot().network.active.map(|network| network.caip_network_id.to_string())
}

fn asked(world: &World, wallet: usize) -> Vec<&str> {
    let methods = world.wallets[wallet].requests.iter().map(|(method, _)| method.as_str());
    methods.filter(|method| method.starts_with("wallet_")).collect()
}

#[test]
fn spec_3_3_connect_resolves_with_the_account_on_its_own_namespaces_chain() {
    let mut world = world([alpha(), sol()], &["example.sol", "example.alpha"]);
    connect(&mut world, Some("solana"), 1);
    connect(&mut world, None, 2);
    let told = |ticket, chain: &str, address: &str| {
        let told = format!(r#""caipAddress":"{chain}:{address}","address":"{address}","caipNetworkId":"{chain}""#);
        assert!(world.answer(ticket).unwrap().contains(&told), "{:?}", world.answer(ticket));
    };
    told(1, SOLANA, SOLANA_ADDRESS);
    told(2, "eip155:31337", EVM_ADDRESS);
}

#[test]
fn spec_4_21_connect_resolves_with_the_chain_of_the_wallet_though_the_host_does_not_serve_it() {
    let mut world = world([alpha().on(999), sol()], &["example.alpha"]);
    connect(&mut world, None, 1);
    let told = format!(r#""caipAddress":"eip155:999:{EVM_ADDRESS}""#);
    assert!(world.answer(1).unwrap().contains(&told), "{:?}", world.answer(1));
}

#[test]
fn spec_4_13_a_switch_is_asked_of_the_wallet_of_the_networks_own_namespace() {
    let mut world = world([alpha(), sol()], &["example.alpha", "example.sol"]);
    switch(&mut world, "eip155:31338", 1);
    assert_eq!((asked(&world, 0), asked(&world, 1)), (vec!["wallet_switchEthereumChain"], vec![]));
    assert_eq!((world.wallets[0].chain, active(&world).as_deref()), (31338, Some("eip155:31338")));
    assert_eq!(world.answer(1).unwrap(), r#"[{"type":"resolved","value":null}]"#);
}

#[test]
fn spec_4_14_the_namespace_is_marked_as_switching_until_its_wallet_has_answered() {
    let late = alpha().when("wallet_switchEthereumChain", Behaviour::Late(1_000));
    let mut world = world([late, sol()], &["example.alpha", "example.sol"]);
    switch(&mut world, "eip155:31338", 1);
    assert!(world.snapshot().network.namespace_switching);
    world.advance(1_000);
    let view = world.snapshot().network;
    assert_eq!((view.active_namespace, view.namespace_switching), (Some(Namespace::Eip155), false));
    switch(&mut world, "eip155:31337", 2);
    assert!(!world.snapshot().network.namespace_switching);
}

#[test]
fn spec_4_14_a_refusal_ends_the_mark() {
    let refusing = alpha().when("wallet_switchEthereumChain", Behaviour::Refuse);
    let mut world = world([refusing, sol()], &["example.alpha", "example.sol"]);
    switch(&mut world, "eip155:31338", 1);
    let view = world.snapshot().network;
    assert_eq!((view.active_namespace, view.namespace_switching), (Some(Namespace::Solana), false));
}

#[test]
fn spec_4_13_a_switch_goes_on_with_its_wallet_though_another_namespace_came_into_use() {
    for knows in [true, false] {
        let mut late = alpha().when("wallet_switchEthereumChain", Behaviour::Late(1_000));
        late.chains.truncate(if knows { 2 } else { 1 });
        let mut world = world([late, sol()], &["example.sol", "example.alpha"]);
        switch(&mut world, "eip155:31338", 1);
        open_for(&mut world, "solana");
        assert_eq!(active(&world).as_deref(), Some(SOLANA));
        world.advance(2_000);
        assert_eq!((world.wallets[0].chain, active(&world).as_deref()), (31338, Some("eip155:31338")));
        assert_eq!(asked(&world, 1), Vec::<&str>::new());
        assert_eq!(world.answer(1).unwrap(), r#"[{"type":"resolved","value":null}]"#);
    }
}

#[test]
fn spec_2_3_connect_for_a_namespace_opens_for_it_and_waits_for_its_account() {
    let mut world = world([alpha(), sol()], &[]);
    connect(&mut world, Some("solana"), 1);
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.open, snapshot.network.active_namespace), (true, Some(Namespace::Solana)));
    let offered = snapshot.wallets.groups.iter().flat_map(|group| &group.items);
    assert_eq!(offered.map(|item| item.name.as_str()).collect::<Vec<_>>(), ["Sol"]);
    let other = Connect::ConnectAsked { connector: Some("example.alpha".into()), namespace: None, ticket: 2 };
    world.dispatch(Event::Connect(other));
    assert!(world.answer(2).unwrap().contains(EVM_ADDRESS));
    assert_eq!((world.answer(1), world.snapshot().modal.open), (None, true));
    world.choose("example.sol");
    assert!(world.answer(1).unwrap().contains(SOLANA_ADDRESS));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_2_3_wallets_of_all_namespaces_are_offered_unless_the_modal_was_opened_for_one() {
    let mut world = world([alpha(), sol()], &[]);
    let offered = |world: &World| {
        let items = world.snapshot().wallets.groups.into_iter().flat_map(|group| group.items);
        items.map(|item| item.name).collect::<Vec<_>>()
    };
    world.open(None);
    assert_eq!(offered(&world), ["Alpha", "Sol"]);
    open_for(&mut world, "solana");
    assert_eq!(offered(&world), ["Sol"]);
    world.modal(Modal::CloseAsked);
    world.open(None);
    assert_eq!(offered(&world), ["Alpha", "Sol"]);
    // A host's call for another namespace is no longer narrowed by the one before.
    open_for(&mut world, "solana");
    world.modal(Modal::CloseAsked);
    connect(&mut world, Some("eip155"), 1);
    assert_eq!(offered(&world), ["Alpha"]);
    world.choose("example.alpha");
    assert!(world.answer(1).unwrap().contains(EVM_ADDRESS));
}

#[test]
fn wallets_of_the_wallet_standard_stay_where_the_host_wants_no_eip_6963() {
    let options = every_namespace().replacen('{', r#"{"enableEIP6963":false,"#, 1);
    let sol = ScriptedWallet::named("Sol").of(Namespace::Solana, SOLANA_ADDRESS);
    let mut world = World::with(&options, vec![alpha(), sol], Store::default());
    world.open(None);
    let items = world.snapshot().wallets.groups.into_iter().flat_map(|group| group.items);
    assert_eq!(items.map(|item| item.name).collect::<Vec<_>>(), ["Sol"]);
}

#[test]
fn a_host_that_named_a_wallet_does_not_get_the_account_of_one_that_comes_back_meanwhile() {
    let mut store = Store::default();
    store.values.insert("@portico/version".into(), "1".into());
    let stored = r#"[{"namespace":"eip155","connector":"example.alpha"}]"#;
    store.values.insert("@portico/connections".into(), stored.into());
    let wallets = vec![
        alpha().permitted().when("eth_accounts", Behaviour::Late(1_000)),
        sol().when("standard:connect", Behaviour::Late(2_000)),
    ];
    let mut world = World::with(&every_namespace(), wallets, store);
    let asked = Connect::ConnectAsked { connector: Some("example.sol".into()), namespace: None, ticket: 1 };
    world.dispatch(Event::Connect(asked));
    world.advance(1_000);
    assert_eq!((world.snapshot().account.accounts[0].is_connected, world.answer(1)), (true, None));
    world.advance(1_000);
    assert!(world.answer(1).unwrap().contains(SOLANA_ADDRESS));
}

#[test]
fn spec_4_12_disconnecting_one_namespace_leaves_the_attempt_of_another_one_alone() {
    let late = alpha().when("eth_requestAccounts", Behaviour::Late(1_000));
    let mut world = world([late, sol()], &["example.sol"]);
    open_for(&mut world, "eip155");
    connect(&mut world, Some("eip155"), 1);
    connect(&mut world, Some("bip122"), 2);
    world.choose("example.alpha");
    let disconnect = |namespace: &str, ticket| {
        Event::Connect(Connect::DisconnectAsked { namespace: Some(namespace.into()), ticket: Some(ticket) })
    };
    world.dispatch(disconnect("bip122", 3));
    assert!(world.answer(2).unwrap().contains("cancelled"));
    world.dispatch(disconnect("solana", 4));
    assert_eq!((world.answer(1), world.snapshot().connect.attempt.is_some()), (None, true));
    world.advance(1_000);
    assert!(world.answer(1).unwrap().contains(EVM_ADDRESS));
    assert_eq!(world.snapshot().connect.statuses.iter().filter(|one| one.status == Status::Connected).count(), 1);
}

#[test]
fn disconnecting_a_namespace_cancels_its_own_attempt() {
    let mut world = world([alpha().when("eth_requestAccounts", Behaviour::Silent), sol()], &[]);
    let asked = Connect::ConnectAsked { connector: Some("example.alpha".into()), namespace: None, ticket: 1 };
    world.dispatch(Event::Connect(asked));
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: Some("eip155".into()), ticket: None }));
    assert!(world.answer(1).unwrap().contains("cancelled"));
    assert_eq!(world.snapshot().connect.attempt, None);
}

#[test]
fn spec_4_18_removing_a_network_of_a_namespace_that_is_not_in_use_leaves_the_one_in_use() {
    for connected in [vec!["example.alpha", "example.sol"], vec!["example.sol"]] {
        let mut world = world([alpha(), sol()], &connected);
        world.dispatch(Event::Network(Network::NetworkRemoved {
            namespace: "eip155".into(),
            id: "31337".into(),
            ticket: Some(1),
        }));
        assert_eq!(world.answer(1).unwrap(), r#"[{"type":"resolved","value":null}]"#);
        assert_eq!((active(&world).as_deref(), asked(&world, 0)), (Some(SOLANA), vec![]));
        let account = world.snapshot().account.accounts[0].clone();
        assert_eq!((account.balance, account.balance_amount), (None, None));
        if connected.len() == 1 {
            open_for(&mut world, "eip155");
            assert_eq!(active(&world).as_deref(), Some("eip155:31338"));
        }
    }
}

/// Methods that a wallet was asked.
fn methods(world: &World, wallet: usize) -> Vec<&str> {
    world.wallets[wallet].requests.iter().map(|(method, _)| method.as_str()).collect()
}

fn disconnect(world: &mut World, namespace: &str) {
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: Some(namespace.into()), ticket: None }));
}

#[test]
fn spec_4_15_of_two_wallets_that_come_back_the_stored_network_stays_active_whichever_answers_first() {
    for connected in [["example.sol", "example.alpha"], ["example.alpha", "example.sol"]] {
        for wallets in [[alpha(), sol()], [sol(), alpha()]] {
            let mut world = world(wallets, &connected);
            let before = active(&world);
            world.reload();
            assert_eq!(world.snapshot().account.accounts.iter().filter(|account| account.is_connected).count(), 2);
            assert_eq!(active(&world), before, "{connected:?}");
        }
    }
}

#[test]
fn a_wallet_that_does_not_come_back_leaves_the_page_on_the_network_of_the_one_that_does() {
    for behaviour in [Behaviour::Refuse, Behaviour::Silent] {
        let mut world = world([alpha(), sol()], &["example.alpha", "example.sol"]);
        let behaviours = &mut world.wallets[1].behaviours;
        behaviours.insert("standard:connect".into(), behaviour);
        world.reload();
        world.advance(5_000);
        assert_eq!(active(&world).as_deref(), Some("eip155:31337"));
    }
}

/// State of the account on Solana.
fn on_solana(world: &World) -> AccountState {
    world.snapshot().account.accounts.into_iter().find(|one| one.namespace == Namespace::Solana).unwrap()
}

#[test]
fn a_visitor_who_chooses_a_network_without_an_account_connects_a_wallet_there_first() {
    let mut world = world([alpha(), sol()], &["example.sol"]);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Networks });
    let choose = Network::NetworkChosen { chain: "eip155:31338".into() };
    world.dispatch(Event::Network(choose.clone()));
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.view, active(&world).as_deref()), (View::Connect, Some(SOLANA)));
    let items = snapshot.wallets.groups.iter().flat_map(|group| &group.items);
    assert_eq!(items.map(|item| item.name.as_str()).collect::<Vec<_>>(), ["Alpha"]);
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, active(&world).as_deref()), (View::Networks, Some(SOLANA)));
    world.modal(Modal::CloseAsked);
    world.open(Some("Networks"));
    world.dispatch(Event::Network(choose));
    let modal = world.snapshot().modal;
    assert_eq!((modal.open, modal.view), (true, View::Connect), "also from the button of the network");
    world.choose("example.alpha");
    assert_eq!(active(&world).as_deref(), Some("eip155:31337"), "the chain on which the wallet is");
    assert_eq!(world.snapshot().account.accounts.iter().filter(|one| one.is_connected).count(), 2);
}

#[test]
fn spec_6_2_a_host_that_switches_to_a_namespace_without_an_account_opens_the_wallets_and_no_empty_account() {
    let mut world = world([alpha(), sol()], &["example.sol"]);
    switch(&mut world, "eip155:31338", 1);
    assert_eq!(active(&world).as_deref(), Some("eip155:31338"));
    world.open(None);
    assert_eq!(world.snapshot().modal.view, View::Connect);
    world.modal(Modal::CloseAsked);
    switch(&mut world, SOLANA, 2);
    world.open(None);
    assert_eq!(world.snapshot().modal.view, View::Account);
}
