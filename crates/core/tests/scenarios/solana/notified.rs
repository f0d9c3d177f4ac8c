//! Payments on Solana about which the host's server sends notifications.

use super::*;

const URL: &str = "https://host.example/v1/ws?chainId=solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp&projectId=test";
const CONFIRMED: &str = r#"{"slot":2,"confirmations":1,"err":null,"confirmationStatus":"confirmed"}"#;

fn host() -> String {
    every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1)
}

/// Page of a host with a server, which accepts WebSockets or refuses them, and a visitor who has confirmed a payment.
fn paid(accepts: bool) -> (World, Rc<RefCell<SolanaNode>>) {
    let (mut world, node) = opened_on(&host(), wallet(), node());
    world.sockets.accepts = accepts;
    pay_again(&mut world, "0.5");
    (world, node)
}

fn pay_again(world: &mut World, amount: &str) {
    fill(world, amount, &solana_address(BOB));
    pay(world, Pay::ReviewAsked);
    pay(world, Pay::ConfirmAsked);
}

/// As [`paid`], and the server has accepted the subscription under the number 7.
fn subscribed() -> (World, Rc<RefCell<SolanaNode>>) {
    let (mut world, node) = paid(true);
    let id = last_id(&world);
    world.socket_tells(&format!(r#"{{"jsonrpc":"2.0","result":7,"id":{id}}}"#));
    (world, node)
}

/// Id of the last request that was sent through a socket.
fn last_id(world: &World) -> u64 {
    parse(&world.sockets.sent.last().unwrap().1).unwrap().get("id").as_u64().unwrap()
}

fn notification(number: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"signatureNotification","params":{{"result":{{"context":{{"slot":5}},"value":{{"err":null}}}},"subscription":{number}}}}}"#
    )
}

fn state(world: &World) -> SentState {
    form(world).sent.unwrap().receipt.state
}

/// Number of questions about the state of transactions.
fn questions(node: &Rc<RefCell<SolanaNode>>) -> usize {
    node.borrow().params_of("getSignatureStatuses").len()
}

