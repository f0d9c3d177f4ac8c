use super::*;
use crate::swap::check::{self, Breach, tests::order};
use crate::swap::trade::Coin;
use alloy_primitives::{Address, U256, address, hex};
use portico_json::parse;

const USER: Address = address!("f39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
const USDC: Coin = Coin(address!("A0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"));
const DAI: Coin = Coin(address!("6B175474E89094C44Da98b954EedeAC495271d0F"));
const QUOTE: &str = include_str!("../../../../../fixtures/api/oneinch/quote.json");
const SWAP: &str = include_str!("../../../../../fixtures/api/oneinch/swap.json");
const ROUTER: Address = address!("111111125421cA6dc452d289314280a0f8842A65");
const NOW: u64 = 1_800_000_000;
const LEAST: u128 = 989_505_000_000_000_000_000;

fn usual() -> Order {
    order(USDC, DAI, U256::from(1_000_000_000), USER, U256::from(LEAST))
}

fn looked(order: &Order, built: &Built) -> Result<(), Breach> {
    let routers = Routers { targets: vec![ROUTER], spenders: vec![ROUTER] };
    check::built(order, built, read(order, built).as_ref(), &routers, NOW)
}

#[test]
fn a_quote_is_read_and_one_that_makes_no_sense_is_none() {
    let told = |change: &str, to: &str| found(&parse(&QUOTE.replace(change, to)).unwrap(), &usual().trade);
    let quote = told("", "").unwrap();
    assert_eq!((quote.spender, quote.gas, &*quote.route[0].name), (Some(ROUTER), 245_000, "UNISWAP V3"));
    for to in
        ["-1", "1.5", "1e18", "", "115792089237316195423570985008687907853269984665640564039457584007913129639936"]
    {
        assert_eq!(told("999500000000000000000", to), None, "{to}");
    }
    // Lists nested deeper than the limit.
    let deep = format!("{}{}", "[".repeat(60), "]".repeat(60));
    let deep = format!(r#"{{"dstAmount":"1","protocols":{deep}}}"#);
    assert_eq!(found(&parse(&deep).unwrap(), &usual().trade).unwrap().route[0].name, "1inch");
}

#[test]
fn a_transaction_is_read_and_one_that_was_changed_is_refused() {
    let call = built(&parse(SWAP).unwrap()).unwrap();
    assert_eq!((call.gas, looked(&usual(), &call)), (None, Ok(())));
    let text = hex::encode(&call.data);
    let changed = |change: &str, to: &str| {
        assert!(text.contains(change), "{change}");
        looked(&usual(), &Built { data: hex::decode(text.replacen(change, to, 1)).unwrap(), ..call.clone() })
    };
    let other = "05".repeat(20);
    assert_eq!(changed("f39fd6e51aad88f6f4ce6ab8827279cfffb92266", &other), Err(Breach::Receiver));
    assert_eq!(changed("f39fd6e51aad88f6f4ce6ab8827279cfffb92266", &"00".repeat(20)), Ok(()));
    assert_eq!(changed("a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", &other), Err(Breach::Token));
    assert_eq!(changed("6b175474e89094c44da98b954eedeac495271d0f", &other), Err(Breach::Token));
    assert_eq!(changed(&format!("{LEAST:064x}"), &format!("{:064x}", LEAST - 1)), Err(Breach::Least));
    assert_eq!(changed(&format!("{:064x}", 1_000_000_000), &format!("{:064x}", 999_999_999)), Err(Breach::Amount));
    // Sets the flag for a partial fill.
    assert_eq!(
        changed(&format!("{:064x}{:064x}", LEAST, 4), &format!("{:064x}{:064x}", LEAST, 5)),
        Err(Breach::Unreadable)
    );
    assert_eq!(changed("07ed2379", "12345678"), Err(Breach::Unreadable));
    assert_eq!(looked(&usual(), &Built { from: Some(Address::repeat_byte(5)), ..call }), Err(Breach::Payer));
}

#[test]
fn bytes_that_hide_something_are_refused_but_for_the_mark_of_the_vendor() {
    let call = built(&parse(SWAP).unwrap()).unwrap();
    let text = hex::encode(&call.data);
    let with = |text: String| looked(&usual(), &Built { data: hex::decode(text).unwrap(), ..call.clone() });
    assert_eq!(with(format!("{text}d1f115cb")), Ok(()));
    assert_eq!(with(format!("{text}d1f115cb00")), Err(Breach::Unreadable));
    let dirty = text.replacen(&format!("{}f39fd6", "00".repeat(12)), &format!("{}f39fd6", "01".repeat(12)), 1);
    assert_ne!(dirty, text);
    assert_eq!(with(dirty), Err(Breach::Unreadable));
}

#[test]
fn a_swap_that_does_not_say_what_it_brings_is_refused() {
    // `unoswap(token, amount, minReturn, dex)` and `ethUnoswap(minReturn, dex)` of the router; all their arguments match the order.
    let word = |number: u128| format!("{number:064x}");
    let token = format!("{:0>64}", hex::encode(USDC.0));
    let call = |text: String, value: U256| Built {
        to: ROUTER,
        data: hex::decode(text).unwrap(),
        value,
        from: Some(USER),
        gas: None,
    };
    let over = call(format!("83800a8e{token}{}{}{}", word(1_000_000_000), word(LEAST), word(7)), U256::ZERO);
    assert_eq!(looked(&usual(), &over), Err(Breach::Unreadable));
    let paid = U256::from(1_000_000_000);
    let own = order(Coin::NATIVE, DAI, paid, USER, U256::from(LEAST));
    let over = call(format!("a76dfc3b{}{}", word(LEAST), word(7)), paid);
    assert_eq!(looked(&own, &over), Err(Breach::Unreadable));
}
