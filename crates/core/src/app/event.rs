//! What comes in, and what it is about: each feature adds its line here.

use crate::effect::Outcome;
use crate::part::Part;
use crate::rpc::Call;
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
pub enum Asked {
    /// Nobody waits for the answer.
    Nothing,
    /// See [`connect::Asked`].
    Connect(connect::Asked),
    /// See [`network::Asked`].
    Network(network::Asked),
    /// See [`account::Asked`].
    Account(account::Asked),
    /// See [`name::Asked`].
    Name(name::Asked),
    /// See [`activity::Asked`].
    Activity(activity::Asked),
    /// See [`send::Asked`].
    Send(send::Asked),
    /// See [`onramp::Asked`].
    Onramp(onramp::Asked),
    /// See [`swap::Asked`].
    Swap(swap::Asked),
    /// See [`analytics::Asked`].
    Analytics(analytics::Asked),
    /// A batch of calls, by its number.
    Rpc(u32),
    /// A part of the core.
    Part(Part),
}

macro_rules! asked_from {
    ($($variant:ident: $type:ty),*) => {$(
        impl From<$type> for Asked {
            fn from(asked: $type) -> Asked {
                Asked::$variant(asked)
            }
        }
    )*};
}
asked_from!(
    Analytics: analytics::Asked,
    Connect: connect::Asked,
    Network: network::Asked,
    Account: account::Asked,
    Activity: activity::Asked,
    Name: name::Asked,
    Onramp: onramp::Asked,
    Send: send::Asked,
    Swap: swap::Asked
);

/// One step of a turn.
#[derive(Debug)]
pub(crate) enum Step {
    Event(Event),
    Unread(Part, Value),
    Outcome(Asked, Outcome),
    Answer(Asked, Result<Value, RpcError>),
    Batch(u32, Outcome),
    Alarm(Timer),
    Signal(Signal),
    Calls(Vec<Call>),
    Begin,
}
