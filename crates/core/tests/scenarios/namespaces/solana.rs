//! Scenarios of connections with Solana wallets.

use super::*;
use portico_json::parse;

#[test]
fn a_solana_wallet_is_asked_in_the_words_of_its_own_namespace() {
    let mut world = world([alpha(), sol()], &["example.alpha", "example.sol"]);
    let solana = world.snapshot().account.accounts.into_iter().find(|one| one.namespace == Namespace::Solana).unwrap();
    assert_eq!(solana.caip_address, Some(format!("{SOLANA}:{SOLANA_ADDRESS}")));
    disconnect(&mut world, "solana");
    assert_eq!(methods(&world, 1), ["standard:connect", "standard:disconnect"]);
    assert!(methods(&world, 0).iter().all(|method| !method.contains(':')), "{:?}", methods(&world, 0));
    assert_eq!(world.snapshot().account.accounts.iter().filter(|one| one.is_connected).count(), 1, "the other stays");
}

#[test]
fn an_account_that_is_no_address_of_solana_connects_nothing() {
    for answer in [
        r#"{"accounts":[]}"#,
        r#"{"accounts":null}"#,
        r#"{"accounts":[null]}"#,
        "null",
        r#"{"accounts":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"]}"#,
        r#"{"accounts":["7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4Bm0"]}"#,
        // Base58 of 31 and of 33 bytes.
        r#"{"accounts":["7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4B"]}"#,
        r#"{"accounts":["17VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4Bm"]}"#,
    ] {
        let nonsense = Behaviour::Nonsense(parse(answer).unwrap());
        let world = world([alpha(), sol().when("standard:connect", nonsense)], &["example.sol"]);
        assert!(!on_solana(&world).is_connected, "{answer}");
    }
}

#[test]
fn a_solana_wallet_comes_back_after_a_reload_without_a_question_to_the_visitor() {
    let mut world = world([alpha(), sol()], &["example.sol"]);
    world.wallets[1].requests.clear();
    let store = world.store.clone();
    let wallets = world.wallets.clone();
    let world = World::with(&every_namespace(), wallets, store);
    assert_eq!(active(&world).as_deref(), Some(SOLANA));
    let (method, params) = &world.wallets[1].requests[0];
    assert_eq!((method.as_str(), params.get("silent")), ("standard:connect", &Value::Bool(true)));
    assert!(methods(&world, 0).is_empty(), "{:?}", methods(&world, 0));
}

const OLD: &str = "solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ";

/// Options of a host whose Solana network has an older id.
fn with_old_id() -> String {
    let fields = format!(r#""chainNamespace":"solana","deprecatedCaipNetworkId":"{OLD}","#);
    every_namespace().replacen(r#""chainNamespace":"solana","#, &fields, 1)
}

#[test]
fn an_older_id_of_a_chain_means_the_chain_of_today_wherever_a_host_names_it() {
    let object = format!(r#"{{"id":"{}","chainNamespace":"solana"}}"#, &OLD["solana:".len()..]);
    for network in [Value::Text(OLD.into()), parse(&object).unwrap()] {
        let mut world = World::with(&with_old_id(), vec![sol()], Store::default());
        assert_ne!(active(&world).as_deref(), Some(SOLANA));
        world.dispatch(Event::Network(Network::SwitchAsked { network, ticket: Some(1) }));
        assert_eq!(active(&world).as_deref(), Some(SOLANA));
    }
    let default = format!(
        r#"{{"defaultNetwork":{{"id":"old","caipNetworkId":"{OLD}","name":"Solana","nativeCurrency":{{"name":"Solana","symbol":"SOL","decimals":9}},"rpcUrls":{{"default":{{"http":["https://sol.example"]}}}}}},"#
    );
    let world = World::with(&with_old_id().replacen('{', &default, 1), vec![sol()], Store::default());
    assert_eq!(active(&world).as_deref(), Some(SOLANA));
}

#[test]
fn a_payment_on_the_older_id_of_the_active_chain_is_one_on_this_chain() {
    let mut world = World::with(&with_old_id(), vec![sol()], Store::default());
    world.choose("example.sol");
    let asset = format!("{OLD}:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
    world.modal(Modal::OpenAsked {
        view: Some("WalletSend".into()),
        namespace: None,
        uri: None,
        arguments: parse(&format!(r#"{{"chainId":"{OLD}","assetAddress":"{asset}","amount":"1"}}"#)).unwrap(),
        ticket: Some(5),
    });
    assert_eq!(world.snapshot().modal.view, View::SolanaSend);
    assert_eq!(world.snapshot().solana.unwrap().amount, "1");
}

#[test]
fn a_stored_network_with_an_older_id_is_active_again() {
    let mut former = World::with(&with_old_id(), vec![sol()], Store::default());
    switch(&mut former, SOLANA, 1);
    for (key, before) in
        [("@portico/active_network", former.store), ("@appkit/active_caip_network_id", Store::default())]
    {
        let mut store = before;
        store.values.insert(key.into(), OLD.into());
        let world = World::with(&with_old_id(), vec![sol()], store);
        assert_eq!(active(&world).as_deref(), Some(SOLANA), "{key}");
    }
}
