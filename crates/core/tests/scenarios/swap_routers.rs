//! Scenarios of swaps by the routers of each provider: what their calldata says decides whether the wallet is asked.

use super::swap::*;
use portico_calldata::Protocol;
use portico_core::swap::{Event as Swap, Fault, Phase, Target};
use portico_testkit::exchange::hosted_with;
use portico_testkit::routers::{Order, SETTLER};
use portico_testkit::{World, options};

const THIEF: &str = "0x00000000000000000000000000000000000000ee";
/// Token that the visitor did not choose.
const WORTHLESS: &str = "0x00000000000000000000000000000000000000ff";
const THOUSAND: u128 = 1_000_000_000;
const LEAST: u128 = 2_970_000_000;

/// Node of the network, and the host's own one.
const NODES: [&str; 2] = ["rpc-31337.example", "host.example/v1?"];

/// One coin for at least 2,970 USDC, and 1,000 USDC for at least 990 DAI.
fn orders() -> [Order<'static>; 2] {
    let order = Order { receiver: ADDRESS, from: COIN, to: USDC, amount: ETHER, least: LEAST };
    [order, Order { from: USDC, to: DAI, amount: THOUSAND, least: 990 * ETHER, ..order }]
}

/// World with the preview of this order by a router of this protocol, which may take what is paid.
fn previewed(protocol: Protocol, order: Order) -> World {
    previewed_with(protocol, order, THOUSAND)
}

/// As [`previewed`], with this allowance in USDC.
fn previewed_with(protocol: Protocol, order: Order, allowed: u128) -> World {
    let mut world = opened_in(market_of(&hosted_with(&options(), protocol), alpha()));
    world.node.settlers = vec![("", [Some(word_of(SETTLER)), None])];
    allows(&mut world, USDC, allowed);
    let text = if order.from == COIN { "1" } else { "1000" };
    if order.from == USDC {
        act(&mut world, Swap::FlipAsked);
        choose(&mut world, Target::ToToken, order.to);
    }
    quotes(&mut world, order.from, order.to, order.amount, order.least / 99 * 100);
    builds_order(&mut world, protocol, order, order);
    typed(&mut world, text);
    act(&mut world, Swap::ReviewAsked);
    world
}

/// Makes the server build this call from now on, while its own words are those of `told`.
fn builds_order(world: &mut World, protocol: Protocol, call: Order, told: Order) {
    let value = if told.from == COIN { told.amount } else { 0 };
    builds_call(world, ROUTER, &call.call(protocol), told.amount, value, told.least);
}

fn word_of(address: &str) -> String {
    format!("0x{:0>64}", &address[2..])
}

/// Confirms, and lets other nodes be asked where one does not answer.
fn confirm(world: &mut World) {
    act(world, Swap::ConfirmAsked);
    world.advance(30_000);
}

#[test]
fn each_providers_call_is_signed_where_it_pays_the_visitor_and_refused_where_it_pays_a_thief() {
    use Protocol::{AllowanceHolder, Lifi, Oneinch, SwapRouter, UniversalRouter};
    for protocol in [Lifi, Oneinch, UniversalRouter, SwapRouter, AllowanceHolder] {
        // The Universal Router takes no token by an approval.
        for order in orders().into_iter().filter(|order| order.from == COIN || protocol.spends()) {
            let mut world = previewed(protocol, order);
            confirm(&mut world);
            let signed = sent(&world);
            assert_eq!(signed.len(), 1, "{protocol:?} {order:?} {:?}", form(&world).fault);
            assert_eq!(signed[0].get("to").as_str(), Some(ROUTER));
            assert_eq!(signed[0].get("data").as_str(), Some(order.call(protocol).as_str()));
            for lie in [
                Order { receiver: THIEF, ..order },
                Order { receiver: ROUTER, ..order },
                Order { to: WORTHLESS, ..order },
                Order { least: order.least - 1, ..order },
            ] {
                let mut world = previewed(protocol, order);
                builds_order(&mut world, protocol, lie, order);
                confirm(&mut world);
                let told = (form(&world).phase, form(&world).fault, sent(&world).len());
                assert_eq!(told, (Phase::Failed, Some(Fault::Mismatch), 0), "{protocol:?} {lie:?}");
            }
        }
    }
}

