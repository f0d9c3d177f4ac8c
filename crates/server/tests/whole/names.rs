//! Names as receivers, resolved by the core through real contracts: of the registry, and of the server's own gateway.

use super::support::Server;
use super::support::names::{SIGNER, Visitor};
use super::{HOST, Whole, router, runtime, signing_wallet, visitor, whole};
use axum::http::StatusCode;
use portico_core::Event;
use portico_core::account::IDENTITY_CACHE;
use portico_core::modal::{Event as Modal, View};
use portico_core::name::Event as Name;
use portico_core::send::{Event as Send, ReceiverFault};
use portico_explorer::testing::Anvil;
use portico_testkit::{Backend, ScriptedWallet, World, options};
use serde_json::json;

/// A page with a send form, a server and a node of the same chain, and the owner of `carol.portico.eth`. The server signs
/// with this key.
fn page(key: &str) -> (World, Anvil, Visitor) {
    let (mut whole, anvil, carol) = page_of(key, ScriptedWallet::named("Alpha Wallet"));
    open_send(&mut whole.world);
    (whole.world, anvil, carol)
}

/// As [`page`], with this wallet and before a form is open.
fn page_of(key: &str, wallet: ScriptedWallet) -> (Whole, Anvil, Visitor) {
    let runtime = runtime();
    let carol = Visitor::new(3);
    let (anvil, server) = runtime.block_on(async {
        let anvil = Anvil::start();
        let resolver = anvil.addresses.contract("offchainResolver");
        let server = Server::configured(&format!(
            "[names]\nparent = \"portico.eth\"\nresolver = \"{resolver}\"\nsigner_key = \"{key}\"\nens_chain = \"eip155:31337\"\n\
             [[chains]]\nid = \"eip155:31337\"\nupstreams = [\"{}\"]\n",
            anvil.url
        ))
        .await;
        let gateway = format!("{HOST}/v1/ens/{{sender}}/{{data}}.json");
        anvil.use_gateway(&gateway, anvil.addresses.accounts[8]).await;
        assert_eq!(carol.ask(&server, "", json!({"name": "carol.portico.eth"})).await.0, StatusCode::OK);
        (anvil, server)
    });
    let options = options().replacen('{', r#"{"ensChain":"eip155:31337","#, 1);
    // Names are registered on networks that are no test networks.
    let options = options.replacen(r#""testnet":true"#, r#""testnet":false"#, 1);
    let mut whole = whole(runtime, server, wallet, &options);
    // The node of the network is the same chain, reached through the router as well.
    let own = format!("{HOST}/v1?chainId=eip155:31337&projectId=demo");
    let mut node = router(whole.runtime.clone(), whole.server.clone());
    whole.world.node.backend = Some(Backend::new(move |method, _, body| node.answer(method, &own, body)));
    (whole, anvil, carol)
}

fn open_send(world: &mut World) {
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world.dispatch(Event::Send(Send::AmountTyped { text: "1".into() }));
}

/// Types a receiver; returns the address to pay, or the fault.
fn resolved(world: &mut World, name: &str) -> Result<String, ReceiverFault> {
    world.dispatch(Event::Send(Send::ReceiverTyped { text: name.into() }));
    world.advance(5_000);
    let send = world.snapshot().send;
    send.receiver_fault.map_or_else(|| Ok(send.receiver_resolved.unwrap()), Err)
}

#[test]
fn a_name_of_the_registry_and_one_of_a_gateway_lead_to_the_accounts_that_the_contracts_say() {
    let (mut world, anvil, carol) = page(SIGNER);
    let alice = anvil.addresses.accounts[1].to_checksum(None);
    assert_eq!(resolved(&mut world, "alice.eth"), Ok(alice));
    assert_eq!(resolved(&mut world, "carol.portico.eth"), Ok(carol.address()));
    // The gateway has no address of this chain, and then one that is tied to no chain. It is not asked about Alice.
    assert_eq!(world.server.count("/v1/ens/0x"), 2);
    for nobody in ["bobby.portico.eth", "nobody.eth", "silent.eth", "broken.eth"] {
        assert_eq!(resolved(&mut world, nobody), Err(ReceiverFault::NameUnknown), "{nobody}");
    }
    assert!(world.alerts.is_empty(), "{:?}", world.alerts);
}

#[test]
fn a_gateway_whose_key_the_contract_does_not_trust_leads_nowhere() {
    let (mut world, _anvil, _) = page(&format!("0x{}", "11".repeat(32)));
    assert_eq!(resolved(&mut world, "carol.portico.eth"), Err(ReceiverFault::NameUnknown));
    assert_eq!(world.server.count("/v1/ens/0x"), 2);
}

#[test]
fn a_name_from_the_widget_changes_hands_by_a_signed_text_and_the_widget_then_pays_whom_it_leads_to() {
    let (Whole { mut world, server, runtime }, _anvil, _) = page_of(SIGNER, signing_wallet());
    world.modal(Modal::ViewAsked { view: View::RegisterAccountName });
    world.dispatch(Event::Name(Name::Typed { text: "seven".into() }));
    world.advance(500);
    world.dispatch(Event::Name(Name::RegisterAsked));
    assert_eq!(world.snapshot().account.accounts[0].profile_name.as_deref(), Some("seven.portico.eth"));
    let [dave, erin] = [4, 5].map(Visitor::new);
    let ask = |who: &Visitor, path: &str, asked| runtime.block_on(who.ask(&server, path, asked)).0;
    let coin_type = 0x8000_0000_u32 | 31_337;
    let to = |account: &Visitor| json!({"to": {"coinType": coin_type, "address": account.address()}});
    // Somebody else cannot change it, whatever they sign.
    for (path, asked) in [
        ("/seven/transfer", to(&dave)),
        ("/seven/address", to(&erin)),
        ("/seven/attributes", json!({"attributes": {"bio": "Mine"}})),
        ("/seven/release", json!({})),
    ] {
        assert_eq!(ask(&erin, path, asked), StatusCode::UNAUTHORIZED, "{path}");
    }
    open_send(&mut world);
    // The owner points it to another account, and then gives it away.
    assert_eq!(ask(&visitor(), "/seven/address", to(&erin)), StatusCode::OK);
    assert_eq!(resolved(&mut world, "seven.portico.eth"), Ok(erin.address()));
    assert_eq!(ask(&visitor(), "/seven/transfer", to(&dave)), StatusCode::OK);
    assert_eq!(resolved(&mut world, "carol.portico.eth"), Ok(Visitor::new(3).address()));
    assert_eq!(resolved(&mut world, "seven.portico.eth"), Ok(dave.address()));
    assert_eq!(ask(&visitor(), "/seven/address", to(&visitor())), StatusCode::UNAUTHORIZED);
    assert_eq!(ask(&dave, "/seven/address", to(&erin)), StatusCode::OK);
    assert_eq!(resolved(&mut world, "carol.portico.eth"), Ok(Visitor::new(3).address()));
    assert_eq!(resolved(&mut world, "seven.portico.eth"), Ok(erin.address()));
    // A new page shows the account without the name that it gave away.
    world.advance(IDENTITY_CACHE);
    world.reload();
    world.open(None);
    assert_eq!(world.snapshot().account.accounts[0].profile_name, None);
}
