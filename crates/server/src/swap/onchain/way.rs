//! Routes from one token to another: direct, or through one intermediate token.

use crate::config::Exchange;
use crate::price::plain;
use crate::swap::trade::Coin;
use alloy_primitives::Address;
use serde::{Deserialize, Serialize};

/// Route of a swap.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) enum OnchainRoute {
    /// Wraps the native coin, one for one.
    Wrap,
    /// Unwraps the native coin, one for one.
    Unwrap,
    /// Through pools of Uniswap V2.
    V2 { path: Vec<Address> },
    /// Through pools of Uniswap V3 with these fees, one fewer than tokens.
    V3 { path: Vec<Address>, fees: Vec<u32> },
}

/// Fee of each V2 pool, in millionths.
const V2_FEE: u32 = 3_000;

impl OnchainRoute {
    /// Tokens of the route, from the one paid to the one received.
    pub(super) fn path(&self) -> &[Address] {
        match self {
            OnchainRoute::Wrap | OnchainRoute::Unwrap => &[],
            OnchainRoute::V2 { path } | OnchainRoute::V3 { path, .. } => path,
        }
    }

    /// Fee of each pool, in millionths.
    pub(super) fn fees(&self) -> Vec<u32> {
        match self {
            OnchainRoute::Wrap | OnchainRoute::Unwrap => Vec::new(),
            OnchainRoute::V2 { path } => vec![V2_FEE; path.len().saturating_sub(1)],
            OnchainRoute::V3 { fees, .. } => fees.clone(),
        }
    }

    /// Display names of the pools.
    pub(super) fn names(&self, exchange: &Exchange) -> Vec<String> {
        let name = &exchange.name;
        match self {
            OnchainRoute::Wrap => vec!["Wrap".into()],
            OnchainRoute::Unwrap => vec!["Unwrap".into()],
            OnchainRoute::V2 { path } => vec![format!("{name} V2"); path.len().saturating_sub(1)],
            OnchainRoute::V3 { fees, .. } => {
                fees.iter().map(|fee| format!("{name} V3 {}%", plain(&fee.to_string(), 4))).collect()
            }
        }
    }

    /// Contract that needs an approval for the paid token.
    pub(super) fn spender(&self, exchange: &Exchange) -> Option<Address> {
        match self {
            OnchainRoute::Wrap | OnchainRoute::Unwrap => None,
            OnchainRoute::V2 { .. } => exchange.v2_router,
            OnchainRoute::V3 { .. } => exchange.v3.map(|contracts| contracts.router),
        }
    }
}

/// All candidate routes between two tokens, the shortest first.
pub(super) fn ways(exchange: &Exchange, from: Coin, to: Coin) -> Vec<OnchainRoute> {
    let wrapped = |coin: Coin| if coin.is_native() { exchange.wrapped } else { coin.0 };
    let (first, last) = (wrapped(from), wrapped(to));
    if first == last {
        return vec![if from.is_native() { OnchainRoute::Wrap } else { OnchainRoute::Unwrap }];
    }
    let mut bases = vec![exchange.wrapped];
    bases.extend(exchange.bases.iter().filter(|base| **base != exchange.wrapped));
    bases.retain(|base| *base != first && *base != last);
    let mut ways = Vec::new();
    if exchange.v2_router.is_some() {
        ways.push(OnchainRoute::V2 { path: vec![first, last] });
    }
    let tiers: &[u32] = if exchange.v3.is_some() { &exchange.fee_tiers } else { &[] };
    ways.extend(tiers.iter().map(|fee| OnchainRoute::V3 { path: vec![first, last], fees: vec![*fee] }));
    for base in bases {
        let path = vec![first, base, last];
        if exchange.v2_router.is_some() {
            ways.push(OnchainRoute::V2 { path: path.clone() });
        }
        // A widget refuses to send coin through several pools of V3 (see `portico_calldata`).
        for one in tiers.iter().filter(|_| !from.is_native()) {
            ways.extend(tiers.iter().map(|two| OnchainRoute::V3 { path: path.clone(), fees: vec![*one, *two] }));
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::V3;

    fn at(byte: u8) -> Address {
        Address::repeat_byte(byte)
    }

    fn exchange(bases: &[u8]) -> Exchange {
        Exchange {
            name: "Uniswap".into(),
            wrapped: at(1),
            v2_router: Some(at(2)),
            v3: Some(V3 { quoter: at(3), router: at(4) }),
            bases: bases.iter().copied().map(at).collect(),
            fee_tiers: vec![500, 3_000],
        }
    }

    #[test]
    fn the_coin_and_its_wrapped_form_are_one_for_one() {
        assert_eq!(ways(&exchange(&[]), Coin::NATIVE, Coin(at(1))), [OnchainRoute::Wrap]);
        assert_eq!(ways(&exchange(&[]), Coin(at(1)), Coin::NATIVE), [OnchainRoute::Unwrap]);
    }

    #[test]
    fn tokens_are_swapped_directly_and_over_each_base_that_is_neither() {
        let direct = |first, last| {
            let path = vec![at(first), at(last)];
            let v3 = |fee| OnchainRoute::V3 { path: path.clone(), fees: vec![fee] };
            vec![OnchainRoute::V2 { path: path.clone() }, v3(500), v3(3_000)]
        };
        // The wrapped coin is an end itself, so it is no intermediate token.
        assert_eq!(ways(&exchange(&[]), Coin::NATIVE, Coin(at(7))), direct(1, 7));
        assert_eq!(ways(&exchange(&[7, 1]), Coin(at(7)), Coin::NATIVE), direct(7, 1));
        let all = ways(&exchange(&[8, 9]), Coin(at(8)), Coin(at(7)));
        // 3 direct routes, and 5 through each of the wrapped coin and the other base.
        assert_eq!(all.len(), 3 + 2 * 5);
        assert!(all.iter().all(|way| way.path().first() == Some(&at(8)) && way.path().last() == Some(&at(7))));
        assert!(all.iter().all(|way| way.fees().len() + 1 == way.path().len()));
    }

    #[test]
    fn coin_goes_through_one_pool_of_v3_or_several_of_v2() {
        let all = ways(&exchange(&[8]), Coin::NATIVE, Coin(at(7)));
        let longer: Vec<_> = all.into_iter().filter(|way| way.path().len() > 2).collect();
        assert_eq!(longer, [OnchainRoute::V2 { path: vec![at(1), at(8), at(7)] }]);
    }

    #[test]
    fn an_exchange_without_v3_asks_no_pools_of_it() {
        let only = Exchange { v3: None, ..exchange(&[8]) };
        let found = ways(&only, Coin(at(7)), Coin(at(9)));
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|way| matches!(way, OnchainRoute::V2 { .. })));
    }

    #[test]
    fn a_pool_is_called_by_its_exchange_and_its_fee() {
        let way = OnchainRoute::V3 { path: vec![at(1), at(2), at(3)], fees: vec![500, 10_000] };
        assert_eq!(way.names(&exchange(&[])), ["Uniswap V3 0.05%", "Uniswap V3 1%"]);
        assert_eq!(OnchainRoute::V2 { path: vec![at(1), at(2)] }.names(&exchange(&[])), ["Uniswap V2"]);
    }
}
