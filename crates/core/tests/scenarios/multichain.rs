//! Scenarios of a wallet that serves several namespaces.

use portico_core::Event;
use portico_core::connect::{Event as Connect, Status};
use portico_core::modal::{Event as Modal, View};
use portico_json::Value;
use portico_terms::Namespace;
use portico_testkit::{ScriptedWallet, Store, World, every_namespace};

const SOLANA_ADDRESS: &str = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";
const BITCOIN_ADDRESS: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

/// World with a wallet that announces itself in three namespaces, and one that serves only Solana.
fn world() -> World {
    let part = |namespace, address: &str, rdns: &str| ScriptedWallet {
        rdns: rdns.into(),
        ..ScriptedWallet::named("Ghost").of(namespace, address)
    };
    let wallets = vec![
        ScriptedWallet::named("Ghost"),
        part(Namespace::Solana, SOLANA_ADDRESS, "solana.ghost"),
        part(Namespace::Bip122, BITCOIN_ADDRESS, "bitcoin.ghost"),
        ScriptedWallet::named("Sol").of(Namespace::Solana, SOLANA_ADDRESS),
    ];
    World::with(&every_namespace(), wallets, Store::default())
}

fn listed(world: &World) -> Vec<String> {
    let groups = world.snapshot().wallets.groups.into_iter();
    groups.flat_map(|group| group.items).map(|item| item.name).collect()
}

fn chains(world: &World) -> Vec<(Namespace, String)> {
    let choice = world.snapshot().connect.multi_chain.expect("a choice of namespaces");
    choice.chains.into_iter().map(|chain| (chain.namespace, chain.connector)).collect()
}

fn choose_chain(world: &mut World, connector: &str) {
    world.dispatch(Event::Connect(Connect::ChainChosen { connector: connector.into() }));
}

#[test]
fn a_wallet_of_several_namespaces_is_one_row_and_connects_the_namespace_that_the_visitor_chooses() {
    let mut world = world();
    world.open(None);
    assert_eq!(listed(&world), ["Ghost", "Sol"]);
    world.choose("example.ghost");
    assert_eq!(world.snapshot().modal.view, View::ConnectingMultiChain);
    assert!(world.wallets.iter().all(|wallet| wallet.requests.is_empty()), "nothing is asked before the choice");
    let expected = [
        (Namespace::Eip155, "example.ghost"),
        (Namespace::Solana, "solana.ghost"),
        (Namespace::Bip122, "bitcoin.ghost"),
    ];
    assert_eq!(chains(&world), expected.map(|(namespace, id)| (namespace, String::from(id))));
    choose_chain(&mut world, "solana.ghost");
    let statuses = world.snapshot().connect.statuses;
    let connected: Vec<_> =
        statuses.iter().filter(|one| one.status == Status::Connected).map(|one| one.namespace).collect();
    assert_eq!(connected, [Namespace::Solana]);
    assert!(world.wallets[0].requests.is_empty() && world.wallets[2].requests.is_empty());
    // Among the recent ones it is still one row.
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    world.open(None);
    assert_eq!(listed(&world), ["Ghost", "Sol"]);
}

#[test]
fn back_from_the_choice_leads_to_the_list() {
    let mut world = world();
    world.open(None);
    world.choose("example.ghost");
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, world.snapshot().connect.multi_chain), (View::Connect, None));
}

#[test]
fn spec_2_3_a_modal_for_one_namespace_connects_it_without_a_choice() {
    let mut world = world();
    world.modal(Modal::OpenAsked {
        view: None,
        namespace: Some("bip122".into()),
        uri: None,
        arguments: Value::Null,
        ticket: None,
    });
    assert_eq!(listed(&world), ["Ghost"]);
    world.choose("bitcoin.ghost");
    assert!(!world.wallets[2].requests.is_empty());
    assert_eq!(world.snapshot().connect.multi_chain, None);
}

#[test]
fn wallets_of_one_name_in_one_namespace_stay_apart() {
    let twin = ScriptedWallet { rdns: "other.alpha".into(), ..ScriptedWallet::named("Alpha") };
    let mut world = World::with(&every_namespace(), vec![ScriptedWallet::named("Alpha"), twin], Store::default());
    world.open(None);
    assert_eq!(listed(&world), ["Alpha", "Alpha"]);
    world.choose("other.alpha");
    assert_eq!((world.wallets[0].requests.is_empty(), world.wallets[1].requests.is_empty()), (true, false));
}

#[test]
fn a_second_wallet_that_takes_the_name_in_another_namespace_has_a_row_of_its_own() {
    let named = |namespace, address: &str, rdns: &str| ScriptedWallet {
        rdns: rdns.into(),
        ..ScriptedWallet::named("Ghost").of(namespace, address)
    };
    let wallets = vec![
        ScriptedWallet::named("Ghost"),
        named(Namespace::Solana, SOLANA_ADDRESS, "solana.ghost"),
        named(Namespace::Solana, SOLANA_ADDRESS, "bait.ghost"),
    ];
    let mut world = World::with(&every_namespace(), wallets, Store::default());
    world.open(None);
    assert_eq!(listed(&world), ["Ghost", "Ghost"]);
    world.choose("example.ghost");
    let expected = [(Namespace::Eip155, "example.ghost"), (Namespace::Solana, "solana.ghost")];
    assert_eq!(chains(&world), expected.map(|(namespace, id)| (namespace, String::from(id))));
    world.modal(Modal::BackAsked);
    world.choose("bait.ghost");
    assert!(world.wallets[2].requests.iter().any(|(method, _)| !method.is_empty()), "it connects at once");
    assert!(world.wallets[1].requests.is_empty());
}
