//! Scenarios of swaps with a wrong amount, token, price or allowance: unknown values are not guessed.

use super::swap::*;
use portico_api::swap::{SwapQuote, SwapQuotes, SwapToken};
use portico_core::modal::{Event as Modal, View};
use portico_core::send::AmountFault;
use portico_core::swap::{Event as Swap, Fault, Phase, Target};
use portico_json::parse;
use portico_testkit::{Behaviour, Contract, Store, World, options};

/// Opens the view as a host with these arguments, and returns the result.
fn called(world: &mut World, arguments: &str) -> Option<String> {
    let arguments = parse(arguments).unwrap();
    let (view, namespace) = (Some("Swap".into()), None);
    world.modal(Modal::OpenAsked { view, namespace, uri: None, arguments, ticket: Some(9) });
    world.answer(9)
}

#[test]
fn spec_2_2_a_host_that_names_no_token_of_the_chain_is_refused_and_its_amount_is_of_nothing() {
    let stranger = id("0x00000000000000000000000000000000000000ee");
    let far = id(USDC).replace("31337", "10");
    for arguments in [
        r#"{"fromToken":"NOBODY","amount":"100"}"#.into(),
        r#"{"toToken":"NOBODY","amount":"100"}"#.into(),
        r#"{"fromToken":7,"amount":"100"}"#.into(),
        r#"{"fromToken":"ETH","toToken":["USDC"],"amount":"100"}"#.into(),
        r#"{"fromToken":"USDC","toToken":"usdc","amount":"100"}"#.into(),
        format!(r#"{{"fromToken":"{stranger}","amount":"100"}}"#),
        format!(r#"{{"fromToken":"{}","amount":"100"}}"#, &stranger[13..]),
        // The same address on another chain is a different token.
        format!(r#"{{"fromToken":"{far}","amount":"100"}}"#),
        format!(r#"{{"fromToken":"ETH","toToken":"{far}","amount":"100"}}"#),
    ] {
        let mut world = market(alpha());
        let answer = called(&mut world, &arguments).unwrap();
        assert!(answer.contains("rejected") && answer.contains("unsupportedAsset"), "{arguments}: {answer}");
        let swap = form(&world);
        let filled = (swap.source_token.unwrap().symbol, swap.to_token, swap.source_token_amount);
        assert_eq!(filled, ("ETH".into(), None, String::new()), "{arguments}");
        world.advance(60_000);
        assert_eq!(world.server.count(QUOTES), 0);
    }
}

#[test]
fn a_symbol_that_two_tokens_have_names_neither_of_them() {
    let with_double = || {
        let mut world = market(alpha());
        lists(&mut world, [token("ETH", COIN, 18), token("USDC", DAI, 18), token("USDC", USDC, 6)]);
        world
    };
    assert!(called(&mut with_double(), r#"{"fromToken":"usdc"}"#).unwrap().contains("unsupportedAsset"));
    for name in [USDC.into(), id(USDC), USDC.to_uppercase().replace("0X", "0x")] {
        let mut world = with_double();
        assert!(called(&mut world, &format!(r#"{{"fromToken":"{name}"}}"#)).unwrap().contains("resolved"), "{name}");
        assert_eq!(form(&world).source_token.unwrap().address, USDC);
    }
}

#[test]
fn a_host_is_answered_when_the_list_came_could_not_be_had_or_was_not_waited_for() {
    let wanted = r#"{"fromToken":"USDC","amount":"1.5"}"#;
    let mut world = market(alpha());
    world.server.late = 2_000;
    assert_eq!(called(&mut world, wanted), None);
    world.advance(2_000);
    assert!(world.answer(9).unwrap().contains("resolved"));
    assert_eq!(form(&world).source_token_amount, "1.5");
    let mut world = market(alpha());
    world.server.late = 2_000;
    called(&mut world, wanted);
    world.modal(Modal::CloseAsked);
    assert!(world.answer(9).unwrap().contains("resolved"));
    for status in [404, 503] {
        let mut world = market(alpha());
        world.server.answers(TOKENS, status, "");
        assert!(called(&mut world, wanted).unwrap().contains("resolved"), "{status}");
    }
}

#[test]
fn all_is_not_paid_and_nothing_is_reviewed_before_the_price_of_gas_is_known() {
    let mut world = market(alpha());
    world.node.mute = Some("eth_gasPrice");
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    choose(&mut world, Target::ToToken, USDC);
    act(&mut world, Swap::MaxAsked);
    assert_eq!(form(&world).source_token_amount, "");
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    assert!(form(&world).quote.is_some() && !form(&world).ready);
    assert_eq!(view(&world), View::Swap);
    // The gas price is requested again with the next quote.
    world.node.mute = None;
    world.advance(15_000);
    assert!(form(&world).ready);
    // Once the node responds, the maximum is the balance without the fee.
    let mut world = market(alpha());
    world.node.mute = Some("eth_gasPrice");
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    world.node.mute = None;
    act(&mut world, Swap::MaxAsked);
    assert_eq!(form(&world).source_token_amount, "9999.999496");
}

#[test]
fn the_price_of_gas_is_read_again_when_a_swap_is_reviewed() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    typed(&mut world, "1");
    let prices = |world: &World| world.node.bodies.iter().filter(|body| body.contains("eth_gasPrice")).count();
    let before = prices(&world);
    act(&mut world, Swap::ReviewAsked);
    // Two nodes are asked.
    assert_eq!((prices(&world), view(&world)), (before + 2, View::SwapPreview));
}

#[test]
fn a_token_whose_decimals_nobody_told_is_not_swapped() {
    // A contract that returns nothing, returns an invalid value or reverts contradicts its listing; a silent node is queried again.
    for nonsense in ["0x", "0x06", &word(256)] {
        let mut world = market(alpha());
        world.node.calls.insert((USDC.into(), "0x313ce567".into()), nonsense.into());
        assert_eq!(pair_of(&mut world), (Some("USDC".into()), false), "{nonsense}");
    }
    let mut world = market(alpha());
    world.node.tokens.insert(USDC.into(), Contract { balance: Some(1), ..Contract::default() });
    world.node.calls.remove(&(USDC.into(), "0x313ce567".into()));
    assert_eq!(pair_of(&mut world), (Some("USDC".into()), false));
    let mut world = market(alpha());
    world.node.mute = Some("0x313ce567");
    assert_eq!(pair_of(&mut world), (None, false));
    act(&mut world, Swap::ReviewAsked);
    assert_eq!(view(&world), View::Swap);
    world.node.mute = None;
    world.advance(15_000);
    assert_eq!((form(&world).liar, form(&world).ready), (None, true));
}

#[test]
fn decimals_that_the_server_lists_and_its_node_confirms_are_contradicted_by_another_node() {
    // With 8 decimals instead of 6, "1 USDC" would be 100 of them.
    for (liar, listed) in [("host.example/v1?", 8), ("rpc-31337.example", 6)] {
        let mut world = market(alpha());
        lists(&mut world, [token("ETH", COIN, 18), token("USDC", USDC, listed)]);
        world.node.other_decimals = Some((liar, 8));
        assert_eq!(pair_of(&mut world), (Some("USDC".into()), false), "{liar}");
        act(&mut world, Swap::ReviewAsked);
        assert_eq!(view(&world), View::Swap, "{liar}");
    }
}

/// Requests a quote of one coin for USDC; returns the token with wrong decimals, and whether the preview may open.
fn pair_of(world: &mut World) -> (Option<String>, bool) {
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    quotes(world, COIN, USDC, ETHER, 3_000_000_000);
    choose(world, Target::ToToken, USDC);
    typed(world, "1");
    assert!(form(world).quote.is_some());
    (form(world).liar, form(world).ready)
}

#[test]
fn a_visitor_whose_clock_is_wrong_swaps_all_the_same() {
    for hours in [-100i64, -1, 1, 100] {
        let mut world = opened(alpha());
        let right = world.now;
        world.now = right.checked_add_signed(hours * 3_600_000).unwrap();
        quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
        builds(&mut world, ROUTER, ETHER, ETHER, 2_970_000_000);
        world.now = right;
        typed(&mut world, "1");
        act(&mut world, Swap::ReviewAsked);
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!((sent(&world).len(), view(&world)), (1, View::SwapConfirmed), "{hours}");
    }
}

#[test]
fn what_the_server_cannot_build_at_any_price_is_told_in_its_own_words() {
    let mut world = reviewed(alpha());
    let words = "This token keeps a fee of each transfer,\u{202e} and the pools of this chain cannot be paid with it";
    let problem =
        |text: &str| format!(r#"{{"status":"FAILED","reasons":[{{"field":"from","description":"{text}"}}]}}"#);
    world.server.answers(BUILD, 422, &problem(words));
    let before = (world.server.count(QUOTES), world.server.count(BUILD));
    act(&mut world, Swap::ConfirmAsked);
    let swap = form(&world);
    assert_eq!((swap.phase, swap.fault), (Phase::Failed, Some(Fault::NotBuilt)));
    assert_eq!(swap.error.unwrap().message, words.replace('\u{202e}', ""));
    assert_eq!((world.server.count(QUOTES), world.server.count(BUILD)), (before.0, before.1 + 1));
    world.server.answers(BUILD, 422, &problem(&"long ".repeat(90)));
    act(&mut world, Swap::ConfirmAsked);
    assert!(form(&world).error.unwrap().message.len() <= 200);
}

/// World with the preview for 1,000 USDC, of which 400 are approved already.
fn with_rest() -> World {
    let mut world = opened(alpha());
    act(&mut world, Swap::FlipAsked);
    allows(&mut world, USDC, 400_000_000);
    let quote = quoted(&world, USDC, COIN, 1_000_000_000, ETHER / 3);
    offers(&mut world, quote);
    builds(&mut world, ROUTER, 1_000_000_000, 0, ETHER / 3 - ETHER / 300);
    typed(&mut world, "1000");
    act(&mut world, Swap::ReviewAsked);
    signs(&mut world, "aa");
    world
}

fn approval(amount: u64) -> Option<String> {
    Some(format!("0x095ea7b3{:0>64}{amount:064x}", &ROUTER[2..]))
}

fn data_of(world: &World, index: usize) -> Option<String> {
    sent(world)[index].get("data").as_str().map(String::from)
}

/// Makes the token revert a new approval while an older allowance stands, as some tokens do.
fn stubborn(world: &mut World) {
    let contract = Contract { decimals: Some(6), balance: Some(5_000_000_000), ..Contract::default() };
    world.node.tokens.insert(USDC.into(), contract);
}

#[test]
fn a_token_that_wants_an_older_permission_back_first_gets_it_and_then_exactly_what_is_paid() {
    let mut world = with_rest();
    stubborn(&mut world);
    // 216,000 gas for the swap and 60,000 for each of the two approvals, at 1 gwei with its margin.
    assert_eq!(form(&world).quote.unwrap().network_fee.as_deref(), Some("0.0004032"));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, data_of(&world, 0)), (Phase::ApprovalPending, approval(0)));
    let tried = world.node.bodies.iter().find(|body| body.contains("0x095ea7b3")).unwrap();
    assert!(tried.contains(ADDRESS), "an approval is tried in the name of who gives it: {tried}");
    signs(&mut world, "bb");
    allows(&mut world, USDC, 0);
    world.node.receipts.insert(hash("aa"), true);
    world.advance(4_100);
    assert_eq!((form(&world).phase, data_of(&world, 1)), (Phase::ApprovalPending, approval(1_000_000_000)));
    signs(&mut world, "cc");
    allows(&mut world, USDC, 1_000_000_000);
    world.node.receipts.insert(hash("bb"), true);
    world.advance(4_100);
    assert_eq!((sent(&world).len(), view(&world)), (3, View::SwapConfirmed));
    assert_eq!(sent(&world)[2].get("to").as_str(), Some(ROUTER));
}

#[test]
fn a_permission_that_is_to_be_taken_back_is_said_and_may_be_refused_or_stay() {
    let mut world = with_rest();
    stubborn(&mut world);
    world.wallet().behaviours.insert(SEND.into(), Behaviour::Silent);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(form(&world).phase, Phase::Revoking);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 1);
    let mut world = with_rest();
    stubborn(&mut world);
    world.wallet().behaviours.insert(SEND.into(), Behaviour::Refuse);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Refused, 1));
    let mut world = with_rest();
    stubborn(&mut world);
    act(&mut world, Swap::ConfirmAsked);
    allows(&mut world, USDC, 400_000_000);
    world.node.receipts.insert(hash("aa"), true);
    world.advance(4_100);
    let swap = form(&world);
    assert_eq!((swap.phase, swap.fault), (Phase::Failed, Some(Fault::ApprovedTooLittle)));
    assert_eq!(sent(&world).len(), 1);
}

#[test]
fn a_token_that_lets_a_permission_be_replaced_is_asked_once() {
    // `approve` returns true, as the standard says, or nothing, as in old tokens; false is a refusal.
    for (answer, expected) in [(word(1), 1_000_000_000), ("0x".into(), 1_000_000_000), (word(0), 0)] {
        let mut world = with_rest();
        world.node.calls.insert((USDC.into(), "0x095ea7b3".into()), answer.clone());
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!((sent(&world).len(), data_of(&world, 0)), (1, approval(expected)), "{answer}");
    }
}

/// World with one coin for 2,000 USDC on a chain whose oracle of data fees returns this value.
fn on_chain(chain: &str, oracle: &str) -> World {
    let on = |address: &str| format!("eip155:{chain}:{address}");
    let hosted = options().replace("31337", chain).replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let wallet = alpha().on(chain.parse().unwrap());
    let mut world = World::with(&hosted, vec![wallet], Store::default());
    let listed = [("ETH", COIN, 18), ("GOLD", USDC, 6)];
    let there = |(symbol, address, decimals)| SwapToken { address: on(address), ..token(symbol, address, decimals) };
    lists(&mut world, listed.map(there));
    world.node.calls.insert((USDC.into(), "0x313ce567".into()), word(6));
    world.node.calls.insert(("0x420000000000000000000000000000000000000f".into(), "0xf1c7a58b".into()), oracle.into());
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    choose(&mut world, Target::ToToken, USDC);
    let quote = quoted(&world, COIN, USDC, ETHER, 2_000_000_000);
    let quote = SwapQuote { from_account: on(COIN), to_account: on(USDC), ..quote };
    world.server.serves(QUOTES, &SwapQuotes { quotes: vec![quote] });
    world
}

#[test]
fn where_the_data_of_a_swap_costs_something_of_its_own_it_is_in_the_fee_and_kept_back() {
    // 0.00001 ETH
    let bound = word(10_000_000_000_000);
    for (chain, oracle, fee, all) in [
        ("8453", bound.as_str(), "0.0002692", "9999.999486"),
        ("10", &bound, "0.0002692", "9999.999486"),
        // Oracle without a result, and a chain without an oracle.
        ("8453", "0x", "0.0002592", "9999.999496"),
        ("31337", &bound, "0.0002592", "9999.999496"),
    ] {
        let mut world = on_chain(chain, oracle);
        typed(&mut world, "1");
        assert_eq!(form(&world).quote.unwrap().network_fee.as_deref(), Some(fee), "{chain} {oracle}");
        act(&mut world, Swap::MaxAsked);
        assert_eq!(form(&world).source_token_amount, all, "{chain} {oracle}");
    }
    // The oracle is queried for the size of a swap, not of a transfer.
    let asked = format!("0xf1c7a58b{:064x}", 2_500);
    let world = on_chain("8453", &bound);
    assert!(world.node.bodies.iter().any(|body| body.contains(&asked)));
}

#[test]
fn the_whole_balance_is_swapped_only_where_two_nodes_report_the_same() {
    for liar in ["host.example/v1?", "rpc-31337.example"] {
        for method in ["eth_getBalance", "eth_call"] {
            let mut world = opened(alpha());
            if method == "eth_call" {
                act(&mut world, Swap::FlipAsked);
            }
            world.node.made_up = Some((liar, method, format!("\"{}\"", word(1))));
            act(&mut world, Swap::MaxAsked);
            let told = form(&world);
            let expected = ("", Some(AmountFault::BalanceDisputed), false);
            assert_eq!((told.source_token_amount.as_str(), told.amount_fault, told.ready), expected, "{liar} {method}");
            act(&mut world, Swap::AmountTyped { text: "1".into() });
            assert_eq!(form(&world).amount_fault, None);
            world.node.made_up = None;
            act(&mut world, Swap::MaxAsked);
            assert!(form(&world).source_token_amount.len() > 3, "{liar} {method}");
        }
    }
}

#[test]
fn a_balance_for_all_that_comes_during_the_preview_changes_nothing_of_it() {
    let mut world = opened(alpha());
    act(&mut world, Swap::FlipAsked);
    quotes(&mut world, USDC, COIN, 5_000_000_000, ETHER);
    let all = "5000";
    (world.node.late, world.node.made_up) = (Some(5_000), Some(("", "eth_call", format!("\"{}\"", word(1)))));
    act(&mut world, Swap::MaxAsked);
    (world.node.late, world.node.made_up) = (None, None);
    assert_eq!((form(&world).source_token_amount.as_str(), form(&world).ready), (all, true));
    act(&mut world, Swap::ReviewAsked);
    assert_eq!(view(&world), View::SwapPreview);
    world.advance(5_000);
    assert_eq!((form(&world).source_token_amount.as_str(), view(&world)), (all, View::SwapPreview));
    // Before the review it corrects the amount.
    let mut world = opened(alpha());
    act(&mut world, Swap::FlipAsked);
    (world.node.late, world.node.made_up) = (Some(5_000), Some(("", "eth_call", format!("\"{}\"", word(1)))));
    act(&mut world, Swap::MaxAsked);
    (world.node.late, world.node.made_up) = (None, None);
    world.advance(5_000);
    assert_eq!(form(&world).source_token_amount, "0.000001");
}

#[test]
fn a_swap_whose_network_fee_is_far_above_those_of_the_last_blocks_is_warned_of() {
    let history = r#"{"baseFeePerGas":["0x3b9aca00"],"reward":[["0x3b9aca00"]]}"#;
    for (price, unusual) in [(20, false), (21, true)] {
        let mut world = opened(alpha());
        world.node.made_up = Some(("", "eth_feeHistory", history.into()));
        world.node.price = price * 1_000_000_000;
        quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
        typed(&mut world, "1");
        act(&mut world, Swap::ReviewAsked);
        assert_eq!(form(&world).quote.unwrap().fee_unusual, unusual, "{price}");
    }
}
