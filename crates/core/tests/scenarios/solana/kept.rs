//! Payments on Solana whose page was left before the network told their outcome.

use super::*;

const PENDING: &str = "@portico/pending/solana/";

/// Opens the form of another payment of half a coin, and asks for its preview.
fn next(world: &mut World) {
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    review(world, "0.5");
}

/// World whose payment is on its way, after a reload.
fn reloaded() -> (World, Rc<RefCell<SolanaNode>>) {
    let (mut world, node) = opened(wallet(), node());
    paid(&mut world, "0.5");
    world.come_back();
    (world, node)
}

/// Amounts on their way.
fn on_its_way(world: &World) -> Vec<String> {
    form(world).pending.into_iter().map(|one| [one.amount, one.symbol].join(" ")).collect()
}

/// Keys of the stored transactions.
fn stored(world: &World) -> Vec<String> {
    world.store.keys_of(PENDING)
}

#[test]
fn a_payment_is_on_its_way_after_a_reload_too_is_sent_again_and_is_told_once_it_is_confirmed() {
    let (mut world, node) = reloaded();
    assert_eq!(on_its_way(&world), ["0.5 SOL"]);
    let [first, .., last] = &sent(&node)[..] else { panic!("sent again") };
    assert_eq!(first, last);
    let told = form(&world).pending.remove(0);
    assert_eq!(told.hash, base58::encode(&first[1..65]));
    assert_eq!(stored(&world), [[PENDING, &told.hash].concat()]);
    node.borrow_mut().status = r#"{"slot":2,"confirmations":1,"err":null,"confirmationStatus":"confirmed"}"#.into();
    world.advance(2_150);
    assert_eq!(world.snack(), Some(Message::TransactionConfirmed));
    assert!(on_its_way(&world).is_empty() && stored(&world).is_empty());
    let before = sent(&node).len();
    world.come_back();
    world.advance(10_000);
    assert_eq!(sent(&node).len(), before);
}

#[test]
fn a_payment_that_expired_while_its_page_was_closed_is_told_as_expired_and_may_be_paid_again() {
    let (mut world, node) = reloaded();
    node.borrow_mut().height = 151;
    let now = world.now;
    world.advance(110_000);
    assert_eq!((on_its_way(&world).len(), world.snack()), (1, None), "no transaction is too old before two minutes");
    while !on_its_way(&world).is_empty() && world.now < now + 150_000 {
        world.advance(1_000);
    }
    assert_eq!((world.snack(), stored(&world).len()), (Some(Message::TransactionExpired), 0));
}

#[test]
fn a_payment_that_failed_on_the_chain_is_told_after_a_reload() {
    let (mut world, node) = reloaded();
    node.borrow_mut().status =
        r#"{"slot":2,"err":{"InstructionError":[2,{"Custom":1}]},"confirmationStatus":"finalized"}"#.into();
    world.advance(2_150);
    assert_eq!(world.snack(), Some(Message::FailedToSendTransaction));
    assert!(on_its_way(&world).is_empty() && stored(&world).is_empty());
}

#[test]
fn a_payment_of_another_account_is_not_on_the_way_of_this_one() {
    let (mut world, _) = opened(wallet(), node());
    paid(&mut world, "0.5");
    world.wallets[0] = ScriptedWallet { secret: Some(BOB), ..wallet().of(Namespace::Solana, &solana_address(BOB)) };
    world.come_back();
    assert!(on_its_way(&world).is_empty());
    assert_eq!(stored(&world).len(), 1);
}

