//! Signatures of EVM accounts. A bare hash is never signed: each request has a form whose bytes cannot be those of another form.

mod message;
mod number;
mod rlp;
mod signature;
mod transaction;
mod typed;

pub use message::{message_bytes, message_digest, sign_message};
pub use signature::Signature;
pub use transaction::{SignedTransaction, Transaction, address};
pub use typed::{sign_typed, typed_digest};