#[test]
fn the_universal_router_is_offered_for_no_token_because_an_approval_would_not_reach_it() {
    let [_, order] = orders();
    let mut world = previewed(Protocol::UniversalRouter, order);
    assert!(form(&world).quote.is_none());
    confirm(&mut world);
    assert!(sent(&world).is_empty());
}

/// World with the preview of a swap by 0x; the nodes tell these Settlers, the current and the previous one, once it is confirmed.
fn by_settler(order: Order, told: [[Option<&str>; 2]; 2]) -> World {
    let mut world = previewed(Protocol::AllowanceHolder, order);
    let words = told.map(|row| row.map(|address| address.map(word_of)));
    world.node.settlers = NODES.into_iter().zip(words).collect();
    world
}

#[test]
fn a_call_of_0x_is_signed_where_two_nodes_say_that_its_settler_is_registered() {
    let (ours, other) = (Some(SETTLER), Some(THIEF));
    for told in [
        // The current one, whatever was before it; and the previous one, which stays in use for some time.
        [ours, None],
        [ours, other],
        [other, ours],
    ] {
        for order in orders() {
            let mut world = by_settler(order, [told; 2]);
            confirm(&mut world);
            assert_eq!((sent(&world).len(), form(&world).fault), (1, None), "{told:?}");
        }
    }
}

#[test]
fn a_call_of_0x_whose_settler_is_not_registered_by_the_word_of_two_nodes_is_never_signed() {
    let (ours, other) = (Some(SETTLER), Some(THIEF));
    for told in [
        // Unregistered.
        [[other, other]; 2],
        [[other, None]; 2],
        // Paused by 0x.
        [[None, None]; 2],
        [[None, ours]; 2],
        // Two nodes that differ.
        [[ours, None], [other, other]],
        [[other, other], [ours, None]],
        [[other, ours], [other, other]],
        [[other, other], [other, ours]],
        // Only the host's own server knows it.
        [[None, None], [ours, None]],
        [[None, None], [other, ours]],
        [[other, None], [other, ours]],
    ] {
        for order in orders() {
            let mut world = by_settler(order, told);
            confirm(&mut world);
            let shown = (form(&world).phase, form(&world).fault, sent(&world).len());
            assert_eq!(shown, (Phase::Failed, Some(Fault::Mismatch), 0), "{told:?}");
        }
    }
}

#[test]
fn an_address_with_more_bytes_before_it_is_no_settler() {
    let dirty = Some(format!("0x01{}", &word_of(SETTLER)[4..]));
    for told in [[dirty.clone(), dirty], [Some("0x".into()), Some("0x".into())]] {
        let mut world = previewed(Protocol::AllowanceHolder, orders()[0]);
        world.node.settlers = vec![("", told)];
        confirm(&mut world);
        assert_eq!((form(&world).fault, sent(&world).len()), (Some(Fault::Mismatch), 0));
    }
}

#[test]
fn a_settler_that_only_the_hosts_own_server_vouches_for_is_refused_even_where_the_visitor_accepts_an_untested_swap() {
    for order in orders() {
        let mut world = previewed(Protocol::AllowanceHolder, order);
        world.node.unreachable = Some("rpc-31337.example");
        confirm(&mut world);
        // Nothing proves the swap either; the visitor agrees to it once more.
        act(&mut world, Swap::ConfirmAsked);
        world.advance(30_000);
        let shown = (form(&world).phase, form(&world).fault, sent(&world).len());
        assert_eq!(shown, (Phase::Failed, Some(Fault::Mismatch), 0));
    }
}

#[test]
fn an_approval_for_a_call_of_0x_is_asked_only_where_its_settler_is_registered() {
    let [_, order] = orders();
    for (registered, asked) in [(SETTLER, 1), (THIEF, 0)] {
        let mut world = previewed_with(Protocol::AllowanceHolder, order, 0);
        world.node.settlers = vec![("", [Some(word_of(registered)), None])];
        confirm(&mut world);
        assert_eq!((sent(&world).len(), form(&world).fault == Some(Fault::Mismatch)), (asked, asked == 0));
        assert!(sent(&world).iter().all(|call| call.get("to").as_str() == Some(USDC)));
    }
}
