//! Types of a swap: the trade, the quote of a provider, and the transaction to sign.

use crate::config::Chain;
use alloy_primitives::{Address, U256, U512, address};
use portico_api::swap::{SwapQuote, SwapStep};
use portico_calldata::{Call, Exact, Protocol};
use portico_terms::{Amount, ChainId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Native coin or token, by its address.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Coin(pub(crate) Address);

impl Coin {
    /// Placeholder address of the native coin.
    pub(crate) const NATIVE: Coin = Coin(address!("EeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"));

    /// Whether this is the native coin.
    pub(crate) fn is_native(self) -> bool {
        self == Coin::NATIVE
    }

    /// CAIP-10 id.
    pub(crate) fn caip(self, chain: &ChainId) -> String {
        caip(chain, self.0)
    }
}

/// CAIP-10 id of an address; the placeholder of the native coin is in lower case.
pub(crate) fn caip(chain: &ChainId, address: Address) -> String {
    if address == Coin::NATIVE.0 {
        return format!("{chain}:{}", portico_api::swap::COIN);
    }
    format!("{chain}:{}", address.to_checksum(None))
}

/// Exchange of an amount of one token for another.
#[derive(Clone, Debug)]
pub(crate) struct Trade {
    pub(crate) chain: Arc<Chain>,
    /// Token that the user pays.
    pub(crate) from: Coin,
    /// Token that the user receives; never the same as `from`.
    pub(crate) to: Coin,
    /// Amount of `from`, or where `exact_out` of `to`; never zero.
    pub(crate) amount: U256,
    /// The user named the amount to receive, which is then exact; else the amount to pay is.
    pub(crate) exact_out: bool,
    /// Account that pays and receives.
    pub(crate) user: Option<Address>,
}

/// Quote of a provider.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Found {
    /// Amount of the paid token; an expected one where the user named the amount to receive.
    pub(crate) paid: U256,
    /// Amount of the received token; an expected one where the user named the amount to pay.
    pub(crate) out: U256,
    pub(crate) route: Vec<Hop>,
    /// Price impact in percent.
    pub(crate) impact: Option<String>,
    /// Fee in percent.
    pub(crate) fee: Option<String>,
    /// Contract that needs an ERC-20 approval.
    pub(crate) spender: Option<Address>,
    /// Current allowance of the spender.
    pub(crate) allowance: Option<U256>,
    pub(crate) gas: u64,
    /// State that the provider needs to build the transaction, in a format of its own.
    pub(crate) plan: String,
}

/// Pool or exchange on the route.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Hop {
    pub(crate) name: String,
    pub(crate) from: Coin,
    pub(crate) to: Coin,
}

/// Swap to build.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) trade: Trade,
    /// Account that pays and receives.
    pub(crate) user: Address,
    pub(crate) found: Found,
    /// Maximum amount paid; the swap must revert above it. The exact one where the user named it.
    pub(crate) most: U256,
    /// Minimum amount received; the swap must revert below it. The exact one where the user named it.
    pub(crate) least: U256,
    /// Slippage tolerance.
    pub(crate) tolerance: Tolerance,
    /// Time after which the swap reverts, in epoch seconds.
    pub(crate) deadline: u64,
}

/// Transaction that the user signs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Built {
    pub(crate) to: Address,
    pub(crate) data: Vec<u8>,
    pub(crate) value: U256,
    /// Sender, if the provider states it.
    pub(crate) from: Option<Address>,
    /// Gas limit, if the provider states it.
    pub(crate) gas: Option<u64>,
}

/// Contracts of a provider on a chain.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Routers {
    /// Contracts that swap transactions call.
    pub(crate) targets: Vec<Address>,
    /// Contracts that may receive an ERC-20 approval.
    pub(crate) spenders: Vec<Address>,
}

/// Decoded calldata of a swap. A call that lacks one of the required fields counts as unreadable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DecodedSwap {
    pub(crate) receiver: Address,
    /// Token paid.
    pub(crate) from: Coin,
    /// Token received.
    pub(crate) to: Coin,
    /// Amount paid; the maximum, where only the received amount is exact.
    pub(crate) amount: U256,
    /// Minimum amount received.
    pub(crate) least: U256,
    /// Amounts that the called contract keeps exactly.
    pub(crate) exact: Exact,
    /// Deadline in epoch seconds, if the call has one.
    pub(crate) deadline: Option<u64>,
    /// 0x Settler that may take the token.
    pub(crate) settler: Option<Address>,
}

/// Slippage tolerance: the share of the quoted amount that may be lost, in basis points (spec 9.7).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Tolerance(u32);

const WHOLE: u32 = 10_000;

/// Maximum tolerance, in basis points.
const MOST: u32 = 5_000;

