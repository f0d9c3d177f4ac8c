//! The look at what was built before anybody is told of it: nothing here asks anyone, so that all of it can be tested.

use super::trade::{Built, Found, Order, Routers, Said, Trade};
use alloy_primitives::U256;
use alloy_sol_types::SolCall;

/// A call with more is none of a swap.
const LONGEST: usize = 64 * 1024;

/// No swap takes more gas.
const MOST_GAS: u64 = 50_000_000;

/// No user takes longer to sign, in seconds.
pub(crate) const LONGEST_WAIT: u64 = 3600;

/// What is wrong with what a provider answers. Told to the log and to the client: none of it is the provider's words.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum Breach {
    #[error("its contract is none that is known of it")]
    Target,
    #[error("the contract that may take the token is none that is known of it")]
    Spender,
    #[error("it asks for a permission where none is needed, or for none where one is")]
    Permission,
    #[error("it is a call that cannot be read")]
    Unreadable,
    #[error("somebody else receives what is bought")]
    Receiver,
    #[error("somebody else pays")]
    Payer,
    #[error("it sends another amount of the chain's coin")]
    Value,
    #[error("it pays another amount than asked for")]
    Amount,
    #[error("it pays or brings another token than asked for")]
    Token,
    #[error("it may bring less than was promised")]
    Least,
    #[error("it is valid for too long, or no longer")]
    Deadline,
    #[error("it brings nothing")]
    Nothing,
    #[error("it takes more gas than any swap does")]
    Gas,
    #[error("the contract that would hold the token is none that the vendor's registry names")]
    Settler,
}

/// Whether an offer can be told: it brings something, and the permission it wants is one for a contract that is known.
pub(crate) fn offer(trade: &Trade, found: &Found, routers: &Routers) -> Result<(), Breach> {
    if found.out.is_zero() {
        return Err(Breach::Nothing);
    }
    if found.gas > MOST_GAS {
        return Err(Breach::Gas);
    }
    match found.spender {
        Some(_) if trade.from.is_native() => Err(Breach::Permission),
        Some(spender) if !routers.spenders.contains(&spender) => Err(Breach::Spender),
        _ => Ok(()),
    }
}

/// Whether a call can be told: its contract is a router of the provider, and what its bytes say is what the user asked for.
pub(crate) fn built(
    order: &Order,
    built: &Built,
    said: Option<&Said>,
    routers: &Routers,
    now: u64,
) -> Result<(), Breach> {
    let trade = &order.trade;
    let need = |holds: bool, breach: Breach| if holds { Ok(()) } else { Err(breach) };
    need(routers.targets.contains(&built.to), Breach::Target)?;
    need((4..=LONGEST).contains(&built.data.len()), Breach::Unreadable)?;
    need(built.gas.is_none_or(|gas| gas <= MOST_GAS), Breach::Gas)?;
    need(built.from.is_none_or(|from| from == order.user), Breach::Payer)?;
    let value = if trade.from.is_native() { trade.amount } else { U256::ZERO };
    need(built.value == value, Breach::Value)?;
    let said = said.ok_or(Breach::Unreadable)?;
    need(said.receiver == order.user, Breach::Receiver)?;
    need(said.from == trade.from, Breach::Token)?;
    need(said.to == trade.to, Breach::Token)?;
    need(said.amount == trade.amount, Breach::Amount)?;
    // A minimum of nothing lets whoever sees the transaction take all of it.
    need(said.least >= order.least && !said.least.is_zero(), Breach::Least)?;
    let waits = |deadline: u64| deadline > now && deadline - now <= LONGEST_WAIT;
    need(said.deadline.is_none_or(waits), Breach::Deadline)
}

/// A call, where its bytes are the only ones that it has: no bit stands beside an address, and nothing hides between its parts or behind them.
pub(super) fn exactly<C: SolCall>(data: &[u8]) -> Option<C> {
    marked(data, 0)
}

/// The same with at most so many bytes behind it, which no contract reads.
pub(super) fn marked<C: SolCall>(data: &[u8], mark: usize) -> Option<C> {
    let call = C::abi_decode_validate(data).ok()?;
    data.strip_prefix(&*call.abi_encode()).is_some_and(|behind| behind.len() <= mark).then_some(call)
}

#[cfg(test)]
pub(in crate::swap) mod tests;
