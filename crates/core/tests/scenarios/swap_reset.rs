//! Scenarios of a form that is reset by another network or account: late responses for the old form are ignored, and signed transactions
//! are still followed.

use super::swap::*;
use portico_core::modal::{Event as Modal, View};
use portico_core::swap::{Event as Swap, Phase, Target};
use portico_testkit::{Behaviour, World};

const OTHER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/// Switches to another network and back within the same moment.
fn there_and_back(world: &mut World) {
    world.wallet_switches(31338);
    world.wallet_switches(31337);
}

#[test]
fn a_swap_that_is_signed_after_the_network_changed_is_still_followed() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Late(30_000)));
    act(&mut world, Swap::ConfirmAsked);
    there_and_back(&mut world);
    world.advance(30_000);
    assert_eq!(form(&world).pending.len(), 1);
    world.node.receipts.insert(hash("ab"), true);
    world.advance(4_100);
    assert!(form(&world).pending.is_empty() && world.event_names().contains(&"SWAP_SUCCESS"));
}

#[test]
fn a_late_refusal_to_quote_for_the_form_before_is_none_for_this_one() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, 2 * ETHER, 5_990_000_000);
    world.server.late = 5_000;
    // The server has no quote for this amount.
    typed(&mut world, "1");
    world.server.late = 0;
    there_and_back(&mut world);
    choose(&mut world, Target::ToToken, USDC);
    world.server.late = 60_000;
    typed(&mut world, "2");
    world.advance(5_000);
    assert_eq!((form(&world).quote_fault, form(&world).loading), (None, true));
}

#[test]
fn a_late_refusal_to_build_for_the_form_before_does_not_stop_this_one() {
    let mut world = reviewed(alpha());
    world.server.answers(BUILD, 502, "");
    world.server.late = 5_000;
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(form(&world).phase, Phase::Building);
    world.server.late = 0;
    there_and_back(&mut world);
    world.modal(Modal::ViewAsked { view: View::Swap });
    choose(&mut world, Target::ToToken, USDC);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    world.server.late = 60_000;
    act(&mut world, Swap::ConfirmAsked);
    world.advance(5_000);
    assert_eq!((view(&world), form(&world).phase), (View::SwapPreview, Phase::Building));
}

#[test]
fn a_late_balance_of_the_account_before_is_not_that_of_this_one() {
    let mut world = market(alpha());
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    world.node.late = Some(5_000);
    choose(&mut world, Target::SourceToken, USDC);
    world.node.late = None;
    has(&mut world, USDC, 7_000_000);
    world.wallet_shows(&[OTHER]);
    choose(&mut world, Target::SourceToken, USDC);
    world.advance(6_000);
    act(&mut world, Swap::MaxAsked);
    assert_eq!(form(&world).source_token_amount, "7");
}

#[test]
fn a_wallet_that_cannot_do_calls_together_is_not_asked_again_after_the_network_changed() {
    let able = portico_json::parse(r#"{"0x7a69":{"atomic":{"status":"supported"}}}"#).unwrap();
    let refusal = portico_json::parse(r#"{"code":5700,"message":"No"}"#).unwrap();
    let wallet = alpha()
        .when("wallet_getCapabilities", Behaviour::Nonsense(able))
        .when("wallet_sendCalls", Behaviour::Throw(refusal));
    let mut world = reviewed_token(wallet);
    act(&mut world, Swap::ConfirmAsked);
    there_and_back(&mut world);
    world.modal(Modal::ViewAsked { view: View::Swap });
    choose(&mut world, Target::ToToken, USDC);
    act(&mut world, Swap::FlipAsked);
    typed(&mut world, "1000");
    act(&mut world, Swap::ReviewAsked);
    act(&mut world, Swap::ConfirmAsked);
    let asked = world.wallets[0].requests.iter().filter(|(method, _)| method == "wallet_sendCalls").count();
    assert_eq!((asked, sent(&world).len()), (1, 2));
}
