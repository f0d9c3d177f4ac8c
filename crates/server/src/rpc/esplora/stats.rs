//! Balances and outputs of an address, and fees.

use super::is_hash;
use super::transaction::{MOST_SATOSHIS, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Satoshis per virtual byte beyond which no fee is believed.
const HIGHEST_RATE: f64 = 100_000.0;

#[derive(Deserialize)]
struct Utxo {
    txid: String,
    vout: u32,
    value: u64,
    status: Status,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    txid: String,
    output_index: u32,
    satoshis: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
}

pub(super) fn utxos(text: &str) -> Option<String> {
    let all: Vec<Utxo> = serde_json::from_str(text).ok()?;
    let written = |utxo: Utxo| {
        let fits = is_hash(&utxo.txid) && utxo.value <= MOST_SATOSHIS;
        let height = utxo.status.height()?;
        fits.then_some(Written { txid: utxo.txid, output_index: utxo.vout, satoshis: utxo.value, height })
    };
    let all: Vec<Written> = all.into_iter().map(written).collect::<Option<_>>()?;
    serde_json::to_string(&all).ok()
}

#[derive(Deserialize)]
struct Address {
    address: String,
    chain_stats: Sums,
    mempool_stats: Sums,
}

/// Sums of all outputs that the address ever had.
#[derive(Deserialize)]
struct Sums {
    funded_txo_sum: u64,
    spent_txo_sum: u64,
}

impl Sums {
    fn left(&self) -> i128 {
        i128::from(self.funded_txo_sum) - i128::from(self.spent_txo_sum)
    }
}

pub(super) fn balance(address: &str, text: &str) -> Option<String> {
    let said: Address = serde_json::from_str(text).ok()?;
    let left = said.chain_stats.left() + said.mempool_stats.left();
    let balance = u64::try_from(left).ok().filter(|left| *left <= MOST_SATOSHIS)?;
    (said.address == address).then(|| format!(r#"{{"balance":{balance}}}"#))
}

/// Fee in BTC per 1000 virtual bytes; `Some(None)` from a node that has no estimates.
pub(super) fn fee(blocks: u16, text: &str) -> Option<Option<String>> {
    let said: BTreeMap<u16, f64> = serde_json::from_str(text).ok()?;
    let found = said.range(..=blocks).next_back().or_else(|| said.first_key_value());
    let Some((target, rate)) = found else { return Some(None) };
    if !(*rate > 0.0 && *rate <= HIGHEST_RATE) {
        return None;
    }
    // Rounded up, as a fee below the estimate would miss its block. Less than a millionth is the error of binary fractions.
    let satoshis = (rate * 1_000.0 - 1e-6).ceil().max(1.0) as u64;
    let (whole, part) = (satoshis / 100_000_000, satoshis % 100_000_000);
    Some(Some(format!(r#"{{"feerate":{whole}.{part:08},"blocks":{target}}}"#)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const ADDRESS: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

    #[test]
    fn the_fee_is_that_of_the_farthest_block_that_is_near_enough() {
        let said = r#"{"1":87.882,"2":40,"6":1.0,"144":0.1}"#;
        for (blocks, expected) in [
            (1, r#"{"feerate":0.00087882,"blocks":1}"#),
            (2, r#"{"feerate":0.00040000,"blocks":2}"#),
            (5, r#"{"feerate":0.00040000,"blocks":2}"#),
            (6, r#"{"feerate":0.00001000,"blocks":6}"#),
            (1008, r#"{"feerate":0.00000100,"blocks":144}"#),
        ] {
            assert_eq!(fee(blocks, said).unwrap().as_deref(), Some(expected), "{blocks}");
        }
        assert_eq!(fee(1, r#"{"3":1234.56781}"#).unwrap().unwrap(), r#"{"feerate":0.01234568,"blocks":3}"#);
        assert_eq!(fee(6, "{}"), Some(None));
    }

    #[test]
    fn a_fee_that_cannot_be_is_none() {
        for said in [
            r#"{"1":0}"#,
            r#"{"1":-1}"#,
            r#"{"1":1e300}"#,
            r#"{"1":1e999}"#,
            r#"{"1":"2"}"#,
            r#"{"1":null}"#,
            r#"{"x":1}"#,
            r#"{"99999999":1}"#,
            "[]",
            "null",
            "7",
        ] {
            assert_eq!(fee(6, said), None, "{said}");
        }
    }

    fn stats(funded: &str, spent: &str) -> String {
        format!(r#"{{"funded_txo_count":1,"funded_txo_sum":{funded},"spent_txo_sum":{spent},"tx_count":2}}"#)
    }

    fn told(address: &str, chain: &str, mempool: &str) -> Option<String> {
        balance(ADDRESS, &format!(r#"{{"address":"{address}","chain_stats":{chain},"mempool_stats":{mempool}}}"#))
    }

    #[test]
    fn a_balance_counts_what_is_not_confirmed_yet() {
        let told = told(ADDRESS, &stats("150000000", "50000000"), &stats("7", "1000007"));
        assert_eq!(told.as_deref(), Some(r#"{"balance":99000000}"#));
    }

    #[test]
    fn a_balance_below_zero_above_all_coins_or_of_another_address_is_none() {
        let nothing = stats("0", "0");
        let most = stats("2100000000000000", "0");
        assert!(told(ADDRESS, &most, &nothing).is_some());
        for (address, chain, mempool) in [
            (ADDRESS, stats("1", "0"), stats("0", "2")),
            (ADDRESS, most, stats("1", "0")),
            (ADDRESS, stats("18446744073709551615", "0"), stats("18446744073709551615", "0")),
            (ADDRESS, stats("1e3", "0"), nothing.clone()),
            (ADDRESS, stats("-1", "0"), nothing.clone()),
            (ADDRESS, stats("\"1\"", "0"), nothing.clone()),
            (ADDRESS, "{}".into(), nothing.clone()),
            ("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", nothing.clone(), nothing),
        ] {
            assert_eq!(told(address, &chain, &mempool), None, "{chain} {mempool}");
        }
    }

    #[test]
    fn an_output_has_a_height_once_it_is_confirmed() {
        let id = "ab".repeat(32);
        let told = utxos(
            &json!([
                {"txid": id, "vout": 1, "status": {"confirmed": true, "block_height": 100, "block_hash": id, "block_time": 1}, "value": 7},
                {"txid": id, "vout": 2, "status": {"confirmed": false}, "value": 8},
            ])
            .to_string(),
        );
        let expected = json!([
            {"txid": id, "outputIndex": 1, "satoshis": 7, "height": 100},
            {"txid": id, "outputIndex": 2, "satoshis": 8},
        ]);
        assert_eq!(serde_json::from_str::<Value>(&told.unwrap()).unwrap(), expected);
        assert_eq!(utxos("[]").as_deref(), Some("[]"));
    }

    #[test]
    fn one_output_that_cannot_be_spoils_the_list() {
        let id = "ab".repeat(32);
        let good = json!({"txid": id, "vout": 1, "status": {"confirmed": false}, "value": 7});
        for (field, value) in [
            ("txid", json!("../tx")),
            ("txid", json!(7)),
            ("vout", json!(-1)),
            ("vout", json!(4_294_967_296_u64)),
            ("value", json!(2_100_000_000_000_001_u64)),
            ("value", json!(1.5)),
            ("value", json!("7")),
            ("status", json!({"confirmed": true})),
            ("status", json!({"confirmed": "yes"})),
            ("status", json!(null)),
        ] {
            let mut wrong = good.clone();
            wrong[field] = value.clone();
            assert_eq!(utxos(&json!([good, wrong]).to_string()), None, "{field} {value}");
        }
        for text in ["{}", "null", "7", "[7]", "[[]]"] {
            assert_eq!(utxos(text), None, "{text}");
        }
    }
}
