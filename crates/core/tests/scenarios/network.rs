//! Scenarios of a switch: by the visitor, by the host, and by the wallet on its own.

mod list;

use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::notice::AlertKey;
use portico_core::send::Event as Send;
use portico_json::{Value, parse};
use portico_testkit::{ScriptedWallet, Store, World, network, options};

pub const SWITCH: &str = "wallet_switchEthereumChain";

pub fn connected(wallet: ScriptedWallet) -> World {
    let mut world = World::new(vec![wallet]);
    world.connect_first();
    world
}

pub fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha")
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
