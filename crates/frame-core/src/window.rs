//! Window of the wallet's own origin for a large value: where the browser doesn't tell what covers the frame, the second confirmation is there,
//! because no page lies over a window. It is open while the visitor has to confirm.

use crate::approval::Approval;
use crate::effect::Failure;
use crate::frame::Frame;
use crate::view::Stage;
use portico_json::Value;

impl Approval {
    /// Whether the visitor confirms in a window.
    pub(crate) fn needs_window(&self) -> bool {
        !self.sees_covers && self.is_large()
    }

    /// Whether the window is open.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.needs_window() && self.confirming.is_some()
    }
}

impl Frame {
    /// The window was closed, or not opened. The request waits in the frame again, unless it was decided.
    pub(crate) fn window_ended(&mut self, number: u32, answer: Result<Value, Failure>) {
        let Some(approval) = self.approval_of(number) else { return };
        approval.confirming = None;
        if approval.stage == Stage::Ready {
            approval.fault = answer.err().map(|failure| failure.message);
            approval.changed();
        }
    }
}
