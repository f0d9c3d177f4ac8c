//! Events, reasons and steps, generated from the table of features.

use crate::effect::Outcome;
use crate::part::Part;
use crate::rpc::ChainRead;
use crate::signal::Signal;
use crate::table::features;
use crate::timer::Timer;
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;

macro_rules! declare {
    (
        views [ $($views:tt)* ]
        first [ $($First:ident($first_state:ty) in $first:ident {
            $(events: $first_event:ty,)? $(reasons: $first_reason:ty,)? $(alarms: $first_alarm:ty,)?
        })* ]
        home [ $($Home:ident($home_state:ty) in $home:ident {
            $(events: $home_event:ty,)? $(reasons: $home_reason:ty,)? $(alarms: $home_alarm:ty,)?
            $(snapshot: $home_snapshot:tt,)?
        })* ]
        parts [ $($Part:ident($part_state:ty) in $part:ident {
            events: $part_event:ty, reasons: $part_reason:ty, $($rest:tt)*
        })* ]
    ) => {
        /// Input from outside the core, by feature. The events of home and of a part are read from JSON there.
        #[derive(Clone, Debug, Json)]
        #[json(name = "CoreEvent", tag = "feature", content = "event")]
        pub enum Event {
            $($($First($first_event),)?)*
            $($(#[json(late)] $Home($home_event),)?)*
            $(#[json(late)] $Part($part_event),)*
        }

        /// Tag of an effect in flight, as data: a run can be stored and replayed.
        #[derive(Clone, Debug)]
        pub enum Reason {
            /// The answer is ignored.
            Nothing,
            /// A batch of chain reads, by its number.
            Rpc(u32),
            /// One half of a pair of chain reads, by its number.
            Pair(u32),
            /// A part that is being loaded.
            Part(Part),
            $($($First($first_reason),)?)*
            $($($Home($home_reason),)?)*
            $($Part($part_reason),)*
        }

        /// Part that reads the events of a feature from JSON; `None` for features of the first module and unknown ones.
        pub(super) fn part_that_reads(feature: &str) -> Option<Part> {
            $($(if feature == stringify!($home) {
                let _: Option<$home_event> = None;
                return Some(Part::Home);
            })?)*
            Part::from_word(feature).filter(|part| *part != Part::Home)
        }

        $($(impl From<$first_reason> for Reason {
            fn from(reason: $first_reason) -> Reason {
                Reason::$First(reason)
            }
        })?)*
        $($(impl From<$home_reason> for Reason {
            fn from(reason: $home_reason) -> Reason {
                Reason::$Home(reason)
            }
        })?)*
        $(impl From<$part_reason> for Reason {
            fn from(reason: $part_reason) -> Reason {
                Reason::$Part(reason)
            }
        })*
    };
}
features!(declare);

/// One element of a turn.
#[derive(Debug)]
pub(crate) enum Step {
    /// First step, after options and stored values were read.
    Begin,
    Event(Event),
    /// An event of home or a part, still as JSON.
    Unread(Part, Value),
    Outcome(Reason, Outcome),
    /// Answer to a chain read.
    Answer(Reason, Result<Value, RpcError>),
    /// Outcome of a batch of chain reads.
    Batch(u32, Outcome),
    Alarm(Timer),
    Signal(Signal),
    /// Chain reads of this turn, to be sent in one batch.
    Reads(Vec<ChainRead>),
}
