//! Connects the modal feature to the loop: implementation of [`Feature`].

use super::{Alarm, Event, Modal};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Answer, Feature, Never};

impl Feature for Modal {
    type Event = Event;
    type Reason = Never;
    type Alarm = Alarm;

    fn answered(_: &mut Features, reason: Never, _: Answer, _: &mut Cx) {
        match reason {}
    }

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.modal.update(event, cx);
    }

    fn alarm(features: &mut Features, alarm: Alarm, _: &mut Cx) {
        features.modal.alarm(alarm);
    }

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("modal", &features.modal.view(facts), out);
    }
}
