//! LI.FI (<https://docs.li.fi/api-reference/get-a-quote-for-a-token-transfer>), an aggregator of exchanges. Needs no key, but receives
//! the visitor's address; a key raises its rate limit.
//!
//! A quote includes its transaction, so that building it needs no second request: without a key the limit is 75 requests in two hours.

use super::trade::{self, Built, Coin, DecodedSwap, Found, Hop, Order, Routers, Tolerance, Trade};
use super::vendor::{self, at, number};
use super::{Breach, Fault, Provider, ProviderAnswer, check};
use crate::AppState;
use crate::config::{Chain, Secret};
use crate::shared::Quota;
use crate::source::{fetch, loose};
use alloy_primitives::{Address, U256, hex};
use futures_util::FutureExt;
use portico_calldata::Protocol;
use portico_json::Value;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Requests without a key (<https://docs.li.fi/api-reference/rate-limits>).
const WITHOUT_KEY: Quota =
    Quota { upstream: "lifi", requests: 75, within: Duration::from_secs(2 * 60 * 60), burst: 75 / 8 };

/// Swap provider for LI.FI.
pub(super) struct Lifi {
    pub(super) url: Url,
    pub(super) key: Option<Secret>,
}

/// Transaction of a quote, stored until the swap is built.
#[derive(Deserialize, Serialize)]
struct Plan {
    to: Address,
    from: Address,
    data: String,
    value: U256,
    gas: Option<u64>,
    /// Slippage tolerance of the transaction, in basis points.
    points: u32,
}

impl Plan {
    fn call(self) -> Option<Built> {
        let data = hex::decode(&self.data).ok()?;
        Some(Built { to: self.to, data, value: self.value, from: Some(self.from), gas: self.gas })
    }
}

impl Lifi {
    async fn ask(&self, state: &AppState, trade: &Trade, user: Address, tolerance: Tolerance) -> Result<Value, Fault> {
        let admitted = match &self.key {
            Some(_) => state.shared().spend_keyed(WITHOUT_KEY.upstream).await,
            None => state.shared().spend_part(WITHOUT_KEY).await,
        };
        if !admitted {
            return Err(Fault::Limited);
        }
        let mut url = self.url.clone();
        url.path_segments_mut().map_err(|()| Fault::NotServed)?.pop_if_empty().extend(["v1", "quote"]);
        let chain = trade.chain.id.reference();
        url.query_pairs_mut()
            .append_pair("fromChain", chain)
            .append_pair("toChain", chain)
            .append_pair("fromToken", &spelled(trade.from))
            .append_pair("toToken", &spelled(trade.to))
            .append_pair("fromAmount", &trade.amount.to_string())
            .append_pair("fromAddress", &user.to_string())
            .append_pair("toAddress", &user.to_string())
            .append_pair("slippage", &tolerance.share());
        let mut request = state.http().get(url);
        if let Some(key) = &self.key {
            request = request.header("x-lifi-api-key", key.reveal());
        }
        match fetch(request).await {
            // "NoQuoteError" and "NotFoundError".
            Err(crate::source::Fault::Status(404)) => Err(Fault::NoWay),
            answer => Ok(answer?),
        }
    }

    async fn found(
        &self,
        state: &AppState,
        trade: &Trade,
        user: Address,
        tolerance: Tolerance,
    ) -> Result<Found, Fault> {
        let answer = self.ask(state, trade, user, tolerance).await?;
        found(&answer, trade, user, tolerance)
            .map_err(Fault::Breach)?
            .ok_or(Fault::Upstream(crate::source::Fault::Nonsense))
    }
}

impl Provider for Lifi {
    fn id(&self) -> &'static str {
        "lifi"
    }

    fn knows(&self, chain: &Chain) -> bool {
        vendor::serves(Protocol::Lifi, chain)
    }

    fn quote<'a>(&'a self, state: &'a AppState, trade: &'a Trade) -> ProviderAnswer<'a, Found> {
        async move {
            let user = trade.user.ok_or(Fault::NotServed)?;
            let found = self.found(state, trade, user, Tolerance::USUAL).await?;
            // A quote whose transaction fails the check is not offered.
            let least = Tolerance::USUAL.least(found.out);
            let (trade, most) = (trade.clone(), trade.amount);
            let order = Order { trade, user, found, most, least, tolerance: Tolerance::USUAL, deadline: 0 };
            let built = self.build(state, &order).await?;
            let looked =
                check::built(&order, &built, read(&order, &built).as_ref(), &self.routers(&order.trade.chain), 0);
            looked.map(|()| order.found).map_err(Fault::Breach)
        }
        .boxed()
    }

    fn build<'a>(&'a self, state: &'a AppState, order: &'a Order) -> ProviderAnswer<'a, Built> {
        async move {
            let kept = serde_json::from_str::<Plan>(&order.found.plan).ok();
            // A stored transaction for another user or another tolerance cannot be used.
            let fits = kept.filter(|plan| plan.from == order.user && plan.points == order.tolerance.points());
            let plan = match fits {
                Some(plan) => plan,
                None => {
                    let found = self.found(state, &order.trade, order.user, order.tolerance).await?;
                    serde_json::from_str(&found.plan).map_err(|_| Fault::NoWay)?
                }
            };
            plan.call().ok_or(Fault::Upstream(crate::source::Fault::Nonsense))
        }
        .boxed()
    }

    fn trial(&self, order: &Order) -> Option<Built> {
        serde_json::from_str::<Plan>(&order.found.plan).ok()?.call()
    }

    fn read(&self, order: &Order, built: &Built) -> Option<DecodedSwap> {
        read(order, built)
    }

    fn routers(&self, chain: &Chain) -> Routers {
        vendor::routers(Protocol::Lifi, chain)
    }

    fn fresh_for(&self) -> Option<Duration> {
        Some(super::FRESH)
    }
}

