//! Receivers and delegates on Solana: paid or let take tokens for the first time, or easily mistaken for one that was paid before.

use crate::solana_bytes as bytes;
use crate::transaction::row;
use crate::world::{DEVNET, MAIN, OTHER, SOLANA, TO, World, spoken};
use portico_calldata::solana::{
    Account, Call, Key, Mint, TokenProgram, WRAPPED_SOL, associated, create, key, message, send, transaction, transfer,
};
use portico_encoding::base64::{self, Spelling};
use portico_frame_core::{ApprovalView, FailureKind, Flag, Operation, Outcome, RowLabel, Stage};

const USDC: &str = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const TOKEN: &str = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
/// Account with the key of 32 fours.
const STRANGER: &str = "GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq";

fn of(text: &str) -> Key {
    key(text).unwrap()
}

/// An address that begins and ends like [`TO`].
const ALIKE: &str = "8qbHbw2BbbTHBW1sbeqamYXVKRQM8Ne7pLK7m6CVfeR";

/// Transaction of these calls, in base64, that the account asks for.
fn made(calls: &[Call]) -> String {
    base64::encode(&transaction(&[0; 64], &message(&of(SOLANA), &[9; 32], calls)), Spelling::Standard)
}

/// A transaction of one transfer of coins.
fn coins(to: &str, lamports: u64) -> String {
    made(&[transfer(of(SOLANA), of(to), lamports)])
}

/// Mint of USDC under a token program.
fn mint(program: TokenProgram) -> Mint {
    Mint { program, decimals: 6, fees: None, obstacle: None, freezes: false, account_size: 165 }
}

/// Transfer of USDC from the account to the associated account of a receiver.
fn usdc(program: TokenProgram, to: &str) -> Call {
    let at = |owner: &str| associated(&of(owner), program, &of(USDC)).unwrap();
    send(at(SOLANA), at(to), of(SOLANA), (of(USDC), &mint(program)), 2_500_000, None)
}

fn creation(program: TokenProgram, owner: &str) -> Call {
    create(of(SOLANA), associated(&of(owner), program, &of(USDC)).unwrap(), of(owner), program, of(USDC))
}

/// Address of the account of USDC of an owner.
fn account_of(owner: &str) -> String {
    portico_encoding::base58::encode(&associated(&of(owner), TokenProgram::Token, &of(USDC)).unwrap())
}

/// Call that lets a delegate take tokens of the account.
fn approval(kind: &[u8], delegate: &str) -> Call {
    let accounts = [[5; 32], of(delegate), of(SOLANA)].map(Account::writable).to_vec();
    Call { program: of(TOKEN), accounts, data: kind.to_vec() }
}

const APPROVE: [u8; 9] = [4, 1, 0, 0, 0, 0, 0, 0, 0];

/// Request on a network by an account with these stored entries; the node answers nothing.
fn on(chain: &str, transactions: &[String], paid: &[String]) -> World {
    let mut world = World::logged_in();
    world.paid = paid.to_vec();
    let list = transactions.join("\",\"");
    world.host(
        "RPC_REQUEST",
        &format!(
            r#"{{"method":"solana_signAllTransactions","params":{{"transactions":["{list}"]}},"chainId":"{chain}"}}"#
        ),
    );
    world.answer("[]");
    world
}

fn paying(transaction: String, paid: &[String]) -> ApprovalView {
    on(MAIN, &[transaction], paid).approval().unwrap()
}

fn stored(chain: &str, to: &str) -> String {
    format!("{chain}:{to}")
}

#[test]
fn an_address_that_was_never_paid_here_is_told() {
    let view = paying(coins(STRANGER, 1), &[stored(MAIN, TO)]);
    assert_eq!((view.flags, view.blocked, view.stage), (vec![Flag::FirstSeen], false, Stage::Ready));
    assert_eq!(paying(coins(TO, 1), &[stored(MAIN, TO)]).flags, []);
    assert_eq!(paying(coins(TO, 1), &[stored(DEVNET, TO)]).flags, [Flag::FirstSeen], "known on another network");
    assert_eq!(paying(coins(TO, 1), &[format!("spender:{MAIN}:{TO}")]).flags, [Flag::FirstSeen], "not paid");
    assert_eq!(paying(coins(SOLANA, 1), &[]).flags, [], "the account itself");
}

