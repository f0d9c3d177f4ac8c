//! Fuzz targets. Each takes any text and panics if a property does not hold for it.
//!
//! `cargo test -p portico-fuzz` runs every text of `corpus/` and of `fixtures/replays`; `cargo xtask fuzz MINUTES` searches for more.

pub mod calldata;
pub mod client;
pub mod ens;
pub mod envelope;
pub mod namespaces;
pub mod pairing_uri;
// The server files that this module includes have tests of their own, which need more of the server.
#[cfg(not(test))]
pub mod relay_frame;
pub mod relay_jwt;
pub mod replay;
pub mod signer;
pub mod terms;
pub mod visit;

/// Name and function of a fuzz target.
#[cfg(not(test))]
pub type Target = (&'static str, fn(&str));

/// All fuzz targets. The initial texts of each are in the folder of `corpus/` with its name; those of `replay` in `fixtures/replays`.
#[cfg(not(test))]
pub const TARGETS: [Target; 13] = [
    ("replay", replay::take),
    ("terms", terms::take),
    ("pairing_uri", pairing_uri::take),
    ("envelope", envelope::take),
    ("relay_jwt", relay_jwt::take),
    ("relay_frame", relay_frame::take),
    ("namespaces", namespaces::take),
    ("calldata", calldata::take),
    ("ens", ens::take),
    ("client", client::take),
    ("signer", signer::take),
    ("node", visit::node),
    ("server", visit::server),
];
