//! Wallets of several namespaces at once.

use portico_core::Event;
use portico_core::connect::Event as Connect;
use portico_terms::Namespace;
use portico_testkit::{SOLANA, ScriptedWallet, Store, World, every_namespace};

const SOLANA_ADDRESS: &str = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";
const EVM_ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha")
}

fn sol() -> ScriptedWallet {
    ScriptedWallet::named("Sol").of(Namespace::Solana, SOLANA_ADDRESS)
}

/// Both wallets are there; those named are connected, the last one's namespace is in use.
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
