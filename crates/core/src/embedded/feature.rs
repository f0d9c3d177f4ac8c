//! Connects the embedded wallet to the loop: implementation of [`Feature`].

use super::{Alarm, Embedded, Event, Reason, View as EmbeddedView};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Answer, Entry, Feature, PartFeature};
use crate::modal::View;
use crate::part::Part;
use crate::storage::Stored;
use portico_api::frame::FrameEvent;
use portico_json::Value;

impl Features {
    pub fn embedded_view(&self, facts: &Facts) -> EmbeddedView {
        self.own.embedded.view(facts)
    }
}

impl Feature for Embedded {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Alarm;

    fn restored(stored: &Stored) -> Embedded {
        Embedded::restored(stored)
    }

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.own.embedded.update(event, cx);
    }

    fn answered(features: &mut Features, reason: Reason, answer: Answer, cx: &mut Cx) {
        features.own.embedded.answered(reason, answer, cx);
    }

    fn alarm(features: &mut Features, alarm: Alarm, cx: &mut Cx) {
        features.own.embedded.alarm(alarm, cx);
    }

    fn left(features: &mut Features, view: View, cx: &mut Cx) {
        features.own.embedded.left(view, cx);
    }

    fn reset(features: &mut Features, cx: &mut Cx) {
        features.own.embedded.reset(cx);
    }

    /// An approval outlives a change of the network: the frame shows the network of its request.
    fn moved(_: &mut Features, _: &mut Cx) {}

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("embedded", &features.embedded_view(facts), out);
    }
}

impl PartFeature for Embedded {
    const PART: Part = Part::Embedded;

    fn asked(features: &mut Features, _: &Value, _: Option<u32>, cx: &mut Cx) {
        features.own.embedded.edited(cx);
    }

    fn is_to_resume(stored: &Stored) -> bool {
        stored.login.used
    }

    fn resume(features: &mut Features, cx: &mut Cx) {
        features.own.embedded.resume(cx);
    }
}

impl Entry<'_, Embedded> {
    /// The modal offers social logins.
    #[inline(never)]
    pub fn offered(self, cx: &mut Cx) {
        self.features.own.embedded.offered(cx);
    }

    /// The account holds coins.
    #[inline(never)]
    pub fn funded(self, cx: &mut Cx) {
        self.features.own.embedded.funded(cx);
    }

    /// The host chose another theme: the frame that is there draws in it at once (spec 7.31).
    #[inline(never)]
    pub fn theme_changed(self, theme: Value, cx: &mut Cx) {
        self.features.own.embedded.frame.tell(FrameEvent::SyncTheme, theme, cx);
    }

    /// The site's sign-in message may be signed with the login.
    #[inline(never)]
    pub fn sign_in(self, message: &str, cx: &mut Cx) {
        self.features.own.embedded.sign_in(message, cx);
    }

    /// The modal closed.
    #[inline(never)]
    pub fn closed(self, cx: &mut Cx) {
        self.features.own.embedded.closed(cx);
    }
}
