//! What a request asks of the directory.

use super::Wallet;
use super::search::Entry;
use portico_terms::ChainId;
use std::collections::HashSet;

/// What a request asks of the directory. What is empty asks nothing.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// What the visitor typed.
    pub search: String,
    /// These alone: ids, reverse domain names, or names whatever their case.
    pub include: Vec<String>,
    /// None of these (spec 5.23): ids, reverse domain names, or names whatever their case.
    pub exclude: Vec<String>,
    /// Wallets that serve at least one of these.
    pub chains: Vec<ChainId>,
    /// Wallets that such a phone can have.
    pub platform: Option<Platform>,
    /// Wallets of one of these reverse domain names.
    pub rdns: Vec<String>,
    /// Wallets of one of these names, whatever their case.
    pub names: Vec<String>,
    /// Which part of what was found.
    pub page: Page,
}

/// A kind of phone.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Platform {
    /// An iPhone or iPad.
    Ios,
    /// Android.
    Android,
}

/// A part of a list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Page {
    page: u32,
    entries: u32,
}

/// Why there is no such page.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum PageError {
    /// The first page is 1.
    #[error("page is counted from 1")]
    Page,
    /// Nothing, or more than a page holds.
    #[error("entries is from 1 to 100")]
    Entries,
}

/// The same as sets, so that a long list costs no more for each wallet.
pub(super) struct Filter<'a> {
    query: &'a Query,
    include: HashSet<String>,
    exclude: HashSet<String>,
    rdns: HashSet<String>,
    names: HashSet<String>,
}

impl Page {
    /// The most a page holds.
    pub const MOST: u32 = 100;

    /// A page, counted from 1, of so many wallets.
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

/// The first page, of as many wallets as the list of all wallets asks for at once.
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

/// Whether such a phone can install it, or open it once it is there.
fn runs_on(wallet: &Wallet, platform: Platform) -> bool {
    let store = match platform {
        Platform::Ios => &wallet.app_store,
        Platform::Android => &wallet.play_store,
    };
    store.is_some() || wallet.mobile_link.is_some() || wallet.link_mode.is_some()
}
