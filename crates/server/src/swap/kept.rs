//! Storage of quotes by id until they expire, and a short cache of provider quotes.

use super::trade::{Coin, Found, Trade};
use super::{Fault, Provider};
use crate::shared::Kind;
use crate::{AppState, Failure};
use alloy_primitives::{Address, U256, hex};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Lifetime of a stored quote. A repeated request within it gets a quote with another id.
pub(super) const LIFE: Duration = Duration::from_secs(60);

/// Stored quote.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Quote {
    pub(super) provider: String,
    chain: String,
    from: Coin,
    to: Coin,
    amount: U256,
    exact_out: bool,
    user: Option<Address>,
    pub(super) found: Found,
}

impl Quote {
    pub(super) fn new(provider: &str, trade: &Trade, found: Found) -> Quote {
        Quote {
            provider: provider.into(),
            chain: trade.chain.id.to_string(),
            from: trade.from,
            to: trade.to,
            amount: trade.amount,
            exact_out: trade.exact_out,
            user: trade.user,
            found,
        }
    }

    /// Whether the quote applies to this trade.
    fn covers(&self, trade: &Trade) -> bool {
        let same = (self.from, self.to) == (trade.from, trade.to)
            && (self.amount, self.exact_out) == (trade.amount, trade.exact_out);
        // A quote without a user applies to every user.
        let for_user = self.user.is_none() || trade.user.is_none() || self.user == trade.user;
        same && for_user && self.chain == trade.chain.id.to_string()
    }
}

/// Quote of a provider, from the cache if the provider limits requests.
pub(super) async fn offer(state: &AppState, provider: &dyn Provider, trade: &Trade) -> Result<Found, Fault> {
    let Some(fresh) = provider.fresh_for() else { return provider.quote(state, trade).await };
    let Trade { chain, from, to, amount, exact_out, user } = trade;
    let (from, to, user) = (from.0, to.0, user.unwrap_or_default());
    let key = format!("swap:{}:{}:{from:x}:{to:x}:{amount}:{exact_out}:{user:x}", provider.id(), chain.id);
    let kept = state.shared().get(&key).await.and_then(|bytes| serde_json::from_slice::<Found>(&bytes).ok());
    if let Some(found) = kept {
        return Ok(found);
    }
    let found = provider.quote(state, trade).await?;
    if let Ok(bytes) = serde_json::to_vec(&found) {
        state.shared().put(&key, bytes.into(), fresh).await;
    }
    Ok(found)
}

/// Stores a quote and returns its id. `None` if the system has no randomness.
pub(super) async fn put(state: &AppState, quote: &Quote) -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    let id = hex::encode(bytes);
    state.shared().put_of(Kind::Promise, &key(&id), serde_json::to_vec(quote).ok()?.into(), LIFE).await;
    Some(id)
}

/// Stored quote with this id, if it applies to this trade.
pub(super) async fn get(state: &AppState, id: &str, trade: &Trade) -> Result<Quote, Failure> {
    let named = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let kept = if named { state.shared().get_of(Kind::Promise, &key(&id.to_ascii_lowercase())).await } else { None };
    let quote: Option<Quote> = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let gone = || Failure::new(StatusCode::CONFLICT, "quoteId", "This quote has expired. Get a new one.");
    let quote = quote.ok_or_else(gone)?;
    if quote.covers(trade) {
        return Ok(quote);
    }
    Err(Failure::parameter("quoteId", "This quote is for another swap. Get a new one."))
}

fn key(id: &str) -> String {
    format!("swap:{id}")
}
