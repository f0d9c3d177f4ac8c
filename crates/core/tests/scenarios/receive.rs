//! Scenarios of the view for receiving funds.

use portico_core::account::Event as Account;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::receive::View as ReceiveView;
use portico_core::{Event, config};
use portico_json::{Value, parse};
use portico_terms::Namespace;
use portico_testkit::{ScriptedWallet, Store, World, every_namespace, network, options};

const OTHER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

fn opened(options: &str, wallet: ScriptedWallet) -> World {
    let mut world = World::with(options, vec![wallet], Store::default());
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletReceive });
    world
}

fn world() -> World {
    opened(&options(), ScriptedWallet::named("Alpha"))
}

fn receive(world: &World) -> Option<ReceiveView> {
    world.snapshot().receive
}

#[test]
fn the_code_says_the_address_alone_and_the_network_in_use_stands_first() {
    let mut world = world();
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
    world.modal(Modal::ViewAsked { view: View::WalletReceive });
    let shown = receive(&world).unwrap();
    assert_eq!(shown.address, ADDRESS);
    assert_eq!(shown.qr, portico_qr::encode(ADDRESS));
    assert_eq!(shown.networks, ["eip155:31338", "eip155:31337"]);
}

#[test]
fn nothing_is_told_where_nobody_looks_and_a_host_may_open_it() {
    let mut world = world();
    world.modal(Modal::BackAsked);
    assert_eq!(receive(&world), None);
    world.modal(Modal::CloseAsked);
    world.open(Some("WalletReceive"));
    assert!(receive(&world).is_some_and(|shown| shown.qr.is_some()));
}

#[test]
fn another_account_of_the_wallet_has_another_code() {
    let mut world = world();
    world.wallet_shows(&[OTHER]);
    world.modal(Modal::ViewAsked { view: View::WalletReceive });
    let shown = receive(&world).unwrap();
    assert_eq!((shown.address.as_str(), shown.qr), (OTHER, portico_qr::encode(OTHER)));
}

#[test]
fn a_test_network_is_not_listed_beside_one_that_is_none_nor_one_of_another_namespace() {
    let one = network(1, "Ethereum").replace(r#""testnet":true"#, r#""testnet":false"#);
    let options = every_namespace().replace(r#""networks":["#, &format!(r#""networks":[{one},"#));
    let shown = receive(&opened(&options, ScriptedWallet::named("Alpha"))).unwrap();
    assert_eq!(shown.networks, ["eip155:31337", "eip155:31338"]);
}

#[test]
fn what_solana_shows_is_its_own_address_and_network() {
    let address = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM6";
    let shown = receive(&opened(&every_namespace(), ScriptedWallet::named("Sol").of(Namespace::Solana, address)));
    let shown = shown.unwrap();
    assert_eq!((shown.address.as_str(), shown.networks.len()), (address, 1));
    assert!(shown.networks[0].starts_with("solana:"));
}

#[test]
fn spec_4_21_on_a_chain_that_the_host_does_not_serve_no_network_is_named() {
    let mut world = world();
    world.wallet_switches(999);
    world.open(Some("WalletReceive"));
    assert!(receive(&world).is_none_or(|shown| shown.networks.is_empty()));
}

#[test]
fn spec_6_4_where_receiving_is_off_there_is_no_such_view() {
    let mut world = world();
    world.modal(Modal::BackAsked);
    let features: Value = parse(r#"{"receive":false}"#).unwrap();
    world.dispatch(Event::Config(config::Event::FeaturesChanged { features }));
    world.modal(Modal::ViewAsked { view: View::WalletReceive });
    assert_eq!((world.snapshot().modal.view, receive(&world)), (View::Account, None));
}

#[test]
fn the_address_is_copied_whole() {
    let mut world = world();
    world.dispatch(Event::Account(Account::CopyAsked));
    assert_eq!(world.clipboard, [ADDRESS]);
}
