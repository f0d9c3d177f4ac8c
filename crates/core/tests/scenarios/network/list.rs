//! Scenarios of the host's networks by namespace: their state, and networks and adapters that are added or removed.

use super::{SWITCH, active, alpha, choose, connected};
use portico_core::Event;
use portico_core::account::AccountState;
use portico_core::connect::Event as Connect;
use portico_core::network::Event as Network;
use portico_json::parse;
use portico_terms::Namespace;
use portico_testkit::{BITCOIN, Behaviour, SOLANA, ScriptedWallet, Store, World, every_namespace, network, options};

/// Options of an ordinary host with an additional network that has no adapter.
fn with_bitcoin() -> String {
    let bitcoin = r#"{"id":"000000000019d6689c085ae165831e93","chainNamespace":"bip122","name":"Bitcoin","nativeCurrency":{"name":"Bitcoin","symbol":"BTC","decimals":8},"rpcUrls":{"default":{"http":["https://btc.example"]}}}"#;
    options().replace(r#"}]}"#, &format!(r#"}},{bitcoin}]}}"#))
}

#[test]
fn spec_3_1_every_namespace_has_a_chain_state_of_networks_network_state_and_account_state() {
    let world = World::with(&with_bitcoin(), vec![alpha()], Store::default());
    let namespaces = |world: &World| {
        let chains = world.snapshot().network.chains;
        chains.iter().map(|chain| (chain.namespace.word(), chain.adapter)).collect::<Vec<_>>()
    };
    assert_eq!(namespaces(&world), [("eip155", true), ("bip122", false)]);
    let snapshot = world.snapshot();
    for chain in &snapshot.network.chains {
        let networks = snapshot.network.networks.iter().filter(|network| network.chain_namespace == chain.namespace);
        let ids: Vec<_> = networks.map(|network| network.caip_network_id.clone()).collect();
        assert_eq!(chain.network_state.requested_caip_networks, ids);
        assert_eq!(snapshot.account.accounts.iter().filter(|one| one.namespace == chain.namespace).count(), 1);
    }
}

#[test]
fn spec_3_1_the_handle_of_a_chain_leads_to_its_client_of_the_connection_and_of_the_network() {
    let solana = ScriptedWallet::named("Sol").of(Namespace::Solana, "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv");
    let mut world = World::with(&every_namespace(), vec![alpha(), solana], Store::default());
    let handles = |world: &World| {
        let accounts = world.snapshot().account.accounts.clone();
        let handle =
            |account: &AccountState| account.connected_wallet_info.as_ref().map(|wallet| wallet.handle.clone());
        accounts.iter().map(|account| (account.namespace.word(), handle(account))).collect::<Vec<_>>()
    };
    assert_eq!(handles(&world), [("eip155", None), ("solana", None), ("bip122", None)]);
    for id in ["example.alpha", "example.sol"] {
        world.open(None);
        world.choose(id);
    }
    let [evm, sol] = [0, 1].map(|at| Some(world.wallets[at].handle()));
    assert_eq!(handles(&world), [("eip155", evm), ("solana", sol), ("bip122", None)]);
    // The network of the chain is switched, and its connection ended, by the client of its handle alone.
    let asked = |world: &World| [0, 1].map(|at| world.wallets[at].requests.len());
    let before = asked(&world);
    choose(&mut world, "eip155:31338");
    assert_eq!((world.wallets[0].chain, asked(&world)[1]), (31338, before[1]));
    let revoked = |world: &World, at: usize| {
        world.wallets[at].requests.iter().filter(|(method, _)| method == "wallet_revokePermissions").count()
    };
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: Some("eip155".into()), ticket: None }));
    assert_eq!((revoked(&world, 0), revoked(&world, 1)), (1, 0));
    let sol = Some(world.wallets[1].handle());
    assert_eq!(handles(&world), [("eip155", None), ("solana", sol), ("bip122", None)]);
}

#[test]
fn spec_3_2_the_network_state_has_the_fields_of_the_contract() {
    let world = World::new(vec![]);
    assert_eq!(
        portico_json::to_text(&world.snapshot().network.chains[0].network_state),
        r#"{"caipNetwork":"eip155:31337","supportsAllNetworks":true,"smartAccountEnabledNetworks":[],"approvedCaipNetworkIds":[],"requestedCaipNetworks":["eip155:31337","eip155:31338"]}"#
    );
}

