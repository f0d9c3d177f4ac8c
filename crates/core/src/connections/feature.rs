//! Connects the connections feature to the loop: implementation of [`Feature`].

use super::{Connections, Event, UsedConnection};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Answer, Feature, Never};
use crate::storage::Stored;

impl Features {
    pub fn recent_connections(&self, facts: &Facts) -> Vec<UsedConnection> {
        self.own.connections.recent(facts)
    }
}

impl Feature for Connections {
    type Event = Event;
    type Reason = Never;
    type Alarm = Never;

    fn restored(stored: &Stored) -> Connections {
        Connections::new(stored)
    }

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.own.connections.update(event, cx);
    }

    fn answered(_: &mut Features, reason: Never, _: Answer, _: &mut Cx) {
        match reason {}
    }

    fn alarm(_: &mut Features, alarm: Never, _: &mut Cx) {
        match alarm {}
    }

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("recentConnections", &features.recent_connections(facts), out);
    }
}
