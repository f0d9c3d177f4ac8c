//! Calls of Uniswap: the wrapped coin (WETH9), V2 (UniswapV2Router02) and V3 (SwapRouter, SwapRouter02).

use crate::abi::{Reader, Selector, arguments};
use crate::{Address, Call, DecodedSwap, Exact, NATIVE};
use portico_terms::Amount;

/// `deposit()` and `withdraw(uint256)` of the wrapped coin.
const DEPOSIT: Selector = [0xd0, 0xe3, 0x0d, 0xb0];
const WITHDRAW: Selector = [0x2e, 0x1a, 0x7d, 0x4d];

/// Functions of V2. Of each kind that pays an exact amount the second counts what arrives, for tokens with a transfer fee.
const V2: [(Selector, V2Form); 9] = [
    // swapExactETHForTokens…
    ([0x7f, 0xf3, 0x6a, 0xb5], V2Form { coin_in: true, coin_out: false, exact: Exact::Paid }),
    ([0xb6, 0xf9, 0xde, 0x95], V2Form { coin_in: true, coin_out: false, exact: Exact::Paid }),
    // swapExactTokensForETH…
    ([0x18, 0xcb, 0xaf, 0xe5], V2Form { coin_in: false, coin_out: true, exact: Exact::Paid }),
    ([0x79, 0x1a, 0xc9, 0x47], V2Form { coin_in: false, coin_out: true, exact: Exact::Paid }),
    // swapExactTokensForTokens…
    ([0x38, 0xed, 0x17, 0x39], V2Form { coin_in: false, coin_out: false, exact: Exact::Paid }),
    ([0x5c, 0x11, 0xd7, 0x95], V2Form { coin_in: false, coin_out: false, exact: Exact::Paid }),
    // swapETHForExactTokens, which sends back the coin that it does not need; swapTokensForExactETH, swapTokensForExactTokens
    ([0xfb, 0x3b, 0xdb, 0x41], V2Form { coin_in: true, coin_out: false, exact: Exact::Bought }),
    ([0x4a, 0x25, 0xd9, 0x4a], V2Form { coin_in: false, coin_out: true, exact: Exact::Bought }),
    ([0x88, 0x03, 0xdb, 0xee], V2Form { coin_in: false, coin_out: false, exact: Exact::Bought }),
];

/// Kind of a V2 function.
#[derive(Clone, Copy)]
struct V2Form {
    coin_in: bool,
    coin_out: bool,
    exact: Exact,
}

/// `unwrapWETH9(uint256,address)` and `sweepToken(address,uint256,address)` of both V3 routers.
const UNWRAP: Selector = [0x49, 0x40, 0x4b, 0x7c];
const SWEEP: Selector = [0xdf, 0x2a, 0xb5, 0xbb];

/// `refundETH()` of both V3 routers: sends the caller the coin that the router still has.
const REFUND: Selector = [0x12, 0x21, 0x0e, 0x8a];

/// Length of a V3 path through one pool: token, fee, token; each further pool adds a fee and a token.
const SHORTEST_PATH: usize = 43;
const POOL: usize = 23;

/// V3 router. Both have the same functions, but the older one has the deadline inside their arguments.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Generation {
    SwapRouter,
    SwapRouter02,
}

/// Wrapping and unwrapping: the caller pays and receives, one for one.
pub fn wrapping(call: &Call) -> Option<DecodedSwap> {
    let (from, to, amount) = if call.data == DEPOSIT {
        (NATIVE, call.to, call.value)
    } else {
        {
            let mut of = arguments(call.data, WITHDRAW, 1)?;
            let amount = of.number()?;
            of.done()?;
            (call.to, NATIVE, amount)
        }
    };
    let (receiver, exact) = (call.from, Exact::Both);
    Some(DecodedSwap { receiver, from, to, amount, least: amount, exact, deadline: None, settler: None })
}