#[test]
fn spec_4_18_removing_the_active_network_switches_to_the_first_remaining_one() {
    let mut world = World::new(vec![]);
    world.dispatch(Event::Network(Network::NetworkRemoved {
        namespace: "eip155".into(),
        id: "31337".into(),
        ticket: Some(1),
    }));
    assert_eq!(active(&world).as_deref(), Some("eip155:31338"));
}

#[test]
fn spec_4_19_a_host_that_removes_the_last_network_of_the_active_namespace_is_on_another_chains_first_network() {
    for wallets in [vec![], vec![alpha()]] {
        let connects = !wallets.is_empty();
        let mut world = World::with(&with_bitcoin(), wallets, Store::default());
        if connects {
            world.connect_first();
        }
        for (ticket, id) in [(1, "31338"), (2, "31337")] {
            world.dispatch(Event::Network(Network::NetworkRemoved {
                namespace: "eip155".into(),
                id: id.into(),
                ticket: Some(ticket),
            }));
            assert_eq!(world.answer(ticket).unwrap(), r#"[{"type":"resolved","value":null}]"#);
        }
        assert_eq!(active(&world).as_deref(), Some(BITCOIN));
        assert!(!world.snapshot().modal.open);
    }
}

/// The host removes the adapter of a namespace.
fn remove_adapter(world: &mut World, namespace: &str, ticket: u32) -> String {
    world.dispatch(Event::Network(Network::AdapterRemoved { namespace: namespace.into(), ticket: Some(ticket) }));
    world.answer(ticket).unwrap()
}

#[test]
fn spec_4_19_a_host_that_removes_the_active_adapter_is_on_another_chains_first_network() {
    for connects in [false, true] {
        let mut world = World::with(&every_namespace(), vec![alpha()], Store::default());
        if connects {
            world.connect_first();
            world.open(Some("Networks"));
        }
        assert_eq!(active(&world).as_deref(), Some("eip155:31337"));
        assert_eq!(remove_adapter(&mut world, "eip155", 1), r#"[{"type":"resolved","value":null}]"#);
        let snapshot = world.snapshot();
        assert_eq!(active(&world).as_deref(), Some(SOLANA));
        let left: Vec<_> = snapshot.network.networks.iter().map(|network| network.chain_namespace.word()).collect();
        assert_eq!(left, ["solana", "bip122"]);
        assert!(snapshot.account.accounts.iter().all(|account| !account.is_connected));
        let told = world.event_names().contains(&"DISCONNECT_SUCCESS");
        assert_eq!((told, world.store.values.contains_key("@portico/connections")), (connects, false));
        // The adapter's wallets are not offered any more, and the namespace has no adapter to remove.
        world.open(Some("Connect"));
        let offered = world.snapshot().wallets.groups.into_iter().flat_map(|group| group.items);
        assert!(offered.into_iter().all(|item| item.id != "example.alpha"));
        let connector = Some("example.alpha".into());
        world.dispatch(Event::Connect(Connect::ConnectAsked { connector, namespace: None, ticket: 9 }));
        assert!(world.answer(9).unwrap().contains("ConnectionController client not set"));
        assert!(remove_adapter(&mut world, "eip155", 2).contains("The adapter for namespace 'eip155' does not exist"));
    }
}

#[test]
fn spec_4_19_a_host_that_removes_another_adapter_stays_where_it_is_and_the_last_one_leaves_no_network() {
    let mut world = World::with(&every_namespace(), vec![alpha()], Store::default());
    world.connect_first();
    remove_adapter(&mut world, "solana", 1);
    assert_eq!(active(&world).as_deref(), Some("eip155:31337"));
    assert!(world.snapshot().account.accounts[0].is_connected);
    remove_adapter(&mut world, "bip122", 2);
    remove_adapter(&mut world, "eip155", 3);
    assert_eq!((active(&world), world.snapshot().network.active_namespace), (None, None));
    for namespace in ["eip155", "cosmos"] {
        let error = format!("The adapter for namespace '{namespace}' does not exist");
        assert!(remove_adapter(&mut world, namespace, 4).contains(&error));
        world.answers.remove(&4);
    }
}

#[test]
fn spec_4_19_a_wallet_that_refuses_the_first_network_of_the_remaining_chain_is_on_that_chain_all_the_same() {
    let solana = ScriptedWallet::named("Sol").of(Namespace::Solana, "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE");
    let wallet = alpha().on(31338).when("wallet_switchEthereumChain", Behaviour::Refuse);
    let mut world = World::with(&every_namespace(), vec![wallet, solana], Store::default());
    world.connect_first();
    world.choose("example.sol");
    assert_eq!(active(&world).as_deref(), Some(SOLANA));
    remove_adapter(&mut world, "solana", 1);
    assert_eq!(active(&world).as_deref(), Some("eip155:31338"));
    assert!(world.wallets[0].requests.iter().any(|(method, _)| method == "wallet_switchEthereumChain"));
}

#[test]
fn a_host_that_removes_its_only_networks_is_on_no_network() {
    let mut world = World::new(vec![]);
    for id in ["31337", "31338"] {
        world.dispatch(Event::Network(Network::NetworkRemoved {
            namespace: "eip155".into(),
            id: id.into(),
            ticket: None,
        }));
    }
    assert_eq!((active(&world), world.snapshot().network.networks.len()), (None, 0));
}

#[test]
fn spec_4_20_a_network_already_present_is_not_added_twice() {
    let mut world = World::new(vec![]);
    for ticket in 1..=2 {
        let added = Network::NetworkAdded {
            namespace: "eip155".into(),
            network: parse(&network(10, "Ten")).unwrap(),
            ticket: Some(ticket),
        };
        world.dispatch(Event::Network(added));
    }
    assert_eq!(world.snapshot().network.networks.len(), 3);
}

#[test]
fn the_hosts_pictures_of_networks_go_before_their_own_by_number_and_by_caip_2_id_and_for_those_added_later() {
    let images = r#"{"chainImages":{"31337":"/one.svg","eip155:31338":"/two.svg","10":"/ten.svg"},"#;
    let mut world = World::with(&options().replacen('{', images, 1), vec![], Store::default());
    world.dispatch(Event::Network(Network::NetworkAdded {
        namespace: "eip155".into(),
        network: parse(&network(10, "Ten").replacen('{', r#"{"assets":{"imageUrl":"/own.svg"},"#, 1)).unwrap(),
        ticket: None,
    }));
    let view = world.snapshot().network;
    let drawn: Vec<_> = view.networks.iter().map(|network| network.assets.image_url.as_deref()).collect();
    assert_eq!(drawn, [Some("/one.svg"), Some("/two.svg"), Some("/ten.svg")]);
    assert_eq!(view.active.and_then(|network| network.assets.image_url).as_deref(), Some("/one.svg"));
}

#[test]
fn spec_4_21_a_network_that_is_not_configured_is_marked_as_unsupported() {
    let world = connected(alpha().on(999));
    assert_eq!(world.snapshot().network.unsupported.map(|chain| chain.to_string()).as_deref(), Some("eip155:999"));
}

#[test]
fn spec_4_22_a_namespace_without_an_adapter_has_no_networks_to_add_or_remove() {
    let mut world = World::new(vec![]);
    let added = Network::NetworkAdded {
        namespace: "solana".into(),
        network: parse(&network(10, "Ten")).unwrap(),
        ticket: Some(1),
    };
    world.dispatch(Event::Network(added));
    world.dispatch(Event::Network(Network::NetworkRemoved {
        namespace: "solana".into(),
        id: "1".into(),
        ticket: Some(2),
    }));
    for ticket in 1..=2 {
        assert!(world.answer(ticket).unwrap().contains("The adapter for namespace 'solana' does not exist"));
    }
}

#[test]
fn spec_4_18_removing_the_network_of_a_connected_wallet_asks_it_to_switch_and_says_so_if_it_refuses() {
    let mut world = connected(alpha().when(SWITCH, Behaviour::Refuse));
    world.dispatch(Event::Network(Network::NetworkRemoved {
        namespace: "eip155".into(),
        id: "31337".into(),
        ticket: Some(1),
    }));
    let snapshot = world.snapshot();
    assert!(snapshot.modal.open && snapshot.network.unsupported.is_some());
    world.wallet().behaviours.clear();
    choose(&mut world, "eip155:31338");
    assert_eq!((active(&world).as_deref(), world.snapshot().modal.open), (Some("eip155:31338"), false));
}

#[test]
fn a_network_that_was_added_later_is_asked_at_its_own_address() {
    let mut world = connected(alpha());
    let added = Network::NetworkAdded {
        namespace: "eip155".into(),
        network: parse(&network(10, "Ten")).unwrap(),
        ticket: None,
    };
    world.dispatch(Event::Network(added));
    world.wallet_switches(10);
    let snapshot = world.snapshot();
    assert_eq!(snapshot.account.accounts[0].balance.as_deref(), Some("10000.000"));
    assert_eq!(snapshot.network.active.map(|network| network.name).as_deref(), Some("Ten"));
}
