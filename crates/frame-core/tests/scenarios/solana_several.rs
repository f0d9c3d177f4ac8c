//! Several transactions of Solana in one request: which of them a node simulates, and what is told of those that it cannot.

use crate::solana_bytes as bytes;
use crate::world::{MAIN, SOLANA, TO, World, json, spoken};
use portico_calldata::solana::{Account, Call, Key, key, message, transaction, transfer};
use portico_encoding::base64::{self, Spelling};
use portico_frame_core::{ApprovalView, Flag};
use portico_json::to_text;

const USDC: &str = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

fn own() -> Key {
    key(SOLANA).unwrap()
}

fn made(calls: &[Call]) -> String {
    base64::encode(&transaction(&[0; 64], &message(&own(), &[9; 32], calls)), Spelling::Standard)
}

/// A transaction of one transfer to [`TO`], whom the account paid before.
fn plain() -> String {
    made(&[transfer(own(), key(TO).unwrap(), 1)])
}

/// A transaction that calls an unknown program with the account itself and others.
fn unknown(accounts: &[Account]) -> String {
    let accounts = [&[Account::writable(own())], accounts].concat();
    made(&[Call { program: [7; 32], accounts, data: vec![1] }])
}

fn asked(transactions: &[String]) -> World {
    let mut world = World::logged_in();
    let list = transactions.join("\",\"");
    let params = format!(r#"{{"transactions":["{list}"]}}"#);
    let method = "solana_signAllTransactions";
    world.host("RPC_REQUEST", &format!(r#"{{"method":"{method}","params":{params},"chainId":"{MAIN}"}}"#));
    world
}

/// Indexes of the transactions that a node is asked to simulate.
fn simulated(transactions: &[String]) -> Vec<usize> {
    let calls = asked(transactions).calls();
    assert!(calls[1..=transactions.len()].iter().all(|call| call.method == "isBlockhashValid"));
    let given = calls[1 + transactions.len()..].iter().map(|call| {
        assert_eq!(call.method, "simulateTransaction");
        transactions.iter().position(|text| to_text(&call.params).contains(text.as_str())).unwrap()
    });
    given.collect()
}

/// A simulation after which the account has so many lamports less than 1,000,000, without its fee.
fn leaves(lamports: u32) -> String {
    let after = 1_000_000 - 5_000 - lamports;
    format!(
        r#"{{"err":null,"fee":5000,"preBalances":[1000000,0],"postBalances":[{after},0],"preTokenBalances":[],"postTokenBalances":[]}}"#
    )
}

const FAILS: &str = r#"{"err":{"InstructionError":[0,{"Custom":1}]}}"#;

/// Approval of transactions of which a node simulates these.
fn shown(transactions: &[String], simulations: &[String]) -> ApprovalView {
    let mut world = asked(transactions);
    let valid = r#"{"result":{"value":true}}"#.to_owned();
    let simulations = simulations.iter().map(|told| format!(r#"{{"result":{{"value":{told}}}}}"#));
    let answers: Vec<_> =
        ["null".to_owned()].into_iter().chain(vec![valid; transactions.len()]).chain(simulations).collect();
    world.answer(&format!("[{}]", answers.join(",")));
    world.approval().unwrap()
}

/// Rows of the simulation as "label value".
fn expected(view: &ApprovalView) -> Vec<String> {
    let rows = view.expected.iter().flatten();
    rows.map(|row| format!("{:?} {}", row.label, spoken(&row.text))).collect()
}

const A: Account = Account { key: [21; 32], writable: true };
const B: Account = Account { key: [22; 32], writable: true };
const READ: Account = Account { key: [21; 32], writable: false };

#[test]
fn each_transaction_that_does_not_depend_on_an_earlier_one_is_simulated() {
    assert_eq!(simulated(&[unknown(&[A]), unknown(&[B]), plain()]), [0, 1, 2], "the account itself is in all");
    assert_eq!(simulated(&[unknown(&[A]), unknown(&[A, B])]), [0], "both write");
    assert_eq!(simulated(&[unknown(&[A]), unknown(&[READ])]), [0], "one reads what the other writes");
    assert_eq!(simulated(&[unknown(&[READ]), unknown(&[READ, B])]), [0, 1], "neither writes");
    assert_eq!(simulated(&[unknown(&[READ]), unknown(&[A])]), [0, 1], "the earlier one reads");
    assert_eq!(simulated(&[unknown(&[A]), unknown(&[B]), unknown(&[B, READ])]), [0, 1]);
    assert_eq!(simulated(&[plain(), bytes::TABLE.into()]), [0], "its accounts are not known");
    assert_eq!(simulated(&[bytes::TABLE.into(), unknown(&[A])]), [0]);
    // A transfer has its amount in its bytes, whatever happens before.
    assert_eq!(simulated(&[unknown(&[Account::writable(key(TO).unwrap())]), plain()]), [0, 1]);
    // Coins of a closed account may have come by an earlier transaction.
    assert_eq!(simulated(&[plain(), bytes::CLOSE.into()]), [0]);
}

#[test]
fn changes_are_shown_for_each_transaction_and_never_summed_up() {
    let comes = leaves(0).replace("\"postBalances\":[995000", "\"postBalances\":[997000");
    let view = shown(&[unknown(&[A]), unknown(&[B])], &[leaves(2_000), comes]);
    let rows = ["Transaction 1 of 2", "Leaves 0.000002 SOL", "Transaction 2 of 2", "Comes 0.000002 SOL"];
    assert_eq!((expected(&view), view.flags), (rows.map(String::from).to_vec(), vec![Flag::UnknownProgram]));
}

#[test]
fn a_transaction_that_cannot_be_foreseen_is_told_beside_the_others() {
    // The second depends on the first; the simulation after that is of the third.
    let view = shown(&[unknown(&[A]), unknown(&[A]), unknown(&[B])], &[leaves(1_000), leaves(3_000)]);
    let rows = ["Transaction 1 of 3", "Leaves 0.000001 SOL", "Transaction 3 of 3", "Leaves 0.000003 SOL"];
    assert_eq!(expected(&view), rows);
    assert_eq!(view.flags, [Flag::UnknownProgram, Flag::NotSimulated]);
    // A plain one would look as if it did nothing.
    let view = shown(&[unknown(&[A]), plain()], &[leaves(1_000), "null".into()]);
    assert_eq!((expected(&view).len(), view.flags), (2, vec![Flag::UnknownProgram, Flag::NotSimulated]));
    let view = shown(&[plain(), plain()], &[]);
    assert_eq!((view.expected, view.flags), (None, vec![]), "the bytes say it all");
}

#[test]
fn a_later_transaction_that_fails_alone_may_succeed_after_the_earlier_ones() {
    let view = shown(&[plain(), plain()], &[leaves(1), FAILS.into()]);
    assert_eq!((expected(&view).len(), view.flags), (2, vec![Flag::NotSimulated]));
    let view = shown(&[plain(), plain()], &[FAILS.into(), leaves(1)]);
    assert_eq!((expected(&view)[0].as_str(), view.flags), ("Transaction 2 of 2", vec![Flag::LikelyToFail]));
}

#[test]
fn transactions_that_change_nothing_have_no_rows() {
    let view = shown(&[unknown(&[A]), unknown(&[B])], &[leaves(0), leaves(0)]);
    assert_eq!((view.expected, view.flags), (Some(vec![]), vec![Flag::UnknownProgram]));
    let view = shown(&[unknown(&[A]), unknown(&[B])], &[leaves(0), leaves(1)]);
    assert_eq!(expected(&view), ["Transaction 2 of 2", "Leaves 0.000000001 SOL"]);
}

#[test]
fn a_known_token_of_a_simulation_has_its_symbol_and_its_mint_and_no_symbol_of_the_node() {
    let of = |mint: &str| {
        let balance = format!(
            r#"{{"owner":"{SOLANA}","mint":"{mint}","symbol":"USDC","uiTokenAmount":{{"amount":"1500000","decimals":6,"symbol":"USDC"}}}}"#
        );
        leaves(0).replace("\"preTokenBalances\":[]", &format!("\"preTokenBalances\":[{balance}]"))
    };
    let view = |mint: &str| shown(&[unknown(&[A])], &[of(mint)]);
    assert!(json(&of(USDC)).get("preTokenBalances").as_list().is_some_and(|list| list.len() == 1));
    assert_eq!(expected(&view(USDC)), ["Leaves 1.5 USDC (EPjF…yTDt1v)"]);
    assert_eq!(expected(&view(TO)), ["Leaves 1.5 8qbH…6CVfeR"]);
}
