//! Connects the detail feature to the loop: implementation of [`Feature`].

use super::{Detail, Event, View};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Answer, Feature, Never};

impl Features {
    pub fn detail_view(&self, facts: &Facts) -> Option<View> {
        self.own.detail.view(facts)
    }
}

impl Feature for Detail {
    type Event = Event;
    type Reason = Never;
    type Alarm = Never;

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.own.detail.update(event, cx);
    }

    fn answered(_: &mut Features, reason: Never, _: Answer, _: &mut Cx) {
        match reason {}
    }

    fn alarm(_: &mut Features, alarm: Never, _: &mut Cx) {
        match alarm {}
    }

    fn reset(features: &mut Features, _: &mut Cx) {
        features.own.detail.close();
    }

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("detail", &features.detail_view(facts), out);
    }
}
