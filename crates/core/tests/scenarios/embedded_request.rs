//! Scenarios of requests to the embedded wallet: approval in the frame, reads, chains, refusals.

use portico_api::frame::FrameEvent;
use portico_core::embedded::{Event, LIMIT, Method, REFUSED, SETTLE};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_json::{Value, parse};
use portico_testkit::{Store, World, options, with_login};

fn value(text: &str) -> Value {
    parse(text).unwrap()
}

fn world() -> World {
    World::with(&with_login(&options()), vec![], Store::default())
}

fn logged_in() -> World {
    let mut world = world();
    world.open(None);
    world.embedded(Event::EmailSubmitted { email: "alice@example.org".into() });
    world.advance(SETTLE);
    world.embedded(Event::CodeTyped { text: "123456".into() });
    world
}

fn request(world: &mut World, method: &str, params: &str, ticket: u32) {
    world.embedded(Event::RequestAsked { method: method.into(), params: value(params), chain: None, ticket });
}

fn view(world: &World) -> View {
    world.snapshot().modal.view
}

fn address(world: &World) -> Option<String> {
    world.snapshot().account.accounts.first().and_then(|account| account.address.clone())
}

#[test]
fn spec_2_26_and_7_28_a_request_that_needs_approval_opens_the_frame_and_its_answer_closes_it() {
    let mut world = logged_in();
    request(&mut world, "personal_sign", r#"["0x68","0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]"#, 7);
    let snapshot = world.snapshot();
    assert!(snapshot.modal.open && snapshot.embedded.approving);
    assert_eq!(snapshot.modal.view, View::ApproveTransaction);
    assert_eq!(
        world.frame.payloads(FrameEvent::RpcRequest),
        [&value(
            r#"{"method":"personal_sign","params":["0x68","0x70997970C51812dc3A010C7d01b50e0d17dc79C8"],"chainId":31337,"chainNamespace":"eip155"}"#
        )]
    );
    world.advance(10 * LIMIT);
    assert_eq!(world.answer(7), None, "the visitor has all the time");
    world.frame_answers(FrameEvent::RpcRequest, Ok("0xsigned".into()));
    assert_eq!(world.answer(7).as_deref(), Some(r#"[{"type":"resolved","value":"0xsigned"}]"#));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_4_39_after_an_approval_the_modal_shows_what_it_showed_before_and_the_balance_is_read_again() {
    let mut world = logged_in();
    world.open(None);
    world.advance(60_000);
    let reads = world.node.urls.len();
    request(&mut world, "eth_sendTransaction", r#"[{"to":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"}]"#, 7);
    assert_eq!(view(&world), View::ApproveTransaction);
    world.frame_answers(FrameEvent::RpcRequest, Ok("0x11".into()));
    assert_eq!(view(&world), View::Account);
    assert!(world.node.urls.len() > reads);
}

#[test]
fn spec_4_38_after_an_error_the_modal_goes_back_or_closes() {
    let mut world = logged_in();
    request(&mut world, "personal_sign", "[]", 7);
    world.frame_answers(FrameEvent::RpcRequest, Err(value(r#"{"message":"Declined","code":4001}"#)));
    assert_eq!(
        world.answer(7).as_deref(),
        Some(r#"[{"type":"rejected","error":{"reason":"userRejected","message":"Declined","code":4001}}]"#)
    );
    assert!(!world.snapshot().modal.open);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Networks });
    request(&mut world, "personal_sign", "[]", 8);
    assert_eq!(view(&world), View::ApproveTransaction);
    world.frame_answers(FrameEvent::RpcRequest, Err(value(r#"{"message":"Declined","code":4001}"#)));
    assert!(world.answer(8).is_some_and(|answer| answer.contains("userRejected")));
    assert!(world.snapshot().modal.open, "what the visitor had open stays");
    assert_eq!(view(&world), View::Networks);
    world.modal(Modal::BackAsked);
    assert_eq!(view(&world), View::Account);
}

#[test]
fn spec_8_37_a_request_whose_window_is_closed_was_aborted() {
    for leave in [Modal::CloseAsked, Modal::BackAsked] {
        let mut world = logged_in();
        world.open(None);
        request(&mut world, "personal_sign", "[]", 7);
        world.modal(leave);
        assert_eq!(
            world.answer(7).as_deref(),
            Some(
                r#"[{"type":"rejected","error":{"reason":"userRejected","message":"Request was aborted","code":4001}}]"#
            )
        );
        assert_eq!(world.frame.payloads(FrameEvent::RpcAbort).len(), 1);
        world.frame_answers(FrameEvent::RpcRequest, Ok("0xsigned".into()));
        assert_eq!(world.answers[&7].len(), 1);
    }
}

#[test]
fn a_host_that_opens_another_view_aborts_the_request() {
    let mut world = logged_in();
    request(&mut world, "personal_sign", "[]", 7);
    world.open(Some("Networks"));
    assert!(world.answer(7).is_some_and(|answer| answer.contains("Request was aborted")));
    assert_eq!(view(&world), View::Networks);
}

#[test]
fn one_request_is_decided_at_a_time() {
    let mut world = logged_in();
    request(&mut world, "personal_sign", "[]", 7);
    request(&mut world, "personal_sign", "[]", 8);
    assert!(world.answer(8).is_some_and(|answer| answer.contains("-32002")));
    assert_eq!(world.frame.payloads(FrameEvent::RpcRequest).len(), 1);
}

#[test]
fn spec_4_41_and_8_36_and_9_21_a_method_that_is_not_accepted_opens_the_modal_and_is_told_after_300_milliseconds() {
    assert_eq!(REFUSED, 300);
    let mut world = logged_in();
    request(&mut world, "personal_sign", "[]", 7);
    request(&mut world, "eth_sign", "[]", 8);
    assert!(world.answer(8).is_some_and(|answer| answer.contains("Requested RPC call is not allowed")));
    assert!(world.answer(7).is_some_and(|answer| answer.contains("Request was aborted")));
    world.advance(REFUSED - 1);
    assert_eq!(world.snapshot().notice.snack, None);
    world.advance(1);
    assert_eq!(world.snack(), Some(Message::ActionNotAllowed));
    assert!(world.snapshot().modal.open);
    assert_eq!(Message::ActionNotAllowed.text(), "Action not allowed");
}

#[test]
fn spec_5_28_malformed_calls_never_reach_the_frame() {
    let mut world = logged_in();
    request(&mut world, "wallet_sendCalls", r#"[{"calls":[{"to":"nobody"}]}]"#, 7);
    assert!(world.answer(7).is_some_and(|answer| answer.contains("-32602")));
    let long = format!(r#"["0x{}"]"#, "00".repeat(130_000));
    request(&mut world, "personal_sign", &long, 8);
    assert!(world.answer(8).is_some_and(|answer| answer.contains("-32602")));
    assert!(world.frame.payloads(FrameEvent::RpcRequest).is_empty());
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_5_30_reads_go_to_a_node_and_open_no_window() {
    let mut world = logged_in();
    request(&mut world, "eth_getBalance", r#"["0x70997970C51812dc3A010C7d01b50e0d17dc79C8","latest"]"#, 7);
    request(&mut world, "eth_chainId", "null", 8);
    request(&mut world, "net_version", "null", 9);
    world.advance(1_000);
    assert_eq!(world.answer(7).as_deref(), Some(r#"[{"type":"resolved","value":"0x0"}]"#));
    assert_eq!(world.answer(8).as_deref(), Some(r#"[{"type":"resolved","value":"0x7a69"}]"#));
    assert_eq!(world.answer(9).as_deref(), Some(r#"[{"type":"resolved","value":"31337"}]"#));
    assert!(!world.snapshot().modal.open);
}

#[test]
fn spec_7_13_another_chain_is_chosen_in_the_frame() {
    let mut world = logged_in();
    request(&mut world, "wallet_switchEthereumChain", r#"[{"chainId":"0x7a6a"}]"#, 7);
    assert_eq!(world.answer(7).as_deref(), Some(r#"[{"type":"resolved","value":null}]"#));
    request(&mut world, "eth_chainId", "null", 8);
    assert_eq!(world.answer(8).as_deref(), Some(r#"[{"type":"resolved","value":"0x7a6a"}]"#));
    request(&mut world, "wallet_switchEthereumChain", r#"[{"chainId":"0x99"}]"#, 9);
    assert!(world.answer(9).is_some_and(|answer| answer.contains("Chain is not supported") && answer.contains("4902")));
}

#[test]
fn spec_8_41_a_chain_cannot_be_added() {
    let mut world = logged_in();
    request(&mut world, "wallet_addEthereumChain", r#"[{"chainId":"0x7a6a"}]"#, 7);
    assert!(world.answer(7).is_some_and(|answer| answer.contains("Chain is not supported")));
}

#[test]
fn nobody_signs_before_a_login() {
    let mut world = world();
    request(&mut world, "personal_sign", "[]", 7);
    request(&mut world, "eth_accounts", "null", 8);
    request(&mut world, "eth_requestAccounts", "null", 9);
    world.advance(SETTLE);
    assert!(world.answer(7).is_some_and(|answer| answer.contains("4100")));
    assert_eq!(world.answer(8).as_deref(), Some(r#"[{"type":"resolved","value":[]}]"#));
    assert!(world.answer(9).is_some_and(|answer| answer.contains("4100")));
}

#[test]
fn a_session_that_the_frame_ended_disconnects_and_one_that_goes_on_does_not() {
    for goes_on in [false, true] {
        let mut world = logged_in();
        world.frame.session = goes_on;
        request(&mut world, "personal_sign", "[]", 7);
        world.frame_answers(FrameEvent::RpcRequest, Err(value(r#"{"message":"Not this account","code":4100}"#)));
        assert!(world.answer(7).is_some_and(|answer| answer.contains("4100")));
        assert_eq!(address(&world).is_some(), goes_on);
        let used = |entry: &portico_core::StoredEntry| entry.key == "@appkit-wallet/EMAIL_LOGIN_USED_KEY";
        assert_eq!(world.store.entries().iter().any(used), goes_on);
    }
}

#[test]
fn a_frame_that_loads_anew_loses_its_requests_and_serves_the_next() {
    let mut world = logged_in();
    request(&mut world, "personal_sign", "[]", 7);
    world.embedded(Event::FrameRestarted);
    assert!(world.answer(7).is_some_and(|answer| answer.contains("Something went wrong")));
    assert!(!world.snapshot().modal.open);
    request(&mut world, "personal_sign", "[]", 8);
    world.advance(SETTLE);
    assert_eq!(world.frame.payloads(FrameEvent::RpcRequest).len(), 2);
}

#[test]
fn a_request_that_fails_after_the_approval_is_told_with_a_next_step_and_one_that_was_cancelled_is_not() {
    let told = |code: &str, message: &str| {
        let mut world = logged_in();
        request(&mut world, "eth_sendTransaction", r#"[{"to":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"}]"#, 7);
        world.frame_answers(FrameEvent::RpcRequest, Err(value(&format!(r#"{{"message":"{message}"{code}}}"#))));
        assert!(world.answer(7).is_some_and(|answer| answer.contains(message)));
        let snapshot = world.snapshot();
        assert!(!snapshot.modal.open);
        snapshot.notice.snack.and_then(|snack| snack.message)
    };
    assert_eq!(told(r#","code":-32000"#, "insufficient funds"), Some(Message::NetworkRefused));
    assert_eq!(told(r#","code":3"#, "execution reverted"), Some(Message::NetworkRefused));
    assert_eq!(told("", "This wallet is frozen"), Some(Message::WalletFrozen));
    assert_eq!(told(r#","code":4900"#, "Something went wrong"), Some(Message::WalletUnreachable));
    assert_eq!(told(r#","code":4901"#, "Couldn't confirm"), Some(Message::TransactionUnsure));
    assert_eq!(told("", "An error occurred"), Some(Message::RequestFailed));
    assert_eq!(told(r#","code":4001"#, "Request was aborted"), None);
    assert_eq!(told(r#","code":4001"#, portico_api::frame::BLOCKED), Some(Message::SiteBlocked));
}

const DEVNET: &str = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const SOLANA: &str = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi";

fn on_chain(world: &mut World, method: &str, chain: Option<&str>, ticket: u32) {
    let params = value(r#"{"message":"2g","pubkey":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"}"#);
    world.embedded(Event::RequestAsked { method: method.into(), params, chain: chain.map(Into::into), ticket });
}

#[test]
fn spec_5_31_a_request_to_the_solana_account_opens_the_frame_with_its_network() {
    for (named, chain) in [(Some(DEVNET), DEVNET), (None, "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")] {
        let mut world = logged_in();
        on_chain(&mut world, "solana_signMessage", named, 7);
        assert_eq!(view(&world), View::ApproveTransaction);
        let sent = world.frame.payloads(FrameEvent::RpcRequest)[0];
        assert_eq!((sent.get("chainId").as_str(), sent.get("chainNamespace").as_str()), (Some(chain), Some("solana")));
        world.frame_answers(FrameEvent::RpcRequest, Ok(value(r#"{"signature":"5"}"#)));
        assert_eq!(world.answer(7).as_deref(), Some(r#"[{"type":"resolved","value":{"signature":"5"}}]"#));
    }
}

#[test]
fn spec_8_41_a_network_of_another_namespace_is_not_supported() {
    let mut world = logged_in();
    for (method, chain) in
        [("solana_signMessage", "eip155:1"), ("solana_signMessage", "devnet"), ("personal_sign", DEVNET)]
    {
        on_chain(&mut world, method, Some(chain), 7);
        assert!(world.answer(7).unwrap().contains("Chain is not supported"), "{method} {chain}");
    }
    assert!(world.frame.payloads(FrameEvent::RpcRequest).is_empty());
}

#[test]
fn spec_7_21_the_account_on_solana_is_told_and_the_connected_one_stays() {
    let mut world = logged_in();
    let before = address(&world);
    world.frame.silent.push(FrameEvent::GetUser);
    let payload = value(&format!(r#"{{"chainId":"{DEVNET}"}}"#));
    world.embedded(Event::MethodCalled { method: Method::GetUser, payload: payload.clone(), ticket: 8 });
    assert_eq!(world.frame.payloads(FrameEvent::GetUser).last(), Some(&&payload));
    let user = format!(r#"{{"address":"{SOLANA}","chainId":"{DEVNET}","accounts":[]}}"#);
    world.frame_answers(FrameEvent::GetUser, Ok(value(&user)));
    let told = world.answer(8).unwrap();
    assert!(told.contains(&format!(r#""address":"{SOLANA}","chainId":"{DEVNET}""#)), "{told}");
    assert!(told.contains("alice@example.org"), "{told}");
    assert_eq!(address(&world), before);
    world.embedded(Event::MethodCalled { method: Method::GetUser, payload, ticket: 9 });
    world.frame_answers(
        FrameEvent::GetUser,
        Ok(value(r#"{"address":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","chainId":1,"accounts":[]}"#)),
    );
    assert!(world.answer(9).unwrap().contains("rejected"));
}
