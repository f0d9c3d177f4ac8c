use super::*;
use portico_json::parse;
use portico_terms::{AccountId, Currency};
use serde_json::json;

const OWN: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const SHOP: &str = "3P14159f73E4gFr7JterCCQh9QjiTjiZrG";
const MINER: &str = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";

/// Row of a transaction with these inputs and outputs; no address is written as "".
fn row(spent: &[(&str, u64)], made: &[(&str, u64)], fee: u64) -> Option<serde_json::Value> {
    let account: AccountId = format!("bip122:000000000019d6689c085ae165831e93:{OWN}").parse().unwrap();
    let coin = Currency { name: "Bitcoin".into(), symbol: "BTC".into(), decimals: 8 };
    let parts = |parts: &[(&str, u64)]| -> serde_json::Value {
        let part = |(address, satoshis): &(&str, u64)| match *address {
            "" => json!({"satoshis": satoshis}),
            address => json!({"address": address, "satoshis": satoshis}),
        };
        parts.iter().map(part).collect()
    };
    let told = json!({"txid": "ab".repeat(32), "fee": fee, "vin": parts(spent), "vout": parts(made), "blockheight": 170, "blocktime": 1_231_731_025});
    let row = Told::read(&parse(&told.to_string()).unwrap()).unwrap().row(Of { account: &account, coin: &coin })?;
    let moved =
        row.transfers.unwrap().into_iter().map(|one| json!([one.direction, one.quantity.numeric, one.recipient]));
    let metadata = row.metadata;
    Some(json!([metadata.operation_type, metadata.sent_from, metadata.fee, moved.collect::<Vec<_>>()]))
}

#[test]
fn change_is_neither_sent_nor_received() {
    let told = row(&[(OWN, 50_000), (OWN, 60_000)], &[(SHOP, 70_000), (OWN, 39_000)], 1_000);
    assert_eq!(told, Some(json!(["send", OWN, "0.00001", [["out", "0.0007", SHOP]]])));
}

#[test]
fn each_recipient_has_its_amount_and_too_many_are_one() {
    let told = row(&[(OWN, 100)], &[(SHOP, 10), (MINER, 20), (SHOP, 5), (OWN, 60)], 5);
    let each = json!([["out", "0.00000015", SHOP], ["out", "0.0000002", MINER]]);
    assert_eq!(told, Some(json!(["send", OWN, "0.00000005", each])));
    let addresses: Vec<String> = (0..17).map(|number| format!("{SHOP}{number}")).collect();
    let made: Vec<(&str, u64)> = addresses.iter().map(|address| (address.as_str(), 10)).collect();
    let last = &addresses[16];
    let told = row(&[(OWN, 200)], &made, 30);
    assert_eq!(told, Some(json!(["send", OWN, "0.0000003", [["out", "0.0000017", last]]])));
}

#[test]
fn a_received_payment_names_the_payer_and_mined_coins_have_none() {
    let told = row(&[(SHOP, 90), (MINER, 30)], &[(OWN, 50), (SHOP, 60)], 10);
    assert_eq!(told, Some(json!(["receive", SHOP, "0.0000001", [["in", "0.0000005", OWN]]])));
    let told = row(&[], &[(OWN, 5_000_000_000)], 0);
    assert_eq!(told, Some(json!(["mint", "", "0", [["in", "50", OWN]]])));
}

#[test]
fn an_address_that_pays_together_with_others_pays_the_difference() {
    let told = row(&[(OWN, 100), (MINER, 100)], &[(SHOP, 110), (OWN, 80)], 10);
    assert_eq!(told, Some(json!(["send", OWN, "0.0000001", [["out", "0.0000002", SHOP]]])));
    let told = row(&[(OWN, 100), (MINER, 100)], &[(SHOP, 10), (OWN, 180)], 10);
    assert_eq!(told, Some(json!(["receive", MINER, "0.0000001", [["in", "0.0000008", OWN]]])));
}

#[test]
fn a_payment_to_oneself_moves_to_oneself_and_a_script_without_an_address_is_unknown() {
    let told = row(&[(OWN, 100), (OWN, 50)], &[(OWN, 140), ("", 0)], 10);
    assert_eq!(told, Some(json!(["send", OWN, "0.0000001", [["self", "0.0000014", OWN]]])));
    let told = row(&[(OWN, 100)], &[("", 90)], 10);
    assert_eq!(told, Some(json!(["send", OWN, "0.0000001", [["out", "0.0000009", "unknown"]]])));
    assert_eq!(row(&[(SHOP, 100)], &[(MINER, 90)], 10), None);
}

#[test]
fn sums_beyond_what_a_number_holds_are_no_row() {
    assert_eq!(row(&[(OWN, u64::MAX), (OWN, 1)], &[(SHOP, 1)], 1), None);
    assert_eq!(row(&[(SHOP, 1)], &[(OWN, u64::MAX), (OWN, 1)], 1), None);
}
