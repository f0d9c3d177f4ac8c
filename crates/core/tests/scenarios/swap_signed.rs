//! Scenarios of a swap from confirmation to receipt: the server, the wallet or the chain refuses, stays silent or lies.

use super::swap::*;
use portico_api::swap::SwapQuote;
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
    assert_eq!((form(&world).phase, snack(&world)), (Phase::Refused, None));
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
        assert_eq!((form(&world).phase, snack(&world)), (phase, message));
        // Newer quotes do not end it.
        world.advance(2 * REFRESH);
        assert_eq!((form(&world).phase, sent(&world).len()), (phase, 1));
    }
}

fn throws(error: &str) -> Behaviour {
    Behaviour::Throw(parse(error).unwrap())
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
    assert_eq!((view(&world), snack(&world)), (View::SwapConfirmed, None));
    let pending = form(&world).pending;
    assert_eq!((pending[0].amount.as_str(), pending[0].to_amount.as_str()), ("1.000", "3000.000"));
    assert_eq!(pending[0].url.as_deref(), Some(format!("https://scan-31337.example/tx/{}", hash("ab")).as_str()));
    assert!(!world.event_names().contains(&"SWAP_SUCCESS"));
    world.node.receipts.insert(hash("ab"), true);
    world.advance(4_100);
    assert_eq!((form(&world).pending.len(), snack(&world)), (0, None));
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
    assert_eq!(snack(&world), None, "the receipt on the screen says it");
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Failed);
    assert!(properties(&world, "SWAP_ERROR").contains("reverted"));
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    world.modal(Modal::CloseAsked);
    world.node.receipts.insert(hash("ab"), false);
    world.advance(4_100);
    assert_eq!(snack(&world), Some(Message::SwapFailed));
    // Another transaction with its nonce is mined: the visitor sped it up, or cancelled it.
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    (world.node.nonces, world.node.sent_to) = (Some([7, 7]), ROUTER.into());
    world.advance(8_100);
    assert_eq!(form(&world).pending.len(), 1);
    world.node.nonces = Some([7, 8]);
    world.advance(8_000);
    assert_eq!((form(&world).pending.len(), snack(&world)), (0, Some(Message::TransactionReplaced)));
    assert!(properties(&world, "SWAP_ERROR").contains(r#""message":"replaced""#));
    // A wallet that names a transaction to another contract swapped nothing.
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    world.node.nonces = Some([7, 7]);
    world.advance(4_100);
    assert_eq!((form(&world).pending.len(), snack(&world)), (0, Some(Message::TransactionForeign)));
    // A transaction that is never mined may still be mined later, so it has not failed.
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    world.advance(181_000);
    assert_eq!((form(&world).pending.len(), snack(&world)), (0, Some(Message::TransactionPending)));
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
fn a_swap_that_loses_a_large_part_is_confirmed_twice_before_the_wallet_is_asked() {
    let reviewed_at = |impact: &str| {
        let mut world = opened(alpha());
        let quote = SwapQuote { price_impact: Some(impact.into()), ..quoted(&world, COIN, USDC, ETHER, 3_000_000_000) };
        offers(&mut world, quote);
        builds(&mut world, ROUTER, ETHER, ETHER, 2_970_000_000);
        typed(&mut world, "1");
        act(&mut world, Swap::ReviewAsked);
        act(&mut world, Swap::ConfirmAsked);
        world
    };
    assert_eq!(sent(&reviewed_at("14.99")).len(), 1);
    let mut world = reviewed_at("15");
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Costly, 0));
    // The second click of a double click is no answer, because nobody can have read the question.
    world.advance(999);
    assert!(form(&world).unread);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Costly, 0));
    world.advance(1);
    assert!(!form(&world).unread);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 1);
    // A visitor who goes back, or is offered a lower price, is asked again.
    let mut world = reviewed_at("15");
    world.modal(Modal::BackAsked);
    act(&mut world, Swap::ReviewAsked);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Costly, 0));
    let lower = SwapQuote { price_impact: Some("20".into()), ..quoted(&world, COIN, USDC, ETHER, 2_800_000_000) };
    offers(&mut world, lower);
    world.advance(REFRESH);
    assert_eq!(form(&world).phase, Phase::Outdated);
    act(&mut world, Swap::PriceAccepted);
    assert_eq!(form(&world).phase, Phase::Outdated);
    world.advance(1_000);
    act(&mut world, Swap::PriceAccepted);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Costly, 0));
}

