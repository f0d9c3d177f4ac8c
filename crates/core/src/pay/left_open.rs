//! Payments that a wallet may have sent without telling: they were not answered yet, or the answer does not tell. They are in storage too, because
//! a page that is left or reloaded never learns of the answer, and a visitor who repeats a payment would pay twice.

use super::signing;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::Facts;
use crate::storage::{self, StoredRequest};
use portico_json::{Read, parse, to_text};

/// Requests of a feature whose outcome is unknown. Each has a storage key of its own, because tabs share the storage: the outcome of a request
/// in this tab tells nothing about one in another tab.
#[derive(Debug, Default)]
pub struct LeftOpen {
    /// Requests of earlier pages, other tabs and this page, by the end of their storage key; `None` if the stored one is unreadable.
    all: Vec<(String, Option<StoredRequest>)>,
    /// Requests of this page whose outcome the wallet may still tell, the oldest first; among them those of the same accounts whose answer did
    /// not tell it.
    own: Vec<Own>,
}

/// Request of this page.
#[derive(Debug)]
struct Own {
    /// Number of the request in its feature.
    attempt: u32,
    /// Name of its stored request, which is also that of a later one of the same account.
    name: String,
    /// The wallet answered, but not whether it paid.
    unknown: bool,
}

/// Maximum number of requests of this page to follow. Beyond it the outcome of the oldest one and of others of its account stays unknown.
const MOST_OWN: usize = 8;

impl LeftOpen {
    /// Reads the stored requests of earlier pages and other tabs; stored values are untrusted.
    pub fn read(stored: &[(String, String)]) -> LeftOpen {
        let read = |text: &str| StoredRequest::read(&parse(text).ok()?).ok();
        LeftOpen { all: stored.iter().map(|(name, text)| (name.clone(), read(text))).collect(), own: Vec::new() }
    }

    /// Whether the active account may have paid on the active network.
    pub fn concerns(&self, cx: &Cx) -> bool {
        let Some(now) = StoredRequest::of(cx.facts, cx.now) else { return false };
        let mut requests = self.all.iter().filter_map(|(_, request)| request.as_ref());
        requests.any(|request| signing::is_recent(request.since, cx.now) && request.is_of_payer(&now))
    }

    /// The wallet is asked to pay from the active account. The stored request takes the place of this page's earlier ones of that account whose
    /// outcome is not known yet. `prefix` is that of the storage keys.
    pub fn asked(&mut self, attempt: u32, prefix: &str, cx: &mut Cx) {
        let Some(request) = StoredRequest::of(cx.facts, cx.now) else { return };
        if let Some(oldest) = self.own.first().map(|own| own.name.clone()).filter(|_| self.own.len() == MOST_OWN) {
            self.own.retain(|own| own.name != oldest);
        }
        let (name, own) = (self.free_name(cx.now), std::mem::take(&mut self.own));
        let stays = |other: &str, stored: Option<&StoredRequest>| {
            let recent = stored.filter(|stored| signing::is_recent(stored.since, cx.now));
            let waits = own.iter().any(|own| own.name == other);
            recent.is_some_and(|stored| !waits || !stored.is_of_payer(&request))
        };
        let gone = self.retain(&stays);
        forget(prefix, &gone, cx);
        storage::keep([prefix, &name].concat(), to_text(&request), cx);
        self.all.push((name.clone(), Some(request)));
        self.own = own;
        for own in self.own.iter_mut().filter(|own| gone.contains(&own.name)) {
            own.name.clone_from(&name);
        }
        self.own.push(Own { attempt, name, unknown: false });
    }

    /// The answer to a request of this page does not tell its outcome: only a payment that was asked for later settles it.
    pub fn stays_unknown(&mut self, attempt: u32) {
        let Some(at) = self.open(attempt) else { return };
        self.own[at].unknown = true;
        let name = self.own[at].name.clone();
        self.leave_unknown(&name);
    }

    /// The outcome of a request of this page is known. A payment settles those before it that its account made too, because the visitor was told
    /// to look after them first; a refusal settles none of them. As long as another request of the account is open, or the outcome of a later
    /// one is unknown, none is settled.
    pub fn settled(&mut self, attempt: u32, prefix: &str, paid: bool, cx: &mut Cx) {
        let Some(at) = self.open(attempt) else { return };
        let own = self.own.remove(at).name;
        let later = self.own.split_off(at);
        self.own.retain(|before| !(paid && before.unknown && before.name == own));
        self.own.extend(later);
        if self.own.iter().any(|other| other.name == own) {
            return self.leave_unknown(&own);
        }
        let known = self.all.iter().find(|(name, _)| *name == own).and_then(|(_, request)| request.clone());
        let stays = |name: &str, one: Option<&StoredRequest>| {
            name != own && !(paid && one.zip(known.as_ref()).is_some_and(|(one, known)| one.is_of_payer(known)))
        };
        let gone = self.retain(&stays);
        forget(prefix, &gone, cx);
    }

    /// Name for a request of this time; another one may be of the same millisecond.
    fn free_name(&self, now: u64) -> String {
        let mut names = (now..).map(|time| time.to_string());
        names.find(|name| self.all.iter().all(|(taken, _)| taken != name)).unwrap_or_default()
    }

    /// Place of a request of this page that the wallet has not answered.
    fn open(&self, attempt: u32) -> Option<usize> {
        self.own.iter().position(|own| own.attempt == attempt && !own.unknown)
    }

    /// Unless the wallet may still answer one of the requests under a name, their stored request stays as it is, and a later request does not
    /// take its place.
    fn leave_unknown(&mut self, name: &str) {
        if self.own.iter().all(|own| own.name != name || own.unknown) {
            self.own.retain(|own| own.name != name);
        }
    }

    /// Takes out the requests that do not stay, and returns their names.
    fn retain(&mut self, stays: &dyn Fn(&str, Option<&StoredRequest>) -> bool) -> Vec<String> {
        let mut gone = Vec::new();
        self.all.retain(|(name, request)| {
            let stays = stays(name, request.as_ref());
            gone.extend((!stays).then(|| name.clone()));
            stays
        });
        gone
    }
}

fn forget(prefix: &str, gone: &[String], cx: &mut Cx) {
    for name in gone {
        cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: [prefix, name].concat() });
    }
}

impl StoredRequest {
    fn of(facts: &Facts, since: u64) -> Option<StoredRequest> {
        let (network, account) = facts.active_network.as_ref().zip(facts.account.as_ref())?;
        Some(StoredRequest { chain: network.caip_network_id.clone(), address: account.address.clone(), since })
    }

    /// Whether both are of the same account on the same network.
    fn is_of_payer(&self, other: &StoredRequest) -> bool {
        self.chain == other.chain && self.address.eq_ignore_ascii_case(&other.address)
    }
}
