//! Confirmation of what the visitor does: by a mail's link or by a passkey. The vault decides; here its steps follow each other.

use super::farcaster::FARCASTER;
use super::{Act, Page, Step};
use crate::effect::{Failure, Operation};
use crate::frame::Frame;
use crate::social::JWT;
use portico_api::wallet::{
    ConfirmationAsked, ConfirmationStarted, ConfirmationWait, Confirmed, Deed, DeviceAnswer, PasskeyProof,
};
use portico_json::{Read, Value};

/// Milliseconds for which a confirmed change is good, a minute less than at the vault.
const GOOD: u64 = 9 * 60_000;

/// Longest id of a confirmation.
const LONGEST: usize = 64;

impl Act {
    /// What the visitor has to confirm first.
    pub(super) fn deed(self) -> Option<Deed> {
        match self {
            Act::Export => Some(Deed::Export),
            Act::MakeKit
            | Act::AddPasskey
            | Act::SetPassword
            | Act::RemoveWay
            | Act::RemoveRecovery
            | Act::RestoreRecovery
            | Act::RemoveDevice
            | Act::AddLogin
            | Act::AddEmail
            | Act::RemoveLogin
            | Act::Thaw => Some(Deed::Change),
            // Ending sessions, freezing and being asked again need none, and the worker checks strict mode by the same proof as a signature.
            Act::SignOutEverywhere | Act::Freeze | Act::AskEach | Act::AskLess | Act::AllowSite => None,
        }
    }
}

impl Frame {
    /// The visitor read what happens and goes on, by mail or by a passkey.
    pub(crate) fn settings_continued(&mut self, passkey: bool) {
        let now = self.now;
        let Some(settings) = self.settings.as_mut().filter(|settings| settings.page == Page::Explain) else { return };
        let (Some((act, _)), false) = (&settings.doing, settings.busy || !settings.is_armed()) else { return };
        settings.fault = None;
        let owned = settings.owned.as_ref();
        let can_mail = owned.is_some_and(|owned| owned.email.is_some());
        let known = owned.is_some_and(|owned| !owned.passkeys.is_empty());
        match act.deed() {
            Some(Deed::Change) if settings.changes > now => self.perform(),
            // Where neither is there, the login itself counts for a while: the vault decides.
            Some(deed) if can_mail || known => {
                let language = self.boot.language.clone();
                let passkey = known && (passkey || !can_mail);
                let body = ConfirmationAsked { deed, language, mail: !passkey };
                self.step_ask("confirm", &body, Step::Begun { passkey });
            }
            _ => self.perform(),
        }
    }

    pub(super) fn confirmation_begun(&mut self, passkey: bool, value: &Value) {
        let started = ConfirmationStarted::read(value).ok();
        let started = started.filter(|started| (1..=LONGEST).contains(&started.transaction.len()));
        let Some(ConfirmationStarted { transaction, number }) = started else {
            return self.settings_failed(&Step::Begun { passkey }, Failure::broken());
        };
        let Some(settings) = &mut self.settings else { return };
        if passkey {
            let passkeys = settings.owned.as_ref().map(|owned| owned.passkeys.clone()).unwrap_or_default();
            let step = Step::PasskeySigned { transaction: transaction.clone() };
            return self.step(Operation::SignByPasskey { challenge: transaction, passkeys }, step);
        }
        settings.turn(Page::Confirm);
        settings.number = number;
        self.wait_for(transaction);
    }

    fn wait_for(&mut self, transaction: String) {
        let body = ConfirmationWait { transaction: transaction.clone() };
        self.step_ask("confirm/wait", &body, Step::Waited { transaction });
    }

    pub(super) fn confirmation_waited(&mut self, transaction: String, value: &Value) {
        match Confirmed::read(value) {
            Ok(Confirmed { answer: DeviceAnswer::Waiting, .. }) => self.wait_for(transaction),
            _ => self.confirmation_decided(value),
        }
    }

    pub(super) fn passkey_signed(&mut self, transaction: String, value: &Value) {
        match PasskeyProof::read(value) {
            Ok(proof) => {
                let proof = PasskeyProof { transaction, ..proof };
                self.step_ask("confirm/passkey", &proof, Step::Proved);
            }
            Err(_) => self.settings_failed(&Step::PasskeySigned { transaction }, Failure::broken()),
        }
    }

    pub(super) fn confirmation_decided(&mut self, value: &Value) {
        let decision = Confirmed::read(value).map_or(DeviceAnswer::Waiting, |confirmed| confirmed.answer);
        let now = self.now;
        let Some(settings) = &mut self.settings else { return };
        if decision != DeviceAnswer::Approved {
            settings.turn(Page::Explain);
            settings.fault = Some("This request was declined".into());
            return;
        }
        if settings.doing.as_ref().and_then(|(act, _)| act.deed()) == Some(Deed::Change) {
            settings.changes = now + GOOD;
        }
        settings.turn(Page::Explain);
        // Browsers make a passkey and open a window only upon a click, and the last one was elsewhere.
        let click = |(act, id): &(Act, Option<String>)| match act {
            Act::AddPasskey => true,
            Act::AddLogin => !matches!(id.as_deref(), Some(FARCASTER | JWT)),
            _ => false,
        };
        if settings.doing.as_ref().is_some_and(|doing| !click(doing)) {
            self.perform();
        }
    }
}
