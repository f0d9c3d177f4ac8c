//! Uniswap-like exchanges on the chain itself, queried through the chain's nodes. Needs no key and sends no visitor data to third parties.
//!
//! One multicall queries all pools that may connect two tokens, each for the amount and for a hundredth of it; the difference between the
//! two rates is the price impact.

mod call;
mod known;
mod rate;
mod way;

use super::trade::{Built, Coin, DecodedSwap, Found, Hop, Order, Routers, Trade};
use super::{Fault, Provider, ProviderAnswer, allowance};
use crate::AppState;
use crate::config::{Chain, Exchange};
use crate::upstream::multicall::{self, ContractRead};
use alloy_primitives::{Address, U256};
use call::{Asked, Offer};
use futures_util::FutureExt;
use portico_terms::ChainId;
use std::collections::HashMap;
use way::OnchainRoute;

/// Swap provider for the exchanges on the chain.
pub(super) struct Onchain {
    exchanges: HashMap<ChainId, Exchange>,
}

/// Divisor of the amount for the second quote, from which the price impact is computed.
const PROBE: U256 = U256::from_limbs([100, 0, 0, 0]);

impl Onchain {
    pub(super) fn new(exchanges: HashMap<ChainId, Exchange>) -> Onchain {
        Onchain { exchanges }
    }

    /// Exchange of the configuration, else the built-in one. Chains outside spec 9.10 work only if the operator configures them.
    fn exchange(&self, chain: &Chain) -> Option<Exchange> {
        let named = self.exchanges.get(&chain.id).cloned();
        named.or_else(|| known::known(&chain.id).filter(|_| super::supported(chain)))
    }
}

impl Provider for Onchain {
    fn id(&self) -> &'static str {
        "onchain"
    }

    fn knows(&self, chain: &Chain) -> bool {
        self.exchange(chain).is_some()
    }

    fn quote<'a>(&'a self, state: &'a AppState, trade: &'a Trade) -> ProviderAnswer<'a, Found> {
        async move {
            let exchange = self.exchange(&trade.chain).ok_or(Fault::NotServed)?;
            let ways = way::ways(&exchange, trade.from, trade.to);
            let (whole, probe) = (asked(trade, trade.amount), asked(trade, trade.amount / PROBE));
            let mut calls: Vec<ContractRead> = Vec::new();
            for way in &ways {
                calls.extend(call::quote(&exchange, way, whole));
                calls.extend(call::quote(&exchange, way, probe));
            }
            let questions = calls.len();
            let spenders = self.routers(&trade.chain).spenders;
            if let Some(user) = trade.user.filter(|_| !trade.from.is_native()) {
                calls.extend(spenders.iter().map(|spender| allowance::question(trade.from.0, user, *spender)));
            }
            let answers = multicall::ask_together(state, &trade.chain, &calls).await?;
            let (quotes, allowances) = answers.split_at(questions.min(answers.len()));
            let (place, offer) = best(&exchange, &ways, whole, quotes).ok_or(Fault::NoWay)?;
            let way = &ways[place];
            let spender = way.spender(&exchange).filter(|_| !trade.from.is_native());
            let permitted = spenders.iter().zip(allowances).find(|(one, _)| Some(**one) == spender);
            let small =
                quotes.get(place * 2 + 1).and_then(Option::as_deref).and_then(|said| call::quoted(way, said, probe));
            // An amount to receive makes the pools round what is paid.
            let small = small.filter(|small: &Offer| !trade.exact_out || small.paid >= rate::FINE);
            let impact = small.and_then(|small| rate::impact((offer.paid, offer.out), (small.paid, small.out)));
            Ok(Found {
                paid: offer.paid,
                out: offer.out,
                route: route(&exchange, way, trade),
                impact,
                fee: Some(rate::fee(&way.fees())),
                spender,
                allowance: permitted.and_then(|(_, said)| allowance::answer(said.as_deref())),
                gas: offer.gas,
                plan: serde_json::to_string(way).map_err(|_| Fault::NoWay)?,
            })
        }
        .boxed()
    }

    fn build<'a>(&'a self, state: &'a AppState, order: &'a Order) -> ProviderAnswer<'a, Built> {
        async move {
            let trade = &order.trade;
            let exchange = self.exchange(&trade.chain).ok_or(Fault::NotServed)?;
            let way: OnchainRoute = serde_json::from_str(&order.found.plan).map_err(|_| Fault::NoWay)?;
            // Quotes again: a swap that would revert only wastes gas.
            let whole = asked(trade, trade.amount);
            if let Some(question) = call::quote(&exchange, &way, whole) {
                let said = multicall::ask_together(state, &trade.chain, &[question]).await?.pop().flatten();
                let offer = said.and_then(|said| call::quoted(&way, &said, whole)).ok_or(Fault::NoWay)?;
                if offer.out < order.least || offer.paid > order.most {
                    return Err(Fault::Moved);
                }
            }
            call::swap(&exchange, &way, order).ok_or(Fault::NoWay)
        }
        .boxed()
    }

    fn trial(&self, order: &Order) -> Option<Built> {
        let way: OnchainRoute = serde_json::from_str(&order.found.plan).ok()?;
        // Wrap and unwrap have no transfer fee to detect.
        let pooled = !matches!(way, OnchainRoute::Wrap | OnchainRoute::Unwrap);
        call::swap(&self.exchange(&order.trade.chain)?, &way, order).filter(|_| pooled)
    }

    fn exact_out(&self) -> bool {
        true
    }

    fn read(&self, order: &Order, built: &Built) -> Option<DecodedSwap> {
        call::read(&self.exchange(&order.trade.chain)?, order, built)
    }

    fn routers(&self, chain: &Chain) -> Routers {
        let Some(exchange) = self.exchange(chain) else { return Routers::default() };
        let spenders: Vec<Address> =
            exchange.v2_router.into_iter().chain(exchange.v3.map(|contracts| contracts.router)).collect();
        let targets = spenders.iter().copied().chain([exchange.wrapped]).collect();
        Routers { targets, spenders }
    }

    fn name_of(&self, chain: &Chain, contract: Address) -> Option<String> {
        let exchange = self.exchange(chain)?;
        let version = match contract {
            contract if exchange.v2_router == Some(contract) => "V2",
            contract if exchange.v3.is_some_and(|v3| v3.router == contract) => "V3",
            _ => return None,
        };
        Some(format!("{} {version}", exchange.name))
    }
}

