//! Transactions of the account (spec 2.9, 3.15, 4.30, 7.4).

mod approval;
mod feature;
mod filter;
mod form;
mod label;
mod page;
mod seen;
#[cfg(test)]
mod tests;

pub use approval::Approval;
pub use label::Kind;
pub use page::{Item, Month, Move, Status};
pub use portico_terms::amount::AMOUNT_DECIMALS;

use crate::analytics::{Name, Tracked};
use crate::config::{Feature, supported_on};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::notice::{Message, Variant};
use crate::paged::{ListState, Paged, PagedFault, owner};
use crate::pay::outcome::Payment;
use crate::signal::Signal;
use page::{read, sort_in};
use portico_api::account::History;
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{ChainId, Namespace};
use seen::Seen;

/// Activity: events of visitor and host.
#[derive(Clone, Debug, Json)]
#[json(name = "ActivityEvent")]
pub enum Event {
    /// The end of the list scrolled into view, or a retry was requested.
    MoreAsked {
        /// Ticket of the host call.
        ticket: Option<u32>,
    },
}

/// Reason of a page request: its number.
#[derive(Clone, Copy, Debug)]
pub struct Reason(pub u32);

/// State of the activity feature.
#[derive(Debug, Default)]
pub struct Activity {
    pages: Paged,
    seen: Seen,
    view: View,
}

/// Source of a server that reads the history from nodes. Those of an EVM chain have only logs: the last transfers of tokens and none of
/// coins. Those of Solana and Bitcoin have all transactions.
const NODES: &str = "rpc";

/// Transactions for views.
#[derive(Clone, Debug, Default, Json, PartialEq)]
#[json(name = "ActivityView")]
pub struct View {
    /// Loading state of the list.
    pub state: ListState,
    /// Months, the latest first (spec 2.9).
    pub months: Vec<Month>,
    /// Whether there is another page.
    pub more: bool,
    /// Whether the list is empty or could not be loaded (spec 4.30).
    pub empty: bool,
    /// Counter of changes.
    pub revision: u32,
}

impl Activity {
    /// Clears the list if it is not that of the active account and network, or if the host turned it off.
    pub fn changed(&mut self, facts: &Facts) {
        let is_served = |chain: &ChainId| {
            facts.options.features.history
                && supported_on(Feature::Activity, chain.namespace())
                && facts.offer.reads(chain)
        };
        if self.pages.belongs(owner(facts).filter(|(chain, _)| is_served(chain))) {
            self.view.months.clear();
            self.changed_list();
        }
    }

    /// The list is shown: loads it unless it is fresh.
    pub fn show(&mut self, cx: &mut Cx) {
        if self.pages.is_due(cx.now) {
            self.pages.restart(cx.now);
            self.ask(cx);
        }
    }

    /// A transaction was sent. Nodes of Bitcoin list it before it is in a block, so the list is outdated at once.
    pub fn started(&mut self) {
        if self.pages.of().is_some_and(|(chain, _)| chain.namespace() == Namespace::Bip122) {
            self.pages.outdate();
        }
    }

    /// A payment of the visitor was sent.
    pub fn sent(&mut self, sent: &Payment) {
        if let Some(of) = self.pages.of() {
            self.seen.sent(sent, of);
        }
    }

    /// A transaction of the visitor was mined: marks the list as outdated. `sent` is the last payment, whose receipt is shown.
    pub fn spent(&mut self, sent: Option<Payment>) {
        self.pages.outdate();
        if let Some(sent) = sent {
            self.seen.settled(sent);
        }
    }

    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        let Event::MoreAsked { ticket } = event;
        if self.pages.of().is_none() {
            return cx.reject_host(ticket, PagedFault::AddressRequired.into());
        }
        let lost = self.pages.is_lost();
        if self.pages.go_on() {
            if !lost {
                self.track(Name::LoadMoreTransactions, cx);
            }
            self.ask(cx);
        }
        cx.resolve_host(ticket, Value::Null);
    }

    fn ask(&mut self, cx: &mut Cx) {
        let request = self.pages.request("history");
        cx.http(request, Reason(self.pages.attempt()));
        self.changed_list();
    }

    /// Response with a page. One for another account is ignored.
    #[inline(never)]
    pub fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if !self.pages.awaits(reason.0) {
            return;
        }
        let code = answer.as_ref().err().map(|error| error.code);
        let page: Option<History> = answer.ok().and_then(|answer| cx.read(&answer));
        let Some(page) = page else { return self.failed(code, cx) };
        let Some(of) = self.pages.of().cloned() else { return };
        if self.pages.is_first() {
            self.view.months.clear();
        }
        let network = cx.facts.network(&of.0).cloned();
        let logs = of.0.namespace() == Namespace::Eip155 && page.source.as_deref() == Some(NODES);
        let mut shown = 0;
        for item in page.data.into_iter().filter_map(|item| read(item, &of, network.as_deref(), cx.facts)) {
            shown += usize::from(sort_in(&mut self.view.months, item));
        }
        self.pages.take(page.next, shown);
        if logs {
            self.add_seen();
            // Coins leave no log, so an empty list says nothing about the account.
            if shown == 0 && self.pages.is_first() {
                self.pages.end_unserved();
            }
        }
        self.changed_list();
    }

    /// A request failed; pages loaded before stay.
    fn failed(&mut self, code: Option<i64>, cx: &mut Cx) {
        self.pages.fail(code, !self.view.months.is_empty());
        self.changed_list();
        if self.view.state == ListState::Unserved {
            return self.add_seen();
        }
        self.track(Name::ErrorFetchTransactions, cx);
        cx.say(Variant::Error, Message::FailedToFetchTransactions);
    }

    /// Adds the payments that this page saw and the list does not have.
    fn add_seen(&mut self) {
        let Some(of) = self.pages.of() else { return };
        for item in self.seen.of(of) {
            let known = |month: &Month| month.items.iter().any(|other| other.hash == item.hash);
            if !self.view.months.iter().any(known) {
                sort_in(&mut self.view.months, item.clone());
            }
        }
    }

    /// Tracks the result of the last page request.
    fn track(&self, name: Name, cx: &mut Cx) {
        let mut tracked = Tracked::new(name);
        if let Some((_, address)) = self.pages.of() {
            tracked = tracked.with("address", address.as_str());
        }
        let project = cx.facts.options.project_id.clone().unwrap_or_default();
        tracked = tracked.with("projectId", project).with("cursor", self.pages.cursor().unwrap_or_default());
        cx.signal(Signal::Track(tracked.flag("isSmartAccount", cx.facts.smart_account)));
    }

    /// Counter of changes.
    pub fn revision(&self) -> u32 {
        self.pages.revision()
    }

    /// Copies the state of the pages to the view.
    fn changed_list(&mut self) {
        let view = &mut self.view;
        view.state = self.pages.state();
        view.more = self.pages.has_more();
        view.revision = self.pages.revision();
        view.empty = match view.state {
            _ if self.pages.is_lost() => true,
            ListState::Unserved => true,
            ListState::Ready => view.months.is_empty() && !view.more,
            _ => false,
        };
    }

    /// Transactions for views; `None` if the list is not available.
    pub fn view(&self) -> Option<&View> {
        self.pages.of().map(|_| &self.view)
    }
}
