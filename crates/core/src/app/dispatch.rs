//! Routing of a step to its feature, generated from the table of features. Features in home and in the parts are reached through [`Home`].

use super::{Event, Features, Reason, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Feature, PartFeature};
use crate::home::Home;
use crate::modal::View;
use crate::part::Part;
use crate::signal::Signal;
use crate::storage::Stored;
use crate::table::features;
use crate::timer::Timer;
use portico_json::{Read, Value};
use portico_terms::rpc::RpcError;

macro_rules! or_never {
    () => {
        crate::feature::Never
    };
    ($given:ty) => {
        $given
    };
}

macro_rules! dispatch {
    (
        views [ $($views:tt)* ]
        first [ $($First:ident($first_state:ty) in $first:ident {
            $(events: $first_event:ty,)? $(reasons: $first_reason:ty,)? $(alarms: $first_alarm:ty,)?
        })* ]
        home [ $($Home:ident($home_state:ty) in $home:ident {
            $(events: $home_event:ty,)? $(reasons: $home_reason:ty,)? $(alarms: $home_alarm:ty,)?
            $(snapshot: $home_snapshot:tt,)?
        })* ]
        parts [ $($Part:ident($part_state:ty) in $part:ident { $($rest:tt)* })* ]
    ) => {
        // A row without `events`, `reasons` or `alarms` compiles only if the feature has none.
        $(
            const _: Option<<$first_state as Feature>::Event> = None::<or_never!($($first_event)?)>;
            const _: Option<<$first_state as Feature>::Reason> = None::<or_never!($($first_reason)?)>;
            const _: Option<<$first_state as Feature>::Alarm> = None::<or_never!($($first_alarm)?)>;
        )*
        $(
            const _: Option<<$home_state as Feature>::Event> = None::<or_never!($($home_event)?)>;
            const _: Option<<$home_state as Feature>::Reason> = None::<or_never!($($home_reason)?)>;
            const _: Option<<$home_state as Feature>::Alarm> = None::<or_never!($($home_alarm)?)>;
        )*

        impl Features {
            pub(super) fn update(&mut self, event: Event, cx: &mut Cx) {
                match event {
                    $($(Event::$First(event) => {
                        let event: $first_event = event;
                        <$first_state as Feature>::update(self, event, cx);
                    })?)*
                    event => {
                        if let Some(home) = self.home() {
                            home.update(event, cx);
                        }
                    }
                }
            }

            pub(super) fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
                match reason {
                    Reason::Nothing | Reason::Rpc(_) | Reason::Pair(_) | Reason::Part(_) => {}
                    $($(Reason::$First(reason) => {
                        let reason: $first_reason = reason;
                        <$first_state as Feature>::answered(self, reason, answer, cx);
                    })?)*
                    reason => {
                        if let Some(home) = self.home() {
                            home.answered(reason, answer, cx);
                        }
                    }
                }
            }

            pub(super) fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
                match timer {
                    Timer::Rpc(_) | Timer::Part(_) => {}
                    $($(Timer::$First(alarm) => {
                        let alarm: $first_alarm = alarm;
                        <$first_state as Feature>::alarm(self, alarm, cx);
                    })?)*
                    timer => {
                        if let Some(home) = self.home() {
                            home.alarm(timer, cx);
                        }
                    }
                }
            }

            /// Signals each part that has unfinished work of an earlier page.
            pub(super) fn resume(stored: &Stored, cx: &mut Cx) {
                $(if <$part_state as PartFeature>::is_to_resume(stored) {
                    cx.signal(Signal::Resumed(<$part_state as PartFeature>::PART));
                })*
            }

            /// Called when the form of a part is shown.
            pub(crate) fn form_asked(&mut self, part: Part, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
                match part {
                    Part::Home => {}
                    $(Part::$Part => {
                        if let Some(entry) = self.part::<$part_state>() {
                            entry.asked(arguments, ticket, cx);
                        }
                    })*
                }
            }

            /// Continues the unfinished work of an earlier page in its part.
            pub(crate) fn resumed(&mut self, part: Part, cx: &mut Cx) {
                match part {
                    Part::Home => {}
                    $(Part::$Part => {
                        if let Some(entry) = self.part::<$part_state>() {
                            entry.resume(cx);
                        }
                    })*
                }
            }

            /// Writes the changed views of the features in the first module.
            pub(super) fn view(&mut self, facts: &Facts, sent: &mut SentViews, out: &mut String) {
                $(<$first_state as Feature>::view(self, facts, sent, out);)*
            }
        }

        /// Each method is an entry of home: never inlined, so that the build finds it by its name.
        impl Home<'_> {
            #[inline(never)]
            pub fn update(self, event: Event, cx: &mut Cx) {
                match event {
                    $($(Event::$Home(event) => {
                        let event: $home_event = event;
                        <$home_state as Feature>::update(self.0, event, cx);
                    })?)*
                    $(Event::$Part(event) => {
                        if let Some(entry) = self.0.part::<$part_state>() {
                            entry.update(event, cx);
                        }
                    })*
                    _ => {}
                }
            }

            /// Parses and handles an event of home or a part. Invalid ones are ignored.
            #[inline(never)]
            pub fn unread(self, part: Part, event: &Value, cx: &mut Cx) {
                let content = event.get("event");
                match part {
                    Part::Home => {
                        let feature = event.get("feature").as_str();
                        $($(if feature == Some(stringify!($home)) {
                            if let Ok(event) = <$home_event>::read(content) {
                                <$home_state as Feature>::update(self.0, event, cx);
                            }
                            return;
                        })?)*
                    }
                    $(Part::$Part => {
                        if let Some(entry) = self.0.part::<$part_state>() {
                            entry.read(content, cx);
                        }
                    })*
                }
            }

            #[inline(never)]
            pub fn answered(self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
                match reason {
                    $($(Reason::$Home(reason) => {
                        let reason: $home_reason = reason;
                        <$home_state as Feature>::answered(self.0, reason, answer, cx);
                    })?)*
                    $(Reason::$Part(reason) => {
                        if let Some(entry) = self.0.part::<$part_state>() {
                            entry.answered(reason, answer, cx);
                        }
                    })*
                    _ => {}
                }
            }

            #[inline(never)]
            pub fn alarm(self, timer: Timer, cx: &mut Cx) {
                match timer {
                    $($(Timer::$Home(alarm) => {
                        let alarm: $home_alarm = alarm;
                        <$home_state as Feature>::alarm(self.0, alarm, cx);
                    })?)*
                    $(Timer::$Part(alarm) => {
                        if let Some(entry) = self.0.part::<$part_state>() {
                            entry.alarm(alarm, cx);
                        }
                    })*
                    _ => {}
                }
            }

            /// Calls [`Feature::shown`] of the features in home.
            pub(crate) fn shown_to_features(self, cx: &mut Cx) {
                $(<$home_state as Feature>::shown(self.0, cx);)*
            }

            /// Called when the visitor left a view.
            #[inline(never)]
            pub fn left(self, view: View, cx: &mut Cx) {
                match view.part() {
                    $(Some(Part::$Part) => {
                        if let Some(entry) = self.0.part::<$part_state>() {
                            entry.left(view, cx);
                        }
                    })*
                    _ => {
                        $(<$home_state as Feature>::left(self.0, view, cx);)*
                    }
                }
            }

            /// Called after a disconnection: clears the visitor's input.
            pub(crate) fn reset_forms(self, cx: &mut Cx) {
                $(<$home_state as Feature>::reset(self.0, cx);)*
                $(if let Some(entry) = self.0.part::<$part_state>() {
                    entry.reset(cx);
                })*
            }

            /// Called when another account or network became active: clears the visitor's input.
            #[inline(never)]
            pub fn moved(self, cx: &mut Cx) {
                $(<$home_state as Feature>::moved(self.0, cx);)*
                $(if let Some(entry) = self.0.part::<$part_state>() {
                    entry.moved(cx);
                })*
            }

            /// Writes the changed views of the features in home and in the parts that are loaded.
            #[inline(never)]
            pub fn view(self, facts: &Facts, sent: &mut SentViews, out: &mut String) {
                $(<$home_state as Feature>::view(self.0, facts, sent, out);)*
                sent.write("pairing", &self.0.connect.pairing_view(facts), out);
                sent.write("countdown", &self.0.connect.countdown(facts), out);
                $(if let Some(entry) = self.0.part::<$part_state>() {
                    entry.view(facts, sent, out);
                })*
            }
        }
    };
}
features!(dispatch);
