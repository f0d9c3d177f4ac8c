//! 1inch, Classic Swap v6.1 (<https://business.1inch.com/portal/documentation/apis/swap/classic-swap>). Needs a key.

use super::trade::{self, Built, DecodedSwap, Found, Order, Routers, Trade};
use super::vendor::{self, Pools, at, bytes, number};
use super::{Fault, Provider, ProviderAnswer};
use crate::AppState;
use crate::config::{Chain, Keyed};
use crate::source::{fetch, loose};
use futures_util::FutureExt;
use portico_calldata::Protocol;
use portico_json::Value;
use std::time::Duration;

/// Swap provider for 1inch.
pub(super) struct Oneinch(pub(super) Keyed);

impl Oneinch {
    async fn ask(&self, state: &AppState, trade: &Trade, what: &str, more: &[(&str, String)]) -> Result<Value, Fault> {
        if !state.shared().spend_keyed("oneinch").await {
            return Err(Fault::Limited);
        }
        let mut url = self.0.url.clone();
        let path = ["swap", "v6.1", trade.chain.id.reference(), what];
        url.path_segments_mut().map_err(|()| Fault::NotServed)?.pop_if_empty().extend(path);
        url.query_pairs_mut()
            .append_pair("src", &trade.from.0.to_string())
            .append_pair("dst", &trade.to.0.to_string())
            .append_pair("amount", &trade.amount.to_string())
            .append_pair("includeProtocols", "true")
            .append_pair("includeGas", "true")
            .extend_pairs(more);
        match fetch(state.http().get(url).bearer_auth(self.0.key.reveal())).await {
            // "insufficient liquidity", and any other objection to the request.
            Err(crate::source::Fault::Status(400)) => Err(Fault::NoWay),
            answer => Ok(answer?),
        }
    }
}

impl Provider for Oneinch {
    fn id(&self) -> &'static str {
        "oneinch"
    }

    fn knows(&self, chain: &Chain) -> bool {
        vendor::serves(Protocol::Oneinch, chain)
    }

    fn quote<'a>(&'a self, state: &'a AppState, trade: &'a Trade) -> ProviderAnswer<'a, Found> {
        async move {
            let answer = self.ask(state, trade, "quote", &[]).await?;
            found(&answer, trade).ok_or(Fault::Upstream(crate::source::Fault::Nonsense))
        }
        .boxed()
    }

    fn build<'a>(&'a self, state: &'a AppState, order: &'a Order) -> ProviderAnswer<'a, Built> {
        async move {
            let more = [
                ("from", order.user.to_string()),
                ("origin", order.user.to_string()),
                ("receiver", order.user.to_string()),
                ("slippage", order.tolerance.per_cent()),
                // The chain itself is queried whether the swap would revert, not the vendor.
                ("disableEstimate", "true".into()),
                // Excludes the functions whose calldata does not name the bought token: see `read`.
                ("compatibility", "true".into()),
            ];
            let answer = self.ask(state, &order.trade, "swap", &more).await?;
            built(&answer).ok_or(Fault::Upstream(crate::source::Fault::Nonsense))
        }
        .boxed()
    }

    fn read(&self, order: &Order, built: &Built) -> Option<DecodedSwap> {
        read(order, built)
    }

    fn routers(&self, chain: &Chain) -> Routers {
        vendor::routers(Protocol::Oneinch, chain)
    }

    fn fresh_for(&self) -> Option<Duration> {
        Some(super::FRESH)
    }
}

fn found(answer: &Value, trade: &Trade) -> Option<Found> {
    let mut names = Pools::default();
    pools(answer.get("protocols"), &mut names, 0);
    // A quote names no spender: it is always the router.
    let router = || vendor::routers(Protocol::Oneinch, &trade.chain).spenders.first().copied();
    let spender = if trade.from.is_native() { None } else { Some(router()?) };
    Some(vendor::found(trade, number(answer.get("dstAmount"))?, names, "1inch", spender, answer.get("gas")))
}

/// Maximum nesting of the lists of pools: routes contain parts, and parts contain steps.
const DEEPEST: usize = 6;

/// Collects the names of the pools from nested lists.
fn pools(value: &Value, names: &mut Pools, depth: usize) {
    if depth > DEEPEST || names.are_enough() {
        return;
    }
    match value.as_list() {
        Some(items) => items.iter().for_each(|item| pools(item, names, depth + 1)),
        None => names.add(value.get("name")),
    }
}

fn built(answer: &Value) -> Option<Built> {
    let call = answer.get("tx");
    Some(Built {
        to: at(call.get("to"))?,
        data: bytes(call.get("data"))?,
        value: number(call.get("value"))?,
        from: Some(at(call.get("from"))?),
        // With `disableEstimate` the vendor sends 0.
        gas: loose::number(call.get("gas")).filter(|gas| *gas > 0),
    })
}

fn read(order: &Order, built: &Built) -> Option<DecodedSwap> {
    trade::decode(Protocol::Oneinch, None, order.user, built)
}

#[cfg(test)]
mod tests;
