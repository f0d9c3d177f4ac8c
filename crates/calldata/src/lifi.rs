//! LI.FI's generic swap facets (<https://docs.li.fi/smart-contracts/overview>); its other facets are not for swaps on one chain.

use crate::abi::Reader;
use crate::{Address, Call, DecodedSwap, Exact, NATIVE};
use portico_terms::Amount;

const ZERO: Address = [0; 20];

/// Source of the token at one end of a swap. Functions whose name says native take the value sent, or pay out all of the coin that the
/// contract then holds, and ignore the token of the step (`GenericSwapFacetV3`).
#[derive(Clone, Copy, Eq, PartialEq)]
enum End {
    AsSaid,
    Native,
    Token,
}

impl End {
    /// Token of this end; `named` is the address in the step.
    fn token(self, named: Address) -> Option<Address> {
        match self {
            End::Native => Some(NATIVE),
            // LI.FI's contract does not know the 0xEeee… placeholder of the coin.
            _ if named == NATIVE => None,
            End::AsSaid if named == ZERO => Some(NATIVE),
            End::Token if named == ZERO => None,
            _ => Some(named),
        }
    }
}

/// Step of a swap: an exchange that LI.FI calls.
struct Step {
    sends: Address,
    receives: Address,
    amount: Amount,
    deposits: bool,
}

pub fn decode(call: &Call) -> Option<DecodedSwap> {
    use End::{AsSaid, Native, Token};
    let (selector, arguments) = call.data.split_first_chunk()?;
    // Selectors of `swapTokensGeneric`, then of `swapTokensSingleV3…` and `swapTokensMultipleV3…`, each from token to token, token to coin and
    // coin to token.
    let (single, from, to) = match *selector {
        [0x46, 0x30, 0xa0, 0xd8] => (false, AsSaid, AsSaid),
        [0x46, 0x66, 0xfc, 0x80] => (true, Token, Token),
        [0x73, 0x32, 0x14, 0xa3] => (true, Token, Native),
        [0xaf, 0x70, 0x60, 0xfd] => (true, Native, Token),
        [0x5f, 0xd9, 0xae, 0x2e] => (false, Token, Token),
        [0x2c, 0x57, 0xe8, 0x84] => (false, Token, Native),
        [0x73, 0x6e, 0xac, 0x0b] => (false, Native, Token),
        _ => return None,
    };
    let mut of = Reader::new(arguments, 6);
    of.any_word()?;
    of.bytes()?;
    of.bytes()?;
    let (receiver, least) = (of.address()?, of.number()?);
    let mut steps = Vec::new();
    if single {
        steps.push(step(&mut of)?);
    } else {
        let (length, mut items) = of.array()?;
        for _ in 0..length {
            steps.push(step(&mut items)?);
        }
        of.leave(items)?;
    }
    of.done()?;
    let (first, last) = (steps.first()?, steps.last()?);
    let (paid, bought) = (from.token(first.sends)?, to.token(last.receives)?);
    // A single swap paid in a token always takes it, whatever the step says.
    let takes = |step: &&Step| (step.deposits || single && from == Token) && step.sends != ZERO;
    let mut amount = if paid == NATIVE { call.value } else { Amount::ZERO };
    for step in steps.iter().filter(takes) {
        // The call must not take any token but the one that is paid.
        if step.sends != paid {
            return None;
        }
        amount = amount.plus(step.amount)?;
    }
    Some(DecodedSwap {
        receiver,
        from: paid,
        to: bought,
        amount,
        least,
        exact: Exact::Paid,
        deadline: None,
        settler: None,
    })
}

fn step(outer: &mut Reader) -> Option<Step> {
    let mut of = outer.tuple(7)?;
    // Called contract and spender: LI.FI's contract calls those that its owner allowed, and none takes the visitor's tokens.
    of.address()?;
    of.address()?;
    let (sends, receives, amount) = (of.address()?, of.address()?, of.number()?);
    of.bytes()?;
    let deposits = of.flag()?;
    outer.leave(of)?;
    Some(Step { sends, receives, amount, deposits })
}
