//! Activity for the loop: see `feature.rs`.

use super::{Activity, Event, Reason};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Feature, Never};
use portico_json::Value;
use portico_terms::rpc::RpcError;

impl Feature for Activity {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Never;

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.own.activity.update(event, cx);
    }

    fn answered(features: &mut Features, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        features.own.activity.answered(reason, answer, cx);
    }

    fn view(features: &mut Features, _: &Facts, sent: &mut SentViews, out: &mut String) {
        let activity = &features.own.activity;
        // An account may have thousands of transactions: their list is made again only where it may have changed.
        if sent.is_new("activity", activity.revision()) {
            sent.write("activity", &activity.view(), out);
        }
    }
}
