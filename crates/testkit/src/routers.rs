//! Honest calls of the routers other than the exchange's own: one published form of each protocol.

use crate::exchange::{COIN, WRAPPED};
use portico_calldata::Protocol;

/// Contract that 0x's AllowanceHolder calls in [`Order::call`].
pub const SETTLER: &str = "0x00000000000000000000000000000000000005e7";

/// Swap that a call asks a router for.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// Account that receives.
    pub receiver: &'a str,
    /// Token that is paid, or [`COIN`].
    pub from: &'a str,
    /// Token that is bought.
    pub to: &'a str,
    /// Amount that is paid.
    pub amount: u128,
    /// Minimum amount that is bought.
    pub least: u128,
}

impl Order<'_> {
    /// Calldata of this swap at a router of this protocol; the coin is sent along.
    ///
    /// # Panics
    /// If [`crate::exchange::swap_call`] is the way to call the protocol.
    pub fn call(&self, protocol: Protocol) -> String {
        match protocol {
            Protocol::SwapRouter => self.swap_router(),
            Protocol::UniversalRouter => self.universal_router(),
            Protocol::Lifi => self.lifi(),
            Protocol::AllowanceHolder => self.allowance_holder(),
            Protocol::Oneinch => self.oneinch(),
            _ => panic!("{protocol:?} has no form here"),
        }
    }

    fn pays_coin(&self) -> bool {
        self.from == COIN
    }

    /// Address of the paid token where a router wraps the coin.
    fn wrapped(&self) -> &str {
        if self.pays_coin() { WRAPPED } else { self.from }
    }

    /// `exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))`
    fn swap_router(&self) -> String {
        let words = [
            address(self.wrapped()),
            address(self.to),
            number(500),
            address(self.receiver),
            number(LATER),
            number(self.amount),
            number(self.least),
            number(0),
        ];
        format!("0x414bf389{}", words.concat())
    }

    /// `execute(bytes,bytes[],uint256)`: wraps the coin where it is paid, then swaps in a V3 pool.
    fn universal_router(&self) -> String {
        let path = format!("{}0001f4{}", &self.wrapped()[2..], &self.to[2..]);
        let payer = u128::from(!self.pays_coin());
        let (receiver, amount, least) = (address(self.receiver), number(self.amount), number(self.least));
        let swap = [receiver, amount, least, number(0xa0), number(payer), bytes(&path)].concat();
        let wrap = [address(&format!("0x{:040x}", 2)), number(self.amount)].concat();
        let (commands, inputs) = if self.pays_coin() { ("0b00", vec![wrap, swap]) } else { ("00", vec![swap]) };
        let (commands, inputs) = (bytes(commands), list_of_bytes(&inputs));
        let head = [number(0x60), number(0x60 + size(&commands)), number(LATER)].concat();
        format!("0x3593564c{head}{commands}{inputs}")
    }

    /// `swapTokensSingleV3NativeToERC20` and `swapTokensSingleV3ERC20ToERC20`
    fn lifi(&self) -> String {
        let (selector, paid) = match self.pays_coin() {
            true => ("af7060fd", number(0)),
            false => ("4666fc80", address(self.from)),
        };
        let (integrator, referrer) = (bytes("706f727469636f"), bytes("3078"));
        let exchange = address("0x0000000000000000000000000000000000000005");
        let facts = [exchange.clone(), exchange, paid, address(self.to), number(self.amount), number(0xe0), number(1)];
        let step = facts.concat() + &bytes("010203");
        let second = 0xc0 + size(&integrator);
        let third = second + size(&referrer);
        let head = [number(7), number(0xc0), number(second), address(self.receiver), number(self.least), number(third)];
        format!("0x{selector}{}{integrator}{referrer}{step}", head.concat())
    }

    /// `exec(address,address,uint256,address,bytes)` with a Settler's `execute((address,address,uint256),bytes[],bytes32)`
    fn allowance_holder(&self) -> String {
        let slippage = [address(self.receiver), address(self.to), number(self.least), number(0xa0), number(0)];
        let inner = format!("1fff991f{}{}", slippage.concat(), list_of_bytes(&[word("010203")]));
        let (token, amount) = if self.pays_coin() { (number(0), 0) } else { (address(self.from), self.amount) };
        let head = [address(SETTLER), token, number(amount), address(SETTLER), number(0xa0)];
        format!("0x2213bc0b{}{}", head.concat(), bytes(&inner))
    }

    /// `swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)`
    fn oneinch(&self) -> String {
        let executor = address("0x0000000000000000000000000000000000000005");
        let words = [
            executor.clone(),
            address(self.from),
            address(self.to),
            executor,
            address(self.receiver),
            number(self.amount),
            number(self.least),
            number(4),
            number(0x120),
        ];
        format!("0x07ed2379{}{}", words.concat(), bytes("010203"))
    }
}

/// Deadline in epoch seconds.
const LATER: u128 = 4_000_000_000;

fn number(number: u128) -> String {
    format!("{number:064x}")
}

fn address(address: &str) -> String {
    format!("{:0>64}", address.trim_start_matches("0x").to_lowercase())
}

/// Hex digits, filled up to a whole word.
fn word(digits: &str) -> String {
    let width = digits.len().div_ceil(64) * 64;
    format!("{digits:0<width$}")
}

/// Bytes with their length.
fn bytes(digits: &str) -> String {
    number(digits.len() as u128 / 2) + &word(&digits.to_lowercase())
}

/// Number of bytes of encoded words.
fn size(words: &str) -> u128 {
    words.len() as u128 / 2
}

/// `bytes[]` with its length and offsets.
fn list_of_bytes(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| bytes(item)).collect();
    let mut offset = 0x20 * items.len() as u128;
    let mut heads = number(items.len() as u128);
    for item in &items {
        heads += &number(offset);
        offset += size(item);
    }
    heads + &items.concat()
}
