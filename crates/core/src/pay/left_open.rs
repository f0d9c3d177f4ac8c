//! A payment that a wallet may have sent without telling: it was not answered yet, or the answer does not tell. It is in storage too, because a
//! page that is left or reloaded never learns of the answer, and a visitor who repeats the payment would pay twice.

use super::signing;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::Facts;
use crate::storage::{self, StoredRequest};
use portico_json::{Read, parse, to_text};

/// The last request of a feature whose outcome is unknown.
#[derive(Debug, Default)]
pub struct LeftOpen(Option<StoredRequest>);

impl LeftOpen {
    /// Reads the stored request of an earlier page; stored values are untrusted.
    pub fn read(text: Option<&str>) -> LeftOpen {
        LeftOpen(text.and_then(|text| StoredRequest::read(&parse(text).ok()?).ok()))
    }

    /// Whether the active account may have paid on the active network.
    pub fn concerns(&self, cx: &Cx) -> bool {
        let Some((request, now)) = self.0.as_ref().zip(StoredRequest::of(cx.facts, cx.now)) else { return false };
        signing::is_recent(request.since, cx.now)
            && request.chain == now.chain
            && request.address.eq_ignore_ascii_case(&now.address)
    }

    /// The wallet is asked to pay from the active account.
    pub fn asked(&mut self, key: &str, cx: &mut Cx) {
        self.0 = StoredRequest::of(cx.facts, cx.now);
        if let Some(request) = &self.0 {
            storage::keep(key.into(), to_text(request), cx);
        }
    }

    /// The outcome is known.
    pub fn settled(&mut self, key: &str, cx: &mut Cx) {
        if self.0.take().is_some() {
            cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: key.into() });
        }
    }
}

impl StoredRequest {
    fn of(facts: &Facts, since: u64) -> Option<StoredRequest> {
        let (network, account) = facts.active_network.as_ref().zip(facts.account.as_ref())?;
        Some(StoredRequest { chain: network.caip_network_id.clone(), address: account.address.clone(), since })
    }
}
