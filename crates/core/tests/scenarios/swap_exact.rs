//! Scenarios of swaps for an amount to receive: it is exact, and the slippage bounds what is paid.

use super::swap::*;
use portico_api::swap::{SwapQuote, SwapQuotes, SwapTokens};
use portico_core::modal::View;
use portico_core::send::AmountFault;
use portico_core::swap::{Event as Swap, Fault, InFlightStep, Phase, QuoteFault, Simulation, Target};
use portico_json::{Value, parse};
use portico_terms::Amount;
use portico_testkit::World;
use portico_testkit::exchange::{buy_call, done, transfer};

const THIEF: &str = "0x00000000000000000000000000000000000000ee";
pub(super) const OUT: u128 = 3_000_000_000;
pub(super) const MOST: u128 = ETHER + ETHER / 100;

/// Quote of the server for an amount to receive.
fn bought(world: &World, from: &str, to: &str, paid: u128, out: u128) -> SwapQuote {
    SwapQuote {
        to_amount_min: out.to_string(),
        from_amount_max: Some((paid + paid / 100).to_string()),
        ..quoted(world, from, to, paid, out)
    }
}

fn sells(world: &mut World, quote: SwapQuote) {
    let part = format!("toAmount={}&userAddress", quote.to_amount);
    world.server.serves(&part, &SwapQuotes { quotes: vec![quote] });
}

fn type_received(world: &mut World, text: &str) {
    act(world, Swap::ToAmountTyped { text: text.into() });
    world.advance(500);
}

/// Makes the server build this call of the exchange's router, of coins to USDC where a value is sent along, else back.
fn buys(world: &mut World, most: u128, value: u128, out: u128) {
    let (from, to) = if value > 0 { (COIN, USDC) } else { (USDC, COIN) };
    builds_call(world, ROUTER, &buy_call(ADDRESS, from, to, most, out), most, value, out);
}

/// World with the form for exactly 3,000 USDC, quoted at one coin.
pub(super) fn priced() -> World {
    let mut world = opened(alpha());
    let quote = bought(&world, COIN, USDC, ETHER, OUT);
    sells(&mut world, quote);
    buys(&mut world, MOST, MOST, OUT);
    type_received(&mut world, "3000");
    world
}

/// World with the form for exactly a third of a coin, quoted at 1,000 USDC.
fn priced_token() -> World {
    let mut world = opened(alpha());
    act(&mut world, Swap::FlipAsked);
    let quote = bought(&world, USDC, COIN, 1_000_000_000, ETHER / 2);
    sells(&mut world, quote);
    buys(&mut world, 1_010_000_000, 0, ETHER / 2);
    type_received(&mut world, "0.5");
    world
}

/// Amount to pay and amount to receive, as far as they are typed.
fn texts(world: &World) -> (String, Option<String>) {
    let swap = form(world);
    (swap.source_token_amount, swap.to_amount.and_then(|field| field.typed))
}

fn pays(text: &str) -> (String, Option<String>) {
    (text.into(), None)
}

fn receives(text: &str) -> (String, Option<String>) {
    (String::new(), Some(text.into()))
}

/// Errors of the amount to pay and of the amount to receive.
fn faults(world: &World) -> [Option<AmountFault>; 2] {
    [form(world).amount_fault, form(world).to_amount.and_then(|field| field.fault)]
}

#[test]
fn spec_9_7_the_typed_amount_to_receive_is_exact_and_the_slippage_bounds_what_is_paid() {
    let mut world = priced();
    let swap = form(&world);
    let quote = swap.quote.unwrap();
    assert_eq!(texts(&world), receives("3000"));
    assert_eq!(quote.source_token_amount.as_deref(), Some("1"));
    assert_eq!((quote.maximum_paid.as_deref(), quote.minimum_received.as_str()), (Some("1.01"), "3000"));
    assert!(swap.ready);
    for (text, most) in [("0.5", "1.005"), ("50", "1.5"), ("", "1.01")] {
        act(&mut world, Swap::SlippageTyped { text: text.into() });
        assert_eq!(form(&world).quote.unwrap().maximum_paid.as_deref(), Some(most), "{text}");
    }
    act(&mut world, Swap::ReviewAsked);
    let (_, body) = world.server.heard.iter().rfind(|(request, _)| request.contains(BUILD)).unwrap();
    let order = parse(body.as_ref().unwrap()).unwrap();
    let told = ["toAmount", "fromAmountMax", "amount", "toAmountMin"].map(|name| order.get(name).as_str());
    assert_eq!(told, [Some("3000000000"), Some("1010000000000000000"), None, None]);
    // The chain shows that the rest of the coin comes back.
    assert_eq!(form(&world).simulation, Some(Simulation::Done));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 1);
    assert_eq!(sent(&world)[0].get("data").as_str(), Some(buy_call(ADDRESS, COIN, USDC, MOST, OUT).as_str()));
    assert_eq!(sent(&world)[0].get("value").as_str(), Some(format!("{MOST:#x}").as_str()));
}

