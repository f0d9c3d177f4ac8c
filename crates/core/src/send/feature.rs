//! Connects the send feature to the loop: implementation of [`Feature`].

use super::{Alarm, Choices, Event, Reason, Send, View as SendView};
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
use std::rc::Rc;

impl Features {
    pub fn send_view(&self, facts: &Facts) -> SendView {
        self.own.send.view(&self.own.account.purse(facts.active_namespace), facts)
    }

    /// The token list, while its view is shown.
    pub fn send_tokens(&self, facts: &Facts) -> Option<Choices> {
        let shown = facts.view == Some(View::WalletSendSelectToken);
        shown.then(|| self.own.send.choices(&self.own.account.purse(facts.active_namespace), facts))
    }
}

impl Feature for Send {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Alarm;

    fn restored(stored: &Stored) -> Send {
        Send::new(stored)
    }

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        let own = &mut *features.own;
        own.send.update(event, &own.account.purse(cx.facts.active_namespace), cx);
    }

    fn answered(features: &mut Features, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let own = &mut *features.own;
        own.send.answered(reason, answer, cx);
        let shown = matches!(cx.facts.view, Some(View::WalletSend | View::WalletSendPreview));
        own.send.go_on(shown, &own.account.purse(cx.facts.active_namespace), cx);
    }

    fn alarm(features: &mut Features, alarm: Alarm, cx: &mut Cx) {
        features.own.send.alarm(alarm, cx);
    }

    fn left(features: &mut Features, view: View, cx: &mut Cx) {
        let send = &mut features.own.send;
        match view {
            View::WalletSendPreview => send.preview_left(cx),
            View::WalletSendSelectToken => send.choices_left(),
            View::WalletSendConfirmed => send.sent_seen(),
            _ => send.left(cx),
        }
    }

    fn reset(features: &mut Features, cx: &mut Cx) {
        features.own.send.reset(cx);
    }

    fn view(features: &mut Features, facts: &Facts, sent: &mut SentViews, out: &mut String) {
        sent.write("send", &features.send_view(facts), out);
        // The list may have thousands of tokens, so it is rebuilt only after a change.
        let own = &features.own;
        let purse = own.account.purse(facts.active_namespace);
        let network = facts.active_network.as_ref().map(Rc::as_ptr);
        let shown = facts.view == Some(View::WalletSendSelectToken);
        let key = || (purse.revision, purse.state, purse.coin, facts.price, network, own.send.looked_for());
        let key = shown.then(key);
        if sent.send_tokens.as_ref() != Some(&key) {
            sent.send_tokens = Some(key);
            sent.write("sendTokens", &features.send_tokens(facts), out);
        }
    }
}

impl PartFeature for Send {
    const PART: Part = Part::Send;

    fn asked(features: &mut Features, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        let own = &mut *features.own;
        own.send.asked(arguments, ticket, &own.account.purse(cx.facts.active_namespace), cx);
    }

    fn is_to_resume(stored: &Stored) -> bool {
        !stored.pending_of(Namespace::Eip155).is_empty()
    }

    fn resume(features: &mut Features, cx: &mut Cx) {
        features.own.send.resume(cx);
    }
}

impl Entry<'_, Send> {
    /// Whether the wallet is asked to sign what is on the screen.
    #[inline(never)]
    pub fn wallet_is_asked(self) -> bool {
        self.features.own.send.wallet_is_asked()
    }

    /// Requests anew what the open form lacks because a request failed.
    #[inline(never)]
    pub fn complete(self, cx: &mut Cx) {
        self.features.own.send.complete(cx);
    }

    /// A remote wallet has not confirmed that it received a request to sign.
    #[inline(never)]
    pub fn wallet_silent(self) {
        self.features.own.send.wallet_silent();
    }
}
