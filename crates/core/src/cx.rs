//! Context in which a feature handles a step: it can order effects, start and stop timers, and emit signals, and nothing else.

use crate::app::Reason;
use crate::effect::{HostAnswer, HostError, Operation};
use crate::facts::Facts;
use crate::http::Request;
use crate::notice::{Message, Variant};
use crate::rpc::{Agreement, ChainRead, Nodes, Side};
use crate::signal::Signal;
use crate::timer::Timer;
use crate::wallet::eip155;
use portico_json::{Take, Value, read_sound};
use portico_terms::ChainId;

/// Context of a feature while it handles one event, outcome, alarm or signal. The loop carries out the collected orders afterwards.
#[derive(Debug)]
pub struct Cx<'a> {
    /// Current time in epoch milliseconds. It never goes back.
    pub now: u64,
    /// Read-only knowledge of all features.
    pub facts: &'a Facts,
    pub(crate) asks: Vec<(Operation, Reason)>,
    pub(crate) calls: Vec<ChainRead>,
    pub(crate) alarms: Vec<(Timer, Option<u64>)>,
    pub(crate) signals: Vec<Signal>,
    /// Number of malformed list items left out of responses of the host's server.
    pub(crate) skipped: u32,
}

impl<'a> Cx<'a> {
    /// Creates a context without orders.
    pub fn new(now: u64, facts: &'a Facts) -> Cx<'a> {
        Cx { now, facts, asks: Vec::new(), calls: Vec::new(), alarms: Vec::new(), signals: Vec::new(), skipped: 0 }
    }

    /// Orders an operation; `reason` routes its outcome back to the feature.
    pub fn ask(&mut self, operation: Operation, reason: impl Into<Reason>) {
        self.asks.push((operation, reason.into()));
    }

    /// Orders an operation and ignores its outcome.
    pub fn order(&mut self, operation: Operation) {
        self.asks.push((operation, Reason::Nothing));
    }

    /// Orders a chain read. All reads of one turn are sent in one batch (spec 9.16: wait 0).
    pub fn call(&mut self, chain: &ChainId, method: &'static str, params: Vec<Value>, reason: impl Into<Reason>) {
        self.read_from(Nodes::Any, chain, method, params, reason.into());
    }

    /// Requests a read from an RPC address that the host or the network names; from the host's own server only where no other is known, also
    /// if the others fail. For checks of what that server said.
    pub fn call_elsewhere(
        &mut self,
        chain: &ChainId,
        method: &'static str,
        params: Vec<Value>,
        reason: impl Into<Reason>,
    ) {
        self.read_from(Nodes::Elsewhere, chain, method, params, reason.into());
    }

    /// Requests a read from two nodes, whose answers have to agree ([`crate::rpc::DISAGREED`]). A single one is believed where no other
    /// answers; the host's own server only where no other is known ([`crate::rpc::UNPROVEN`]). Revert data is an answer: see [`crate::rpc::reverted`].
    pub fn call_agreed(
        &mut self,
        chain: &ChainId,
        method: &'static str,
        params: Vec<Value>,
        reason: impl Into<Reason>,
    ) {
        self.call_two(chain, method, params, reason, Agreement::Same);
    }

    /// As [`Cx::call_agreed`], but where two nodes are known, one is not believed alone.
    pub fn call_both(&mut self, chain: &ChainId, method: &'static str, params: Vec<Value>, reason: impl Into<Reason>) {
        self.call_two(chain, method, params, reason, Agreement::Both);
    }

    /// Requests a read from both sides of a pair ([`Side`]), each for itself: whatever one side answers or refuses, the other one is heard.
    pub fn call_each(&mut self, chain: &ChainId, method: &'static str, params: &[Value], reason: impl Fn() -> Reason) {
        for side in [Side::First, Side::Second] {
            self.read_from(Nodes::Half(side), chain, method, params.to_vec(), reason());
        }
    }

    /// Requests a quantity from two nodes, of which the lower answer counts: a fee that one node makes up costs nothing.
    pub fn call_lower(&mut self, chain: &ChainId, method: &'static str, reason: impl Into<Reason>) {
        self.call_two(chain, method, Vec::new(), reason, Agreement::Lower);
    }

    /// As [`Cx::call_agreed`], but the host's own server is never believed alone.
    pub fn call_proven(
        &mut self,
        chain: &ChainId,
        method: &'static str,
        params: Vec<Value>,
        reason: impl Into<Reason>,
    ) {
        self.call_two(chain, method, params, reason, Agreement::Proven);
    }

    /// Requests a transaction by its hash, as [`Cx::call_proven`]; fields that nodes add of their own do not count.
    pub fn call_transaction(&mut self, chain: &ChainId, hash: &str, reason: impl Into<Reason>) {
        self.call_two(chain, eip155::TRANSACTION, vec![hash.into()], reason, Agreement::ProvenTransaction);
    }

    /// Requests a read from two nodes; `agreement` says what counts of their answers.
    pub fn call_two(
        &mut self,
        chain: &ChainId,
        method: &'static str,
        params: Vec<Value>,
        reason: impl Into<Reason>,
        agreement: Agreement,
    ) {
        self.read_from(Nodes::Pair(agreement), chain, method, params, reason.into());
    }

    /// Requests a read for a library of the page ([`Nodes::Library`]).
    pub fn call_for_library(&mut self, chain: &ChainId, method: &str, params: Vec<Value>, reason: impl Into<Reason>) {
        self.read_from(Nodes::Library, chain, method, params, reason.into());
    }

    #[inline(never)]
    fn read_from(&mut self, nodes: Nodes, chain: &ChainId, method: &str, params: Vec<Value>, reason: Reason) {
        self.calls.push(ChainRead { chain: chain.clone(), method: method.into(), params, reason, nodes });
    }

    /// Sends a request to the host's own server. Returns false, without a request, if the host set no server or no project.
    pub fn http(&mut self, request: Request, reason: impl Into<Reason>) -> bool {
        let operation = request.operation(&self.facts.options);
        let asks = operation.is_some();
        self.asks.extend(operation.map(|operation| (operation, reason.into())));
        asks
    }

    /// Parses a response of the host's server. List items that do not fit their type are left out and counted: see `App::skipped_items`.
    pub fn read<T: Take>(&mut self, answer: &Value) -> Option<T> {
        read_sound(answer, &mut self.skipped)
    }

    /// Sets an alarm to `delay` milliseconds from now; moves it if it is already running.
    pub fn start(&mut self, timer: impl Into<Timer>, delay: u64) {
        self.alarms.push((timer.into(), Some(self.now.saturating_add(delay))));
    }

    /// Stops an alarm.
    pub fn stop(&mut self, timer: impl Into<Timer>) {
        self.alarms.push((timer.into(), None));
    }

    /// Emits a signal for the other features.
    pub fn signal(&mut self, signal: Signal) {
        self.signals.push(signal);
    }

    /// Shows the visitor a short message that disappears by itself.
    pub fn say(&mut self, variant: Variant, message: Message) {
        self.signal(Signal::Say(variant, message));
    }

    /// Adds the orders of a context that was created with newer facts.
    pub(crate) fn take_over(&mut self, fresh: Cx) {
        self.asks.extend(fresh.asks);
        self.calls.extend(fresh.calls);
        self.alarms.extend(fresh.alarms);
        self.signals.extend(fresh.signals);
        self.skipped += fresh.skipped;
    }

    /// Resolves the promise of a host's call, if there is one.
    pub fn resolve_host(&mut self, ticket: Option<u32>, value: Value) {
        if let Some(ticket) = ticket {
            self.order(Operation::AnswerHost { ticket, answer: HostAnswer::Resolved { value } });
        }
    }

    /// Rejects the promise of a host's call, if there is one.
    pub fn reject_host(&mut self, ticket: Option<u32>, error: HostError) {
        if let Some(ticket) = ticket {
            self.order(Operation::AnswerHost { ticket, answer: HostAnswer::Rejected { error } });
        }
    }
}
