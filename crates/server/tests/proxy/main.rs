//! Tests that need Caddy and nginx.
//!
//! `cargo xtask test proxy` gets both and runs the tests, which do not run otherwise.

#![allow(clippy::disallowed_methods, reason = "the tests read where Caddy and nginx are")]

#[path = "../support/mod.rs"]
mod support;

mod caddy;
mod nginx;
