//! OPAQUE (RFC 9807): a password opens the wallet, and the server, which limits guesses, never learns it. ristretto255-SHA512, 3DH, HKDF and HMAC
//! with SHA-512, Argon2id. The browser has [`Client`], the vault [`server`].
//!
//! The third message of the protocol is never sent: it would prove to the server that the password was right, but nothing is given for that proof.
//! The server counts each try at the first message.

#![warn(missing_docs)]

mod client;
mod random;
pub mod server;

pub use client::{Answer, Client, Command, Reason};

use argon2::{Algorithm, Argon2, Params, Version};
use opaque_ke::{CipherSuite, Ristretto255, TripleDh};
use sha2::Sha512;

/// Algorithms of the protocol.
struct Suite;

impl CipherSuite for Suite {
    type OprfCs = Ristretto255;
    type KeyExchange = TripleDh<Ristretto255, Sha512>;
    type Ksf = Argon2<'static>;
}

/// Text that both sides agree on.
const CONTEXT: &[u8] = b"portico password 1";

/// Memory of Argon2id in KiB, and its rounds: a quarter of a second in a browser on a desktop. Changing them locks out all who have a password.
const MEMORY: u32 = 32 * 1024;
const ROUNDS: u32 = 3;

/// The slow hash over the server's contribution: what a guess costs somebody who has database and root key.
fn slow() -> Argon2<'static> {
    // These are within the limits of Argon2.
    let params = Params::new(MEMORY, ROUNDS, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

#[cfg(test)]
mod tests;