#[test]
fn an_address_that_looks_like_a_paid_one_names_it_and_case_makes_another_address() {
    for chain in [MAIN, DEVNET] {
        let view = paying(coins(ALIKE, 1), &[stored(chain, TO)]);
        assert_eq!((view.flags.as_slice(), view.blocked), (&[Flag::LookAlike][..], false));
        let rows: Vec<_> = view.rows.iter().map(|row| (row.label, spoken(&row.text))).collect();
        assert_eq!(rows[1..], [(RowLabel::To, ALIKE.into()), (RowLabel::PaidBefore, TO.into())]);
    }
    assert_eq!(paying(coins(ALIKE, 1), &[stored(MAIN, TO), stored(MAIN, ALIKE)]).flags, [], "the visitor paid both");
    // The same letters in another case are other ones in base58.
    let other = TO.replacen("8qbH", "8QbH", 1);
    assert!(key(&other).is_some());
    assert_eq!(paying(coins(&other, 1), &[stored(MAIN, TO)]).flags, [Flag::FirstSeen]);
}

#[test]
fn the_owner_of_a_token_account_counts_where_the_transaction_proves_it() {
    for program in [TokenProgram::Token, TokenProgram::Token2022] {
        let created = made(&[creation(program, TO), usdc(program, TO)]);
        assert_eq!(paying(created.clone(), &[stored(MAIN, TO)]).flags, []);
        let view = paying(created, &[]);
        assert_eq!(view.flags, [Flag::FirstSeen]);
        // Another instruction names the wallet.
        let named = made(&[transfer(of(SOLANA), of(TO), 1), usdc(program, TO)]);
        let view = paying(named, &[stored(MAIN, TO)]);
        assert_eq!(view.flags, []);
        assert_eq!(view.rows.iter().filter(|row| spoken(&row.text) == TO).count(), 2, "{view:?}");
        assert_eq!(paying(made(&[usdc(program, SOLANA)]), &[]).flags, [], "the account's own tokens");
    }
    // Without a wallet the token account is all that is known.
    let alone = made(&[usdc(TokenProgram::Token, TO)]);
    assert_eq!(paying(alone.clone(), &[stored(MAIN, TO)]).flags, [Flag::FirstSeen]);
    assert_eq!(paying(alone, &[stored(MAIN, &account_of(TO))]).flags, []);
    assert_eq!(paying(bytes::PLAIN.into(), &[stored(MAIN, STRANGER)]).flags, []);
    assert_eq!(paying(bytes::PLAIN.into(), &[]).flags, [Flag::FirstSeen]);
}

#[test]
fn a_fee_of_the_token_is_a_part_of_the_amount() {
    let mint = mint(TokenProgram::Token2022);
    let paid = |fee| made(&[send([5; 32], [4; 32], of(SOLANA), (of(USDC), &mint), 2_500_000, fee)]);
    let view = paying(paid(Some(1_000)), &[stored(MAIN, STRANGER)]);
    assert_eq!((view.flags.as_slice(), row(&view, RowLabel::Amount).as_deref()), (&[][..], Some("2.5 USDC")));
    assert_eq!(view.rows, paying(paid(None), &[]).rows);
}

#[test]
fn a_closed_account_pays_whom_its_coins_go_to() {
    assert_eq!(paying(bytes::CLOSE.into(), &[stored(MAIN, TO)]).flags, []);
    assert_eq!(paying(bytes::CLOSE.into(), &[]).flags, [Flag::FirstSeen]);
}

#[test]
fn coins_that_are_wrapped_stay_with_the_account() {
    let (own, mint) = (of(SOLANA), of(WRAPPED_SOL));
    let account = associated(&own, TokenProgram::Token, &mint).unwrap();
    let wrapped = made(&[create(own, account, own, TokenProgram::Token, mint), transfer(own, account, 1)]);
    assert_eq!(paying(wrapped, &[]).flags, []);
}

