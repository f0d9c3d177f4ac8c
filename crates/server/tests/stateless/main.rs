//! Tests of the server that do not depend on the database.

#![allow(clippy::disallowed_methods, reason = "tests prepare databases and read their addresses")]

#[path = "../support/mod.rs"]
mod support;

mod all_chains;
mod any_port;
mod balance;
mod bitcoin;
mod bitcoin_account;
mod config;
mod config_chains;
mod config_environment;
mod config_places;
mod egress;
mod files;
mod first_run;
mod first_words;
mod hedge;
mod history;
mod history_busy;
mod history_moves;
mod init;
mod keyed;
mod logs;
mod method;
mod mutated;
mod name_gateway;
mod onramp;
mod onramp_config;
mod packaging;
mod reference;
mod relay_config;
mod routes;
mod rpc;
mod serve;
mod signatures;
mod sockets;
mod solana;
mod started;
mod subscriptions;
mod swap_providers;
mod swap_trial;
mod vendor_lies;
mod wallet_backup;
mod wallet_config;
mod wallet_doctor;
mod wallet_dsn;
mod wallet_kms;
mod wallet_process;
mod wallet_remote;
mod wallet_rotate;
mod wallet_smtp;
mod wallet_token;
