//! Scenarios of approval and swap in one batch (EIP-5792): the wallet's requests, its refusals, and the outcome.

use super::swap::*;
use portico_calldata::event;
use portico_core::modal::{Event as Modal, View};
use portico_core::send::SentState;
use portico_core::swap::{Event as Swap, Fault, Phase, Target};
use portico_json::{Value, parse, to_text};
use portico_testkit::exchange::{WRAPPED, log};
use portico_testkit::{Behaviour, Contract, ScriptedWallet, World};
use proptest::prelude::*;

const BATCH: &str = "wallet_sendCalls";
const STATUS: &str = "wallet_getCallsStatus";
const ABILITIES: &str = "wallet_getCapabilities";

fn json(text: &str) -> Value {
    parse(text).unwrap()
}

fn answers(text: &str) -> Behaviour {
    Behaviour::Nonsense(json(text))
}

fn throws(code: i64) -> Behaviour {
    Behaviour::Throw(json(&format!(r#"{{"code":{code},"message":"No"}}"#)))
}

/// Wallet that supports batches and returns the id "0xca11" for one.
fn able() -> ScriptedWallet {
    alpha()
        .when(ABILITIES, answers(r#"{"0x7a69":{"atomic":{"status":"supported"}}}"#))
        .when(STATUS, answers(r#"{"version":"2.0.0","id":"0xca11","chainId":"0x7a69","status":100,"atomic":true}"#))
}

fn asked_for(world: &World, method: &str) -> Vec<Value> {
    let asked = world.wallets[0].requests.iter().filter(|(asked, _)| asked == method);
    asked.map(|(_, params)| params.as_list().unwrap()[0].clone()).collect()
}

/// Contract, calldata and value of each call in the only batch.
fn calls(world: &World) -> Vec<(String, String, String)> {
    let [batch] = asked_for(world, BATCH).try_into().unwrap();
    let text = |call: &Value, name: &str| String::from(call.get(name).as_str().unwrap());
    let calls = batch.get("calls").as_list().unwrap().iter();
    calls.map(|call| (text(call, "to"), text(call, "data"), text(call, "value"))).collect()
}

fn approval(amount: u128) -> (String, String, String) {
    (USDC.into(), format!("0x095ea7b3{:0>64}{amount:064x}", &ROUTER[2..]), "0x0".into())
}

fn swap() -> (String, String, String) {
    (ROUTER.into(), swaps(1_000_000_000, 0, ETHER / 3 - ETHER / 300), "0x0".into())
}

fn built(world: &World) -> Vec<Value> {
    let asked = world.server.heard.iter().filter(|(request, _)| request.contains(BUILD));
    asked.map(|(_, body)| json(body.as_ref().unwrap())).collect()
}

/// Sets the status that the wallet reports for the batch from now on.
fn became(world: &mut World, status: &str) {
    world.wallet().behaviours.insert(STATUS.into(), answers(status));
}

#[test]
fn what_the_wallet_refuses_was_not_swapped_and_can_be_asked_for_again_in_one() {
    let mut world = reviewed_token(able().when(BATCH, Behaviour::Refuse));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, world.snack()), (Phase::Refused, None));
    assert!(form(&world).pending.is_empty() && sent(&world).is_empty());
    assert!(properties(&world, "SWAP_ERROR").contains("User rejected"));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((asked_for(&world, BATCH).len(), sent(&world).len()), (2, 0));
}

#[test]
fn a_wallet_that_keeps_silent_or_talks_nonsense_is_not_asked_for_anything_else() {
    let mut world = reviewed_token(able().when(BATCH, Behaviour::Silent));
    act(&mut world, Swap::ConfirmAsked);
    world.advance(60_000);
    assert_eq!((form(&world).phase, form(&world).slow), (Phase::Confirming, true));
    assert!(sent(&world).is_empty());
    for nonsense in ["null", "7", "[]", "{}", r#""""#, r#"{"id":7}"#] {
        let mut world = reviewed_token(able().when(BATCH, answers(nonsense)));
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!(form(&world).phase, Phase::Unsure, "{nonsense}");
        assert!(sent(&world).is_empty() && form(&world).pending.is_empty());
    }
    // The wallet may have sent the batch: the visitor is not asked to pay a second time.
    for code in [-32603, 5000, -32000, 4900] {
        let mut world = reviewed_token(able().when(BATCH, throws(code)));
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Unsure, 0), "{code}");
    }
}

#[test]
fn approve_and_swap_are_one_step_where_the_wallet_can() {
    let mut world = reviewed_token(able());
    let quote = form(&world).quote.unwrap();
    assert!(quote.approval_needed && quote.together);
    act(&mut world, Swap::ConfirmAsked);
    let batch = asked_for(&world, BATCH).remove(0);
    for (name, value) in [("version", "2.0.0"), ("chainId", "0x7a69"), ("from", ADDRESS)] {
        assert_eq!(batch.get(name).as_str(), Some(value), "{name}");
    }
    assert_eq!(batch.get("atomicRequired").as_bool(), Some(true));
    assert_eq!(calls(&world), [approval(1_000_000_000), swap()]);
    // The server builds the swap before the approval exists: once for the preview, once for the wallet.
    let orders = built(&world);
    assert_eq!(orders.len(), 2);
    assert!(orders.iter().all(|order| order.get("disableEstimate").as_bool() == Some(true)));
    // The receipt says it, so no snack does.
    assert_eq!((view(&world), world.snack(), sent(&world).len()), (View::SwapConfirmed, None, 0));
    let pending = form(&world).pending;
    assert_eq!((pending[0].hash.as_str(), pending[0].amount.as_str(), &pending[0].url), ("0xca11", "1000.000", &None));
    world.advance(20_000);
    assert_eq!(form(&world).pending.len(), 1);
    let receipt = format!(r#"{{"transactionHash":"{}","status":"0x1"}}"#, hash("cc"));
    became(&mut world, &format!(r#"{{"id":"0xca11","status":200,"receipts":[{receipt}]}}"#));
    world.advance(4_100);
    assert_eq!((form(&world).pending.len(), world.snack()), (0, None));
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Confirmed);
    assert!(properties(&world, "SWAP_SUCCESS").contains(r#""swapFromToken":"USDC","swapToToken":"ETH""#));
    // The batch id is not a hash, so no receipt was requested for it.
    assert!(!world.node.bodies.iter().any(|body| body.contains("0xca11")));
}

#[test]
fn a_wallet_of_version_1_0_answers_in_its_own_words() {
    let able = able().when(BATCH, answers(r#""0xca11""#)).when(STATUS, answers(r#"{"status":"PENDING"}"#));
    let mut world = reviewed_token(able);
    act(&mut world, Swap::ConfirmAsked);
    world.advance(9_000);
    assert_eq!(form(&world).pending.len(), 1);
    became(&mut world, r#"{"status":"CONFIRMED","receipts":[{"status":"0x1"}]}"#);
    world.advance(4_100);
    assert_eq!((form(&world).pending.len(), world.snack()), (0, None));
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Confirmed);
}

#[test]
fn calls_that_fail_say_so() {
    for status in [
        r#"{"status":400}"#,
        r#"{"status":500,"receipts":[{"status":"0x0"}]}"#,
        r#"{"status":600,"receipts":[{"status":"0x1"},{"status":"0x0"}]}"#,
        r#"{"status":"CONFIRMED","receipts":[{"status":"0x0"}]}"#,
    ] {
        let mut world = reviewed_token(able().when(STATUS, answers(status)));
        act(&mut world, Swap::ConfirmAsked);
        world.advance(4_100);
        assert_eq!(form(&world).pending.len(), 0, "{status}");
        assert!(properties(&world, "SWAP_ERROR").contains("reverted"), "{status}");
    }
}

#[test]
fn a_wallet_that_does_not_say_what_became_of_calls_is_asked_for_a_while() {
    for status in [Behaviour::Silent, throws(5730), answers("null"), answers(r#"{"id":"other","status":200}"#)] {
        let mut world = reviewed_token(able().when(STATUS, status.clone()));
        act(&mut world, Swap::ConfirmAsked);
        world.advance(190_000);
        assert_eq!(form(&world).pending.len(), 0, "{status:?}");
        let events = world.event_names();
        assert!(!events.contains(&"SWAP_SUCCESS") && !events.contains(&"SWAP_ERROR"), "{status:?}");
        let asked = asked_for(&world, STATUS).len();
        assert!((2..=8).contains(&asked), "{status:?}: {asked}");
        world.advance(600_000);
        assert_eq!(asked_for(&world, STATUS).len(), asked);
    }
}

#[test]
fn calls_are_followed_past_a_reload_once_the_wallet_is_back() {
    let mut world = reviewed_token(able());
    act(&mut world, Swap::ConfirmAsked);
    let before = form(&world).pending;
    world.wallet().behaviours.insert("eth_accounts".into(), Behaviour::Late(2_000));
    world.reload();
    let asked = asked_for(&world, STATUS).len();
    world.advance(1_900);
    assert_eq!((form(&world).pending.len(), asked_for(&world, STATUS).len()), (0, asked));
    world.advance(4_000);
    assert_eq!(form(&world).pending, before);
    assert!(asked_for(&world, STATUS).len() > asked);
    became(&mut world, r#"{"id":"0xca11","status":200,"receipts":[{"status":"0x1"}]}"#);
    world.advance(4_100);
    assert!(form(&world).pending.is_empty() && world.event_names().contains(&"SWAP_SUCCESS"));
    world.reload();
    world.advance(10_000);
    assert!(form(&world).pending.is_empty());
}

#[test]
fn a_wallet_that_cannot_after_all_is_asked_for_one_after_the_other_with_a_word_and_once() {
    for code in [5700, 5710, 5720, 5740, 5750, 5760, 4200, -32601, -32602] {
        let mut world = reviewed_token(able().when(BATCH, throws(code)).when(SEND, Behaviour::Silent));
        act(&mut world, Swap::ConfirmAsked);
        let swap = form(&world);
        let apart = swap.quote.unwrap().apart;
        assert_eq!((swap.phase, apart, sent(&world).len()), (Phase::Approving, true, 1), "{code}");
        assert_eq!(sent(&world)[0].get("data").as_str(), Some(approval(1_000_000_000).1.as_str()));
    }
    let mut world = reviewed_token(able().when(BATCH, throws(5760)));
    signs(&mut world, "aa");
    act(&mut world, Swap::ConfirmAsked);
    signs(&mut world, "bb");
    allows(&mut world, USDC, 1_000_000_000);
    world.node.receipts.insert(hash("aa"), true);
    world.advance(4_100);
    assert_eq!((sent(&world).len(), view(&world)), (2, View::SwapConfirmed));
    // A wallet that failed to run a batch is not asked for one again.
    let mut world = reviewed_token(able().when(BATCH, throws(5760)).when(SEND, Behaviour::Refuse));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(form(&world).phase, Phase::Refused);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((asked_for(&world, BATCH).len(), sent(&world).len()), (1, 2));
    let quote = form(&world).quote.unwrap();
    assert!(quote.apart && !quote.together);
}

#[test]
fn a_permission_that_has_to_go_first_goes_in_the_same_step() {
    let mut world = opened(able());
    act(&mut world, Swap::FlipAsked);
    allows(&mut world, USDC, 400_000_000);
    let quote = quoted(&world, USDC, COIN, 1_000_000_000, ETHER / 3);
    offers(&mut world, quote);
    builds(&mut world, ROUTER, 1_000_000_000, 0, ETHER / 3 - ETHER / 300);
    typed(&mut world, "1000");
    act(&mut world, Swap::ReviewAsked);
    let contract = Contract { decimals: Some(6), balance: Some(5_000_000_000), ..Contract::default() };
    world.node.tokens.insert(USDC.into(), contract);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(calls(&world), [approval(0), approval(1_000_000_000), swap()]);
}

#[test]
fn what_needs_no_approval_is_no_batch() {
    let mut world = reviewed(able());
    assert!(!form(&world).quote.unwrap().together);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((asked_for(&world, BATCH).len(), sent(&world).len()), (0, 1));
    assert_eq!(built(&world)[0].get("disableEstimate").as_bool(), Some(false));
}

#[test]
fn a_wallet_that_can_on_another_chain_only_is_asked_for_one_after_the_other() {
    for told in [
        r#"{"0x1":{"atomic":{"status":"supported"}}}"#,
        r#"{"0x7a69":{"atomic":{"status":"ready"}}}"#,
        r#"{"0x7a69":{"atomic":{"status":"unsupported"}}}"#,
    ] {
        let mut world = reviewed_token(able().when(ABILITIES, answers(told)));
        let quote = form(&world).quote.unwrap();
        assert_eq!((quote.apart, quote.together), (false, false), "{told}");
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!((asked_for(&world, BATCH).len(), sent(&world).len()), (0, 1), "{told}");
    }
    // The capabilities are requested once, whatever is swapped.
    let world = reviewed_token(able());
    assert_eq!(asked_for(&world, ABILITIES).len(), 1);
}

#[test]
fn a_call_that_is_not_what_was_quoted_is_in_no_batch() {
    let lies: [(&str, u128, u128, u128); 4] = [
        (ADDRESS, 1_000_000_000, 0, ETHER / 3),
        (USDC, 1_000_000_000, 0, ETHER / 3),
        (ROUTER, 1_000_000_000, 1, ETHER / 3),
        (ROUTER, 1_000_000_000, 0, ETHER / 4),
    ];
    for (to, amount, value, minimum) in lies {
        let mut world = reviewed_token(able());
        builds(&mut world, to, amount, value, minimum);
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!((form(&world).phase, form(&world).fault), (Phase::Failed, Some(Fault::Mismatch)), "{to} {value}");
        assert!(asked_for(&world, BATCH).is_empty() && sent(&world).is_empty());
    }
}

#[test]
fn calls_that_are_signed_after_the_visitor_left_are_still_followed() {
    let mut world = reviewed_token(able().when(BATCH, Behaviour::Late(30_000)));
    act(&mut world, Swap::ConfirmAsked);
    world.modal(Modal::CloseAsked);
    world.advance(30_000);
    assert_eq!((sent(&world).len(), form(&world).pending.len()), (0, 1));
    became(&mut world, r#"{"id":"0xca11","status":200,"receipts":[{"status":"0x1"}]}"#);
    world.advance(4_100);
    assert!(form(&world).pending.is_empty() && world.event_names().contains(&"SWAP_SUCCESS"));
}

#[test]
fn the_receipt_of_a_batch_is_that_of_the_transaction_which_the_wallet_names() {
    let mut world = reviewed_token(able());
    act(&mut world, Swap::ConfirmAsked);
    let sent = |world: &World| form(world).sent.unwrap();
    assert_eq!((sent(&world).receipt.hash, sent(&world).receipt.url), (None, None));
    became(
        &mut world,
        &format!(
            r#"{{"id":"0xca11","status":200,"receipts":[{{"status":"0x1","transactionHash":"{}"}}]}}"#,
            hash("cd")
        ),
    );
    // The nodes have the transaction a little later than the wallet.
    world.advance(4_100);
    let early = sent(&world);
    assert_eq!((early.receipt.state, early.receipt.hash), (SentState::Confirmed, Some(hash("cd"))));
    assert_eq!((early.receipt.fee, early.received), (None, None));
    assert_eq!(early.receipt.url, Some(format!("https://scan-31337.example/tx/{}", hash("cd"))));
    let unwrapped = log(WRAPPED, &[event::WITHDRAWAL, ROUTER], &word(ETHER / 4));
    let receipt = format!(
        r#"{{"transactionHash":"{}","status":"0x1","from":"{ADDRESS}","gasUsed":"0x2bf20","effectiveGasPrice":"0x3b9aca00","logs":[{}]}}"#,
        hash("cd"),
        to_text(&unwrapped)
    );
    world.node.forged = parse(&receipt).ok();
    world.advance(4_100);
    let late = sent(&world);
    assert_eq!((late.receipt.fee.as_deref(), late.received.as_deref()), (Some("0.00018"), Some("0.25")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_batch_is_exactly_the_exact_approval_and_the_built_call(
        paid in 1u64..5_000_000_000, brings in 100u64..,
    ) {
        let (paid, brings) = (u128::from(paid), u128::from(brings));
        let mut world = opened(able());
        choose(&mut world, Target::SourceToken, USDC);
        quotes(&mut world, USDC, COIN, paid, brings);
        let data = swaps(paid, 0, brings);
        builds_call(&mut world, ROUTER, &data, paid, 0, brings);
        typed(&mut world, &format!("{}.{:06}", paid / 1_000_000, paid % 1_000_000));
        act(&mut world, Swap::ReviewAsked);
        act(&mut world, Swap::ConfirmAsked);
        prop_assert_eq!(calls(&world), [approval(paid), (ROUTER.into(), data, "0x0".into())]);
        prop_assert!(sent(&world).is_empty());
    }
}
