//! The embedded wallet's keys without input, output, clock, storage or randomness: random bytes come in with the call that needs them.
//!
//! [`Keyring`] is the whole signer of the frame's worker: [`Keyring::command`] takes a command as JSON text and answers with JSON text.
//! Below it, [`entropy`] holds the words of a wallet (BIP-39), [`derive`] its keys (BIP-32, SLIP-10), [`account`] its addresses, [`vault`]
//! what the server stores, and [`evm`] and [`solana`] its signatures. The server seals shares with [`vault::hpke`].
//!
//! Types that hold secrets have no `Debug`, so that no secret reaches a log, and are wiped when they are dropped.

#![warn(missing_docs)]

pub mod account;
mod bytes;
pub mod derive;
pub mod entropy;
pub mod evm;
mod keyring;
mod refusal;
pub mod solana;
pub mod vault;

pub use keyring::{Answer, Command, Keyring, PrivateKey, SignRequest};
pub use refusal::{Reason, Refusal};
