//! What is swapped, what it brings, and what is signed for it.

use crate::config::Chain;
use alloy_primitives::{Address, U256, U512, address};
use portico_api::swap::{SwapQuote, SwapStep};
use portico_terms::{Amount, ChainId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A chain's own coin or a token, by its address.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Coin(pub(crate) Address);

impl Coin {
    /// What stands for the chain's own coin.
    pub(crate) const NATIVE: Coin = Coin(address!("EeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"));

    /// Whether it is the chain's own.
    pub(crate) fn is_native(self) -> bool {
        self == Coin::NATIVE
    }

    /// In CAIP-10.
    pub(crate) fn caip(self, chain: &ChainId) -> String {
        caip(chain, self.0)
    }
}

/// In CAIP-10; the address that stands for a coin has small letters there.
pub(crate) fn caip(chain: &ChainId, address: Address) -> String {
    if address == Coin::NATIVE.0 {
        return format!("{chain}:{}", portico_api::swap::COIN);
    }
    format!("{chain}:{}", address.to_checksum(None))
}

/// An amount of one for another.
#[derive(Clone, Debug)]
pub(crate) struct Trade {
    pub(crate) chain: Arc<Chain>,
    /// What is paid.
    pub(crate) from: Coin,
    /// What is received; another.
    pub(crate) to: Coin,
    /// Of what is paid. Never zero.
    pub(crate) amount: U256,
    /// Who pays and receives.
    pub(crate) user: Option<Address>,
}

/// What a provider gives for it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Found {
    /// What is expected.
    pub(crate) out: U256,
    pub(crate) route: Vec<Hop>,
    /// In per cent.
    pub(crate) impact: Option<String>,
    /// In per cent.
    pub(crate) fee: Option<String>,
    /// Who needs the permission to take the token.
    pub(crate) spender: Option<Address>,
    /// How much of it the spender may take now.
    pub(crate) allowance: Option<U256>,
    pub(crate) gas: u64,
    /// What the provider needs to know again when it builds, in its own words.
    pub(crate) plan: String,
}

/// A pool or an exchange on the way.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Hop {
    pub(crate) name: String,
    pub(crate) from: Coin,
    pub(crate) to: Coin,
}

/// A swap to build.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) trade: Trade,
    /// Who pays and receives.
    pub(crate) user: Address,
    pub(crate) found: Found,
    /// Nothing is built that may bring less.
    pub(crate) least: U256,
    /// How much may be lost.
    pub(crate) tolerance: Tolerance,
    /// When it fails, in epoch seconds.
    pub(crate) deadline: u64,
}

/// A call that the user signs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Built {
    pub(crate) to: Address,
    pub(crate) data: Vec<u8>,
    pub(crate) value: U256,
    /// Where the provider says it.
    pub(crate) from: Option<Address>,
    /// Where the provider says it.
    pub(crate) gas: Option<u64>,
}

/// The contracts of a provider on a chain.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Routers {
    /// Those that are called.
    pub(crate) targets: Vec<Address>,
    /// Those that may take tokens.
    pub(crate) spenders: Vec<Address>,
}

/// What a call does, as its bytes say. A call that does not say one of these is none that can be read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    pub(crate) receiver: Address,
    /// What is paid.
    pub(crate) from: Coin,
    /// What is received.
    pub(crate) to: Coin,
    /// How much is paid.
    pub(crate) amount: U256,
    /// How much is received at least.
    pub(crate) least: U256,
    /// When it fails, where the call says it.
    pub(crate) deadline: Option<u64>,
}

/// How much of the quoted amount may be lost, in hundredths of a per cent (spec 9.7).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Tolerance(u32);

const WHOLE: u32 = 10_000;

/// In hundredths of a per cent.
const MOST: u32 = 5_000;

impl Tolerance {
    /// Where nothing else is asked for.
    pub(crate) const USUAL: Tolerance = Tolerance(portico_api::swap::SLIPPAGE * 100);

