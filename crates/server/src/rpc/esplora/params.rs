//! Parameters of a client's call.

use super::{EsploraCall, HistoryStart, SEND, is_hash};
use portico_calldata::bitcoin::{Address, form_of};
use portico_terms::ChainId;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Maximum hex digits of a signed transaction.
const LONGEST_RAW: usize = 400_000;

/// Farthest block for which nodes estimate a fee.
const FARTHEST: u16 = 1008;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Output {
    txid: String,
    vout: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Addresses {
    addresses: [String; 1],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    addresses: [String; 1],
    #[serde(default)]
    after: Option<String>,
}

/// Word in place of an id in `after`: the page begins with the newest confirmed transaction.
pub(crate) const CONFIRMED: &str = "confirmed";

const TXID: &str = "Use a transaction id of 64 hex digits in lower case";
const VERBOSE: &str = "Use params [txid] or [txid, true]";
const ADDRESS: &str = "Use a Bitcoin address of this chain";

pub(super) fn read(chain: &ChainId, method: &str, params: &str) -> Result<EsploraCall, &'static str> {
    match method {
        "getblockcount" => {
            list::<[Value; 0]>(params, "Use no params")?;
            Ok(EsploraCall::BlockCount)
        }
        "getblockhash" => {
            let [height] = list::<[u32; 1]>(params, "Use params [height], with the number of a block")?;
            Ok(EsploraCall::BlockHash(height))
        }
        "getrawtransaction" => {
            let given = list::<Vec<Value>>(params, VERBOSE)?;
            let (id, verbose) = match given.as_slice() {
                [Value::String(id)] => (id.as_str(), false),
                [Value::String(id), verbose] => (id.as_str(), is_verbose(verbose).ok_or(VERBOSE)?),
                _ => return Err(VERBOSE),
            };
            let id = hash(id)?.into();
            Ok(if verbose { EsploraCall::Transaction(id) } else { EsploraCall::RawTransaction(id) })
        }
        "gettxspendingprevout" => {
            let sentence = r#"Use params [[{"txid", "vout"}]] with exactly one output"#;
            let [[Output { txid, vout }]] = list::<[[Output; 1]; 1]>(params, sentence)?;
            Ok(EsploraCall::Spending(hash(&txid)?.into(), vout))
        }
        "getaddressutxos" => Ok(EsploraCall::Utxos(one_address(chain, params)?.into())),
        "getaddressbalance" => Ok(EsploraCall::Balance(one_address(chain, params)?.into())),
        "getaddresstransactions" => {
            let sentence = r#"Use params [{"addresses": [address], "after": txid}], or without after"#;
            let [Page { addresses: [address], after }] = list::<[Page; 1]>(params, sentence)?;
            let start = match after.as_deref() {
                None => HistoryStart::Newest,
                Some(CONFIRMED) => HistoryStart::Confirmed,
                Some(id) => HistoryStart::After(hash(id)?.into()),
            };
            Ok(EsploraCall::History(on_chain(chain, &address)?.into(), start))
        }
        "estimatesmartfee" => {
            let sentence = "Use params [blocks], with a number from 1 to 1008";
            let [blocks] = list::<[u16; 1]>(params, sentence)?;
            if (1..=FARTHEST).contains(&blocks) { Ok(EsploraCall::Fee(blocks)) } else { Err(sentence) }
        }
        SEND => {
            let sentence = "Use params [transaction], with at most 400000 hex digits";
            let [raw] = list::<[String; 1]>(params, sentence)?;
            let fits = (2..=LONGEST_RAW).contains(&raw.len()) && raw.len().is_multiple_of(2);
            let is_hex = raw.bytes().all(|byte| byte.is_ascii_hexdigit());
            if fits && is_hex { Ok(EsploraCall::Send(raw.into())) } else { Err(sentence) }
        }
        // The allowlist has no other method.
        _ => Err("Use a method that this chain has"),
    }
}

fn list<T: DeserializeOwned>(params: &str, sentence: &'static str) -> Result<T, &'static str> {
    serde_json::from_str(params).map_err(|_| sentence)
}

/// Bitcoin Core takes a number too.
fn is_verbose(value: &Value) -> Option<bool> {
    match value.as_bool() {
        Some(verbose) => Some(verbose),
        None => value.as_u64().filter(|level| *level <= 1).map(|level| level == 1),
    }
}

fn hash(text: &str) -> Result<&str, &'static str> {
    if is_hash(text) { Ok(text) } else { Err(TXID) }
}

fn one_address(chain: &ChainId, params: &str) -> Result<String, &'static str> {
    let sentence = r#"Use params [{"addresses": [address]}] with exactly one address"#;
    let [Addresses { addresses: [address] }] = list::<[Addresses; 1]>(params, sentence)?;
    on_chain(chain, &address).map(Into::into)
}

