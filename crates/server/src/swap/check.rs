//! Checks of quotes and built transactions before a client sees them. Pure functions without requests, so that all can be unit-tested.

use super::trade::{Built, DecodedSwap, Found, Order, Routers, Trade};
use alloy_primitives::U256;
use portico_calldata::LONGEST;

/// Maximum gas of a swap.
const MOST_GAS: u64 = 50_000_000;

/// Maximum time until a swap's deadline, in seconds.
pub(crate) const LONGEST_WAIT: u64 = 3600;

/// Violation found in a provider's response. Safe for the log and the client: it contains no text of the provider.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum Breach {
    #[error("the called contract isn't a known contract of the provider")]
    Target,
    #[error("the spender isn't a known contract of the provider")]
    Spender,
    #[error("it asks for an approval where none is needed")]
    Permission,
    #[error("its calldata can't be decoded")]
    Unreadable,
    #[error("the receiver isn't the user")]
    Receiver,
    #[error("the payer isn't the user")]
    Payer,
    #[error("it sends a wrong amount of the native coin")]
    Value,
    #[error("it pays a different amount than requested")]
    Amount,
    #[error("it fixes the amount of the other side")]
    Exact,
    #[error("it pays or receives a different token than requested")]
    Token,
    #[error("its minimum is lower than promised")]
    Least,
    #[error("its deadline has passed or is too far away")]
    Deadline,
    #[error("its output is zero")]
    Nothing,
    #[error("it needs more gas than any swap does")]
    Gas,
    #[error("the contract that would take the token isn't in the vendor's registry")]
    Settler,
}

/// Checks a quote: it is for the amount that was named, its amounts are not zero, and the approval that it needs is for a known contract.
pub(crate) fn offer(trade: &Trade, found: &Found, routers: &Routers) -> Result<(), Breach> {
    if found.out.is_zero() || found.paid.is_zero() {
        return Err(Breach::Nothing);
    }
    if trade.amount != if trade.exact_out { found.out } else { found.paid } {
        return Err(Breach::Amount);
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

/// Checks a built call: its contract is a router of the provider, and its decoded calldata matches the user's request.
pub(crate) fn built(
    order: &Order,
    built: &Built,
    said: Option<&DecodedSwap>,
    routers: &Routers,
    now: u64,
) -> Result<(), Breach> {
    let trade = &order.trade;
    let need = |holds: bool, breach: Breach| if holds { Ok(()) } else { Err(breach) };
    need(routers.targets.contains(&built.to), Breach::Target)?;
    need((4..=LONGEST).contains(&built.data.len()), Breach::Unreadable)?;
    need(built.gas.is_none_or(|gas| gas <= MOST_GAS), Breach::Gas)?;
    need(built.from.is_none_or(|from| from == order.user), Breach::Payer)?;
    let value = |paid: U256| if trade.from.is_native() { paid } else { U256::ZERO };
    need(trade.exact_out || built.value == value(trade.amount), Breach::Value)?;
    let said = said.ok_or(Breach::Unreadable)?;
    need(built.value == value(said.amount), Breach::Value)?;
    need(said.receiver == order.user, Breach::Receiver)?;
    need(said.from == trade.from, Breach::Token)?;
    need(said.to == trade.to, Breach::Token)?;
    let paid = if trade.exact_out { said.amount <= order.most } else { said.amount == order.most };
    need(paid, Breach::Amount)?;
    need(if trade.exact_out { said.exact.is_bought() } else { said.exact.is_paid() }, Breach::Exact)?;
    need(!trade.exact_out || said.least == order.least, Breach::Least)?;
    // With a minimum of zero, a front-runner in the mempool could take the whole amount.
    need(said.least >= order.least && !said.least.is_zero(), Breach::Least)?;
    let waits = |deadline: u64| deadline > now && deadline - now <= LONGEST_WAIT;
    need(said.deadline.is_none_or(waits), Breach::Deadline)
}

#[cfg(test)]
pub(in crate::swap) mod tests;
