//! ERC-20 allowances that a user gave to swap contracts: `GET /v1/convert/allowance`, and the allowance of each quote.

use super::ask::{Query, chain, coin, needed, user};
use super::routes::silent;
use super::trade::{Found, Trade};
use crate::config::Chain;
use crate::error::json;
use crate::guard::part::InQuery;
use crate::guard::project::Project;
use crate::source::Fault;
use crate::upstream::multicall::{self, ContractRead};
use crate::{AppState, Failure};
use alloy_primitives::{Address, U256};
use alloy_sol_types::{SolCall, sol};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::swap::SwapAllowance;
use portico_json::to_text;

sol! {
    function allowance(address owner, address spender) external view returns (uint256);
}

/// `allowance` call for a token.
pub(super) fn question(token: Address, owner: Address, spender: Address) -> ContractRead {
    ContractRead { to: token, data: allowanceCall { owner, spender }.abi_encode() }
}

/// Decodes the response: exactly one 256-bit word.
pub(super) fn answer(said: Option<&[u8]>) -> Option<U256> {
    <[u8; 32]>::try_from(said?).ok().map(U256::from_be_bytes)
}

/// Allowance of each spender; `None` where the token returns none.
async fn ask(
    state: &AppState,
    chain: &Chain,
    token: Address,
    owner: Address,
    spenders: &[Address],
) -> Result<Vec<Option<U256>>, Fault> {
    let calls: Vec<ContractRead> = spenders.iter().map(|spender| question(token, owner, *spender)).collect();
    let said = multicall::ask_together(state, chain, &calls).await?;
    Ok(said.iter().map(|said| answer(said.as_deref())).collect())
}

/// Adds the allowance to quotes that lack it.
pub(super) async fn fill(state: &AppState, trade: &Trade, offers: impl Iterator<Item = &mut Found>) {
    let Some(owner) = trade.user else { return };
    let mut open: Vec<&mut Found> =
        offers.filter(|offer| offer.spender.is_some() && offer.allowance.is_none()).collect();
    let spenders: Vec<Address> = open.iter().filter_map(|offer| offer.spender).collect();
    if spenders.is_empty() {
        return;
    }
    // On failure the field stays empty, and clients query the token themselves.
    let Ok(amounts) = ask(state, &trade.chain, trade.from.0, owner, &spenders).await else { return };
    for (offer, amount) in open.iter_mut().zip(amounts) {
        offer.allowance = amount;
    }
}

pub(super) async fn allowance(
    State(state): State<AppState>,
    project: Project,
    InQuery(query): InQuery<Query>,
) -> Result<Response, Failure> {
    let (id, token) = coin(needed(query.token_address.as_ref(), "tokenAddress")?, "tokenAddress")?;
    let chain = chain(&state, &project, &id.to_string(), "tokenAddress")?;
    let owner = user(needed(query.user_address.as_ref(), "userAddress")?, &id)?;
    let told = |allowance: U256| json(StatusCode::OK, to_text(&SwapAllowance { allowance: allowance.to_string() }));
    if token.is_native() {
        // The native coin is sent with the transaction and needs no approval.
        return Ok(told(U256::MAX));
    }
    let spenders =
        state.swaps().on(&chain).next().map(|provider| provider.routers(&chain).spenders).unwrap_or_default();
    let amounts = ask(&state, &chain, token.0, owner, &spenders).await.map_err(|_| silent())?;
    // Only a quote decides which contract is used, so the smallest allowance is reported: it holds for all of them.
    let amounts: Option<Vec<U256>> = amounts.into_iter().collect();
    let least = amounts.and_then(|amounts| amounts.into_iter().min());
    let sentence = "No token at this address reports an allowance. Check the address.";
    least.map(told).ok_or_else(|| Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "tokenAddress", sentence))
}
