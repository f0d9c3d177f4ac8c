//! Lists of tokens: which rows are kept, and which names are believed.

use super::{USDC, coin, id};
use crate::facts::Facts;
use crate::swap::tokens::{self, Coin};
use portico_api::swap::{COIN, SwapToken};
use portico_json::{parse, read_sound, to_text};
use portico_terms::{ChainId, Network};
use portico_testkit::exchange::ROUTER;
use std::rc::Rc;

/// Facts with Ethereum, as a host configures it.
fn facts() -> Facts {
    let network = parse(
        r#"{"id":1,"name":"Ethereum","nativeCurrency":{"name":"Ether","symbol":"ETH","decimals":18},"rpcUrls":{"default":{"http":["https://rpc.example"]}}}"#,
    );
    Facts { networks: vec![Rc::new(Network::from_host(&network.unwrap()).unwrap())], ..Facts::default() }
}

/// Tokens of a list that can be swapped on Ethereum.
fn usable(answer: &str) -> Option<Vec<Coin>> {
    Some(tokens::usable(read_sound(&parse(answer).unwrap(), &mut 0)?, &ChainId::eip155(1), &facts()))
}

#[test]
fn what_the_coin_is_called_and_how_it_counts_the_host_says_and_no_list() {
    let token = SwapToken { name: "Tether".into(), symbol: "USDT".into(), decimals: 19, ..SwapToken::default() };
    let item = to_text(&SwapToken { address: id(COIN), ..token });
    let list = usable(&format!(r#"{{"tokens":[{item}],"provider":"onchain"}}"#)).unwrap();
    assert_eq!(list, [coin("ETH", COIN, 18)].map(|coin| Coin { name: "Ether".into(), ..coin }));
}

#[test]
fn a_list_that_calls_another_contract_by_a_known_symbol_is_not_believed() {
    let known = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
    let token = |symbol: &str, address: &str| {
        format!(
            r#"{{"name":"USD Coin","symbol":"{symbol}","address":"{}","decimals":6,"logoUri":"","eip2612":false}}"#,
            id(address)
        )
    };
    let symbols = |items: &[String]| -> Vec<String> {
        let list = usable(&format!(r#"{{"tokens":[{}],"provider":"onchain"}}"#, items.join(","))).unwrap();
        list.into_iter().map(|coin| coin.symbol).collect()
    };
    // Another contract as USDC and as the chain's own coin, and the contract of USDC as DAI.
    assert_eq!(
        symbols(&[token("USDC", ROUTER), token("usdc", ROUTER), token("ETH", ROUTER), token("DAI", known)]),
        [""; 0]
    );
    // Letters that look the same.
    assert_eq!(symbols(&[token("USDС", ROUTER), token("USDC\u{301}", ROUTER), token("ＵＳＤＣ", ROUTER)]), [""; 0]);
    assert_eq!(symbols(&[token("USDC", known), token("GOLD", ROUTER)]), ["USDC", "GOLD"]);
}

#[test]
fn a_list_keeps_what_can_be_read_each_address_once() {
    let token = |symbol: &str, address: &str, decimals: &str| {
        format!(
            r#"{{"name":"","symbol":"{symbol}","address":"{address}","decimals":{decimals},"logoUri":"","eip2612":false}}"#
        )
    };
    let items = [
        token("ETH", &id(COIN), "18"),
        token("GOLD", &id(USDC), "6"),
        token("TWICE", &id(&USDC.to_uppercase().replace("0X", "0x")), "6"),
        token("", &id(ROUTER), "6"),
        token("FAR", "eip155:10:0x00000000000000000000000000000000000000ab", "6"),
        token("SHORT", "eip155:1:0x12", "6"),
        token("MANY", &id("0x00000000000000000000000000000000000000ac"), "37"),
        token("TEXT", &id("0x00000000000000000000000000000000000000ad"), "\"6\""),
        "7".into(),
    ];
    let list = usable(&format!(r#"{{"tokens":[{}],"provider":"onchain"}}"#, items.join(","))).unwrap();
    let symbols: Vec<&str> = list.iter().map(|coin| coin.symbol.as_str()).collect();
    assert_eq!(symbols, ["ETH", "GOLD"]);
    assert_eq!(list[1].name, "GOLD");
    for nonsense in ["null", "[]", r#"{"tokens":7}"#] {
        assert_eq!(usable(nonsense), None);
    }
}