pub fn v2(wrapped: Option<Address>, call: &Call) -> Option<DecodedSwap> {
    let selector: Selector = *call.data.first_chunk()?;
    let rest = &call.data[4..];
    let (_, V2Form { coin_in, coin_out, exact }) = V2.into_iter().find(|(known, _)| *known == selector)?;
    let mut of = Reader::new(rest, if coin_in { 4 } else { 5 });
    let (amount, least) = match (coin_in, exact) {
        (true, _) => (call.value, of.number()?),
        (false, Exact::Paid | Exact::Both) => (of.number()?, of.number()?),
        (false, Exact::Bought) => {
            let least = of.number()?;
            (of.number()?, least)
        }
    };
    let (path, receiver, deadline) = (of.addresses()?, of.address()?, of.small()?);
    of.done()?;
    let [first, .., last] = path[..] else { return None };
    let own = |is_coin: bool, token: Address| match is_coin {
        true => (wrapped == Some(token)).then_some(NATIVE),
        false => Some(token),
    };
    let (from, to) = (own(coin_in, first)?, own(coin_out, last)?);
    Some(DecodedSwap { receiver, from, to, amount, least, exact, deadline: Some(deadline), settler: None })
}

/// Swap of a V3 router before the router hands on what it bought.
struct Exchange {
    paid: Address,
    bought: Address,
    receiver: Address,
    amount: Amount,
    least: Amount,
    exact: Exact,
    deadline: Option<u64>,
    /// Number of pools.
    pools: usize,
}

pub fn v3(wrapped: Option<Address>, call: &Call, generation: Generation) -> Option<DecodedSwap> {
    let (mut calls, deadline) = batch(call.data, generation)?;
    let exchange = exchange(calls.first()?, generation)?;
    // Coin that an exact purchase does not need would stay in the router, where anybody may take it.
    if exchange.exact.is_bought() && !call.value.is_zero() && calls.pop()? != REFUND {
        return None;
    }
    // A token between two pools could take the coin that was sent along out of the router, which then pays with the sender's wrapped coin.
    if exchange.pools > 1 && !call.value.is_zero() {
        return None;
    }
    // The placeholder for the router itself; the older router reads the zero address so.
    let router = match generation {
        Generation::SwapRouter => number_address(0),
        Generation::SwapRouter02 => number_address(2),
    };
    // The newer router's placeholder for the caller. It knows placeholders as the receiver of an exchange; what it hands on goes to the very
    // address.
    let caller = number_address(1);
    let (receiver, to, least) = match calls[..] {
        [_] if exchange.receiver == router => return None,
        [_] if generation == Generation::SwapRouter02 && exchange.receiver == caller => {
            (call.from, exchange.bought, exchange.least)
        }
        [_] => (exchange.receiver, exchange.bought, exchange.least),
        [_, handed_on] if exchange.receiver == router => handed_on_to(handed_on, exchange.bought, wrapped)?,
        _ => return None,
    };
    // An exact purchase hands on what it bought and no other amount.
    if [0, 1, 2].map(number_address).contains(&receiver) || exchange.exact.is_bought() && least != exchange.least {
        return None;
    }
    // The router wraps the coin that is sent along.
    let from = match call.value.is_zero() {
        true => exchange.paid,
        false => (wrapped == Some(exchange.paid)).then_some(NATIVE)?,
    };
    let Exchange { amount, exact, .. } = exchange;
    let deadline = deadline.or(exchange.deadline);
    Some(DecodedSwap { receiver, from, to, amount, least, exact, deadline, settler: None })
}

/// Address with a small number, as routers use for placeholders.
pub fn number_address(number: u8) -> Address {
    let mut address = [0; 20];
    address[19] = number;
    address
}

/// Calls of a `multicall` with its deadline, or the call itself.
fn batch(data: &[u8], generation: Generation) -> Option<(Vec<&[u8]>, Option<u64>)> {
    /// `multicall(bytes[])` and `multicall(uint256,bytes[])`.
    const MULTICALL: Selector = [0xac, 0x96, 0x50, 0xd8];
    const MULTICALL_UNTIL: Selector = [0x5a, 0xe4, 0x01, 0xdc];
    if let Some(mut of) = arguments(data, MULTICALL, 1) {
        let calls = of.many_bytes()?;
        return of.done().map(|()| (calls, None));
    }
    match arguments(data, MULTICALL_UNTIL, 2).filter(|_| generation == Generation::SwapRouter02) {
        Some(mut of) => {
            let (deadline, calls) = (of.small()?, of.many_bytes()?);
            of.done().map(|()| (calls, Some(deadline)))
        }
        None => Some((vec![data], None)),
    }
}