#[test]
fn the_server_of_the_host_is_asked_to_tell_when_a_payment_is_confirmed() {
    let (world, node) = paid(true);
    let [(url, text)] = &world.sockets.sent[..] else { panic!("one message") };
    assert_eq!(url, URL);
    let text = parse(text).unwrap();
    let signature = base58::encode(&sent(&node)[0][1..65]);
    assert_eq!(text.get("method").as_str(), Some("signatureSubscribe"));
    let wanted = format!(r#"["{signature}",{{"commitment":"confirmed"}}]"#);
    assert_eq!(*text.get("params"), parse(&wanted).unwrap());
}

#[test]
fn a_notification_brings_the_confirmation_without_a_wait_for_the_next_poll_and_the_socket_is_closed() {
    let (mut world, node) = subscribed();
    node.borrow_mut().status = CONFIRMED.into();
    assert_eq!((state(&world), world.sockets.open.len()), (SentState::Pending, 1));
    world.socket_tells(&notification("7"));
    assert_eq!((state(&world), world.sockets.open.len()), (SentState::Confirmed, 0));
}

#[test]
fn a_notification_that_is_made_up_changes_nothing_and_polling_goes_on() {
    let (mut world, node) = subscribed();
    for _ in 0..20 {
        world.socket_tells(&notification("7"));
    }
    assert_eq!(state(&world), SentState::Pending);
    assert_eq!(questions(&node), 1, "only the first one counts");
    let failed = notification("7").replace(r#"{"err":null}"#, r#"{"err":{"InstructionError":[2,{"Custom":1}]}}"#);
    world.socket_tells(&failed);
    world.advance(4_000);
    assert_eq!((state(&world), questions(&node)), (SentState::Pending, 3));
    node.borrow_mut().status = CONFIRMED.into();
    world.advance(2_150);
    assert_eq!(state(&world), SentState::Confirmed);
}

#[test]
fn polling_is_rarer_while_a_notification_is_expected() {
    for (accepts, expected) in [(true, 3), (false, 5)] {
        let (mut world, node) = if accepts { subscribed() } else { paid(false) };
        world.advance(10_000);
        assert_eq!(questions(&node), expected, "{accepts}");
        node.borrow_mut().status = CONFIRMED.into();
        world.advance(4_150);
        assert_eq!(state(&world), SentState::Confirmed, "{accepts}");
    }
}

#[test]
fn a_refused_socket_is_tried_again_after_pauses_that_grow_and_five_times_at_most() {
    let (mut world, _) = paid(false);
    let mut times = Vec::new();
    let start = world.now;
    for _ in 0..200 {
        let before = world.sockets.sent.len();
        world.advance(1_000);
        if world.sockets.sent.len() > before {
            times.push((world.now - start) / 1_000);
        }
    }
    assert_eq!(times, [4, 12, 28, 60]);
}

#[test]
fn a_socket_that_ends_is_followed_by_a_question_at_once_and_by_polling_as_without_one() {
    let (mut world, node) = subscribed();
    world.advance(2_000);
    let before = questions(&node);
    world.advance(1_000);
    world.sockets_end();
    assert_eq!(questions(&node), before + 1);
    world.sockets.accepts = false;
    world.advance(8_000);
    assert_eq!(questions(&node), before + 5);
    assert_eq!(state(&world), SentState::Pending);
}

#[test]
fn a_socket_that_ends_is_opened_again_and_a_notification_of_the_new_one_counts() {
    let (mut world, node) = subscribed();
    world.sockets_end();
    world.advance(4_000);
    assert_eq!((world.sockets.open.len(), world.sockets.sent.len()), (1, 2));
    world.socket_tells(&notification("7"));
    let id = last_id(&world);
    world.socket_tells(&format!(r#"{{"jsonrpc":"2.0","result":9,"id":{id}}}"#));
    node.borrow_mut().status = CONFIRMED.into();
    world.socket_tells(&notification("7"));
    assert_eq!(state(&world), SentState::Pending, "the number of the first socket");
    world.socket_tells(&notification("9"));
    assert_eq!(state(&world), SentState::Confirmed);
}

#[test]
fn messages_that_are_not_about_the_payment_are_ignored() {
    let (mut world, node) = paid(true);
    let id = last_id(&world);
    node.borrow_mut().status = CONFIRMED.into();
    let asked = questions(&node);
    // Not accepted yet.
    world.socket_tells(&notification("7"));
    world.socket_tells(&format!(r#"{{"jsonrpc":"2.0","result":5,"id":{}}}"#, id + 1));
    world.socket_tells(&notification("5"));
    world.socket_tells(&format!(r#"{{"jsonrpc":"2.0","result":7,"id":{id}}}"#));
    let padded = format!(r#"{} {}"#, notification("7"), " ".repeat(65_536));
    for strange in [
        "",
        "7",
        "null",
        "[]",
        "{}",
        r#"{"method":"signatureNotification"}"#,
        &notification("8"),
        &notification(r#""7""#),
        &notification("7.5"),
        &notification("-7"),
        &notification("null"),
        &notification("7").replace("signatureNotification", "accountNotification"),
        &notification("7")[1..],
        &format!("[{}]", notification("7")),
        &"[".repeat(60_000),
        &padded,
    ] {
        world.socket_tells(strange);
        assert_eq!(
            (state(&world), questions(&node)),
            (SentState::Pending, asked),
            "{}",
            &strange[..strange.len().min(90)]
        );
    }
    let other = Pay::MessageReceived { url: "https://evil.example/".into(), text: notification("7") };
    pay(&mut world, other);
    assert_eq!(state(&world), SentState::Pending);
    world.socket_tells(&notification("7"));
    assert_eq!(state(&world), SentState::Confirmed);
}

#[test]
fn a_server_that_sends_message_after_message_is_heard_no_more() {
    let (mut world, node) = subscribed();
    for _ in 0..63 {
        world.socket_tells("{}");
    }
    assert_eq!(world.sockets.open.len(), 1);
    world.socket_tells("{}");
    assert!(world.sockets.open.is_empty());
    world.advance(100_000);
    assert_eq!(world.sockets.sent.len(), 1);
    node.borrow_mut().status = CONFIRMED.into();
    world.advance(2_150);
    assert_eq!(state(&world), SentState::Confirmed);
}

#[test]
fn a_refused_subscription_is_not_repeated_and_polling_stays_as_it_is() {
    let (mut world, node) = paid(true);
    let id = last_id(&world);
    world.socket_tells(&format!(
        r#"{{"jsonrpc":"2.0","error":{{"code":-32601,"message":"Method not found"}},"id":{id}}}"#
    ));
    world.advance(10_000);
    assert_eq!((world.sockets.sent.len(), questions(&node)), (1, 5));
}

#[test]
fn payments_share_a_socket_and_only_four_of_them_are_subscribed_to() {
    let (mut world, node) = paid(true);
    for (number, amount) in ["0.1", "0.11", "0.12", "0.13", "0.14"].into_iter().enumerate() {
        node.borrow_mut().block.0 = 10 + u8::try_from(number).unwrap();
        world.modal(Modal::BackAsked);
        world.open(Some("WalletSend"));
        pay_again(&mut world, amount);
    }
    assert!(sent(&node).len() > 5);
    assert_eq!((world.sockets.open.len(), world.sockets.sent.len()), (1, 4));
    node.borrow_mut().status = CONFIRMED.into();
    world.advance(2_150);
    assert!(world.sockets.open.is_empty());
}

#[test]
fn a_payment_of_an_earlier_page_is_subscribed_to_too() {
    let (mut world, node) = subscribed();
    world.come_back();
    assert_eq!((world.sockets.open.len(), world.sockets.sent.len()), (1, 2));
    let id = last_id(&world);
    world.socket_tells(&format!(r#"{{"jsonrpc":"2.0","result":3,"id":{id}}}"#));
    node.borrow_mut().status = CONFIRMED.into();
    world.socket_tells(&notification("3"));
    // A snack appears after a moment.
    world.advance(150);
    assert_eq!(world.snack(), Some(Message::TransactionConfirmed));
    assert!(world.sockets.open.is_empty());
}

#[test]
fn no_socket_is_opened_where_the_host_named_no_server() {
    let (mut world, _) = opened(wallet(), node());
    world.sockets.accepts = true;
    pay_again(&mut world, "0.5");
    world.advance(10_000);
    assert_eq!((state(&world), world.sockets.sent.len()), (SentState::Pending, 0));
}

#[test]
fn a_payment_that_expires_closes_the_socket() {
    let (mut world, node) = subscribed();
    node.borrow_mut().height = 151;
    world.advance(150_000);
    assert_eq!((state(&world), world.sockets.open.len()), (SentState::Expired, 0));
}
