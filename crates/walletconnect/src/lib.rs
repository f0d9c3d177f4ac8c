//! WalletConnect v2 without sockets, clock, storage or entropy: the rules of both sides of the protocol.
//!
//! [`crypto`] encrypts and decrypts envelopes, [`jwt`] authenticates a client to a relay, [`relay`] holds the messages between client and
//! relay. The server's relay uses these three; the browser's sign client uses all.

#![warn(missing_docs)]

pub mod attestation;
#[cfg(feature = "sign-in")]
pub mod cacao;
pub mod client;
pub mod crypto;
pub mod did;
pub mod drbg;
pub use portico_encoding as encoding;
pub mod jwt;
pub mod namespaces;
#[cfg(feature = "sign-in")]
pub mod recap;
pub mod relay;
mod search;
pub mod uri;
