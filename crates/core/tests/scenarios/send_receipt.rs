//! Scenarios of a sent transaction's outcome: it takes long, another one replaces it, the page is left.

use crate::send::{OWN, RECEIVER, alpha, confirmed, opened, send_another};
use portico_core::Event;
use portico_core::account::Event as Account;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::send::SentState;
use portico_json::parse;
use portico_testkit::{Store, World};

const PENDING: &str = "@portico/pending/";

fn hash() -> String {
    format!("0x{}", "ab".repeat(32))
}

fn state(world: &World) -> SentState {
    world.snapshot().send.sent.unwrap().receipt.state
}

/// Hashes stored for later pages.
fn stored(world: &World) -> Vec<String> {
    world.store.values.keys().filter_map(|key| key.strip_prefix(PENDING)).map(String::from).collect()
}

fn key(hash: &str) -> String {
    [PENDING, hash].concat()
}

#[test]
fn spec_8_3_and_8_5_a_reverted_transaction_is_shown_as_failed() {
    let mut world = confirmed(alpha());
    world.node.receipts.insert(hash(), false);
    world.advance(4_100);
    assert_eq!((state(&world), world.snack()), (SentState::Failed, Some(Message::FailedToSendTransaction)));
}

#[test]
fn a_transaction_whose_nonce_another_one_took_is_told_as_replaced() {
    let mut world = confirmed(alpha());
    world.node.nonces = Some([7, 7]);
    world.advance(8_100);
    assert_eq!(state(&world), SentState::Pending);
    world.node.nonces = Some([7, 8]);
    world.advance(8_000);
    assert_eq!((state(&world), world.snack()), (SentState::Replaced, Some(Message::TransactionReplaced)));
    assert!(world.snapshot().send.pending.is_empty() && stored(&world).is_empty());
    // The replacement is unknown, so the link leads to the account's transactions.
    let sent = world.snapshot().send.sent.unwrap().receipt;
    assert_eq!((sent.replaced_by, sent.url), (None, Some(format!("https://scan-31337.example/address/{OWN}"))));
}

