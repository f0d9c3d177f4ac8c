//! Tests of the parts of the feature; stories of a visitor stand in `tests/scenarios`.

mod build;
mod quote;
mod tokens;

use super::Target;
use super::quote::{self as quotes, Question, Quote};
use super::tokens::Coin;
use portico_api::swap::{COIN, SLIPPAGE, SWAP_CHAINS};
use portico_calldata::{Contract, Protocol, hex};
use portico_json::{parse, read_sound};
use portico_terms::{Amount, ChainId};
use portico_testkit::exchange::{ROUTER, WRAPPED};

const USER: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const USDC: &str = "0x00000000000000000000000000000000000000c0";
const NOW: u64 = 1_700_000_000_000;

fn coin(symbol: &str, address: &str, decimals: u8) -> Coin {
    Coin { name: symbol.into(), symbol: symbol.into(), address: address.into(), decimals, icon: None }
}

/// 1,000 USDC for coins, or the other way round.
fn question(native: bool) -> Question {
    let (usdc, ether) = (coin("USDC", USDC, 6), coin("ETH", COIN, 18));
    let (from, to) = if native { (ether, usdc) } else { (usdc, ether) };
    Question {
        chain: ChainId::eip155(1),
        address: USER.into(),
        from,
        to,
        amount: Amount::from(1_000_000_000u32),
        typed: Target::SourceToken,
    }
}

fn id(address: &str) -> String {
    format!("eip155:1:{address}")
}

fn told(native: bool) -> String {
    let (from, to) = if native { (COIN, USDC) } else { (USDC, COIN) };
    let spender = if native { "null".into() } else { format!("\"{}\"", id(ROUTER)) };
    format!(
        r#"{{"id":"q1","provider":"onchain","fromAmount":"1000000000","fromAccount":"{}","toAmount":"100000","toAmountMin":"99000","toAccount":"{}","route":[{{"name":"Uniswap V3 0.05%","from":"","to":""}}],"priceImpact":"0.12","fee":"0.05","spender":{spender},"allowance":"0","gas":"180000","expiry":1700000060}}"#,
        id(from),
        id(to)
    )
}

/// Contracts of the chain: the router, and this wrapped coin.
fn contracts(wrapped: &str) -> [Contract; 2] {
    [(Protocol::UniswapV2, ROUTER), (Protocol::WrappedCoin, wrapped)]
        .map(|(protocol, address)| Contract { protocol, address: hex::address(address).unwrap() })
}

/// First quote of a response that matches the question.
fn best(answer: &str, question: &Question) -> Option<Quote> {
    quotes::best(read_sound(&parse(answer).ok()?, &mut 0)?, question, &contracts(WRAPPED), NOW)
}

fn read_quote(item: &str, native: bool) -> Option<Quote> {
    best(&format!(r#"{{"quotes":[{item}]}}"#), &question(native))
}

#[test]
fn spec_9_7_and_9_10_the_slippage_is_one_per_cent_and_twelve_chains_are_known_to_swap() {
    assert_eq!(SLIPPAGE, 1);
    assert_eq!(SWAP_CHAINS, [1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1313161554]);
}
