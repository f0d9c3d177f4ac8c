//! Payments on Solana that can be in no further block, and whose outcome some of the nodes do not tell.

use super::*;

const NODES: &str = r#"["https://solana.example","https://other.example"]"#;
const DENIAL: &str = r#"{"context":{"slot":9},"value":[null]}"#;
const FAILED: &str =
    r#"{"slot":2,"confirmations":null,"err":{"InstructionError":[2,{"Custom":1}]},"confirmationStatus":"finalized"}"#;

/// Payment of a page that knows these nodes, in JSON, and perhaps a server; its last block is final. `prepare` comes after the payment.
fn over(nodes: &str, server: bool, prepare: impl Fn(&mut World)) -> (World, Rc<RefCell<SolanaNode>>) {
    let options = every_namespace().replace(r#"["https://solana.example"]"#, nodes);
    let server = if server { r#"{"endpoints":"https://host.example","# } else { "{" };
    let (mut world, node) = opened_on(&options.replacen('{', server, 1), wallet(), node());
    paid(&mut world, "0.5");
    prepare(&mut world);
    node.borrow_mut().height = 151;
    (world, node)
}

fn state(world: &World) -> SentState {
    form(world).sent.unwrap().receipt.state
}

#[test]
fn a_success_is_told_by_the_other_side_where_a_liar_comes_first_and_the_server_refuses_to_serve() {
    for liar in ["solana.example", "other.example"] {
        let (mut world, node) = over(NODES, true, |world| {
            world.node.out = Some("host.example");
            world.node.made_up = Some((liar, "getSignatureStatuses", DENIAL.into()));
        });
        node.borrow_mut().status = r#"{"slot":2,"confirmations":3,"err":null,"confirmationStatus":"processed"}"#.into();
        world.advance(119_000);
        node.borrow_mut().status = FINAL.into();
        world.advance(20_000);
        assert_eq!(state(&world), SentState::Confirmed, "{liar}");
    }
}

#[test]
fn an_end_needs_both_nodes_and_until_then_the_visitor_is_told_to_look_at_the_explorer() {
    for end in ["null", FAILED] {
        let (mut world, node) = over(NODES, false, |world| world.node.out = Some("other.example"));
        node.borrow_mut().status = end.into();
        world.advance(100_000);
        assert_eq!(state(&world), SentState::Pending, "{end}");
        world.advance(200_000);
        assert_eq!((state(&world), form(&world).pending.len()), (SentState::Lost, 1), "{end}");
        world.node.out = None;
        world.advance(60_000);
        let expected = if end == FAILED { SentState::Failed } else { SentState::Expired };
        assert_eq!((state(&world), form(&world).pending.len()), (expected, 0), "{end}");
    }
}

#[test]
fn a_success_counts_after_the_visitor_was_told_to_look_at_the_explorer() {
    let (mut world, node) = over(NODES, false, |world| world.node.out = Some("other.example"));
    world.advance(300_000);
    assert_eq!(state(&world), SentState::Lost);
    node.borrow_mut().status = FINAL.into();
    world.advance(20_000);
    assert_eq!(state(&world), SentState::Confirmed);
}

#[test]
fn a_visitor_who_left_the_receipt_is_told_once_that_the_payment_is_still_pending() {
    let (mut world, _) = over(NODES, false, |world| world.node.out = Some("other.example"));
    world.modal(Modal::BackAsked);
    let mut told = 0;
    let mut before = None;
    for _ in 0..600 {
        world.advance(1_000);
        let now = world.snack();
        told += u32::from(now == Some(Message::TransactionPending) && now != before);
        before = now;
    }
    assert_eq!(told, 1);
}

#[test]
fn the_only_known_node_is_believed_that_a_payment_expired() {
    let (mut world, _) = over(r#"["https://solana.example"]"#, false, |_| ());
    world.advance(140_000);
    assert_eq!(state(&world), SentState::Expired);
}
