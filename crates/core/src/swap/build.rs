//! The transaction that the host's server built, looked at before a wallet sees it. Whoever runs the server: it comes from the visitor's
//! account, sends exactly what is paid in coins, calls none but the contract that was approved for exactly what is paid in tokens, and is none of
//! the calls by which a token is given away. That the call itself names the visitor as receiver, and the minimum that was shown, is read from
//! its bytes by the server alone (`crates/server/src/swap/check.rs`), which knows the contracts; here its word for the minimum is compared.

use super::calls::Call;
use super::quote::{Question, Quote, is_contract};
use super::tokens::address_of;
use crate::pay::erc20::number_word;
use portico_api::swap::SLIPPAGE;
use portico_json::{Value, to_text};
use portico_terms::Amount;

/// Methods of a token that give it away, or let somebody take it: no swap begins with one. Of EIP-20, EIP-721 and EIP-2612; of tokens that
/// raise permissions in steps or have a permit of their own (DAI); of EIP-1363, EIP-777 and EIP-1155.
const GIVING: [&str; 15] = [
    "a9059cbb", "23b872dd", "095ea7b3", "42842e0e", "b88d4fde", "a22cb465", "d505accf", "39509351", "d73dd623",
    "8fcbaf0c", "4000aea0", "cae9ca51", "9bd9bbc6", "959b8c3f", "f242432a",
];

/// Permit2, the same on each chain: it hands on what was permitted to it before, so a call of its own is never a swap.
const PERMIT2: &str = "0x000000000022d473030f116ddee9f6b43ac78ba3";

/// The wrapped coin's own methods: they are called on the token.
const DEPOSIT: &str = "d0e30db0";
const WITHDRAW: &str = "2e1a7d4d";

/// What is asked of the server. The minimum is the one that the visitor was shown. Before the permission is there, a trial of the swap would fail:
/// then the server is asked to leave it out, and looks at everything else all the same.
pub fn order(question: &Question, quote: &Quote, promised: Amount, project: &str, permitted: bool) -> String {
    let text = |name: &str, value: String| (name.into(), Value::Text(value));
    let slippage = ("slippage".into(), Value::Number(SLIPPAGE.to_string()));
    to_text(&Value::Object(vec![
        text("projectId", project.into()),
        text("amount", question.amount.to_string()),
        text("from", question.from.id(&question.chain)),
        text("to", question.to.id(&question.chain)),
        text("userAddress", [&question.chain.to_string(), ":", &question.address].concat()),
        ("eip155".into(), Value::Object(vec![slippage])),
        ("disableEstimate".into(), Value::Bool(!permitted)),
        text("quoteId", quote.id.clone()),
        text("toAmountMin", promised.to_string()),
    ]))
}

/// The call of an answer, where it is what was quoted and promised; `None` where anything differs.
pub fn check(answer: &Value, question: &Question, quote: &Quote, promised: Amount) -> Option<Call> {
    let tx = answer.get("tx");
    let address = |name: &str| address_of(tx.get(name).as_str()?, &question.chain);
    let (from, to) = (address("from")?, address("to")?);
    let amount = |value: &Value| value.as_str()?.parse::<Amount>().ok();
    let (value, minimum) = (amount(tx.get("value"))?, amount(answer.get("toAmountMin"))?);
    let paid = if question.from.is_native() { question.amount } else { Amount::ZERO };
    let data = tx.get("data").as_str()?;
    let digits = data.strip_prefix("0x")?;
    let selector = digits.get(..8)?.to_ascii_lowercase();
    let well_formed = digits.len() % 2 == 0 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let wraps = question.from.is_native() && question.to.is(to) && selector == DEPOSIT;
    let withdraws = || digits.eq_ignore_ascii_case(&[WITHDRAW, &number_word(question.amount)].concat());
    let unwraps = question.to.is_native() && question.from.is(to) && withdraws();
    // A token is taken by whom it was approved for; a call of the token itself could give it to anybody, and any other contract was not
    // given it.
    let target = match &quote.spender {
        Some(spender) => spender.eq_ignore_ascii_case(to),
        None if question.from.is_native() => wraps || !question.to.is(to),
        None => unwraps,
    };
    let own = to.eq_ignore_ascii_case(&question.address) || question.from.is(to) && !unwraps;
    let sound = from.eq_ignore_ascii_case(&question.address)
        && amount(tx.get("amount")).is_none_or(|amount| amount == question.amount)
        && value == paid
        && minimum >= promised
        && well_formed
        && !GIVING.contains(&selector.as_str())
        && !to.eq_ignore_ascii_case(PERMIT2)
        && is_contract(to)
        && target
        && !own;
    sound.then(|| Call { to: to.into(), data: data.into(), value })
}
