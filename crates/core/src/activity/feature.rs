//! Connects the activity feature to the loop: implementation of [`Feature`].

use super::{Activity, Event, Reason, View};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Feature, Never};
use portico_json::Value;
use portico_terms::rpc::RpcError;

impl Features {
    pub fn activity_view(&self, _: &Facts) -> Option<View> {
        self.own.activity.view().cloned()
    }
}

impl Feature for Activity {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Never;

    fn alarm(_: &mut Features, alarm: Never, _: &mut Cx) {
        match alarm {}
    }

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.own.activity.update(event, cx);
    }

    fn answered(features: &mut Features, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        features.own.activity.answered(reason, answer, cx);
    }

    fn view(features: &mut Features, _: &Facts, sent: &mut SentViews, out: &mut String) {
        let activity = &features.own.activity;
        // An account may have thousands of transactions, so their list is written only after a change.
        if sent.is_new("activity", activity.revision()) {
            sent.write("activity", &activity.view(), out);
        }
    }
}
