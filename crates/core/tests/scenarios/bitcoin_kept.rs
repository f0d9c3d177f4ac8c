//! Scenarios of payments on Bitcoin whose page was left before they were in a block.

use crate::bitcoin_send::{
    BOB, confirmed, confirmed_at, fill, form, node, opened, pay, refusing, relent, review, sent, spends, view, wallet,
};
use portico_core::bitcoin::{Event as Pay, Trouble, Warning};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_json::parse;
use portico_testkit::{BITCOIN, BITCOIN_ADDRESS, Behaviour, BitcoinNode, World};
use std::cell::RefCell;
use std::rc::Rc;

const PENDING: &str = "@portico/pending/bip122/";

const DAY: u64 = 86_400_000;

/// World whose payment is on its way, after a reload.
fn reloaded() -> (World, Rc<RefCell<BitcoinNode>>) {
    let (mut world, node) = confirmed(wallet(), "0.001");
    world.come_back();
    (world, node)
}

/// Form for another payment.
fn next(world: &mut World, amount: &str) {
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    review(world, amount);
}

/// Amounts on their way.
fn on_its_way(world: &World) -> Vec<String> {
    form(world).pending.into_iter().map(|one| [one.amount, one.symbol].join(" ")).collect()
}

/// Keys of the stored transactions.
fn stored(world: &World) -> Vec<String> {
    world.store.keys_of(PENDING)
}

/// Changes the stored texts.
fn edit(world: &mut World, change: impl Fn(&str) -> String) {
    for key in stored(world) {
        let text = change(&world.store.values[&key]);
        world.store.values.insert(key, text);
    }
}

/// Numbers of the stored times, of sending or of the end.
fn time(text: &str, of: &str) -> u64 {
    let stored = parse(text).unwrap();
    let end = stored.get("deed").get("end").get("at").as_u64();
    if of == "since" { stored.get("since").as_u64().unwrap() } else { end.unwrap() }
}

