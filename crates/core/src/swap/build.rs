//! Check of the transaction that the host's server built, before a wallet sees it, whoever runs the server: the sender is the visitor's
//! account, the coin value is exactly the paid amount, the target for a token is only the contract approved for exactly that amount, and
//! the method is none that gives a token away. Receiver and minimum inside the calldata are decoded by the server alone
//! (`crates/server/src/swap/check.rs`), which knows the contracts; here the minimum that it reports is compared.

use super::calls::Call;
use super::quote::{Question, Quote, is_contract};
use super::tokens::address_of;
use crate::pay::erc20::number_word;
use portico_api::swap::{BuiltSwap, SLIPPAGE, SwapOrder, SwapTolerance};
use portico_json::to_text;
use portico_terms::Amount;

/// Method selectors that give a token away or let a third party take it: no swap begins with one. Of EIP-20, EIP-721 and EIP-2612; of
/// tokens with stepwise allowances or a permit of their own (DAI); of EIP-1363, EIP-777 and EIP-1155.
const GIVING: [&str; 15] = [
    "a9059cbb", "23b872dd", "095ea7b3", "42842e0e", "b88d4fde", "a22cb465", "d505accf", "39509351", "d73dd623",
    "8fcbaf0c", "4000aea0", "cae9ca51", "9bd9bbc6", "959b8c3f", "f242432a",
];

/// Permit2, the same on each chain: it moves tokens by earlier permits, so a call to it is never a swap.
const PERMIT2: &str = "0x000000000022d473030f116ddee9f6b43ac78ba3";

/// Selectors of the wrapped coin's own methods; these are called on the token.
const DEPOSIT: &str = "d0e30db0";
const WITHDRAW: &str = "2e1a7d4d";

/// Body of the build request, with the minimum that the visitor was shown. Without the allowance an estimate would fail, so the server is
/// asked to skip it; all its other checks still run.
pub fn order(question: &Question, quote: &Quote, promised: Amount, project: &str, permitted: bool) -> String {
    to_text(&SwapOrder {
        project_id: Some(project.into()),
        amount: question.amount.to_string(),
        from: question.from.id(&question.chain),
        to: question.to.id(&question.chain),
        user_address: [&question.chain.to_string(), ":", &question.address].concat(),
        eip155: Some(SwapTolerance { slippage: Some(u64::from(SLIPPAGE).into()) }),
        disable_estimate: Some(!permitted),
        quote_id: Some(quote.id.clone()),
        to_amount_min: Some(promised.to_string()),
    })
}

/// Call from a build response; `None` if anything differs from the quote or the minimum that was shown.
pub fn check(built: BuiltSwap, question: &Question, quote: &Quote, promised: Amount) -> Option<Call> {
    let BuiltSwap { tx, to_amount_min, .. } = built;
    let (from, to) = (address_of(&tx.from, &question.chain)?, address_of(&tx.to, &question.chain)?);
    let amount = |text: &str| text.parse::<Amount>().ok();
    let (value, minimum) = (amount(&tx.value)?, amount(&to_amount_min)?);
    let paid = if question.from.is_native() { question.amount } else { Amount::ZERO };
    let digits = tx.data.strip_prefix("0x")?;
    let selector = digits.get(..8)?.to_ascii_lowercase();
    let well_formed = digits.len() % 2 == 0 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let wraps = question.from.is_native() && question.to.is(to) && selector == DEPOSIT;
    let withdraws = || digits.eq_ignore_ascii_case(&[WITHDRAW, &number_word(question.amount)].concat());
    let unwraps = question.to.is_native() && question.from.is(to) && withdraws();
    // A token may only go to its spender: a call to the token itself could give it to anyone, and other contracts have no allowance.
    let target = match &quote.spender {
        Some(spender) => spender.eq_ignore_ascii_case(to),
        None if question.from.is_native() => wraps || !question.to.is(to),
        None => unwraps,
    };
    let own = to.eq_ignore_ascii_case(&question.address) || question.from.is(to) && !unwraps;
    let sound = from.eq_ignore_ascii_case(&question.address)
        && amount(&tx.amount) == Some(question.amount)
        && value == paid
        && minimum >= promised
        && well_formed
        && !GIVING.contains(&selector.as_str())
        && !to.eq_ignore_ascii_case(PERMIT2)
        && is_contract(to)
        && target
        && !own;
    sound.then(|| Call { to: to.into(), data: tx.data.clone(), value })
}
