//! Stories across features, in a world of virtual time.

mod account;
mod activity;
mod asked;
mod connect;
mod directory;
mod disconnect;
mod fees;
mod found;
mod home;
mod host;
mod identity;
mod legal;
mod name;
mod namespaces;
mod network;
mod nfts;
mod notice;
mod reconnect;
mod send;
mod switch;
mod tokens;
