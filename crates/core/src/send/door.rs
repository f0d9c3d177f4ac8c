//! The ways into sending, which is a part of the core that comes when it is asked for (decision 7).

use super::{Choices, Event, Reason};
use crate::app::{Features, Told};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::modal::View;
use crate::part::Part;
use crate::timer::Timer;
use portico_json::{Read, Value};
use portico_terms::rpc::RpcError;
use std::rc::Rc;

/// Given out when the part is there.
pub(crate) struct Door<'a>(&'a mut Features);

impl Features {
    /// Sending, once it is there.
    pub fn send(&mut self) -> Option<Door<'_>> {
        self.own.here.open(Part::Send).then_some(Door(self))
    }

    /// The tokens to choose from, while they are looked at.
    pub fn send_tokens(&self, facts: &Facts) -> Option<Choices> {
        let shown = facts.view == View::WalletSendSelectToken.word();
        shown.then(|| self.own.send.choices(&self.own.account.purse(facts.active_namespace), facts))
    }
}

/// Each method is a door: never inlined, so that the browser build finds it by its name.
impl Door<'_> {
    /// An event.
    #[inline(never)]
    pub fn update(self, event: Event, cx: &mut Cx) {
        let own = &mut self.0.own;
        own.send.update(event, &own.account.purse(cx.facts.active_namespace), cx);
    }

    /// An event as it came.
    #[inline(never)]
    pub fn read(self, event: &Value, cx: &mut Cx) {
        if let Ok(event) = Event::read(event) {
            self.update(event, cx);
        }
    }

    /// An answer.
    #[inline(never)]
    pub fn answered(self, asked: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let own = &mut self.0.own;
        own.send.answered(asked, answer, cx);
        let shown = cx.facts.view == View::WalletSend.word();
        own.send.go_on(shown, &own.account.purse(cx.facts.active_namespace), cx);
    }

    /// An alarm.
    #[inline(never)]
    pub fn alarm(self, timer: Timer, cx: &mut Cx) {
        self.0.own.send.alarm(timer, cx);
    }

    /// The form is shown, or a host asked for a send.
    #[inline(never)]
    pub fn asked(self, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        let own = &mut self.0.own;
        own.send.asked(arguments, ticket, &own.account.purse(cx.facts.active_namespace), cx);
    }

    /// What was sent before the page was loaded is followed.
    #[inline(never)]
    pub fn resume(self, cx: &mut Cx) {
        self.0.own.send.resume(cx);
    }

    /// The visitor left one of its views.
    #[inline(never)]
    pub fn left(self, view: View, cx: &mut Cx) {
        match view {
            View::WalletSendPreview => self.0.own.send.preview_left(cx),
            View::WalletSendSelectToken => self.0.own.send.choices_left(),
            View::WalletSendConfirmed => self.0.own.send.sent_seen(),
            _ => self.0.own.send.left(cx),
        }
    }

    /// What was filled in is not for another account, or another network.
    #[inline(never)]
    pub fn reset(self, cx: &mut Cx) {
        self.0.own.send.reset(cx);
    }

    /// A wallet that is elsewhere does not say that it is there.
    #[inline(never)]
    pub fn wallet_silent(self) {
        self.0.own.send.wallet_silent();
    }

    /// Tells what changed.
    #[inline(never)]
    pub fn tell(self, told: &mut Told, facts: &Facts, out: &mut String) {
        told.tell("send", &self.0.send_view(facts), out);
        // There may be thousands of tokens: they are only told where they may be others.
        let own = &self.0.own;
        let purse = own.account.purse(facts.active_namespace);
        let network = facts.active_network.as_ref().map(Rc::as_ptr);
        let shown = facts.view == View::WalletSendSelectToken.word();
        let key = || (purse.revision, purse.state, purse.coin, facts.price, network, own.send.looked_for());
        let key = shown.then(key);
        if told.send_tokens.as_ref() != Some(&key) {
            told.send_tokens = Some(key);
            told.tell("sendTokens", &self.0.send_tokens(facts), out);
        }
    }
}
