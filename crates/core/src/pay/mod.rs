//! Shared code of all features that pay: the fee, signing and receipt polling, the account's holdings, and ERC-20 calls. Not a feature: it has no state
//! of its own.

pub mod erc20;
pub mod gas;
pub mod kept;
pub mod left_open;
pub mod letters;
pub mod outcome;
pub mod paid;
pub mod receipt;
pub mod replaced;
pub mod signing;
pub mod standing;
pub mod tokens;
pub mod typed;
