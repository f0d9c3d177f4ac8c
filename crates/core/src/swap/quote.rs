//! Quotes from the host's server: untrusted until parsed, and used only if they match the request.

use super::bounds::Bounds;
use super::event::Target;
use super::slippage::POINTS;
use super::tokens::{Coin, address_of};
use crate::shown::clean;
use portico_api::swap::{SLIPPAGE, SwapQuote, SwapQuotes};
use portico_calldata::{Contract, find, hex};
use portico_json::Json;
use portico_terms::address::is_evm;
use portico_terms::{Amount, ChainId};

/// Age at which a quote on the screen is requested again, in milliseconds.
pub const REFRESH: u64 = 15_000;

/// Lifetime of a quote after it arrived, in milliseconds. The server's expiry is not compared with the visitor's clock: either clock may be
/// wrong, and the server rejects an expired quote itself.
pub const LIFE: u64 = 60_000;

/// Time before its expiry at which a quote is requested again, in milliseconds.
const BEFORE_END: u64 = 2_000;

/// Maximum number of route steps to show.
const MOST_STEPS: usize = 8;

/// Thresholds for a high and a severe price impact, in hundredths of a per cent.
const IMPACTS: (u32, u32) = (300, 1_000);

/// Price impact from which on a swap has to be confirmed twice: 15 %, in hundredths of a per cent.
pub const RUINOUS: u32 = 1_500;

/// Severity of the price impact.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SwapImpact")]
pub enum Impact {
    /// Below 3 %.
    Low,
    /// 3 % and more.
    High,
    /// 10 % and more: mostly a mistake, or a pool that is nearly empty.
    Severe,
}

/// A quote request.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub chain: ChainId,
    /// Address of the account.
    pub address: String,
    /// Token to pay.
    pub from: Coin,
    /// Token to receive.
    pub to: Coin,
    /// Amount of the typed side, in the smallest unit.
    pub amount: Amount,
    /// Side whose amount the visitor typed.
    pub typed: Target,
}

/// A quote that passed all checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Quote {
    /// Id of the quote in the build request.
    pub id: String,
    /// Name of the swap provider.
    pub provider: String,
    /// Side whose amount the visitor typed: it is exact.
    pub typed: Target,
    /// Amount to pay, in the smallest unit; an expected one where the other side was typed.
    pub amount: Amount,
    /// Maximum paid at the visitor's slippage tolerance (spec 9.7); the exact amount where it was typed.
    pub maximum: Amount,
    /// Amount to receive, in the smallest unit; an expected one where the other side was typed.
    pub to_amount: Amount,
    /// Minimum received at the visitor's slippage tolerance (spec 9.7); the exact amount where it was typed.
    pub minimum: Amount,
    /// Minimum that the server names, at the default tolerance.
    pub named: Amount,
    /// Names of the pools on the route.
    pub route: Vec<String>,
    /// Price impact in hundredths of a per cent.
    pub impact: Option<Amount>,
    /// Fee of the pools in percent, in plain notation.
    pub fee: Option<String>,
    /// Spender of the token; `None` for the chain's own coin, and for its wrapped form that becomes the coin.
    pub spender: Option<String>,
    /// Gas of the swap.
    pub gas: Option<Amount>,
    /// Arrival time by the clock of this page, in epoch milliseconds.
    pub since: u64,
}

impl Quote {
    /// Whether the quote has expired.
    pub fn is_over(&self, now: u64) -> bool {
        now.saturating_sub(self.since) >= LIFE
    }

    /// Bounds that a swap by this quote keeps.
    pub fn bounds(&self) -> Bounds {
        Bounds { pays: self.maximum, brings: self.minimum, typed: self.typed }
    }

    /// Time until the next quote request, in milliseconds. Never zero, to avoid requests without a pause.
    pub fn rest(&self, now: u64) -> u64 {
        (self.since + LIFE).saturating_sub(now).saturating_sub(BEFORE_END).clamp(REFRESH / 3, REFRESH)
    }
}

/// Severity of a price impact in hundredths of a per cent.
pub fn level(impact: Amount) -> Impact {
    match IMPACTS {
        (_, severe) if impact >= Amount::from(severe) => Impact::Severe,
        (high, _) if impact >= Amount::from(high) => Impact::High,
        _ => Impact::Low,
    }
}

/// Loss in hundredths of a per cent between the value of both sides, given in plain notation; zero for a gain.
pub fn lost(paid: &str, received: &str) -> Option<Amount> {
    let places = |worth: &str| worth.split_once('.').map_or(0, |(_, part)| part.len());
    let decimals = u8::try_from(places(paid).max(places(received))).ok()?;
    let (paid, received) = (Amount::from_units(paid, decimals).ok()?, Amount::from_units(received, decimals).ok()?);
    paid.minus(received).unwrap_or(Amount::ZERO).times(10_000)?.over(paid)
}

/// First quote that matches the request; `now` is its arrival time.
pub fn best(answer: SwapQuotes, question: &Question, contracts: &[Contract], now: u64) -> Option<Quote> {
    answer.quotes.into_iter().find_map(|item| checked(item, question, contracts, now))
}

