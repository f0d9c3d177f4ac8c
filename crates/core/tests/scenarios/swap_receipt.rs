//! Scenarios of what a visitor sees of a signed swap: its receipt, and the rest until the next quote.

use super::swap::*;
use portico_core::modal::{Event as Modal, View};
use portico_core::send::SentState;
use portico_core::swap::{Event as Swap, InFlightStep, Swapped};
use portico_json::parse;
use portico_testkit::World;

fn swapped(world: &World) -> Swapped {
    form(world).sent.unwrap()
}

fn signed() -> World {
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    world
}

#[test]
fn a_signed_swap_has_a_receipt_with_its_hash_network_time_and_fee() {
    let mut world = signed();
    assert_eq!((view(&world), swapped(&world).receipt.state), (View::SwapConfirmed, SentState::Pending));
    let Swapped { amount, symbol, to_amount, to_symbol, receipt, .. } = swapped(&world);
    assert_eq!([amount, symbol, to_amount, to_symbol], ["1", "ETH", "3000", "USDC"]);
    assert_eq!((receipt.hash, receipt.fee), (Some(hash("ab")), None));
    assert_eq!((receipt.network_name.as_deref(), receipt.since), (Some("Anvil One"), world.now));
    assert_eq!(receipt.url, Some(format!("https://scan-31337.example/tx/{}", hash("ab"))));
    let receipt = format!(
        r#"{{"transactionHash":"{}","status":"0x1","from":"{ADDRESS}","to":"{ROUTER}","gasUsed":"0x2bf20","effectiveGasPrice":"0x3b9aca00"}}"#,
        hash("ab")
    );
    world.node.forged = parse(&receipt).ok();
    world.advance(4_100);
    let receipt = swapped(&world).receipt;
    assert_eq!((receipt.state, receipt.fee.as_deref()), (SentState::Confirmed, Some("0.00018")));
    world.modal(Modal::BackAsked);
    assert_eq!((view(&world), form(&world).sent), (View::Account, None));
}

#[test]
fn the_amount_received_is_what_the_transfers_of_the_mined_swap_say() {
    const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    let word = |address: &str| format!("0x{:0>64}", &address.to_ascii_lowercase()[2..]);
    let log = |token: &str, from: &str, to: &str, amount: u64| {
        let (from, to) = (word(from), word(to));
        format!(r#"{{"address":"{token}","topics":["{TRANSFER}","{from}","{to}"],"data":"0x{amount:064x}"}}"#)
    };
    let received = |logs: &[String]| {
        let mut world = signed();
        let receipt = format!(
            r#"{{"transactionHash":"{}","status":"0x1","from":"{ADDRESS}","to":"{ROUTER}","logs":[{}]}}"#,
            hash("ab"),
            logs.join(",")
        );
        assert_eq!(swapped(&world).received, None);
        world.node.forged = parse(&receipt).ok();
        world.advance(4_100);
        assert_eq!(swapped(&world).receipt.state, SentState::Confirmed);
        swapped(&world).received
    };
    let came = log(USDC, ROUTER, ADDRESS, 2_999_500_000);
    assert_eq!(received(std::slice::from_ref(&came)).as_deref(), Some("2999.5"));
    // Tokens that the account sends back are subtracted; other tokens and other receivers do not count.
    let back = log(USDC, ADDRESS, ROUTER, 500_000);
    let others = [log(ROUTER, ROUTER, ADDRESS, 7), log(USDC, ADDRESS, ADDRESS, 9), log(USDC, ROUTER, ROUTER, 5)];
    assert_eq!(received(&[[came, back].as_slice(), others.as_slice()].concat()).as_deref(), Some("2999"));
    assert_eq!(received(&[]), None);
}

#[test]
fn a_swap_that_reverts_or_is_not_mined_is_told_so() {
    for (well, wait, state) in [(Some(false), 4_100, SentState::Failed), (None, 181_000, SentState::Lost)] {
        let mut world = signed();
        world.node.receipts.extend(well.map(|well| (hash("ab"), well)));
        world.advance(wait);
        assert_eq!(swapped(&world).receipt.state, state);
    }
}

#[test]
fn one_that_is_signed_after_the_preview_was_left_opens_nothing() {
    let mut world = reviewed(alpha().when(SEND, portico_testkit::Behaviour::Late(5_000)));
    act(&mut world, Swap::ConfirmAsked);
    world.modal(Modal::BackAsked);
    world.advance(5_000);
    assert_eq!((view(&world), form(&world).sent), (View::Swap, None));
    assert_eq!(form(&world).pending[0].step, InFlightStep::Swap);
}

#[test]
fn the_time_until_the_next_quote_is_told_while_one_is_shown() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    assert_eq!(form(&world).rest, None);
    typed(&mut world, "1");
    let rest = form(&world).rest.unwrap();
    assert_eq!((rest.from, rest.until), (world.now, world.now + 15_000));
    world.advance(15_000);
    let next = form(&world).rest.unwrap();
    assert_eq!((next.from, next.until), (rest.until, rest.until + 15_000));
    world.server.silent = true;
    world.advance(15_000);
    assert_eq!((form(&world).rest, form(&world).loading), (None, true));
    act(&mut world, Swap::AmountTyped { text: "2".into() });
    assert_eq!(form(&world).rest, None);
}
