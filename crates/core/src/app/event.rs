//! What comes in, and what it is about: each feature adds its line here.

use crate::effect::Outcome;
use crate::part::Part;
use crate::rpc::ChainRead;
use crate::signal::Signal;
use crate::timer::Timer;
use crate::{account, activity, analytics, config, connect, modal, name, network, notice, onramp, send, swap};
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;

/// What happened outside.
#[derive(Clone, Debug, Json)]
#[json(name = "CoreEvent", tag = "feature", content = "event")]
pub enum Event {
    /// See [`config::Event`].
    Config(config::Event),
    /// See [`modal::Event`].
    Modal(modal::Event),
    /// See [`notice::Event`].
    Notice(notice::Event),
    /// See [`connect::Event`].
    Connect(connect::Event),
    /// See [`network::Event`].
    Network(network::Event),
    /// See [`account::Event`].
    Account(account::Event),
    /// See [`name::Event`].
    Name(name::Event),
    /// See [`activity::Event`].
    Activity(activity::Event),
    /// See [`send::Event`].
    #[json(late)]
    Send(send::Event),
    /// See [`onramp::Event`].
    #[json(late)]
    Onramp(onramp::Event),
    /// See [`swap::Event`].
    #[json(late)]
    Swap(swap::Event),
}

/// Why an effect was asked, as data: a run can be stored and replayed.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Nobody waits for the answer.
    Nothing,
    /// See [`connect::Reason`].
    Connect(connect::Reason),
    /// See [`network::Reason`].
    Network(network::Reason),
    /// See [`account::Reason`].
    Account(account::Reason),
    /// See [`name::Reason`].
    Name(name::Reason),
    /// See [`activity::Reason`].
    Activity(activity::Reason),
    /// See [`send::Reason`].
    Send(send::Reason),
    /// See [`onramp::Reason`].
    Onramp(onramp::Reason),
    /// See [`swap::Reason`].
    Swap(swap::Reason),
    /// See [`analytics::Reason`].
    Analytics(analytics::Reason),
    /// A batch of calls, by its number.
    Rpc(u32),
    /// A part of the core.
    Part(Part),
}

macro_rules! asked_from {
    ($($variant:ident: $type:ty),*) => {$(
        impl From<$type> for Reason {
            fn from(asked: $type) -> Reason {
                Reason::$variant(asked)
            }
        }
    )*};
}
asked_from!(
    Analytics: analytics::Reason,
    Connect: connect::Reason,
    Network: network::Reason,
    Account: account::Reason,
    Activity: activity::Reason,
    Name: name::Reason,
    Onramp: onramp::Reason,
    Send: send::Reason,
    Swap: swap::Reason
);

/// One step of a turn.
#[derive(Debug)]
pub(crate) enum Step {
    Event(Event),
    Unread(Part, Value),
    Outcome(Reason, Outcome),
    Answer(Reason, Result<Value, RpcError>),
    Batch(u32, Outcome),
    Alarm(Timer),
    Signal(Signal),
    Calls(Vec<ChainRead>),
    Begin,
}
