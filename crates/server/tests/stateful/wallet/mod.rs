//! The embedded wallet: login, wallet, sessions (decision 19).

mod attack;
mod farcaster;
mod frozen;
mod login;
mod mail;
mod session;
mod social;
mod web;
