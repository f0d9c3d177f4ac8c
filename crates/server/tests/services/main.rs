//! Tests that need PostgreSQL and Redis: several nodes as one server, and a node that is killed.
//!
//! `cargo xtask test server-postgres` runs them with both services; they do not run otherwise.

#![allow(clippy::disallowed_methods, reason = "tests prepare databases and read their addresses")]

#[path = "../support/mod.rs"]
mod support;

mod nodes;
mod relay;
mod relay_away;
mod room;
mod shared;
mod way;