#[test]
fn a_visitor_who_declined_a_large_loss_in_the_wallet_is_asked_about_it_again() {
    let mut world = opened(alpha().when(SEND, Behaviour::Refuse));
    let quote = SwapQuote { price_impact: Some("97".into()), ..quoted(&world, COIN, USDC, ETHER, 3_000_000_000) };
    offers(&mut world, quote);
    builds(&mut world, ROUTER, ETHER, ETHER, 2_970_000_000);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    act(&mut world, Swap::ConfirmAsked);
    world.advance(1_000);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Refused, 1));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Costly, 1));
    world.advance(1_000);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 2);
}

#[test]
fn a_swap_whose_loss_nobody_can_tell_is_confirmed_twice_before_the_wallet_is_asked() {
    let mut world = opened(alpha());
    let quote = SwapQuote { price_impact: None, ..quoted(&world, COIN, USDC, ETHER, 3_000_000_000) };
    offers(&mut world, quote);
    builds(&mut world, ROUTER, ETHER, ETHER, 2_970_000_000);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, form(&world).quote.unwrap().price_impact), (Phase::Costly, None));
    assert!(sent(&world).is_empty());
    world.advance(1_000);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 1);
}

#[test]
fn a_visitor_whose_network_or_form_changes_while_the_wallet_asks_hears_that_it_may_still_sign() {
    let asked = || {
        let mut world = reviewed(alpha().when(SEND, Behaviour::Silent));
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!(form(&world).phase, Phase::Confirming);
        world
    };
    let mut world = asked();
    world.wallet_switches(31338);
    world.advance(1_000);
    assert_eq!((view(&world), snack(&world)), (View::Swap, Some(Message::MayStillSend)));
    let mut world = asked();
    let arguments = parse(r#"{"fromToken":"USDC"}"#).unwrap();
    world.modal(Modal::OpenAsked { view: Some("Swap".into()), namespace: None, uri: None, arguments, ticket: None });
    world.advance(1_000);
    assert_eq!(snack(&world), Some(Message::MayStillSend));
}

#[test]
fn a_lower_price_does_not_take_away_that_the_wallet_may_have_sent_the_swap() {
    let fault = throws(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#);
    let mut world = reviewed(alpha().when(SEND, fault));
    act(&mut world, Swap::ConfirmAsked);
    quotes(&mut world, COIN, USDC, ETHER, 2_900_000_000);
    builds(&mut world, ROUTER, ETHER, ETHER, 2_871_000_000);
    world.advance(16_000);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Unsure, 1));
    // Having looked, the visitor is asked about the price.
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Outdated, 1));
    world.advance(1_000);
    act(&mut world, Swap::PriceAccepted);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 2);
}

#[test]
fn a_swap_that_the_wallet_may_have_sent_is_asked_about_after_the_modal_was_closed() {
    let fault = throws(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#);
    let mut world = reviewed(alpha().when(SEND, fault));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(form(&world).phase, Phase::Unsure);
    world.modal(Modal::CloseAsked);
    let mut world = opened_in(world);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Interrupted, 1));
}

#[test]
fn a_swap_without_a_quote_waits_for_one_so_that_a_loss_is_confirmed_twice() {
    let mut world = opened(alpha());
    let quote = SwapQuote { price_impact: Some("60".into()), ..quoted(&world, COIN, USDC, ETHER, 3_000_000_000) };
    offers(&mut world, quote);
    builds(&mut world, ROUTER, ETHER, ETHER, 2_970_000_000);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    world.server.answers("amount=1000000000000000000&userAddress", 503, "");
    world.advance(90_000);
    assert!(form(&world).quote.is_none());
    let quote = SwapQuote { price_impact: Some("60".into()), ..quoted(&world, COIN, USDC, ETHER, 3_000_000_000) };
    offers(&mut world, quote);
    act(&mut world, Swap::ConfirmAsked);
    assert!(sent(&world).is_empty());
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Costly, 0));
}

