//! Connects the network feature to the loop: implementation of [`Feature`]. The networks and their view belong to the first module, events and
//! switching to the part home.

use super::{Alarm, Event, Networks, Reason};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::Feature;
use portico_json::Value;
use portico_terms::rpc::RpcError;

impl Feature for Networks {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Alarm;

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        if let Some(home) = features.home() {
            home.network_update(event, cx);
        }
    }

    fn answered(features: &mut Features, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if let Some(home) = features.home() {
            home.network_answered(reason, answer, cx);
        }
    }

    fn alarm(features: &mut Features, alarm: Alarm, _: &mut Cx) {
        let Alarm::Slow = alarm;
        if let Some(home) = features.home() {
            home.switch_slow();
        }
    }

    fn view(features: &mut Features, _: &Facts, sent: &mut SentViews, out: &mut String) {
        // A host may have hundreds of networks, so their list is written only after a change.
        if sent.is_new("network", features.network.revision()) {
            sent.write("network", &features.network.view(), out);
        }
    }
}
