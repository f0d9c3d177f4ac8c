//! Who answers for accounts: one trait a need, one file a vendor.
//!
//! Whatever a vendor says is hostile until parsed. It is asked with a limit of time and of bytes; where it fails, the next is asked.

mod fetch;
mod holding;
pub(crate) mod kept;
#[allow(dead_code, reason = "each vendor reads its own shapes")]
pub(crate) mod loose;
mod multicall;
mod rpc;

use crate::AppState;
use crate::config::{Sources, Vendor};
use crate::price::{self, Money, Prices};
use futures_util::future::BoxFuture;
use portico_terms::{AccountId, ChainId};
use std::time::Duration;
use tokio::time::timeout;

pub(crate) use fetch::{fetch, fetch_text};
pub(crate) use holding::{Holding, Kind};

/// What a source answers, later.
pub(crate) type Asked<'a, T> = BoxFuture<'a, Result<T, Fault>>;

/// Each source has this long before the next is asked.
const LIMIT: Duration = Duration::from_secs(6);

/// Why a source has no answer. Never holds an address that was asked: keys stand in those.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fault {
    /// It knows nothing of this chain; nobody was asked.
    NotServed,
    /// It could not be reached, or broke off.
    Unreachable,
    /// It took too long.
    Silent,
    /// It answered with this HTTP status.
    Status(u16),
    /// It said more than is listened to.
    TooLong,
    /// What it said makes no sense.
    Nonsense,
}

/// Tells what an account holds.
pub(crate) trait Balances: Send + Sync {
    /// Everything, in no order. Prices, where the source knows them, are in `money`.
    fn balances<'a>(&'a self, state: &'a AppState, account: &'a AccountId, money: Money) -> Asked<'a, Vec<Holding>>;
}

/// The sources of an installation, each need's in the order in which they are asked.
pub(crate) struct Upstreams {
    balances: Vec<(Vendor, Box<dyn Balances>)>,
    prices: Option<Box<dyn Prices>>,
}

impl Upstreams {
    pub(crate) fn new(sources: &Sources) -> Upstreams {
        Upstreams {
            balances: sources.balances.iter().filter_map(|vendor| Some((*vendor, balances(*vendor)?))).collect(),
            prices: price::source(sources),
        }
    }

    /// Who knows what coins are worth.
    pub(crate) fn prices(&self) -> Option<&dyn Prices> {
        self.prices.as_deref()
    }

    /// What an account holds by the first source that says so.
    pub(crate) async fn balances(
        &self,
        state: &AppState,
        account: &AccountId,
        money: Money,
    ) -> Result<(Vendor, Vec<Holding>), Unanswered> {
        first(&self.balances, account.chain(), |source| source.balances(state, account, money)).await
    }
}

fn balances(vendor: Vendor) -> Option<Box<dyn Balances>> {
    Some(match vendor {
        Vendor::Rpc => Box::new(rpc::Rpc),
        _ => return None,
    })
}

/// No source has an answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Unanswered {
    /// None knows the chain.
    NoSource,
    /// Each that was asked failed.
    Failed,
}

async fn first<'a, S: ?Sized, T>(
    sources: &'a [(Vendor, Box<S>)],
    chain: &ChainId,
    ask: impl Fn(&'a S) -> Asked<'a, T>,
) -> Result<(Vendor, T), Unanswered> {
    let mut failed = Unanswered::NoSource;
    for (vendor, source) in sources {
        let fault = match timeout(LIMIT, ask(source)).await {
            Ok(Ok(answer)) => return Ok((*vendor, answer)),
            Ok(Err(Fault::NotServed)) => continue,
            Ok(Err(fault)) => fault,
            Err(_) => Fault::Silent,
        };
        tracing::warn!(%chain, source = vendor.word(), ?fault, "a source failed");
        failed = Unanswered::Failed;
    }
    Err(failed)
}
