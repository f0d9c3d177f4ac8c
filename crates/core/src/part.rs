//! The parts of the core that come later (decision 7), and what waits for them. Each is a module of its own in the browser; the way into one
//! is the type of its doors, which is only given out when it is there.

mod held;

pub(crate) use held::PartQueue;

use crate::app::{Event, Reason, Step};
use crate::config::Features;
use crate::modal::View;
use crate::signal::Signal;
use crate::{account, activity};
use portico_json::Json;

/// A part. The name is that of its folder, whose `door.rs` has the ways in, and of its module, `portico_<part>.wasm`.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum Part {
    /// What a visitor finds once connected: see `home.rs`. It has what others share, and is there before any of them.
    Home,
    /// See [`crate::send`].
    Send,
    /// See [`crate::onramp`].
    Onramp,
    /// See [`crate::swap`].
    Swap,
}

impl Part {
    /// Whether the host wants what is in it: of what nobody wants nothing is fetched.
    pub(crate) fn is_wanted(self, features: &Features) -> bool {
        match self {
            Part::Home => true,
            Part::Send => features.send,
            Part::Onramp => features.onramp,
            Part::Swap => features.swaps,
        }
    }

    /// The form in which the visitor fills in what a host or a link asked of it: what was asked is for nobody once that was left.
    fn form(self) -> Option<View> {
        match self {
            Part::Home => None,
            Part::Send => Some(View::WalletSend),
            Part::Onramp => Some(View::OnRampProviders),
            Part::Swap => Some(View::Swap),
        }
    }
}

/// Some of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts(u8);

impl Parts {
    pub fn has(self, part: Part) -> bool {
        self.0 & 1 << part as u8 != 0
    }

    /// False where it was among them.
    pub fn insert(&mut self, part: Part) -> bool {
        let new = !self.has(part);
        self.0 |= 1 << part as u8;
        new
    }

    /// Whether what is in a part can be called.
    pub fn open(self, part: Part) -> bool {
        self.has(Part::Home) && self.has(part)
    }
}

/// The part without which a step means nothing.
pub(crate) fn needed_for(step: &Step) -> Option<Part> {
    match step {
        Step::Event(Event::Account(_) | Event::Name(_) | Event::Activity(_)) => Some(Part::Home),
        Step::Event(Event::Connect(event)) => event.is_remote().then_some(Part::Home),
        Step::Outcome(Reason::Connect(asked), _) => asked.is_remote().then_some(Part::Home),
        Step::Signal(Signal::AccountChanged { .. } | Signal::AccountShown | Signal::PairingShown) => Some(Part::Home),
        Step::Unread(part, _) => Some(*part),
        Step::Event(Event::Send(_)) | Step::Signal(Signal::SendResumed) => Some(Part::Send),
        Step::Event(Event::Onramp(_)) => Some(Part::Onramp),
        Step::Event(Event::Swap(_)) | Step::Signal(Signal::SwapResumed) => Some(Part::Swap),
        step => asks_for(step),
    }
}

/// The part of which a form was asked for.
fn asks_for(step: &Step) -> Option<Part> {
    match step {
        Step::Signal(Signal::SendAsked { .. }) => Some(Part::Send),
        Step::Signal(Signal::OnrampShown) => Some(Part::Onramp),
        Step::Signal(Signal::SwapAsked { .. }) => Some(Part::Swap),
        _ => None,
    }
}

/// The host's call that waits for what comes of a step.
pub(crate) fn ticket_of(step: &Step) -> Option<u32> {
    match step {
        Step::Event(Event::Account(account::Event::BalanceAsked { ticket, .. })) => Some(*ticket),
        Step::Event(Event::Account(account::Event::RefreshAsked { ticket }))
        | Step::Event(Event::Activity(activity::Event::MoreAsked { ticket }))
        | Step::Signal(Signal::SendAsked { ticket, .. } | Signal::SwapAsked { ticket, .. }) => *ticket,
        _ => None,
    }
}
