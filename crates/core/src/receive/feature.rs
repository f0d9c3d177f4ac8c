//! Connects the receive feature to the loop: implementation of [`Feature`].

use super::{Receive, View};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Answer, Feature, Never};

impl Features {
    pub fn receive_view(&self, facts: &Facts) -> Option<View> {
        self.own.receive.view(&self.network, facts)
    }
}

impl Feature for Receive {
    type Event = Never;
    type Reason = Never;
    type Alarm = Never;

    fn update(_: &mut Features, event: Never, _: &mut Cx) {
        match event {}
    }

    fn answered(_: &mut Features, reason: Never, _: Answer, _: &mut Cx) {
        match reason {}
    }

    fn alarm(_: &mut Features, alarm: Never, _: &mut Cx) {
        match alarm {}
    }

    fn shown(features: &mut Features, cx: &mut Cx) {
        features.own.receive.show(cx.facts);
    }

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("receive", &features.receive_view(facts), out);
    }
}
