use super::*;
use portico_json::parse;
use portico_terms::{AccountId, Currency};
use proptest::prelude::*;
use serde_json::json;

const OWN: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
const OTHER: &str = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin";
const PROGRAM: &str = "11111111111111111111111111111111";
const USDC: &str = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const TOKEN: &str = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const PIECE: &str = "So11111111111111111111111111111111111111112";

fn signature() -> String {
    "5".repeat(88)
}

fn held(owner: &str, mint: &str, amount: &str, decimals: u8) -> serde_json::Value {
    json!({ "accountIndex": 1, "owner": owner, "mint": mint, "uiTokenAmount": { "amount": amount, "decimals": decimals } })
}

/// Transaction that the account paid for, without any transfer.
fn plain() -> serde_json::Value {
    let key =
        |pubkey: &str| json!({ "pubkey": pubkey, "signer": pubkey == OWN, "writable": true, "source": "transaction" });
    json!({
        "slot": 1054, "blockTime": 1_748_736_000, "version": 0,
        "transaction": { "signatures": [signature()], "message": {
            "accountKeys": [key(OWN), key(OTHER), key(PROGRAM)],
            "instructions": [{ "programId": PROGRAM, "accounts": [], "data": "3Bxs" }] } },
        "meta": { "err": null, "fee": 5000, "preBalances": [1_000_005_000, 7, 1], "postBalances": [1_000_000_000, 7, 1],
            "preTokenBalances": [], "postTokenBalances": [] }
    })
}

fn with(change: impl FnOnce(&mut serde_json::Value)) -> serde_json::Value {
    let mut told = plain();
    change(&mut told);
    told
}

fn read(told: &serde_json::Value) -> Option<Transaction> {
    let account: AccountId = format!("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:{OWN}").parse().unwrap();
    let coin = Currency { name: "Solana".into(), decimals: 9, symbol: "SOL".into() };
    transaction(Of { account: &account, coin: &coin }, &parse(&told.to_string()).unwrap())
}

/// Kind and status, and the direction, amount and asset of each transfer.
fn brief(told: &serde_json::Value) -> (String, String, Vec<(String, String, String)>) {
    let row = read(told).unwrap();
    let moved = row.transfers.unwrap().into_iter().map(|moved| {
        let name = moved.fungible_info.map(|info| info.symbol.unwrap());
        (moved.direction, moved.quantity.numeric, name.or(moved.nft_info.map(|info| info.name.unwrap())).unwrap())
    });
    (row.metadata.operation_type, row.metadata.status, moved.collect())
}

#[test]
fn what_is_not_as_it_is_documented_is_none() {
    for (path, value) in [
        ("/slot", json!(-1)),
        ("/slot", json!(null)),
        ("/blockTime", json!(null)),
        ("/blockTime", json!(18_446_744_073_709_551_615u64)),
        ("/meta", json!(null)),
        ("/meta", json!([])),
        ("/transaction", json!("base64")),
        ("/transaction/signatures", json!([])),
        ("/transaction/signatures/0", json!("<b>")),
        ("/transaction/message/accountKeys", json!([])),
        ("/transaction/message/accountKeys/1", json!({ "pubkey": "0x1" })),
    ] {
        assert_eq!(read(&with(|told| *told.pointer_mut(path).unwrap() = value.clone())), None, "{path} {value}");
    }
    for whole in [json!(null), json!([]), json!(7), json!({})] {
        assert_eq!(read(&whole), None);
    }
}

#[test]
fn lists_of_other_lengths_and_numbers_of_other_kinds_move_nothing() {
    let nothing = ("execute".into(), "confirmed".into(), vec![]);
    for (name, value) in [
        ("preBalances", json!([])),
        ("postBalances", json!(7)),
        ("preBalances", json!([-1, -1, -1])),
        ("fee", json!("x")),
        ("postTokenBalances", json!([null, 7, {}, { "owner": OWN }])),
        ("postTokenBalances", json!([held(OWN, USDC, "-5", 6), held(OWN, "x", "5", 6), held("x", USDC, "5", 6)])),
        ("postTokenBalances", json!([held(OWN, USDC, &"9".repeat(99), 6)])),
    ] {
        let told = with(|told| told["meta"][name] = value.clone());
        let found = brief(&told);
        let fee_alone = name == "fee" && found.2 == [("out".into(), "0.000005".into(), "SOL".into())];
        assert!(found == nothing || fee_alone, "{name} {value}: {found:?}");
    }
}

