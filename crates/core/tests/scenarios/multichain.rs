//! Scenarios of a wallet that serves several namespaces.

use portico_core::Event;
use portico_core::connect::{Event as Connect, Status};
use portico_core::modal::{Event as Modal, View};
use portico_json::Value;
use portico_terms::{Connector, ConnectorKind, Namespace};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, every_namespace};

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

/// Namespaces in which a test's wallets announce themselves, with the id there.
fn ghosts(wallets: &[(Namespace, &str)]) -> Vec<ScriptedWallet> {
    let part = |(namespace, id): &(Namespace, &str)| match namespace {
        Namespace::Eip155 => ScriptedWallet { rdns: (*id).into(), ..ScriptedWallet::named("Ghost") },
        _ => ScriptedWallet {
            rdns: (*id).into(),
            ..ScriptedWallet::named("Ghost")
                .of(*namespace, if *namespace == Namespace::Solana { SOLANA_ADDRESS } else { BITCOIN_ADDRESS })
        },
    };
    wallets.iter().map(part).collect()
}

/// Ids of the connectors of each wallet that serves several namespaces, after the id of the whole wallet.
fn multi_chain(world: &World) -> Vec<Vec<String>> {
    let connectors = world.snapshot().wallets.connectors;
    let (parts, plain): (Vec<_>, Vec<_>) =
        connectors.into_iter().partition(|one| one.kind == ConnectorKind::MultiChain);
    let own = |part: &Connector| {
        let own = plain.iter().find(|one| (&one.handle, one.chain) == (&part.handle, part.chain));
        own.expect("the connector of a namespace").id.clone()
    };
    let mut wallets: Vec<Vec<String>> = Vec::new();
    for part in &parts {
        match wallets.iter_mut().find(|ids| ids[0] == part.id) {
            Some(ids) => ids.push(own(part)),
            None => wallets.push(vec![part.id.clone(), own(part)]),
        }
    }
    wallets
}

fn connect(world: &mut World, connector: &str, namespace: Option<&str>, ticket: u32) {
    let (connector, namespace) = (Some(connector.into()), namespace.map(Into::into));
    world.dispatch(Event::Connect(Connect::ConnectAsked { connector, namespace, ticket }));
}

/// Indexes of the wallets that were asked for something.
fn asked(world: &World) -> Vec<usize> {
    let wallets = world.wallets.iter().enumerate();
    wallets.filter(|(_, wallet)| !wallet.requests.is_empty()).map(|(index, _)| index).collect()
}

#[test]
fn spec_3_9_the_host_hears_of_the_connectors_of_a_wallet_that_serves_several_namespaces() {
    let mut world = world();
    let whole = ["example.ghost", "example.ghost", "solana.ghost", "bitcoin.ghost"].map(String::from).to_vec();
    assert_eq!(multi_chain(&world), std::slice::from_ref(&whole), "Sol serves one namespace");
    // A recent wallet has its row elsewhere, in the namespace of its last use; the order stays.
    world.open(None);
    world.choose("example.ghost");
    choose_chain(&mut world, "solana.ghost");
    assert_eq!(multi_chain(&world), [whole]);
}

#[test]
fn spec_3_9_a_namespace_that_a_wallet_announces_later_makes_it_one_of_several() {
    let wallets = ghosts(&[(Namespace::Solana, "solana.ghost"), (Namespace::Eip155, "example.ghost")]);
    let mut world = World::with(&every_namespace(), vec![ScriptedWallet::named("Alpha")], Store::default());
    for (wallet, expected) in wallets.into_iter().zip([0, 1]) {
        world.dispatch(Event::Connect(Connect::WalletFound { wallet: wallet.announcement() }));
        assert_eq!(multi_chain(&world).len(), expected);
    }
    assert_eq!(
        multi_chain(&world),
        [["example.ghost", "example.ghost", "solana.ghost"]],
        "the preferred namespace is the first"
    );
}

#[test]
fn wallets_of_one_name_are_several_connectors_for_the_host_too() {
    let twins = ghosts(&[
        (Namespace::Eip155, "example.ghost"),
        (Namespace::Solana, "solana.ghost"),
        (Namespace::Solana, "bait.ghost"),
        (Namespace::Eip155, "other.ghost"),
        (Namespace::Bip122, "bitcoin.ghost"),
        (Namespace::Solana, "third.ghost"),
    ]);
    let world = World::with(&every_namespace(), twins, Store::default());
    assert_eq!(
        multi_chain(&world),
        [
            vec!["example.ghost", "example.ghost", "solana.ghost", "bitcoin.ghost"],
            vec!["other.ghost", "other.ghost", "bait.ghost"]
        ]
    );
}

