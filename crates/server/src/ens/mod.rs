//! Lookups in the Ethereum Name Service: addresses of a name, name of an address, text records.
//!
//! All lookups go to the Universal Resolver, which finds the resolver of each name. Gateways are queried from here, by the
//! restricted HTTP client: so they never see a visitor's browser, and no third-party batch gateway is involved.

mod abi;
mod avatar;
mod gateway;
pub(crate) mod kept;
mod lookup;
mod name;

use crate::AppState;
use crate::config::Ens;
use abi::{addrCall, of_coin, resolveWithGatewaysCall, returned, reverseWithGatewaysCall, textCall};
use alloy_primitives::{Address, Bytes, U256};
use alloy_sol_types::SolCall;
use lookup::CallOutcome;
use std::time::Duration;

pub(crate) use avatar::Avatar;
pub use lookup::LookupFailed;
pub use name::{EnsName, NotAName};

/// Coin type of Ethereum in SLIP-44.
pub const ETHER: u64 = 60;

/// Time limit of a lookup with all nodes and gateways; shorter than that of clients (spec 7.8).
const LIMIT: Duration = Duration::from_secs(9);

/// Raw address of a name for a coin type (SLIP-44, ENSIP-11).
pub async fn address_of(state: &AppState, name: &EnsName, coin_type: u64) -> Result<Option<Vec<u8>>, LookupFailed> {
    let node = name.node();
    let question = if coin_type == ETHER {
        addrCall { node }.abi_encode()
    } else {
        of_coin::addrCall { node, coinType: U256::from(coin_type) }.abi_encode()
    };
    let Some(said) = in_time(resolve(state, name, question)).await? else { return Ok(None) };
    let address = if coin_type == ETHER {
        returned::<addrCall>(&said).filter(|account| !account.is_zero()).map(|account| account.to_vec())
    } else {
        returned::<of_coin::addrCall>(&said).map(|account| account.to_vec())
    };
    Ok(address.filter(|address| !address.is_empty()))
}

/// Ethereum account of a name.
pub async fn account_of(state: &AppState, name: &EnsName) -> Result<Option<Address>, LookupFailed> {
    let address = address_of(state, name, ETHER).await?;
    Ok(address.and_then(|address| Address::try_from(address.as_slice()).ok()))
}

/// Name of an account. The Universal Resolver returns it only if it resolves back to the account.
pub async fn name_of(state: &AppState, account: Address) -> Result<Option<EnsName>, LookupFailed> {
    let Some(Ens { chain, resolver }) = state.ens() else { return Ok(None) };
    let question = reverseWithGatewaysCall {
        lookupAddress: Bytes::from(account.to_vec()),
        coinType: U256::from(ETHER),
        gateways: vec![gateway::OURSELVES.into()],
    };
    let said = match in_time(lookup::follow(state, chain, *resolver, question.abi_encode())).await? {
        CallOutcome::Returned(said) => said,
        CallOutcome::Reverted(revert) => return lookup::nothing(&revert).map(|()| None),
    };
    let found = returned::<reverseWithGatewaysCall>(&said).ok_or(LookupFailed::NoResolver)?;
    // ENSIP-15: a name that is not normalised may imitate another.
    Ok(EnsName::claimed(&found.primary))
}

/// Text record of a name (ENSIP-5); `None` if empty.
pub async fn text(state: &AppState, name: &EnsName, key: &str) -> Result<Option<String>, LookupFailed> {
    let question = textCall { node: name.node(), key: key.into() }.abi_encode();
    let said = in_time(resolve(state, name, question)).await?;
    Ok(said.and_then(|said| returned::<textCall>(&said)).filter(|value| !value.is_empty()))
}

/// Picture of a name (ENSIP-12), not fetched yet.
pub(crate) async fn avatar_of(state: &AppState, name: &EnsName) -> Result<Option<Avatar>, LookupFailed> {
    let Some(record) = text(state, name, "avatar").await? else { return Ok(None) };
    in_time(avatar::read(state, &record, async || account_of(state, name).await)).await
}

/// Picture of a known `avatar` record, of a name that resolves to this account.
pub(crate) async fn avatar_in(
    state: &AppState,
    record: &str,
    owner: Option<Address>,
) -> Result<Option<Avatar>, LookupFailed> {
    in_time(avatar::read(state, record, async || Ok(owner))).await
}

/// Result of a resolver call about a name.
async fn resolve(state: &AppState, name: &EnsName, question: Vec<u8>) -> Result<Option<Vec<u8>>, LookupFailed> {
    let Some(Ens { chain, resolver }) = state.ens() else { return Ok(None) };
    let asked = resolveWithGatewaysCall {
        name: name.dns().into(),
        data: question.into(),
        gateways: vec![gateway::OURSELVES.into()],
    };
    match lookup::follow(state, chain, *resolver, asked.abi_encode()).await? {
        CallOutcome::Returned(said) => {
            let found = returned::<resolveWithGatewaysCall>(&said).ok_or(LookupFailed::NoResolver)?;
            Ok(Some(found.result.to_vec()))
        }
        CallOutcome::Reverted(revert) => lookup::nothing(&revert).map(|()| None),
    }
}

async fn in_time<T>(lookup: impl Future<Output = Result<T, LookupFailed>>) -> Result<T, LookupFailed> {
    tokio::time::timeout(LIMIT, lookup).await.unwrap_or(Err(LookupFailed::Late))
}
