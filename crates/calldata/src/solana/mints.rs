//! Mints of the main network that people know by a symbol. Token accounts and transactions don't contain it, and a node or a site could tell
//! any.

/// Token form of the network's coin: the native mint of the token program (`spl_token::native_mint`).
pub const WRAPPED_SOL: &str = "So11111111111111111111111111111111111111112";

/// Token with a known symbol.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct KnownMint {
    /// Address in base58.
    pub mint: &'static str,
    pub symbol: &'static str,
    pub name: &'static str,
}

/// Sources: <https://developers.circle.com/stablecoins/usdc-contract-addresses>, <https://tether.to/en/supported-protocols>.
pub const KNOWN_MINTS: [KnownMint; 3] = [
    KnownMint { mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", symbol: "USDC", name: "USD Coin" },
    KnownMint { mint: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", symbol: "USDT", name: "Tether USD" },
    KnownMint { mint: WRAPPED_SOL, symbol: "WSOL", name: "Wrapped SOL" },
];

/// Finds a token of the main network by its mint. On another network the same address may be any token.
pub fn known_mint(mint: &str) -> Option<&'static KnownMint> {
    KNOWN_MINTS.iter().find(|known| known.mint == mint)
}
