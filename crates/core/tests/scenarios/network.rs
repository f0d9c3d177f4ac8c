use portico_core::Event;
use portico_core::connect::Event as Connect;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::notice::AlertKey;
use portico_core::send::Event as Send;
use portico_json::{Value, parse};
use portico_terms::Namespace;
use portico_testkit::{BITCOIN, Behaviour, SOLANA, ScriptedWallet, Store, World, every_namespace, network, options};

pub const SWITCH: &str = "wallet_switchEthereumChain";

pub fn connected(wallet: ScriptedWallet) -> World {
    let mut world = World::new(vec![wallet]);
    world.connect_first();
    world
}

pub fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha")
}

/// Options of an ordinary host with an additional network that has no adapter.
fn with_bitcoin() -> String {
    let bitcoin = r#"{"id":"000000000019d6689c085ae165831e93","chainNamespace":"bip122","name":"Bitcoin","nativeCurrency":{"name":"Bitcoin","symbol":"BTC","decimals":8},"rpcUrls":{"default":{"http":["https://btc.example"]}}}"#;
    options().replace(r#"}]}"#, &format!(r#"}},{bitcoin}]}}"#))
}

pub fn choose(world: &mut World, chain: &str) {
    world.dispatch(Event::Network(Network::NetworkChosen { chain: chain.into() }));
}

pub fn host_switch(world: &mut World, network: &str, ticket: u32) {
    world.dispatch(Event::Network(Network::SwitchAsked { network: parse(network).unwrap(), ticket: Some(ticket) }));
}

pub fn active(world: &World) -> Option<String> {
    world.snapshot().network.active.map(|network| network.caip_network_id.to_string())
}

#[test]
fn spec_3_1_every_namespace_has_a_chain_state_of_networks_network_state_account_state_and_client() {
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
    let snapshot = connected(alpha()).snapshot();
    let client = snapshot.account.accounts[0].connected_wallet_info.as_ref().map(|wallet| wallet.handle.as_str());
    assert_eq!(client, Some("uuid-example.alpha"));
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
fn spec_4_13_the_visitor_switches_the_network_in_the_modal() {
    let mut world = connected(alpha());
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Networks });
    choose(&mut world, "eip155:31338");
    assert_eq!(active(&world).as_deref(), Some("eip155:31338"));
    assert_eq!((world.wallets[0].chain, world.snapshot().modal.view), (31338, View::Account));
    assert_eq!(world.events.last().unwrap().0, "SWITCH_NETWORK");
}

