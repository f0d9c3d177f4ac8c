//! Connects the options to the loop: implementation of [`Feature`].

use super::{Config, Event};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Answer, Feature, Never};

impl Feature for Config {
    type Event = Event;
    type Reason = Never;
    type Alarm = Never;

    fn answered(_: &mut Features, reason: Never, _: Answer, _: &mut Cx) {
        match reason {}
    }

    fn alarm(_: &mut Features, alarm: Never, _: &mut Cx) {
        match alarm {}
    }

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.config.update(event, cx);
    }

    fn view(features: &mut Features, _: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("config", &features.config.view(), out);
    }
}
