//! Receivers: paid for the first time, or easily mistaken for one that was paid before. Spenders: let take tokens for the first time.

use crate::transaction::{batch, chain, row, send, view_of, word};
use crate::world::{OTHER, OWN, World};
use portico_frame_core::{ApprovalView, FailureKind, Flag, Operation, Outcome, RowLabel, Stage};
use portico_json::Value;

/// Begins and ends like [`OTHER`], and is another one.
const ALIKE: &str = "0x7099000000000000000000000000000000dc79C8";
const STRANGER: &str = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

/// Approval of a payment by an account with these stored payments.
fn paying(fields: &str, paid: &[String]) -> ApprovalView {
    let mut world = World::logged_in();
    world.paid = paid.to_vec();
    world.rpc("eth_sendTransaction", &format!(r#"[{{"from":"{OWN}",{fields}}}]"#));
    world.answer(&batch(&chain()));
    world.approval().unwrap()
}

fn coins(to: &str, value: &str) -> String {
    format!(r#""to":"{}","value":"{value}""#, to.to_lowercase())
}

fn stored(chain: u64, to: &str) -> String {
    format!("{chain}:{}", to.to_lowercase())
}

fn transfer(to: &str, amount: &str) -> String {
    format!(r#""to":"{STRANGER}","data":"0xa9059cbb{}{}""#, word(to), word(amount))
}

#[test]
fn an_address_that_was_never_paid_here_is_told() {
    let view = paying(&coins(STRANGER, "0x1"), &[stored(1, OTHER)]);
    assert_eq!((view.flags, view.blocked), (vec![Flag::FirstSeen], false));
    // Known on another chain is not known here: a contract's address is somebody else's there.
    assert_eq!(paying(&coins(OTHER, "0x1"), &[stored(10, OTHER)]).flags, [Flag::FirstSeen]);
    assert_eq!(paying(&coins(OTHER, "0x1"), &[stored(1, OTHER)]).flags, []);
}

#[test]
fn an_address_that_looks_like_a_paid_one_names_it() {
    for paid in [stored(1, OTHER), stored(10, OTHER)] {
        let view = paying(&coins(ALIKE, "0x1"), &[paid]);
        assert_eq!(view.flags, [Flag::LookAlike]);
        assert_eq!(row(&view, RowLabel::PaidBefore).as_deref(), Some(OTHER));
    }
    let view = paying(&coins(ALIKE, "0x1"), &[stored(1, OTHER), stored(1, ALIKE)]);
    assert_eq!((view.flags.as_slice(), row(&view, RowLabel::PaidBefore)), (&[][..], None), "the visitor paid both");
}

#[test]
fn the_receiver_of_tokens_counts_and_not_their_contract() {
    let flags = |to: &str| paying(&transfer(to, "01"), &[stored(1, OTHER)]).flags;
    assert!(!flags(OTHER).contains(&Flag::FirstSeen) && flags(STRANGER).contains(&Flag::FirstSeen));
    assert!(flags(ALIKE).contains(&Flag::LookAlike));
}

#[test]
fn a_payment_to_the_own_account_and_a_call_pay_nobody() {
    let view = paying(&coins(OWN, "0x1"), &[]);
    assert_eq!(view.flags, []);
    let view = view_of(&format!(r#""to":"{STRANGER}","data":"0x01020304""#), &chain());
    assert!(!view.flags.contains(&Flag::FirstSeen), "{:?}", view.flags);
}

#[test]
fn what_is_signed_is_remembered_and_what_pays_nothing_is_not() {
    let mut world = World::logged_in();
    world.paid.clear();
    let mut pay = |fields: &str| {
        world.rpc("eth_sendTransaction", &format!(r#"[{{"from":"{OWN}",{fields}}}]"#));
        world.answer(&batch(&chain()));
        let flags = world.approval().unwrap().flags;
        world.approve();
        assert!(matches!(world.only().operation, Operation::Sign { .. }));
        flags
    };
    assert_eq!(pay(&coins(STRANGER, "0x0")), [Flag::FirstSeen]);
    assert_eq!(world.paid, [""; 0], "not signed yet");
    let signed = |fields: &str| {
        let mut world = send(fields);
        world.paid.clear();
        world.answer(&batch(&chain()));
        world.approve();
        let effect = world.only();
        world.resolve(effect.id, Outcome::Answered { value: Value::Text("0x02c0".into()) });
        world.paid
    };
    assert_eq!(signed(&coins(STRANGER, "0x0")), [""; 0], "an impostor could be paid nothing first");
    assert_eq!(signed(&transfer(OTHER, "00")), [""; 0]);
    assert_eq!(signed(&coins(STRANGER, "0x1")), [stored(1, STRANGER)]);
    assert_eq!(signed(&transfer(ALIKE, "01")), [stored(1, ALIKE)]);
}

#[test]
fn nothing_is_decided_before_the_worker_has_told_and_without_storage_every_receiver_is_new() {
    let mut world = World::logged_in();
    world.holds_paid = true;
    world.rpc("eth_sendTransaction", &format!(r#"[{{"from":"{OWN}",{}}}]"#, coins(OTHER, "0x1")));
    let read = world.ordered.remove(0);
    assert_eq!(read.operation, Operation::ReadPaid { address: OWN.into() });
    world.answer(&batch(&chain()));
    assert_eq!(world.approval().unwrap().stage, Stage::Preparing);
    world.resolve(read.id, Outcome::Failed { kind: FailureKind::NoStorage, message: String::new() });
    let view = world.approval().unwrap();
    assert_eq!((view.stage, view.flags), (Stage::Ready, vec![Flag::FirstSeen]));
}

#[test]
fn stored_entries_of_another_form_are_left_out() {
    let forged = ["", "1", "1:", "x:0x7099", ":0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "1:0x7099"];
    let paid: Vec<String> = forged.iter().map(|entry| (*entry).into()).chain([stored(1, OTHER)]).collect();
    assert_eq!(paying(&coins(OTHER, "0x1"), &paid).flags, []);
}

const TOKEN: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

fn spender(chain: u64, to: &str) -> String {
    format!("spender:{}", stored(chain, to))
}

/// A call of a token contract.
fn token_call(selector: &str, first: &str, second: &str) -> String {
    format!(r#""to":"{TOKEN}","data":"0x{selector}{}{}""#, word(first), word(second))
}

#[test]
fn a_spender_who_was_never_let_take_tokens_here_is_told() {
    let approve = |to: &str| token_call("095ea7b3", to, "01");
    for call in [approve(OTHER), token_call("39509351", OTHER, "01"), token_call("a22cb465", OTHER, "01")] {
        let first = |paid: &[String]| paying(&call, paid).flags.contains(&Flag::FirstSpender);
        assert!(first(&[]), "{call}");
        assert!(first(&[stored(1, OTHER)]), "who was paid takes nothing");
        assert!(first(&[spender(10, OTHER)]), "another chain");
        assert!(!first(&[spender(1, OTHER)]), "{call}");
    }
    for end in [token_call("095ea7b3", OTHER, "00"), token_call("a22cb465", OTHER, "00")] {
        assert!(!paying(&end, &[]).flags.contains(&Flag::FirstSpender), "{end}");
    }
    assert_eq!(paying(&coins(OTHER, "0x1"), &[spender(1, OTHER)]).flags, [Flag::FirstSeen], "a spender was not paid");
}

#[test]
fn a_spender_is_remembered_once_the_approval_is_signed() {
    let mut world = send(&token_call("095ea7b3", STRANGER, "01"));
    world.paid.clear();
    world.answer(&batch(&chain()));
    world.approve();
    assert_eq!(world.paid, [""; 0]);
    let effect = world.only();
    world.resolve(effect.id, Outcome::Answered { value: Value::Text("0x02c0".into()) });
    assert_eq!(world.paid, [spender(1, STRANGER)]);
}

fn permit(world: &mut World) {
    let types = r#""Permit":[{"name":"owner","type":"address"},{"name":"spender","type":"address"},{"name":"value","type":"uint256"},{"name":"nonce","type":"uint256"},{"name":"deadline","type":"uint256"}]"#;
    let message = format!(r#"{{"owner":"{OWN}","spender":"{OTHER}","value":"1","nonce":"0","deadline":"1900000000"}}"#);
    let data = format!(
        r#"{{"types":{{"EIP712Domain":[],{types}}},"primaryType":"Permit","domain":{{"name":"USD Coin","chainId":1,"verifyingContract":"{TOKEN}"}},"message":{message}}}"#
    );
    world.rpc("eth_signTypedData_v4", &format!(r#"["{OWN}",{data}]"#));
}

#[test]
fn a_permit_waits_for_what_the_worker_knows_of_its_spender() {
    let mut world = World::logged_in();
    world.holds_paid = true;
    permit(&mut world);
    assert_eq!(world.approval().unwrap().stage, Stage::Preparing);
    world.approve();
    let read = world.only();
    assert_eq!(read.operation, Operation::ReadPaid { address: OWN.into() }, "and nothing was signed");
    world.resolve(read.id, Outcome::Failed { kind: FailureKind::NoStorage, message: String::new() });
    let view = world.approval().unwrap();
    assert_eq!((view.stage, view.flags), (Stage::Ready, vec![Flag::Permit, Flag::FirstSpender]));
    world.approve();
    let effect = world.only();
    world.paid.clear();
    world.resolve(effect.id, Outcome::Answered { value: Value::Text("0x01".into()) });
    assert_eq!(world.paid, [spender(1, OTHER)]);
    world.holds_paid = false;
    permit(&mut world);
    assert_eq!(world.approval().unwrap().flags, [Flag::Permit]);
}
