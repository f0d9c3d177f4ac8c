//! State machine of the widget, without a browser: data in, data out.
//!
//! | Noun | Direction | Example |
//! |---|---|---|
//! | [`Event`] | outside → core: something happened | `WalletChosen`, `CloseAsked` |
//! | [`Effect`]: an id and an [`Operation`] | core → shell: do it | `RequestWallet`, `SendHttp` |
//! | [`Outcome`] | shell → core, answers one effect by id | `Answered`, `Failed` |
//! | [`Timer`] | core → shell as one alarm; back as [`App::tick`] | `SnackEnd`, `ShakeEnd` |
//! | [`Signal`] | feature → other features, through `reactions.rs` | `Connected`, `NetworkSwitched` |
//! | [`Snapshot`] | core → React | one field a feature |
//!
//! The core has no clock, no randomness and no I/O: each call passes `now`, and [`Boot`] passes the environment and the stored
//! keys. So a run is a list of `(event, now)` that can be stored, replayed and fuzzed.

pub mod account;
pub mod activity;
pub mod analytics;
mod app;
pub mod bitcoin;
mod boot;
pub mod config;
pub mod connect;
pub mod connections;
mod cx;
pub mod detail;
mod effect;
pub mod embedded;
mod facts;
mod fault;
mod feature;
mod home;
pub mod http;
pub mod modal;
pub mod name;
pub mod network;
pub mod notice;
pub mod onramp;
mod paged;
mod part;
pub mod pay;
mod reactions;
pub mod receive;
pub mod rpc;
mod seal;
pub mod send;
mod shown;
mod signal;
pub mod siwx;
mod snapshot;
pub mod solana;
pub mod storage;
pub mod swap;
mod table;
mod timer;
pub mod wallet;

pub use app::{App, Event};
pub use boot::{Boot, Environment, StoredEntry};
pub use cx::Cx;
pub use effect::{Effect, HostAnswer, HostError, HttpMethod, LinkTarget, Operation, Outcome, SignInCall, StorageArea};
pub use facts::{ActiveAccount, EmbeddedUser, Facts};
pub use fault::CallFault;
pub use paged::{LIST_CACHE, ListState, PagedFault};
pub use part::Part;
pub use signal::Signal;
pub use snapshot::Snapshot;
pub use timer::Timer;
