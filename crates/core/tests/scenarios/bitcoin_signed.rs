//! Scenarios of payments on Bitcoin once the wallet is asked to sign them.

use crate::bitcoin_send::{
    BOB, asked, back_to_form, confirmed, confirmed_at, fill, filled, form, pay, refusing, relent, review, sent, spends,
    view, wallet,
};
use portico_core::bitcoin::{Event as Pay, Phase, Trouble, Warning};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::pay::outcome::SentState;
use portico_core::pay::typed::AmountFault;
use portico_encoding::base64::{self, Spelling};
use portico_encoding::hex;
use portico_json::{Value, parse};
use portico_testkit::{BITCOIN_ADDRESS, Behaviour, sign_bitcoin};

/// PSBT of a payment of this amount.
fn psbt(amount: &str) -> String {
    let (world, _) = confirmed(wallet().when("signPsbt", Behaviour::Silent), amount);
    asked(&world).remove(0)
}

#[test]
fn a_wallet_that_signs_another_transaction_or_does_not_sign_sends_nothing() {
    let smaller = psbt("0.0005");
    let bytes = |text: &str| base64::decode(text, Spelling::Standard).unwrap();
    for (answer, trouble) in [
        // The signed payment of another amount.
        (sign_bitcoin(&smaller), Trouble::Changed),
        (hex::encode(&bytes(&sign_bitcoin(&smaller))), Trouble::Changed),
        ("nothing".into(), Trouble::Unsigned),
        (String::new(), Trouble::Changed),
    ] {
        let psbt = Value::Object(vec![("psbt".into(), Value::Text(answer.clone()))]);
        let (world, node) = confirmed(wallet().when("signPsbt", Behaviour::Nonsense(psbt)), "0.001");
        assert_eq!((form(&world).phase, form(&world).trouble), (Phase::Failed, Some(trouble)), "{answer}");
        assert!(sent(&node).is_empty());
    }
    // The PSBT comes back as it was.
    let same = Behaviour::Nonsense(Value::Text(psbt("0.001")));
    let (world, node) = confirmed(wallet().when("signPsbt", same), "0.001");
    assert_eq!((form(&world).trouble, sent(&node).len()), (Some(Trouble::Unsigned), 0));
}

#[test]
fn a_visitor_who_declines_in_the_wallet_may_try_again() {
    let (mut world, node) = confirmed(wallet().when("signPsbt", Behaviour::Refuse), "0.001");
    assert_eq!((view(&world), form(&world).phase), (View::BitcoinSendPreview, Phase::Refused));
    world.wallets[0].behaviours.clear();
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!((view(&world), sent(&node).len()), (View::BitcoinSendConfirmed, 1));
}

#[test]
fn a_wallet_that_signs_after_the_visitor_left_sends_nothing() {
    let (mut world, node) = confirmed(wallet().when("signPsbt", Behaviour::Late(20_000)), "0.001");
    world.advance(8_000);
    assert!(form(&world).slow);
    world.modal(Modal::BackAsked);
    world.advance(20_000);
    assert_eq!((view(&world), sent(&node).len()), (View::BitcoinSend, 0));
}

#[test]
fn a_payment_that_a_node_refused_and_the_next_one_spend_the_same_output() {
    let mut told = refusing(-26, "min relay fee not met");
    // The refused payment spends the smaller output, which the next one would leave alone.
    told.coins.remove(0);
    let (mut world, node) = confirmed_at(wallet(), told, "0.0004");
    let refused = form(&world);
    assert_eq!((refused.phase, refused.trouble), (Phase::Failed, Some(Trouble::Refused)));
    assert_eq!(refused.trouble_detail.as_deref(), Some("min relay fee not met"));
    let spent = node.borrow().coins[0].id.clone();
    relent(&node);
    world.modal(Modal::BackAsked);
    pay(&mut world, Pay::ReviewAsked);
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!(view(&world), View::BitcoinSendConfirmed);
    assert!(spends(&world, &spent));
}

#[test]
fn a_node_that_has_the_transaction_already_has_not_refused_it() {
    for (code, message) in
        [(-27, "Transaction already in block chain"), (-26, "txn-already-in-mempool"), (-25, "txn-already-known")]
    {
        let (world, _) = confirmed_at(wallet(), refusing(code, message), "0.001");
        assert_eq!(view(&world), View::BitcoinSendConfirmed, "{message}");
    }
}

