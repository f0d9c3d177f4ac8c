//! 0x, Swap API v2 with AllowanceHolder (<https://docs.0x.org/api-reference/0-x-api/swap/allowanceholder-getquote>). Needs a key.

use super::trade::{self, Built, Coin, DecodedSwap, Found, Order, Routers, Tolerance, Trade};
use super::vendor::{self, Pools, at, bytes, number};
use super::{Breach, Fault, Provider, ProviderAnswer};
use crate::AppState;
use crate::config::{Chain, Keyed};
use crate::source::{fetch, loose};
use crate::upstream::multicall::{self, ContractRead};
use alloy_primitives::Address;
use futures_util::FutureExt;
use portico_calldata::{PREVIOUS_SETTLER, Protocol, REGISTRY, SETTLER, hex};
use portico_json::Value;
use std::time::Duration;

/// Swap provider for 0x.
pub(super) struct Zerox(pub(super) Keyed);

impl Zerox {
    async fn ask(
        &self,
        state: &AppState,
        trade: &Trade,
        what: &str,
        taker: Option<Address>,
        tolerance: Tolerance,
    ) -> Result<Value, Fault> {
        if !state.shared().spend_keyed("zerox").await {
            return Err(Fault::Limited);
        }
        let mut url = self.0.url.clone();
        let path = ["swap", "allowance-holder", what];
        url.path_segments_mut().map_err(|()| Fault::NotServed)?.pop_if_empty().extend(path);
        url.query_pairs_mut()
            .append_pair("chainId", trade.chain.id.reference())
            .append_pair("sellToken", &trade.from.0.to_string())
            .append_pair("buyToken", &trade.to.0.to_string())
            .append_pair("sellAmount", &trade.amount.to_string())
            .append_pair("slippageBps", &tolerance.points().to_string());
        if let Some(taker) = taker {
            url.query_pairs_mut().append_pair("taker", &taker.to_string());
        }
        let request = state.http().get(url).header("0x-api-key", self.0.key.reveal()).header("0x-version", "v2");
        let answer = fetch(request).await?;
        if answer.get("liquidityAvailable").as_bool() == Some(false) { Err(Fault::NoWay) } else { Ok(answer) }
    }
}

impl Provider for Zerox {
    fn id(&self) -> &'static str {
        "zerox"
    }

    fn knows(&self, chain: &Chain) -> bool {
        vendor::serves(Protocol::AllowanceHolder, chain)
    }

    fn quote<'a>(&'a self, state: &'a AppState, trade: &'a Trade) -> ProviderAnswer<'a, Found> {
        async move {
            let answer = self.ask(state, trade, "price", trade.user, Tolerance::USUAL).await?;
            found(&answer, trade).map_err(Fault::Breach)?.ok_or(Fault::Upstream(crate::source::Fault::Nonsense))
        }
        .boxed()
    }

    fn build<'a>(&'a self, state: &'a AppState, order: &'a Order) -> ProviderAnswer<'a, Built> {
        async move {
            let answer = self.ask(state, &order.trade, "quote", Some(order.user), order.tolerance).await?;
            matches(&answer, &order.trade).map_err(Fault::Breach)?;
            let least = number(answer.get("minBuyAmount"));
            if least.is_some_and(|least| least < order.least) {
                return Err(Fault::Moved);
            }
            let built = built(&answer).ok_or(Fault::Upstream(crate::source::Fault::Nonsense))?;
            let settler = read(order, &built).and_then(|said| said.settler).ok_or(Fault::Breach(Breach::Unreadable))?;
            if !settlers(state, &order.trade.chain).await?.contains(&settler) {
                return Err(Fault::Breach(Breach::Settler));
            }
            Ok(built)
        }
        .boxed()
    }

    fn read(&self, order: &Order, built: &Built) -> Option<DecodedSwap> {
        read(order, built)
    }

    fn routers(&self, chain: &Chain) -> Routers {
        vendor::routers(Protocol::AllowanceHolder, chain)
    }

    fn fresh_for(&self) -> Option<Duration> {
        Some(super::FRESH)
    }
}

/// Checks that the response matches the requested trade.
fn matches(answer: &Value, trade: &Trade) -> Result<(), Breach> {
    let said = |name: &str| at(answer.get(name)).map(Coin);
    if (said("sellToken"), said("buyToken")) != (Some(trade.from), Some(trade.to)) {
        return Err(Breach::Token);
    }
    if number(answer.get("sellAmount")) != Some(trade.amount) {
        return Err(Breach::Amount);
    }
    Ok(())
}

/// Parses a price and checks that it matches the request. `None` where it is malformed.
fn found(answer: &Value, trade: &Trade) -> Result<Option<Found>, Breach> {
    matches(answer, trade)?;
    Ok(sensible(answer, trade))
}

fn sensible(answer: &Value, trade: &Trade) -> Option<Found> {
    let out = number(answer.get("buyAmount"))?;
    let spender = if trade.from.is_native() { None } else { Some(at(answer.get("allowanceTarget"))?) };
    let mut names = Pools::default();
    let fills = answer.get("route").get("fills").as_list().unwrap_or_default();
    fills.iter().for_each(|fill| names.add(fill.get("source")));
    Some(vendor::found(trade, out, names, "0x", spender, answer.get("gas")))
}

fn built(answer: &Value) -> Option<Built> {
    let call = answer.get("transaction");
    Some(Built {
        to: at(call.get("to"))?,
        data: bytes(call.get("data"))?,
        value: number(call.get("value"))?,
        from: None,
        gas: loose::number(call.get("gas")),
    })
}

/// Current Settler and the previous one, which stays in use for some time after a new one. Empty while the vendor has paused them.
async fn settlers(state: &AppState, chain: &Chain) -> Result<Vec<Address>, Fault> {
    let call = |data| Some(ContractRead { to: REGISTRY.into(), data: hex::bytes(data)? });
    let calls: Vec<_> = [SETTLER, PREVIOUS_SETTLER].into_iter().filter_map(call).collect();
    let said = multicall::ask_together(state, chain, &calls).await?;
    // While Settlers are paused `ownerOf` reverts; the previous one must not be used either.
    if said.first().is_none_or(Option::is_none) {
        return Ok(Vec::new());
    }
    Ok(said.iter().flatten().filter_map(|word| settler(word)).collect())
}

/// Decodes a word that holds exactly one address.
fn settler(word: &[u8]) -> Option<Address> {
    let word = <[u8; 32]>::try_from(word).ok()?;
    let address = Address::from_slice(&word[12..]);
    (word[..12] == [0; 12] && !address.is_zero()).then_some(address)
}

fn read(order: &Order, built: &Built) -> Option<DecodedSwap> {
    trade::decode(Protocol::AllowanceHolder, None, order.user, built)
}

#[cfg(test)]
mod tests;
