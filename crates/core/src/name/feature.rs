//! Connects the name feature to the loop: implementation of [`Feature`].

use super::{Alarm, Event, Names, Reason, View as NameView};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::Feature;
use crate::modal::View;
use portico_json::Value;
use portico_terms::rpc::RpcError;

impl Features {
    pub fn name_view(&self, facts: &Facts) -> NameView {
        self.own.name.view(facts)
    }
}

impl Feature for Names {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Alarm;

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.own.name.update(event, cx);
    }

    fn answered(features: &mut Features, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        features.own.name.answered(reason, answer, cx);
    }

    fn alarm(features: &mut Features, _: Alarm, cx: &mut Cx) {
        features.own.name.alarm(cx);
    }

    fn left(features: &mut Features, view: View, cx: &mut Cx) {
        if view == View::RegisterAccountName {
            features.own.name.left(cx);
        }
    }

    fn reset(features: &mut Features, cx: &mut Cx) {
        features.own.name.left(cx);
    }

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("name", &features.name_view(facts), out);
    }
}
