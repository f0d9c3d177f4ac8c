//! Who answers for accounts: one trait a need, one file a vendor.
//!
//! Whatever a vendor says is hostile until parsed. It is asked with a limit of time and of bytes; where it fails, the next is asked.

mod alchemy;
mod etherscan;
mod explorer;
mod fetch;
mod goldrush;
mod helius;
mod holding;
pub(crate) mod kept;
mod logs;
pub(crate) mod loose;
mod multicall;
mod networks;
mod rpc;
mod solana;
mod zerion;

use crate::AppState;
use crate::activity::Page;
use crate::config::{Sources, Vendor};
use crate::price::{self, Money, Prices};
use futures_util::future::BoxFuture;
use portico_api::account::{Nft, Transaction};
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
    /// The place it is asked to go on from is none of its own.
    Cursor,
}

/// Tells what an account holds.
pub(crate) trait Balances: Send + Sync {
    /// Everything, in no order. Prices, where the source knows them, are in `money`.
    fn balances<'a>(&'a self, state: &'a AppState, account: &'a AccountId, money: Money) -> Asked<'a, Vec<Holding>>;
}

/// Tells what an account did, the newest first.
pub(crate) trait History: Send + Sync {
    /// A page that begins where `place` says, in the words of this source. What was worth something is told in `money`.
    fn history<'a>(
        &'a self,
        state: &'a AppState,
        account: &'a AccountId,
        place: Option<&'a str>,
        money: Money,
    ) -> Asked<'a, Page<Transaction>>;
}

/// Tells what an account owns by piece.
pub(crate) trait Nfts: Send + Sync {
    /// A page that begins where `place` says, in the words of this source.
    fn nfts<'a>(&'a self, state: &'a AppState, account: &'a AccountId, place: Option<&'a str>) -> Asked<'a, Page<Nft>>;
}

/// The sources of an installation, each need's in the order in which they are asked.
pub(crate) struct Upstreams {
    balances: Vec<(Vendor, Box<dyn Balances>)>,
    history: Vec<(Vendor, Box<dyn History>)>,
    nfts: Vec<(Vendor, Box<dyn Nfts>)>,
    prices: Option<Box<dyn Prices>>,
}

/// Where to go on, and who knows how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct From<'a> {
    /// The word of a source.
    pub(crate) source: &'a str,
    /// In its own words.
    pub(crate) place: &'a str,
}

impl Upstreams {
    pub(crate) fn new(sources: &Sources) -> Upstreams {
        fn each<T: ?Sized>(vendors: &[Vendor], make: impl Fn(Vendor) -> Option<Box<T>>) -> Vec<(Vendor, Box<T>)> {
            vendors.iter().filter_map(|vendor| Some((*vendor, make(*vendor)?))).collect()
        }
        Upstreams {
            balances: each(&sources.balances, |vendor| balances(vendor, sources)),
            history: each(&sources.history, |vendor| history(vendor, sources)),
            nfts: each(&sources.nfts, |vendor| nfts(vendor, sources)),
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
        first(&self.balances, account.chain(), None, |source| source.balances(state, account, money)).await
    }

    /// A page of what an account did by the first source that says so, or by the one that told the page before.
    pub(crate) async fn history(
        &self,
        state: &AppState,
        account: &AccountId,
        from: Option<From<'_>>,
        money: Money,
    ) -> Result<(Vendor, Page<Transaction>), Unanswered> {
        let place = from.map(|from| from.place);
        let only = from.map(|from| from.source);
        first(&self.history, account.chain(), only, |source| source.history(state, account, place, money)).await
    }

    /// A page of what an account owns by piece, likewise.
    pub(crate) async fn nfts(
        &self,
        state: &AppState,
        account: &AccountId,
        from: Option<From<'_>>,
    ) -> Result<(Vendor, Page<Nft>), Unanswered> {
        let place = from.map(|from| from.place);
        first(&self.nfts, account.chain(), from.map(|from| from.source), |source| source.nfts(state, account, place))
            .await
    }
}

fn balances(vendor: Vendor, sources: &Sources) -> Option<Box<dyn Balances>> {
    Some(match vendor {
        Vendor::Rpc => Box::new(rpc::Rpc),
        Vendor::Zerion => Box::new(zerion::Zerion(sources.zerion.clone()?)),
        Vendor::Alchemy => Box::new(alchemy::Alchemy(sources.alchemy.clone()?)),
        Vendor::GoldRush => Box::new(goldrush::GoldRush(sources.goldrush.clone()?)),
        Vendor::Helius => Box::new(helius::Helius(sources.helius.clone()?)),
        Vendor::Explorer | Vendor::Etherscan => return None,
    })
}

fn history(vendor: Vendor, sources: &Sources) -> Option<Box<dyn History>> {
    Some(match vendor {
        Vendor::Rpc => Box::new(logs::Logs),
        Vendor::Explorer => Box::new(explorer::Explorer),
        Vendor::Zerion => Box::new(zerion::Zerion(sources.zerion.clone()?)),
        Vendor::Etherscan => Box::new(etherscan::Etherscan(sources.etherscan.clone()?)),
        Vendor::Alchemy | Vendor::GoldRush | Vendor::Helius => return None,
    })
}

fn nfts(vendor: Vendor, sources: &Sources) -> Option<Box<dyn Nfts>> {
    Some(match vendor {
        Vendor::Explorer => Box::new(explorer::Explorer),
        Vendor::Alchemy => Box::new(alchemy::Alchemy(sources.alchemy.clone()?)),
        Vendor::Helius => Box::new(helius::Helius(sources.helius.clone()?)),
        Vendor::Rpc | Vendor::Zerion | Vendor::Etherscan | Vendor::GoldRush => return None,
    })
}

/// No source has an answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Unanswered {
    /// None knows the chain.
    NoSource,
    /// Each that was asked failed.
    Failed,
    /// The place to go on from is nobody's.
    Cursor,
}

async fn first<'a, S: ?Sized, T>(
    sources: &'a [(Vendor, Box<S>)],
    chain: &ChainId,
    only: Option<&str>,
    ask: impl Fn(&'a S) -> Asked<'a, T>,
) -> Result<(Vendor, T), Unanswered> {
    // Where a page goes on, nobody but who told the page before can.
    let mut failed = if only.is_some() { Unanswered::Cursor } else { Unanswered::NoSource };
    for (vendor, source) in sources.iter().filter(|(vendor, _)| only.is_none_or(|only| only == vendor.word())) {
        let fault = match timeout(LIMIT, ask(source)).await {
            Ok(Ok(answer)) => return Ok((*vendor, answer)),
            Ok(Err(Fault::NotServed)) => continue,
            Ok(Err(Fault::Cursor)) => return Err(Unanswered::Cursor),
            Ok(Err(fault)) => fault,
            Err(_) => Fault::Silent,
        };
        tracing::warn!(%chain, source = vendor.word(), ?fault, "a source failed");
        failed = Unanswered::Failed;
    }
    Err(failed)
}
