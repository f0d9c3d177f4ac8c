//! Scenarios of quotes for swaps: requested once, refreshed, dropped when they no longer match the form.

use super::swap::*;
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::pay::typed::AmountFault;
use portico_core::swap::{Event as Swap, Phase, QuoteFault, Target};

#[test]
fn a_quote_is_asked_for_when_the_typing_rests_and_once() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    for text in ["1", "1.", "1.0"] {
        act(&mut world, Swap::AmountTyped { text: text.into() });
        world.advance(400);
        assert_eq!((asked(&world), form(&world).loading), (0, true));
    }
    world.advance(100);
    assert_eq!((asked(&world), form(&world).loading), (1, false));
    let quote = form(&world).quote.unwrap();
    assert_eq!((quote.to_token_amount.as_str(), quote.rate.as_deref()), ("3000", Some("3000")));
    assert_eq!((quote.minimum_received.as_str(), quote.slippage.as_str()), ("2970", "1"));
    assert_eq!((quote.provider_fee.as_deref(), quote.price_impact.as_deref()), (Some("0.3"), Some("0.12")));
    let url = &world.server.heard.iter().find(|(request, _)| request.contains(QUOTES)).unwrap().0;
    assert!(url.contains(&format!("userAddress={}&from={}&to={}", id(ADDRESS), id(COIN), id(USDC))), "{url}");
}

#[test]
fn a_quote_stays_fresh_by_one_request_each_time_while_it_is_looked_at() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    typed(&mut world, "1");
    let (heard, read) = (world.server.heard.len(), world.node.bodies.len());
    world.advance(14_999);
    assert_eq!(asked(&world), 1);
    quotes(&mut world, COIN, USDC, ETHER, 3_001_000_000);
    world.advance(1);
    assert_eq!(form(&world).quote.unwrap().to_token_amount, "3001");
    assert_eq!((world.server.heard.len(), world.node.bodies.len()), (heard + 1, read));
    // With the form out of view no quote is requested. Back again, a stale quote is refreshed at once.
    act(&mut world, Swap::SelectAsked { target: Target::ToToken });
    world.advance(60_000);
    assert_eq!(asked(&world), 2);
    world.modal(Modal::BackAsked);
    assert_eq!(asked(&world), 3);
    world.modal(Modal::CloseAsked);
    world.advance(600_000);
    assert_eq!(asked(&world), 3);
}

#[test]
fn a_late_answer_to_what_stood_there_before_is_dropped() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    quotes(&mut world, COIN, USDC, 2 * ETHER, 5_990_000_000);
    world.server.late = 5_000;
    typed(&mut world, "1");
    world.server.late = 1_000;
    typed(&mut world, "2");
    world.advance(1_000);
    assert_eq!(form(&world).quote.unwrap().to_token_amount, "5990");
    world.advance(4_000);
    assert_eq!(form(&world).quote.unwrap().to_token_amount, "5990");
    typed(&mut world, "abc");
    assert_eq!((form(&world).quote, form(&world).loading), (None, false));
}

#[test]
fn a_late_refusal_of_what_stood_there_before_is_no_answer_to_what_stands_there_now() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, 2 * ETHER, 5_990_000_000);
    // The server has no quote for the amount 1.
    world.server.late = 2_000;
    typed(&mut world, "1");
    world.server.late = 5_000;
    typed(&mut world, "2");
    world.advance(2_000);
    assert_eq!((form(&world).quote_fault, form(&world).loading), (None, true));
    world.advance(3_000);
    assert_eq!(form(&world).quote.unwrap().to_token_amount, "5990");
}

