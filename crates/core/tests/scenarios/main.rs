//! Stories across features, in a world of virtual time.

mod account;
mod asked;
mod connect;
mod disconnect;
mod fees;
mod found;
mod host;
mod legal;
mod namespaces;
mod network;
mod notice;
mod reconnect;
mod send;
mod switch;
