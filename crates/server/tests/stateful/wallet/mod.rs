//! The embedded wallet: login, wallet, sessions (decision 19).

mod attack;
mod frozen;
mod login;
mod mail;
mod session;
mod web;
