use crate::price::Decimal;
use portico_terms::Amount;

/// Balance of one coin or token.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Holding {
    pub(crate) kind: Kind,
    /// Such as "USD Coin".
    pub(crate) name: String,
    /// Such as "USDC".
    pub(crate) symbol: String,
    /// Such as 6.
    pub(crate) decimals: u8,
    /// URL of the picture; empty if there is none.
    pub(crate) picture: String,
    /// Amount in the smallest unit, never zero.
    pub(crate) amount: Amount,
    /// Price of one whole coin or token, if the source knows it.
    pub(crate) price: Option<Decimal>,
}

/// Native coin, or token.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// Native coin of the chain.
    Coin,
    /// Token by its address: with checksum on EVM chains, of the mint on Solana.
    Token(String),
}
