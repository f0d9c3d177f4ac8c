//! Connects the on-ramp feature to the loop: implementation of [`Feature`].

use super::{Alarm, Event, Onramp, Reason, View as OnrampView};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Entry, Feature, PartFeature};
use crate::modal::View;
use crate::part::Part;
use crate::storage::Stored;
use portico_json::Value;
use portico_terms::rpc::RpcError;

impl Features {
    pub fn onramp_view(&self, facts: &Facts) -> OnrampView {
        self.own.onramp.view(facts)
    }
}

impl Feature for Onramp {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Alarm;

    fn restored(stored: &Stored) -> Onramp {
        Onramp::new(stored)
    }

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.own.onramp.update(event, cx);
    }

    fn answered(features: &mut Features, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        features.own.onramp.answered(reason, answer, cx);
    }

    fn alarm(features: &mut Features, alarm: Alarm, cx: &mut Cx) {
        features.own.onramp.alarm(alarm, cx);
    }

    fn left(features: &mut Features, view: View, cx: &mut Cx) {
        let onramp = &mut features.own.onramp;
        match view {
            View::BuyInProgress => onramp.left(cx),
            View::OnRampStateSelect => onramp.state_left(),
            View::OnRampProviders => onramp.leave(cx),
            _ => {}
        }
    }

    fn reset(features: &mut Features, cx: &mut Cx) {
        features.own.onramp.reset(cx);
    }

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("onramp", &features.onramp_view(facts), out);
    }
}

impl PartFeature for Onramp {
    const PART: Part = Part::Onramp;

    fn asked(features: &mut Features, _: &Value, _: Option<u32>, cx: &mut Cx) {
        features.own.onramp.shown(cx);
    }
}

impl Entry<'_, Onramp> {
    /// The page became visible again.
    #[inline(never)]
    pub fn page_shown(self, cx: &mut Cx) {
        self.features.own.onramp.page_shown(cx);
    }
}
