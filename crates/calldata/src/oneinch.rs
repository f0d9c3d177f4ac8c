//! 1inch: `swap` of AggregationRouterV6, the one function whose calldata names the bought token
//! (<https://business.1inch.com/portal/documentation/apis/swap/classic-swap>). Those for a single row of pools (`unoswap` and similar) do
//! not, so a path to another token would pass: they are not read.

use crate::abi::{Selector, arguments};
use crate::{Call, DecodedSwap, Exact};

/// `swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)`
const SWAP: Selector = [0x07, 0xed, 0x23, 0x79];

/// Length in bytes of the vendor's tracking suffix behind the arguments; the router does not read it.
const MARK: usize = 4;

/// Flag that allows a partial fill, which also scales the minimum down.
const PARTIAL_FILL: u32 = 1;

pub fn decode(call: &Call) -> Option<DecodedSwap> {
    let mut of = arguments(call.data, SWAP, 9)?;
    let _executor = of.address()?;
    let (from, to, _source, receiver) = (of.address()?, of.address()?, of.address()?, of.address()?);
    let (amount, least, flags) = (of.number()?, of.number()?, of.number()?);
    of.bytes()?;
    let mark = of.rest()?;
    let (_, partial) = flags.divided(2)?;
    // The zero address stands for the caller.
    let receiver = if receiver == [0; 20] { call.from } else { receiver };
    let decoded = DecodedSwap { receiver, from, to, amount, least, exact: Exact::Paid, deadline: None, settler: None };
    (mark.len() <= MARK && partial != PARTIAL_FILL).then_some(decoded)
}
