//! The frame as a host page and a visitor meet it, in virtual time.

mod approval;
mod farcaster;
mod forged;
mod freeze;
mod host;
mod login;
mod logins;
mod network;
mod paid;
mod password;
mod proof;
mod settings;
mod sign_in;
mod signing;
mod simulation;
mod site;
mod social;
mod solana;
mod solana_bytes;
mod solana_paid;
mod solana_several;
mod transaction;
mod window;
mod world;