#[test]
fn the_approval_is_for_the_maximum_and_the_receipt_tells_what_was_paid() {
    let mut world = priced_token();
    assert!(form(&world).quote.unwrap().approval_needed);
    act(&mut world, Swap::ReviewAsked);
    assert_eq!(form(&world).simulation, Some(Simulation::Done));
    signs(&mut world, "aa");
    act(&mut world, Swap::ConfirmAsked);
    let approval = sent(&world)[0].get("data").as_str().unwrap().to_owned();
    assert!(approval.starts_with("0x095ea7b3") && approval.ends_with(&format!("{:064x}", 1_010_000_000)), "{approval}");
    allows(&mut world, USDC, 1_010_000_000);
    signs(&mut world, "bb");
    world.node.receipts.insert(hash("aa"), true);
    world.advance(4_100);
    assert_eq!((sent(&world).len(), view(&world)), (2, View::SwapConfirmed));
    let last = form(&world).sent.unwrap();
    assert_eq!((last.typed, last.amount.as_str(), last.to_amount.as_str()), (Target::ToToken, "1000", "0.5"));
}

#[test]
fn an_approval_whose_swap_is_not_signed_shows_the_amount_that_was_approved() {
    let mut world = opened(alpha());
    act(&mut world, Swap::FlipAsked);
    let quote = bought(&world, USDC, COIN, 1_000_000_000 + 1_234, ETHER / 2);
    sells(&mut world, quote);
    buys(&mut world, 1_010_001_246, 0, ETHER / 2);
    type_received(&mut world, "0.5");
    act(&mut world, Swap::ReviewAsked);
    signs(&mut world, "aa");
    act(&mut world, Swap::ConfirmAsked);
    let approval = sent(&world)[0].get("data").as_str().unwrap().to_owned();
    assert!(approval.ends_with(&format!("{:064x}", 1_010_001_246)), "{approval}");
    world.reload();
    world.node.receipts.insert(hash("aa"), true);
    world.advance(4_100);
    let approved = |world: &World| {
        let pending = form(world).pending.into_iter().map(|one| (one.step, one.amount, one.symbol));
        pending.collect::<Vec<_>>()
    };
    let expected = vec![(InFlightStep::Approved, String::from("1010.001246"), String::from("USDC"))];
    assert_eq!(approved(&world), expected, "neither the quoted amount nor a rounded one");
    world.reload();
    assert_eq!(approved(&world), expected);
}

#[test]
fn less_than_the_maximum_in_the_account_holds_the_review() {
    let mut world = opened(alpha());
    act(&mut world, Swap::FlipAsked);
    // The account has 5,000 USDC: enough for the price, not for its maximum.
    let quote = bought(&world, USDC, COIN, 4_980_000_000, ETHER);
    sells(&mut world, quote);
    type_received(&mut world, "1");
    assert_eq!(faults(&world), [Some(AmountFault::AboveBalance), None]);
    assert!(!form(&world).ready);
}

#[test]
fn what_is_wrong_with_a_typed_amount_is_told_at_its_own_field_by_the_decimals_of_its_own_token() {
    let mut world = opened(alpha());
    for (text, fault) in [
        ("0", Some(AmountFault::Zero)),
        ("1.0000001", Some(AmountFault::TooPrecise)),
        ("x", Some(AmountFault::NotANumber)),
        ("", None),
    ] {
        type_received(&mut world, text);
        assert_eq!(faults(&world), [None, fault], "{text}");
    }
    assert_eq!(asked(&world), 0);
    act(&mut world, Swap::ReviewAsked);
    assert_eq!(faults(&world), [None, Some(AmountFault::Missing)]);
}

