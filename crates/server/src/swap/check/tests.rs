use super::*;
use crate::config::{Assets, Chain};
use crate::swap::trade::{Coin, Hop, Tolerance};
use alloy_primitives::Address;
use portico_calldata::Exact;
use portico_terms::{ChainId, Currency};
use proptest::prelude::*;
use std::sync::Arc;

const NOW: u64 = 1_800_000_000;

fn at(byte: u8) -> Address {
    Address::repeat_byte(byte)
}

/// Chain for tests, where only the id matters.
pub(in crate::swap) fn chain(number: u64) -> Arc<Chain> {
    Arc::new(Chain {
        id: ChainId::eip155(number),
        name: None,
        upstreams: Vec::new(),
        methods: Vec::new(),
        assets: Assets {
            coin: Currency { name: "Ether".into(), decimals: 18, symbol: "ETH".into() },
            multicall: String::new(),
            tokens: Vec::new(),
            explorer: None,
        },
        block_time: None,
        finality_depth: 0,
        cache: false,
        max_logs_range: None,
    })
}

/// Order of a user, without data of any provider.
pub(in crate::swap) fn order(from: Coin, to: Coin, amount: U256, user: Address, least: U256) -> Order {
    let trade = Trade { chain: chain(1), from, to, amount, exact_out: false, user: Some(user) };
    let found = Found {
        paid: amount,
        out: least,
        route: vec![Hop { name: "Pool".into(), from, to }],
        impact: None,
        fee: None,
        spender: None,
        allowance: None,
        gas: 1,
        plan: String::new(),
    };
    Order { trade, user, found, most: amount, least, tolerance: Tolerance::USUAL, deadline: NOW + 1200 }
}

fn usual() -> (Order, Built, DecodedSwap, Routers) {
    let amount = U256::from(1_000);
    let order = order(Coin(at(1)), Coin(at(2)), amount, at(9), U256::from(990));
    let built = Built { to: at(7), data: vec![1, 2, 3, 4], value: U256::ZERO, from: Some(at(9)), gas: None };
    let said = DecodedSwap {
        receiver: at(9),
        from: Coin(at(1)),
        to: Coin(at(2)),
        amount,
        least: U256::from(990),
        exact: Exact::Paid,
        deadline: Some(NOW + 1200),
        settler: None,
    };
    (order, built, said, Routers { targets: vec![at(6), at(7)], spenders: vec![at(8)] })
}

#[test]
fn what_was_asked_for_is_told() {
    let (order, call, said, routers) = usual();
    assert_eq!(built(&order, &call, Some(&said), &routers, NOW), Ok(()));
}

#[test]
fn a_call_that_is_not_what_was_asked_for_is_refused() {
    let with = |change: &dyn Fn(&mut Order, &mut Built, &mut DecodedSwap, &mut Routers)| {
        let (mut order, mut call, mut said, mut routers) = usual();
        change(&mut order, &mut call, &mut said, &mut routers);
        built(&order, &call, Some(&said), &routers, NOW)
    };
    assert_eq!(with(&|_, call, _, _| call.to = at(5)), Err(Breach::Target));
    assert_eq!(with(&|_, _, _, routers| routers.targets.clear()), Err(Breach::Target));
    assert_eq!(with(&|_, call, _, _| call.data = vec![1, 2, 3]), Err(Breach::Unreadable));
    assert_eq!(with(&|_, call, _, _| call.data = vec![0; LONGEST + 1]), Err(Breach::Unreadable));
    assert_eq!(with(&|_, call, _, _| call.gas = Some(u64::MAX)), Err(Breach::Gas));
    assert_eq!(with(&|_, call, _, _| call.from = Some(at(5))), Err(Breach::Payer));
    assert_eq!(with(&|_, call, _, _| call.value = U256::ONE), Err(Breach::Value));
    assert_eq!(with(&|order, _, _, _| order.trade.from = Coin::NATIVE), Err(Breach::Value));
    assert_eq!(with(&|_, _, said, _| said.receiver = at(5)), Err(Breach::Receiver));
    assert_eq!(with(&|_, _, said, _| said.receiver = Address::ZERO), Err(Breach::Receiver));
    assert_eq!(with(&|_, _, said, _| said.from = Coin(at(5))), Err(Breach::Token));
    assert_eq!(with(&|_, _, said, _| said.to = Coin::NATIVE), Err(Breach::Token));
    assert_eq!(with(&|_, _, said, _| said.amount = U256::from(1_001)), Err(Breach::Amount));
    assert_eq!(with(&|_, _, said, _| said.amount = U256::from(999)), Err(Breach::Amount));
    assert_eq!(with(&|_, _, said, _| said.least = U256::from(989)), Err(Breach::Least));
    assert_eq!(with(&|order, _, said, _| (order.least, said.least) = (U256::ZERO, U256::ZERO)), Err(Breach::Least));
    assert_eq!(with(&|_, _, said, _| said.deadline = Some(NOW)), Err(Breach::Deadline));
    assert_eq!(with(&|_, _, said, _| said.deadline = Some(u64::MAX)), Err(Breach::Deadline));
    let (order, call, _, routers) = usual();
    assert_eq!(built(&order, &call, None, &routers, NOW), Err(Breach::Unreadable));
}