    /// Reads per cent, from 0 to 50 with at most two decimals.
    pub(crate) fn read(text: &str) -> Option<Tolerance> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(fraction) {
            return None;
        }
        let points: u32 = [whole, fraction, if fraction.len() == 1 { "0" } else { "" }].concat().parse().ok()?;
        (points <= MOST).then_some(Tolerance(points))
    }

    /// What is left of an amount at least; never rounded down.
    pub(crate) fn least(self, out: U256) -> U256 {
        let lost = U512::from(out) * U512::from(self.0) / U512::from(WHOLE);
        out - lost.to::<U256>()
    }

    /// As a share of one, such as "0.01".
    pub(crate) fn share(self) -> String {
        crate::price::plain(&self.0.to_string(), 4)
    }

    /// In hundredths of a per cent.
    pub(crate) fn points(self) -> u32 {
        self.0
    }

    /// In per cent, such as "1".
    pub(crate) fn per_cent(self) -> String {
        crate::price::plain(&self.0.to_string(), 2)
    }
}

impl Found {
    /// As it is told, with the name under which it is kept.
    pub(crate) fn told(&self, trade: &Trade, provider: &str, id: String, expiry: u64) -> SwapQuote {
        let chain = &trade.chain.id;
        let step = |hop: &Hop| SwapStep { name: hop.name.clone(), from: hop.from.caip(chain), to: hop.to.caip(chain) };
        SwapQuote {
            id,
            provider: provider.into(),
            from_amount: trade.amount.to_string(),
            from_account: trade.from.caip(chain),
            to_amount: self.out.to_string(),
            to_amount_min: Tolerance::USUAL.least(self.out).to_string(),
            to_account: trade.to.caip(chain),
            route: self.route.iter().map(step).collect(),
            price_impact: self.impact.clone(),
            fee: self.fee.clone(),
            spender: self.spender.map(|spender| caip(chain, spender)),
            allowance: self.allowance.map(|allowance| allowance.to_string()),
            gas: self.gas.to_string(),
            expiry,
        }
    }
}

/// An amount of ours in the words of the chain.
pub(crate) fn wide(amount: Amount) -> U256 {
    // Both have 256 bits.
    amount.to_hex().parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spec_9_7_a_tolerance_is_1_per_cent_where_nothing_is_said_and_0_to_50_otherwise() {
        assert_eq!(Tolerance::USUAL.least(U256::from(1_000)), U256::from(990));
        for (text, points) in
            [("0", 0), ("1", 100), ("0.5", 50), ("0.05", 5), ("1.25", 125), ("50", 5_000), ("50.00", 5_000)]
        {
            assert_eq!(Tolerance::read(text), Some(Tolerance(points)), "{text}");
        }
        for text in ["", "-1", "+1", "50.01", "51", "100", "1e1", "0.001", ".5", "1.", "NaN", "1,5", " 1", "٥"] {
            assert_eq!(Tolerance::read(text), None, "{text}");
        }
        assert_eq!((Tolerance::USUAL.share(), Tolerance::USUAL.per_cent()), ("0.01".into(), "1".into()));
    }

    #[test]
    fn an_amount_of_256_bits_keeps_its_bits() {
        let most = Amount::from_hex(&format!("0x{}", "f".repeat(64))).unwrap();
        assert_eq!((wide(most), wide(Amount::ZERO)), (U256::MAX, U256::ZERO));
    }

    proptest! {
        #[test]
        fn spec_9_7_what_is_left_is_never_less_than_its_share(bytes in any::<[u8; 32]>(), points in 0..=MOST) {
            let out = U256::from_be_bytes(bytes);
            let least = Tolerance(points).least(out);
            prop_assert!(least <= out);
            prop_assert!(U512::from(least) * U512::from(WHOLE) >= U512::from(out) * U512::from(WHOLE - points));
            // One unit less would be too little.
            prop_assert!(points == 0 || least.is_zero() || U512::from(least - U256::from(1)) * U512::from(WHOLE) < U512::from(out) * U512::from(WHOLE - points));
        }
    }
}
