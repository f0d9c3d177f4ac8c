//! Codes that are no longer on the screen: left, closed or withdrawn.

use super::*;
use crate::connect::Alarm;

impl Connect {
    /// The visitor went back. A code that is still needed when the visitor returns to the page is kept (spec 4.4).
    pub fn pairing_left(&mut self, cx: &mut Cx) {
        self.remote.target.wallet = None;
        self.remote.target.platform = None;
        self.remote.target.opened = false;
        // The view below shows a code for any wallet.
        if cx.facts.shows_pairing() {
            return;
        }
        self.drop_code(cx);
        self.leave_code(cx);
    }

    /// The visitor left a pairing view, with or without a code on it.
    pub fn remote_left(&mut self, cx: &mut Cx) {
        self.remote.target.fresh = false;
        self.remote.target.wallet = None;
        if !cx.facts.shows_pairing() {
            self.refuse_waiting(&ConnectFault::Cancelled.into(), false, cx);
        }
    }

    /// The modal closed. A visitor who has scanned the code may still approve.
    pub fn pairing_closed(&mut self, cx: &mut Cx) {
        if self.remote.is_wanted() {
            if !cx.facts.environment.keeps_pairing() {
                self.retire_code(cx);
            }
            self.leave_code(cx);
            self.remote.target.wallet = self.remote.target.wallet.take().filter(|_| self.remote.target.opened);
        }
    }

    pub(super) fn leave_code(&mut self, cx: &mut Cx) {
        cx.stop(Alarm::PairingTick);
        cx.stop(Alarm::PairingSlow);
        // Pending host calls get the wallet's last error rather than "modal closed".
        match std::mem::take(&mut self.remote.screen) {
            Screen::Failed(phase, error) if phase != Phase::Expired => {
                self.refuse_waiting(&HostError::from(&error), true, cx);
            }
            _ => {}
        }
        self.mark(Status::Disconnected, cx);
    }

    /// Withdraws the code on the screen, unless it has to be kept (spec 4.4).
    pub(super) fn drop_code(&mut self, cx: &mut Cx) {
        let keeps = cx.facts.environment.keeps_pairing() && self.remote.is_usable(cx.now);
        if let Some(pairing) = self.remote.codes.current.take_if(|_| !keeps) {
            self.remote.close(pairing.topic, cx);
        }
    }

    pub(super) fn retire_code(&mut self, cx: &mut Cx) {
        let shown = self.remote.codes.current.as_ref().map(|pairing| pairing.topic.clone());
        // A code that was passed to a wallet by link stays stored, even if this page closes.
        if let Some(topic) = shown.filter(|topic| self.remote.target.linked.as_ref() != Some(topic)) {
            self.remote.unnote(&topic, cx);
        }
        let past = &mut self.remote.codes.past;
        past.extend(self.remote.codes.current.take().map(|pairing| pairing.topic).filter(|topic| !topic.is_empty()));
        if past.len() > MOST_PAST {
            let oldest = past.remove(0);
            self.remote.close(oldest, cx);
        }
    }
}
