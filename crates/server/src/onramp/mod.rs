//! Buying coins with money: those who sell are asked in the operator's name, and a page gets the address at which to buy (spec 9.8, 9.9).
//!
//! What they say is hostile until parsed, and where they say nothing nothing is made up. A page of a purchase is made for pages that the
//! project lists, and only so often: so whoever sells demands it
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
use crate::upstream;
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

/// Each has this long.
const LIMIT: Duration = Duration::from_secs(8);

/// What they usually take of a purchase, in per cent (spec 9.8).
const FEE: (u32, u32) = (1, 2);

/// What one of them sells on a chain.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
struct Offers {
    /// ISO 4217.
    money: Vec<String>,
    coins: Vec<Offered>,
}

/// One coin of it.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
struct Offered {
    name: String,
    symbol: String,
    picture: String,
    contract: Option<String>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Fault {
    /// It could not be reached, or took too long.
    Unreachable,
    /// It does not know the key.
    Key,
    /// It was asked too often.
    TooOften,
    /// It does not sell this, here.
    Refused,
    /// It sells by country, and that is not known.
    NoCountry,
    /// It sells by state there, and that is not known.
    NoState,
    /// What it said makes no sense.
    Nonsense,
}

impl From<upstream::Fault> for Fault {
    fn from(fault: upstream::Fault) -> Fault {
        match fault {
            upstream::Fault::Status(401 | 403) => Fault::Key,
            upstream::Fault::Status(429) => Fault::TooOften,
            upstream::Fault::Status(400 | 404 | 422) => Fault::Refused,
            upstream::Fault::TooLong | upstream::Fault::Nonsense => Fault::Nonsense,
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

/// What a page is told of it; the log is told which.
fn failure(seller: &Seller, fault: Fault) -> Failure {
    let name = label(seller);
    if !matches!(fault, Fault::NoCountry | Fault::NoState | Fault::Refused) {
        tracing::warn!(seller = seller.word(), ?fault, "one who sells coins failed");
    }
    let bad = |description: String| Failure::new(StatusCode::BAD_GATEWAY, "", description);
    match fault {
        Fault::Unreachable => bad(format!("{name} does not answer")),
        Fault::Key => bad(format!("{name} does not take the key of this server")),
        Fault::Nonsense => bad(format!("{name} answered what makes no sense")),
        Fault::TooOften => {
            Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", format!("{name} was asked too often")).again_after(60)
        }
        Fault::Refused => unfit("", format!("{name} does not sell this; try another amount, coin or currency")),
        Fault::NoCountry => unfit("country", format!("{name} sells by country: the request must name one")),
        Fault::NoState => unfit("subdivision", format!("{name} sells by state there: the request must name one")),
    }
}

/// The one that is named, or the first.
fn seller<'a>(onramp: &'a Onramp, named: Option<&str>) -> Result<&'a Seller, Failure> {
    let found = onramp.sellers.iter().find(|seller| named.is_none_or(|named| named == seller.word()));
    found.ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, "provider", "Nobody of this name sells coins here"))
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

/// A number that is not negative, in plain notation, whether it was told as text or as a number.
fn number(value: &Value) -> Option<String> {
    let text = upstream::loose::text(value)?;
    let plain = match text.contains(['e', 'E']) {
        true => portico_terms::amount::plain(text)?,
        false => text.to_owned(),
    };
    let (whole, part) = plain.split_once('.').unwrap_or((&plain, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (plain.len() <= LONGEST_NUMBER && digits(whole) && digits(part)).then_some(plain)
}

const LONGEST_NUMBER: usize = 40;

/// The same of what is bought: who sells nothing for the money sells nothing.
fn bought(value: &Value) -> Option<String> {
    number(value).filter(|amount| amount.parse::<Decimal>().is_ok_and(|amount| !amount.is_zero()))
}