#[test]
fn the_side_that_was_typed_last_counts() {
    let mut world = priced();
    quotes(&mut world, COIN, USDC, 2 * ETHER, 2 * OUT);
    typed(&mut world, "2");
    assert_eq!(texts(&world), pays("2"));
    assert_eq!(form(&world).quote.unwrap().maximum_paid, None);
    type_received(&mut world, "3000");
    assert_eq!(texts(&world), receives("3000"));
    assert_eq!(form(&world).quote.unwrap().to_token_amount, "3000");
    // A refreshed quote keeps the side.
    let dearer = bought(&world, COIN, USDC, ETHER * 2, OUT);
    sells(&mut world, dearer);
    world.advance(15_000);
    assert_eq!(form(&world).quote.unwrap().source_token_amount.as_deref(), Some("2"));
    // All of it is an amount to pay.
    act(&mut world, Swap::MaxAsked);
    assert_eq!(texts(&world).1, None);
}

#[test]
fn a_typed_amount_to_receive_stays_with_its_token_where_the_sides_change() {
    let mut world = priced();
    quotes(&mut world, USDC, COIN, OUT, ETHER);
    act(&mut world, Swap::FlipAsked);
    assert_eq!(texts(&world), pays("3000"));
    let mut world = priced();
    choose(&mut world, Target::SourceToken, USDC);
    assert_eq!(texts(&world), pays("3000"));
    // With another token to pay it is still what is wanted.
    let mut world = priced();
    choose(&mut world, Target::SourceToken, DAI);
    assert_eq!(texts(&world), receives("3000"));
}

#[test]
fn where_no_provider_takes_an_amount_to_receive_it_cannot_be_typed() {
    for exact_out in [None, Some(false)] {
        let mut world = market(alpha());
        let tokens = vec![token("ETH", COIN, 18), token("USDC", USDC, 6)];
        world.server.serves(TOKENS, &SwapTokens { tokens, provider: "lifi".into(), exact_out });
        let mut world = opened_in(world);
        assert_eq!(form(&world).to_amount, None);
        type_received(&mut world, "3000");
        assert_eq!(texts(&world), pays(""));
        assert_eq!(asked(&world), 0);
    }
    assert!(form(&opened(alpha())).to_amount.is_some());
}

#[test]
fn a_quote_for_other_amounts_or_with_a_higher_maximum_than_the_slippage_allows_is_none() {
    let honest = |world: &World| bought(world, COIN, USDC, ETHER, OUT);
    let lies: [fn(&mut SwapQuote); 9] = [
        |quote| quote.to_amount = (OUT - 1).to_string(),
        |quote| quote.to_amount = (OUT + 1).to_string(),
        |quote| quote.to_amount_min = (OUT - 1).to_string(),
        |quote| quote.from_amount_max = Some((MOST + 1).to_string()),
        |quote| quote.from_amount_max = Some((ETHER - 1).to_string()),
        |quote| quote.from_amount_max = None,
        |quote| quote.from_amount = "0".into(),
        |quote| quote.to_account = id(DAI),
        // A quote for an amount to pay.
        |quote| (quote.from_amount, quote.to_amount) = (OUT.to_string(), ETHER.to_string()),
    ];
    for (index, lie) in lies.into_iter().enumerate() {
        let mut world = opened(alpha());
        let mut quote = honest(&world);
        lie(&mut quote);
        world.server.serves("toAmount=3000000000&userAddress", &SwapQuotes { quotes: vec![quote] });
        type_received(&mut world, "3000");
        assert_eq!(
            (form(&world).quote, form(&world).quote_fault),
            (None, Some(QuoteFault::Unavailable)),
            "lie {index}"
        );
    }
}

