//! The ways into swapping, which is a part of the core that comes when it is asked for (decision 7).

use super::{Event, Reason};
use crate::app::{Features, Told};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::modal::View;
use crate::part::Part;
use crate::timer::Timer;
use portico_json::{Read, Value};
use portico_terms::rpc::RpcError;

/// Given out when the part is there.
pub(crate) struct Door<'a>(&'a mut Features);

impl Features {
    /// Swapping, once it is there.
    pub fn swap(&mut self) -> Option<Door<'_>> {
        self.own.here.open(Part::Swap).then_some(Door(self))
    }
}

/// Each method is a door: never inlined, so that the browser build finds it by its name.
impl Door<'_> {
    /// An event.
    #[inline(never)]
    pub fn update(self, event: Event, cx: &mut Cx) {
        let own = &mut self.0.own;
        own.swap.update(event, &own.account.purse(cx.facts.active_namespace), cx);
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
        self.0.own.swap.answered(asked, answer, cx);
    }

    /// An alarm.
    #[inline(never)]
    pub fn alarm(self, timer: Timer, cx: &mut Cx) {
        self.0.own.swap.alarm(timer, cx);
    }

    /// The form is shown, perhaps with arguments of a host.
    #[inline(never)]
    pub fn asked(self, arguments: &Value, ticket: Option<u32>, cx: &mut Cx) {
        self.0.own.swap.asked(arguments, ticket, cx);
    }

    /// What the page before this one left on its way is followed.
    #[inline(never)]
    pub fn resume(self, cx: &mut Cx) {
        self.0.own.swap.resume(cx);
    }

    /// The visitor left one of its views.
    #[inline(never)]
    pub fn left(self, view: View, cx: &mut Cx) {
        let swap = &mut self.0.own.swap;
        match view {
            View::SwapPreview => swap.preview_left(cx),
            View::SwapSelectToken => swap.list_left(cx),
            _ => swap.left(cx),
        }
    }

    /// Nobody is connected any more.
    #[inline(never)]
    pub fn reset(self, cx: &mut Cx) {
        self.0.own.swap.reset(cx);
    }

    /// What was filled in is not for another account, or another network: true where something was.
    #[inline(never)]
    pub fn switched(self, cx: &mut Cx) -> bool {
        // Who is connected, and where, changed in this turn: what is known of it has to be made anew.
        let facts = self.0.facts();
        let mut fresh = Cx::new(cx.now, &facts);
        let filled = self.0.own.swap.switched(&mut fresh);
        cx.take_over(fresh);
        filled
    }

    /// A wallet that is elsewhere does not say that it is there.
    #[inline(never)]
    pub fn wallet_silent(self) {
        self.0.own.swap.wallet_silent();
    }

    /// Tells what changed. The tokens are many: their list is only made again when it may have changed.
    #[inline(never)]
    pub fn tell(self, told: &mut Told, facts: &Facts, out: &mut String) {
        let own = &mut self.0.own;
        let purse = own.account.purse(facts.active_namespace);
        let list = Some(own.swap.revision().wrapping_add(purse.revision));
        if own.lists[2] != list {
            own.swap.join(&purse);
            told.tell("swapTokens", &own.swap.tokens_view(&purse), out);
        }
        own.lists[2] = list;
        told.tell("swap", &self.0.swap_view(facts), out);
    }
}
