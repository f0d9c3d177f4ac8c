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
pub(crate) mod multicall;
mod networks;
mod nodes;
mod rpc;
mod solana;
mod transfer;
mod zerion;

use crate::AppState;
use crate::activity::{Of, Page, ROWS, Stream, page};
use crate::config::{Chain, Sources, Vendor};
use crate::price::{self, Money, Prices};
use futures_util::future::BoxFuture;
use portico_api::account::{Nft, Transaction};
use portico_terms::{AccountId, ChainId};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

pub(crate) use fetch::{fetch, fetch_made, fetch_text};
pub(crate) use holding::{Holding, Kind};

/// What a source answers, later.
pub(crate) type SourceAnswer<'a, T> = BoxFuture<'a, Result<T, Fault>>;

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

/// What a source is asked.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) state: &'a AppState,
    pub(crate) account: &'a AccountId,
    /// Where the page begins, in the words of the source; nothing for the first one.
    pub(crate) place: Option<&'a str>,
    /// What prices and worth are told in, where the source knows them.
    pub(crate) money: Money,
}

impl Question<'_> {
    /// The account's chain.
    fn chain(&self) -> Result<Arc<Chain>, Fault> {
        Ok(self.state.chain(self.account.chain()).ok_or(Fault::NotServed)?.config())
    }

    /// A page of these lists as one.
    async fn merged(&self, lists: &[&dyn Stream]) -> Result<Page<Transaction>, Fault> {
        let chain = self.chain()?;
        page(lists, Of { account: self.account, coin: &chain.assets.coin }, self.place).await
    }
}

/// Tells what an account holds.
pub(crate) trait Balances: Send + Sync {
    /// Whether it serves the chain.
    fn knows(&self, chain: &Chain) -> bool;

    /// Everything, in no order.
    fn balances<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Vec<Holding>>;
}

/// Tells what an account did, the newest first.
pub(crate) trait History: Send + Sync {
    /// Whether it serves the chain.
    fn knows(&self, chain: &Chain) -> bool;

    /// A page.
    fn history<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Transaction>>;
}

/// Tells what an account owns by piece.
pub(crate) trait Nfts: Send + Sync {
    /// A page.
    fn nfts<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Nft>>;
}

/// Nobody reads a longer list of what an account holds, and each of it is asked for its price.
const MOST_HOLDINGS: usize = 2000;

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

    /// Whether a source knows what accounts of this chain hold.
    pub(crate) fn know_balances(&self, chain: &Chain) -> bool {
        self.balances.iter().any(|(_, source)| source.knows(chain))
    }

    /// Whether a source knows what accounts of this chain did.
    pub(crate) fn know_history(&self, chain: &Chain) -> bool {
        self.history.iter().any(|(_, source)| source.knows(chain))
    }

    /// What an account holds by the first source that says so.
    pub(crate) async fn balances(
        &self,
        state: &AppState,
        account: &AccountId,
        money: Money,
    ) -> Result<(Vendor, Vec<Holding>), Unanswered> {
        let asked = Question { state, account, place: None, money };
        let mut found = first(&self.balances, account.chain(), None, |source| source.balances(asked)).await?;
        found.1.truncate(MOST_HOLDINGS);
        Ok(found)
    }

    /// A page of what an account did by the first source that says so, or by the one that told the page before.
    pub(crate) async fn history(
        &self,
        state: &AppState,
        account: &AccountId,
        from: Option<From<'_>>,
        money: Money,
    ) -> Result<(Vendor, Page<Transaction>), Unanswered> {
        let asked = Question { state, account, place: from.map(|from| from.place), money };
        let only = from.map(|from| from.source);
        let mut found = first(&self.history, account.chain(), only, |source| source.history(asked)).await?;
        found.1.rows.truncate(ROWS);
        Ok(found)
    }

    /// A page of what an account owns by piece, likewise.
    pub(crate) async fn nfts(
        &self,
        state: &AppState,
        account: &AccountId,
        from: Option<From<'_>>,
        money: Money,
    ) -> Result<(Vendor, Page<Nft>), Unanswered> {
        let asked = Question { state, account, place: from.map(|from| from.place), money };
        let only = from.map(|from| from.source);
        let mut found = first(&self.nfts, account.chain(), only, |source| source.nfts(asked)).await?;
        found.1.rows.truncate(ROWS);
        Ok(found)
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
        Vendor::Rpc => Box::new(rpc::Rpc),
        Vendor::Explorer => Box::new(explorer::Explorer),
        Vendor::Zerion => Box::new(zerion::Zerion(sources.zerion.clone()?)),
        Vendor::Alchemy => Box::new(alchemy::Alchemy(sources.alchemy.clone()?)),
        Vendor::Etherscan => Box::new(etherscan::Etherscan(sources.etherscan.clone()?)),
        Vendor::GoldRush => Box::new(goldrush::GoldRush(sources.goldrush.clone()?)),
        Vendor::Helius => Box::new(helius::Helius(sources.helius.clone()?)),
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
    ask: impl Fn(&'a S) -> SourceAnswer<'a, T>,
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
