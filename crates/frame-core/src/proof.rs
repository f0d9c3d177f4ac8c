//! Proof beside the click on Approve, a passkey or a password: for each signature in strict mode, and for a large value.

use crate::approval::Approval;
use crate::effect::{Failure, Operation};
use crate::frame::Frame;
use crate::reason::Reason;
use crate::view::{Flag, Stage};
use portico_api::wallet::{PasskeyHint, SlotKind, WalletRecord};
use portico_json::{Json, Read, Value, parse};

/// Proof that the visitor is there and wants exactly this. The worker checks it.
#[derive(Clone, Debug, Default, Json, PartialEq)]
#[json(name = "FrameProof")]
pub enum Proof {
    /// The click alone.
    #[default]
    Click,
    /// Signature of one of these passkeys over the hash of what is signed or set, and the output of its PRF.
    Passkey { passkeys: Vec<PasskeyHint> },
    /// Password that the page holds.
    Password,
}

/// Ways of a wallet to prove it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ways {
    pub passkeys: Vec<PasskeyHint>,
    pub password: bool,
}

impl Ways {
    pub fn of(wallet: &WalletRecord) -> Ways {
        let hints = wallet.slots.iter().filter(|slot| slot.kind == SlotKind::Passkey);
        let hint = |text: &Option<String>| PasskeyHint::read(&parse(text.as_deref()?).ok()?).ok();
        Ways {
            passkeys: hints.filter_map(|slot| hint(&slot.hint)).collect(),
            password: wallet.slots.iter().any(|slot| slot.kind == SlotKind::Password),
        }
    }

    /// The proof of strict mode: a passkey, because it shows what it signs for, or else the password.
    pub fn strict(&self) -> Proof {
        match (&self.passkeys[..], self.password) {
            ([], true) => Proof::Password,
            ([], false) => Proof::Click,
            _ => Proof::Passkey { passkeys: self.passkeys.clone() },
        }
    }
}

impl Approval {
    /// Whether the request moves a large value, as its bytes and the chain say.
    pub(crate) fn is_large(&self) -> bool {
        self.content.flags.contains(&Flag::Large)
    }

    /// Whether it is known what the visitor has to give.
    pub(crate) fn knows_proof(&self) -> bool {
        self.strict.is_some_and(|strict| self.ways.is_some() || !strict && !self.is_large())
    }

    fn proof(&self) -> Proof {
        let ways = self.ways.clone().unwrap_or_default();
        match (self.strict, ways.strict()) {
            (Some(true), proof) => proof,
            // A password is asked for in strict mode alone: its tries are counted.
            (_, proof @ Proof::Passkey { .. }) if self.is_large() => proof,
            _ => Proof::Click,
        }
    }

    /// Takes a click on Approve; returns the proof to ask for, or `None` where the visitor has to confirm at another place first.
    pub(crate) fn decide(&mut self) -> Option<Proof> {
        let proof = self.proof();
        self.fault = None;
        if self.confirming.is_none() && (self.is_large() || proof == Proof::Password) {
            self.confirming = Some(proof == Proof::Password);
            self.changed();
            return None;
        }
        Some(proof)
    }

    /// The proof was wrong or missing: the visitor can try again.
    pub(crate) fn unproved(&mut self, sentence: String) {
        self.stage = Stage::Ready;
        self.fault = Some(sentence);
        self.changed();
    }
}

impl Frame {
    /// Asks the worker whether the visitor wants a proof for each signature.
    pub(crate) fn read_strict(&mut self, number: u32) {
        self.order(Operation::ReadStrict, Reason::StrictRead { approval: number });
    }

    /// Where the worker cannot tell, its signature fails as well.
    pub(crate) fn strict_read(&mut self, number: u32, answer: Result<Value, Failure>) {
        if let Some(approval) = self.approval_of(number) {
            approval.strict = Some(answer.is_ok_and(|value| value.as_bool() == Some(true)));
        }
    }
}
