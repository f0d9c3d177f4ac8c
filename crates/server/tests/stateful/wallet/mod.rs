//! The embedded wallet: login, wallet, sessions (decision 19).

mod attack;
mod frozen;
mod login;
mod mail;
mod passkey;
mod session;
mod settings;
mod social;
mod web;