#[test]
fn a_transaction_that_takes_more_than_the_maximum_or_does_not_bring_the_exact_amount_is_never_signed() {
    let usdc = |most, out| (buy_call(ADDRESS, COIN, USDC, most, out), most);
    let lies = [
        usdc(MOST + 1, OUT),
        usdc(MOST, OUT - 1),
        usdc(MOST, OUT + 1),
        // It pays an exact amount.
        (swaps(MOST, MOST, OUT), MOST),
        (swaps(MOST, MOST, OUT - 1), MOST),
        // Another receiver, another token.
        (buy_call(THIEF, COIN, USDC, MOST, OUT), MOST),
        (buy_call(ADDRESS, COIN, DAI, MOST, OUT), MOST),
        // A token is paid beside the coin.
        (buy_call(ADDRESS, DAI, USDC, MOST, OUT), MOST),
    ];
    for (index, (data, value)) in lies.into_iter().enumerate() {
        let mut world = priced();
        builds_call(&mut world, ROUTER, &data, value, value, OUT);
        act(&mut world, Swap::ReviewAsked);
        assert_eq!((form(&world).phase, form(&world).fault), (Phase::Failed, Some(Fault::Mismatch)), "lie {index}");
        act(&mut world, Swap::ConfirmAsked);
        assert!(sent(&world).is_empty(), "lie {index}");
    }
    for (most, out) in [(1_010_000_001, ETHER / 2), (1_010_000_000, ETHER / 2 - 1)] {
        let mut world = priced_token();
        buys(&mut world, most, 0, out);
        act(&mut world, Swap::ReviewAsked);
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!((form(&world).fault, sent(&world).len()), (Some(Fault::Mismatch), 0), "{most} {out}");
    }
    // A lower maximum than shown is no harm.
    let mut world = priced();
    buys(&mut world, MOST - 1, MOST - 1, OUT);
    act(&mut world, Swap::ReviewAsked);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 1);
}

#[test]
fn an_amount_to_pay_is_never_answered_by_a_purchase_of_an_exact_amount() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, OUT);
    builds_call(&mut world, ROUTER, &buy_call(ADDRESS, COIN, USDC, ETHER, OUT), ETHER, ETHER, OUT);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).fault, sent(&world).len()), (Some(Fault::Mismatch), 0));
}

#[test]
fn a_price_above_the_maximum_that_was_shown_asks_again() {
    let mut world = priced();
    act(&mut world, Swap::ReviewAsked);
    let dearer = bought(&world, COIN, USDC, MOST, OUT);
    sells(&mut world, dearer);
    world.advance(15_000);
    assert_eq!(form(&world).phase, Phase::Editing, "the maximum itself is what was agreed to");
    assert_eq!(form(&world).quote.unwrap().maximum_paid.as_deref(), Some("1.01"));
    let dearer = bought(&world, COIN, USDC, MOST + 1, OUT);
    sells(&mut world, dearer);
    world.advance(15_000);
    assert_eq!(form(&world).phase, Phase::Outdated);
    assert_eq!(form(&world).quote.unwrap().maximum_paid.as_deref(), Some("1.020100000000000001"));
    act(&mut world, Swap::ConfirmAsked);
    assert!(sent(&world).is_empty());
    world.advance(1_000);
    act(&mut world, Swap::PriceAccepted);
    let most = MOST + 1 + (MOST + 1) / 100;
    buys(&mut world, most, most, OUT);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(sent(&world).len(), 1);
}

#[test]
fn a_simulation_that_takes_more_than_the_maximum_or_brings_less_refuses_and_coins_that_come_back_count() {
    let amount = |number: u128| Amount::from_hex(&format!("{number:#x}")).unwrap();
    let left = |number| transfer(COIN, ADDRESS, ROUTER, amount(number));
    let back = |number| transfer(COIN, ROUTER, ADDRESS, amount(number));
    let came = |number| transfer(USDC, ROUTER, ADDRESS, amount(number));
    for (logs, signed) in [
        (vec![left(MOST), came(OUT), back(ETHER / 100)], true),
        // Without a rest the maximum is paid, which was agreed to.
        (vec![left(MOST), came(OUT)], true),
        (vec![left(MOST + 1), came(OUT), back(ETHER / 100)], false),
        (vec![left(MOST), came(OUT - 1), back(ETHER / 100)], false),
    ] {
        let mut world = priced();
        let calls = Value::Object(vec![("calls".into(), Value::List(vec![done(logs)]))]);
        world.node.simulation = Some(Value::List(vec![calls]));
        act(&mut world, Swap::ReviewAsked);
        assert_eq!(form(&world).simulation == Some(Simulation::Done), signed);
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!(sent(&world).len(), usize::from(signed));
    }
}
