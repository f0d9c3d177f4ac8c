//! Window of the wallet's own origin for a large value: where the browser doesn't tell what covers the frame, the second confirmation is there,
//! because no page lies over a window.

use crate::approval::Approval;
use crate::effect::{Failure, Operation, SigningOrder};
use crate::frame::Frame;
use crate::reason::Reason;
use crate::view::{Stage, WindowView};
use portico_json::Value;

/// Use of the window by a request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Window {
    /// The browser tells what covers the frame.
    Needless,
    Closed,
    Open,
}

impl Window {
    pub fn of(sees_covers: bool) -> Window {
        if sees_covers { Window::Needless } else { Window::Closed }
    }
}

impl Approval {
    /// The window of a request that needs one.
    pub(crate) fn window(&self) -> Option<WindowView> {
        match self.window {
            Window::Needless => None,
            Window::Closed => self.is_large().then_some(WindowView::Needed),
            Window::Open => Some(WindowView::Open),
        }
    }
}

impl Frame {
    /// The visitor approved in the frame and has to confirm: in a window if the request needs one.
    pub(crate) fn confirm_elsewhere(&mut self, number: u32, order: SigningOrder) {
        let Some(approval) = self.approval_of(number) else { return };
        if approval.window() == Some(WindowView::Needed) {
            approval.window = Window::Open;
            approval.fault = None;
            self.order(Operation::OpenWindow { approval: number, order }, Reason::WindowEnded { approval: number });
        }
    }

    /// The visitor confirmed in the window.
    pub(crate) fn decided(&mut self, number: u32, revision: u32) {
        let Some(approval) = self.approval_of(number) else { return };
        if approval.window == Window::Open
            && let Some((order, Some(proof))) = approval.take_click(revision)
        {
            self.sign(number, Operation::SignByWindow { order, proof });
        }
    }

    /// The window was closed, or not opened. The request waits in the frame again, unless it was decided.
    pub(crate) fn window_ended(&mut self, number: u32, answer: Result<Value, Failure>) {
        let Some(approval) = self.approval_of(number) else { return };
        approval.window = Window::Closed;
        approval.confirming = None;
        if approval.stage == Stage::Ready {
            approval.fault = answer.err().map(|failure| failure.message);
            approval.changed();
        }
    }

    /// Orders the signature of what the visitor approved.
    pub(crate) fn sign(&mut self, number: u32, operation: Operation) {
        if let Some(approval) = self.approval_of(number) {
            approval.stage = Stage::Signing;
            self.order(operation, Reason::Signed { approval: number });
        }
    }
}
