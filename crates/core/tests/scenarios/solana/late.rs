//! Wallets of Solana that sign so late that the network may not take the transaction any more.

use super::*;

/// Preview whose wallet signs after this time, confirmed.
fn signing_after(wait: u64) -> (World, Rc<RefCell<SolanaNode>>) {
    let (mut world, node) = opened(wallet().when("solana_signTransaction", Behaviour::Late(wait)), node());
    paid(&mut world, "0.5");
    (world, node)
}

fn state(world: &World) -> (View, Phase, Option<Trouble>) {
    (view(world), form(world).phase, form(world).trouble)
}

const TOO_LATE: (View, Phase, Option<Trouble>) = (View::SolanaSendPreview, Phase::Failed, Some(Trouble::SignedLate));

#[test]
fn a_signature_after_the_last_block_is_never_sent_and_the_next_click_asks_for_one_of_a_new_block() {
    let (mut world, node) = signing_after(70_000);
    let first = asked(&world);
    // The last block that may have it is there.
    node.borrow_mut().height = 150;
    world.advance(70_000);
    assert_eq!((state(&world), sent(&node).len()), (TOO_LATE, 0));
    // The wallet is asked only after the visitor's click.
    world.advance(300_000);
    assert_eq!((state(&world), requests(&world).len(), sent(&node).len()), (TOO_LATE, 1, 0));
    (node.borrow_mut().block, node.borrow_mut().height) = ((4, 900), 760);
    let tried = node.borrow().params_of("simulateTransaction").len();
    world.wallets[0].behaviours.clear();
    pay(&mut world, Pay::ConfirmAsked);
    let second = asked(&world);
    assert_eq!(node.borrow().params_of("simulateTransaction").len(), tried + 1);
    assert!(second != first && second.windows(32).any(|bytes| bytes == [4; 32]));
    assert_eq!((view(&world), sent(&node)), (View::SolanaSendConfirmed, vec![sign_solana(&second, ALICE).1]));
}

#[test]
fn a_second_signature_that_is_late_too_is_not_sent_either() {
    let (mut world, node) = signing_after(70_000);
    node.borrow_mut().height = 150;
    world.advance(70_000);
    (node.borrow_mut().block, node.borrow_mut().height) = ((4, 300), 151);
    pay(&mut world, Pay::ConfirmAsked);
    node.borrow_mut().height = 1_000;
    world.advance(70_000);
    assert_eq!((state(&world), requests(&world).len(), sent(&node).len()), (TOO_LATE, 2, 0));
}

#[test]
fn what_changed_on_the_chain_meanwhile_stops_the_second_signature() {
    let (mut world, node) = signing_after(70_000);
    node.borrow_mut().height = 150;
    world.advance(70_000);
    node.borrow_mut().simulation = r#"{"err":"InsufficientFundsForFee","logs":[],"unitsConsumed":0}"#.into();
    pay(&mut world, Pay::ConfirmAsked);
    assert_eq!(state(&world), (View::SolanaSendPreview, Phase::Failed, Some(Trouble::Coin)));
    assert_eq!(requests(&world).len(), 1);
}

#[test]
fn a_slow_wallet_whose_transaction_may_still_be_in_a_block_pays() {
    let (mut world, node) = signing_after(40_000);
    node.borrow_mut().height = 149;
    world.advance(40_000);
    assert_eq!((view(&world), sent(&node).len()), (View::SolanaSendConfirmed, 1));
}

#[test]
fn a_wallet_that_signs_within_ten_seconds_is_not_too_late_whatever_a_node_says() {
    for (wait, view_then) in [(9_999, View::SolanaSendConfirmed), (10_000, View::SolanaSendPreview)] {
        let (mut world, node) = signing_after(wait);
        node.borrow_mut().height = 1_000_000;
        world.advance(wait);
        assert_eq!(view(&world), view_then, "{wait}");
        assert_eq!(sent(&node).is_empty(), view_then == View::SolanaSendPreview);
    }
}

#[test]
fn without_the_number_of_blocks_a_late_signature_is_not_sent() {
    let untried = (View::SolanaSendPreview, Phase::Failed, Some(Trouble::Untried));
    let (mut world, node) = signing_after(40_000);
    node.borrow_mut().missing = vec!["getBlockHeight"];
    world.advance(40_000);
    world.advance(20_000);
    assert_eq!((state(&world), sent(&node).len()), (untried, 0));
    let (mut world, node) = signing_after(40_000);
    world.node.mute = Some("getBlockHeight");
    world.advance(40_000);
    world.advance(14_999);
    assert_eq!(form(&world).phase, Phase::Confirming);
    world.advance(1);
    assert_eq!((state(&world), sent(&node).len()), (untried, 0));
}

#[test]
fn a_visitor_who_goes_back_while_the_number_of_blocks_is_read_sends_nothing() {
    let (mut world, node) = signing_after(40_000);
    world.node.late = Some(5_000);
    world.advance(41_000);
    assert_eq!(form(&world).phase, Phase::Confirming);
    world.modal(Modal::BackAsked);
    world.advance(60_000);
    assert_eq!((view(&world), sent(&node).len()), (View::SolanaSend, 0));
}
