//! The embedded wallet's frame without a browser (decision 19): a machine of data with the loop of `portico-core` in small.
//!
//! Events and outcomes come in with the time, effects go out with an id, and each effect is answered exactly once. The machine parses each
//! message of the host page, answers it exactly once, decides what is shown for approval, and orders the worker to sign what was shown.
//! It never has a key, a code that was checked, or a token.

mod account;
mod approval;
mod boot;
mod completed;
mod decode;
mod effect;
mod event;
mod expected;
mod farcaster;
mod foreseen;
mod frame;
mod login;
mod message;
mod methods;
mod network;
mod paid;
mod proof;
mod reason;
mod rpc;
mod said;
mod settings;
mod sign_in;
mod site;
mod social;
mod solana;
mod text;
mod token;
mod transaction;
mod update;
mod view;
mod window;

pub use boot::Boot;
pub use effect::{Effect, Failure, FailureKind, Operation, Outcome, RpcCall, SigningOrder, TransactionOrder};
pub use event::Event;
pub use frame::Frame;
pub use methods::{NEEDS_APPROVAL, SAFE};
pub use network::NetworkView;
pub use proof::Proof;
pub use said::{Phrase, Said};
pub use settings::{Act, Page, SettingsView, WayView};
pub use site::SiteDeed;
pub use view::{Action, ApprovalView, Flag, HostView, Row, RowLabel, Snapshot, Stage};