/// World in which the sent transaction is replaced by one in this block.
fn replaced_by(transaction: &str) -> World {
    let mut world = confirmed(alpha());
    world.node.nonces = Some([7, 7]);
    world.advance(4_100);
    world.node.nonces = Some([7, 8]);
    let other = r#"{"from":"0x1","nonce":"0x7","hash":"0x1"}"#;
    let block = format!(r#"[7,null,{{}},{other},{transaction}]"#);
    world.node.mined = Some((0x100, parse(&block).unwrap().as_list().unwrap().to_vec()));
    world
}

/// Transaction of the account as JSON.
fn transaction(nonce: &str, to: &str, value: &str, input: &str) -> String {
    let (from, hash) = (OWN.to_lowercase(), other());
    format!(r#"{{"hash":"{hash}","from":"{from}","nonce":"{nonce}","to":"{to}","value":"{value}","input":"{input}"}}"#)
}

fn other() -> String {
    format!("0x{}", "cd".repeat(32))
}

#[test]
fn one_that_the_wallet_sent_again_with_a_higher_fee_is_followed_under_its_new_hash() {
    for (well, expected, message) in
        [(true, SentState::Confirmed, None), (false, SentState::Failed, Some(Message::FailedToSendTransaction))]
    {
        let mut world = replaced_by(&transaction("0x7", RECEIVER, "0x14d1120d7b160000", "0x"));
        world.node.receipts.insert(other(), well);
        world.advance(8_000);
        assert_eq!((state(&world), world.snack()), (expected, message));
        let sent = world.snapshot().send.sent.unwrap().receipt;
        let url = format!("https://scan-31337.example/tx/{}", other());
        assert_eq!((sent.replaced_by, sent.url), (Some(other()), Some(url)));
        assert!(stored(&world).is_empty() && world.snapshot().send.pending.is_empty());
    }
}

#[test]
fn one_that_the_wallet_cancelled_or_that_does_something_else_is_told_as_replaced_and_leads_to_what_took_its_place() {
    for transaction in [
        transaction("0x7", OWN, "0x0", "0x"),
        transaction("0x7", RECEIVER, "0x1", "0x"),
        transaction("0x7", RECEIVER, "0x14d1120d7b160000", "0x12"),
        format!(r#"{{"hash":"{}","from":"{OWN}","nonce":"0x7"}}"#, other()),
    ] {
        let mut world = replaced_by(&transaction);
        world.node.receipts.insert(other(), true);
        world.advance(8_000);
        assert_eq!((state(&world), world.snack()), (SentState::Replaced, Some(Message::TransactionReplaced)));
        let sent = world.snapshot().send.sent.unwrap().receipt;
        assert_eq!(sent.url, Some(format!("https://scan-31337.example/tx/{}", other())), "{transaction}");
    }
}

#[test]
fn what_cannot_be_found_or_is_nonsense_leads_to_the_account() {
    for transaction in [
        transaction("0x6", RECEIVER, "0x14d1120d7b160000", "0x"),
        transaction("0x7", RECEIVER, "0x14d1120d7b160000", "0x").replace(&other(), "0x12"),
        transaction("seven", RECEIVER, "0x14d1120d7b160000", "0x"),
        transaction("0x7", RECEIVER, "0x14d1120d7b160000", "0x").replace(&OWN.to_lowercase(), RECEIVER),
        "null".into(),
    ] {
        let mut world = replaced_by(&transaction);
        world.advance(8_000);
        let sent = world.snapshot().send.sent.unwrap().receipt;
        let url = format!("https://scan-31337.example/address/{OWN}");
        assert_eq!((sent.state, sent.url), (SentState::Replaced, Some(url)), "{transaction}");
    }
}

#[test]
fn one_that_was_replaced_while_the_page_was_left_is_found_by_what_was_known_of_it() {
    let mut world = replaced_by(&transaction("0x7", RECEIVER, "0x14d1120d7b160000", "0x"));
    world.node.receipts.insert(other(), true);
    world.reload();
    world.advance(4_100);
    assert!(world.snapshot().send.pending.is_empty() && stored(&world).is_empty());
    assert_eq!(world.snack(), Some(Message::TransactionConfirmed));
}

#[test]
fn what_becomes_known_of_one_that_another_tab_removed_does_not_bring_it_back() {
    let mut world = confirmed(alpha());
    world.store.values.remove(&key(&hash()));
    world.node.nonces = Some([7, 7]);
    world.advance(8_100);
    assert_eq!((state(&world), stored(&world).len()), (SentState::Pending, 0));
}

#[test]
fn one_that_stands_in_a_block_while_its_receipt_is_late_is_waited_for() {
    let own = transaction("0x7", RECEIVER, "0x14d1120d7b160000", "0x").replace(&other(), &hash());
    let mut world = replaced_by(&own);
    world.advance(10_000);
    assert_eq!(state(&world), SentState::Pending);
    world.node.receipts.insert(hash(), true);
    world.advance(4_000);
    assert_eq!((state(&world), world.snack()), (SentState::Confirmed, None));
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
    assert_eq!((state(&world), world.snack()), (SentState::Confirmed, None));
}

#[test]
fn what_is_not_mined_in_a_minute_says_that_a_higher_fee_may_help() {
    let mut world = confirmed(alpha());
    world.advance(59_000);
    assert!(!world.snapshot().send.pending[0].slow && !world.snapshot().send.sent.unwrap().receipt.slow);
    world.advance(5_000);
    assert!(world.snapshot().send.pending[0].slow && world.snapshot().send.sent.unwrap().receipt.slow);
}

#[test]
fn spec_9_17_what_is_not_mined_in_three_minutes_is_given_up_and_shown_so() {
    let mut world = confirmed(alpha());
    world.advance(181_000);
    assert_eq!((state(&world), world.snack()), (SentState::Lost, Some(Message::TransactionPending)));
}

#[test]
fn the_view_says_what_was_sent_to_whom_and_is_forgotten_once_left() {
    let mut world = confirmed(alpha());
    let sent = world.snapshot().send.sent.unwrap();
    assert_eq!((sent.amount.as_str(), sent.symbol.as_str(), sent.receiver.as_str()), ("1.5", "ETH", RECEIVER));
    assert_eq!(sent.receipt.url, Some(format!("https://scan-31337.example/tx/{}", hash())));
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, world.snapshot().send.sent), (View::Account, None));
}

#[test]
fn the_receipt_has_the_hash_to_copy_the_network_and_the_time() {
    let mut world = confirmed(alpha());
    let now = world.now;
    world.advance(1_000);
    let receipt = world.snapshot().send.sent.unwrap().receipt;
    assert_eq!((receipt.hash, receipt.hash_short.as_deref()), (Some(hash()), Some("0xab…ababab")));
    assert_eq!((receipt.network_name.as_deref(), receipt.since), (Some("Anvil One"), now));
    assert_eq!((receipt.fee, receipt.fee_symbol.as_str()), (None, "ETH"));
    let said = world.snack();
    world.dispatch(Event::Account(Account::TextCopyAsked { text: hash() }));
    assert_eq!((world.clipboard.clone(), world.snapshot().copied), (vec![hash()], Some(hash())));
    // The button has a tick: a message would say it twice.
    assert_eq!(world.snack(), said);
    world.clipboard_works = false;
    world.dispatch(Event::Account(Account::TextCopyAsked { text: hash() }));
    world.advance(150);
    assert_eq!(world.snack(), Some(Message::CopyFailed));
}

#[test]
fn the_receipt_tells_the_fee_that_the_account_paid_and_none_that_it_did_not() {
    let gas = r#""gasUsed":"0x5208","effectiveGasPrice":"0x3b9aca00""#;
    for (fields, fee) in [
        (format!(r#""from":"{OWN}","to":"{RECEIVER}",{gas}"#), Some("0.000021")),
        (format!(r#""from":"{OWN}","to":"{RECEIVER}",{gas},"l1Fee":"0x3b9aca00""#), Some("0.000021001")),
        (format!(r#""from":"{OWN}","to":"{RECEIVER}",{gas},"l1Fee":7"#), None),
        (format!(r#""from":"{OWN}","to":"{RECEIVER}","gasUsed":"0x5208""#), None),
        (format!(r#""from":"{OWN}","to":"{RECEIVER}","gasUsed":7,"effectiveGasPrice":"0x1""#), None),
        (format!(r#""to":"{RECEIVER}",{gas}"#), None),
    ] {
        let mut world = confirmed(alpha());
        let receipt = format!(r#"{{"transactionHash":"{}","status":"0x1",{fields}}}"#, hash());
        world.node.forged = Some(parse(&receipt).unwrap());
        world.advance(4_100);
        assert_eq!(state(&world), SentState::Confirmed, "{fields}");
        assert_eq!(world.snapshot().send.sent.unwrap().receipt.fee.as_deref(), fee, "{fields}");
    }
}

#[test]
fn stored_nonsense_follows_nothing_and_is_removed() {
    let one = |chain: &str, amount: &str, since: u64| {
        format!(r#"{{"chain":"{chain}","address":"0x1","amount":"{amount}","symbol":"ETH","since":{since}}}"#)
    };
    let now = 1_700_000_000_000;
    let good = one("eip155:31337", "1", now);
    for (hash, text) in [
        (hash(), String::new()),
        (hash(), "[]".into()),
        (hash(), "{}".into()),
        (hash(), ["[", &good, "]"].concat()),
        ("0x12".into(), good.clone()),
        (String::new(), good),
        (hash(), one("nonsense", "1", now)),
        (hash(), one("eip155:31337", "1e3", now)),
        (hash(), one("eip155:31337", "1", now + 90_000_000)),
        (hash(), one("eip155:31337", "1", now - 90_000_000)),
    ] {
        let mut world = confirmed(alpha());
        world.store.values.retain(|key, _| !key.starts_with(PENDING));
        world.store.values.insert(key(&hash), text.clone());
        world.node.bodies.clear();
        world.reload();
        world.advance(100);
        assert!(world.snapshot().send.pending.is_empty(), "{text}");
        assert!(!world.node.bodies.iter().any(|body| body.contains("Receipt")), "{text}");
        assert!(stored(&world).is_empty(), "{text}");
    }
}

fn one_of(number: u64) -> (String, String) {
    let text = format!(
        r#"{{"chain":"eip155:31337","address":"{OWN}","amount":"{number}","symbol":"ETH","since":{}}}"#,
        1_700_000_000_000 - 1_000 + number
    );
    (format!("{PENDING}0x{number:064x}"), text)
}

#[test]
fn no_more_is_read_back_than_is_followed_and_these_are_the_newest() {
    let mut world = confirmed(alpha());
    world.store.values.retain(|key, _| !key.starts_with(PENDING));
    world.store.values.extend((0..1_000).map(one_of));
    world.reload();
    let told: Vec<_> = world.snapshot().send.pending.into_iter().map(|sent| sent.amount).collect();
    assert_eq!(told, (992..1_000).rev().map(|number| format!("{number}.000")).collect::<Vec<_>>());
}

#[test]
fn what_was_sent_on_a_chain_that_this_page_does_not_serve_stays_for_one_that_does() {
    let mut world = confirmed(alpha());
    let other = one_of(1).1.replace("31337", "999");
    world.store.values.retain(|key, _| !key.starts_with(PENDING));
    world.store.values.insert(key(&hash()), other);
    world.reload();
    assert!(world.snapshot().send.pending.is_empty());
    assert_eq!(stored(&world), [hash()]);
}

#[test]
fn what_is_on_its_way_is_followed_after_a_reload_until_it_is_mined() {
    let mut world = confirmed(alpha());
    world.advance(5_000);
    assert_eq!(stored(&world), [hash()]);
    world.reload();
    let told: Vec<_> = world.snapshot().send.pending.into_iter().map(|sent| (sent.hash, sent.amount)).collect();
    assert_eq!(told, [(hash(), "1.500".to_owned())]);
    world.node.receipts.insert(hash(), true);
    world.advance(4_100);
    assert_eq!(world.snack(), Some(Message::TransactionConfirmed));
    assert!(world.snapshot().send.pending.is_empty() && stored(&world).is_empty());
}

#[test]
fn a_tab_whose_clock_is_behind_follows_what_another_one_sent_just_now() {
    let mut world = confirmed(alpha());
    let (key, text) = one_of(31_000);
    world.store.values.insert(key, text);
    world.reload();
    assert_eq!(world.snapshot().send.pending.len(), 2);
}

/// Runs an action in one of two tabs that share a storage.
fn in_tab(tab: &mut World, store: &mut Store, act: impl FnOnce(&mut World)) {
    std::mem::swap(&mut tab.store, store);
    act(tab);
    std::mem::swap(&mut tab.store, store);
}

fn sends(hash: String) -> impl FnOnce(&mut World) {
    move |tab| send_another(tab, "1", &hash)
}

fn kept(store: &Store) -> Vec<&str> {
    store.values.keys().filter_map(|key| key.strip_prefix(PENDING)).collect()
}

#[test]
fn two_tabs_keep_what_each_of_them_sent() {
    let mut store = Store::default();
    let (mut one, mut two) = (opened(alpha()), opened(alpha()));
    let third = format!("0x{}", "12".repeat(32));
    in_tab(&mut one, &mut store, sends(hash()));
    in_tab(&mut two, &mut store, sends(other()));
    in_tab(&mut one, &mut store, sends(third.clone()));
    assert_eq!(kept(&store), [&third, &hash(), &other()]);
}

#[test]
fn what_one_tab_has_seen_mined_another_one_does_not_bring_back() {
    let (mut one, mut two) = (opened(alpha()), opened(alpha()));
    let mut store = one.store.clone();
    in_tab(&mut one, &mut store, sends(hash()));
    // The second tab follows the transaction that the first one sent.
    in_tab(&mut two, &mut store, World::reload);
    assert_eq!(two.snapshot().send.pending.len(), 1);
    one.node.receipts.insert(hash(), true);
    in_tab(&mut one, &mut store, |tab| tab.advance(4_100));
    assert_eq!(kept(&store), [""; 0]);
    in_tab(&mut two, &mut store, |tab| {
        tab.open(None);
        send_another(tab, "1", &other());
        tab.advance(20_000);
    });
    assert_eq!(kept(&store), [&other()]);
}
