//! All timers, generated from the table of features.

use crate::table::features;
use crate::{part, rpc};

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
            events: $part_event:ty, reasons: $part_reason:ty, alarms: $part_alarm:ty, $($rest:tt)*
        })* ]
    ) => {
        /// Named time at which the core wants to be called. Starting a timer that is already running moves it.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum Timer {
            Rpc(rpc::Alarm),
            Part(part::Alarm),
            $($($First($first_alarm),)?)*
            $($($Home($home_alarm),)?)*
            $($Part($part_alarm),)*
        }

        $($(impl From<$first_alarm> for Timer {
            fn from(alarm: $first_alarm) -> Timer {
                Timer::$First(alarm)
            }
        })?)*
        $($(impl From<$home_alarm> for Timer {
            fn from(alarm: $home_alarm) -> Timer {
                Timer::$Home(alarm)
            }
        })?)*
        $(impl From<$part_alarm> for Timer {
            fn from(alarm: $part_alarm) -> Timer {
                Timer::$Part(alarm)
            }
        })*
    };
}
features!(declare);

impl From<rpc::Alarm> for Timer {
    fn from(alarm: rpc::Alarm) -> Timer {
        Timer::Rpc(alarm)
    }
}
