//! Rest for a visitor whom a host asks again and again for what they decline.

use crate::frame::Frame;

/// Milliseconds in which three declined requests are too many.
const WITHIN: u64 = 60_000;
/// Milliseconds after the third one for which further ones are refused.
const REST: u64 = 30_000;

impl Frame {
    /// The visitor declined the request that waits, or closed its view.
    pub(crate) fn decline(&mut self) {
        let waited = self.approval.is_some();
        self.withdraw();
        if waited && self.approval.is_none() {
            let [_, second, third] = self.declines;
            self.declines = [second, third, self.now];
        }
    }

    /// Whether a request is refused without asking the visitor. A clock that was set back ends the rest.
    pub(crate) fn rests(&self) -> bool {
        let [first, _, last] = self.declines;
        last.wrapping_sub(first) < WITHIN && self.now.wrapping_sub(last) < REST
    }
}
