//! Quote for a purchase, as the provider sent it. No value is computed or made up.

use portico_api::onramp::{OnrampAmount, OnrampQuote};
use portico_json::Json;

/// Number of digits of amounts in comparisons.
const DIGITS: usize = 6;

/// Maximum length of an amount.
const LONGEST: usize = 40;

/// A provider's current quote for a purchase.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "OnrampQuoted")]
pub struct Quote {
    /// Total amount to pay.
    pub total: String,
    /// Amount of coins received.
    pub gets: String,
    /// Amount received, truncated for comparison.
    pub gets_shown: String,
    /// Network fee, if the provider reports it.
    pub network_fee: Option<String>,
    /// Provider fee, if the provider reports it.
    pub provider_fee: Option<String>,
}

/// Loading state of a quote.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum QuoteState {
    /// Not requested.
    #[default]
    None,
    Loading,
    Ready(Quote),
    /// There is no quote: the provider shows its price on its own page.
    Unavailable,
}

/// Validates a quote; `None` if it is for another coin or currency.
pub fn read(quote: OnrampQuote, token: &str, currency: &str) -> Option<Quote> {
    let amount = |OnrampAmount { amount, currency }: OnrampAmount, of: &str| {
        Some(amount).filter(|amount| currency.eq_ignore_ascii_case(of) && is_plain(amount))
    };
    let nothing = |text: &String| text.bytes().all(|byte| byte == b'0' || byte == b'.');
    let gets = amount(quote.purchase_amount, token).filter(|gets| !nothing(gets))?;
    Some(Quote {
        total: amount(quote.payment_total, currency).filter(|total| !nothing(total))?,
        gets_shown: short(&gets),
        gets,
        network_fee: quote.network_fee.and_then(|fee| amount(fee, currency)),
        provider_fee: quote.provider_fee.and_then(|fee| amount(fee, currency)),
    })
}

/// Truncates to six digits, but keeps all before the point; never rounded up, so that no amount looks larger than it is.
pub(super) fn short(text: &str) -> String {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let zeros = part.len() - part.trim_start_matches('0').len();
    let kept =
        if whole.bytes().all(|digit| digit == b'0') { zeros + DIGITS } else { DIGITS.saturating_sub(whole.len()) };
    let part = part.get(..kept).unwrap_or(part).trim_end_matches('0');
    if part.is_empty() { whole.into() } else { [whole, ".", part].concat() }
}

/// Whether a text is digits, with at most one point among them.
pub(super) fn is_plain(text: &str) -> bool {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.len() <= LONGEST && digits(whole) && digits(part)
}
