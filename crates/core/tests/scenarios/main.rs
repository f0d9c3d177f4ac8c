//! Stories across features, in a world of virtual time.

mod account;
mod connect;
mod disconnect;
mod host;
mod legal;
mod namespaces;
mod network;
mod notice;
mod reconnect;
mod send;
mod switch;
