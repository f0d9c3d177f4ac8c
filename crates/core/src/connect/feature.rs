//! Connects the connect feature to the loop: implementation of [`Feature`]. Pairing codes and sessions of remote wallets belong to the
//! part home, the rest to the first module.

use super::{Alarm, Connect, Event, Reason};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::Feature;
use portico_json::Value;
use portico_terms::rpc::RpcError;

impl Feature for Connect {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Alarm;

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        match event {
            Event::RelayTold { relay, state, reason } => {
                features.connect.relay_noted(relay, state, reason);
                if let Some(home) = features.home() {
                    home.relay_changed(cx);
                }
            }
            event if !event.is_remote() => features.connect.update(event, cx),
            event => {
                if let Some(home) = features.home() {
                    home.remote_update(event, cx);
                }
            }
        }
    }

    fn answered(features: &mut Features, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if !reason.is_remote() {
            features.connect.answered(reason, answer, cx);
        } else if let Some(home) = features.home() {
            home.remote_answered(reason, answer, cx);
        }
    }

    fn alarm(features: &mut Features, alarm: Alarm, cx: &mut Cx) {
        if !alarm.is_remote() {
            features.connect.alarm(alarm, cx);
        } else if let Some(home) = features.home() {
            home.remote_alarm(alarm, cx);
        }
    }

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("connect", &features.connect.view(facts), out);
    }
}
