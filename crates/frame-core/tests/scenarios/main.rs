//! The frame as a host page and a visitor meet it, in virtual time.

mod approval;
mod forged;
mod host;
mod login;
mod settings;
mod signing;
mod simulation;
mod transaction;
mod world;
