//! Queries of the directory.

use super::Wallet;
use super::search::Entry;
use portico_terms::ChainId;
use std::collections::HashSet;

/// Query of the directory. Empty fields do not filter.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Text that the visitor typed.
    pub search: String,
    /// Allowlist: ids, reverse domain names, or names in any case.
    pub include: Vec<String>,
    /// Excluded wallets (spec 5.23): ids, reverse domain names, or names in any case.
    pub exclude: Vec<String>,
    /// Only wallets that support at least one of these chains.
    pub chains: Vec<ChainId>,
    /// Only wallets that run on this platform.
    pub platform: Option<Platform>,
    /// Only wallets with one of these reverse domain names.
    pub rdns: Vec<String>,
    /// Only wallets with one of these names, in any case.
    pub names: Vec<String>,
    /// Page of the result.
    pub page: Page,
}

/// Mobile platform.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Platform {
    /// iPhone or iPad.
    Ios,
    Android,
}

/// Page of a list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Page {
    page: u32,
    entries: u32,
}

/// Reason why a page is invalid.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum PageError {
    /// The page number is 0.
    #[error("Use a page from 1")]
    Page,
    /// The page size is 0 or too large.
    #[error("Use 1 to 100 as entries")]
    Entries,
}

/// Query with its lists as sets, so that long lists do not slow down the check of each wallet.
pub(super) struct Filter<'a> {
    query: &'a Query,
    include: HashSet<String>,
    exclude: HashSet<String>,
    rdns: HashSet<String>,
    names: HashSet<String>,
}

impl Page {
    /// Maximum page size.
    pub const MOST: u32 = 100;

    /// Page with this number, counted from 1, and this size.
    pub fn new(page: u32, entries: u32) -> Result<Page, PageError> {
        if page == 0 {
            return Err(PageError::Page);
        }
        if !(1..=Page::MOST).contains(&entries) {
            return Err(PageError::Entries);
        }
        Ok(Page { page, entries })
    }

    pub(super) fn offset(&self) -> usize {
        (self.page as usize - 1).saturating_mul(self.entries())
    }

    pub(super) fn entries(&self) -> usize {
        self.entries as usize
    }
}

/// The first page, with the page size of the list of all wallets.
impl Default for Page {
    fn default() -> Page {
        Page { page: 1, entries: 40 }
    }
}

impl Query {
    pub(super) fn filter(&self) -> Filter<'_> {
        let set = |list: &[String]| list.iter().map(|text| text.trim().to_lowercase()).collect();
        Filter {
            query: self,
            include: set(&self.include),
            exclude: set(&self.exclude),
            rdns: set(&self.rdns),
            names: set(&self.names),
        }
    }
}

impl Filter<'_> {
    pub fn takes(&self, wallet: &Wallet, entry: &Entry) -> bool {
        let listed = |set: &HashSet<String>| set.contains(&entry.name) || entry.ids.iter().any(|id| set.contains(id));
        (self.include.is_empty() || listed(&self.include))
            && !(listed(&self.exclude))
            && (self.names.is_empty() || self.names.contains(&entry.name))
            && (self.rdns.is_empty() || wallet.rdns.is_some() && entry.ids.iter().any(|id| self.rdns.contains(id)))
            && (self.query.chains.is_empty() || self.query.chains.iter().any(|chain| serves(wallet, chain)))
            && self.query.platform.is_none_or(|platform| runs_on(wallet, platform))
    }
}

fn serves(wallet: &Wallet, chain: &ChainId) -> bool {
    wallet.namespaces.contains(&chain.namespace()) || wallet.chains.contains(chain)
}

/// Whether the platform can install the wallet, or open it once installed.
fn runs_on(wallet: &Wallet, platform: Platform) -> bool {
    let store = match platform {
        Platform::Ios => &wallet.app_store,
        Platform::Android => &wallet.play_store,
    };
    store.is_some() || wallet.mobile_link.is_some() || wallet.link_mode.is_some()
}
