//! Contracts that a swap may call. The built-in ones are generated from `contracts.toml`.

use crate::known::KNOWN;
use crate::{Address, NATIVE};

/// Contracts with the same functions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Protocol {
    /// Wrapped form of the chain's own coin (WETH9).
    WrappedCoin,
    UniswapV2,
    SwapRouter,
    SwapRouter02,
    UniversalRouter,
    Lifi,
    AllowanceHolder,
    Oneinch,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Protocol; 8] = [
        Protocol::WrappedCoin,
        Protocol::UniswapV2,
        Protocol::SwapRouter,
        Protocol::SwapRouter02,
        Protocol::UniversalRouter,
        Protocol::Lifi,
        Protocol::AllowanceHolder,
        Protocol::Oneinch,
    ];

    /// Word in options and in `contracts.toml`.
    pub fn word(self) -> &'static str {
        match self {
            Protocol::WrappedCoin => "wrapped-coin",
            Protocol::UniswapV2 => "uniswap-v2",
            Protocol::SwapRouter => "uniswap-swap-router",
            Protocol::SwapRouter02 => "uniswap-swap-router-02",
            Protocol::UniversalRouter => "uniswap-universal-router",
            Protocol::Lifi => "lifi",
            Protocol::AllowanceHolder => "0x-allowance-holder",
            Protocol::Oneinch => "1inch",
        }
    }

    /// Name to display.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::WrappedCoin => "Wrapped coin",
            Protocol::UniswapV2 => "Uniswap V2",
            Protocol::SwapRouter | Protocol::SwapRouter02 => "Uniswap V3",
            Protocol::UniversalRouter => "Uniswap Universal Router",
            Protocol::Lifi => "LI.FI",
            Protocol::AllowanceHolder => "0x",
            Protocol::Oneinch => "1inch",
        }
    }

    /// Whether the contract takes tokens by an ERC-20 approval. The Universal Router takes them through Permit2, which never gets one.
    pub fn spends(self) -> bool {
        !matches!(self, Protocol::WrappedCoin | Protocol::UniversalRouter)
    }
}

/// A contract on one chain.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Contract {
    pub protocol: Protocol,
    pub address: Address,
}

/// Built-in contracts of a chain, by its EIP-155 number.
pub fn known(chain: u64) -> impl Iterator<Item = Contract> {
    KNOWN
        .iter()
        .filter(move |(_, _, chains)| chains.contains(&chain))
        .map(|(protocol, address, _)| Contract { protocol: *protocol, address: *address })
}

/// Contract with this address.
pub fn find(contracts: &[Contract], address: &Address) -> Option<Contract> {
    contracts.iter().copied().find(|contract| contract.address == *address)
}

/// Wrapped form of the chain's own coin.
pub fn wrapped(contracts: &[Contract]) -> Option<Address> {
    contracts.iter().find(|contract| contract.protocol == Protocol::WrappedCoin).map(|contract| contract.address)
}

/// Whether an address stands for the chain's own coin.
pub fn is_native(address: &Address) -> bool {
    *address == NATIVE
}