/// Address of a token for LI.FI, which uses the zero address for the native coin.
fn spelled(coin: Coin) -> String {
    if coin.is_native() { Address::ZERO.to_string() } else { coin.0.to_string() }
}

fn coin(address: Address) -> Coin {
    if address.is_zero() { Coin::NATIVE } else { Coin(address) }
}

/// Parses a quote and checks that it matches the request. `None` where it is malformed.
fn found(answer: &Value, trade: &Trade, user: Address, tolerance: Tolerance) -> Result<Option<Found>, Breach> {
    let (action, estimate, call) = (answer.get("action"), answer.get("estimate"), answer.get("transactionRequest"));
    let said = |name: &str| at(action.get(name).get("address")).map(coin);
    if (said("fromToken"), said("toToken")) != (Some(trade.from), Some(trade.to)) {
        return Err(Breach::Token);
    }
    if number(action.get("fromAmount")) != Some(trade.amount) {
        return Err(Breach::Amount);
    }
    let same = |value: &Value, or: bool| if value.is_null() { or } else { at(value) == Some(user) };
    if !same(action.get("toAddress"), true) {
        return Err(Breach::Receiver);
    }
    if !same(call.get("from"), true) {
        return Err(Breach::Payer);
    }
    let chain = trade.chain.id.number();
    if loose::number(call.get("chainId")).is_some_and(|number| Some(number) != chain) {
        return Err(Breach::Target);
    }
    Ok(sensible(answer, estimate, call, trade, user, tolerance))
}

fn sensible(
    answer: &Value,
    estimate: &Value,
    call: &Value,
    trade: &Trade,
    user: Address,
    tolerance: Tolerance,
) -> Option<Found> {
    let out = number(estimate.get("toAmount"))?;
    // The vendor's minimum may be higher than ours, never lower.
    number(estimate.get("toAmountMin")).filter(|least| *least <= out && *least >= tolerance.least(out))?;
    let gas = estimate.get("gasCosts").as_list().and_then(|costs| loose::number(costs.first()?.get("limit")));
    let gas = loose::number(call.get("gasLimit")).or(gas)?;
    let plan = Plan {
        to: at(call.get("to"))?,
        from: user,
        data: call.get("data").as_str().filter(|data| data.starts_with("0x"))?.into(),
        value: if call.get("value").is_null() { U256::ZERO } else { number(call.get("value"))? },
        gas: Some(gas),
        points: tolerance.points(),
    };
    let spender = (!trade.from.is_native()).then(|| at(estimate.get("approvalAddress")));
    let name = loose::word(answer.get("toolDetails").get("name")).or_else(|| loose::word(answer.get("tool")))?;
    Some(Found {
        paid: trade.amount,
        out,
        route: vec![Hop { name, from: trade.from, to: trade.to }],
        impact: None,
        fee: fee(estimate.get("feeCosts")),
        spender: match spender {
            Some(spender) => Some(spender?),
            None => None,
        },
        allowance: None,
        gas,
        plan: serde_json::to_string(&plan).ok()?,
    })
}

/// Sum of the listed fees, each a fraction of one, in percent.
fn fee(costs: &Value) -> Option<String> {
    let costs = costs.as_list()?;
    let mut millionths = 0u64;
    for cost in costs {
        let share: crate::price::Decimal = loose::text(cost.get("percentage"))?.parse().ok()?;
        let share = share.worth(portico_terms::Amount::from(1_000_000_u32), 0);
        let whole: u64 = share.split('.').next()?.parse().ok()?;
        millionths = millionths.checked_add(whole)?;
    }
    (millionths <= 1_000_000).then(|| crate::price::plain(&millionths.to_string(), 4))
}

fn read(order: &Order, built: &Built) -> Option<DecodedSwap> {
    trade::decode(Protocol::Lifi, None, order.user, built)
}

#[cfg(test)]
mod tests;
