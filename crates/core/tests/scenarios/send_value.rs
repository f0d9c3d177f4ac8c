//! Scenarios of an amount that is typed by its value: the value only helps to type, and the amount in coins is reviewed and sent.

use crate::send::{RECEIVER, alpha, sent};
use crate::send_token::{TOKEN, choose, contract, holder};
use portico_core::Event;
use portico_core::send::{AmountFault, Event as Send, View};
use portico_testkit::World;

fn act(world: &mut World, event: Send) {
    world.dispatch(Event::Send(event));
}

fn value(world: &mut World, text: &str) {
    act(world, Send::ValueTyped { text: text.into() });
}

fn form(world: &World) -> View {
    world.snapshot().send
}

/// World with the form open for coins at 2,000 dollars, the value being typed.
fn switched() -> World {
    let mut world = holder(alpha());
    act(&mut world, Send::UnitSwitched);
    world
}

#[test]
fn what_is_reviewed_and_sent_is_the_amount_in_coins_that_is_worth_the_typed_value() {
    let mut world = switched();
    assert_eq!((form(&world).typed_value.as_deref(), form(&world).value_known), (Some(""), true));
    value(&mut world, "3000");
    assert_eq!((form(&world).send_token_amount.as_str(), form(&world).typed_value.as_deref()), ("1.5", Some("3000")));
    act(&mut world, Send::ReceiverTyped { text: RECEIVER.into() });
    world.advance(500);
    act(&mut world, Send::ReviewAsked);
    assert_eq!((form(&world).send_token_amount.as_str(), form(&world).ready), ("1.5", true));
    act(&mut world, Send::ConfirmAsked);
    assert_eq!(sent(&world)[0].get("value").as_str(), Some("0x14d1120d7b160000"));
    // A third of a coin is written with few digits, and is worth no less than what was typed.
    let mut world = switched();
    value(&mut world, "0.01");
    assert_eq!(
        (form(&world).send_token_amount.as_str(), form(&world).send_token_value.as_deref()),
        ("0.000005", Some("0.01"))
    );
    value(&mut world, "1234.57");
    assert_eq!(form(&world).send_token_amount, "0.617285");
}

#[test]
fn faults_of_a_value_are_told_as_those_of_an_amount_are() {
    let mut world = switched();
    for (text, fault) in [
        ("x", Some(AmountFault::NotANumber)),
        ("-1", Some(AmountFault::Signed)),
        ("1,000", Some(AmountFault::Ambiguous)),
        ("1.001", Some(AmountFault::TooPrecise)),
        ("0", Some(AmountFault::Zero)),
        ("30000000", Some(AmountFault::AboveBalance)),
        (&"9".repeat(80), Some(AmountFault::AboveBalance)),
        ("5,5", None),
        ("", None),
    ] {
        value(&mut world, text);
        assert_eq!((form(&world).amount_fault, form(&world).ready), (fault, false), "{text}");
    }
    // A wrong value leaves the amount empty.
    value(&mut world, "1.001");
    assert_eq!(form(&world).send_token_amount, "");
    act(&mut world, Send::ReviewAsked);
    assert_eq!(form(&world).amount_fault, Some(AmountFault::TooPrecise));
}

#[test]
fn switching_leaves_the_amount_as_it_is_and_max_keeps_what_is_typed() {
    let mut world = holder(alpha());
    act(&mut world, Send::AmountTyped { text: "0.123456789".into() });
    act(&mut world, Send::UnitSwitched);
    assert_eq!(
        (form(&world).typed_value.as_deref(), form(&world).send_token_amount.as_str()),
        (Some("246.91"), "0.123456789")
    );
    act(&mut world, Send::UnitSwitched);
    assert_eq!((form(&world).typed_value, form(&world).send_token_amount.as_str()), (None, "0.123456789"));
    // A value below a cent cannot be shown, so the field is empty and so is the amount.
    act(&mut world, Send::AmountTyped { text: "0.000001".into() });
    act(&mut world, Send::UnitSwitched);
    assert_eq!((form(&world).typed_value.as_deref(), form(&world).send_token_amount.as_str()), (Some(""), ""));
    act(&mut world, Send::MaxAsked);
    world.advance(500);
    let send = form(&world);
    assert!(send.send_token_amount.starts_with("9999.99"), "{}", send.send_token_amount);
    assert!(send.typed_value.as_ref().unwrap().starts_with("1999999"), "{:?}", send.typed_value);
    // The maximum stays one in both units, with the value of its amount, and is reviewed as it is.
    act(&mut world, Send::ReceiverTyped { text: RECEIVER.into() });
    world.advance(500);
    let whole = form(&world);
    assert_eq!(whole.typed_value, whole.send_token_value);
    act(&mut world, Send::UnitSwitched);
    assert_eq!((form(&world).typed_value, form(&world).send_token_amount), (None, whole.send_token_amount.clone()));
    act(&mut world, Send::UnitSwitched);
    act(&mut world, Send::ReviewAsked);
    assert_eq!(
        (form(&world).typed_value, form(&world).send_token_amount),
        (whole.typed_value, whole.send_token_amount)
    );
}

#[test]
fn without_a_price_or_decimals_that_are_sure_only_amounts_are_typed() {
    // The third token of the list has no price; the list is wrong about the decimals of the second.
    let mut world = holder(alpha());
    contract(&mut world).decimals = Some(2);
    choose(&mut world, Some(TOKEN));
    assert!(!form(&world).value_known);
    act(&mut world, Send::UnitSwitched);
    assert_eq!(form(&world).typed_value, None);
    act(&mut world, Send::AmountTyped { text: "1".into() });
    value(&mut world, "5");
    assert_eq!(form(&world).send_token_amount, "1");
    // Another token starts with amounts, whatever was typed of the one before.
    let mut world = switched();
    value(&mut world, "5");
    choose(&mut world, Some(TOKEN));
    assert_eq!((form(&world).typed_value, form(&world).send_token_amount.as_str()), (None, ""));
    // A typed amount is one again.
    act(&mut world, Send::UnitSwitched);
    act(&mut world, Send::AmountTyped { text: "2".into() });
    assert_eq!(form(&world).typed_value, None);
}