#[test]
fn spec_4_14_a_change_of_namespace_that_no_wallet_is_asked_for_is_over_at_once() {
    let solana = r#"{"id":"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp","chainNamespace":"solana","name":"Solana","nativeCurrency":{"name":"Sol","symbol":"SOL","decimals":9},"rpcUrls":{"default":{"http":["https://sol.example"]}}}"#;
    let options = options()
        .replace(r#""networks":["#, &format!(r#""networks":[{solana},"#))
        .replace(r#"{"namespace":"eip155"}"#, r#"{"namespace":"eip155"},{"namespace":"solana"}"#);
    let mut world = World::with(&options, vec![], Store::default());
    assert_eq!(world.snapshot().network.active_namespace.map(|namespace| namespace.word()), Some("solana"));
    choose(&mut world, "eip155:31337");
    let snapshot = world.snapshot();
    assert_eq!(
        (snapshot.network.active_namespace.map(|namespace| namespace.word()), snapshot.network.namespace_switching),
        (Some("eip155"), false)
    );
}

#[test]
fn spec_4_15_switching_resets_send_and_stores_the_active_network() {
    let mut world = connected(alpha());
    world.open(Some("WalletSend"));
    world.dispatch(Event::Send(Send::AmountTyped { text: "5".into() }));
    choose(&mut world, "eip155:31338");
    assert_eq!(world.snapshot().send.send_token_amount, "");
    assert_eq!(world.store.values["@portico/active_network"], "eip155:31338");
    world.reload();
    assert_eq!(active(&world).as_deref(), Some("eip155:31338"));
}

#[test]
fn spec_4_16_unsupported_chain_shows_when_the_wallet_goes_to_a_chain_of_its_own() {
    let mut world = connected(alpha());
    world.wallet_switches(999);
    let snapshot = world.snapshot();
    assert_eq!(
        (snapshot.modal.open, snapshot.modal.view, snapshot.network.active),
        (true, View::UnsupportedChain, None)
    );
    world.wallet_switches(31338);
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_2_24_the_screen_needs_an_unrequested_network_switching_enabled_and_neither_exception() {
    for (option, opens) in [
        ("", true),
        (r#""enableNetworkSwitch":false,"#, false),
        (r#""allowUnsupportedChain":true,"#, false),
        (r#""basic":true,"#, false),
    ] {
        let options = options().replace(r#""projectId""#, &format!(r#"{option}"projectId""#));
        let mut world = World::with(&options, vec![alpha().on(999)], Store::default());
        world.connect_first();
        assert_eq!(world.snapshot().modal.view == View::UnsupportedChain, opens, "{option}");
        assert_eq!(world.snapshot().modal.open, opens, "{option}");
    }
    let mut world = World::new(vec![alpha().on(31338)]);
    world.connect_first();
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_4_17_a_network_that_is_not_configured_raises_the_alert() {
    let mut world = connected(alpha());
    host_switch(&mut world, &network(1, "Ethereum"), 1);
    assert_eq!(world.snapshot().notice.alert.map(|alert| alert.key), Some(AlertKey::SwitchNetworkNotFound));
    assert!(world.answer(1).unwrap().contains("networkNotFound"));
}

#[test]
fn spec_4_17_a_network_object_needs_only_its_id_to_be_switched_to_or_found_missing() {
    for (network, well) in [
        (r#"{"id":31338}"#, true),
        (r#"{"id":"31338","chainNamespace":"eip155"}"#, true),
        (r#"{"id":7,"caipNetworkId":"eip155:31338"}"#, true),
        (r#"{"id":999}"#, false),
    ] {
        let mut world = connected(alpha());
        host_switch(&mut world, network, 1);
        let alert = world.snapshot().notice.alert.map(|alert| alert.key);
        assert_eq!(alert, (!well).then_some(AlertKey::SwitchNetworkNotFound), "{network}");
        assert!(world.answer(1).unwrap().contains(if well { "resolved" } else { "networkNotFound" }), "{network}");
    }
    let mut world = connected(alpha());
    host_switch(&mut world, r#"{"id":{}}"#, 1);
    assert!(world.answer(1).unwrap().contains("Invalid CAIP-2 network id"));
}

#[test]
fn spec_8_29_a_host_that_gives_an_evm_network_with_an_id_that_is_no_chains_is_told_so() {
    for id in ["0", "-1", "18446744073709551616", r#""mainnet""#] {
        let mut world = connected(alpha());
        host_switch(&mut world, &format!(r#"{{"id":{id}}}"#), 1);
        assert_eq!(
            world.answer(1).unwrap(),
            r#"[{"type":"rejected","error":{"reason":"invalidChainId","message":"Invalid chainId","code":null}}]"#,
            "{id}"
        );
        let network = format!(r#"{{"id":{id},"name":"Odd"}}"#);
        world.dispatch(Event::Network(Network::NetworkAdded {
            namespace: "eip155".into(),
            network: portico_json::parse(&network).unwrap(),
            ticket: Some(2),
        }));
        assert!(world.answer(2).unwrap().contains(r#""message":"Invalid chainId""#), "{id}");
    }
}

#[test]
fn spec_8_21_the_refusal_says_network_not_found() {
    let mut world = connected(alpha());
    host_switch(&mut world, &network(1, "Ethereum"), 1);
    assert!(world.answer(1).unwrap().contains(r#""message":"Network not found""#));
}

#[test]
fn spec_8_16_a_namespace_that_the_host_does_not_serve_is_an_unsupported_chain() {
    let mut world = connected(alpha());
    host_switch(&mut world, r#""solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp""#, 1);
    assert!(world.answer(1).unwrap().contains(r#""message":"Unsupported chain""#));
}

#[test]
fn spec_8_32_a_namespace_without_an_adapter_says_adapter_not_found() {
    let options = options().replace(r#"{"namespace":"eip155"}"#, r#"{"namespace":"solana"}"#);
    let mut world = World::with(&options, vec![], Store::default());
    host_switch(&mut world, r#""eip155:1""#, 1);
    assert!(world.answer(1).unwrap().contains(r#""message":"Adapter not found""#));
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
fn without_a_wallet_the_network_is_chosen_at_once() {
    let mut world = World::new(vec![]);
    world.open(Some("Networks"));
    choose(&mut world, "eip155:31338");
    assert_eq!(active(&world).as_deref(), Some("eip155:31338"));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn a_chain_changed_with_nonsense_changes_nothing() {
    let mut world = connected(alpha());
    let handle = world.wallets[0].handle();
    let before = world.snapshot();
    for chain in [Value::Null, Value::from("0x"), Value::from("mainnet"), Value::List(vec![])] {
        world.dispatch(Event::Network(Network::ChainChanged { handle: handle.clone(), chain }));
        assert_eq!(world.snapshot(), before);
    }
    world.dispatch(Event::Network(Network::ChainChanged { handle: "somebody else".into(), chain: "0x1".into() }));
    assert_eq!(world.snapshot(), before);
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
