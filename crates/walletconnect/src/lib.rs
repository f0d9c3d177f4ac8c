//! WalletConnect v2 without a socket, a clock, storage or entropy: both ends of the protocol as values and rules.
//!
//! [`crypto`] seals and opens envelopes, [`jwt`] proves a client to a relay, [`relay`] holds the messages between client and relay.
//! The server's relay uses these three; the browser's sign client uses all.

#![warn(missing_docs)]

#[cfg(feature = "wallet")]
pub mod cacao;
pub mod client;
pub mod crypto;
pub mod did;
pub mod drbg;
pub mod encoding;
pub mod jwt;
pub mod namespaces;
#[cfg(feature = "wallet")]
pub mod recap;
pub mod relay;
mod search;
pub mod uri;