#[test]
fn an_offer_wants_a_permission_for_a_contract_that_is_known_and_brings_something() {
    let (order, _, _, routers) = usual();
    let told = |out: u64, spender: Option<u8>| {
        let found = Found { out: U256::from(out), spender: spender.map(at), ..order.found.clone() };
        offer(&order.trade, &found, &routers)
    };
    assert_eq!(told(1, Some(8)), Ok(()));
    assert_eq!(told(1, None), Ok(()));
    assert_eq!(told(1, Some(7)), Err(Breach::Spender));
    assert_eq!(told(0, Some(8)), Err(Breach::Nothing));
    let costly = Found { gas: u64::MAX, ..order.found.clone() };
    assert_eq!(offer(&order.trade, &costly, &routers), Err(Breach::Gas));
    let coin = Trade { from: Coin::NATIVE, ..order.trade.clone() };
    let found = Found { out: U256::ONE, spender: Some(at(8)), ..order.found.clone() };
    assert_eq!(offer(&coin, &found, &routers), Err(Breach::Permission));
}

fn word() -> impl Strategy<Value = U256> {
    any::<[u8; 32]>().prop_map(U256::from_be_bytes)
}

proptest! {
    /// A call that passes the check pays the user, takes the exact amount, and keeps the promised minimum.
    #[test]
    fn spec_9_7_nothing_that_is_let_through_takes_more_or_brings_less(
        receiver in 0u8..3, target in 0u8..3, amount in word(), paid in word(), same in any::<bool>(), value in word(),
        sent in any::<bool>(), least in word(), told in word(), deadline in any::<u64>(), native in any::<bool>(),
    ) {
        let from = if native { Coin::NATIVE } else { Coin(at(1)) };
        let order = order(from, Coin(at(2)), amount, at(1), least);
        let call = Built {
            to: at(target),
            data: vec![0; 4],
            value: if sent { amount } else if same { U256::ZERO } else { value },
            from: None,
            gas: None,
        };
        let said = DecodedSwap {
            receiver: at(receiver),
            from,
            to: Coin(at(2)),
            amount: if same { amount } else { paid },
            least: told,
            exact: Exact::Paid,
            deadline: Some(deadline),
            settler: None,
        };
        let routers = Routers { targets: vec![at(1)], spenders: Vec::new() };
        let passed = built(&order, &call, Some(&said), &routers, NOW).is_ok();
        let right = call.to == at(1)
            && said.receiver == order.user
            && said.amount == amount
            && call.value == if native { amount } else { U256::ZERO }
            && said.least >= least
            && !said.least.is_zero()
            && deadline > NOW
            && deadline <= NOW + LONGEST_WAIT;
        prop_assert_eq!(passed, right);
    }
}
