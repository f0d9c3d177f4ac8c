//! Stories across features, in a world of virtual time.

mod account;
mod connect;
mod disconnect;
mod host;
mod network;
mod reconnect;
mod send;
