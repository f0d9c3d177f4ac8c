//! Chain-agnostic identifiers: CAIP-2 chain ids and CAIP-10 account ids.

mod account_id;
mod chain_id;
mod namespace;

pub use account_id::{AccountId, AccountIdError};
pub use chain_id::{ChainId, ChainIdError};
pub use namespace::Namespace;
