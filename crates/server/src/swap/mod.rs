//! Token swaps: `/v1/convert/*` (spec 9.7, 9.10), through the exchanges of the chain itself or through aggregators.
//!
//! One trait, one file per provider. A provider's response is hostile until parsed, and [`check`] inspects each transaction that it builds
//! before a client sees it: its contract is known, the user receives, amounts are as quoted.

mod allowance;
mod ask;
mod build;
mod check;
mod gas;
mod kept;
mod lifi;
mod onchain;
mod oneinch;
mod routes;
mod simulation;
mod tokens;
mod trade;
mod vendor;
mod zerox;

use crate::AppState;
use crate::config::{Chain, Swap, SwapProvider};
use alloy_primitives::Address;
use axum::Router;
use axum::routing::{get, post};
use check::Breach;
use futures_util::future::{BoxFuture, join_all};
use portico_api::swap::SWAP_CHAINS;
use portico_calldata::known;
use portico_terms::Namespace;
use std::time::Duration;
use tokio::time::timeout;
use trade::{Built, DecodedSwap, Found, Order, Routers, Tolerance, Trade};

/// Timeout of one request to one provider.
const LIMIT: Duration = Duration::from_secs(6);

/// Cache lifetime of an aggregator's quote.
const FRESH: Duration = Duration::from_secs(10);

/// Future of a provider's response.
type ProviderAnswer<'a, T> = BoxFuture<'a, Result<T, Fault>>;

/// Reason why a quote or a transaction failed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fault {
    /// The provider does not support this request, such as a quote without a user; no request was sent.
    NotServed,
    /// The provider found no route between the two tokens for this amount.
    NoWay,
    /// The price has moved: the swap would pay less than the promised minimum.
    Moved,
    /// The swap reverts in simulation.
    Fails,
    /// In simulation a transfer fee of one of the tokens takes so much that less than the promised minimum arrives.
    Taxed,
    /// The provider's rate limit is reached.
    Limited,
    /// The provider did not respond, or its response is invalid.
    Upstream(crate::source::Fault),
    /// The response does not match the request.
    Breach(Breach),
}

impl From<crate::source::Fault> for Fault {
    fn from(fault: crate::source::Fault) -> Fault {
        match fault {
            crate::source::Fault::NotServed => Fault::NotServed,
            crate::source::Fault::Status(429) => Fault::Limited,
            fault => Fault::Upstream(fault),
        }
    }
}

/// Source of swap quotes and swap transactions.
trait Provider: Send + Sync {
    /// Name in API responses.
    fn id(&self) -> &'static str;

    /// Whether the provider supports swaps on this chain.
    fn knows(&self, chain: &Chain) -> bool;

    /// Quote for a trade.
    fn quote<'a>(&'a self, state: &'a AppState, trade: &'a Trade) -> ProviderAnswer<'a, Found>;

    /// Transaction that executes the swap.
    fn build<'a>(&'a self, state: &'a AppState, order: &'a Order) -> ProviderAnswer<'a, Built>;

    /// Call to simulate before a quote is returned, with the order's minimum where the provider lets it be chosen; `None` where the call is
    /// not known before the swap is built.
    fn trial(&self, _order: &Order) -> Option<Built> {
        None
    }

    /// Decodes the calldata of the provider's own call; `None` where it is no known function.
    fn read(&self, order: &Order, built: &Built) -> Option<DecodedSwap>;

    /// Contracts of the provider on a chain.
    fn routers(&self, chain: &Chain) -> Routers;

    /// Name of a contract that the operator configured for this provider.
    fn name_of(&self, _chain: &Chain, _contract: Address) -> Option<String> {
        None
    }

    /// Whether the provider quotes and builds swaps for an exact amount to receive.
    fn exact_out(&self) -> bool {
        false
    }

    /// Cache lifetime of a quote, for providers that limit the number of requests.
    fn fresh_for(&self) -> Option<Duration> {
        None
    }
}

/// Configured providers, in the order of the configuration.
pub(crate) struct Swaps(Vec<Box<dyn Provider>>);

impl Swaps {
    pub(crate) fn new(config: &Swap) -> Swaps {
        let made = config.providers.iter().filter_map(|provider| -> Option<Box<dyn Provider>> {
            Some(match provider {
                SwapProvider::Onchain => Box::new(onchain::Onchain::new(config.exchanges.clone())),
                SwapProvider::Lifi => Box::new(lifi::Lifi { url: config.lifi.clone()?, key: config.lifi_key.clone() }),
                SwapProvider::Zerox => Box::new(zerox::Zerox(config.zerox.clone()?)),
                SwapProvider::Oneinch => Box::new(oneinch::Oneinch(config.oneinch.clone()?)),
            })
        });
        Swaps(made.collect())
    }