#[test]
fn a_visitor_who_reloads_while_the_wallet_asks_is_told_to_look_there_before_swapping_again() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Silent));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Confirming, 1));
    world.reload();
    let mut world = opened_in(world);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Interrupted, 1));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 1, "a double click answers nothing");
    world.advance(1_000);
    world.wallet().behaviours.clear();
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 2);
    world.reload();
    let mut world = opened_in(world);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 3, "the wallet answered the last one");
}

#[test]
fn a_quote_that_comes_while_the_wallet_asks_leads_to_no_second_request() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Silent));
    // The server holds the quote of the refresh until the wallet is asked; then it says that the price fell.
    (world.server.late, world.server.late_part) = (2_000, QUOTES);
    quotes(&mut world, COIN, USDC, ETHER, 2_000_000_000);
    world.advance(REFRESH);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Confirming, 1));
    world.advance(5_000);
    assert_eq!(form(&world).phase, Phase::Confirming);
    act(&mut world, Swap::PriceAccepted);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Confirming, 1));
}

#[test]
fn a_quote_that_expires_while_the_wallet_asks_is_asked_for_anew() {
    let approved = |second: u128| {
        let mut world = reviewed_token(alpha());
        quotes(&mut world, USDC, COIN, 1_000_000_000, ETHER / 3);
        world.advance(15_000);
        act(&mut world, Swap::ConfirmAsked);
        allows(&mut world, USDC, 1_000_000_000);
        world.advance(60_000);
        let before = asked(&world);
        quotes(&mut world, USDC, COIN, 1_000_000_000, second);
        signs(&mut world, "bb");
        world.node.receipts.insert(hash("ab"), true);
        world.advance(4_100);
        assert_eq!(asked(&world), before + 1);
        world
    };
    // Slightly worse, but above the promised minimum: the promise stays.
    let world = approved(ETHER / 3 - ETHER / 1_000);
    assert_eq!(sent(&world).len(), 2);
    let (_, body) = world.server.heard.iter().find(|(request, _)| request.contains(BUILD)).unwrap();
    assert!(body.as_ref().unwrap().contains(&format!(r#""toAmountMin":"{}""#, ETHER / 3 - ETHER / 300)));
    // Below the promised minimum: the visitor must confirm again, and a press meant for the old price does not count.
    let mut world = approved(ETHER / 4);
    builds(&mut world, ROUTER, 1_000_000_000, 0, ETHER / 4 - ETHER / 400);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Outdated, 1));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Outdated, 1));
    world.advance(1_000);
    act(&mut world, Swap::PriceAccepted);
    assert_eq!(form(&world).quote.unwrap().minimum_received, "0.2475");
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((sent(&world).len(), view(&world)), (2, View::SwapConfirmed));
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

#[test]
fn what_is_shown_while_the_wallet_asks_cannot_be_changed_and_no_quote_is_asked_for() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Silent));
    act(&mut world, Swap::ConfirmAsked);
    let before = asked(&world);
    for event in [
        Swap::AmountTyped { text: "5".into() },
        Swap::MaxAsked,
        Swap::FlipAsked,
        Swap::ConfirmAsked,
        Swap::ReviewAsked,
        Swap::TokenChosen { address: DAI.into() },
    ] {
        act(&mut world, event);
    }
    world.advance(60_000);
    assert_eq!((form(&world).source_token_amount.as_str(), sent(&world).len(), asked(&world)), ("1", 1, before));
    assert!(form(&world).slow && form(&world).phase == Phase::Confirming);
    world.modal(Modal::BackAsked);
    assert_eq!(
        (view(&world), form(&world).phase, snack(&world)),
        (View::Swap, Phase::Editing, Some(Message::MayStillSend))
    );
}

#[test]
fn a_swap_that_is_signed_after_the_visitor_left_is_still_followed() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Late(30_000)));
    act(&mut world, Swap::ConfirmAsked);
    world.modal(Modal::CloseAsked);
    world.advance(30_000);
    assert_eq!(form(&world).pending.len(), 1);
    world.node.receipts.insert(hash("ab"), true);
    world.advance(4_100);
    assert!(form(&world).pending.is_empty() && world.event_names().contains(&"SWAP_SUCCESS"));
}