/// Checks that it is an address, with its checksum, and one of this chain.
pub(super) fn on_chain<'a>(chain: &ChainId, text: &'a str) -> Result<&'a str, &'static str> {
    let form = form_of(chain.reference()).ok_or("The addresses of this chain aren't known to this server")?;
    let address = Address::parse(text).map_err(|_| ADDRESS)?;
    if address.is_on(form) { Ok(text) } else { Err(ADDRESS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: &str = "bip122:000000000019d6689c085ae165831e93";
    const ADDRESS: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

    fn parse(method: &str, params: &str) -> Result<EsploraCall, &'static str> {
        read(&MAIN.parse().unwrap(), method, params)
    }

    #[test]
    fn a_text_that_could_leave_its_place_in_a_path_is_refused() {
        let id = "ab".repeat(32);
        for text in [
            "",
            "..",
            "../../etc/passwd",
            "%2e%2e",
            &format!("{}/..", &id[3..]),
            &id[1..],
            &format!("{id}0"),
            &id.to_uppercase(),
            &format!("{}\\u0000", &id[1..]),
            &format!("{}?", &id[1..]),
            &format!("{}#", &id[1..]),
            &format!("0x{}", &id[2..]),
        ] {
            for (method, params) in [
                ("getrawtransaction", format!(r#"["{text}"]"#)),
                ("getrawtransaction", format!(r#"["{text}",true]"#)),
                ("gettxspendingprevout", format!(r#"[[{{"txid":"{text}","vout":0}}]]"#)),
                ("getaddresstransactions", format!(r#"[{{"addresses":["{ADDRESS}"],"after":"{text}"}}]"#)),
                ("getaddresstransactions", format!(r#"[{{"addresses":["{text}"]}}]"#)),
                ("getaddressutxos", format!(r#"[{{"addresses":["{text}"]}}]"#)),
                ("getaddressbalance", format!(r#"[{{"addresses":["{text}"]}}]"#)),
                ("sendrawtransaction", format!(r#"["{text}/"]"#)),
            ] {
                assert!(parse(method, &params).is_err(), "{method} {params}");
            }
        }
    }

    #[test]
    fn params_of_another_number_type_or_range_are_refused() {
        let id = "ab".repeat(32);
        for (method, params) in [
            ("getblockcount", "[1]".to_owned()),
            ("getblockcount", "{}".into()),
            ("getblockhash", "[]".into()),
            ("getblockhash", "[-1]".into()),
            ("getblockhash", "[4294967296]".into()),
            ("getblockhash", r#"["1"]"#.into()),
            ("getblockhash", "[1.0]".into()),
            ("getblockhash", "[1,2]".into()),
            ("getrawtransaction", "[]".into()),
            ("getrawtransaction", format!(r#"["{id}",2]"#)),
            ("getrawtransaction", format!(r#"["{id}",null]"#)),
            ("getrawtransaction", format!(r#"["{id}",true,"{id}"]"#)),
            ("getrawtransaction", format!(r#"{{"txid":"{id}"}}"#)),
            ("gettxspendingprevout", "[[]]".into()),
            ("gettxspendingprevout", format!(r#"[[{{"txid":"{id}","vout":-1}}]]"#)),
            ("gettxspendingprevout", format!(r#"[[{{"txid":"{id}","vout":0}},{{"txid":"{id}","vout":1}}]]"#)),
            ("gettxspendingprevout", format!(r#"[[{{"txid":"{id}","vout":0,"more":1}}]]"#)),
            ("getaddressutxos", format!(r#"["{ADDRESS}"]"#)),
            ("getaddressutxos", format!(r#"[{{"addresses":["{ADDRESS}","{ADDRESS}"]}}]"#)),
            ("getaddressbalance", r#"[{"addresses":[]}]"#.into()),
            ("estimatesmartfee", "[0]".into()),
            ("estimatesmartfee", "[1009]".into()),
            ("estimatesmartfee", "[6,\"economical\"]".into()),
            ("sendrawtransaction", r#"["0x00"]"#.into()),
            ("sendrawtransaction", r#"["abc"]"#.into()),
            ("sendrawtransaction", format!(r#"["{}"]"#, "00".repeat(LONGEST_RAW / 2 + 1))),
        ] {
            assert!(parse(method, &params).is_err(), "{method} {params:.200}");
        }
        assert!(parse("sendrawtransaction", &format!(r#"["{}"]"#, "00".repeat(LONGEST_RAW / 2))).is_ok());
    }

    #[test]
    fn an_address_with_another_checksum_or_of_another_network_is_refused() {
        let asked = |address: &str| parse("getaddressutxos", &format!(r#"[{{"addresses":["{address}"]}}]"#));
        assert_eq!(asked(ADDRESS), Ok(EsploraCall::Utxos(ADDRESS.into())));
        for address in [
            "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
            "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
        ] {
            assert_eq!(asked(address), Err(super::ADDRESS), "{address}");
        }
        let other: ChainId = "bip122:00000000000000000000000000000000".parse().unwrap();
        let params = format!(r#"[{{"addresses":["{ADDRESS}"]}}]"#);
        assert!(read(&other, "getaddressutxos", &params).unwrap_err().contains("aren't known"));
    }

    #[test]
    fn a_number_says_verbose_as_a_word_does() {
        let id = "ab".repeat(32);
        for (verbose, expected) in [
            ("true", EsploraCall::Transaction(id.as_str().into())),
            ("1", EsploraCall::Transaction(id.as_str().into())),
            ("false", EsploraCall::RawTransaction(id.as_str().into())),
            ("0", EsploraCall::RawTransaction(id.as_str().into())),
        ] {
            assert_eq!(parse("getrawtransaction", &format!(r#"["{id}",{verbose}]"#)), Ok(expected));
        }
    }
}
