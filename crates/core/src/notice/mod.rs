//! The snack, which passes, and the alert, which stays until it is read.

mod alert;
mod catalogue;
mod snack;
#[cfg(test)]
mod tests;

pub use alert::{Alert, AlertKey};
pub use catalogue::Message;
pub use snack::{Snack, Variant};

use crate::cx::Cx;
use crate::timer::Timer;
use portico_json::Json;
use snack::{DISPLAY_TIME, SWITCH_DELAY};

/// What the visitor does about a notice.
#[derive(Clone, Debug, Json)]
#[json(name = "NoticeEvent")]
pub enum Event {
    /// The snack was closed.
    SnackDismissed,
    /// The alert was closed.
    AlertDismissed,
    /// The host says something of its own (`showErrorMessage`, `showSuccessMessage`).
    HostSaid {
        /// Success or error.
        variant: Variant,
        /// The host's own words.
        text: String,
    },
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Notice {
    shown: Option<Snack>,
    /// Waits until the one before it has gone (spec 2.30).
    next: Option<Snack>,
    alerts: Vec<Alert>,
}

/// What views read.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "NoticeView")]
pub struct View {
    /// The snack to draw.
    pub snack: Option<Snack>,
    /// The oldest alert that was not read yet.
    pub alert: Option<Alert>,
}

impl Notice {
    /// Shows a snack; one that is open is closed first (spec 2.30).
    pub fn say(&mut self, snack: Snack, cx: &mut Cx) {
        if self.shown.take().is_some() || self.next.is_some() {
            self.next = Some(snack);
            cx.stop(Timer::SnackEnd);
            cx.start(Timer::SnackSwitch, SWITCH_DELAY);
        } else {
            self.show(snack, cx);
        }
    }

    /// Raises an alert; one that already stands is not raised again.
    pub fn warn(&mut self, alert: Alert) {
        if !self.alerts.contains(&alert) {
            self.alerts.push(alert);
        }
    }

    fn show(&mut self, snack: Snack, cx: &mut Cx) {
        if snack.auto_close {
            cx.start(Timer::SnackEnd, DISPLAY_TIME);
        }
        self.shown = Some(snack);
    }

    /// Takes the loading snack away, whose work is over.
    pub fn hush(&mut self, cx: &mut Cx) {
        self.shown = None;
        self.next = None;
        cx.stop(Timer::SnackEnd);
        cx.stop(Timer::SnackSwitch);
    }

    /// One event.
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::SnackDismissed => self.hush(cx),
            Event::AlertDismissed => {
                if !self.alerts.is_empty() {
                    self.alerts.remove(0);
                }
            }
            Event::HostSaid { variant, text } => self.say(Snack::host(variant, &text), cx),
        }
    }

    /// One alarm.
    pub fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
        match timer {
            Timer::SnackEnd => self.shown = None,
            Timer::SnackSwitch => {
                if let Some(snack) = self.next.take() {
                    self.show(snack, cx);
                }
            }
            _ => {}
        }
    }

    /// What views read.
    pub fn view(&self) -> View {
        View { snack: self.shown.clone(), alert: self.alerts.first().cloned() }
    }
}