    /// Providers that support this chain.
    fn on<'a>(&'a self, chain: &'a Chain) -> impl Iterator<Item = &'a dyn Provider> {
        self.0.iter().map(AsRef::as_ref).filter(move |provider| provider.knows(chain))
    }

    /// Name of a swap contract: as configured, else as built in.
    pub(crate) fn name_of(&self, chain: &Chain, contract: Address) -> Option<String> {
        let configured = self.on(chain).find_map(|provider| provider.name_of(chain, contract));
        let built_in = || {
            let mut all = known(chain.id.number()?);
            all.find(|one| one.address == contract.into_array()).map(|one| one.protocol.name().into())
        };
        configured.or_else(built_in)
    }

    /// Whether a provider on this chain takes an exact amount to receive.
    pub(crate) fn exact_out(&self, chain: &Chain) -> bool {
        self.on(chain).any(|provider| provider.exact_out())
    }

    /// Ids of the providers that support this chain.
    pub(crate) fn words(&self, chain: &Chain) -> Vec<&'static str> {
        self.on(chain).map(|provider| provider.id()).collect()
    }

    /// Contracts that swaps call on this chain, and spenders of approvals there.
    pub(crate) fn contracts(&self, chain: &Chain) -> Vec<Address> {
        let mut contracts = Vec::new();
        for routers in self.on(chain).map(|provider| provider.routers(chain)) {
            for contract in routers.targets.into_iter().chain(routers.spenders) {
                if !contracts.contains(&contract) {
                    contracts.push(contract);
                }
            }
        }
        contracts
    }

    /// Provider with this id, if it supports this chain.
    fn named<'a>(&'a self, chain: &'a Chain, id: &str) -> Option<&'a dyn Provider> {
        self.on(chain).find(|provider| provider.id() == id)
    }

    /// Quotes of all providers, the best first; an error if there is none. A quote whose simulation pays less than the tolerance allows is
    /// dropped.
    async fn quotes(
        &self,
        state: &AppState,
        trade: &Trade,
        tolerance: Tolerance,
    ) -> Result<Vec<(&'static str, Found)>, Fault> {
        let able = self.on(&trade.chain).filter(|provider| provider.exact_out() || !trade.exact_out);
        let each = able.map(async |provider| {
            let asked = timeout(LIMIT, kept::offer(state, provider, trade)).await;
            let found = asked.unwrap_or(Err(Fault::Upstream(crate::source::Fault::Silent)));
            let found = found.and_then(|found| {
                let offered = check::offer(trade, &found, &provider.routers(&trade.chain));
                offered.map(|()| found).map_err(Fault::Breach)
            });
            let found = match found {
                Ok(found) => simulation::offered(state, provider, trade, found, tolerance).await,
                refused => refused,
            };
            (provider.id(), found)
        });
        let (mut found, mut fault) = (Vec::new(), Fault::NotServed);
        for (provider, answer) in join_all(each).await {
            match answer {
                Ok(offer) => found.push((provider, offer)),
                Err(Fault::NotServed) => {}
                // An upstream error takes precedence over a missing route.
                Err(why) => {
                    if why != Fault::NoWay {
                        tracing::warn!(chain = %trade.chain.id, provider, fault = ?why, "couldn't get a quote");
                    }
                    fault = if fault == Fault::NotServed || why != Fault::NoWay { why } else { fault };
                }
            }
        }
        // Stable sort: among equal quotes the configured order decides.
        // One of the two amounts is the same in all of them.
        found.sort_by_key(|(_, offer)| (offer.paid, std::cmp::Reverse(offer.out)));
        allowance::fill(state, trade, found.iter_mut().map(|(_, found)| found)).await;
        if found.is_empty() { Err(fault) } else { Ok(found) }
    }
}

/// Whether spec 9.10 lists this chain for swaps. Applies to providers whose chains the operator does not name.
fn supported(chain: &Chain) -> bool {
    chain.id.namespace() == Namespace::Eip155 && chain.id.number().is_some_and(|number| SWAP_CHAINS.contains(&number))
}

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v1/convert/tokens", get(tokens::tokens))
        .route("/v1/convert/quotes", get(routes::quotes))
        .route("/v1/convert/allowance", get(allowance::allowance))
        .route("/v1/convert/gas-price", get(gas::gas_price))
        .route("/v1/convert/build-approve", get(routes::build_approve))
        .route("/v1/convert/build-transaction", post(build::build_transaction))
}
