//! Test that needs Caddy.
//!
//! `cargo xtask test proxy` gets it and runs the test, which does not run otherwise.

#![allow(clippy::disallowed_methods, reason = "the test reads where Caddy is")]

#[path = "../support/mod.rs"]
mod support;

mod caddy;
