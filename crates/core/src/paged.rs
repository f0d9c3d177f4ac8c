//! Paginated list of the server for one account on one chain: its owner, cursor, state, and the request in flight. The features store
//! the items themselves.

use crate::effect::HostError;
use crate::facts::Facts;
use crate::http::{self, Request, encode};
use portico_json::Json;
use portico_terms::ChainId;

/// Time in milliseconds after which a list that is shown again is requested again.
pub const LIST_CACHE: u64 = 30_000;

/// Maximum number of consecutive pages without items to show; after that the list has ended, even if the server sends a cursor.
const MOST_BARREN: u8 = 5;

/// HTTP status of a server without a source for the list (RFC 9110, 15.6.2).
pub const NOT_IMPLEMENTED: i64 = 501;

/// State of a paginated list.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum ListState {
    /// The list was not requested.
    #[default]
    Unknown,
    /// The first page is being requested.
    Loading,
    /// All requested pages have arrived.
    Ready,
    /// The next page is being requested.
    More,
    /// The request for the last page failed.
    Unavailable,
    /// Refreshing the first page failed; the earlier items are still shown.
    Outdated,
    /// The server has no source for this list on this chain.
    Unserved,
}

/// Error of the host's call for a list that cannot be requested.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum PagedFault {
    /// No account is connected on a chain with such a list.
    #[error("Transactions can't be fetched without an accountAddress")]
    AddressRequired,
}

impl PagedFault {
    /// Identifier that hosts branch on.
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

/// Position and state of one paginated list.
#[derive(Debug, Default)]
pub struct Paged {
    of: Option<(ChainId, String)>,
    /// Cursor of the last requested page; `None` for the first page.
    cursor: Option<String>,
    next: Option<String>,
    state: ListState,
    waiting: bool,
    attempts: u32,
    barren: u8,
    /// Time of the last request for the first page, in epoch milliseconds; 0 before any.
    at: u64,
    /// Whether the items are outdated: the next request bypasses the server's cache.
    stale: bool,
    revision: u32,
}

/// Active account and chain, if both belong to one namespace, and there is a server to ask.
pub fn owner(facts: &Facts) -> Option<(ChainId, &str)> {
    let (account, network) = (facts.account.as_ref()?, facts.active_network.as_ref()?);
    let asked = account.namespace == network.chain_namespace && http::is_there(&facts.options);
    asked.then(|| (network.caip_network_id.clone(), account.address.as_str()))
}

impl Paged {
    /// Sets the owner. Returns true if the owner changed; the list is then cleared.
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

    /// Whether the first page must be requested now that the list is shown.
    pub fn is_due(&self, now: u64) -> bool {
        self.of.is_some() && !self.waiting && (self.stale || self.at == 0 || now >= self.at + LIST_CACHE)
    }

    /// Marks the items as outdated.
    pub fn outdate(&mut self) {
        self.stale = true;
    }

    /// Goes back to the first page, which is requested next.
    pub fn restart(&mut self, now: u64) {
        self.at = now;
        self.cursor = None;
        self.revision += 1;
        if !matches!(self.state, ListState::Ready | ListState::Unserved) {
            self.state = ListState::Loading;
        }
    }

    /// Goes to the next page, or back to the failed one, which is requested next. False if there is none or a request is in flight.
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

    /// Request for the current page; its reason must carry [`Paged::attempt`].
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

    /// Number of the last request.
    pub fn attempt(&self) -> u32 {
        self.attempts
    }

    /// Whether this response is the awaited one; responses to earlier requests, or for another account, are not.
    pub fn awaits(&mut self, attempt: u32) -> bool {
        let wanted = self.waiting && attempt == self.attempts;
        self.waiting &= !wanted;
        wanted
    }

    /// Whether the last requested page is the first.
    pub fn is_first(&self) -> bool {
        self.cursor.is_none()
    }

    /// Takes the cursor of the page that arrived, with its number of items to show. An empty or repeated cursor ends the list.
    pub fn take(&mut self, next: Option<String>, shown: usize) {
        self.barren = if shown == 0 { self.barren + 1 } else { 0 };
        let next = next.filter(|next| !next.is_empty() && Some(next) != self.cursor.as_ref());
        self.next = next.filter(|_| self.barren < MOST_BARREN);
        self.state = ListState::Ready;
        self.revision += 1;
    }

    /// Notes that the server has no source for the list: it answered from one that cannot know.
    pub fn end_unserved(&mut self) {
        self.next = None;
        self.state = ListState::Unserved;
    }

    /// Notes that the request for the page failed, with the server's code if it refused; `shown` is true if the list already has items.
    pub fn fail(&mut self, code: Option<i64>, shown: bool) {
        self.state = match (code, shown) {
            (Some(NOT_IMPLEMENTED), false) => ListState::Unserved,
            (_, true) if self.is_first() => ListState::Outdated,
            _ => ListState::Unavailable,
        };
        self.revision += 1;
    }

    /// Whether the request for the last page failed.
    pub fn is_lost(&self) -> bool {
        matches!(self.state, ListState::Unavailable | ListState::Outdated)
    }

    /// Chain and address of the account that the list belongs to.
    pub fn of(&self) -> Option<&(ChainId, String)> {
        self.of.as_ref()
    }

    /// Cursor of the last requested page.
    pub fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    pub fn state(&self) -> ListState {
        self.state
    }

    /// Whether there is another page. False after a failed request: that page comes first, and only the visitor can retry it.
    pub fn has_more(&self) -> bool {
        self.next.is_some() && !self.is_lost()
    }

    /// Number that changes with each change of the list.
    pub fn revision(&self) -> u32 {
        self.revision
    }
}
