//! Check of the transaction that the host's server built, before a wallet sees it, whoever runs the server. What it does is read from its
//! bytes, and the contract that it calls has to be in the widget's own table: the server's word counts for nothing.

use super::bounds::Bounds;
use super::calls::Call;
use super::event::Target;
use super::quote::{Question, Quote};
use super::slippage::Slippage;
use super::tokens::address_of;
use portico_api::swap::{BuiltSwap, SwapOrder, SwapTolerance};
use portico_calldata::{self as calldata, Contract, DecodedSwap, Protocol, hex};
use portico_json::to_text;
use portico_terms::Amount;

/// Body of the build request, with the bound that the visitor was shown. Without the allowance an estimate would fail, so the server is
/// asked to skip it; all its other checks still run.
pub fn order(
    question: &Question,
    quote: &Quote,
    promised: Bounds,
    slippage: &Slippage,
    project: &str,
    permitted: bool,
) -> String {
    let exact_out = question.typed == Target::ToToken;
    let (amount, bound) = (Some(question.amount.to_string()), if exact_out { promised.pays } else { promised.brings });
    let (bound, none) = (Some(bound.to_string()), || None);
    let (amount, to_amount) = if exact_out { (none(), amount) } else { (amount, none()) };
    let (to_amount_min, from_amount_max) = if exact_out { (none(), bound) } else { (bound, none()) };
    to_text(&SwapOrder {
        project_id: Some(project.into()),
        amount,
        to_amount,
        from: question.from.id(&question.chain),
        to: question.to.id(&question.chain),
        user_address: [&question.chain.to_string(), ":", &question.address].concat(),
        eip155: Some(SwapTolerance { slippage: slippage.number() }),
        disable_estimate: Some(!permitted),
        quote_id: Some(quote.id.clone()),
        to_amount_min,
        from_amount_max,
    })
}

/// Call from a build response, and what its bytes say; `None` if anything differs from the form or the bounds that were shown.
pub fn check(
    built: BuiltSwap,
    question: &Question,
    quote: &Quote,
    promised: Bounds,
    contracts: &[Contract],
) -> Option<(Call, DecodedSwap)> {
    let BuiltSwap { tx, .. } = built;
    let (from, to) = (address_of(&tx.from, &question.chain)?, address_of(&tx.to, &question.chain)?);
    let (user, target) = (hex::address(&question.address)?, hex::address(to)?);
    let contract = calldata::find(contracts, &target)?;
    let value = tx.value.parse::<Amount>().ok()?;
    let data = hex::bytes(&tx.data)?;
    let call = calldata::Call { from: user, to: target, value, data: &data };
    let decoded = calldata::decode(contract.protocol, calldata::wrapped(contracts), &call)?;
    let paid = if question.from.is_native() { decoded.amount } else { Amount::ZERO };
    // A token may only go to its spender; the wrapped coin unwraps itself.
    let spender = match &quote.spender {
        Some(spender) => spender.eq_ignore_ascii_case(to),
        None => question.from.is_native() || contract.protocol == Protocol::WrappedCoin,
    };
    let sound = from.eq_ignore_ascii_case(&question.address)
        && value == paid
        && spender
        && decoded.receiver == user
        && Some(decoded.from) == hex::address(&question.from.address)
        && Some(decoded.to) == hex::address(&question.to.address)
        && promised.hold(&decoded);
    sound.then(|| (Call { to: to.into(), data: tx.data.clone(), value }, decoded))
}
