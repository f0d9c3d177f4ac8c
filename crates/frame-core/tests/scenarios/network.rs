//! Names of chains: of the frame's own table, and of its server's configuration; never of the host page.

use crate::transaction::{batch, chain, row};
use crate::world::{OTHER, OWN, World, spoken};
use portico_api::frame::NetworkName;
use portico_frame_core::{Event, RowLabel};

const NUMBER: u64 = 31337;

fn named(chain: &str, name: &str, coin: Option<&str>) -> NetworkName {
    NetworkName { chain: chain.into(), name: name.into(), coin: coin.map(String::from) }
}

/// Approval of a payment on a chain that is not in the table, to a server with these names.
fn asked(chain: u64, names: Vec<NetworkName>) -> World {
    let mut world = World::logged_in();
    world.event(Event::NetworksRead { networks: names });
    world.host(
        "RPC_REQUEST",
        &format!(
            r#"{{"method":"eth_sendTransaction","chainId":"eip155:{chain}","params":[{{"from":"{OWN}","to":"{OTHER}","value":"0x16345785d8a0000"}}]}}"#
        ),
    );
    world
}

fn shown(world: &mut World) -> (Option<String>, Option<String>) {
    let network = world.approval().unwrap().network;
    (network.name, network.id)
}

#[test]
fn a_chain_that_only_the_server_knows_has_its_name_and_its_number() {
    let mut world = asked(NUMBER, vec![named("eip155:31337", "Devnet", Some("DEV"))]);
    assert_eq!(shown(&mut world), (Some("Devnet".into()), Some("31337".into())));
    let mut answers = chain();
    answers[0] = r#""result":"0x7a69""#.into();
    world.answer(&batch(&answers));
    let view = world.approval().unwrap();
    assert_eq!(row(&view, RowLabel::Amount).as_deref(), Some("0.1 DEV"));
    assert_eq!(view.fee.as_ref().map(spoken).as_deref(), Some("0.000273 DEV"));
}

#[test]
fn without_a_name_the_number_stands_alone_and_coins_have_no_symbol() {
    let mut world = asked(NUMBER, vec![]);
    assert_eq!(shown(&mut world), (None, Some("31337".into())));
    assert_eq!(row(&world.approval().unwrap(), RowLabel::Amount).as_deref(), Some("0.1 coins"));
}

#[test]
fn a_known_chain_keeps_its_name_and_its_coin() {
    let mut world = asked(1, vec![named("eip155:1", "Testnet, worthless", Some("FREE"))]);
    assert_eq!(shown(&mut world), (Some("Ethereum".into()), None));
    assert_eq!(row(&world.approval().unwrap(), RowLabel::Amount).as_deref(), Some("0.1 ETH"));
}

#[test]
fn names_are_short_without_letters_that_steer_and_symbols_are_plain() {
    let long = format!("\u{202e}{}", "x".repeat(60));
    let mut world = asked(NUMBER, vec![named("eip155:31337", &long, Some("DEV\u{200b}"))]);
    let (name, _) = shown(&mut world);
    assert_eq!(name, Some(format!("\\u{{202e}}{}", "x".repeat(24))));
    assert_eq!(row(&world.approval().unwrap(), RowLabel::Amount).as_deref(), Some("0.1 coins"));
    let borrowed = named("eip155:31337", "ethereum", None);
    assert_eq!(shown(&mut asked(NUMBER, vec![borrowed])), (None, Some("31337".into())));
    for forged in [named("31337", "Devnet", None), named("eip155:x", "Devnet", None), named("eip155:31337", " ", None)]
    {
        assert_eq!(shown(&mut asked(NUMBER, vec![forged])), (None, Some("31337".into())));
    }
}

#[test]
fn the_host_page_names_no_chain() {
    let mut world = World::logged_in();
    world.host(
        "SYNC_DAPP_DATA",
        r#"{"metadata":{"name":"Shop","networks":[{"chain":"eip155:31337","name":"Ethereum"}]}}"#,
    );
    world.host("NETWORKS_READ", r#"{"networks":[{"chain":"eip155:31337","name":"Ethereum"}]}"#);
    world.host(
        "RPC_REQUEST",
        &format!(r#"{{"method":"personal_sign","chainId":31337,"chainName":"Ethereum","params":["0x6869","{OWN}"]}}"#),
    );
    assert_eq!(shown(&mut world), (None, Some("31337".into())));
}

#[test]
fn a_name_that_comes_late_has_to_be_seen_before_the_approval_takes_a_click() {
    let mut world = World::logged_in();
    world.host("RPC_REQUEST", &format!(r#"{{"method":"personal_sign","chainId":31337,"params":["0x6869","{OWN}"]}}"#));
    let view = world.approval().unwrap();
    world.event(Event::ApprovalPainted { approval: view.number, revision: view.revision });
    world.pass(1_000);
    assert!(world.is_armed());
    world.event(Event::NetworksRead { networks: vec![named("eip155:31337", "Devnet", None)] });
    assert!(!world.is_armed());
    world.approve();
    assert_eq!(world.ordered.len(), 1);
}
