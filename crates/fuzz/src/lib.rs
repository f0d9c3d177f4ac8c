//! What is fuzzed. Each target takes any text and panics where something does not hold of it.
//!
//! `cargo test -p portico-fuzz` plays every text of `corpus/` and of `fixtures/replays`; `cargo xtask fuzz MINUTES` looks for more.

pub mod envelope;
pub mod namespaces;
pub mod pairing_uri;
// The server's files that it takes in have tests of their own, with what those need.
#[cfg(not(test))]
pub mod relay_frame;
pub mod relay_jwt;
pub mod replay;
pub mod terms;

/// A target by its name.
#[cfg(not(test))]
pub type Target = (&'static str, fn(&str));

/// All of them. The texts that each begins with are in the folder of `corpus/` with its name; those of `replay` in `fixtures/replays`.
#[cfg(not(test))]
pub const TARGETS: [Target; 7] = [
    ("replay", replay::take),
    ("terms", terms::take),
    ("pairing_uri", pairing_uri::take),
    ("envelope", envelope::take),
    ("relay_jwt", relay_jwt::take),
    ("relay_frame", relay_frame::take),
    ("namespaces", namespaces::take),
];