#[test]
fn coin_that_was_sent_is_told_without_the_fee_and_to_whom() {
    let told = with(|told| {
        told["meta"]["postBalances"] = json!([500_000_000, 500_000_007u64, 1]);
        told["transaction"]["message"]["instructions"][0] =
            json!({ "program": "system", "parsed": { "type": "transfer" } });
    });
    let expected = ("send".into(), "confirmed".into(), vec![("out".into(), "0.5".into(), "SOL".into())]);
    assert_eq!(brief(&told), expected);
    let row = read(&told).unwrap();
    assert_eq!((&*row.metadata.sent_from, &*row.metadata.sent_to), (OWN, OTHER));
    assert_eq!((row.metadata.hash, &*row.metadata.mined_at), (signature(), "2025-06-01T00:00:00Z"));
}

#[test]
fn the_fee_is_that_of_the_transaction_and_none_where_the_node_has_no_number() {
    assert_eq!(read(&plain()).unwrap().metadata.fee.as_deref(), Some("0.000005"));
    assert_eq!(read(&with(|told| told["meta"]["fee"] = json!("x"))).unwrap().metadata.fee, None);
}

#[test]
fn a_token_has_its_mint_and_a_known_one_our_picture() {
    let mint = |mint: &str| {
        let told = with(|told| told["meta"]["postTokenBalances"] = json!([held(OWN, mint, "5", 6)]));
        read(&told).unwrap().transfers.unwrap().remove(0).fungible_info.unwrap()
    };
    assert_eq!(mint(USDC).address.as_deref(), Some(USDC));
    assert!(mint(USDC).icon.unwrap().url.starts_with("/public/getAssetImage/"));
    assert_eq!((mint(OTHER).address.as_deref(), mint(OTHER).icon), (Some(OTHER), None));
}

/// Transaction that failed, with this instruction.
fn failed(parsed: &serde_json::Value) -> serde_json::Value {
    with(|told| {
        told["meta"]["err"] = json!({ "InstructionError": [0, "Custom"] });
        told["meta"]["preTokenBalances"] = json!([held(OTHER, USDC, "7", 6)]);
        told["transaction"]["message"]["instructions"][0] = json!({ "program": "any", "parsed": parsed });
    })
}

#[test]
fn a_payment_that_failed_is_told_with_its_recipient() {
    let coins = json!({ "type": "transfer", "info": { "source": OWN, "destination": OTHER, "lamports": 5 } });
    // The second account of the transaction is the recipient's account of the token.
    let tokens = json!({ "type": "transferChecked", "info": { "authority": OWN, "destination": OTHER, "mint": USDC } });
    let with_fee = json!({ "type": "transferCheckedWithFee",
        "info": { "authority": OWN, "destination": OTHER, "mint": USDC, "feeAmount": { "amount": "1" } } });
    for parsed in [coins, tokens, with_fee] {
        let row = read(&failed(&parsed)).unwrap();
        let metadata = row.metadata;
        assert_eq!((&*metadata.operation_type, &*metadata.status), ("send", "failed"), "{parsed}");
        assert_eq!((&*metadata.sent_from, &*metadata.sent_to), (OWN, OTHER), "{parsed}");
    }
    for parsed in [
        json!("memo"),
        json!({ "type": "transfer" }),
        json!({ "type": "transfer", "info": { "destination": "<b>", "lamports": 5 } }),
        json!({ "type": "transferChecked", "info": { "destination": PROGRAM } }),
        json!({ "type": "transferChecked", "info": { "destination": PIECE } }),
    ] {
        let row = read(&failed(&parsed)).unwrap();
        assert_eq!((&*row.metadata.operation_type, &*row.metadata.sent_to), ("execute", OWN), "{parsed}");
    }
}