#[test]
fn stored_payments_are_hostile_until_the_bytes_prove_to_be_what_the_account_signed() {
    let (world, _) = reloaded();
    let [key] = &stored(&world)[..] else { panic!("one key") };
    let text = &world.store.values[key];
    let wire = parse(text).unwrap().get("deed").get("wire").as_str().unwrap().to_owned();
    let mut bytes = base64::decode(&wire, Spelling::Standard).unwrap();
    let amount = bytes.len() - 5;
    bytes[amount] ^= 1;
    let other = [PENDING, &base58::encode(&[7; 64])].concat();
    let now = parse(text).unwrap().get("since").as_u64().unwrap().to_string();
    for (key, text) in [
        (&other, text.clone()),
        (&[PENDING, "x"].concat(), text.clone()),
        (&[PENDING, &"1".repeat(5_000)].concat(), text.clone()),
        (key, text.replace(&wire, &base64::encode(&bytes, Spelling::Standard))),
        (key, text.replace(&wire, &wire[..wire.len() / 2])),
        (key, text.replace(&wire, "")),
        (key, text.replace(&solana_address(ALICE), &solana_address(BOB))),
        (key, text.replace(SOLANA, "eip155:1")),
        (key, text.replace(r#""0.5""#, r#""lots""#)),
        (key, text.replace(&now, "1")),
        (key, text.replace(&now, "18446744073709551615")),
        (key, text.replace(":150", r#":"soon""#)),
        (key, "[[[".into()),
    ] {
        let (mut world, node) = opened(wallet(), node());
        world.store.values.insert(key.clone(), text.clone());
        world.come_back();
        world.advance(5_000);
        assert!(world.snapshot().solana.is_none_or(|form| form.pending.is_empty()), "{key} {text}");
        assert_eq!((stored(&world).len(), sent(&node).len()), (0, 0), "{key} {text}");
    }
}

#[test]
fn the_list_tells_what_the_signed_bytes_pay_whatever_the_storage_says() {
    let (world, _) = reloaded();
    let [key] = &stored(&world)[..] else { panic!("one key") };
    let text = &world.store.values[key];
    for (from, to) in [(r#""0.5""#, r#""5000""#), (r#""SOL""#, r#""USDC""#), (r#""SOL""#, r#""""#)] {
        let (mut world, _) = opened(wallet(), node());
        assert!(text.contains(from));
        world.store.values.insert(key.clone(), text.replace(from, to));
        world.come_back();
        assert_eq!(on_its_way(&world), ["0.5 SOL"], "{to}");
    }
}

#[test]
fn stored_bytes_that_the_account_signed_for_something_else_than_one_payment_are_not_followed() {
    use portico_calldata::solana::{key, message, transaction, transfer, unit_limit};
    let (world, _) = reloaded();
    let [first] = &stored(&world)[..] else { panic!("one key") };
    let text = &world.store.values[first];
    let wire = parse(text).unwrap().get("deed").get("wire").as_str().unwrap().to_owned();
    let [own, other] = [ALICE, BOB].map(|secret| key(&solana_address(secret)).unwrap());
    for (calls, followed) in [
        (vec![unit_limit(9), transfer(own, other, 7)], 1),
        (vec![transfer(own, other, 7), transfer(own, other, 7)], 0),
        (vec![unit_limit(9)], 0),
    ] {
        let unsigned = transaction(&[0; 64], &message(&own, &[5; 32], &calls));
        let (signature, bytes) = sign_solana(&unsigned, ALICE);
        let text = text.replace(&wire, &base64::encode(&bytes, Spelling::Standard));
        let (mut world, _) = opened(wallet(), node());
        world.store.values.insert([PENDING, &base58::encode(&signature)].concat(), text);
        world.come_back();
        let found = world.snapshot().solana.map(|form| form.pending).unwrap_or_default();
        assert_eq!((found.len(), stored(&world).len()), (followed, followed));
        assert!(found.iter().all(|one| one.amount == "0.000000007"));
    }
}

#[test]
fn a_payment_on_a_network_that_the_page_serves_no_more_is_left_alone() {
    let (mut world, node) = opened(wallet(), node());
    paid(&mut world, "0.5");
    let [key] = &stored(&world)[..] else { panic!("one key") };
    let devnet = world.store.values[key].replace(SOLANA, "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1");
    world.store.values.insert(key.clone(), devnet);
    let before = sent(&node).len();
    world.come_back();
    world.advance(5_000);
    assert_eq!((sent(&node).len(), stored(&world).len()), (before, 1));
}

#[test]
fn at_most_eight_payments_are_followed_and_stored_the_newest_ones() {
    let (mut world, _) = opened(wallet(), node());
    let amounts: Vec<String> = (1..=9).map(|number| format!("0.0{number}")).collect();
    for amount in &amounts {
        paid(&mut world, amount);
        world.advance(10);
        world.modal(Modal::BackAsked);
        world.modal(Modal::ViewAsked { view: View::WalletSend });
    }
    let newest: Vec<String> = amounts[1..].iter().rev().map(|amount| format!("{amount} SOL")).collect();
    assert_eq!((on_its_way(&world), stored(&world).len()), (newest.clone(), 8));
    world.come_back();
    assert_eq!(on_its_way(&world), newest);
}

#[test]
fn a_visitor_who_reloads_while_a_wallet_that_sends_by_itself_asks_is_told_to_look_there_before_paying_again() {
    let reviewed = |world: &mut World| {
        world.come_back();
        next(world);
        (view(world), form(world).phase)
    };
    let (mut world, node) = opened(sends_by_itself(Behaviour::Silent), node());
    paid(&mut world, "0.5");
    let interrupted = (View::SolanaSendPreview, Phase::Interrupted);
    assert_eq!((reviewed(&mut world), reviewed(&mut world)), (interrupted, interrupted));
    // Back in the form, the next review says it again.
    world.modal(Modal::BackAsked);
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!(form(&world).phase, Phase::Interrupted);
    // The visitor looked, and pays.
    world.wallets[0].behaviours.remove("solana_signAndSendTransaction");
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!((view(&world), sent(&node).len()), (View::SolanaSendConfirmed, 1));
    assert_eq!(reviewed(&mut world), (View::SolanaSendPreview, Phase::Editing), "the wallet answered");
}

/// Form of a wallet that sends by itself and answers so, after it was asked for a payment.
fn asked_to_send(answer: Behaviour) -> World {
    let (mut world, _) = opened(sends_by_itself(answer), node());
    paid(&mut world, "0.5");
    world
}

fn fault() -> Behaviour {
    Behaviour::Throw(parse(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#).unwrap())
}

fn answers_next(world: &mut World, answer: Behaviour) {
    world.wallets[0].behaviours.insert("solana_signAndSendTransaction".into(), answer);
}

/// Goes back to the form and reviews it again; returns what the preview then says.
fn reviewed_again(world: &mut World) -> Phase {
    world.modal(Modal::BackAsked);
    pay(world, Pay::ReviewAsked);
    form(world).phase
}

#[test]
fn what_a_wallet_that_sends_by_itself_did_not_tell_is_asked_about_until_another_payment_is_sent() {
    let mut world = asked_to_send(fault());
    assert_eq!((form(&world).phase, reviewed_again(&mut world)), (Phase::Unsure, Phase::Interrupted));
    // A refusal tells nothing about the payment before it, in this page and the next one.
    answers_next(&mut world, Behaviour::Refuse);
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!((form(&world).phase, reviewed_again(&mut world)), (Phase::Refused, Phase::Interrupted));
    world.come_back();
    next(&mut world);
    assert_eq!(form(&world).phase, Phase::Interrupted);
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!((form(&world).phase, reviewed_again(&mut world)), (Phase::Refused, Phase::Interrupted));
    // The visitor looked, and pays.
    world.wallets[0].behaviours.remove("solana_signAndSendTransaction");
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!(view(&world), View::SolanaSendConfirmed);
    world.modal(Modal::BackAsked);
    next(&mut world);
    assert_eq!(form(&world).phase, Phase::Editing);
}

#[test]
fn a_refusal_leaves_nothing_open_where_no_other_request_is() {
    let mut world = asked_to_send(Behaviour::Refuse);
    assert_eq!((form(&world).phase, reviewed_again(&mut world)), (Phase::Refused, Phase::Editing));
}

#[test]
fn a_late_answer_leaves_the_request_after_it_open_whose_outcome_is_unknown() {
    let refused =
        Behaviour::LateThrow(9_000, parse(r#"{"code":4001,"message":"User rejected the request."}"#).unwrap());
    for late in [Behaviour::Late(9_000), refused] {
        let mut world = asked_to_send(late);
        assert_eq!(reviewed_again(&mut world), Phase::Interrupted);
        answers_next(&mut world, fault());
        pay(&mut world, Pay::ConfirmAsked);
        assert_eq!(form(&world).phase, Phase::Unsure);
        world.advance(9_000);
        assert_eq!(reviewed_again(&mut world), Phase::Interrupted);
    }
}

#[test]
fn a_wallet_that_only_signs_leaves_nothing_open_when_the_page_is_left() {
    let (mut world, node) = opened(wallet().when("solana_signTransaction", Behaviour::Silent), node());
    paid(&mut world, "0.5");
    world.come_back();
    next(&mut world);
    assert_eq!((form(&world).phase, sent(&node).len()), (Phase::Editing, 0));
}
