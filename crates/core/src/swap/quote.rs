//! What a provider gives for an amount, as the host's server tells it: hostile until parsed, and taken only where it is of what was asked.

use super::tokens::{Coin, address_of};
use crate::shown::clean;
use portico_api::swap::SLIPPAGE;
use portico_json::{Json, Value};
use portico_terms::address::is_evm;
use portico_terms::{Amount, ChainId};

/// A quote that is older than this is asked for anew while it is looked at, in milliseconds.
pub const REFRESH: u64 = 15_000;

/// A quote is built for so long after it came, in milliseconds. The server's own time is not compared with the visitor's: one of the two
/// clocks may be wrong, and a server that does not build it any more says so.
pub const LIFE: u64 = 60_000;

/// A quote is asked for anew so many milliseconds before it is over.
const BEFORE_END: u64 = 2_000;

/// More steps of a route are not drawn.
const MOST_STEPS: usize = 8;

/// From so many hundredths of a per cent on, the amount itself worsens its price enough to be said, and enough to be warned of.
const IMPACTS: (u32, u32) = (300, 1_000);

/// How much the amount itself worsens its price.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SwapImpact")]
pub enum Impact {
    /// Nothing to speak of.
    Low,
    /// 3 % and more.
    High,
    /// 10 % and more: most often a mistake, or a pool that is nearly empty.
    Severe,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Of which chain.
    pub chain: ChainId,
    /// Whose tokens.
    pub address: String,
    /// What is paid.
    pub from: Coin,
    /// What is received.
    pub to: Coin,
    /// How much is paid, in the smallest unit.
    pub amount: Amount,
}

/// A quote that was checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Quote {
    /// Names it when the transaction is built.
    pub id: String,
    /// Who gives it.
    pub provider: String,
    /// What is paid, in the smallest unit.
    pub amount: Amount,
    /// What is expected.
    pub to_amount: Amount,
    /// What is received at least (spec 9.7).
    pub minimum: Amount,
    /// The pools that are passed.
    pub route: Vec<String>,
    /// In hundredths of a per cent.
    pub impact: Option<Amount>,
    /// What the pools keep, in per cent, in plain notation.
    pub fee: Option<String>,
    /// Who takes the token; `None` for the chain's own coin, and for its wrapped form that becomes the coin.
    pub spender: Option<String>,
    /// How much that one may take now.
    pub allowance: Amount,
    /// How much gas it takes.
    pub gas: Option<Amount>,
    /// When it came, by the clock of this page: epoch milliseconds.
    pub since: u64,
}

impl Quote {
    /// Whether it cannot be built any more.
    pub fn is_over(&self, now: u64) -> bool {
        now.saturating_sub(self.since) >= LIFE
    }

    /// After how many milliseconds it is to be asked for anew. Nobody is asked without a pause.
    pub fn rest(&self, now: u64) -> u64 {
        (self.since + LIFE).saturating_sub(now).saturating_sub(BEFORE_END).clamp(REFRESH / 3, REFRESH)
    }
}

/// How much so many hundredths of a per cent are.
pub fn level(impact: Amount) -> Impact {
    match IMPACTS {
        (_, severe) if impact >= Amount::from(severe) => Impact::Severe,
        (high, _) if impact >= Amount::from(high) => Impact::High,
        _ => Impact::Low,
    }
}

/// By how many hundredths of a per cent less is received than is paid, of what both are worth in plain notation. More is none.
pub fn lost(paid: &str, received: &str) -> Option<Amount> {
    let places = |worth: &str| worth.split_once('.').map_or(0, |(_, part)| part.len());
    let decimals = u8::try_from(places(paid).max(places(received))).ok()?;
    let (paid, received) = (Amount::from_units(paid, decimals).ok()?, Amount::from_units(received, decimals).ok()?);
    quotient(paid.minus(received).unwrap_or(Amount::ZERO).times(10_000)?, paid)
}

/// The first of the quotes that is of what was asked; they came now.
pub fn best(answer: &Value, question: &Question, now: u64) -> Option<Quote> {
    answer.get("quotes").as_list()?.iter().find_map(|item| read(item, question, now))
}

