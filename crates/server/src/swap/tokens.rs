//! `GET /v1/convert/tokens`: tokens that can be swapped on a chain.

use super::ask::{Query, chain, coin, needed};
use super::trade::{Coin, caip};
use crate::config::Chain;
use crate::error::json;
use crate::guard::part::InQuery;
use crate::guard::project::Project;
use crate::marks::picture_of;
use crate::picture::reachable;
use crate::{AppState, Failure};
use alloy_primitives::Address;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::swap::{SwapToken, SwapTokens};
use portico_json::to_text;

pub(super) async fn tokens(
    State(state): State<AppState>,
    project: Project,
    InQuery(query): InQuery<Query>,
) -> Result<Response, Failure> {
    let chain = chain(&state, &project, needed(query.chain_id.as_ref(), "chainId")?, "chainId")?;
    let only =
        query.address.as_deref().filter(|text| !text.is_empty()).map(|text| coin(text, "address")).transpose()?;
    let mut listed = listed(&chain);
    if let Some((id, coin)) = only {
        let wanted = coin.caip(&chain.id);
        listed.retain(|token| id == chain.id && token.address == wanted);
    }
    for token in &mut listed {
        let contract = token.address.rsplit(':').next().unwrap_or_default();
        token.logo_uri = picture_of(&token.logo_uri, &chain.id, contract);
        reachable(&state, &project, &mut token.logo_uri);
    }
    let provider = state.swaps().words(&chain).first().copied().unwrap_or_default();
    let exact_out = Some(state.swaps().exact_out(&chain));
    let told = SwapTokens { tokens: listed, provider: provider.into(), exact_out };
    Ok(json(StatusCode::OK, to_text(&told)))
}

/// Native coin and configured tokens of the chain.
fn listed(chain: &Chain) -> Vec<SwapToken> {
    let own = &chain.assets.coin;
    let mut tokens = vec![SwapToken {
        name: own.name.clone(),
        symbol: own.symbol.clone(),
        address: Coin::NATIVE.caip(&chain.id),
        decimals: own.decimals.into(),
        logo_uri: String::new(),
        eip2612: false,
    }];
    tokens.extend(chain.assets.tokens.iter().filter_map(|token| {
        let address = token.address.parse::<Address>().ok()?;
        Some(SwapToken {
            name: token.name.clone(),
            symbol: token.symbol.clone(),
            address: caip(&chain.id, address),
            decimals: token.decimals.into(),
            logo_uri: token.picture.clone(),
            eip2612: false,
        })
    }));
    tokens
}
