use crate::price::Decimal;
use portico_terms::Amount;

/// What an account holds of one coin or token.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Holding {
    /// Of what.
    pub(crate) kind: Kind,
    /// "USD Coin"
    pub(crate) name: String,
    /// "USDC"
    pub(crate) symbol: String,
    /// 6
    pub(crate) decimals: u8,
    /// Where its picture is; empty where there is none.
    pub(crate) picture: String,
    /// In the smallest unit. Never zero.
    pub(crate) amount: Amount,
    /// Of a whole one, where the source knows it.
    pub(crate) price: Option<Decimal>,
}

/// A chain's own coin, or a contract.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// The coin.
    Coin,
    /// The address of a token: with its checksum on an EVM, of the mint on Solana.
    Token(String),
}
