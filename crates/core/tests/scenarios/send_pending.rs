//! Scenarios of transactions that are sent but not mined yet.

use crate::asked::opened_by_host;
use crate::send::{RECEIVER, SEND, alpha, confirmed, fill, opened, send_another};
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::send::{Event as Send, SentState};
use portico_json::parse;
use portico_testkit::{Behaviour, World};

/// Hashes of the pending transactions.
fn pending(world: &World) -> Vec<String> {
    world.snapshot().send.pending.into_iter().map(|sent| sent.hash).collect()
}

#[test]
fn spec_8_2_a_transaction_that_is_signed_after_the_visitor_left_says_transaction_started() {
    let mut world = confirmed(alpha().when(SEND, Behaviour::Late(9_000)));
    world.modal(Modal::BackAsked);
    world.advance(9_000);
    assert_eq!(pending(&world).len(), 1);
    assert_eq!(world.snack(), Some(Message::TransactionStarted));
}

#[test]
fn a_signed_transaction_shows_its_receipt_and_no_snack_over_it() {
    let mut world = confirmed(alpha());
    assert_eq!(world.snack(), None);
    assert_eq!(world.snapshot().modal.view, View::WalletSendConfirmed);
    let (_, params) = world.wallets[0].requests.iter().find(|(method, _)| method == SEND).unwrap().clone();
    let transaction = &params.as_list().unwrap()[0];
    assert_eq!(transaction.get("value").as_str(), Some("0x14d1120d7b160000"));
    assert_eq!(transaction.get("to").as_str(), Some(RECEIVER));
    let hash = format!("0x{}", "ab".repeat(32));
    assert_eq!(pending(&world), [hash.as_str()]);
    world.node.receipts.insert(hash, true);
    world.node.balances.insert("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266".into(), 8 * 10u128.pow(18));
    world.advance(4_100);
    assert_eq!(world.snapshot().account.accounts[0].balance.as_deref(), Some("8.000"));
    // The receipt says it, so no snack does.
    assert_eq!((pending(&world).len(), world.snack()), (0, None));
    assert_eq!(world.snapshot().send.sent.unwrap().receipt.state, SentState::Confirmed);
    assert!(world.event_names().contains(&"SEND_INITIATED") && world.event_names().contains(&"SEND_SUCCESS"));
}

#[test]
fn a_reverted_transaction_says_failed_to_send_transaction() {
    let mut world = confirmed(alpha());
    world.node.receipts.insert(format!("0x{}", "ab".repeat(32)), false);
    world.advance(4_100);
    assert_eq!(world.snack(), Some(Message::FailedToSendTransaction));
}

#[test]
fn spec_9_17_a_receipt_that_does_not_come_in_180_s_is_told_as_pending() {
    let mut world = confirmed(alpha());
    world.advance(175_000);
    assert_eq!(pending(&world).len(), 1);
    world.advance(10_000);
    assert!(pending(&world).is_empty());
    assert!(world.node.bodies.iter().filter(|body| body.contains("eth_getTransactionReceipt")).count() >= 45);
}

#[test]
fn all_that_is_on_its_way_is_told_the_newest_first_and_each_leaves_once_when_it_is_mined() {
    let (first, second) = (format!("0x{}", "ab".repeat(32)), format!("0x{}", "cd".repeat(32)));
    let mut world = confirmed(alpha());
    send_another(&mut world, "0.25", &second);
    let told: Vec<_> = world.snapshot().send.pending.into_iter().map(|sent| (sent.amount, sent.symbol)).collect();
    assert_eq!(told, [("0.250".into(), "ETH".into()), ("1.500".into(), "ETH".into())]);
    assert_eq!(pending(&world), [second.as_str(), first.as_str()]);
    world.node.receipts.insert(first, true);
    world.advance(4_100);
    assert_eq!(pending(&world), [second.as_str()]);
    world.node.receipts.insert(second, true);
    world.advance(4_100);
    assert!(pending(&world).is_empty());
    world.advance(200_000);
    assert!(pending(&world).is_empty());
}

#[test]
fn spec_9_5_what_was_sent_to_another_account_of_the_wallet_is_seen_there_at_once() {
    let hash = format!("0x{}", "ab".repeat(32));
    let mut world = opened(alpha());
    let reads = |world: &World| {
        let of = |body: &&String| body.contains("eth_getBalance") && body.contains(RECEIVER);
        world.node.bodies.iter().filter(of).count()
    };
    world.wallet_shows(&[RECEIVER]);
    world.wallet_shows(&["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"]);
    send_another(&mut world, "1.5", &hash);
    assert_eq!((pending(&world).len(), reads(&world)), (1, 1));
    world.node.receipts.insert(hash, true);
    world.advance(4_100);
    world.wallet_shows(&[RECEIVER]);
    assert_eq!(reads(&world), 2);
}

