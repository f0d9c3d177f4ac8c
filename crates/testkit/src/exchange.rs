//! Exchange of a World: its contracts, calls to it, and what a chain that simulates them says.

use portico_calldata::{Address, Call, NATIVE, Protocol, decode, hex};
use portico_json::Value;
use portico_terms::Amount;

/// V2 router of the exchange on the first chain.
pub const ROUTER: &str = "0x00000000000000000000000000000000000000aa";

/// Address that stands for the coin of a chain.
pub const COIN: &str = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/// Wrapped coin of the first chain.
pub const WRAPPED: &str = "0x00000000000000000000000000000000000000e0";

/// Options of a host with a server, whose first chain has the exchange.
pub fn hosted(options: &str) -> String {
    hosted_with(options, Protocol::UniswapV2)
}

/// As [`hosted`], where the router has another protocol.
pub fn hosted_with(options: &str, router: Protocol) -> String {
    let contract =
        |protocol: Protocol, address| format!(r#"{{"protocol":"{}","address":"{address}"}}"#, protocol.word());
    let contracts = [contract(router, ROUTER), contract(Protocol::WrappedCoin, WRAPPED)].join(",");
    let more = format!(r#"{{"endpoints":"https://host.example","swapContracts":{{"eip155:31337":[{contracts}]}},"#);
    options.replacen('{', &more, 1)
}

/// Calldata of a swap by the exchange's router: of `from` for at least `least` of `to`. Without an amount the coin is paid.
pub fn swap_call(user: &str, from: &str, to: &str, amount: Option<u128>, least: u128) -> String {
    let native = |token: &str| hex::address(token) == Some(NATIVE);
    let word = |address: &str| format!("{:0>64}", address.trim_start_matches("0x").to_lowercase());
    let token = |token: &str| word(if native(token) { WRAPPED } else { token });
    let selector = match (native(from), native(to)) {
        (true, _) => "b6f9de95",
        (false, true) => "791ac947",
        (false, false) => "5c11d795",
    };
    let paid = amount.filter(|_| !native(from)).map(|amount| format!("{amount:064x}")).unwrap_or_default();
    let offset = if paid.is_empty() { 0x80 } else { 0xa0 };
    let deadline = 4_000_000_000_u64;
    format!(
        "0x{selector}{paid}{least:064x}{offset:064x}{}{deadline:064x}{:064x}{}{}",
        word(user),
        2,
        token(from),
        token(to)
    )
}

/// Calldata of a swap by the exchange's router: of at most `most` of `from` for exactly `out` of `to`.
pub fn buy_call(user: &str, from: &str, to: &str, most: u128, out: u128) -> String {
    let native = |token: &str| hex::address(token) == Some(NATIVE);
    let word = |address: &str| format!("{:0>64}", address.trim_start_matches("0x").to_lowercase());
    let token = |token: &str| word(if native(token) { WRAPPED } else { token });
    let (selector, most, offset) = match (native(from), native(to)) {
        (true, _) => ("fb3bdb41", String::new(), 0x80),
        (false, true) => ("4a25d94a", format!("{most:064x}"), 0xa0),
        (false, false) => ("8803dbee", format!("{most:064x}"), 0xa0),
    };
    let deadline = 4_000_000_000_u64;
    format!(
        "0x{selector}{out:064x}{most}{offset:064x}{}{deadline:064x}{:064x}{}{}",
        word(user),
        2,
        token(from),
        token(to)
    )
}

/// Part of a maximum that a swap for an exact amount does not need: the inverse of a hundredth on top.
const REST: u32 = 101;

/// Result of `eth_simulateV1` on a chain whose contracts do what the calldata says.
pub fn simulated(params: &Value) -> Value {
    let asked = params.as_list().and_then(<[Value]>::first).cloned().unwrap_or_default();
    let blocks = asked.get("blockStateCalls").as_list().unwrap_or_default();
    let calls = blocks.iter().flat_map(|block| block.get("calls").as_list().unwrap_or_default());
    let results = calls.map(|call| done(logs(call).unwrap_or_default())).collect();
    Value::List(vec![object(vec![("calls", Value::List(results))])])
}

/// Result of one simulated call with these logs.
pub fn done(logs: Vec<Value>) -> Value {
    object(vec![("status", "0x1".into()), ("logs", Value::List(logs))])
}

/// Log of a contract; an address as a topic is padded.
pub fn log(contract: &str, topics: &[&str], data: &str) -> Value {
    let padded = |topic: &&str| match topic.len() {
        42 => Value::Text(format!("0x{:0>64}", topic[2..].to_lowercase())),
        _ => Value::Text((*topic).into()),
    };
    let topics = topics.iter().map(padded).collect();
    object(vec![("address", contract.into()), ("topics", Value::List(topics)), ("data", data.into())])
}

/// Log of an EIP-20 transfer, or of one of the coin.
pub fn transfer(token: &str, from: &str, to: &str, amount: Amount) -> Value {
    let topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    log(token, &[topic, from, to], &word(amount))
}

fn word(amount: Amount) -> String {
    format!("0x{:0>64}", &amount.to_hex()[2..])
}

fn object(fields: Vec<(&str, Value)>) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
}

fn logs(call: &Value) -> Option<Vec<Value>> {
    let part = |name: &str| call.get(name).as_str();
    let (from, to) = (part("from")?, part("to")?);
    let data = hex::bytes(part("data")?)?;
    if let Some(approval) = data.strip_prefix(&[0x09, 0x5e, 0xa7, 0xb3]) {
        let topic = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
        let spender = hex::text(&approval.get(12..32)?.try_into().ok()?);
        let amount = Amount::from_be_bytes(approval.get(32..64)?.try_into().ok()?);
        return Some(vec![log(to, &[topic, from, &spender], &word(amount))]);
    }
    let value = Amount::from_hex(part("value").unwrap_or("0x0")).ok()?;
    let address = |text: &str| hex::address(text);
    let target: Address = address(to)?;
    let asked = Call { from: address(from)?, to: target, value, data: &data };
    let swap = Protocol::ALL.into_iter().find_map(|protocol| decode(protocol, address(WRAPPED), &asked))?;
    let (paid, bought) = (hex::text(&swap.from), hex::text(&swap.to));
    let receiver = hex::text(&swap.receiver);
    let arrives = transfer(&bought, to, &receiver, swap.least);
    if swap.exact.is_paid() {
        return Some(vec![transfer(&paid, from, to, swap.amount), arrives]);
    }
    let (rest, _) = swap.amount.divided(REST)?;
    // The coin is sent along whole, and what is not needed comes back; a token is taken as far as it is needed.
    Some(match value.is_zero() {
        true => vec![transfer(&paid, from, to, swap.amount.minus(rest)?), arrives],
        false => vec![transfer(&paid, from, to, swap.amount), arrives, transfer(&paid, to, from, rest)],
    })
}
