//! What a purchase costs, as a provider told it. Nothing is computed, and nothing stands in for an answer that did not come.

use portico_json::{Json, Value};

/// So many digits of an amount are compared at a glance.
const DIGITS: usize = 6;

/// No amount needs more letters.
const LONGEST: usize = 40;

/// What a purchase costs now.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "OnrampQuoted")]
pub struct Quote {
    /// All that is paid.
    pub total: String,
    /// What is got for it.
    pub gets: String,
    /// The same, cut to the digits that matter beside others.
    pub gets_shown: String,
    /// What the network takes of it, where that is told.
    pub network_fee: Option<String>,
    /// What the provider takes of it, where that is told.
    pub provider_fee: Option<String>,
}

/// How a quote stands.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum QuoteState {
    /// Not asked for.
    #[default]
    None,
    /// Asked for.
    Loading,
    /// There.
    Ready(Quote),
    /// None could be had: the provider tells its price on its own page.
    Unavailable,
}

/// A quote for this coin and this money; of others it is none.
pub fn read(answer: &Value, token: &str, currency: &str) -> Option<Quote> {
    let amount = |field: &str, of: &str| {
        let value = answer.get(field);
        let same = value.get("currency").as_str().is_some_and(|told| told.eq_ignore_ascii_case(of));
        value.get("amount").as_str().filter(|text| same && is_plain(text)).map(String::from)
    };
    let nothing = |text: &String| text.bytes().all(|byte| byte == b'0' || byte == b'.');
    let gets = amount("purchaseAmount", token).filter(|gets| !nothing(gets))?;
    Some(Quote {
        total: amount("paymentTotal", currency).filter(|total| !nothing(total))?,
        gets_shown: short(&gets),
        gets,
        network_fee: amount("networkFee", currency),
        provider_fee: amount("providerFee", currency),
    })
}

/// Six digits, and never fewer than before the point: cut, so that nobody is shown more than they get.
pub(super) fn short(text: &str) -> String {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let zeros = part.len() - part.trim_start_matches('0').len();
    let kept =
        if whole.bytes().all(|digit| digit == b'0') { zeros + DIGITS } else { DIGITS.saturating_sub(whole.len()) };
    let part = part.get(..kept).unwrap_or(part).trim_end_matches('0');
    if part.is_empty() { whole.into() } else { [whole, ".", part].concat() }
}

/// Digits, perhaps with a point among them.
pub(super) fn is_plain(text: &str) -> bool {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.len() <= LONGEST && digits(whole) && digits(part)
}
