//! Swaps of tokens: `/v1/convert/*` (spec 9.7, 9.10), by the exchanges of a chain itself or by whoever compares many.
//!
//! One trait, one file a provider. Whatever a provider says is hostile until parsed, and what it builds is looked at in [`check`] before it
//! is told: its contract is known, the user receives, amounts are as quoted.

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
use crate::upstream;
use alloy_primitives::Address;
use axum::Router;
use axum::routing::{get, post};
use check::Breach;
use futures_util::future::{BoxFuture, join_all};
use portico_api::swap::SWAP_CHAINS;
use portico_terms::Namespace;
use std::time::Duration;
use tokio::time::timeout;
use trade::{Built, Found, Order, Routers, Said, Tolerance, Trade};

/// Each provider has this long.
const LIMIT: Duration = Duration::from_secs(6);

/// What a vendor gave a moment ago it would give again.
const FRESH: Duration = Duration::from_secs(10);

/// What a provider answers, later.
type ProviderAnswer<'a, T> = BoxFuture<'a, Result<T, Fault>>;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fault {
    /// It does not do this, such as without a user; nobody was asked.
    NotServed,
    /// It knows no way from the one to the other for this amount.
    NoWay,
    /// The price has moved so far that the promise cannot be kept.
    Moved,
    /// It would fail on the chain, as a trial shows.
    Fails,
    /// One of the tokens takes so much when it is sent that the promise cannot be kept, as a trial shows.
    Taxed,
    /// It was asked too often.
    Limited,
    /// It did not answer, or not with sense.
    Upstream(upstream::Fault),
    /// What it answered is not what was asked for.
    Breach(Breach),
}

impl From<upstream::Fault> for Fault {
    fn from(fault: upstream::Fault) -> Fault {
        match fault {
            upstream::Fault::NotServed => Fault::NotServed,
            upstream::Fault::Status(429) => Fault::Limited,
            fault => Fault::Upstream(fault),
        }
    }
}

/// Swaps tokens.
trait Provider: Send + Sync {
    /// What an answer calls it.
    fn id(&self) -> &'static str;

    /// Whether it swaps on this chain.
    fn knows(&self, chain: &Chain) -> bool;

    /// What it gives for an amount.
    fn quote<'a>(&'a self, state: &'a AppState, trade: &'a Trade) -> ProviderAnswer<'a, Found>;

    /// The call that swaps.
    fn build<'a>(&'a self, state: &'a AppState, order: &'a Order) -> ProviderAnswer<'a, Built>;

    /// The call that is tried before an offer is told, with the least that the order names where that is free; nothing where it is not known
    /// before the swap is built.
    fn trial(&self, _order: &Order) -> Option<Built> {
        None
    }

    /// What a call of its does, by its bytes alone; nothing where it is of no kind that can be read.
    fn read(&self, order: &Order, built: &Built) -> Option<Said>;

    /// Its contracts on a chain.
    fn routers(&self, chain: &Chain) -> Routers;

    /// For how long the same question gets the same answer, of those who count how often they are asked.
    fn fresh_for(&self) -> Option<Duration> {
        None
    }
}

/// The providers of an installation, in the order in which they are named.
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

    /// Those that swap on this chain.
    fn on<'a>(&'a self, chain: &'a Chain) -> impl Iterator<Item = &'a dyn Provider> {
        self.0.iter().map(AsRef::as_ref).filter(move |provider| provider.knows(chain))
    }

    /// The words of those that swap on this chain.
    pub(crate) fn words(&self, chain: &Chain) -> Vec<&'static str> {
        self.on(chain).map(|provider| provider.id()).collect()
    }

    /// What is called on this chain, and what takes tokens there.
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

    /// The one of this name, where it swaps on this chain.
    fn named<'a>(&'a self, chain: &'a Chain, id: &str) -> Option<&'a dyn Provider> {
        self.on(chain).find(|provider| provider.id() == id)
    }

    /// What each gives, the best first; else why nobody gives anything. What a trial shows to bring less than the tolerance leaves is none.
    async fn quotes(
        &self,
        state: &AppState,
        trade: &Trade,
        tolerance: Tolerance,
    ) -> Result<Vec<(&'static str, Found)>, Fault> {
        let each = self.on(&trade.chain).map(async |provider| {
            let asked = timeout(LIMIT, kept::offer(state, provider, trade)).await;
            let found = asked.unwrap_or(Err(Fault::Upstream(upstream::Fault::Silent)));
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
                // That one did not answer is told before that another knows no way.
                Err(why) => {
                    if why != Fault::NoWay {
                        tracing::warn!(chain = %trade.chain.id, provider, fault = ?why, "a quote failed");
                    }
                    fault = if fault == Fault::NotServed || why != Fault::NoWay { why } else { fault };
                }
            }
        }
        // Who is named first goes first among equals.
        found.sort_by_key(|(_, offer)| std::cmp::Reverse(offer.out));
        allowance::fill(state, trade, found.iter_mut().map(|(_, found)| found)).await;
        if found.is_empty() { Err(fault) } else { Ok(found) }
    }
}

/// Whether swaps on this chain are known to work (spec 9.10), for providers that serve what they serve without the operator's word.
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
