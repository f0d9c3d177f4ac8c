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
    /// Name of the last request of this page, until its outcome is known or stays unknown.
    own: Option<String>,
}

impl LeftOpen {
    /// Reads the stored requests of earlier pages and other tabs; stored values are untrusted.
    pub fn read(stored: &[(String, String)]) -> LeftOpen {
        let read = |text: &str| StoredRequest::read(&parse(text).ok()?).ok();
        LeftOpen { all: stored.iter().map(|(name, text)| (name.clone(), read(text))).collect(), own: None }
    }

    /// Whether the active account may have paid on the active network.
    pub fn concerns(&self, cx: &Cx) -> bool {
        let Some(now) = StoredRequest::of(cx.facts, cx.now) else { return false };
        let mut requests = self.all.iter().filter_map(|(_, request)| request.as_ref());
        requests.any(|request| signing::is_recent(request.since, cx.now) && request.is_of_payer(&now))
    }

    /// The wallet is asked to pay from the active account. The request takes the place of this page's last one of that account. `prefix` is that
    /// of the storage keys.
    pub fn asked(&mut self, prefix: &str, cx: &mut Cx) {
        let Some(request) = StoredRequest::of(cx.facts, cx.now) else { return };
        let (name, own) = (cx.now.to_string(), self.own.take());
        let stays = |other: &str, stored: Option<&StoredRequest>| {
            let recent = stored.filter(|stored| signing::is_recent(stored.since, cx.now));
            other != name && recent.is_some_and(|stored| own.as_deref() != Some(other) || !stored.is_of_payer(&request))
        };
        let gone = self.retain(&stays);
        forget(prefix, &gone, cx);
        storage::keep([prefix, &name].concat(), to_text(&request), cx);
        self.all.push((name.clone(), Some(request)));
        self.own = Some(name);
    }

    /// The answer to this page's request does not tell its outcome: a later request does not take its place, and only a payment settles it.
    pub fn stays_unknown(&mut self) {
        self.own = None;
    }

    /// The outcome of this page's request is known. A payment settles those before it that its account made too, because the visitor was told to
    /// look after them first; a refusal settles none of them.
    pub fn settled(&mut self, prefix: &str, paid: bool, cx: &mut Cx) {
        let Some(own) = self.own.take() else { return };
        let known = self.all.iter().find(|(name, _)| *name == own).and_then(|(_, request)| request.clone());
        let stays = |name: &str, one: Option<&StoredRequest>| {
            name != own && !(paid && one.zip(known.as_ref()).is_some_and(|(one, known)| one.is_of_payer(known)))
        };
        let gone = self.retain(&stays);
        forget(prefix, &gone, cx);
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
