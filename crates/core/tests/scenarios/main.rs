//! Stories across features, in a world of virtual time.

mod account;
mod connect;
mod disconnect;
mod found;
mod host;
mod legal;
mod namespaces;
mod network;
mod notice;
mod reconnect;
mod send;
mod switch;
