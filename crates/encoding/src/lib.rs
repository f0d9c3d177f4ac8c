//! Strict text encodings of bytes: each value has exactly one text, so that a message cannot be replayed in another spelling.

#![warn(missing_docs)]

pub mod base58;
pub mod base64;
pub mod hex;
