//! `GET /v1/onramp/purchase`: status of a purchase, as reported by its provider.
//!
//! A purchase is identified by a random reference made by this server. A host's id of its buyer would not do: everybody who knows
//! that id could see the purchases.

use super::kept::{kept, value};
use super::routes::spend;
use super::{Fault, LIMIT, Seller, failure, seller};
use crate::error::json;
use crate::guard::part::InQuery;
use crate::guard::project::Project;
use crate::shared::Rate;
use crate::source::loose;
use crate::{AppState, Failure};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use portico_api::onramp::{OnrampAmount, OnrampPurchase};
use portico_json::{Json, Read, Value, to_text};
use serde::Deserialize;
use std::time::Duration;
use tokio::time::timeout;

/// Rate limit of status requests per visitor.
const LOOKS: Rate = Rate { per_second: 0.5, burst: 30 };

/// Cache lifetimes of a pending purchase, so that several tabs cause one request, and of a finished one.
const KEPT: Duration = Duration::from_secs(4);
const KEPT_OVER: Duration = Duration::from_secs(600);

/// Prefix of references, which shows their origin in a provider's lists.
const PREFIX: &str = "portico-";

/// Status of a purchase.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub(super) enum Progress {
    /// Not begun.
    #[default]
    Unseen,
    /// Being paid, or the coins are being sent.
    Pending,
    /// Coins sent.
    Done,
    /// Failed or cancelled.
    Failed,
}

/// Purchase as parsed from a provider's response.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub(super) struct Purchased {
    pub(super) progress: Progress,
    pub(super) amount: Option<Paid>,
    pub(super) hash: Option<String>,
}

/// Amount of a coin.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub(super) struct Paid {
    pub(super) amount: String,
    pub(super) currency: String,
}

#[derive(Deserialize)]
pub(super) struct PurchaseQuery {
    provider: Option<String>,
    reference: Option<String>,
}

/// New random reference, shorter than Coinbase's limit of 50 letters.
pub(super) fn reference() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().fold(PREFIX.to_owned(), |text, byte| text + &format!("{byte:02x}")))
}

fn is_reference(text: &str) -> bool {
    let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.strip_prefix(PREFIX).is_some_and(|digits| digits.len() == 32 && digits.bytes().all(digit))
}

pub(super) async fn purchase(
    State(state): State<AppState>,
    project: Project,
    InQuery(asked): InQuery<PurchaseQuery>,
) -> Result<Response, Failure> {
    let provider = asked.provider.ok_or_else(|| Failure::parameter("provider", "Add a provider to the query"))?;
    let seller = seller(state.onramp(), Some(&provider))?;
    let reference = asked.reference.unwrap_or_default();
    if !is_reference(&reference) {
        let sentence = "Use the reference that /v1/generators/onrampurl returned";
        return Err(Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "reference", sentence));
    }
    spend(&state, &project, "purchases", LOOKS).await?;
    let told = timeout(LIMIT, known(&state, seller, &reference)).await.unwrap_or(Err(Fault::Unreachable));
    let Purchased { progress, amount, hash } = told.map_err(|fault| failure(seller, fault))?;
    let told = OnrampPurchase {
        state: progress.word().into(),
        purchase_amount: amount.map(|Paid { amount, currency }| OnrampAmount { amount, currency }),
        hash,
    };
    let mut response = json(StatusCode::OK, to_text(&told));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

async fn known(state: &AppState, seller: &Seller, reference: &str) -> Result<Purchased, Fault> {
    let key = format!("onramp:purchase:{}:{reference}", seller.word());
    let time = |told: &Value| match Purchased::read(told).map(|known| known.progress) {
        Ok(Progress::Done) => KEPT_OVER,
        _ => KEPT,
    };
    let ask = async { value(&seller.purchase(state, reference).await?) };
    let told = kept(state, &key, time, ask).await?;
    Purchased::read(&told).map_err(|_| Fault::Nonsense)
}

/// Transaction hash on an EVM chain, or signature on Solana; other values are left out.
pub(super) fn hash(value: &Value) -> Option<String> {
    loose::hash(value).or_else(|| loose::signature(value).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_new_each_time_and_short_enough_for_who_sells() {
        let (one, other) = (reference().unwrap(), reference().unwrap());
        assert!(is_reference(&one) && is_reference(&other) && one != other, "{one} {other}");
        assert!(one.len() < 50);
        for foreign in ["", "user-1", "portico-", "portico-00", &one.to_uppercase(), &format!("{one}0"), &one[1..]] {
            assert!(!is_reference(foreign), "{foreign}");
        }
    }
}