#[test]
fn a_hash_that_the_wallet_tells_twice_or_in_capitals_is_one_transaction() {
    let mut world = confirmed(alpha());
    send_another(&mut world, "2", &format!("0x{}", "AB".repeat(32)));
    assert_eq!(pending(&world), [format!("0x{}", "ab".repeat(32))]);
}

#[test]
fn what_another_account_sent_is_not_on_the_way_of_this_one() {
    let mut world = confirmed(alpha());
    world.wallet_shows(&[RECEIVER]);
    assert!(pending(&world).is_empty());
}

#[test]
fn a_transaction_that_is_signed_after_the_chain_changed_is_still_told_and_followed() {
    let arguments = format!(r#"{{"amount":"2","to":"{RECEIVER}"}}"#);
    let mut world = opened_by_host(alpha().when(SEND, Behaviour::Late(5_000)), &arguments);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.wallet_switches(31338);
    assert_eq!(world.answer(9), None);
    world.advance(5_000);
    assert!(world.answer(9).unwrap().contains("hash"));
    assert!(world.event_names().contains(&"SEND_SUCCESS"));
    let url = world.snapshot().send.pending[0].url.clone();
    assert_eq!(url, Some(format!("https://scan-31337.example/tx/0x{}", "ab".repeat(32))));
    world.node.receipts.insert(format!("0x{}", "ab".repeat(32)), true);
    world.advance(4_500);
    assert!(pending(&world).is_empty());
}

#[test]
fn a_receipt_of_something_else_confirms_nothing() {
    for nonsense in [r#""lol""#, "7", "[]", r#"{"status":"0x1"}"#, r#"{"status":"0x1","transactionHash":"0x12"}"#] {
        let mut world = confirmed(alpha());
        world.advance(5_000);
        let hash = format!("0x{}", "ab".repeat(32));
        world.node.forged = Some(parse(nonsense).unwrap());
        world.advance(30_000);
        assert_ne!(world.snack(), Some(Message::TransactionConfirmed), "{nonsense}");
        world.node.forged = None;
        world.node.receipts.insert(hash, true);
    }
}

#[test]
fn a_wallet_that_names_the_transaction_of_another_account_is_no_success() {
    let mut world = confirmed(alpha());
    let hash = format!("0x{}", "ab".repeat(32));
    let receipt = |from: &str| format!(r#"{{"transactionHash":"{hash}","status":"0x1","from":"{from}"}}"#);
    let other = "0x00000000000000000000000000000000000000ee";
    world.node.forged = Some(parse(&receipt(other)).unwrap());
    let sent = format!(r#"{{"hash":"{hash}","from":"{other}","nonce":"0x7","to":"{RECEIVER}"}}"#);
    world.node.made_up = Some(("", "eth_getTransactionByHash", sent));
    world.advance(4_500);
    assert_eq!(world.snack(), Some(Message::TransactionForeign));
    let mut world = confirmed(alpha());
    world.node.forged = Some(parse(&receipt("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266")).unwrap());
    world.advance(4_500);
    assert_eq!(world.snapshot().send.sent.unwrap().receipt.state, SentState::Confirmed);
}

#[test]
fn a_wallet_that_names_an_older_payment_of_the_account_to_the_same_receiver_is_no_success() {
    for (nonce, state) in [("0x6", SentState::Lost), ("0x7", SentState::Confirmed)] {
        let mut world = opened(alpha());
        world.node.nonces = Some([7, 7]);
        let (hash, own) = (format!("0x{}", "ab".repeat(32)), "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266");
        let sent = format!(r#"{{"hash":"{hash}","from":"{own}","nonce":"{nonce}","to":"{RECEIVER}"}}"#);
        world.node.made_up = Some(("", "eth_getTransactionByHash", sent));
        world.node.receipts.insert(hash, true);
        fill(&mut world, "1.5", RECEIVER);
        world.dispatch(Event::Send(Send::ReviewAsked));
        world.dispatch(Event::Send(Send::ConfirmAsked));
        world.advance(1_000);
        assert_eq!(world.snapshot().send.sent.unwrap().receipt.state, state, "{nonce}");
        assert_eq!(world.snack() == Some(Message::TransactionForeign), state == SentState::Lost, "{nonce}");
    }
}

#[test]
fn spec_9_17_failed_looks_for_a_receipt_wait_longer_each_time() {
    let mut world = confirmed(alpha());
    world.node.status = Some(400);
    world.node.bodies.clear();
    world.advance(4_000 + 200 + 400 + 800 + 1_600 + 3_200 + 6_300);
    assert_eq!(pending(&world).len(), 1);
    world.advance(200);
    let looks = world.node.bodies.iter().filter(|body| body.contains("eth_getTransactionReceipt")).count();
    assert_eq!((pending(&world).len(), looks), (0, 7));
}