impl Tolerance {
    /// Default of requests without a slippage.
    pub(crate) const USUAL: Tolerance = Tolerance(portico_api::swap::SLIPPAGE * 100);

    /// Parses per cent, from 0 to 50 with at most two decimals.
    pub(crate) fn read(text: &str) -> Option<Tolerance> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(fraction) {
            return None;
        }
        let points: u32 = [whole, fraction, if fraction.len() == 1 { "0" } else { "" }].concat().parse().ok()?;
        (points <= MOST).then_some(Tolerance(points))
    }

    /// Minimum that this tolerance leaves of an amount, rounded up.
    pub(crate) fn least(self, out: U256) -> U256 {
        let lost = U512::from(out) * U512::from(self.0) / U512::from(WHOLE);
        out - lost.to::<U256>()
    }

    /// Maximum that this tolerance allows to be paid for an expected amount, rounded down.
    pub(crate) fn most(self, paid: U256) -> U256 {
        let more = U512::from(paid) * U512::from(self.0) / U512::from(WHOLE);
        paid.saturating_add(more.to::<U256>())
    }

    /// Tolerance as a fraction of one, such as "0.01".
    pub(crate) fn share(self) -> String {
        crate::price::plain(&self.0.to_string(), 4)
    }

    /// Tolerance in basis points.
    pub(crate) fn points(self) -> u32 {
        self.0
    }

    /// Tolerance in percent, such as "1".
    pub(crate) fn per_cent(self) -> String {
        crate::price::plain(&self.0.to_string(), 2)
    }
}

impl Found {
    /// Converts to the quote of the API response, with the id under which it is stored.
    pub(crate) fn to_api(&self, trade: &Trade, provider: &str, id: String, expiry: u64) -> SwapQuote {
        let chain = &trade.chain.id;
        let least = if trade.exact_out { self.out } else { Tolerance::USUAL.least(self.out) };
        let step = |hop: &Hop| SwapStep { name: hop.name.clone(), from: hop.from.caip(chain), to: hop.to.caip(chain) };
        SwapQuote {
            id,
            provider: provider.into(),
            from_amount: self.paid.to_string(),
            from_amount_max: trade.exact_out.then(|| Tolerance::USUAL.most(self.paid).to_string()),
            from_account: trade.from.caip(chain),
            to_amount: self.out.to_string(),
            to_amount_min: least.to_string(),
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

/// Decodes a call to a contract of this protocol; `wrapped` is the wrapped native coin.
pub(crate) fn decode(
    protocol: Protocol,
    wrapped: Option<Address>,
    user: Address,
    built: &Built,
) -> Option<DecodedSwap> {
    let call = Call {
        from: user.into_array(),
        to: built.to.into_array(),
        value: Amount::from_be_bytes(built.value.to_be_bytes()),
        data: &built.data,
    };
    let said = portico_calldata::decode(protocol, wrapped.map(Address::into_array), &call)?;
    Some(DecodedSwap {
        receiver: said.receiver.into(),
        from: Coin(said.from.into()),
        to: Coin(said.to.into()),
        amount: wide(said.amount),
        least: wide(said.least),
        exact: said.exact,
        deadline: said.deadline,
        settler: said.settler.map(Address::from),
    })
}

/// Converts an amount to the integer type of the EVM.
pub(crate) fn wide(amount: Amount) -> U256 {
    // Both types have 256 bits, so parsing cannot fail.
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
        fn spec_9_7_what_is_paid_for_an_exact_amount_is_never_more_than_its_share(bytes in any::<[u8; 32]>(), points in 0..=MOST) {
            let paid = U256::from_be_bytes(bytes) >> 1;
            let most = Tolerance(points).most(paid);
            let share = U512::from(paid) * U512::from(WHOLE + points);
            prop_assert!(most >= paid && U512::from(most) * U512::from(WHOLE) <= share);
            // One unit more is above the tolerance: the maximum is exact.
            prop_assert!(U512::from(most + U256::from(1)) * U512::from(WHOLE) > share);
        }

        #[test]
        fn spec_9_7_what_is_left_is_never_less_than_its_share(bytes in any::<[u8; 32]>(), points in 0..=MOST) {
            let out = U256::from_be_bytes(bytes);
            let least = Tolerance(points).least(out);
            prop_assert!(least <= out);
            prop_assert!(U512::from(least) * U512::from(WHOLE) >= U512::from(out) * U512::from(WHOLE - points));
            // One unit less is below the tolerance: the minimum is exact.
            prop_assert!(points == 0 || least.is_zero() || U512::from(least - U256::from(1)) * U512::from(WHOLE) < U512::from(out) * U512::from(WHOLE - points));
        }
    }
}
