//! 0x: AllowanceHolder's `exec` and the `execute` of a Settler inside it
//! (<https://0x.org/docs/developer-resources/core-concepts/contracts>).

use crate::abi::{Selector, arguments};
use crate::{Address, Call, DecodedSwap, Exact, NATIVE};

/// `exec(address,address,uint256,address,bytes)`
const EXEC: Selector = [0x22, 0x13, 0xbc, 0x0b];
/// `execute((address,address,uint256),bytes[],bytes32)`
const EXECUTE: Selector = [0x1f, 0xff, 0x99, 0x1f];

/// Registry of the current Settler, at this address on all chains (<https://github.com/0xProject/0x-settler>, "How do I find the most recent
/// deployment?"). AllowanceHolder lets the contract that it calls take the token, so it must call no other contract.
pub const REGISTRY: Address = [
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x53, 0x3f, 0xe1, 0x55, 0x56, 0xb1, 0xe0, 0x86, 0xbb, 0x1a, 0x72, 0xce,
    0xae,
];

/// Call of [`REGISTRY`] for the Settler of swaps that the user sends: `ownerOf(2)`. It reverts while 0x has paused its Settlers.
pub const SETTLER: &str = "0x6352211e0000000000000000000000000000000000000000000000000000000000000002";

/// Call of [`REGISTRY`] for the previous Settler, which stays in use for some time after a new one: `prev(2)`.
pub const PREVIOUS_SETTLER: &str = "0xe2603dc20000000000000000000000000000000000000000000000000000000000000002";

pub fn decode(call: &Call) -> Option<DecodedSwap> {
    let mut of = arguments(call.data, EXEC, 5)?;
    let (operator, token, amount) = (of.address()?, of.address()?, of.number()?);
    let (target, inner) = (of.address()?, of.bytes()?);
    of.done()?;
    let mut of = arguments(inner, EXECUTE, 5)?;
    let (receiver, to, least) = (of.address()?, of.address()?, of.number()?);
    of.many_bytes()?;
    of.any_word()?;
    of.done()?;
    let (from, amount) = if call.value.is_zero() {
        (token, amount)
    } else {
        // The coin is sent along; the call must not take a token beside it.
        (amount.is_zero() || token == NATIVE).then_some((NATIVE, call.value))?
    };
    // Only the called contract may take the token.
    let (exact, deadline) = (Exact::Paid, None);
    let decoded = DecodedSwap { receiver, from, to, amount, least, exact, deadline, settler: Some(target) };
    (operator == target).then_some(decoded)
}
