//! A list of one account on one chain that the server tells page by page: whose it is, how far it was read, and which answer is still
//! wanted. What stands on the pages is kept by the feature.

use crate::effect::HostError;
use crate::facts::Facts;
use crate::http::{Request, encode};
use portico_json::{Json, Value};
use portico_terms::{ChainId, Namespace};

/// A list that is looked at again after so many milliseconds is asked for anew.
pub const LIST_CACHE: u64 = 30_000;

/// So many pages in a row may hold nothing to show; then the list has ended, whatever the server says.
const MOST_BARREN: u8 = 5;

/// How a list stands.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum ListState {
    /// Nobody asks for it.
    #[default]
    Unknown,
    /// Its first page is asked for.
    Loading,
    /// As far as it was asked for it is there.
    Ready,
    /// Its next page is asked for.
    More,
    /// The last page that was asked for could not be had.
    Unavailable,
    /// The first page could not be had anew; what was read before still stands there.
    Outdated,
}

/// Why a list cannot be asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum PagedFault {
    /// Nobody is connected on a chain that has one.
    #[error("Transactions can't be fetched without an accountAddress")]
    AddressRequired,
}

impl PagedFault {
    /// The word that hosts branch on.
    pub fn reason(&self) -> &'static str {
        match self {
            PagedFault::AddressRequired => "addressRequired",
        }
    }
}

impl From<PagedFault> for HostError {
    fn from(fault: PagedFault) -> HostError {
        HostError::new(fault.reason(), &fault.to_string())
    }
}

/// See the module.
#[derive(Debug, Default)]
pub struct Paged {
    of: Option<(ChainId, String)>,
    /// Of the page that was asked for last; `None` is the first.
    cursor: Option<String>,
    next: Option<String>,
    state: ListState,
    waiting: bool,
    attempts: u32,
    barren: u8,
    /// When the first page was asked for.
    at: u64,
    /// What was known of it is out of date: the server is not to answer from its cache.
    stale: bool,
    revision: u32,
}

/// The account in use and its chain, where both are EVM ones: no other has activity (spec 6.9).
pub fn owner(facts: &Facts) -> Option<(ChainId, &str)> {
    let (account, network) = (facts.account.as_ref()?, facts.active_network.as_ref()?);
    let evm = account.namespace == Namespace::Eip155 && network.chain_namespace == Namespace::Eip155;
    evm.then(|| (network.caip_network_id.clone(), account.address.as_str()))
}

impl Paged {
    /// The list is that of this account. True where it was another's: that is forgotten.
    pub fn belongs(&mut self, owner: Option<(ChainId, &str)>) -> bool {
        let same = match (&self.of, &owner) {
            (Some((chain, address)), Some((other_chain, other))) => chain == other_chain && address == other,
            (None, None) => true,
            _ => false,
        };
        if !same {
            let of = owner.map(|(chain, address)| (chain, address.into()));
            *self = Paged { of, attempts: self.attempts, revision: self.revision + 1, ..Paged::default() };
        }
        !same
    }

    /// It is looked at. True where its first page is to be asked for.
    pub fn is_due(&self, now: u64) -> bool {
        self.of.is_some() && !self.waiting && (self.stale || self.at == 0 || now >= self.at + LIST_CACHE)
    }

    /// What is known is out of date.
    pub fn outdate(&mut self) {
        self.stale = true;
    }

    /// The first page is to be asked for.
    pub fn restart(&mut self, now: u64) {
        self.at = now;
        self.cursor = None;
        self.revision += 1;
        if self.state != ListState::Ready {
            self.state = ListState::Loading;
        }
    }

    /// The next page, or the one that could not be had, is to be asked for. False where there is none, or one is on its way.
    pub fn go_on(&mut self) -> bool {
        let again = self.is_lost();
        if self.waiting || !(again || self.next.is_some()) {
            return false;
        }
        if !again {
            self.cursor = self.next.take();
        }
        self.state = if self.cursor.is_some() { ListState::More } else { ListState::Loading };
        self.revision += 1;
        true
    }

    /// The request for the page; its answer is to carry [`Paged::attempt`].
    pub fn request(&mut self, what: &str) -> Request {
        let nobody = (ChainId::eip155(0), String::new());
        let (chain, address) = self.of.as_ref().unwrap_or(&nobody);
        let path = ["/v1/account/", &encode(address), "/", what].concat();
        let mut request = Request::get(path).with("chainId", &chain.to_string());
        if let Some(cursor) = &self.cursor {
            request = request.with("cursor", cursor);
        }
        if self.stale && self.cursor.is_none() {
            request = request.with("cache", "no-cache");
            self.stale = false;
        }
        self.waiting = true;
        self.attempts += 1;
        request
    }

    /// The number of the request made last.
    pub fn attempt(&self) -> u32 {
        self.attempts
    }

    /// Whether this answer is the one that is waited for, and not that of another account.
    pub fn awaits(&mut self, attempt: u32) -> bool {
        let wanted = self.waiting && attempt == self.attempts;
        self.waiting &= !wanted;
        wanted
    }

    /// Whether the page that was asked for last is the first.
    pub fn is_first(&self) -> bool {
        self.cursor.is_none()
    }

    /// The page is there, with so many items to show. A cursor that leads nowhere ends the list.
    pub fn take(&mut self, next: &Value, shown: usize) {
        self.barren = if shown == 0 { self.barren + 1 } else { 0 };
        let next = next.as_str().filter(|next| !next.is_empty() && Some(*next) != self.cursor.as_deref());
        self.next = next.filter(|_| self.barren < MOST_BARREN).map(Into::into);
        self.state = ListState::Ready;
        self.revision += 1;
    }

    /// The page could not be had; `shown` says whether something of the list is there.
    pub fn fail(&mut self, shown: bool) {
        self.state = if shown && self.is_first() { ListState::Outdated } else { ListState::Unavailable };
        self.revision += 1;
    }

    /// Whether the page that was asked for last could not be had.
    pub fn is_lost(&self) -> bool {
        matches!(self.state, ListState::Unavailable | ListState::Outdated)
    }

    /// Whose it is.
    pub fn of(&self) -> Option<&(ChainId, String)> {
        self.of.as_ref()
    }

    /// The cursor of the page that was asked for last.
    pub fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// How it stands.
    pub fn state(&self) -> ListState {
        self.state
    }

    /// Whether there is another page. Not while one could not be had: that one is asked for first, and only by the visitor.
    pub fn has_more(&self) -> bool {
        self.next.is_some() && !self.is_lost()
    }

    /// Another number after each change.
    pub fn revision(&self) -> u32 {
        self.revision
    }
}
