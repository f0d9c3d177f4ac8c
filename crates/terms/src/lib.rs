//! Types for chains, addresses, amounts and names, with their rules. No I/O and no state.
//!
//! A value of one of these types has been validated and is not checked again. Error texts are part of the contract with hosts.

pub mod account_kind;
pub mod address;
pub mod amount;
pub mod caip;
pub mod coin_type;
pub mod connector;
pub mod email;
pub mod ens_name;
pub mod link;
pub mod network;
pub mod price;
pub mod rpc;
pub mod sign_in;
pub mod typed;
pub mod wallet;

pub use account_kind::AccountKind;
pub use amount::Amount;
pub use caip::{AccountId, ChainId, Namespace};
pub use connector::{Connector, ConnectorKind};
pub use email::is_email;
pub use ens_name::{EnsName, EnsNameError, Label, LabelError};
pub use network::{Currency, Explorer, Network};
pub use price::Price;
pub use wallet::Wallet;
