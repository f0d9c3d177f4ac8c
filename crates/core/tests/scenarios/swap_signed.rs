//! Scenarios of a swap from confirmation to receipt: the server, the wallet or the chain refuses, stays silent or lies.

use super::swap::*;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::send::SentState;
use portico_core::swap::{Event as Swap, Fault, InFlightStep, Phase, REFRESH};
use portico_json::parse;
use portico_testkit::Behaviour;
use portico_testkit::exchange::swap_call;

#[test]
fn a_refused_swap_shows_and_can_be_tried_again() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Refuse));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, world.snack()), (Phase::Refused, None));
    assert_eq!(view(&world), View::SwapPreview);
    assert!(properties(&world, "SWAP_ERROR").contains(r#""message":"User rejected the request.""#));
    world.wallet().behaviours.clear();
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((view(&world), sent(&world).len()), (View::SwapConfirmed, 2));
}

#[test]
fn a_wallet_that_fails_or_talks_nonsense_is_told_apart() {
    for (behaviour, phase, message) in [
        (Behaviour::Nonsense(parse("{}").unwrap()), Phase::Unsure, None),
        (throws(r#"{"code":-32003,"message":"insufficient funds"}"#), Phase::Failed, Some(Message::SwapFailed)),
        (throws(r#"{"code":8000,"message":"expired"}"#), Phase::Unsure, None),
        (throws(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#), Phase::Unsure, None),
    ] {
        let mut world = reviewed(alpha().when(SEND, behaviour));
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!((form(&world).phase, world.snack()), (phase, message));
        // Newer quotes do not end it.
        world.advance(2 * REFRESH);
        assert_eq!((form(&world).phase, sent(&world).len()), (phase, 1));
    }
}

#[test]
fn spec_1_4_a_swap_of_coins_is_built_checked_signed_and_followed_to_its_receipt() {
    let mut world = reviewed(alpha());
    assert_eq!((view(&world), form(&world).quote.unwrap().approval_needed), (View::SwapPreview, false));
    act(&mut world, Swap::ConfirmAsked);
    let transaction = &sent(&world)[0];
    for (name, value) in [
        ("chainId", "0x7a69"),
        ("from", ADDRESS),
        ("to", ROUTER),
        ("value", "0xde0b6b3a7640000"),
        ("data", &swaps(ETHER, ETHER, 2_970_000_000)),
    ] {
        assert_eq!(transaction.get(name).as_str(), Some(value), "{name}");
    }
    let (_, body) = world.server.heard.iter().find(|(request, _)| request.contains(BUILD)).unwrap();
    assert!(body.as_ref().unwrap().contains(r#""quoteId":"q3000000000","toAmountMin":"2970000000""#));
    // The receipt says it, so no snack does.
    assert_eq!((view(&world), world.snack()), (View::SwapConfirmed, None));
    let pending = form(&world).pending;
    assert_eq!((pending[0].amount.as_str(), pending[0].to_amount.as_str()), ("1.000", "3000.000"));
    assert_eq!(pending[0].url.as_deref(), Some(format!("https://scan-31337.example/tx/{}", hash("ab")).as_str()));
    assert!(!world.event_names().contains(&"SWAP_SUCCESS"));
    world.node.receipts.insert(hash("ab"), true);
    world.advance(4_100);
    assert_eq!((form(&world).pending.len(), world.snack()), (0, None));
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Confirmed);
    for (name, told) in [
        ("OPEN_SWAP", r#""network":"eip155:31337","isSmartAccount":false"#),
        ("INITIATE_SWAP", r#""swapFromToken":"ETH","swapToToken":"USDC","swapFromAmount":"1","swapToAmount":"3000""#),
        ("SWAP_SUCCESS", r#""swapFromToken":"ETH","swapToToken":"USDC","swapFromAmount":"1","swapToAmount":"3000""#),
        ("CLICK_CONVERT", ""),
    ] {
        assert!(properties(&world, name).contains(told) && world.event_names().contains(&name), "{name}");
    }
}

#[test]
fn a_swap_that_reverts_is_replaced_or_never_mined_is_told() {
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    world.node.receipts.insert(hash("ab"), false);
    world.advance(4_100);
    assert_eq!(world.snack(), None, "the receipt on the screen says it");
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Failed);
    assert!(properties(&world, "SWAP_ERROR").contains("reverted"));
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    world.modal(Modal::CloseAsked);
    world.node.receipts.insert(hash("ab"), false);
    world.advance(4_100);
    assert_eq!(world.snack(), Some(Message::SwapFailed));
    // Another transaction with its nonce is mined: the visitor sped it up, or cancelled it.
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    (world.node.nonces, world.node.sent_to) = (Some([7, 7]), ROUTER.into());
    world.advance(8_100);
    assert_eq!(form(&world).pending.len(), 1);
    world.node.nonces = Some([7, 8]);
    world.advance(8_000);
    assert_eq!((form(&world).pending.len(), world.snack()), (0, Some(Message::TransactionReplaced)));
    assert!(properties(&world, "SWAP_ERROR").contains(r#""message":"replaced""#));
    // A wallet that names a transaction to another contract swapped nothing.
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    world.node.nonces = Some([7, 7]);
    world.advance(4_100);
    assert_eq!((form(&world).pending.len(), world.snack()), (0, Some(Message::TransactionForeign)));
    // A transaction that is never mined may still be mined later, so it has not failed.
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    world.advance(181_000);
    assert_eq!((form(&world).pending.len(), world.snack()), (0, Some(Message::TransactionPending)));
    assert!(!world.event_names().iter().any(|name| ["SWAP_SUCCESS", "SWAP_ERROR"].contains(name)));
}

#[test]
fn a_transaction_that_is_not_what_was_quoted_never_reaches_the_wallet() {
    let lies: [(&str, u128, u128, u128); 4] = [
        (ADDRESS, ETHER, ETHER, 2_970_000_000),
        (USDC, ETHER, ETHER, 2_970_000_000),
        (ROUTER, ETHER, ETHER + 1, 2_970_000_000),
        (ROUTER, ETHER, ETHER, 2_969_999_999),
    ];
    for (to, amount, value, minimum) in lies {
        let mut world = reviewed(alpha());
        builds(&mut world, to, amount, value, minimum);
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!((form(&world).phase, form(&world).fault), (Phase::Failed, Some(Fault::Mismatch)), "{to} {value}");
        assert!(sent(&world).is_empty());
    }
    // The server's own words are right, and the bytes are not: another receiver, another token, all badges, a lower minimum.
    let thief = "0x00000000000000000000000000000000000000ee";
    let badges = format!("0x2eb2c2d6{:0>64}{:0>64}{:064x}{:064x}", &ADDRESS[2..].to_lowercase(), &thief[2..], 160, 192);
    for data in [
        swap_call(thief, COIN, USDC, None, 2_970_000_000),
        swap_call(ADDRESS, COIN, DAI, None, 2_970_000_000),
        badges,
        swap_call(ADDRESS, COIN, USDC, None, 1),
    ] {
        let mut world = reviewed(alpha());
        builds_call(&mut world, ROUTER, &data, ETHER, ETHER, 2_970_000_000);
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!((form(&world).phase, form(&world).fault), (Phase::Failed, Some(Fault::Mismatch)), "{data}");
        assert!(sent(&world).is_empty());
    }
    for (status, body) in [(200, "null"), (200, "[]"), (502, ""), (400, "")] {
        let mut world = reviewed(alpha());
        world.server.answers(BUILD, status, body);
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!(form(&world).phase, Phase::Failed, "{status} {body}");
        assert!(sent(&world).is_empty() && world.event_names().contains(&"SWAP_ERROR"));
    }
}

#[test]
fn a_token_is_approved_for_exactly_what_is_paid_and_then_swapped() {
    let mut world = reviewed_token(alpha());
    assert!(form(&world).quote.unwrap().approval_needed);
    signs(&mut world, "aa");
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(form(&world).phase, Phase::ApprovalPending);
    let approval = &sent(&world)[0];
    assert_eq!((approval.get("to").as_str(), approval.get("value").as_str()), (Some(USDC), Some("0x0")));
    let expected = format!("0x095ea7b3{:0>64}{:064x}", &ROUTER[2..], 1_000_000_000u64);
    assert_eq!(approval.get("data").as_str(), Some(expected.as_str()));
    assert_eq!(form(&world).pending[0].step, InFlightStep::Approval, "an approval is no swap");
    signs(&mut world, "bb");
    allows(&mut world, USDC, 1_000_000_000);
    world.node.receipts.insert(hash("aa"), true);
    world.advance(4_100);
    assert_eq!((sent(&world).len(), view(&world)), (2, View::SwapConfirmed));
    assert_eq!(
        (sent(&world)[1].get("to").as_str(), sent(&world)[1].get("value").as_str()),
        (Some(ROUTER), Some("0x0"))
    );
    assert_eq!(form(&world).pending[0].hash, hash("bb"));
}

#[test]
fn an_approval_that_is_refused_reverts_or_is_for_less_swaps_nothing() {
    let mut world = reviewed_token(alpha().when(SEND, Behaviour::Refuse));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(form(&world).phase, Phase::Refused);
    assert!(world.event_names().contains(&"SWAP_APPROVAL_ERROR") && !world.event_names().contains(&"SWAP_ERROR"));
    for (receipt, allowed, fault) in [
        (Some(false), 1_000_000_000, Fault::ApprovalReverted),
        (Some(true), 999_999_999, Fault::ApprovedTooLittle),
        (None, 0, Fault::ApprovalLate),
    ] {
        let mut world = reviewed_token(alpha());
        act(&mut world, Swap::ConfirmAsked);
        allows(&mut world, USDC, allowed);
        if let Some(well) = receipt {
            world.node.receipts.insert(hash("ab"), well);
        }
        world.advance(190_000);
        assert_eq!((form(&world).phase, form(&world).fault, sent(&world).len()), (Phase::Failed, Some(fault), 1));
        assert!(world.event_names().contains(&"SWAP_APPROVAL_ERROR"));
    }
}

#[test]
fn a_server_that_does_not_build_the_quote_any_more_is_asked_for_another_once() {
    let mut world = reviewed(alpha());
    world.server.answers(BUILD, 410, "");
    let before = (asked(&world), world.server.count(BUILD));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, form(&world).fault), (Phase::Failed, Some(Fault::NotBuilt)));
    assert_eq!((asked(&world), world.server.count(BUILD)), (before.0 + 1, before.1 + 2));
}
