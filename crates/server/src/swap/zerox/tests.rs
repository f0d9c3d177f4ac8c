use super::*;
use crate::swap::check::{self, tests::order};
use alloy_primitives::{U256, address, hex};
use alloy_sol_types::{SolCall, sol};
use portico_json::parse;

sol! {
    function exec(address operator, address token, uint256 amount, address target, bytes data) external payable returns (bytes memory result);
}

const USER: Address = address!("f39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
const USDC: Coin = Coin(address!("A0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"));
const DAI: Coin = Coin(address!("6B175474E89094C44Da98b954EedeAC495271d0F"));
const PRICE: &str = include_str!("../../../../../fixtures/api/zerox/price.json");
const QUOTE: &str = include_str!("../../../../../fixtures/api/zerox/quote.json");
const ALLOWANCE_HOLDER: Address = address!("0000000000001fF3684f28c67538d4D072C22734");
const NOW: u64 = 1_800_000_000;
const LEAST: u128 = 989_505_000_000_000_000_000;

fn usual() -> Order {
    order(USDC, DAI, U256::from(1_000_000_000), USER, U256::from(LEAST))
}

fn looked(built: &Built) -> Result<(), Breach> {
    let routers = Routers { targets: vec![ALLOWANCE_HOLDER], spenders: vec![ALLOWANCE_HOLDER] };
    check::built(&usual(), built, read(&usual(), built).as_ref(), &routers, NOW)
}

#[test]
fn a_price_is_read_where_it_is_for_what_was_asked() {
    let told = |change: &str, to: &str| found(&parse(&PRICE.replace(change, to)).unwrap(), &usual().trade);
    let price = told("", "").unwrap().unwrap();
    assert_eq!((price.spender, price.gas), (Some(ALLOWANCE_HOLDER), 288_079));
    assert_eq!(price.route[0].name, "Uniswap V3, Maker PSM");
    assert_eq!(told("\"sellAmount\": \"1000000000\"", "\"sellAmount\": \"1000000001\""), Err(Breach::Amount));
    assert_eq!(told("\"sellToken\": \"0xa0b8", "\"sellToken\": \"0xb0b8"), Err(Breach::Token));
    for to in
        ["-1", "1.5", "1e18", "", "115792089237316195423570985008687907853269984665640564039457584007913129639936"]
    {
        let to = format!("\"buyAmount\": \"{to}\"");
        assert_eq!(told("\"buyAmount\": \"999500000000000000000\"", &to), Ok(None), "{to}");
    }
    assert_eq!(found(&parse("[]").unwrap(), &usual().trade), Err(Breach::Token));
}

#[test]
fn a_transaction_is_read_and_one_that_was_changed_is_refused() {
    let call = built(&parse(QUOTE).unwrap()).unwrap();
    assert_eq!(looked(&call), Ok(()));
    let text = hex::encode(&call.data);
    let changed = |change: &str, to: &str| {
        assert!(text.contains(change), "{change}");
        looked(&Built { data: hex::decode(text.replacen(change, to, 1)).unwrap(), ..call.clone() })
    };
    let other = "05".repeat(20);
    assert_eq!(changed("f39fd6e51aad88f6f4ce6ab8827279cfffb92266", &other), Err(Breach::Receiver));
    assert_eq!(changed("a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", &other), Err(Breach::Token));
    assert_eq!(changed("6b175474e89094c44da98b954eedeac495271d0f", &other), Err(Breach::Token));
    assert_eq!(changed(&format!("{LEAST:064x}"), &format!("{:064x}", LEAST - 1)), Err(Breach::Least));
    assert_eq!(changed(&format!("{:064x}", 1_000_000_000), &format!("{:064x}", 1_000_000_001)), Err(Breach::Amount));
    // A contract other than the called one could take the token.
    assert_eq!(changed("7f6cee965959295cc64d0e6c00d99d6532d8e86b", &other), Err(Breach::Unreadable));
    assert_eq!(changed("1fff991f", "12345678"), Err(Breach::Unreadable));
    assert_eq!(looked(&Built { to: Address::repeat_byte(5), ..call.clone() }), Err(Breach::Target));
    assert_eq!(looked(&Built { value: U256::ONE, ..call }), Err(Breach::Value));
}

#[test]
fn bytes_that_hide_something_are_refused() {
    let call = built(&parse(QUOTE).unwrap()).unwrap();
    let text = hex::encode(&call.data);
    let with = |text: String| looked(&Built { data: hex::decode(text).unwrap(), ..call.clone() });
    assert_eq!(with(text.clone()), Ok(()));
    assert_eq!(with(format!("{text}deadbeef")), Err(Breach::Unreadable));
    let dirty = text.replacen(&format!("{}f39fd6", "00".repeat(12)), &format!("{}f39fd6", "01".repeat(12)), 1);
    assert_ne!(dirty, text);
    assert_eq!(with(dirty), Err(Breach::Unreadable));
    // Trailing bytes inside the call of the Settler.
    let outer = execCall::abi_decode(&call.data).unwrap();
    let longer = execCall { data: [&outer.data[..], &[0; 32][..]].concat().into(), ..outer }.abi_encode();
    assert_eq!(with(hex::encode(longer)), Err(Breach::Unreadable));
}

#[test]
fn an_answer_without_a_transaction_is_none() {
    for text in [
        "{}",
        "[]",
        PRICE,
        &QUOTE.replace("\"data\": \"0x", "\"data\": \""),
        &QUOTE.replace("\"value\": \"0\"", "\"value\": \"-1\""),
    ] {
        assert_eq!(built(&parse(text).unwrap()), None);
    }
}

#[test]
fn the_registry_names_a_contract_or_none() {
    let word = |text: &str| hex::decode(text).unwrap();
    let whole = format!("{}{}", "00".repeat(12), "7f".repeat(20));
    assert_eq!(settler(&word(&whole)), Some(Address::repeat_byte(0x7f)));
    for nothing in ["", "00", &"00".repeat(32), &"7f".repeat(32), &"7f".repeat(20), &format!("{whole}{whole}")] {
        assert_eq!(settler(&word(nothing)), None, "{nothing}");
    }
}
