//! Connects sending on Solana to the loop: implementation of [`Feature`].

use super::{Alarm, Choices, Event, Reason, Solana, View as SolanaView};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Entry, Feature, PartFeature};
use crate::modal::View;
use crate::part::Part;
use crate::storage::Stored;
use portico_json::Value;
use portico_terms::Namespace;
use portico_terms::rpc::RpcError;

impl Features {
    pub fn solana_view(&self, facts: &Facts) -> Option<SolanaView> {
        let solana = &self.own.solana;
        solana.is_shown(facts).then(|| solana.view(facts))
    }

    /// The token list, while its view is shown.
    pub fn solana_tokens(&self, facts: &Facts) -> Option<Choices> {
        let shown = facts.view == Some(View::SolanaSendSelectToken);
        shown.then(|| self.own.solana.choices(&self.own.account.purse(facts.active_namespace), facts))
    }
}

impl Feature for Solana {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Alarm;

    fn restored(stored: &Stored) -> Solana {
        Solana::new(stored)
    }

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        let own = &mut *features.own;
        own.solana.update(event, &own.account.purse(cx.facts.active_namespace), cx);
    }

    fn answered(features: &mut Features, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        features.own.solana.answered(reason, answer, cx);
    }

    fn alarm(features: &mut Features, alarm: Alarm, cx: &mut Cx) {
        features.own.solana.alarm(alarm, cx);
    }

    fn left(features: &mut Features, view: View, cx: &mut Cx) {
        let solana = &mut features.own.solana;
        match view {
            View::SolanaSendPreview => solana.preview_left(cx),
            View::SolanaSendSelectToken => solana.choices_left(),
            View::SolanaSendConfirmed => solana.sent_seen(),
            _ => solana.reset(cx),
        }
    }

    fn reset(features: &mut Features, cx: &mut Cx) {
        features.own.solana.reset(cx);
    }

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("solana", &features.solana_view(facts), out);
        sent.write("solanaTokens", &features.solana_tokens(facts), out);
    }
}

impl PartFeature for Solana {
    const PART: Part = Part::Solana;

    fn asked(features: &mut Features, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        let own = &mut *features.own;
        own.solana.asked(arguments, ticket, &own.account.purse(cx.facts.active_namespace), cx);
    }

    fn is_to_resume(stored: &Stored) -> bool {
        !stored.pending_of(Namespace::Solana).is_empty()
    }

    fn resume(features: &mut Features, cx: &mut Cx) {
        features.own.solana.resume(cx);
    }
}

impl Entry<'_, Solana> {
    /// Whether a wallet is asked that sends by itself.
    #[inline(never)]
    pub fn wallet_sends(self) -> bool {
        self.features.own.solana.wallet_sends()
    }
}