#[test]
fn what_goes_with_a_payment_that_failed_leaves_it_one_and_anything_else_makes_it_a_call() {
    let payment = json!({ "program": "system", "programId": PROGRAM,
        "parsed": { "type": "transfer", "info": { "source": OWN, "destination": OTHER, "lamports": 5 } } });
    let associated = |kind: &str| json!({ "programId": ASSOCIATED, "parsed": { "type": kind, "info": {} } });
    let budget = json!({ "programId": BUDGET, "accounts": [], "data": "3Bxs" });
    let memo = |program: &str| json!({ "program": "spl-memo", "programId": program, "parsed": "for lunch" });
    let kind = |others: &[&serde_json::Value]| {
        let told = with(|told| {
            told["meta"]["err"] = json!({ "InstructionError": [0, "Custom"] });
            told["transaction"]["message"]["instructions"] = json!(others);
        });
        let metadata = read(&told).unwrap().metadata;
        (metadata.operation_type, metadata.sent_to)
    };
    let is_send = ("send".into(), OTHER.into());
    let made = [associated("create"), associated("createIdempotent")];
    assert_eq!(kind(&[&budget, &budget, &made[0], &made[1], &payment, &memo(MEMO), &memo(OLD_MEMO)]), is_send);
    // A trade begins with a wrap of coins or a tip, and calls a program that no node explains.
    let trade = json!({ "programId": OTHER, "accounts": [], "data": "3Bxs" });
    let wrap = json!({ "program": "spl-token", "programId": TOKEN, "parsed": { "type": "syncNative", "info": {} } });
    for other in [&trade, &wrap, &payment, &associated("recoverNested"), &json!(null), &json!({ "programId": 7 })] {
        for order in [[&payment, other], [other, &payment]] {
            assert_eq!(kind(&order), ("execute".into(), OWN.into()), "{other}");
        }
    }
}

#[test]
fn a_payment_of_others_that_moved_nothing_here_is_not_told_as_received() {
    let told = with(|told| {
        told["transaction"]["message"]["accountKeys"] = json!([OTHER, OWN, PROGRAM]);
        told["transaction"]["message"]["instructions"][0]["parsed"] =
            json!({ "type": "transfer", "info": { "destination": PROGRAM, "lamports": 5 } });
        told["meta"]["preBalances"] = json!([5_005, 7, 1]);
        told["meta"]["postBalances"] = json!([0, 7, 5]);
    });
    assert_eq!(brief(&told), ("execute".into(), "confirmed".into(), vec![]));
}

#[test]
fn what_failed_moved_nothing() {
    let told = with(|told| {
        told["meta"]["err"] = json!({ "InstructionError": [0, "Custom"] });
        told["meta"]["postBalances"] = json!([500_000_000, 500_000_007u64, 1]);
    });
    assert_eq!(brief(&told), ("execute".into(), "failed".into(), vec![]));
}

#[test]
fn a_trade_is_known_by_what_came_and_what_went() {
    let told = with(|told| {
        told["meta"]["postBalances"] = json!([900_000_000, 100_000_007u64, 1]);
        told["meta"]["preTokenBalances"] = json!([held(OTHER, USDC, "90000000", 6)]);
        told["meta"]["postTokenBalances"] =
            json!([held(OWN, USDC, "15000000", 6), held(OTHER, USDC, "74000000", 6), held(OWN, USDC, "1000000", 6)]);
    });
    let moved = vec![("in".into(), "16".into(), "USDC".into()), ("out".into(), "0.1".into(), "SOL".into())];
    assert_eq!(brief(&told), ("trade".into(), "confirmed".into(), moved));
}

#[test]
fn a_piece_that_came_from_nobody_was_made() {
    let told = with(|told| told["meta"]["postTokenBalances"] = json!([held(OWN, PIECE, "1", 0)]));
    assert_eq!(
        brief(&told),
        ("mint".into(), "confirmed".into(), vec![("in".into(), "1".into(), "Wrapped SOL".into())])
    );
}

fn any_value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|value| json!(value)),
        any::<i64>().prop_map(|value| json!(value)),
        any::<f64>().prop_map(|value| json!(value)),
        ".{0,20}".prop_map(|value| json!(value)),
        Just(json!(OWN)),
        Just(held(OWN, USDC, "5", 6)),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(|list| json!(list)))
}

proptest! {
    #[test]
    fn no_part_of_it_makes_it_panic(value in any_value(), part in 0..9usize) {
        let parts = ["/slot", "/blockTime", "/transaction", "/transaction/message", "/transaction/message/accountKeys",
            "/transaction/message/instructions", "/meta/preBalances", "/meta/preTokenBalances", "/meta/postTokenBalances"];
        let _ = read(&with(|told| *told.pointer_mut(parts[part]).unwrap() = value));
    }
}
