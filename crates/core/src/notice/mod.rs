//! The snack, which disappears by itself, and the alert, which stays until it is dismissed.

mod alert;
mod catalogue;
mod feature;
mod snack;
#[cfg(test)]
mod tests;

pub use alert::{Alert, AlertKey};
pub use catalogue::Message;
pub use snack::{Snack, Variant};

use crate::cx::Cx;
use crate::effect::Operation;
use crate::facts::Facts;
use portico_json::Json;
use snack::{DISPLAY_TIME, SWITCH_DELAY};

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The next snack may show (spec 2.30).
    SnackSwitch,
    /// The snack's display time is over.
    SnackEnd,
}

/// Notices: events of visitor and host.
#[derive(Clone, Debug, Json)]
#[json(name = "NoticeEvent")]
pub enum Event {
    /// The visitor closed the snack.
    SnackDismissed,
    /// The visitor closed the alert.
    AlertDismissed,
    /// The host shows a message of its own (`showErrorMessage`, `showSuccessMessage`, `showLoadingMessage`).
    HostSaid {
        variant: Variant,
        /// Text of the host.
        text: String,
        /// Whether the snack closes by itself; `null` leaves that to the variant (spec 2.31).
        auto_close: Option<bool>,
    },
}

/// State of snack and alerts.
#[derive(Debug, Default)]
pub struct Notice {
    shown: Option<Snack>,
    /// Snack to show after the current one has closed (spec 2.30).
    next: Option<Snack>,
    alerts: Vec<Raised>,
}

/// An alert that was not dismissed yet.
#[derive(Debug)]
struct Raised {
    alert: Alert,
    /// The alert is for the site's developer, and is shown in an open modal only.
    waits: bool,
}

/// Snack and alert for views.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "NoticeView")]
pub struct View {
    pub snack: Option<Snack>,
    /// Oldest alert; without a modal, the oldest one that may be drawn over the page.
    pub alert: Option<Alert>,
    /// Whether the alert may be drawn over the page without a modal. Alerts about options are shown in the modal only.
    pub over_page: bool,
}

impl Notice {
    /// Shows a snack; an open one is closed first (spec 2.30).
    pub fn say(&mut self, snack: Snack, cx: &mut Cx) {
        if self.shown.take().is_some() || self.next.is_some() {
            self.next = Some(snack);
            cx.stop(Alarm::SnackEnd);
            cx.start(Alarm::SnackSwitch, SWITCH_DELAY);
        } else {
            self.show(snack, cx);
        }
    }

    /// Raises an alert, unless it is already raised. With `waits` it is shown in the modal only. If the host turned alerts off, it is only
    /// reported: the visitor could not dismiss it.
    pub fn warn(&mut self, alert: Alert, waits: bool, cx: &mut Cx) {
        if let Some(raised) = self.alerts.iter_mut().find(|raised| raised.alert == alert) {
            raised.waits &= waits;
            return;
        }
        cx.order(Operation::TellAlert { key: alert.key, detail: alert.detail.clone() });
        if cx.facts.options.debug {
            self.alerts.push(Raised { alert, waits });
        }
    }

    /// Closes an alert whose cause is gone.
    pub fn withdraw(&mut self, key: AlertKey) {
        self.alerts.retain(|raised| raised.alert.key != key);
    }

    /// Index of the alert to show: in the modal the oldest, over the page the oldest that may be drawn there.
    fn shown_alert(&self, facts: &Facts) -> usize {
        self.alerts.iter().position(|raised| facts.modal_open || !raised.waits).unwrap_or_default()
    }

    fn show(&mut self, snack: Snack, cx: &mut Cx) {
        if snack.auto_close {
            cx.start(Alarm::SnackEnd, DISPLAY_TIME);
        }
        self.shown = Some(snack);
    }

    /// Closes the snacks, such as a loading one whose work is done.
    pub fn close_snacks(&mut self, cx: &mut Cx) {
        self.shown = None;
        self.next = None;
        cx.stop(Alarm::SnackEnd);
        cx.stop(Alarm::SnackSwitch);
    }

    /// Closes a message after the visitor did what it asked for.
    pub fn close_message(&mut self, message: Message, cx: &mut Cx) {
        let said = |snack: &Option<Snack>| snack.as_ref().is_some_and(|snack| snack.message == Some(message));
        if said(&self.next) {
            self.next = None;
        }
        if said(&self.shown) {
            self.shown = None;
            cx.stop(Alarm::SnackEnd);
        }
    }

    /// Dispatches one event.
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::SnackDismissed => self.close_snacks(cx),
            Event::AlertDismissed => {
                if !self.alerts.is_empty() {
                    self.alerts.remove(self.shown_alert(cx.facts));
                }
            }
            Event::HostSaid { variant, text, auto_close } => {
                let snack = Snack::host(variant, &text);
                let auto_close = auto_close.unwrap_or(snack.auto_close);
                self.say(Snack { auto_close, ..snack }, cx);
            }
        }
    }

    /// Dispatches one alarm.
    pub fn alarm(&mut self, alarm: Alarm, cx: &mut Cx) {
        match alarm {
            Alarm::SnackEnd => self.shown = None,
            Alarm::SnackSwitch => {
                if let Some(snack) = self.next.take() {
                    self.show(snack, cx);
                }
            }
        }
    }

    /// Snack and alert for views.
    pub fn view(&self, facts: &Facts) -> View {
        let told = self.alerts.get(self.shown_alert(facts));
        View {
            snack: self.shown.clone(),
            alert: told.map(|raised| raised.alert.clone()),
            over_page: told.is_some_and(|raised| !raised.waits),
        }
    }
}
