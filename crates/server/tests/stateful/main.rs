//! Tests of the server with stored state: tables, limits, shared caches. `cargo xtask test server-postgres` runs them again, on
//! PostgreSQL and Redis.

#![allow(clippy::disallowed_methods, reason = "tests prepare databases and read their addresses")]

#[path = "../support/mod.rs"]
mod support;

mod admin;
mod admin_page;
mod analytics;
mod cached;
mod dashboard;
mod database;
mod directory;
mod ens;
mod health;
mod identity;
mod killed;
mod limits;
mod name;
mod name_change;
mod name_message;
mod name_world;
mod neighbours;
mod nodes;
mod onramp_purchase;
mod onramp_session;
mod operations;
mod own_picture;
mod picture;
mod price;
mod project;
mod relay;
mod relay_killed;
mod relay_metrics;
mod relay_refused;
mod reload;
mod shared;
mod siwx;
mod siwx_keys;
mod siwx_nonce;
mod siwx_revoked;
mod siwx_several;
mod stop;
mod swap;
mod wallet;
