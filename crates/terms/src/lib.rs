//! The field's nouns and rules: parsed values, nothing else.
//!
//! A value of one of these types has been parsed; nothing downstream checks it again. Errors carry the exact texts of the contract.

pub mod account_kind;
pub mod address;
pub mod amount;
pub mod caip;
pub mod coin_type;
pub mod connector;
pub mod ens_name;
pub mod network;
pub mod price;
pub mod rpc;
pub mod typed;
pub mod wallet;

pub use account_kind::AccountKind;
pub use amount::Amount;
pub use caip::{AccountId, ChainId, Namespace};
pub use connector::{Connector, ConnectorKind};
pub use ens_name::{EnsName, EnsNameError, Label, LabelError};
pub use network::{Currency, Explorer, Network};
pub use price::Price;
pub use wallet::Wallet;
