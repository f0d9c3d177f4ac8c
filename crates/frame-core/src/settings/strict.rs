//! Strict mode: the visitor proves each signature. It is set on this device alone, by the same proof, which no message of the host gives.

use super::{Page, Step};
use crate::effect::{Failure, Operation};
use crate::frame::Frame;
use crate::proof::Proof;
use portico_json::Value;

impl Frame {
    /// Turns strict mode on or off. A password is typed first.
    pub(super) fn set_strict(&mut self, strict: bool) {
        let Some(settings) = &mut self.settings else { return };
        let proof = settings.owned.as_ref().map(|owned| owned.proof.clone()).unwrap_or_default();
        if proof == Proof::Password && settings.page != Page::Password {
            return settings.turn(Page::Password);
        }
        self.step(Operation::SetStrict { strict, proof }, Step::Done);
    }

    /// The worker told whether strict mode is on.
    pub(super) fn strict_told(&mut self, answer: Result<Value, Failure>) {
        if let (Some(settings), Ok(value)) = (&mut self.settings, answer) {
            settings.strict = value.as_bool() == Some(true);
        }
    }
}
