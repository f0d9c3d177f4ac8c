//! Connects the sign-in to the loop: implementation of [`Feature`].

use super::{Alarm, Event, Reason, Siwx, View as SiwxView};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Answer, Entry, Feature, PartFeature};
use crate::part::Part;
use portico_json::Value;

impl Features {
    pub fn siwx_view(&self, facts: &Facts) -> SiwxView {
        self.own.siwx.view(facts)
    }
}

impl Feature for Siwx {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Alarm;

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.own.siwx.update(event, cx);
    }

    fn answered(features: &mut Features, reason: Reason, answer: Answer, cx: &mut Cx) {
        features.own.siwx.answered(reason, answer, cx);
    }

    fn alarm(features: &mut Features, alarm: Alarm, cx: &mut Cx) {
        match alarm {
            Alarm::Late => features.own.siwx.late(cx),
        }
    }

    fn reset(features: &mut Features, cx: &mut Cx) {
        features.own.siwx.reset(cx);
    }

    /// Another account or network is a question of its own: see [`PartFeature::asked`].
    fn moved(_: &mut Features, _: &mut Cx) {}

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("siwx", &features.siwx_view(facts), out);
    }
}

impl PartFeature for Siwx {
    const PART: Part = Part::Siwx;

    fn asked(features: &mut Features, _: &Value, _: Option<u32>, cx: &mut Cx) {
        features.own.siwx.look(cx);
    }
}

impl Entry<'_, Siwx> {
    /// The embedded wallet signed with its login, or did not.
    #[inline(never)]
    pub fn login_answered(self, signature: Option<String>, cx: &mut Cx) {
        self.features.own.siwx.login_answered(signature, cx);
    }

    /// The page became visible again.
    #[inline(never)]
    pub fn page_shown(self, cx: &mut Cx) {
        self.features.own.siwx.page_shown(cx);
    }
}
