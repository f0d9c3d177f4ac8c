//! Connects the analytics feature to the loop: implementation of [`Feature`].

use super::{Analytics, Reason};
use crate::app::Features;
use crate::cx::Cx;
use crate::feature::{Feature, Never};
use portico_json::Value;
use portico_terms::rpc::RpcError;

impl Feature for Analytics {
    type Event = Never;
    type Reason = Reason;
    type Alarm = Never;

    fn update(_: &mut Features, event: Never, _: &mut Cx) {
        match event {}
    }

    fn alarm(_: &mut Features, alarm: Never, _: &mut Cx) {
        match alarm {}
    }

    fn answered(features: &mut Features, _: Reason, answer: Result<Value, RpcError>, _: &mut Cx) {
        features.analytics.answered(answer);
    }
}
