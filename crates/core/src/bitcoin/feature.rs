//! Connects sending on Bitcoin to the loop: implementation of [`Feature`].

use super::{Alarm, Bitcoin, Event, Reason, View as BitcoinView};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Feature, PartFeature};
use crate::modal::View;
use crate::part::Part;
use crate::storage::Stored;
use portico_json::Value;
use portico_terms::Namespace;
use portico_terms::rpc::RpcError;

impl Features {
    pub fn bitcoin_view(&self, facts: &Facts) -> Option<BitcoinView> {
        let bitcoin = &self.own.bitcoin;
        bitcoin.is_shown(facts).then(|| bitcoin.view(facts))
    }
}

impl Feature for Bitcoin {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Alarm;

    fn restored(stored: &Stored) -> Bitcoin {
        Bitcoin::new(stored)
    }

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.own.bitcoin.update(event, cx);
    }

    fn answered(features: &mut Features, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        features.own.bitcoin.answered(reason, answer, cx);
    }

    fn alarm(features: &mut Features, alarm: Alarm, cx: &mut Cx) {
        features.own.bitcoin.alarm(alarm, cx);
    }

    fn left(features: &mut Features, view: View, cx: &mut Cx) {
        let bitcoin = &mut features.own.bitcoin;
        match view {
            View::BitcoinSendPreview => bitcoin.preview_left(cx),
            View::BitcoinSendConfirmed => bitcoin.sent_seen(),
            _ => bitcoin.reset(cx),
        }
    }

    fn reset(features: &mut Features, cx: &mut Cx) {
        features.own.bitcoin.reset(cx);
    }

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("bitcoin", &features.bitcoin_view(facts), out);
    }
}

impl PartFeature for Bitcoin {
    const PART: Part = Part::Bitcoin;

    fn asked(features: &mut Features, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        features.own.bitcoin.asked(arguments, ticket, cx);
    }

    fn is_to_resume(stored: &Stored) -> bool {
        !stored.pending_of(Namespace::Bip122).is_empty()
    }

    fn resume(features: &mut Features, cx: &mut Cx) {
        features.own.bitcoin.resume(cx);
    }
}