#[test]
fn a_payment_whose_coins_another_one_spent_is_replaced_and_one_that_is_lost_is_sent_again() {
    let (mut world, node) = confirmed(wallet(), "0.001");
    assert_eq!(sent(&node).len(), 1);
    world.advance(10_150);
    assert_eq!(sent(&node).len(), 2);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Pending);
    node.borrow_mut().spender = Some("cd".repeat(32));
    node.borrow_mut().refusal = Some((-25, "bad-txns-inputs-missingorspent"));
    world.advance(10_150);
    let receipt = form(&world).sent.unwrap().receipt;
    assert_eq!((receipt.state, receipt.replaced_by), (SentState::Replaced, Some("cd".repeat(32))));
    // The visitor pays again, by the same output: if the node lied, only one of the two payments counts.
    let spent = node.borrow().coins[0].id.clone();
    relent(&node);
    back_to_form(&mut world);
    review(&mut world, "0.001");
    pay(&mut world, Pay::ConfirmAsked);
    assert!(spends(&world, &spent));
}

#[test]
fn coins_that_were_just_sent_are_not_spent_again_while_a_node_still_tells_them() {
    let (mut world, node) = confirmed(wallet(), "0.001");
    back_to_form(&mut world);
    assert_eq!(form(&world).balance.as_deref(), Some("0.0005"));
    fill(&mut world, "0.001", BOB);
    assert_eq!(form(&world).amount_fault, Some(AmountFault::AboveBalance));
    assert_eq!(sent(&node).len(), 1);
}

#[test]
fn a_wallet_error_is_shown_with_its_words() {
    let broken = wallet()
        .when("signPsbt", Behaviour::Throw(parse(r#"{"code":-32603,"message":"The device is locked"}"#).unwrap()));
    let (world, node) = confirmed(broken, "0.001");
    assert_eq!((form(&world).phase, sent(&node).len()), (Phase::Failed, 0));
    assert_eq!(form(&world).error.unwrap().message, "The device is locked");
}

#[test]
fn a_visitor_who_leaves_after_the_wallet_signed_has_sent_the_payment_and_cannot_send_it_twice() {
    for leaves in [Modal::BackAsked, Modal::CloseAsked] {
        let (mut world, node) = filled(wallet(), "0.001");
        pay(&mut world, Pay::ReviewAsked);
        world.node.late = Some(5_000);
        pay(&mut world, Pay::ConfirmAsked);
        world.advance(5_000);
        // The node has the signed transaction, and its word is on the way.
        assert_eq!((view(&world), sent(&node).len()), (View::BitcoinSendPreview, 1));
        world.modal(leaves);
        assert_eq!(world.snack(), Some(Message::TransactionStarted));
        assert_eq!(world.snapshot().bitcoin.and_then(|form| form.sent), None, "its receipt was not opened");
        world.node.late = None;
        world.advance(5_000);
        world.open(None);
        world.modal(Modal::ViewAsked { view: View::WalletSend });
        fill(&mut world, "0.001", BOB);
        assert_eq!((form(&world).balance.as_deref(), form(&world).ready), (Some("0.0005"), false));
    }
}

#[test]
fn a_node_that_hides_what_a_refused_payment_spends_makes_the_form_warn_before_the_next_one() {
    let (mut world, node) = confirmed_at(wallet(), refusing(-26, "min relay fee not met"), "0.001");
    assert_eq!(form(&world).trouble, Some(Trouble::Refused));
    // The largest output, which the payment spends, is listed no more.
    node.borrow_mut().coins.remove(0);
    node.borrow_mut().fund(BITCOIN_ADDRESS, 300_000, true);
    world.modal(Modal::BackAsked);
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!(view(&world), View::BitcoinSendPreview);
    assert_eq!(form(&world).warnings.first(), Some(&Warning::EarlierPayment));
}

#[test]
fn a_payment_that_nodes_refuse_again_is_given_up_and_its_output_stays_bound() {
    let (mut world, node) = confirmed(wallet(), "0.001");
    node.borrow_mut().refusal = Some((-26, "min relay fee not met"));
    world.advance(10_150);
    assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Lost);
    let before = sent(&node).len();
    world.advance(60_000);
    assert_eq!(sent(&node).len(), before);
}
