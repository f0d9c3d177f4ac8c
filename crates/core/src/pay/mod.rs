//! What paying takes, whatever is paid for: the fee, the wait for a receipt, what the account holds, and how an ERC-20 contract is called.
//! It is no feature: it has no state of its own, and features that pay share it.

pub mod erc20;
pub mod gas;
pub mod receipt;
pub mod replaced;
pub mod tokens;
pub mod typed;
