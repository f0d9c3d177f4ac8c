//! A feature's hands: it can ask, start or stop a timer, and tell. It can do nothing else.

use crate::app::Reason;
use crate::effect::{HostAnswer, HostError, Operation};
use crate::facts::Facts;
use crate::http::Request;
use crate::notice::{Message, Variant};
use crate::rpc::ChainRead;
use crate::signal::Signal;
use crate::timer::Timer;
use portico_json::{Take, Value, read_sound};
use portico_terms::ChainId;

/// Handed to a feature for one event, answer or alarm.
#[derive(Debug)]
pub struct Cx<'a> {
    /// Epoch milliseconds. It never goes back.
    pub now: u64,
    /// What every feature may know.
    pub facts: &'a Facts,
    pub(crate) asks: Vec<(Operation, Reason)>,
    pub(crate) calls: Vec<ChainRead>,
    pub(crate) alarms: Vec<(Timer, Option<u64>)>,
    pub(crate) signals: Vec<Signal>,
    /// Broken items of lists in answers of the host's server, left out.
    pub(crate) skipped: u32,
}

impl<'a> Cx<'a> {
    /// Empty hands.
    pub fn new(now: u64, facts: &'a Facts) -> Cx<'a> {
        Cx { now, facts, asks: Vec::new(), calls: Vec::new(), alarms: Vec::new(), signals: Vec::new(), skipped: 0 }
    }

    /// Orders an operation; `reason` says where its answer goes.
    pub fn ask(&mut self, operation: Operation, reason: impl Into<Reason>) {
        self.asks.push((operation, reason.into()));
    }

    /// Orders an operation whose end nobody waits for.
    pub fn order(&mut self, operation: Operation) {
        self.asks.push((operation, Reason::Nothing));
    }

    /// Reads from a chain. Calls of one turn travel together (spec 9.16: wait 0).
    pub fn call(&mut self, chain: &ChainId, method: &'static str, params: Vec<Value>, reason: impl Into<Reason>) {
        self.calls.push(ChainRead { chain: chain.clone(), method, params, reason: reason.into() });
    }

    /// Asks the host's own server. False where the host named none, or no project: then there is no request.
    pub fn http(&mut self, request: Request, reason: impl Into<Reason>) -> bool {
        let operation = request.operation(&self.facts.options);
        let asks = operation.is_some();
        self.asks.extend(operation.map(|operation| (operation, reason.into())));
        asks
    }

    /// Reads an answer of the host's server by its type. Items of lists that do not fit are left out and counted: see `App::skipped_items`.
    pub fn read<T: Take>(&mut self, answer: &Value) -> Option<T> {
        let (read, skipped) = read_sound(answer).ok()?;
        self.skipped += skipped;
        Some(read)
    }

    /// Starts, or moves, an alarm `delay` milliseconds from now.
    pub fn start(&mut self, timer: impl Into<Timer>, delay: u64) {
        self.alarms.push((timer.into(), Some(self.now.saturating_add(delay))));
    }

    /// Stops an alarm.
    pub fn stop(&mut self, timer: impl Into<Timer>) {
        self.alarms.push((timer.into(), None));
    }

    /// Tells the other features.
    pub fn signal(&mut self, signal: Signal) {
        self.signals.push(signal);
    }

    /// Tells the visitor in passing.
    pub fn say(&mut self, variant: Variant, message: Message) {
        self.signal(Signal::Say(variant, message));
    }

    /// What was asked with newer facts goes the same way.
    pub(crate) fn take_over(&mut self, fresh: Cx) {
        self.asks.extend(fresh.asks);
        self.calls.extend(fresh.calls);
        self.alarms.extend(fresh.alarms);
        self.signals.extend(fresh.signals);
        self.skipped += fresh.skipped;
    }

    /// Settles a host's call, if one waits.
    pub fn resolve_host(&mut self, ticket: Option<u32>, value: Value) {
        if let Some(ticket) = ticket {
            self.order(Operation::AnswerHost { ticket, answer: HostAnswer::Resolved { value } });
        }
    }

    /// Refuses a host's call, if one waits.
    pub fn reject_host(&mut self, ticket: Option<u32>, error: HostError) {
        if let Some(ticket) = ticket {
            self.order(Operation::AnswerHost { ticket, answer: HostAnswer::Rejected { error } });
        }
    }
}
