//! Bytes as text, strictly: each value has one text, so that a text cannot be told again in another spelling.

pub mod base58;
pub mod base64;
pub mod hex;