#[test]
fn a_delegate_who_was_never_let_take_tokens_here_is_told() {
    let spender = |chain: &str| format!("spender:{chain}:{TO}");
    for (bytes, flag) in [(bytes::APPROVE, Flag::UnlimitedApproval), (bytes::APPROVE_CHECKED, Flag::Delegates)] {
        let flags = |paid: &[String]| paying(bytes.into(), paid).flags;
        assert_eq!(flags(&[]), [flag, Flag::FirstSpender]);
        assert_eq!(flags(&[stored(MAIN, TO)]), [flag, Flag::FirstSpender], "who was paid takes nothing");
        assert_eq!(flags(&[spender(DEVNET)]), [flag, Flag::FirstSpender], "another network");
        assert_eq!(flags(&[spender(MAIN)]), [flag]);
    }
    let nothing = made(&[approval(&[4, 0, 0, 0, 0, 0, 0, 0, 0], TO)]);
    assert_eq!(paying(nothing, &[]).flags, [Flag::Delegates]);
    assert_eq!(paying(bytes::REVOKE.into(), &[]).flags, []);
}

#[test]
fn each_of_several_transactions_counts() {
    let [first, second] = [coins(TO, 1), made(&[transfer(of(SOLANA), of(STRANGER), 1), approval(&APPROVE, TO)])];
    let flags = |paid: &[String]| on(MAIN, &[first.clone(), second.clone()], paid).approval().unwrap().flags;
    assert_eq!(flags(&[stored(MAIN, TO)]), [Flag::Delegates, Flag::FirstSpender, Flag::FirstSeen]);
    assert_eq!(flags(&[stored(MAIN, TO), stored(MAIN, STRANGER), format!("spender:{MAIN}:{TO}")]), [Flag::Delegates]);
    // Each look-alike is named beside its own receiver.
    let both = [coins(ALIKE, 1), coins(STRANGER, 1)];
    let view = on(MAIN, &both, &[stored(MAIN, TO), stored(MAIN, STRANGER)]).approval().unwrap();
    let labels: Vec<_> = view.rows.iter().map(|row| row.label).collect();
    let [place, amount, to] = [RowLabel::Transaction, RowLabel::Amount, RowLabel::To];
    assert_eq!(labels, [place, amount, to, RowLabel::PaidBefore, place, amount, to]);
}

