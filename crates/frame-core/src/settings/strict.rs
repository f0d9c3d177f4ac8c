//! Strict mode: the visitor proves each signature. It is set on this device alone, by the same proof, which no message of the host gives. The
//! keys are shown by that proof too.

use super::{Page, Step};
use crate::effect::{Failure, Operation};
use crate::frame::Frame;
use crate::proof::Proof;
use portico_json::Value;

impl Frame {
    /// Turns strict mode on or off.
    pub(super) fn set_strict(&mut self, strict: bool) {
        if let Some(proof) = self.proof() {
            self.step(Operation::SetStrict { strict, proof }, Step::Done);
        }
    }

    /// Shows the words and the keys. A passkey has confirmed that at the vault, which takes nothing else where there is one.
    pub(super) fn export(&mut self) {
        if let Some(proof) = self.proof() {
            self.step(Operation::Export { password: proof == Proof::Password }, Step::Done);
        }
    }

    /// The proof that the wallet asks for; `None` while a password is still to be typed.
    fn proof(&mut self) -> Option<Proof> {
        let settings = self.settings.as_mut()?;
        let proof = settings.owned.as_ref().map(|owned| owned.proof.clone()).unwrap_or_default();
        if proof == Proof::Password && settings.page != Page::Password {
            settings.turn(Page::Password);
            return None;
        }
        Some(proof)
    }

    /// The worker told whether strict mode is on.
    pub(super) fn strict_told(&mut self, answer: Result<Value, Failure>) {
        if let (Some(settings), Ok(value)) = (&mut self.settings, answer) {
            settings.strict = value.as_bool() == Some(true);
        }
    }
}
