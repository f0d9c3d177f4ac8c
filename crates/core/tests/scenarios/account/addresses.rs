//! Addresses that the host gives: it names them, and asks for their balance.

use super::connected;
use portico_core::Event;
use portico_core::account::Event as Account;
use portico_testkit::{Store, World};

const OTHER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/// The host asks for the native balance of an address on the second network.
fn balance_of(world: &mut World, address: &str, ticket: u32) {
    world.dispatch(Event::Account(Account::BalanceAsked {
        namespace: None,
        address: address.into(),
        chain: "eip155:31338".into(),
        ticket,
    }));
}

#[test]
fn the_host_names_an_address_in_any_case() {
    let mut world = connected();
    let address = world.snapshot().account.accounts[0].address.clone().unwrap();
    world.dispatch(Event::Account(Account::LabelSet {
        namespace: None,
        address: address.to_lowercase(),
        label: Some("Savings".into()),
        ticket: None,
    }));
    let labels = world.snapshot().account.accounts[0].address_labels.clone();
    assert_eq!(labels.get(address.as_str()).map(String::as_str), Some("Savings"));
}

#[test]
fn the_host_names_an_address() {
    let mut world = connected();
    let label = |label: Option<&str>| {
        Event::Account(Account::LabelSet {
            namespace: None,
            address: OTHER.into(),
            label: label.map(Into::into),
            ticket: None,
        })
    };
    world.dispatch(label(Some("Savings")));
    assert_eq!(world.snapshot().account.accounts[0].address_labels.get(OTHER).map(String::as_str), Some("Savings"));
    world.dispatch(label(None));
    assert!(world.snapshot().account.accounts[0].address_labels.is_empty());
}

#[test]
fn the_label_of_a_text_that_is_no_address_is_refused() {
    let mut world = connected();
    for (ticket, label) in [(7, Some("Savings")), (8, None)] {
        world.dispatch(Event::Account(Account::LabelSet {
            namespace: None,
            address: "zz".into(),
            label: label.map(Into::into),
            ticket: Some(ticket),
        }));
        let answer = world.answer(ticket).unwrap();
        assert!(answer.contains("invalidAddress") && answer.contains("Invalid CAIP Address"), "{answer}");
    }
    assert!(world.snapshot().account.accounts[0].address_labels.is_empty());
}

#[test]
fn spec_8_12_naming_an_address_of_an_unknown_namespace_says_chain_adapter_not_found() {
    let mut world = connected();
    world.dispatch(Event::Account(Account::LabelSet {
        namespace: Some("cosmos".into()),
        address: "x".into(),
        label: Some("y".into()),
        ticket: Some(1),
    }));
    assert_eq!(world.snapshot().notice.alert.map(|alert| alert.detail).as_deref(), Some("Chain adapter not found"));
    assert!(world.answer(1).unwrap().contains(r#""message":"Chain adapter not found""#));
}

#[test]
fn spec_5_4_and_8_30_a_host_that_asks_for_a_balance_of_what_is_no_address_is_told() {
    let mut world = connected();
    balance_of(&mut world, "0x12", 7);
    assert!(world.answer(7).unwrap().contains(r#""message":"Invalid CAIP Address""#));
}

#[test]
fn spec_8_11_naming_an_address_without_any_network_says_that_a_chain_is_required() {
    let options = r#"{"projectId":"a","adapters":[{"namespace":"eip155"}]}"#;
    let mut world = World::with(options, vec![], Store::default());
    world.dispatch(Event::Notice(portico_core::notice::Event::AlertDismissed));
    let label = Account::LabelSet { namespace: None, address: "0x1".into(), label: Some("A".into()), ticket: Some(7) };
    world.dispatch(Event::Account(label));
    let text = "Chain is required to update chain account data";
    assert_eq!(
        world.answer(7).unwrap(),
        format!(r#"[{{"type":"rejected","error":{{"reason":"chainRequired","message":"{text}","code":null}}}}]"#)
    );
    assert_eq!(world.snapshot().notice.alert.map(|alert| alert.detail).as_deref(), Some(text));
}

#[test]
fn spec_8_30_a_host_that_gives_what_is_no_caip_10_address_is_told_so() {
    for (address, text) in [
        ("eip155:31338:", "Invalid CAIP-10 address"),
        ("eip155:0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "Invalid CAIP-10 address"),
        ("cosmos:hub:0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "Invalid CAIP-10 address"),
        ("eip155:31338:0x12", "Invalid CAIP Address"),
    ] {
        let mut world = connected();
        let told = format!(r#""reason":"invalidAddress","message":"{text}""#);
        balance_of(&mut world, address, 1);
        assert!(world.answer(1).unwrap().contains(&told), "{address}");
        let label = Some("Savings".into());
        world.dispatch(Event::Account(Account::LabelSet {
            namespace: None,
            address: address.into(),
            label,
            ticket: Some(2),
        }));
        assert!(world.answer(2).unwrap().contains(&told), "{address}");
        assert!(world.snapshot().account.accounts[0].address_labels.is_empty());
    }
}

#[test]
fn spec_5_4_a_host_may_give_an_address_as_caip_10() {
    let mut world = connected();
    world.node.balances.insert(OTHER.to_lowercase(), 2 * 10u128.pow(18));
    balance_of(&mut world, &format!("eip155:31338:{OTHER}"), 1);
    assert!(world.answer(1).unwrap().contains(r#""balance":"2""#));
    balance_of(&mut world, &format!("eip155:31337:{OTHER}"), 2);
    assert!(world.answer(2).unwrap().contains("chainMismatch"));
    world.dispatch(Event::Account(Account::LabelSet {
        namespace: Some("solana".into()),
        address: format!("eip155:31337:{OTHER}"),
        label: Some("Savings".into()),
        ticket: Some(3),
    }));
    assert!(world.answer(3).unwrap().contains("resolved"));
    let labels = world.snapshot().account.accounts[0].address_labels.clone();
    assert_eq!(labels.get(OTHER).map(String::as_str), Some("Savings"));
}
