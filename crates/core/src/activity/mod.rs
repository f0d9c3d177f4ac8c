//! Transactions of the account (spec 2.9, 3.15, 4.30, 7.4).

mod feature;
mod filter;
mod label;
mod page;
#[cfg(test)]
mod tests;

pub use label::Kind;
pub use page::{Item, Month, Move, Status};
pub use portico_terms::amount::AMOUNT_DECIMALS;

use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::http;
use crate::notice::{Message, Variant};
use crate::paged::{ListState, Paged, PagedFault, owner};
use crate::signal::Signal;
use page::{read, sort_in};
use portico_api::account::History;
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;

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
    view: View,
}

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
        let on = facts.options.features.history && http::is_there(&facts.options);
        if self.pages.belongs(owner(facts).filter(|_| on)) {
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

    /// A transaction of the visitor was mined: marks the list as outdated.
    pub fn spent(&mut self) {
        self.pages.outdate();
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
        let mut shown = 0;
        for item in page.data.into_iter().filter_map(|item| read(item, &of, network.as_deref(), cx.facts)) {
            shown += usize::from(sort_in(&mut self.view.months, item));
        }
        self.pages.take(page.next, shown);
        self.changed_list();
    }

    /// A request failed; pages loaded before stay.
    fn failed(&mut self, code: Option<i64>, cx: &mut Cx) {
        self.pages.fail(code, !self.view.months.is_empty());
        self.changed_list();
        if self.view.state == ListState::Unserved {
            return;
        }
        self.track(Name::ErrorFetchTransactions, cx);
        cx.say(Variant::Error, Message::FailedToFetchTransactions);
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