fn read(item: &Value, question: &Question, now: u64) -> Option<Quote> {
    let text = |name: &str| item.get(name).as_str();
    let amount = |name: &str| text(name)?.parse::<Amount>().ok();
    let same = |name: &str, coin: &Coin| {
        text(name).and_then(|id| address_of(id, &question.chain)).is_some_and(|address| coin.is(address))
    };
    let (to_amount, minimum) = (amount("toAmount")?, amount("toAmountMin")?);
    let asked = amount("fromAmount")? == question.amount
        && same("fromAccount", &question.from)
        && same("toAccount", &question.to)
        && !minimum.is_zero()
        && minimum <= to_amount
        && minimum >= least(to_amount)?;
    if !asked {
        return None;
    }
    let spender = match item.get("spender") {
        Value::Null => None,
        told => Some(address_of(told.as_str()?, &question.chain).filter(|address| is_contract(address))?.to_owned()),
    };
    // A chain's own coin is taken by nobody, and a token by somebody, unless it is the coin's wrapped form, which unwraps itself.
    let sound = match spender {
        Some(_) => !question.from.is_native(),
        None => question.from.is_native() || question.to.is_native(),
    };
    if !sound {
        return None;
    }
    let steps = item.get("route").as_list().unwrap_or_default().iter();
    Some(Quote {
        id: text("id")?.into(),
        provider: clean(text("provider").unwrap_or_default()),
        amount: question.amount,
        to_amount,
        minimum,
        route: steps
            .filter_map(|step| step.get("name").as_str().map(clean))
            .filter(|name| !name.is_empty())
            .take(MOST_STEPS)
            .collect(),
        impact: text("priceImpact").and_then(hundredths).filter(|impact| is_share(*impact)),
        fee: text("fee").filter(|fee| hundredths(fee).is_some_and(is_share)).map(|fee| fee.chars().take(6).collect()),
        spender,
        allowance: amount("allowance").unwrap_or_default(),
        gas: amount("gas").filter(|gas| !gas.is_zero()),
        since: now,
    })
}

/// What is received at least of an expected amount (spec 9.7): a provider may round down by one.
fn least(expected: Amount) -> Option<Amount> {
    let (kept, _) = expected.divided(100)?;
    expected.minus(kept.times(SLIPPAGE)?.plus(Amount::from(1u32))?).or(Some(Amount::ZERO))
}

/// Whether an address may be that of a contract that takes tokens.
pub fn is_contract(address: &str) -> bool {
    address.len() == 42 && is_evm(address) && address[2..].bytes().any(|digit| digit != b'0')
}

/// Hundredths of a per cent in a plain decimal of per cent; what is less is cut.
fn hundredths(text: &str) -> Option<Amount> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || whole.len() > 9 {
        return None;
    }
    Amount::from_units(&[whole, ".", part.get(..2).unwrap_or(part)].concat(), 2).ok()
}

/// Whether so many hundredths of a per cent are a part of something.
fn is_share(hundredths: Amount) -> bool {
    hundredths <= Amount::from(10_000u32)
}

/// Six digits say how a rate is; more of them change with each block.
const RATE_DIGITS: usize = 6;

/// How many of one there are for one of the other, in plain notation, cut to six digits.
pub fn rate(paid: Amount, paid_decimals: u8, received: Amount, decimals: u8) -> Option<String> {
    const MORE: u8 = 18;
    let scaled = (0..paid_decimals.checked_add(MORE)?).try_fold(received, |sum, _| sum.times(10))?;
    let text = quotient(scaled, paid)?.to_units(decimals.checked_add(MORE)?);
    Some(significant(&text))
}

/// A plain decimal with six digits that say something, cut; whole numbers keep all of theirs.
pub fn significant(text: &str) -> String {
    let Some((whole, part)) = text.split_once('.') else { return text.into() };
    let zeros = if whole == "0" { part.len() - part.trim_start_matches('0').len() } else { 0 };
    let kept = if whole == "0" { zeros + RATE_DIGITS } else { RATE_DIGITS.saturating_sub(whole.len()) };
    let part = part.get(..kept).unwrap_or(part).trim_end_matches('0');
    if part.is_empty() { whole.into() } else { [whole, ".", part].concat() }
}

/// The quotient of two amounts, cut.
pub fn quotient(dividend: Amount, divisor: Amount) -> Option<Amount> {
    if divisor.is_zero() {
        return None;
    }
    // The divisor, twice as much, four times as much …: what fits is taken away, the largest first.
    let mut steps = vec![divisor];
    while let Some(next) = steps.last()?.times(2).filter(|next| *next <= dividend) {
        steps.push(next);
    }
    let (mut left, mut out) = (dividend, Amount::ZERO);
    for step in steps.into_iter().rev() {
        out = out.times(2)?;
        if let Some(rest) = left.minus(step) {
            left = rest;
            out = out.plus(Amount::from(1u32))?;
        }
    }
    Some(out)
}
