//! The ways into buying, which is a part of the core that comes when it is asked for (decision 7).

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
    /// Buying, once it is there.
    pub fn onramp(&mut self) -> Option<Door<'_>> {
        self.own.here.open(Part::Onramp).then_some(Door(self))
    }
}

/// Each method is a door: never inlined, so that the browser build finds it by its name.
impl Door<'_> {
    /// An event.
    #[inline(never)]
    pub fn update(self, event: Event, cx: &mut Cx) {
        self.0.own.onramp.update(event, cx);
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
        self.0.own.onramp.answered(asked, answer, cx);
    }

    /// One of its alarms.
    #[inline(never)]
    pub fn alarm(self, timer: Timer, cx: &mut Cx) {
        self.0.own.onramp.alarm(timer, cx);
    }

    /// The visitor looks at the page again.
    #[inline(never)]
    pub fn page_shown(self, cx: &mut Cx) {
        self.0.own.onramp.page_shown(cx);
    }

    /// Those who sell coins are listed.
    #[inline(never)]
    pub fn shown(self, cx: &mut Cx) {
        self.0.own.onramp.shown(cx);
    }

    /// The visitor left one of its views.
    #[inline(never)]
    pub fn left(self, view: View, cx: &mut Cx) {
        match view {
            View::BuyInProgress => self.0.own.onramp.left(cx),
            View::OnRampStateSelect => self.0.own.onramp.state_left(),
            _ => self.0.own.onramp.leave(cx),
        }
    }

    /// What was chosen is not for another account, or another network.
    #[inline(never)]
    pub fn reset(self, cx: &mut Cx) {
        self.0.own.onramp.reset(cx);
    }

    /// Tells what changed.
    #[inline(never)]
    pub fn tell(self, told: &mut Told, facts: &Facts, out: &mut String) {
        told.tell("onramp", &self.0.own.onramp.view(facts), out);
    }
}
