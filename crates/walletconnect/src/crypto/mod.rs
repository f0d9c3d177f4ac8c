//! Keys and envelopes (WalletConnect specifications, `clients/core/crypto`).

mod envelope;
mod keys;

pub use envelope::{Envelope, EnvelopeFault, MAX_MESSAGE, seal, seal_from};
pub use keys::{KeyPair, PublicKey, SymKey, message_id, sha256, topic_of};
