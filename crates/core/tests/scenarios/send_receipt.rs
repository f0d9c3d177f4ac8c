//! What becomes of what was sent: it takes long, another takes its place, the page is left.

use crate::send::{RECEIVER, alpha, confirmed, snack};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::send::SentState;
use portico_testkit::World;

const PENDING: &str = "@portico/pending";

fn hash() -> String {
    format!("0x{}", "ab".repeat(32))
}

fn state(world: &World) -> SentState {
    world.snapshot().send.sent.unwrap().state
}

fn stored(world: &World) -> Option<String> {
    world.store.values.get(PENDING).cloned()
}

#[test]
fn spec_8_3_and_8_5_a_reverted_transaction_is_shown_as_failed() {
    let mut world = confirmed(alpha());
    world.node.receipts.insert(hash(), false);
    world.advance(4_100);
    assert_eq!((state(&world), snack(&world)), (SentState::Failed, Some(Message::FailedToSendTransaction)));
}

#[test]
fn a_transaction_whose_nonce_another_one_took_is_told_as_replaced() {
    let mut world = confirmed(alpha());
    world.node.nonces = Some([7, 7]);
    world.advance(8_100);
    assert_eq!(state(&world), SentState::Pending);
    world.node.nonces = Some([7, 8]);
    world.advance(8_000);
    assert_eq!((state(&world), snack(&world)), (SentState::Replaced, Some(Message::TransactionReplaced)));
    assert!(world.snapshot().send.pending.is_empty() && stored(&world).is_none());
}

#[test]
fn one_whose_receipt_is_a_block_late_is_not_taken_for_replaced() {
    let mut world = confirmed(alpha());
    world.node.nonces = Some([7, 7]);
    world.advance(4_100);
    world.node.nonces = Some([7, 8]);
    world.advance(4_000);
    world.node.receipts.insert(hash(), true);
    world.advance(4_000);
    assert_eq!((state(&world), snack(&world)), (SentState::Confirmed, Some(Message::TransactionConfirmed)));
}

#[test]
fn what_is_not_mined_in_a_minute_says_that_a_higher_fee_may_help() {
    let mut world = confirmed(alpha());
    world.advance(59_000);
    assert!(!world.snapshot().send.pending[0].slow && !world.snapshot().send.sent.unwrap().slow);
    world.advance(5_000);
    assert!(world.snapshot().send.pending[0].slow && world.snapshot().send.sent.unwrap().slow);
}

#[test]
fn spec_9_17_what_is_not_mined_in_three_minutes_is_given_up_and_shown_so() {
    let mut world = confirmed(alpha());
    world.advance(181_000);
    assert_eq!((state(&world), snack(&world)), (SentState::Lost, Some(Message::TransactionPending)));
}

#[test]
fn the_view_says_what_was_sent_to_whom_and_is_forgotten_once_left() {
    let mut world = confirmed(alpha());
    let sent = world.snapshot().send.sent.unwrap();
    assert_eq!((sent.amount.as_str(), sent.symbol.as_str(), sent.receiver.as_str()), ("1.5", "ETH", RECEIVER));
    assert_eq!(sent.url, Some(format!("https://scan-31337.example/tx/{}", hash())));
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, world.snapshot().send.sent), (View::Account, None));
}

#[test]
fn stored_nonsense_follows_nothing() {
    let one = |hash: &str, chain: &str, amount: &str, since: u64| {
        format!(
            r#"[{{"hash":"{hash}","chain":"{chain}","address":"0x1","amount":"{amount}","symbol":"ETH","since":{since}}}]"#
        )
    };
    let now = 1_700_000_000_000;
    for text in [
        "".to_owned(),
        "[]".into(),
        "{}".into(),
        "[7]".into(),
        one("0x12", "eip155:31337", "1", now),
        one(&hash(), "eip155:999", "1", now),
        one(&hash(), "nonsense", "1", now),
        one(&hash(), "eip155:31337", "1e3", now),
        one(&hash(), "eip155:31337", "1", now + 60_000),
        one(&hash(), "eip155:31337", "1", now - 90_000_000),
    ] {
        let mut world = confirmed(alpha());
        world.store.values.insert(PENDING.into(), text.clone());
        world.node.bodies.clear();
        world.reload();
        world.advance(100);
        assert!(world.snapshot().send.pending.is_empty(), "{text}");
        assert!(!world.node.bodies.iter().any(|body| body.contains("Receipt")), "{text}");
    }
}

#[test]
fn no_more_is_read_back_than_is_followed() {
    let mut world = confirmed(alpha());
    let one = |number: usize| {
        format!(
            r#"{{"hash":"0x{number:064x}","chain":"eip155:31337","address":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","amount":"1","symbol":"ETH","since":1700000000000}}"#
        )
    };
    let many: Vec<String> = (0..1_000).map(one).collect();
    world.store.values.insert(PENDING.into(), format!("[{}]", many.join(",")));
    world.reload();
    assert_eq!(world.snapshot().send.pending.len(), 8);
}

#[test]
fn what_is_on_its_way_is_followed_after_a_reload_until_it_is_mined() {
    let mut world = confirmed(alpha());
    world.advance(5_000);
    assert!(stored(&world).is_some_and(|text| text.contains(&hash())));
    world.reload();
    let told: Vec<_> = world.snapshot().send.pending.into_iter().map(|sent| (sent.hash, sent.amount)).collect();
    assert_eq!(told, [(hash(), "1.500".to_owned())]);
    world.node.receipts.insert(hash(), true);
    world.advance(4_100);
    assert_eq!(snack(&world), Some(Message::TransactionConfirmed));
    assert!(world.snapshot().send.pending.is_empty() && stored(&world).is_none());
}
