//! The protocol from end to end: both sides of the sign client, over relays that behave and relays that do not.

mod authenticate;
mod hostile_peer;
mod hostile_records;
mod hostile_relay;
mod jwt;
mod namespaces;
mod net;
mod offered;
mod relay_messages;
mod session;
mod settle;
mod tabs;
mod uri;
mod vectors;
mod verification;