/// Makes the node tell that it has the transaction: in the block of this height, or in none yet.
fn tells(node: &RefCell<BitcoinNode>, id: &str, block: Option<u64>) {
    let block = block.map(|height| format!(r#","blockheight":{height}"#)).unwrap_or_default();
    node.borrow_mut().status = Some(format!(r#"{{"txid":"{id}"{block}}}"#));
}

/// Key and text of the only stored transaction.
fn stored_alone(world: &World) -> (String, String) {
    let [key] = &stored(world)[..] else { panic!("one key") };
    (key.clone(), world.store.values[key].clone())
}

#[test]
fn a_payment_is_on_its_way_after_a_reload_too_and_is_told_once_it_is_in_a_block() {
    let (mut world, node) = reloaded();
    assert_eq!(on_its_way(&world), ["0.001 BTC"]);
    let told = form(&world).pending.remove(0);
    assert_eq!(stored(&world), [[PENDING, &told.hash].concat()]);
    tells(&node, &told.hash, None);
    world.advance(20_000);
    assert_eq!((on_its_way(&world).len(), world.snack()), (1, None));
    tells(&node, &told.hash, Some(800_001));
    world.advance(10_150);
    assert_eq!(world.snack(), Some(Message::TransactionConfirmed));
    assert!(on_its_way(&world).is_empty() && stored(&world).is_empty());
}

#[test]
fn coins_that_an_earlier_page_sent_are_not_spent_again_while_a_node_still_tells_them() {
    let (mut world, node) = reloaded();
    let before = sent(&node).len();
    next(&mut world, "0.001");
    assert_eq!((form(&world).balance.as_deref(), form(&world).ready), (Some("0.0005"), false));
    assert_eq!((view(&world), sent(&node).len()), (View::BitcoinSend, before));
}

#[test]
fn a_payment_that_the_nodes_lost_while_its_page_was_closed_is_sent_again() {
    let (mut world, node) = confirmed(wallet(), "0.001");
    world.reload();
    world.settle();
    let sent = sent(&node);
    assert_eq!(sent.len(), 2);
    assert_eq!(sent[0], sent[1]);
}

#[test]
fn a_payment_that_another_one_replaced_while_its_page_was_closed_is_told_and_binds_the_next_one() {
    let (mut world, node) = confirmed(wallet(), "0.001");
    let spent = node.borrow().coins[0].id.clone();
    node.borrow_mut().spender = Some("cd".repeat(32));
    node.borrow_mut().refusal = Some((-25, "bad-txns-inputs-missingorspent"));
    world.come_back();
    assert_eq!(world.snack(), Some(Message::TransactionReplaced));
    assert!(on_its_way(&world).is_empty());
    // The node may have lied: the next payment spends the same output, after one more reload too.
    relent(&node);
    world.come_back();
    next(&mut world, "0.001");
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!((view(&world), stored(&world).len()), (View::BitcoinSendConfirmed, 1));
    assert!(spends(&world, &spent));
}

/// One node that makes the other payment up, and hides the output, could otherwise send the first payment a day later beside the next one.
#[test]
fn a_payment_that_was_given_up_binds_the_next_one_for_two_weeks_also_where_another_is_said_to_have_replaced_it() {
    for spender in [Some("cd".repeat(32)), None] {
        for (age, binds) in [(DAY, true), (14 * DAY - 60_000, true), (14 * DAY, false)] {
            let (mut world, node) = confirmed(wallet(), "0.001");
            node.borrow_mut().spender = spender.clone();
            node.borrow_mut().refusal = Some((-25, "bad-txns-inputs-missingorspent"));
            world.come_back();
            // The output is listed no more.
            node.borrow_mut().coins.remove(0);
            node.borrow_mut().fund(BITCOIN_ADDRESS, 300_000, true);
            edit(&mut world, |text| {
                let then = time(text, "end");
                text.replace(&then.to_string(), &(then - age).to_string())
            });
            world.come_back();
            next(&mut world, "0.001");
            assert_eq!(form(&world).warnings.contains(&Warning::EarlierPayment), binds, "{spender:?} {age}");
            assert_eq!(stored(&world).len(), usize::from(binds));
        }
    }
}

#[test]
fn a_payment_of_any_age_is_on_its_way_until_it_is_in_a_block_because_each_resend_renews_it_in_the_nodes() {
    let (mut world, node) = confirmed(wallet(), "0.001");
    let id = form(&world).sent.unwrap().receipt.hash.unwrap();
    tells(&node, &id, None);
    edit(&mut world, |text| {
        let since = time(text, "since");
        text.replace(&since.to_string(), &(since - 60 * DAY).to_string())
    });
    world.come_back();
    assert_eq!((on_its_way(&world).len(), stored(&world).len()), (1, 1));
    next(&mut world, "0.001");
    assert_eq!((form(&world).balance.as_deref(), form(&world).ready), (Some("0.0005"), false));
    tells(&node, &id, Some(800_001));
    world.advance(10_150);
    assert_eq!(world.snack(), Some(Message::TransactionConfirmed));
    assert!(on_its_way(&world).is_empty() && stored(&world).is_empty());
}

#[test]
fn a_payment_that_nodes_refuse_again_in_a_surge_of_fees_is_said_to_be_pending_and_not_to_have_failed() {
    let (mut world, node) = reloaded();
    node.borrow_mut().refusal = Some((-26, "mempool min fee not met"));
    world.advance(10_150);
    assert_eq!(world.snack(), Some(Message::TransactionPending));
    assert_eq!((on_its_way(&world).len(), stored(&world).len()), (0, 1));
}

#[test]
fn a_page_that_is_left_before_a_node_answered_has_sent_the_payment_and_the_next_page_knows_it() {
    let (mut world, _) = opened(wallet(), node());
    review(&mut world, "0.001");
    world.node.late = Some(5_000);
    pay(&mut world, Pay::ConfirmAsked);
    world.advance(5_000);
    assert_eq!(view(&world), View::BitcoinSendPreview);
    world.node.late = None;
    world.come_back();
    assert_eq!(on_its_way(&world), ["0.001 BTC"]);
    next(&mut world, "0.001");
    assert_eq!((form(&world).balance.as_deref(), form(&world).ready), (Some("0.0005"), false));
}

#[test]
fn a_wallet_that_did_not_sign_before_the_page_was_left_has_sent_nothing() {
    let (mut world, node) = confirmed(wallet().when("signPsbt", Behaviour::Silent), "0.001");
    world.come_back();
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    assert_eq!((form(&world).balance.as_deref(), sent(&node).len()), (Some("0.002"), 0));
    assert!(stored(&world).is_empty());
}

#[test]
fn a_payment_that_a_node_refused_and_the_next_one_spend_the_same_output_after_a_reload_too() {
    let mut told = refusing(-26, "min relay fee not met");
    told.coins.remove(0);
    let (mut world, node) = confirmed_at(wallet(), told, "0.0004");
    assert_eq!(form(&world).trouble, Some(Trouble::Refused));
    let spent = node.borrow().coins[0].id.clone();
    relent(&node);
    world.come_back();
    assert!(on_its_way(&world).is_empty(), "no node took it");
    next(&mut world, "0.0004");
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!(view(&world), View::BitcoinSendConfirmed);
    assert!(spends(&world, &spent));
    assert_eq!(stored(&world).len(), 1, "the refused one can't count any more");
}

#[test]
fn stored_payments_are_hostile_until_their_bytes_hash_to_the_id() {
    let (world, _) = reloaded();
    let (key, text) = &stored_alone(&world);
    let wire = parse(text).unwrap().get("deed").get("wire").as_str().unwrap().to_owned();
    let since = time(text, "since").to_string();
    for (key, text) in [
        (&[PENDING, &"cd".repeat(32)].concat(), text.clone()),
        (&[PENDING, "x"].concat(), text.clone()),
        (key, text.replace(&wire, &wire[..wire.len() - 2])),
        (key, text.replace(&wire, &"00".repeat(500_000))),
        (key, text.replace(&wire, "")),
        (key, text.replace(BITCOIN, "eip155:1")),
        (key, text.replace(r#""0.001""#, r#""much""#)),
        (key, text.replace(&since, "-1")),
        (key, text.replace(&since, "18446744073709551616")),
        (key, text.replace(r#""end":null"#, r#""end":"soon""#)),
        (key, "[[[".into()),
    ] {
        let (mut world, node) = opened(wallet(), node());
        world.store.values.insert(key.clone(), text.clone());
        world.come_back();
        world.advance(20_000);
        world.modal(Modal::ViewAsked { view: View::WalletSend });
        assert!(form(&world).pending.is_empty(), "{key} {text}");
        assert_eq!((stored(&world).len(), sent(&node).len()), (0, 0), "{key} {text}");
        assert_eq!(form(&world).balance.as_deref(), Some("0.002"), "{key} {text}");
    }
}

/// Stored payment of another tab by the larger of two outputs, with the node that knows both.
fn of_another_tab(end: Option<u64>) -> (World, Rc<RefCell<BitcoinNode>>) {
    let (world, _) = confirmed(wallet(), "0.001");
    let (key, text) = stored_alone(&world);
    let end = end.map(|at| format!(r#""end":{{"at":{at}}}"#)).unwrap_or(r#""end":null"#.into());
    let text = text.replace(r#""end":null"#, &end);
    let (mut world, node) = opened(wallet(), node());
    world.store.values.insert(key, text);
    (world, node)
}

#[test]
fn a_review_sees_what_another_tab_has_sent_since_the_form_was_opened() {
    let (mut world, node) = of_another_tab(None);
    fill(&mut world, "0.001", BOB);
    assert_eq!((form(&world).balance.as_deref(), form(&world).ready), (Some("0.002"), true));
    pay(&mut world, Pay::ReviewAsked);
    assert_eq!((form(&world).balance.as_deref(), form(&world).ready), (Some("0.0005"), false));
    assert_eq!((view(&world), on_its_way(&world)), (View::BitcoinSend, vec!["0.001 BTC".to_owned()]));
    assert_eq!(stored(&world).len(), 1);
    assert!(!node.borrow().params_of("getrawtransaction").is_empty(), "it is followed here too");
}

#[test]
fn a_review_is_bound_by_what_another_tab_has_given_up() {
    let (mut world, node) = of_another_tab(Some(u64::MAX));
    let spent = node.borrow().coins[0].id.clone();
    node.borrow_mut().fund(BITCOIN_ADDRESS, 900_000, true);
    review(&mut world, "0.0001");
    pay(&mut world, Pay::ConfirmAsked);
    assert!(spends(&world, &spent));
    assert_eq!((view(&world), stored(&world).len()), (View::BitcoinSendConfirmed, 1));
}

#[test]
fn a_payment_that_was_given_up_and_is_in_a_block_after_all_is_told_at_the_next_load_and_binds_no_more() {
    let (mut world, node) = confirmed(wallet(), "0.001");
    let id = form(&world).sent.unwrap().receipt.hash.unwrap();
    node.borrow_mut().refusal = Some((-26, "mempool min fee not met"));
    world.come_back();
    assert_eq!((on_its_way(&world).len(), stored(&world).len()), (0, 1));
    tells(&node, &id, Some(800_001));
    node.borrow_mut().coins.remove(0);
    world.come_back();
    assert_eq!((world.snack(), stored(&world).len()), (Some(Message::TransactionConfirmed), 0));
    next(&mut world, "0.0001");
    assert_eq!(
        (view(&world), form(&world).warnings.contains(&Warning::EarlierPayment)),
        (View::BitcoinSendPreview, false)
    );
}

#[test]
fn a_payment_that_another_tab_saw_in_a_block_is_not_stored_again_by_a_tab_that_gives_it_up() {
    let (mut world, node) = confirmed(wallet(), "0.001");
    node.borrow_mut().refusal = Some((-26, "mempool min fee not met"));
    world.store.values.remove(&stored_alone(&world).0);
    world.advance(10_150);
    assert!(on_its_way(&world).is_empty() && stored(&world).is_empty());
}

#[test]
fn a_stored_transaction_of_somebody_else_is_never_said_to_be_a_payment_of_the_visitor() {
    let (mut world, node) = reloaded();
    let id = form(&world).pending[0].hash.clone();
    tells(&node, &id, Some(800_001));
    edit(&mut world, |text| text.replace(BITCOIN_ADDRESS, BOB));
    world.come_back();
    assert_eq!((world.snack(), stored(&world).len()), (None, 0));
}

#[test]
fn amount_and_symbol_of_a_stored_payment_are_those_of_its_bytes_and_its_network() {
    let (mut world, _) = confirmed(wallet(), "0.001");
    edit(&mut world, |text| {
        text.replace(r#""0.001""#, r#""5""#).replace(r#""BTC""#, &format!("{:?}", "BTC ".repeat(99)))
    });
    world.come_back();
    assert_eq!(on_its_way(&world), ["0.001 BTC"]);
}
