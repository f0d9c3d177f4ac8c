//! Connects the snack and the alert to the loop: implementation of [`Feature`].

use super::{Alarm, Event, Notice};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Answer, Feature, Never};

impl Feature for Notice {
    type Event = Event;
    type Reason = Never;
    type Alarm = Alarm;

    fn answered(_: &mut Features, reason: Never, _: Answer, _: &mut Cx) {
        match reason {}
    }

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.notice.update(event, cx);
    }

    fn alarm(features: &mut Features, alarm: Alarm, cx: &mut Cx) {
        features.notice.alarm(alarm, cx);
    }

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("notice", &features.notice.view(facts), out);
    }
}
