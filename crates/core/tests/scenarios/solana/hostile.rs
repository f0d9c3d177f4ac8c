//! A node that makes up one of its answers: the wallet is asked for what the visitor meant, or for nothing.

use super::*;
use portico_calldata::solana::{Message as Bytes, Step, fee, key};

const METHODS: [&str; 9] = [
    "getMultipleAccounts",
    "getRecentPrioritizationFees",
    "getMinimumBalanceForRentExemption",
    "getLatestBlockhash",
    "simulateTransaction",
    "sendTransaction",
    "getSignatureStatuses",
    "getBlockHeight",
    "getTokenAccountsByOwner",
];

const LIES: [&str; 17] = [
    "null",
    "0",
    "-1",
    "18446744073709551615",
    "18446744073709551616",
    "1e300",
    r#""lie""#,
    "[]",
    "[null]",
    r#"[{"prioritizationFee":18446744073709551615}]"#,
    r#"{"value":null}"#,
    r#"{"value":[]}"#,
    r#"{"value":[null,null]}"#,
    r#"{"value":[{"lamports":-1,"owner":7,"executable":"no","data":["*","base64"]},null]}"#,
    r#"{"value":{"blockhash":"1","lastValidBlockHeight":18446744073709551615}}"#,
    r#"{"value":{"err":null,"unitsConsumed":18446744073709551615,"logs":[7,null]}}"#,
    r#"{"value":{"err":{"InstructionError":[]},"unitsConsumed":0,"logs":{}}}"#,
];

/// Goes from the form to the wallet with a node that answers so to a method.
fn paid_with(method: &'static str, lie: &str) -> World {
    let (mut world, _) = opened(wallet(), node());
    world.node.made_up = Some(("solana", method, lie.into()));
    review(&mut world, "0.5");
    world.advance(30_000);
    pay(&mut world, Pay::ConfirmAsked);
    world.advance(30_000);
    world
}

#[test]
fn a_made_up_answer_changes_neither_receiver_nor_amount_nor_raises_the_fee_above_its_limit() {
    let (alice, bob) = (key(&solana_address(ALICE)).unwrap(), key(&solana_address(BOB)).unwrap());
    let mut asked_for = 0;
    for method in METHODS {
        for lie in LIES {
            let world = paid_with(method, lie);
            if requests(&world).is_empty() {
                continue;
            }
            asked_for += 1;
            let bytes = asked(&world);
            let message = Bytes::read(&bytes[65..]).unwrap();
            let moves: Vec<_> =
                message.steps().filter(|step| !matches!(step, Step::UnitLimit(_) | Step::UnitPrice(_))).collect();
            assert_eq!(moves, [Step::Transfer { from: alice, to: bob, lamports: 500_000_000 }], "{method} {lie}");
            assert!(fee(&message) <= 205_000, "{method} {lie}");
        }
    }
    // Many lies concern what comes after the signature, or nothing that counts.
    assert!(asked_for > 60, "{asked_for}");
}

#[test]
fn a_made_up_answer_never_confirms_or_ends_a_payment_by_its_form_alone() {
    for method in ["sendTransaction", "getSignatureStatuses", "getBlockHeight"] {
        for lie in LIES {
            let world = paid_with(method, lie);
            assert_eq!(form(&world).sent.unwrap().receipt.state, SentState::Pending, "{method} {lie}");
        }
    }
}
