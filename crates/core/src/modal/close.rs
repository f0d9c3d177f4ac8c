//! Closing and going back, and the sign-in that forbids both.

use super::open::{first_view, sign_in_view};
use super::{Alarm, Modal, SHAKE, View};
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::signal::Signal;
use portico_json::Value;

/// Whether the modal may be closed: not while a sign-in is required and there is no session (spec 2.25, 6.3). The view of the sign-in has a
/// button to cancel it, that of an unsupported network one to disconnect, and other views lead back to them.
pub fn may_close(facts: &Facts) -> bool {
    !facts.sign_in_due
}

impl Modal {
    /// Shows the sign-in that is required, in the place of whatever is shown.
    pub fn keep_back(&mut self, cx: &mut Cx) {
        let view = sign_in_view(cx.facts);
        if self.stack.top() != view || !cx.facts.modal_open {
            self.show(view, Value::Null, cx);
            self.kept_back = cx.facts.modal_open;
        }
    }

    /// Whether the sign-in that is required is shown, or the visitor gets back to it from the view that is.
    pub fn leads_to_sign_in(&self, cx: &Cx) -> bool {
        cx.facts.modal_open && self.holds(sign_in_view(cx.facts))
    }

    /// The site has a session already: the visitor gets to the account, or back to the page.
    pub fn let_through(&mut self, cx: &mut Cx) {
        if self.kept_back && !cx.facts.sign_in_due {
            self.show(first_view(None, None, cx.facts), Value::Null, cx);
        } else {
            self.close(cx);
        }
    }

    pub(super) fn back(&mut self, cx: &mut Cx) {
        let left = self.stack.top();
        if !self.can_go_back(cx.facts) {
            self.close_asked(cx);
        } else {
            self.stack.pop();
        }
        if left == View::Connect {
            self.namespace = None;
        }
        if self.stack.top() != left || !self.open {
            cx.signal(Signal::ViewLeft(left));
            if self.stack.top().pairs() {
                self.shown(cx);
            }
        }
    }

    /// Whether there is a view to go back to (spec 2.21). Where the modal can't be closed, the notice of an unsupported network is one.
    pub(super) fn can_go_back(&self, facts: &Facts) -> bool {
        self.stack.depth() > 0 && (!self.stack.holds(View::UnsupportedChain) || facts.sign_in_due)
    }

    /// Closes the modal if allowed, else shakes it.
    pub(super) fn close_asked(&mut self, cx: &mut Cx) {
        if may_close(cx.facts) {
            self.close(cx);
        } else {
            self.shaking = true;
            cx.start(Alarm::ShakeEnd, SHAKE);
        }
    }

    /// Closes the modal. An embedded one stays and returns to its first view (spec 2.23).
    pub fn close(&mut self, cx: &mut Cx) {
        let held = self.awaited();
        self.stack.reset(if cx.facts.is_connected() { View::Account } else { View::Connect }, Value::Null);
        self.awaited_left(held, cx);
        self.shaking = false;
        self.namespace = None;
        cx.stop(Alarm::ShakeEnd);
        if std::mem::take(&mut self.open) && !cx.facts.options.embedded {
            cx.signal(Signal::ModalClosed);
            cx.signal(Signal::Track(Tracked::new(Name::ModalClose).flag("connected", cx.facts.is_connected())));
        }
    }
}