fn checked(item: SwapQuote, question: &Question, contracts: &[Contract], now: u64) -> Option<Quote> {
    let amount = |text: &str| text.parse::<Amount>().ok();
    let same = |id: &str, coin: &Coin| address_of(id, &question.chain).is_some_and(|address| coin.is(address));
    let (paid, to_amount, minimum) =
        (amount(&item.from_amount)?, amount(&item.to_amount)?, amount(&item.to_amount_min)?);
    let (bounded, maximum) = match question.typed {
        Target::SourceToken => {
            let bounded = !minimum.is_zero() && minimum <= to_amount && minimum >= least(to_amount)?;
            (bounded && paid == question.amount, paid)
        }
        Target::ToToken => {
            let maximum = amount(item.from_amount_max.as_ref()?)?;
            let bounded = !paid.is_zero() && maximum >= paid && maximum <= most(paid, SLIPPAGE * POINTS)?;
            (bounded && to_amount == question.amount && minimum == to_amount, maximum)
        }
    };
    let asked = same(&item.from_account, &question.from) && same(&item.to_account, &question.to);
    if !bounded || !asked {
        return None;
    }
    let is_spender = |address: &&str| {
        let found = hex::address(address).and_then(|address| find(contracts, &address));
        found.is_some_and(|contract| contract.protocol.spends())
    };
    let spender = match &item.spender {
        None => None,
        Some(id) => Some(address_of(id, &question.chain).filter(is_spender)?.to_owned()),
    };
    // The chain's own coin has no spender, and a token needs one, except the wrapped coin, which unwraps itself.
    let sound = match spender {
        Some(_) => !question.from.is_native(),
        None => question.from.is_native() || question.to.is_native(),
    };
    if !sound {
        return None;
    }
    let names = item.route.iter().map(|step| clean(&step.name)).filter(|name| !name.is_empty());
    let fee = item.fee.filter(|fee| hundredths(fee).is_some_and(is_share));
    Some(Quote {
        id: item.id,
        provider: clean(&item.provider),
        typed: question.typed,
        amount: paid,
        maximum,
        to_amount,
        minimum,
        named: minimum,
        route: names.take(MOST_STEPS).collect(),
        impact: item.price_impact.as_deref().and_then(hundredths).filter(|impact| is_share(*impact)),
        fee: fee.map(|fee| fee.chars().take(6).collect()),
        spender,
        gas: amount(&item.gas).filter(|gas| !gas.is_zero()),
        since: now,
    })
}

/// Minimum received for an expected amount (spec 9.7); a provider may round down by one.
fn least(expected: Amount) -> Option<Amount> {
    let (kept, _) = expected.divided(100)?;
    expected.minus(kept.times(SLIPPAGE)?.plus(Amount::from(1u32))?).or(Some(Amount::ZERO))
}

/// Maximum paid for an expected amount at a tolerance in points, rounded down.
pub fn most(expected: Amount, points: u32) -> Option<Amount> {
    let (whole, rest) = expected.divided(100 * POINTS)?;
    expected.plus(whole.times(points)?.plus(Amount::from(rest * points / (100 * POINTS)))?)
}

/// Whether an address may be a contract that takes tokens.
pub fn is_contract(address: &str) -> bool {
    address.len() == 42 && is_evm(address) && address[2..].bytes().any(|digit| digit != b'0')
}

/// Parses a plain decimal of per cent to hundredths of a per cent; further digits are cut.
fn hundredths(text: &str) -> Option<Amount> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || whole.len() > 9 {
        return None;
    }
    Amount::from_units(&[whole, ".", part.get(..2).unwrap_or(part)].concat(), 2).ok()
}

/// Whether a share is at most 100 %.
fn is_share(hundredths: Amount) -> bool {
    hundredths <= Amount::from(10_000u32)
}

/// Number of digits of a rate; further digits change with each block.
const RATE_DIGITS: usize = 6;

/// Decimals that no amount loses, however many whole digits it has.
const CENTS: usize = 2;

/// Units of the received token per unit of the paid one, in plain notation, truncated as [`significant`] does.
pub fn rate(paid: Amount, paid_decimals: u8, received: Amount, decimals: u8) -> Option<String> {
    const MORE: u8 = 18;
    let scaled = (0..paid_decimals.checked_add(MORE)?).try_fold(received, |sum, _| sum.times(10))?;
    let text = scaled.over(paid)?.to_units(decimals.checked_add(MORE)?);
    Some(significant(&text))
}

/// Truncates a plain decimal to six significant digits, but to no fewer than two decimals, so that an amount of dollars keeps its cents.
pub fn significant(text: &str) -> String {
    let Some((whole, part)) = text.split_once('.') else { return text.into() };
    let part = part.get(..kept(whole, part)).unwrap_or(part).trim_end_matches('0');
    if part.is_empty() { whole.into() } else { [whole, ".", part].concat() }
}

/// As [`significant`], rounded up: a maximum must not look lower than it is.
pub fn significant_above(text: &str) -> String {
    let cut = significant(text);
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let decimals = kept(whole, part);
    if decimals >= part.trim_end_matches('0').len() {
        return cut;
    }
    let decimals = u8::try_from(decimals).unwrap_or(u8::MAX);
    let above = Amount::from_units(&cut, decimals).ok().and_then(|amount| amount.plus(Amount::from(1u32)));
    above.map_or(cut, |amount| amount.to_units(decimals))
}

/// Number of decimals that are shown.
fn kept(whole: &str, part: &str) -> usize {
    let zeros = part.len() - part.trim_start_matches('0').len();
    if whole == "0" { zeros + RATE_DIGITS } else { RATE_DIGITS.saturating_sub(whole.len()).max(CENTS) }
}