#[test]
fn a_pair_that_nobody_swaps_and_a_server_that_is_silent_are_told_apart() {
    let mut world = opened(alpha());
    for (status, body, fault) in [
        (404, r#"{"status":"FAILED","reasons":[{"description":"No route"}]}"#, QuoteFault::NoRoute),
        (502, "", QuoteFault::Unavailable),
        (200, r#"{"quotes":[]}"#, QuoteFault::Unavailable),
        (200, "nonsense", QuoteFault::Unavailable),
    ] {
        world.server.answers(QUOTES, status, body);
        typed(&mut world, "1");
        assert_eq!(form(&world).quote_fault, Some(fault), "{status} {body}");
        act(&mut world, Swap::ReviewAsked);
        assert_eq!(view(&world), View::Swap);
    }
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    act(&mut world, Swap::RetryAsked);
    assert_eq!((form(&world).quote_fault, form(&world).ready), (None, true));
    // If the refresh fails, the quote stays until it expires.
    world.server.answers(&format!("amount={ETHER}&userAddress"), 503, "");
    world.advance(15_000);
    assert!(form(&world).quote.is_some());
    world.advance(60_000);
    assert_eq!((form(&world).quote, form(&world).quote_fault), (None, Some(QuoteFault::Unavailable)));
}

#[test]
fn spec_5_11_every_fault_of_an_amount_has_a_word_and_gas_is_kept_in_mind() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, 10_000 * ETHER, 3_000_000_000);
    for (text, fault) in [
        ("", None),
        ("abc", Some(AmountFault::NotANumber)),
        ("-1", Some(AmountFault::Signed)),
        ("1e3", Some(AmountFault::Exponent)),
        ("1,000", Some(AmountFault::Ambiguous)),
        ("0", Some(AmountFault::Zero)),
        ("0.0000000000000000001", Some(AmountFault::TooPrecise)),
        ("10001", Some(AmountFault::AboveBalance)),
        (&"9".repeat(80), Some(AmountFault::AboveBalance)),
        ("10000", Some(AmountFault::InsufficientGas)),
    ] {
        typed(&mut world, text);
        assert_eq!((form(&world).amount_fault, form(&world).ready), (fault, false), "{text}");
    }
    typed(&mut world, "");
    act(&mut world, Swap::ReviewAsked);
    assert_eq!(form(&world).amount_fault, Some(AmountFault::Missing));
    // The gas for a token swap is paid in coins, and there are none.
    act(&mut world, Swap::FlipAsked);
    quotes(&mut world, USDC, COIN, 1_000_000, ETHER / 3_000);
    typed(&mut world, "1");
    assert_eq!((form(&world).amount_fault, form(&world).ready), (None, true));
    world.node.balances.clear();
    world.dispatch(Event::Account(portico_core::account::Event::RefreshAsked { ticket: None }));
    assert_eq!((form(&world).amount_fault, form(&world).ready), (Some(AmountFault::InsufficientGas), false));
    typed(&mut world, "5000.000001");
    assert_eq!(form(&world).amount_fault, Some(AmountFault::AboveBalance));
    // Neither a quote nor a balance is needed to see that.
    typed(&mut world, "2");
    assert_eq!((form(&world).quote, form(&world).amount_fault), (None, Some(AmountFault::InsufficientGas)));
    world.node.mute = Some("eth_getBalance");
    world.reload();
    world.open(Some("Swap"));
    choose(&mut world, Target::SourceToken, USDC);
    typed(&mut world, "2");
    assert_eq!((form(&world).quote, form(&world).amount_fault), (None, None), "an unknown balance");
}

#[test]
fn max_keeps_the_gas_back_from_coins_and_takes_all_of_a_token() {
    let mut world = opened(alpha());
    act(&mut world, Swap::MaxAsked);
    let amount = form(&world).source_token_amount;
    // 350,000 gas at 1 gwei, with a margin for each of the two.
    assert_eq!(amount, "9999.999496");
    quotes(&mut world, COIN, USDC, 10_000 * ETHER - 504_000 * 1_000_000_000, 3_000_000_000);
    act(&mut world, Swap::MaxAsked);
    assert_eq!((form(&world).amount_fault, form(&world).ready), (None, true));
    act(&mut world, Swap::FlipAsked);
    act(&mut world, Swap::MaxAsked);
    assert_eq!(form(&world).source_token_amount, "5000");
}

#[test]
fn a_token_whose_contract_says_other_decimals_cannot_be_swapped() {
    let mut world = opened(alpha());
    world.node.calls.insert((DAI.into(), "0x313ce567".into()), word(6));
    quotes(&mut world, COIN, DAI, ETHER, 3_000 * ETHER);
    choose(&mut world, Target::ToToken, DAI);
    typed(&mut world, "1");
    assert_eq!((form(&world).liar.as_deref(), form(&world).ready), (Some("DAI"), false));
    choose(&mut world, Target::ToToken, USDC);
    assert_eq!(form(&world).liar, None);
}

#[test]
fn a_price_that_falls_below_the_promise_in_the_preview_asks_again() {
    let mut world = reviewed(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 2_990_000_000);
    world.advance(15_000);
    assert_eq!((form(&world).phase, form(&world).quote.unwrap().minimum_received.as_str()), (Phase::Editing, "2970"));
    quotes(&mut world, COIN, USDC, ETHER, 2_900_000_000);
    world.advance(15_000);
    assert_eq!((form(&world).phase, form(&world).quote.unwrap().minimum_received.as_str()), (Phase::Outdated, "2871"));
}

#[test]
fn a_chain_switched_under_an_open_form_begins_anew_with_a_word() {
    let mut world = reviewed(alpha());
    let asked_before = world.server.count("/v1/convert/tokens");
    world.wallet_switches(31338);
    assert_eq!((view(&world), world.snack()), (View::Swap, Some(Message::SwapReset)));
    let swap = form(&world);
    assert_eq!((swap.source_token_amount.as_str(), swap.quote, swap.to_token), ("", None, None));
    assert_eq!(world.server.count("/v1/convert/tokens"), asked_before + 1);
    // A pending quote for the other chain is ignored.
    world.advance(60_000);
    assert!(sent(&world).is_empty());
}

#[test]
fn another_account_of_the_wallet_begins_anew() {
    let mut world = reviewed(alpha());
    world.wallet_shows(&["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]);
    assert_eq!((form(&world).source_token_amount.as_str(), view(&world)), ("", View::Swap));
    act(&mut world, Swap::ConfirmAsked);
    assert!(sent(&world).is_empty());
}
