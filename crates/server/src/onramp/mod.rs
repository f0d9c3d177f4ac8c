//! On-ramp: queries providers with the operator's keys and gives pages the URL of a purchase page (spec 9.8, 9.9).
//!
//! Responses of providers are untrusted until parsed, and missing data is never made up. Purchase pages are created only for origins that
//! the project lists, with a rate limit, as providers demand
//! (<https://docs.cdp.coinbase.com/onramp/security-requirements>).

mod ask;
mod chains;
mod coinbase;
mod kept;
mod meld;
mod places;
mod purchase;
mod routes;
mod zones;

use crate::config::{Onramp, Seller};
use crate::price::Decimal;
use crate::{AppState, Failure};
use ask::{Purchase, Region, unfit};
use axum::http::StatusCode;
use chains::Sold;
use coinbase::Coinbase;
use meld::Meld;
use portico_api::onramp::OnrampQuote;
use portico_json::{Json, Value};
use std::time::Duration;
use tokio::time::timeout;

pub(crate) use kept::Turns;
pub(crate) use routes::{is_there, router, session_router};

/// Time limit of a request to a provider.
const LIMIT: Duration = Duration::from_secs(8);

/// Range of the usual provider fees, in percent (spec 9.8).
const FEE: (u32, u32) = (1, 2);

/// Offers of one provider on a chain.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
struct Offers {
    /// Currencies (ISO 4217).
    money: Vec<String>,
    coins: Vec<Offered>,
}

/// Coin for sale.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
struct Offered {
    name: String,
    symbol: String,
    picture: String,
    contract: Option<String>,
}

/// Reason for a missing result.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Fault {
    /// The provider is unreachable or too slow.
    Unreachable,
    /// The provider rejects the key.
    Key,
    /// The provider's rate limit is exceeded.
    TooOften,
    /// The provider does not sell this, or not in this region.
    Refused,
    /// The provider needs a country, which is unknown.
    NoCountry,
    /// The provider needs a state, which is unknown.
    NoState,
    /// The response cannot be parsed.
    Nonsense,
}

impl From<crate::source::Fault> for Fault {
    fn from(fault: crate::source::Fault) -> Fault {
        match fault {
            crate::source::Fault::Status(401 | 403) => Fault::Key,
            crate::source::Fault::Status(429) => Fault::TooOften,
            crate::source::Fault::Status(400 | 404 | 422) => Fault::Refused,
            crate::source::Fault::TooLong | crate::source::Fault::Nonsense => Fault::Nonsense,
            _ => Fault::Unreachable,
        }
    }
}

fn label(seller: &Seller) -> &'static str {
    match seller {
        Seller::Coinbase { .. } => "Coinbase",
        Seller::Meld(_) => "Meld.io",
    }
}

/// Error response for a page; details go to the log.
fn failure(seller: &Seller, fault: Fault) -> Failure {
    let name = label(seller);
    if !matches!(fault, Fault::NoCountry | Fault::NoState | Fault::Refused) {
        tracing::warn!(seller = seller.word(), ?fault, "an on-ramp provider failed");
    }
    let bad = |description: String| Failure::new(StatusCode::BAD_GATEWAY, "", description);
    match fault {
        Fault::Unreachable => bad(format!("{name} isn't responding. Try again.")),
        Fault::Key => bad(format!("{name} isn't available right now")),
        Fault::Nonsense => bad(format!("Couldn't read the answer of {name}. Try again.")),
        Fault::TooOften => {
            Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", format!("{name} is busy. Try again in a minute."))
                .again_after(60)
        }
        Fault::Refused => unfit("", format!("{name} doesn't sell this. Try another amount, token or currency.")),
        Fault::NoCountry => unfit("country", format!("{name} sells by country. Choose yours.")),
        Fault::NoState => unfit("subdivision", format!("{name} sells by state there. Choose yours.")),
    }
}

/// Provider with this name, or the first one.
fn seller<'a>(onramp: &'a Onramp, named: Option<&str>) -> Result<&'a Seller, Failure> {
    let found = onramp.sellers.iter().find(|seller| named.is_none_or(|named| named == seller.word()));
    found.ok_or_else(|| {
        Failure::new(StatusCode::NOT_FOUND, "provider", "No provider of this name is set up on this server")
    })
}

impl Seller {
    async fn countries(&self, state: &AppState) -> Result<Vec<places::CountryListing>, Fault> {
        match self {
            Seller::Coinbase { url, key } => Coinbase { url, key }.countries(state).await,
            Seller::Meld(keyed) => Meld(keyed).countries(state).await,
        }
    }

    async fn purchase(&self, state: &AppState, reference: &str) -> Result<purchase::Purchased, Fault> {
        match self {
            Seller::Coinbase { url, key } => Coinbase { url, key }.purchase(state, reference).await,
            Seller::Meld(keyed) => Meld(keyed).purchase(state, reference).await,
        }
    }
}

async fn offers(state: &AppState, seller: &Seller, chain: Sold, place: &Region) -> Result<Offers, Fault> {
    let asked = async {
        match seller {
            Seller::Coinbase { url, key } => Coinbase { url, key }.offers(state, chain, place).await,
            Seller::Meld(keyed) => Meld(keyed).offers(state, chain, place).await,
        }
    };
    timeout(LIMIT, asked).await.unwrap_or(Err(Fault::Unreachable))
}

async fn quote(state: &AppState, seller: &Seller, purchase: &Purchase) -> Result<OnrampQuote, Fault> {
    let asked = async {
        match seller {
            Seller::Coinbase { url, key } => Coinbase { url, key }.quote(state, purchase).await,
            Seller::Meld(keyed) => Meld(keyed).quote(state, purchase).await,
        }
    };
    timeout(LIMIT, asked).await.unwrap_or(Err(Fault::Unreachable))
}

/// Non-negative number in plain notation, from a JSON text or number.
fn number(value: &Value) -> Option<String> {
    let text = crate::source::loose::text(value)?;
    let plain = match text.contains(['e', 'E']) {
        true => portico_terms::amount::plain(text)?,
        false => text.to_owned(),
    };
    let (whole, part) = plain.split_once('.').unwrap_or((&plain, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (plain.len() <= LONGEST_NUMBER && digits(whole) && digits(part)).then_some(plain)
}

const LONGEST_NUMBER: usize = 40;

/// Positive amount of the bought coin; an amount of zero is not a purchase.
fn bought(value: &Value) -> Option<String> {
    number(value).filter(|amount| amount.parse::<Decimal>().is_ok_and(|amount| !amount.is_zero()))
}
