//! Amounts that a mined swap moved, exact, from the logs of its receipt.

use super::contracts;
use super::event::Target;
use super::flight::Deal;
use crate::facts::Facts;
use crate::pay::erc20;
use crate::pay::receipt::{is_of, quantity};
use portico_api::swap::COIN;
use portico_calldata::{Protocol, event, find, hex, wrapped};
use portico_json::Value;
use portico_terms::Amount;

/// Amounts that came to an account and that left it.
type Flow = (Amount, Amount);

/// Amounts that a confirmed swap took and brought, in whole tokens: the amount paid where the amount to receive was typed, and the amount
/// received. `None` where the logs do not say it, or one of two nodes tells them alone.
pub fn moved(receipt: &Value, deal: &Deal, facts: &Facts) -> Option<(Option<String>, Option<String>)> {
    let (decimals, to_decimals) = deal.decimals?;
    let flow = |token: &str| if token == COIN { coin(receipt, deal, facts) } else { of_token(receipt, token, deal) };
    let paid = flow(&deal.pair.0).filter(|_| deal.typed == Target::ToToken).and_then(|(came, left)| net(left, came));
    let received = flow(&deal.pair.1).and_then(|(came, left)| net(came, left));
    Some((paid.map(|paid| paid.to_units(decimals)), received.map(|received| received.to_units(to_decimals))))
}

fn net(more: Amount, less: Amount) -> Option<Amount> {
    more.minus(less).filter(|net| !net.is_zero())
}

/// Tokens that moved by transfers, or, as those of the wrapped coin, by wrapping and unwrapping, which log no transfer (WETH9).
fn of_token(receipt: &Value, token: &str, deal: &Deal) -> Option<Flow> {
    let transferred = flow(receipt, token, &deal.address, (event::TRANSFER, 2), (event::TRANSFER, 1), usize::MAX)?;
    match transferred {
        (came, left) if came.is_zero() && left.is_zero() => {
            flow(receipt, token, &deal.address, (event::DEPOSIT, 1), (event::WITHDRAWAL, 1), usize::MAX)
        }
        _ => Some(transferred),
    }
}

/// Coins that moved. Coins log nothing themselves, but a router of Uniswap wraps all that it takes and unwraps all that it hands on, and
/// the account does so where it calls the wrapped coin itself. Other contracts may move coins as they are. In a bundle of a smart account
/// (ERC-4337), others may use the same router.
fn coin(receipt: &Value, deal: &Deal, facts: &Facts) -> Option<Flow> {
    let contracts = contracts::of(&deal.chain, facts);
    let by = match find(&contracts, &hex::address(deal.target.as_deref()?)?)?.protocol {
        _ if deal.smart_account => return None,
        Protocol::WrappedCoin => &deal.address,
        Protocol::UniswapV2 | Protocol::SwapRouter | Protocol::SwapRouter02 | Protocol::UniversalRouter => {
            deal.target.as_ref()?
        }
        Protocol::Lifi | Protocol::AllowanceHolder | Protocol::Oneinch => return None,
    };
    let wrapped = hex::text(&wrapped(&contracts)?);
    // The router wraps and unwraps once for a swap. More is of somebody else: a token can call the router as it moves.
    flow(receipt, &wrapped, by, (event::WITHDRAWAL, 1), (event::DEPOSIT, 1), 1)
}

/// Sums of a contract's logs of two kinds: each is the name of an event and the topic in which the account stands. `None` where there are
/// more than `most` of a kind.
fn flow(
    receipt: &Value,
    contract: &str,
    account: &str,
    came: (&str, usize),
    left: (&str, usize),
    most: usize,
) -> Option<Flow> {
    let account = ["0x", &erc20::address_word(account)].concat();
    let mut sums = (Amount::ZERO, Amount::ZERO);
    let mut seen = [0; 2];
    for log in receipt.get("logs").as_list()?.iter().filter(|log| is_of(log, "address", contract)) {
        let topics = log.get("topics").as_list()?;
        let is = |index: usize, text: &str| {
            topics.get(index).and_then(Value::as_str).is_some_and(|topic| topic.eq_ignore_ascii_case(text))
        };
        for (((name, index), sum), seen) in [(came, &mut sums.0), (left, &mut sums.1)].into_iter().zip(&mut seen) {
            if is(0, name) && is(index, &account) {
                *sum = sum.plus(quantity(log.get("data"))?)?;
                *seen += 1;
            }
        }
    }
    seen.iter().all(|count| *count <= most).then_some(sums)
}
