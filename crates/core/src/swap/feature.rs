//! Connects the swap feature to the loop: implementation of [`Feature`].

use super::{Alarm, Event, Reason, Swap, TokensView, View as SwapView};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::{Entry, Feature, PartFeature};
use crate::modal::View;
use crate::part::Part;
use crate::storage::Stored;
use portico_json::Value;
use portico_terms::rpc::RpcError;

impl Features {
    pub fn swap_view(&self, facts: &Facts) -> SwapView {
        self.own.swap.view(&self.own.account.purse(facts.active_namespace), facts)
    }

    pub fn swap_tokens_view(&self, facts: &Facts) -> Option<TokensView> {
        self.own.swap.tokens_view(&self.own.account.purse(facts.active_namespace))
    }
}

impl Feature for Swap {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Alarm;

    fn restored(stored: &Stored) -> Swap {
        Swap::new(stored)
    }

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        let own = &mut *features.own;
        own.swap.update(event, &own.account.purse(cx.facts.active_namespace), cx);
    }

    fn answered(features: &mut Features, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        features.own.swap.answered(reason, answer, cx);
    }

    fn alarm(features: &mut Features, alarm: Alarm, cx: &mut Cx) {
        features.own.swap.alarm(alarm, cx);
    }

    fn left(features: &mut Features, view: View, cx: &mut Cx) {
        let swap = &mut features.own.swap;
        match view {
            View::SwapPreview => swap.preview_left(cx),
            View::SwapSelectToken => swap.list_left(cx),
            View::SwapConfirmed => swap.last = None,
            _ => swap.left(cx),
        }
    }

    fn reset(features: &mut Features, cx: &mut Cx) {
        features.own.swap.reset(cx);
    }

    /// Does nothing: the form stays open, and `reactions.rs` restarts it by [`Entry::switched`].
    fn moved(_: &mut Features, _: &mut Cx) {}

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        let own = &mut *features.own;
        let purse = own.account.purse(facts.active_namespace);
        // The list may have thousands of tokens, so it is rebuilt only after a change.
        if sent.is_new("swapTokens", own.swap.revision(&purse)) {
            own.swap.join(&purse);
            sent.write("swapTokens", &own.swap.tokens_view(&purse), out);
        }
        sent.write("swap", &features.swap_view(facts), out);
    }
}

impl PartFeature for Swap {
    const PART: Part = Part::Swap;

    fn asked(features: &mut Features, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        features.own.swap.asked(arguments, ticket, cx);
    }

    fn is_to_resume(stored: &Stored) -> bool {
        stored.swaps.as_list().is_some_and(|list| !list.is_empty())
    }

    fn resume(features: &mut Features, cx: &mut Cx) {
        features.own.swap.resume(cx);
    }
}

impl Entry<'_, Swap> {
    /// Restarts the form after the active account or network changed. Returns true if it was filled in.
    #[inline(never)]
    pub fn switched(self, cx: &mut Cx) -> bool {
        // The connection or network changed in this turn, so the facts are collected again.
        let facts = self.features.facts();
        let mut fresh = Cx::new(cx.now, &facts);
        let filled = self.features.own.swap.switched(&mut fresh);
        cx.take_over(fresh);
        filled
    }

    /// Whether the wallet is asked to sign what is on the screen.
    #[inline(never)]
    pub fn wallet_is_asked(self) -> bool {
        self.features.own.swap.wallet_is_asked()
    }

    /// A remote wallet has not confirmed that it received a request to sign.
    #[inline(never)]
    pub fn wallet_silent(self) {
        self.features.own.swap.wallet_silent();
    }
}