#[test]
fn spec_3_9_a_call_with_the_id_of_the_whole_wallet_waits_for_the_choice_of_its_namespace() {
    let mut world = world();
    connect(&mut world, "example.ghost", None, 1);
    assert_eq!((world.snapshot().modal.view, world.answer(1)), (View::ConnectingMultiChain, None));
    assert!(asked(&world).is_empty());
    choose_chain(&mut world, "bitcoin.ghost");
    let answer = world.answer(1).unwrap();
    assert!(answer.contains(r#""connectorId":"bitcoin.ghost""#), "{answer}");
    // Back leads to the list, and closing ends the call.
    connect(&mut world, "example.ghost", None, 2);
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, world.answer(2)), (View::Connect, None));
    world.modal(Modal::CloseAsked);
    assert!(world.answer(2).unwrap().contains(r#""reason":"modalClosed""#));
}

#[test]
fn a_call_with_the_id_of_the_whole_wallet_gets_no_account_of_another_one() {
    let mut one = world();
    connect(&mut one, "example.ghost", None, 1);
    one.modal(Modal::BackAsked);
    one.choose("example.sol");
    assert!(one.answer(1).unwrap().contains("rejected"));
    // Nor of one that comes back from an earlier page meanwhile.
    let mut other = world();
    other.choose("example.sol");
    other.wallets[3].behaviours.insert("standard:connect".into(), Behaviour::Late(1_000));
    other.reload();
    connect(&mut other, "example.ghost", None, 2);
    other.advance(1_000);
    let accounts = other.snapshot().account.accounts;
    assert!(accounts.iter().any(|account| account.address.as_deref() == Some(SOLANA_ADDRESS)));
    assert_eq!(other.answer(2), None);
    choose_chain(&mut other, "bitcoin.ghost");
    assert!(other.answer(2).unwrap().contains(r#""connectorId":"bitcoin.ghost""#));
}

#[test]
fn spec_3_9_a_call_that_names_a_namespace_connects_it_without_a_choice() {
    for (id, namespace, wallet) in [
        ("example.ghost", Some("eip155"), 0),
        ("example.ghost", Some("solana"), 1),
        ("bitcoin.ghost", Some("bip122"), 2),
        // Any other id than the whole wallet's stands for its own namespace.
        ("solana.ghost", None, 1),
        ("bitcoin.ghost", None, 2),
    ] {
        let mut world = world();
        connect(&mut world, id, namespace, 1);
        assert!(world.answer(1).unwrap().contains("resolved"), "{id} {namespace:?}");
        assert_eq!((asked(&world), world.snapshot().modal.open), (vec![wallet], false), "{id} {namespace:?}");
    }
}

#[test]
fn a_namespace_that_the_wallet_lacks_is_no_connector() {
    let wallets = ghosts(&[(Namespace::Eip155, "example.ghost"), (Namespace::Bip122, "bitcoin.ghost")]);
    let mut world = World::with(&every_namespace(), wallets, Store::default());
    connect(&mut world, "example.ghost", Some("solana"), 1);
    assert!(world.answer(1).unwrap().contains(r#""reason":"connectorNotFound""#));
    assert!(asked(&world).is_empty());
}

#[test]
fn a_list_for_one_namespace_does_not_change_what_the_hosts_id_stands_for() {
    let mut world = world();
    world.dispatch(Event::Connect(Connect::ConnectAsked {
        connector: None,
        namespace: Some("solana".into()),
        ticket: 1,
    }));
    connect(&mut world, "example.ghost", Some("bip122"), 2);
    assert_eq!(asked(&world), [2]);
    assert!(world.answer(2).unwrap().contains("resolved"));
}

#[test]
fn spec_6_6_without_consent_a_call_for_the_whole_wallet_shows_the_list_with_the_box() {
    let legal = r#"{"features":{"legalCheckbox":true},"termsConditionsUrl":"https://host.example/terms","#;
    let wallets = ghosts(&[(Namespace::Eip155, "example.ghost"), (Namespace::Solana, "solana.ghost")]);
    let mut world = World::with(&every_namespace().replacen('{', legal, 1), wallets, Store::default());
    connect(&mut world, "example.ghost", None, 1);
    assert_eq!(world.snapshot().modal.view, View::Connect);
    world.dispatch(Event::Connect(Connect::LegalTicked { ticked: true }));
    world.choose("example.ghost");
    assert_eq!(world.snapshot().modal.view, View::ConnectingMultiChain);
    choose_chain(&mut world, "solana.ghost");
    assert!(world.answer(1).unwrap().contains("resolved"));
}
