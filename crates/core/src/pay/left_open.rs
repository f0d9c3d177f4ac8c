//! A request to pay at a wallet, in storage while the wallet has not answered: a page that is reloaded meanwhile never learns of the answer, and
//! a visitor who repeats the payment would pay twice.

use super::signing;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::Facts;
use crate::storage::{self, StoredRequest};
use portico_json::{Read, parse, to_text};

/// The request of a feature that an earlier page left open.
#[derive(Debug, Default)]
pub struct LeftOpen(Option<StoredRequest>);

impl LeftOpen {
    /// Reads the stored request; stored values are untrusted.
    pub fn read(text: Option<&str>) -> LeftOpen {
        LeftOpen(text.and_then(|text| StoredRequest::read(&parse(text).ok()?).ok()))
    }

    /// Whether the active account was asked to pay on the active network, and the answer is unknown.
    pub fn concerns(&self, cx: &Cx) -> bool {
        let Some((request, now)) = self.0.as_ref().zip(StoredRequest::of(cx.facts, cx.now)) else { return false };
        signing::is_recent(request.since, cx.now)
            && request.chain == now.chain
            && request.address.eq_ignore_ascii_case(&now.address)
    }

    /// The visitor was told.
    pub fn told(&mut self) {
        self.0 = None;
    }
}

impl StoredRequest {
    fn of(facts: &Facts, since: u64) -> Option<StoredRequest> {
        let (network, account) = facts.active_network.as_ref().zip(facts.account.as_ref())?;
        Some(StoredRequest { chain: network.caip_network_id.clone(), address: account.address.clone(), since })
    }
}

/// The wallet is asked to pay from the active account.
pub fn keep(key: &str, cx: &mut Cx) {
    if let Some(request) = StoredRequest::of(cx.facts, cx.now) {
        storage::keep(key.into(), to_text(&request), cx);
    }
}

/// The wallet answered.
pub fn forget(key: &str, cx: &mut Cx) {
    cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: key.into() });
}
