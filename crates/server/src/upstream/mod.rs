//! Sources of account data: one trait per kind of data, one file per vendor.
//!
//! A vendor's response is hostile until parsed. Each request has a timeout and a size limit; if a vendor fails, the next is queried.

mod alchemy;
mod bitcoin;
mod etherscan;
pub(crate) mod explorer;
mod goldrush;
mod helius;
mod holding;
mod logs;
pub(crate) mod multicall;
mod networks;
mod nodes;
mod rpc;
mod solana;
mod transfer;
mod zerion;

use crate::AppState;
use crate::activity::{Of, Page, ROWS, Stream, name_contract, page};
use crate::config::{Chain, Sources, Vendor};
use crate::price::{self, Money, Prices};
use crate::source::{Fault, SourceAnswer, fetch, loose};
use portico_api::account::{Nft, Transaction};
use portico_terms::AccountId;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

pub(crate) use holding::{Holding, Kind};

/// Timeout of a source, after which the next is queried.
const LIMIT: Duration = Duration::from_secs(6);

/// Request to a source.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) state: &'a AppState,
    pub(crate) account: &'a AccountId,
    /// Cursor of the page in the source's own format; `None` for the first page.
    pub(crate) place: Option<&'a str>,
    /// Currency of prices and values, where the source knows them.
    pub(crate) money: Money,
}

impl Question<'_> {
    /// Chain of the account.
    fn chain(&self) -> Result<Arc<Chain>, Fault> {
        Ok(self.state.chain(self.account.chain()).ok_or(Fault::NotServed)?.config())
    }

    /// Page of these lists, merged into one.
    async fn merged(&self, lists: &[&dyn Stream]) -> Result<Page<Transaction>, Fault> {
        let chain = self.chain()?;
        page(lists, Of { account: self.account, coin: &chain.assets.coin }, self.place).await
    }
}

/// Source of balances.
pub(crate) trait Balances: Send + Sync {
    /// Whether the source supports the chain.
    fn knows(&self, chain: &Chain) -> bool;

    /// All balances of an account, unordered.
    fn balances<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Vec<Holding>>;
}

/// Source of an account's transactions, the newest first.
pub(crate) trait History: Send + Sync {
    /// Whether the source supports the chain.
    fn knows(&self, chain: &Chain) -> bool;

    /// Page of the history.
    fn history<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Transaction>>;
}

/// Source of an account's NFTs.
pub(crate) trait Nfts: Send + Sync {
    /// Whether the source supports the chain.
    fn knows(&self, chain: &Chain) -> bool;

    /// Page of the NFTs.
    fn nfts<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Nft>>;
}

/// Maximum number of holdings in a response; the price of each is queried.
const MOST_HOLDINGS: usize = 2000;

/// Configured sources per kind of data, in the order in which they are queried.
pub(crate) struct Upstreams {
    balances: Vec<(Vendor, Box<dyn Balances>)>,
    history: Vec<(Vendor, Box<dyn History>)>,
    nfts: Vec<(Vendor, Box<dyn Nfts>)>,
    prices: Option<Box<dyn Prices>>,
}

/// Cursor of a page, with its source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct From<'a> {
    /// Id of the source.
    pub(crate) source: &'a str,
    /// Cursor in the source's own format.
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

    /// Source of prices, if configured.
    pub(crate) fn prices(&self) -> Option<&dyn Prices> {
        self.prices.as_deref()
    }

    /// Whether any source has balances on this chain.
    pub(crate) fn know_balances(&self, chain: &Chain) -> bool {
        self.balances.iter().any(|(_, source)| source.knows(chain))
    }

    /// Whether any source has the history of this chain.
    pub(crate) fn know_history(&self, chain: &Chain) -> bool {
        self.history.iter().any(|(_, source)| source.knows(chain))
    }

    /// Balances from the first source that responds.
    pub(crate) async fn balances(
        &self,
        state: &AppState,
        account: &AccountId,
        money: Money,
    ) -> Result<(Vendor, Vec<Holding>), NoSourceAnswered> {
        let asked = Question { state, account, place: None, money };
        let mut found =
            first(&self.balances, asked, None, |source, chain| source.knows(chain), |source| source.balances(asked))
                .await?;
        found.1.truncate(MOST_HOLDINGS);
        Ok(found)
    }

    /// Page of the history from the first source that responds; later pages come from the source of the first.
    pub(crate) async fn history(
        &self,
        state: &AppState,
        account: &AccountId,
        from: Option<From<'_>>,
        money: Money,
    ) -> Result<(Vendor, Page<Transaction>), NoSourceAnswered> {
        let asked = Question { state, account, place: from.map(|from| from.place), money };
        let only = from.map(|from| from.source);
        let mut found =
            first(&self.history, asked, only, |source, chain| source.knows(chain), |source| source.history(asked))
                .await?;
        found.1.rows.truncate(ROWS);
        if let Ok(chain) = asked.chain() {
            found.1.rows.iter_mut().for_each(|row| name_contract(state, &chain, row));
        }
        Ok(found)
    }

    /// Page of NFTs from the first source that responds; later pages come from the source of the first.
    pub(crate) async fn nfts(
        &self,
        state: &AppState,
        account: &AccountId,
        from: Option<From<'_>>,
        money: Money,
    ) -> Result<(Vendor, Page<Nft>), NoSourceAnswered> {
        let asked = Question { state, account, place: from.map(|from| from.place), money };
        let only = from.map(|from| from.source);
        let mut found =
            first(&self.nfts, asked, only, |source, chain| source.knows(chain), |source| source.nfts(asked)).await?;
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

/// Reason why no source responded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum NoSourceAnswered {
    /// No source supports the chain.
    NoSource,
    /// Every queried source failed.
    Failed,
    /// The cursor belongs to no source.
    Cursor,
}

/// Answer of the first source that knows the chain and responds.
async fn first<'a, S: ?Sized, T>(
    sources: &'a [(Vendor, Box<S>)],
    asked: Question<'_>,
    only: Option<&str>,
    knows: impl Fn(&S, &Chain) -> bool,
    ask: impl Fn(&'a S) -> SourceAnswer<'a, T>,
) -> Result<(Vendor, T), NoSourceAnswered> {
    // Only the source that created the cursor can continue from it.
    let mut failed = if only.is_some() { NoSourceAnswered::Cursor } else { NoSourceAnswered::NoSource };
    let Ok(chain) = asked.chain() else { return Err(failed) };
    let sources = sources.iter().filter(|(vendor, _)| only.is_none_or(|only| only == vendor.word()));
    for (vendor, source) in sources.filter(|(_, source)| knows(source, &chain)) {
        // As if the vendor answered 429, but in no line of the log, of which each further request would write one.
        if vendor.is_keyed() && !asked.state.shared().spend_keyed(vendor.word()).await {
            failed = NoSourceAnswered::Failed;
            continue;
        }
        let fault = match timeout(LIMIT, ask(source)).await {
            Ok(Ok(answer)) => return Ok((*vendor, answer)),
            Ok(Err(Fault::NotServed)) => continue,
            Ok(Err(Fault::Cursor)) => return Err(NoSourceAnswered::Cursor),
            Ok(Err(fault)) => fault,
            Err(_) => Fault::Silent,
        };
        tracing::warn!(chain = %chain.id, source = vendor.word(), ?fault, "a data source failed");
        failed = NoSourceAnswered::Failed;
    }
    Err(failed)
}
