//! Uniswap's Universal Router: `execute(bytes,bytes[],uint256)` (<https://docs.uniswap.org/contracts/universal-router/technical-reference>).
//!
//! One exchange is read: wrap, a V2 or V3 swap of an exact amount, and what hands on its result. Permits and all other commands are refused.

use crate::abi::{Reader, Selector, arguments};
use crate::uniswap::{ends, number_address};
use crate::{Address, Call, DecodedSwap, Exact, NATIVE};
use portico_terms::Amount;

const EXECUTE: Selector = [0x35, 0x93, 0x56, 0x4c];

/// Commands; the highest bit, which lets one fail without the others, is refused.
const V3_EXACT_IN: u8 = 0x00;
const SWEEP: u8 = 0x04;
const V2_EXACT_IN: u8 = 0x08;
const WRAP: u8 = 0x0b;
const UNWRAP: u8 = 0x0c;

pub fn decode(wrapped: Option<Address>, call: &Call) -> Option<DecodedSwap> {
    // Placeholders for the caller and the router.
    let (caller, router) = (number_address(1), number_address(2));
    let mut of = arguments(call.data, EXECUTE, 3)?;
    let (commands, inputs, deadline) = (of.bytes()?, of.many_bytes()?, of.small()?);
    of.done()?;
    let coin_in = !call.value.is_zero();
    let mut steps = commands.iter().copied().zip(&inputs);
    if commands.len() != inputs.len() {
        return None;
    }
    if coin_in {
        let (command, input) = steps.next()?;
        let (receiver, amount) = two(input)?;
        if command != WRAP || receiver != router || amount != call.value {
            return None;
        }
    }
    let (command, input) = steps.next()?;
    let mut of = Reader::new(input, 5);
    let (receiver, amount, least) = (of.address()?, of.number()?, of.number()?);
    let (paid, bought) = match command {
        V3_EXACT_IN => ends(of.bytes()?)?,
        V2_EXACT_IN => {
            let tokens = of.addresses()?;
            let [first, .., last] = tokens[..] else { return None };
            (first, last)
        }
        _ => return None,
    };
    let payer_is_caller = of.flag()?;
    of.done()?;
    // The swap pays the coin just wrapped, or the caller's token.
    if payer_is_caller == coin_in || coin_in && wrapped != Some(paid) {
        return None;
    }
    let (receiver, to, least) = match (steps.next(), steps.next()) {
        (None, None) => (receiver, bought, least),
        (Some((command, input)), None) if receiver == router => handed_on(command, input, bought, wrapped)?,
        _ => return None,
    };
    let receiver = if receiver == caller { call.from } else { receiver };
    let from = if coin_in { NATIVE } else { paid };
    (receiver != router).then_some(DecodedSwap {
        receiver,
        from,
        to,
        amount,
        least,
        exact: Exact::Paid,
        deadline: Some(deadline),
        settler: None,
    })
}

/// Receiver, token and minimum of the command that hands on what the router bought.
fn handed_on(
    command: u8,
    input: &[u8],
    bought: Address,
    wrapped: Option<Address>,
) -> Option<(Address, Address, Amount)> {
    match command {
        UNWRAP if wrapped == Some(bought) => two(input).map(|(receiver, least)| (receiver, NATIVE, least)),
        SWEEP => {
            let mut of = Reader::new(input, 3);
            let (token, receiver, least) = (of.address()?, of.address()?, of.number()?);
            of.done()?;
            (token == bought).then_some((receiver, bought, least))
        }
        _ => None,
    }
}

/// An address and an amount.
fn two(input: &[u8]) -> Option<(Address, Amount)> {
    let mut of = Reader::new(input, 2);
    let values = (of.address()?, of.number()?);
    of.done().map(|()| values)
}