/// Entries that the browser stores for a request, after the visitor approved it and the worker signed.
fn kept(transactions: &[String]) -> Vec<String> {
    let mut world = on(MAIN, transactions, &[]);
    world.approve();
    assert_eq!(world.paid, [""; 0], "not signed yet");
    let effect = world.only();
    assert!(matches!(effect.operation, Operation::Sign { .. }));
    world.resolve(effect.id, Outcome::Answered { value: portico_json::parse(r#"["AA=="]"#).unwrap() });
    assert!(world.take()[0].contains("SUCCESS"));
    world.paid
}

#[test]
fn what_is_signed_is_remembered_and_what_pays_nothing_is_not() {
    assert_eq!(kept(&[coins(TO, 1)]), [stored(MAIN, TO)]);
    assert_eq!(kept(&[coins(TO, 0)]), [""; 0], "an impostor could be paid nothing first");
    let created = made(&[creation(TokenProgram::Token, TO), usdc(TokenProgram::Token, TO)]);
    // The next payment need not create the account, and does not name its owner.
    assert_eq!(kept(&[created]), [stored(MAIN, &account_of(TO)), stored(MAIN, TO)]);
    let several = [coins(TO, 1), made(&[transfer(of(SOLANA), of(STRANGER), 1), approval(&APPROVE, TO)])];
    assert_eq!(kept(&several), [format!("spender:{MAIN}:{TO}"), stored(MAIN, STRANGER), stored(MAIN, TO)]);
}

#[test]
fn what_another_account_pays_or_permits_makes_nobody_known() {
    let other = transfer([4; 32], of(TO), 1);
    let foreign =
        Call { accounts: [[5; 32], of(TO), [4; 32]].map(Account::writable).to_vec(), ..approval(&APPROVE, TO) };
    let both = made(&[other, foreign]);
    assert_eq!(paying(both.clone(), &[]).flags, [Flag::Delegates, Flag::FirstSpender, Flag::FirstSeen]);
    assert_eq!(kept(&[both]), [""; 0]);
}

#[test]
fn one_request_cannot_displace_all_that_the_browser_knows() {
    let many = |from: u8| {
        let to = (from..from + 10).map(|byte| transfer(of(SOLANA), [byte; 32], 1)).collect::<Vec<_>>();
        made(&to)
    };
    assert_eq!(kept(&[many(100), many(110), many(120), many(130)]).len(), 32);
}

#[test]
fn a_request_that_is_cancelled_makes_nobody_known() {
    let mut world = on(MAIN, &[coins(TO, 1)], &[]);
    let number = world.approval().unwrap().number;
    world.event(portico_frame_core::Event::Cancelled { approval: number });
    assert_eq!(world.paid, [""; 0]);
}

#[test]
fn nothing_is_decided_before_the_worker_has_told_and_without_storage_every_receiver_is_new() {
    for node_first in [true, false] {
        let mut world = World::logged_in();
        world.holds_paid = true;
        world.rpc("solana_signTransaction", &format!(r#"{{"transaction":"{}"}}"#, coins(TO, 1)));
        let read = world.ordered.remove(0);
        assert_eq!(read.operation, Operation::ReadPaid { address: SOLANA.into() });
        let node = world.only();
        let told = Outcome::Answered { value: portico_json::parse("[]").unwrap() };
        let failed = Outcome::Failed { kind: FailureKind::NoStorage, message: String::new() };
        let mut answers = [(node.id, told), (read.id, failed)];
        if !node_first {
            answers.reverse();
        }
        let [(first, one), (second, other)] = answers;
        world.resolve(first, one);
        assert_eq!(world.approval().unwrap().stage, Stage::Preparing);
        world.approve();
        assert!(world.ordered.is_empty(), "nothing is signed yet");
        world.resolve(second, other);
        let view = world.approval().unwrap();
        assert_eq!((view.stage, view.flags), (Stage::Ready, vec![Flag::FirstSeen]));
    }
}

#[test]
fn stored_entries_of_another_form_are_left_out() {
    let short = &TO[1..];
    let forged = [
        format!("{MAIN}:"),
        format!("{MAIN}:{TO}0"),
        format!("{MAIN}:{}l", &TO[..TO.len() - 1]),
        format!("{MAIN}:{TO} "),
        format!("{MAIN}:{short}{}", "1".repeat(60)),
        format!("polkadot:91b171bb158e2d3848fa23a9f1c25182:{TO}"),
        format!("1:{TO}"),
        format!("solana:{TO}"),
        format!(":{TO}"),
        TO.into(),
        format!("spender:spender:{MAIN}:{TO}"),
        format!("{MAIN}:{}", OTHER.to_lowercase()),
    ];
    assert_eq!(paying(coins(TO, 1), &forged).flags, [Flag::FirstSeen]);
    // A text that only begins and ends like the receiver is never shown as an address.
    let text = format!("{MAIN}:8qbH, your own account, 6CVfeR");
    assert_eq!(paying(coins(TO, 1), &[text]).flags, [Flag::FirstSeen]);
    let with_true: Vec<String> = forged.into_iter().chain([stored(MAIN, TO)]).collect();
    assert_eq!(paying(coins(TO, 1), &with_true).flags, []);
}

#[test]
fn known_mints_are_shown_by_their_symbol_on_the_main_network_alone() {
    let transaction = || made(&[usdc(TokenProgram::Token, TO)]);
    let rows = |chain: &str| {
        let view = on(chain, &[transaction()], &[]).approval().unwrap();
        (row(&view, RowLabel::Amount).unwrap(), row(&view, RowLabel::Token).unwrap())
    };
    assert_eq!(rows(MAIN), ("2.5 USDC".into(), USDC.into()));
    assert_eq!(rows(DEVNET), ("2.5 EPjF…yTDt1v".into(), USDC.into()));
}
