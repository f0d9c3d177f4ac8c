//! What takes PostgreSQL and Redis: several nodes as one, and one that ends without warning.
//!
//! `cargo xtask test server-postgres` runs these with both; by themselves they are not run.

#[path = "../support/mod.rs"]
mod support;

mod nodes;
mod relay;
mod relay_away;
mod shared;
mod way;
