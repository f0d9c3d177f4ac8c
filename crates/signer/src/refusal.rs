//! Reasons why the signer does not do what a command says.

use portico_json::Json;

/// Kind of a refusal.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SignerReason")]
pub enum Reason {
    /// The command is not JSON of its form.
    #[default]
    Command,
    /// No key pair was made for the release, or it was used.
    KeyPair,
    /// The release does not open: it was sealed to another key, user or device, or is not of its form.
    Release,
    /// The visitor froze the wallet.
    Frozen,
    /// No slot of the record opens with what is there.
    Slots,
    /// The record is damaged, or belongs to another wallet: the blob does not open, or the addresses are not those of its keys.
    Record,
    /// No wallet is unlocked.
    Locked,
    /// The method is unknown, or its request asks for a form of transaction that is not signed. For JSON-RPC 4200.
    Method,
    /// A parameter is missing or not of its form; `part` names it. For JSON-RPC -32602.
    Params,
    /// The request names an account that is not this wallet's. For JSON-RPC 4100.
    Account,
    /// The transaction is for another chain than the request. For JSON-RPC -32602.
    Chain,
}

/// Refusal of a command.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Refusal {
    /// Kind of the refusal.
    pub reason: Reason,
    /// Part of the command that did not fit; empty if no single part is to blame. Never a secret.
    pub part: &'static str,
}

impl Refusal {
    /// Refusal because of one part.
    pub(crate) const fn new(reason: Reason, part: &'static str) -> Refusal {
        Refusal { reason, part }
    }

    /// Refusal of a parameter.
    pub(crate) const fn params(part: &'static str) -> Refusal {
        Refusal::new(Reason::Params, part)
    }
}
