//! Window of the wallet's own origin for a large value: where the browser doesn't tell what covers the frame, the second confirmation is there,
//! because no page lies over a window.

use crate::approval::Approval;
use crate::effect::Failure;
use crate::frame::Frame;
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

    /// Opens the window for the confirmation; returns whether the request needs one.
    pub(crate) fn open_window(&mut self) -> bool {
        let needed = self.window() == Some(WindowView::Needed);
        if needed {
            self.window = Window::Open;
            self.fault = None;
        }
        needed
    }
}

impl Frame {
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
}
