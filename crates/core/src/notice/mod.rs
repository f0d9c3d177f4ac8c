//! The snack, which passes, and the alert, which stays until it is read.

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

/// Alarms of this feature; starting one that runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The next snack may show (spec 2.30).
    SnackSwitch,
    /// The snack was shown long enough to be read.
    SnackEnd,
}

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
        /// Whether it goes by itself; `null` leaves that to the variant (spec 2.31).
        auto_close: Option<bool>,
    },
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Notice {
    shown: Option<Snack>,
    /// Waits until the one before it has gone (spec 2.30).
    next: Option<Snack>,
    alerts: Vec<Raised>,
}

/// An alert that was not read yet.
#[derive(Debug)]
struct Raised {
    alert: Alert,
    /// It is for who made the page, and waits until the modal is there.
    waits: bool,
}

/// What views read.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "NoticeView")]
pub struct View {
    /// The snack to draw.
    pub snack: Option<Snack>,
    /// The oldest alert that was not read yet; without a modal, the oldest that does not wait for it.
    pub alert: Option<Alert>,
    /// Whether the alert is drawn over the page where there is no modal. A mistake in the options waits for the modal.
    pub over_page: bool,
}

impl Notice {
    /// Shows a snack; one that is open is closed first (spec 2.30).
    pub fn say(&mut self, snack: Snack, cx: &mut Cx) {
        if self.shown.take().is_some() || self.next.is_some() {
            self.next = Some(snack);
            cx.stop(Alarm::SnackEnd);
            cx.start(Alarm::SnackSwitch, SWITCH_DELAY);
        } else {
            self.show(snack, cx);
        }
    }

    /// Raises an alert; one that already stands is not raised again. One that `waits` is not drawn over the page. Where the host wants no
    /// alert drawn it is told and not kept: nobody could dismiss it.
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

    /// Which alert is told: in the modal the oldest, over the page the oldest that does not wait.
    fn told(&self, facts: &Facts) -> usize {
        self.alerts.iter().position(|raised| facts.modal_open || !raised.waits).unwrap_or_default()
    }

    fn show(&mut self, snack: Snack, cx: &mut Cx) {
        if snack.auto_close {
            cx.start(Alarm::SnackEnd, DISPLAY_TIME);
        }
        self.shown = Some(snack);
    }

    /// Takes the loading snack away, whose work is over.
    pub fn hush(&mut self, cx: &mut Cx) {
        self.shown = None;
        self.next = None;
        cx.stop(Alarm::SnackEnd);
        cx.stop(Alarm::SnackSwitch);
    }

    /// Takes a message away that asked for what is done now.
    pub fn heeded(&mut self, message: Message, cx: &mut Cx) {
        let said = |snack: &Option<Snack>| snack.as_ref().is_some_and(|snack| snack.message == Some(message));
        if said(&self.next) {
            self.next = None;
        }
        if said(&self.shown) {
            self.shown = None;
            cx.stop(Alarm::SnackEnd);
        }
    }

    /// One event.
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::SnackDismissed => self.hush(cx),
            Event::AlertDismissed => {
                if !self.alerts.is_empty() {
                    self.alerts.remove(self.told(cx.facts));
                }
            }
            Event::HostSaid { variant, text, auto_close } => {
                let snack = Snack::host(variant, &text);
                let auto_close = auto_close.unwrap_or(snack.auto_close);
                self.say(Snack { auto_close, ..snack }, cx);
            }
        }
    }

    /// One alarm.
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

    /// What views read.
    pub fn view(&self, facts: &Facts) -> View {
        let told = self.alerts.get(self.told(facts));
        View {
            snack: self.shown.clone(),
            alert: told.map(|raised| raised.alert.clone()),
            over_page: told.is_some_and(|raised| !raised.waits),
        }
    }
}
