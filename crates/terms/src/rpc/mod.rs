//! JSON-RPC between wallets and chains: methods, errors, responses.

mod answer;
mod calls;
mod error;
mod method;

pub use answer::{is_signature, is_transaction_hash, result_of};
pub use calls::calls_are_well_formed;
pub use error::{RpcError, RpcErrorKind};
pub use method::{EVENTS, WALLET_METHODS};