/// `exactInput`, `exactInputSingle`, `exactOutput` or `exactOutputSingle`.
fn exchange(data: &[u8], generation: Generation) -> Option<Exchange> {
    let (paths, singles) = match generation {
        Generation::SwapRouter => {
            ([[0xc0, 0x4b, 0x8d, 0x59], [0xf2, 0x8c, 0x04, 0x98]], [[0x41, 0x4b, 0xf3, 0x89], [0xdb, 0x3e, 0x21, 0x98]])
        }
        Generation::SwapRouter02 => {
            ([[0xb8, 0x58, 0x18, 0x3f], [0x09, 0xb8, 0x13, 0x46]], [[0x04, 0xe4, 0x5a, 0xaf], [0x50, 0x23, 0xb4, 0xdf]])
        }
    };
    let selector: Selector = *data.first_chunk()?;
    let dated = generation == Generation::SwapRouter;
    let deadline = |of: &mut Reader| if dated { of.small().map(Some) } else { Some(None) };
    let purchase = selector == paths[1] || selector == singles[1];
    let exact = if purchase { Exact::Bought } else { Exact::Paid };
    // The exact amount stands first, then the bound of the other one.
    let amounts = |of: &mut Reader| {
        let (exact, bound) = (of.number()?, of.number()?);
        Some(if purchase { (bound, exact) } else { (exact, bound) })
    };
    if paths.contains(&selector) {
        let mut outer = Reader::new(&data[4..], 1);
        let mut of = outer.tuple(if dated { 5 } else { 4 })?;
        let path = of.bytes()?;
        let (first, last) = ends(path)?;
        let pools = (path.len() - 20) / POOL;
        // The path of an exact purchase begins with the bought token.
        let (paid, bought) = if purchase { (last, first) } else { (first, last) };
        let (receiver, deadline) = (of.address()?, deadline(&mut of)?);
        let (amount, least) = amounts(&mut of)?;
        outer.leave(of)?;
        outer.done()?;
        return Some(Exchange { paid, bought, receiver, amount, least, exact, deadline, pools });
    }
    if !singles.contains(&selector) {
        return None;
    }
    let mut of = Reader::new(&data[4..], if dated { 8 } else { 7 });
    let (paid, bought) = (of.address()?, of.address()?);
    of.any_word()?;
    let (receiver, deadline) = (of.address()?, deadline(&mut of)?);
    let ((amount, least), limit) = (amounts(&mut of)?, of.number()?);
    of.done()?;
    // A price limit could end the swap early, with a part of the amount left in the router.
    limit.is_zero().then_some(Exchange { paid, bought, receiver, amount, least, exact, deadline, pools: 1 })
}

/// Receiver, token and minimum of the call that hands on what the router bought.
fn handed_on_to(data: &[u8], bought: Address, wrapped: Option<Address>) -> Option<(Address, Address, Amount)> {
    if let Some(mut of) = arguments(data, UNWRAP, 2) {
        let (least, receiver) = (of.number()?, of.address()?);
        of.done()?;
        return (wrapped == Some(bought)).then_some((receiver, NATIVE, least));
    }
    let mut of = arguments(data, SWEEP, 3)?;
    let (token, least, receiver) = (of.address()?, of.number()?, of.address()?);
    of.done()?;
    (token == bought).then_some((receiver, bought, least))
}

/// First and last token of a V3 path.
pub fn ends(path: &[u8]) -> Option<(Address, Address)> {
    let whole = path.len() >= SHORTEST_PATH && (path.len() - 20).is_multiple_of(POOL);
    whole.then_some((*path.first_chunk()?, *path.last_chunk()?))
}
