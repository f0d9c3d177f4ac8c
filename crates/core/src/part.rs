//! Parts of the core that are loaded later (decision 7), and the queue of steps that wait for them. Each is a module of its own in the
//! browser; its code is reached only through the type of its entries, which exists only once the part is loaded.

mod held;

pub(crate) use held::PartQueue;

use crate::app::{Event, Reason, Step};
use crate::config::Features;
use crate::modal::View;
use crate::signal::Signal;
use crate::table::features;
use crate::{account, activity, connect, connections};
use portico_json::{Json, Read};

/// Alarms of this feature; starting one that runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// Time to fetch a part again that did not load.
    Retry,
    /// Time limit of a host's call that waits for a part.
    Wait,
}

macro_rules! declare {
    (
        views [ $($views:tt)* ]
        first [ $($first:tt)* ]
        home [ $($Home:ident($home_state:ty) in $home:ident {
            $(events: $home_event:ty,)? $(reasons: $home_reason:ty,)? $(alarms: $home_alarm:ty,)?
            $(snapshot: $home_snapshot:tt,)?
        })* ]
        parts [ $($Part:ident($part_state:ty) in $part:ident {
            events: $event:ty, reasons: $reason:ty, alarms: $alarm:ty,
            $(switch: $switch:ident,)? form: $form:ident, views: [$($view:ident),*],
            snapshot: { $($snapshot:tt)* },
        })* ]
    ) => {
        /// Portion of the core that is a module of its own in the browser, `portico_<part>.wasm`.
        #[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
        pub enum Part {
            /// Features of a connected visitor, and code that several parts share: see `home.rs`. Loaded before any other part.
            Home,
            $($Part,)*
        }

        impl Part {
            /// Whether the host uses the feature. A part that is switched off is never loaded.
            pub(crate) fn is_wanted(self, features: &Features) -> bool {
                match self {
                    Part::Home => true,
                    $(Part::$Part => (true $(&& features.$switch)?) || self.outlives_switch(),)*
                }
            }

            /// View in which the visitor begins.
            pub fn form(self) -> Option<View> {
                match self {
                    Part::Home => None,
                    $(Part::$Part => Some(View::$form),)*
                }
            }
        }

        impl View {
            /// Part that the view belongs to; none for views of home and of the first module.
            pub fn part(self) -> Option<Part> {
                match self {
                    $($(View::$view)|* => Some(Part::$Part),)*
                    _ => None,
                }
            }
        }

        /// Part that a step needs: the step waits until the part is loaded.
        pub(crate) fn needed_for(step: &Step) -> Option<Part> {
            match step {
                $($(Step::Event(Event::$Home(event)) => {
                    let _: &$home_event = event;
                    Some(Part::Home)
                })?)*
                $(Step::Event(Event::$Part(_)) => Some(Part::$Part),)*
                Step::Event(Event::Network(_)) | Step::Outcome(Reason::Network(_), _) => Some(Part::Home),
                Step::Event(Event::Connect(event)) => event.is_remote().then_some(Part::Home),
                Step::Outcome(Reason::Connect(reason), _) => reason.is_remote().then_some(Part::Home),
                Step::Signal(Signal::AccountChanged { .. } | Signal::AccountShown | Signal::PairingShown) => Some(Part::Home),
                Step::Signal(Signal::LoginOffered) => Some(Part::Embedded),
                Step::Unread(part, _) | Step::Signal(Signal::FormAsked { part, .. } | Signal::Resumed(part)) => Some(*part),
                _ => None,
            }
        }
    };
}
features!(declare);

impl Part {
    /// Whether the part works on while its switch is off. The embedded wallet signs for whoever logged in before, or without an e-mail.
    fn outlives_switch(self) -> bool {
        self == Part::Embedded
    }

    /// Whether a call of the host can fill in the form, and waits for the result.
    pub(crate) fn takes_arguments(self) -> bool {
        !matches!(self, Part::Home | Part::Onramp | Part::Siwx)
    }
}

impl View {
    /// Part whose form is this view.
    pub(crate) fn form_of(self) -> Option<Part> {
        self.part().filter(|part| part.form() == Some(self))
    }
}

/// Set of parts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts(u8);

impl Parts {
    pub fn has(self, part: Part) -> bool {
        self.0 & 1 << part as u8 != 0
    }

    /// Adds a part. Returns false if it was already in the set.
    pub fn insert(&mut self, part: Part) -> bool {
        let new = !self.has(part);
        self.0 |= 1 << part as u8;
        new
    }

    /// Whether the code of a part can be called: the part and home are loaded.
    pub fn open(self, part: Part) -> bool {
        self.has(Part::Home) && self.has(part)
    }
}

/// Part whose form a step opens.
fn asks_for(step: &Step) -> Option<Part> {
    match step {
        Step::Signal(Signal::FormAsked { part, .. }) => Some(*part),
        _ => None,
    }
}

/// Ticket of the host's call that waits for the result of a step.
pub(crate) fn ticket_of(step: &Step) -> Option<u32> {
    match step {
        Step::Event(Event::Account(
            account::Event::BalanceAsked { ticket, .. } | account::Event::ReadAsked { ticket, .. },
        )) => Some(*ticket),
        Step::Event(Event::Connections(connections::Event::DeleteAsked { ticket, .. })) => Some(*ticket),
        Step::Event(Event::Network(event)) => event.ticket(),
        Step::Unread(_, event) => u32::read(event.get("event").get("ticket")).ok(),
        Step::Event(Event::Account(account::Event::RefreshAsked { ticket }))
        | Step::Event(Event::Connect(connect::Event::AccountAsked { ticket, .. }))
        | Step::Event(Event::Activity(activity::Event::MoreAsked { ticket }))
        | Step::Signal(Signal::FormAsked { ticket, .. }) => *ticket,
        _ => None,
    }
}
