//! Reader of swap transactions: receiver, paid and bought token, amount and minimum, from the bytes alone. Beside it, the calls that
//! resolve a name (`ens`), the token calls that the embedded wallet explains (`token`), the events of tokens (`event`), and the
//! transactions of Solana (`solana`) and of Bitcoin (`bitcoin`).
//!
//! The widget's core decides by it what a wallet may be asked to sign, and the server what it answers. Nothing here does I/O, and nothing
//! trusts the origin of a call: a call to a contract that is not in the table, or in a form that is not listed here, is not read at all.

mod abi;
pub mod bitcoin;
mod contracts;
pub mod ens;
pub mod event;
pub mod hex;
mod known;
mod lifi;
mod named;
mod oneinch;
pub mod solana;
pub mod token;
mod tokens;
mod uniswap;
mod universal;
mod zerox;

#[cfg(test)]
mod tests;

pub use contracts::{Contract, Protocol, find, is_native, known, wrapped};
pub use tokens::{contradicts, is_named, symbol_of};
pub use zerox::{PREVIOUS_SETTLER, REGISTRY, SETTLER};

use portico_terms::Amount;

/// Address of an account or contract.
pub type Address = [u8; 20];

/// Address that stands for the chain's own coin.
pub const NATIVE: Address = [0xee; 20];

/// Maximum calldata of a swap, in bytes.
pub const LONGEST: usize = 64 * 1024;

/// A transaction before it is signed.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Account that signs.
    pub from: Address,
    /// Contract that is called.
    pub to: Address,
    /// Amount of the chain's own coin that is sent along, in wei.
    pub value: Amount,
    /// Calldata.
    pub data: &'a [u8],
}

/// Amounts of a swap that its contract keeps exactly.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Exact {
    /// The paid amount; more may be bought than the minimum.
    Paid,
    /// The bought amount; less may be paid than the maximum.
    Bought,
    /// Both: the coin is wrapped or unwrapped one for one.
    Both,
}

impl Exact {
    /// Whether the paid amount is exact.
    pub fn is_paid(self) -> bool {
        self != Exact::Bought
    }

    /// Whether the bought amount is exact.
    pub fn is_bought(self) -> bool {
        self != Exact::Paid
    }
}

/// Content of a swap transaction. Its contract enforces receiver, amount and minimum.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DecodedSwap {
    /// Account that receives.
    pub receiver: Address,
    /// Token that is paid, or [`NATIVE`].
    pub from: Address,
    /// Token that is bought, or [`NATIVE`].
    pub to: Address,
    /// Amount that is paid, in the smallest unit; the maximum, where only the bought amount is exact.
    pub amount: Amount,
    /// Minimum amount that is bought; the transaction fails below it.
    pub least: Amount,
    pub exact: Exact,
    /// Time from which the transaction fails, in epoch seconds, if it has one.
    pub deadline: Option<u64>,
    /// 0x Settler that the call lets take the token: it must be in 0x's registry ([`REGISTRY`]), which only the chain can tell.
    pub settler: Option<Address>,
}

/// Reads a call to a contract of this protocol; `wrapped` is the chain's wrapped coin. `None` if it is no swap in a known form, or its
/// encoding is not canonical: no bytes may hide between or behind the arguments.
pub fn decode(protocol: Protocol, wrapped: Option<Address>, call: &Call) -> Option<DecodedSwap> {
    if call.data.len() > LONGEST {
        return None;
    }
    match protocol {
        Protocol::WrappedCoin => uniswap::wrapping(call),
        Protocol::UniswapV2 => uniswap::v2(wrapped, call),
        Protocol::SwapRouter => uniswap::v3(wrapped, call, uniswap::Generation::SwapRouter),
        Protocol::SwapRouter02 => uniswap::v3(wrapped, call, uniswap::Generation::SwapRouter02),
        Protocol::UniversalRouter => universal::decode(wrapped, call),
        Protocol::Lifi => lifi::decode(call),
        Protocol::AllowanceHolder => zerox::decode(call),
        Protocol::Oneinch => oneinch::decode(call),
    }
}
