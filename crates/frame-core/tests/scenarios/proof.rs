//! Proof beside the click on Approve, a passkey or a password: for each signature in strict mode, and for a large value.

use crate::settings::{account, choose, concealed, go_on, opened, page, slot, view};
use crate::solana::{FINE, foreseen};
use crate::solana_bytes::{TRANSFER, UNKNOWN};
use crate::transaction::{batch, chain, send, view_of, word};
use crate::world::{MAIN, OTHER, OWN, World};
use portico_encoding::base64::{self, Spelling};
use portico_frame_core::{Act, ApprovalView, Event, FailureKind, Flag, Operation, Outcome, Page, Proof, Stage};

const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

fn passkey() -> String {
    slot("p", "passkey", r#""{\"credential\":\"AAAA\",\"salt\":\"BBBB\",\"key\":\"CCCC\"}""#)
}

fn password() -> String {
    slot("w", "password", "null")
}

/// World whose visitor wants to prove each signature or not, with these ways, and with a message to sign.
fn asking(strict: bool, ways: &[String]) -> World {
    let mut world = World::logged_in();
    world.strict = strict;
    world.me = account(ways);
    world.rpc("personal_sign", &format!(r#"["0x6869","{OWN}"]"#));
    world
}

/// Proof of the signature that is ordered.
fn proof(world: &mut World) -> Proof {
    match world.only().operation {
        Operation::Sign { proof, .. } => proof,
        other => panic!("{other:?}"),
    }
}

fn is_passkey(proof: &Proof) -> bool {
    matches!(proof, Proof::Passkey { passkeys } if passkeys.len() == 1 && passkeys[0].credential == "AAAA")
}

/// How the approval is confirmed at another place.
fn confirm(world: &mut World) -> Option<String> {
    world.approval().unwrap().confirm.map(|confirm| format!("{confirm:?}"))
}

#[test]
fn without_strict_mode_a_click_is_enough_for_a_small_request() {
    let mut world = asking(false, &[passkey(), password()]);
    world.approve();
    assert_eq!(proof(&mut world), Proof::Click);
}

#[test]
fn in_strict_mode_each_signature_asks_for_the_passkey_and_a_failure_leaves_the_request_to_try_again() {
    let mut world = asking(true, &[passkey(), password()]);
    world.approve();
    let effect = world.only();
    assert!(matches!(&effect.operation, Operation::Sign { proof, .. } if is_passkey(proof)));
    assert_eq!(world.approval().unwrap().stage, Stage::Signing);
    let message = "The passkey wasn't used. Try again.";
    let failed = Outcome::Failed { kind: FailureKind::Unproved, message: message.into() };
    world.resolve(effect.id, failed);
    let view = world.approval().unwrap();
    assert_eq!((view.stage, view.armed, view.fault.as_deref()), (Stage::Ready, false, Some(message)));
    assert!(world.take().is_empty(), "the host waits");
    world.approve();
    assert!(is_passkey(&proof(&mut world)));
    assert_eq!(world.approval().unwrap().fault, None);
}

#[test]
fn in_strict_mode_without_a_passkey_the_password_is_typed_at_another_place() {
    let mut world = asking(true, &[password()]);
    world.approve();
    assert!(world.ordered.is_empty());
    assert_eq!(confirm(&mut world).as_deref(), Some("Password"));
    assert!(!world.is_armed(), "the other place has to stand still for a second too");
    world.approve();
    assert_eq!(proof(&mut world), Proof::Password);
}

#[test]
fn a_wallet_that_lost_its_ways_to_prove_signs_by_a_click() {
    let mut world = asking(true, &[]);
    world.approve();
    assert_eq!(proof(&mut world), Proof::Click);
}

#[test]
fn approve_waits_until_it_is_known_what_the_visitor_has_to_give() {
    for strict in [true, false] {
        let mut world = World::logged_in();
        (world.strict, world.holds_me) = (strict, true);
        world.rpc("personal_sign", &format!(r#"["0x6869","{OWN}"]"#));
        let view = world.approval().unwrap();
        world.event(Event::ApprovalPainted { approval: view.number, revision: view.revision });
        world.pass(1_000);
        assert_eq!(world.is_armed(), !strict);
        world.answer(&account(&[passkey()]));
        assert!(world.is_armed());
        world.event(Event::Approved { approval: view.number, revision: view.revision });
        assert_eq!(is_passkey(&proof(&mut world)), strict);
    }
}

#[test]
fn a_large_payment_is_confirmed_at_another_place_and_by_the_passkey_where_there_is_one() {
    for (ways, with_passkey) in [(vec![], false), (vec![password()], false), (vec![passkey()], true)] {
        let mut world = World::logged_in();
        world.me = account(&ways);
        world.rpc("eth_sendTransaction", &payment("3782dace9d90000"));
        world.answer(&batch(&chain()));
        let first = world.approval().unwrap();
        assert_eq!((first.flags.as_slice(), first.confirm), (&[Flag::Large][..], None));
        world.approve();
        assert!(world.ordered.is_empty(), "one click signs nothing");
        assert_eq!(confirm(&mut world).as_deref(), Some("Click"));
        world.event(Event::Approved { approval: first.number, revision: first.revision });
        assert!(world.ordered.is_empty(), "nor does the same click twice");
        world.approve();
        let given = proof(&mut world);
        assert!(if with_passkey { is_passkey(&given) } else { given == Proof::Click }, "{ways:?} {given:?}");
    }
}

/// Payment of wei, given in hex.
fn payment(wei: &str) -> String {
    format!(r#"[{{"from":"{OWN}","to":"{OTHER}","value":"0x{wei}"}}]"#)
}

fn is_large(view: &ApprovalView) -> bool {
    view.flags.contains(&Flag::Large)
}

#[test]
fn what_is_large_is_decided_by_the_bytes_and_the_table_of_the_frame() {
    let token = |selector: &str, words: &[&str]| {
        let words: String = words.iter().map(|text| word(text)).collect();
        let mut answers = chain();
        // A node that tells other decimals changes nothing.
        answers[9] = format!(r#""result":"0x{}""#, word("12"));
        is_large(&view_of(&format!(r#""to":"{USDC}","data":"0x{selector}{words}""#), &answers))
    };
    let coins = |wei: &str| is_large(&view_of(&format!(r#""to":"{OTHER}","value":"0x{wei}""#), &chain()));
    assert!(coins("3782dace9d90000") && !coins("3782dace9d8ffff"), "a quarter of an ether");
    let (most, below) = ("3b9aca00", "3b9ac9ff");
    for selector in ["a9059cbb", "095ea7b3"] {
        assert!(token(selector, &[OTHER, most]) && !token(selector, &[OTHER, below]), "a thousand dollars");
    }
    assert!(token("095ea7b3", &[OTHER, &"f".repeat(64)]), "any amount of them");
    // A token that the table does not have.
    let data = format!("0xa9059cbb{}{}", word(OTHER), word(&"f".repeat(32)));
    assert!(!is_large(&view_of(&format!(r#""to":"{OTHER}","data":"{data}""#), &chain())));
}

#[test]
fn a_coin_without_a_limit_is_large_by_its_share_of_the_balance() {
    let shown = |wei: &str| {
        let mut world = World::logged_in();
        let call = format!(r#"{{"method":"eth_sendTransaction","chainId":"0x7a69","params":{}}}"#, payment(wei));
        world.host("RPC_REQUEST", &call);
        let mut answers = chain();
        answers[0] = r#""result":"0x7a69""#.into();
        world.answer(&batch(&answers));
        is_large(&world.approval().unwrap())
    };
    assert!(shown("6f05b59d3b20000") && !shown("6f05b59d3b1ffff"), "half of an ether");
}

#[test]
fn what_a_simulation_expects_to_leave_is_large_too() {
    let transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    let flags = |amount: &str| {
        let mut world = send(&format!(r#""to":"{OTHER}","data":"0x01020304""#));
        let mut answers = chain();
        answers[8] = format!(
            r#""result":[{{"calls":[{{"status":"0x1","logs":[{{"address":"{USDC}","topics":["{transfer}","0x{}","0x{}"],"data":"0x{}"}}]}}]}}]"#,
            word(OWN),
            word(OTHER),
            word(amount)
        );
        world.answer(&batch(&answers));
        world.fail(FailureKind::Unreachable, "");
        is_large(&world.approval().unwrap())
    };
    assert!(flags("3b9aca00") && !flags("3b9ac9ff"));
}

#[test]
fn a_fee_of_the_host_that_is_large_is_confirmed_twice() {
    let fields = |gwei: u64| {
        let price = gwei * 1_000_000_000;
        format!(
            r#""to":"{OTHER}","value":"0x1","gas":"0x61a8","maxFeePerGas":"0x{price:x}","maxPriorityFeePerGas":"0x1""#
        )
    };
    // 25,000 gas: a quarter of an ether, and a little less.
    assert_eq!(view_of(&fields(10_000), &chain()).flags, [Flag::HighFee, Flag::Large]);
    assert_eq!(view_of(&fields(9_999), &chain()).flags, [Flag::HighFee]);
    let mut world = send(&fields(10_000));
    world.answer(&batch(&chain()));
    world.approve();
    assert!(world.ordered.is_empty(), "one click signs nothing");
    assert_eq!(confirm(&mut world).as_deref(), Some("Click"));
}

/// The transfer of `@solana/web3.js` with another number in it.
fn transfer_with(written: u64, number: u64) -> String {
    let mut bytes = base64::decode(TRANSFER, Spelling::Standard).unwrap();
    let at = bytes.windows(8).position(|window| window == written.to_le_bytes()).unwrap();
    bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
    base64::encode(&bytes, Spelling::Standard)
}

/// The transfer with another number of lamports.
fn transfer_of(lamports: u64) -> String {
    transfer_with(1_500_000_000, lamports)
}

#[test]
fn a_fee_on_solana_that_is_large_is_told_by_its_bytes() {
    // 30,000 units, whose price is in millionths of a lamport: six SOL, and a little less.
    let shown = |price: u64| is_large(&foreseen(&transfer_with(2_000_000, price), MAIN, FINE).approval().unwrap());
    assert!(shown(200_000_000_000) && !shown(199_999_000_000));
}

#[test]
fn a_large_payment_on_solana_is_told_by_its_bytes_and_by_what_a_node_foresees() {
    let shown = |bytes: &str, answers: &str| is_large(&foreseen(bytes, MAIN, answers).approval().unwrap());
    assert!(shown(&transfer_of(6_000_000_000), FINE) && !shown(&transfer_of(5_999_999_999), FINE));
    let leaves = |lamports: u64| FINE.replace("[9000,0]", &format!("[{},0]", lamports + 8_000));
    assert!(shown(UNKNOWN, &leaves(6_000_000_000)) && !shown(UNKNOWN, &leaves(5_999_999_000)));
}

/// Settings of a wallet with these ways, after the visitor chose to turn strict mode on or off.
fn setting(strict: bool, ways: &[String]) -> World {
    let mut world = World::logged_in();
    world.strict = strict;
    world.host("SHOW_SETTINGS", "null");
    world.answer(&account(ways));
    assert_eq!(view(&world).unwrap().strict, strict);
    choose(&mut world, if strict { Act::AskLess } else { Act::AskEach }, None);
    world
}

#[test]
fn strict_mode_is_turned_on_and_off_by_the_passkey_alone() {
    for strict in [false, true] {
        let mut world = setting(strict, &[passkey(), password()]);
        assert_eq!(page(&world), Page::Explain);
        go_on(&mut world, false);
        match &world.ordered[0].operation {
            Operation::SetStrict { strict: wanted, proof } => assert!(*wanted != strict && is_passkey(proof)),
            other => panic!("{other:?}"),
        }
        world.fail(FailureKind::Unproved, "The passkey wasn't used. Try again.");
        assert_eq!((page(&world), view(&world).unwrap().fault.is_some()), (Page::Explain, true));
        go_on(&mut world, false);
        let effect = world.only();
        world.strict = !strict;
        world.resolve(effect.id, Outcome::Done);
        assert!(concealed(&mut world));
        world.answer(&account(&[passkey()]));
        assert_eq!((page(&world), view(&world).unwrap().strict), (Page::Overview, !strict));
    }
}

#[test]
fn strict_mode_by_the_password_asks_for_it() {
    let mut world = setting(false, &[password()]);
    go_on(&mut world, false);
    assert_eq!(page(&world), Page::Password);
    world.event(Event::PasswordTyped);
    assert_eq!(world.only().operation, Operation::SetStrict { strict: true, proof: Proof::Password });
}

#[test]
fn strict_mode_is_for_a_wallet_with_a_passkey_or_a_password_that_is_not_frozen() {
    let mut world = opened(&[slot("r", "recovery", "null")]);
    choose(&mut world, Act::AskEach, None);
    choose(&mut world, Act::AskLess, None);
    assert_eq!(page(&world), Page::Overview);
}

#[test]
fn no_message_of_the_host_sets_strict_mode() {
    let mut world = asking(true, &[passkey()]);
    for name in ["SET_STRICT", "READ_STRICT", "SETTINGS_ACTED", "APPROVED"] {
        world.host(name, r#"{"strict":false,"approval":1,"revision":1,"act":"askLess"}"#);
    }
    world.rpc("wallet_setStrict", r#"[false]"#);
    assert!(world.ordered.is_empty(), "{:?}", world.ordered);
}