/// Amount of the side that the user named.
fn asked(trade: &Trade, amount: U256) -> Asked {
    if trade.exact_out { Asked::Receive(amount) } else { Asked::Pay(amount) }
}

/// Route with the lowest price or the highest output, whichever was not named, the shortest among equals, and its index.
fn best(
    exchange: &Exchange,
    ways: &[OnchainRoute],
    asked: Asked,
    quotes: &[Option<Vec<u8>>],
) -> Option<(usize, Offer)> {
    let (Asked::Pay(amount) | Asked::Receive(amount)) = asked;
    let mut best: Option<(usize, Offer)> = None;
    for (place, way) in ways.iter().enumerate() {
        let offer = match call::quote(exchange, way, asked) {
            None => Some(Offer { paid: amount, out: amount, gas: call::WRAP_GAS }),
            Some(_) => quotes.get(place * 2).and_then(Option::as_deref).and_then(|said| call::quoted(way, said, asked)),
        };
        let Some(offer) = offer.filter(|offer| !offer.out.is_zero() && !offer.paid.is_zero()) else { continue };
        if best.as_ref().is_none_or(|(_, other)| offer.out > other.out || offer.paid < other.paid) {
            best = Some((place, offer));
        }
    }
    best
}

/// Hops of a route. Its ends are the tokens of the trade, so the native coin stands there instead of its wrapped form.
fn route(exchange: &Exchange, way: &OnchainRoute, trade: &Trade) -> Vec<Hop> {
    let names = way.names(exchange);
    let last = names.len().saturating_sub(1);
    let hop = |(place, name): (usize, String)| Hop {
        name,
        from: if place == 0 { trade.from } else { Coin(way.path()[place]) },
        to: if place == last { trade.to } else { Coin(way.path()[place + 1]) },
    };
    names.into_iter().enumerate().map(hop).collect()
}
