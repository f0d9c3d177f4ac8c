//! Scenarios of the form to send, its review and the wallet's answer.

use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::send::{AmountFault, Event as Send, Phase, ReceiverFault};
use portico_json::parse;
use portico_terms::Namespace;
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, every_namespace};

pub const RECEIVER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/// Address of the connected account.
pub const OWN: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
pub const SEND: &str = "eth_sendTransaction";

pub fn opened(wallet: ScriptedWallet) -> World {
    let mut world = World::new(vec![wallet]);
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world
}

pub fn fill(world: &mut World, amount: &str, receiver: &str) {
    world.dispatch(Event::Send(Send::AmountTyped { text: amount.into() }));
    world.dispatch(Event::Send(Send::ReceiverTyped { text: receiver.into() }));
    world.advance(500);
}

pub fn confirmed(wallet: ScriptedWallet) -> World {
    let mut world = opened(wallet);
    fill(&mut world, "1.5", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world
}

/// Sends once more; the wallet answers with this hash.
pub fn send_another(world: &mut World, amount: &str, hash: &str) {
    world.wallet().behaviours.insert(SEND.into(), Behaviour::Nonsense(portico_json::Value::Text(hash.into())));
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    fill(world, amount, RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
}

pub fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha")
}

pub fn sent(world: &World) -> Vec<portico_json::Value> {
    let asked = world.wallets[0].requests.iter().filter(|(method, _)| method == SEND);
    asked.map(|(_, params)| params.as_list().unwrap()[0].clone()).collect()
}

#[test]
fn spec_8_3_a_failure_that_does_not_tell_what_it_is_says_something_went_wrong_where_the_review_does_not() {
    let nonsense = alpha().when(SEND, Behaviour::Nonsense(parse("{}").unwrap()));
    let fault = parse(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#).unwrap();
    // The review says that the wallet may have sent it: a second message would add nothing.
    for wallet in [nonsense, alpha().when(SEND, Behaviour::Throw(fault.clone()))] {
        let world = confirmed(wallet);
        assert_eq!((world.snack(), world.snapshot().send.phase), (None, Phase::Unsure));
        assert_eq!(world.snapshot().modal.view, View::WalletSendPreview);
        assert!(world.event_names().contains(&"SEND_ERROR"));
    }
    let mut world = confirmed(alpha().when(SEND, Behaviour::LateThrow(5_000, fault)));
    world.modal(Modal::CloseAsked);
    world.advance(5_000);
    assert_eq!((world.snack(), world.snapshot().send.phase), (Some(Message::SomethingWentWrong), Phase::Unsure));
}

#[test]
fn spec_5_7_and_8_4_an_incomplete_form_says_please_enter_a_valid_amount_and_receiver_address() {
    let mut world = opened(alpha());
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!(world.snack(), Some(Message::EnterValidAmountAndReceiver));
    let send = world.snapshot().send;
    assert_eq!((send.amount_fault, send.receiver_fault), (Some(AmountFault::Missing), Some(ReceiverFault::Missing)));
}

#[test]
fn a_message_about_the_form_is_over_once_the_visitor_mends_it_and_repeats_no_error_beside_a_field() {
    let mut world = opened(alpha());
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!(world.snack(), Some(Message::EnterValidAmountAndReceiver));
    world.dispatch(Event::Send(Send::AmountTyped { text: "1".into() }));
    assert_eq!(world.snack(), None);
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!(world.snack(), Some(Message::EnterValidAmountAndReceiver));
    world.dispatch(Event::Send(Send::ReceiverTyped { text: RECEIVER.into() }));
    assert_eq!(world.snack(), None);
    for (amount, receiver) in [("99999", RECEIVER), ("1", "0x12"), ("1e3", "0x12")] {
        fill(&mut world, amount, receiver);
        world.dispatch(Event::Send(Send::ReviewAsked));
        assert_eq!((world.snapshot().modal.view, world.snack()), (View::WalletSend, None), "{amount} {receiver}");
    }
    // An error beside one field is enough, even where the other field is empty.
    fill(&mut world, "99999", "");
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!((world.snapshot().modal.view, world.snack()), (View::WalletSend, None));
    // A failure at the wallet is over when the visitor tries again.
    let failure = parse(r#"{"code":-32003,"message":"insufficient funds"}"#).unwrap();
    world.wallet().behaviours.insert(SEND.into(), Behaviour::Throw(failure));
    fill(&mut world, "1", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!(world.snack(), Some(Message::FailedToSendTransaction));
    world.wallet().behaviours.insert(SEND.into(), Behaviour::Silent);
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!((world.snack(), world.snapshot().send.phase), (None, Phase::Confirming));
}

#[test]
fn spec_5_8_a_coin_is_sent_with_up_to_eighteen_decimals() {
    let mut world = opened(alpha());
    assert_eq!(world.snapshot().send.token.and_then(|token| token.decimals), Some(18));
    fill(&mut world, "1.0000000000000000001", RECEIVER);
    assert_eq!(world.snapshot().send.amount_fault, Some(AmountFault::TooPrecise));
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!(world.snapshot().modal.view, View::WalletSend);
    fill(&mut world, "1.000000000000000001", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!(sent(&world)[0].get("value").as_str(), Some("0xde0b6b3a7640001"));
}

#[test]
fn spec_5_8_a_form_without_a_gas_price_blames_the_network_until_it_answers() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    world.node.down = true;
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    fill(&mut world, "1", RECEIVER);
    assert!(!world.snapshot().send.fee_missing, "nobody pressed yet");
    world.dispatch(Event::Send(Send::ReviewAsked));
    let send = world.snapshot().send;
    assert_eq!((send.fee_missing, send.amount_fault, send.receiver_fault), (true, None, None));
    assert_eq!(world.snapshot().modal.view, View::WalletSend);
    world.dispatch(Event::Send(Send::ReceiverTyped { text: "nobody".into() }));
    assert!(!world.snapshot().send.fee_missing, "now the receiver is to blame");
    world.node.down = false;
    fill(&mut world, "1", RECEIVER);
    world.advance(60_000);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert!(!world.snapshot().send.fee_missing);
    assert_eq!(world.snapshot().modal.view, View::WalletSendPreview);
}

#[test]
fn spec_8_5_a_failure_that_the_wallet_named_says_failed_to_send_transaction() {
    let failure = parse(r#"{"code":-32003,"message":"insufficient funds"}"#).unwrap();
    let world = confirmed(alpha().when(SEND, Behaviour::Throw(failure)));
    assert_eq!((world.snack(), world.snapshot().send.phase), (Some(Message::FailedToSendTransaction), Phase::Failed));
    assert_eq!(world.snapshot().send.error.map(|error| error.message).as_deref(), Some("insufficient funds"));
}

#[test]
fn an_answer_that_does_not_tell_whether_the_payment_was_sent_is_no_failure() {
    for error in [
        r#"{"code":8000,"message":"The request has expired"}"#,
        r#"{"code":4900,"message":"The wallet ended the session"}"#,
        r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#,
        r#"{"code":-32002,"message":"Already pending"}"#,
        r#"{"code":-32000,"message":"already known"}"#,
        "{}",
    ] {
        let mut world = confirmed(alpha().when(SEND, Behaviour::Throw(parse(error).unwrap())));
        assert_eq!((world.snapshot().send.phase, world.snack()), (Phase::Unsure, None), "{error}");
        // It stays until the visitor has looked into the wallet, and asks again only then.
        world.advance(600_000);
        assert_eq!((world.snapshot().send.phase, sent(&world).len()), (Phase::Unsure, 1), "{error}");
        world.wallet().behaviours.clear();
        world.dispatch(Event::Send(Send::ConfirmAsked));
        assert_eq!(sent(&world).len(), 2, "{error}");
    }
}

#[test]
fn a_refused_signature_shows_and_can_be_tried_again() {
    let mut world = confirmed(alpha().when(SEND, Behaviour::Refuse));
    assert_eq!((world.snapshot().send.phase, world.snack()), (Phase::Refused, None));
    world.wallet().behaviours.clear();
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!(world.snapshot().modal.view, View::WalletSendConfirmed);
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, world.snapshot().send.sent), (View::Account, None));
}

#[test]
fn every_fault_of_the_form_has_a_word() {
    let mut world = opened(alpha());
    for (amount, fault) in [
        ("abc", Some(AmountFault::NotANumber)),
        ("1e3", Some(AmountFault::Exponent)),
        ("-1", Some(AmountFault::Signed)),
        ("1,000", Some(AmountFault::Ambiguous)),
        ("1,000.5", None),
        ("1 000,5", None),
        ("0", Some(AmountFault::Zero)),
        ("0.0000000000000000001", Some(AmountFault::TooPrecise)),
        ("10001", Some(AmountFault::AboveBalance)),
        (&"9".repeat(80), Some(AmountFault::AboveBalance)),
        ("10000", Some(AmountFault::InsufficientGas)),
        ("1,5", None),
    ] {
        fill(&mut world, amount, RECEIVER);
        assert_eq!(world.snapshot().send.amount_fault, fault, "{amount}");
    }
    for (receiver, fault) in [
        ("0x12", Some(ReceiverFault::NotAnAddress)),
        ("vitalik.eth", Some(ReceiverFault::NamesUnserved)),
        ("vitalik.", Some(ReceiverFault::NotAnAddress)),
        ("7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE", Some(ReceiverFault::OtherNamespace)),
        ("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", Some(ReceiverFault::OtherNamespace)),
        ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", Some(ReceiverFault::OtherNamespace)),
        ("eip155:1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8", Some(ReceiverFault::OtherNamespace)),
        ("0x70997970C51812dc3A010C7d01b50e0d17dc79C", Some(ReceiverFault::NotAnAddress)),
        ("70997970c51812dc3a010c7d01b50e0d17dc79", Some(ReceiverFault::NotAnAddress)),
        ("eip155:31337:0x70997970C51812dc3A010C7d01b50e0d17dc79C8", None),
        ("ethereum:0x70997970C51812dc3A010C7d01b50e0d17dc79C8", None),
        ("0x70997970C51812dc3A010C7d01b50e0d17dc79c8", Some(ReceiverFault::WrongChecksum)),
        ("0x0000000000000000000000000000000000000000", Some(ReceiverFault::ZeroAddress)),
        ("0xF39FD6E51AAD88F6F4CE6AB8827279CFFFB92266", Some(ReceiverFault::OwnAddress)),
        ("70997970C51812dc3A010C7d01b50e0d17dc79C8", None),
        (" 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 ", None),
    ] {
        fill(&mut world, "1", receiver);
        assert_eq!(world.snapshot().send.receiver_fault, fault, "{receiver}");
    }
}

#[test]
fn what_is_reviewed_is_spelled_as_people_compare_it() {
    let mut world = opened(alpha());
    fill(&mut world, "1,50", &RECEIVER.to_lowercase());
    world.dispatch(Event::Send(Send::ReviewAsked));
    let send = world.snapshot().send;
    assert_eq!((send.send_token_amount.as_str(), send.receiver_address.as_str()), ("1.5", RECEIVER));
    assert_eq!((send.receiver_short.as_str(), send.ready), ("0x70…dc79C8", true));
}

#[test]
fn a_chain_switched_under_an_open_form_clears_it_and_says_so() {
    let mut world = opened(alpha());
    fill(&mut world, "1", RECEIVER);
    world.wallet_switches(31338);
    assert_eq!((world.snapshot().send.send_token_amount.as_str(), world.snapshot().modal.view), ("", View::Account));
    assert_eq!(world.snack(), Some(Message::FormReset));
}

#[test]
fn a_visitor_whose_network_account_or_form_changes_while_the_wallet_asks_hears_that_it_may_still_send() {
    let asked = || confirmed(alpha().when(SEND, Behaviour::Silent));
    let mut world = asked();
    world.wallet_switches(31338);
    world.advance(1_000);
    assert_eq!((world.snapshot().modal.view, world.snack()), (View::Account, Some(Message::MayStillSend)));
    let mut world = asked();
    world.wallet_shows(&[RECEIVER]);
    world.advance(1_000);
    assert_eq!(world.snack(), Some(Message::MayStillSend));
    let mut world = asked();
    let (view, arguments) = (Some("WalletSend".into()), parse(r#"{"amount":"2"}"#).unwrap());
    world.modal(Modal::OpenAsked { view, namespace: None, uri: None, arguments, ticket: None });
    world.advance(1_000);
    assert_eq!(world.snack(), Some(Message::MayStillSend));
}

#[test]
fn a_send_confirmed_twice_asks_the_wallet_once() {
    let mut world = opened(alpha().when(SEND, Behaviour::Late(1_000)));
    fill(&mut world, "1", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert!(world.snapshot().send.loading);
    world.advance(1_000);
    assert_eq!(world.wallets[0].requests.iter().filter(|(method, _)| method == SEND).count(), 1);
}

#[test]
fn what_is_shown_while_the_wallet_asks_cannot_be_changed() {
    let mut world = confirmed(alpha().when(SEND, Behaviour::Silent));
    world.dispatch(Event::Send(Send::AmountTyped { text: "5".into() }));
    world.dispatch(Event::Send(Send::MaxAsked));
    assert_eq!(world.snapshot().send.send_token_amount, "1.5");
}

#[test]
fn a_silent_wallet_gets_a_hint_and_leaving_the_preview_lets_the_visitor_try_again() {
    let mut world = confirmed(alpha().when(SEND, Behaviour::Late(60_000)));
    world.advance(8_000);
    assert!(world.snapshot().send.slow && world.snapshot().send.loading);
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, world.snapshot().send.phase), (View::WalletSend, Phase::Editing));
    world.advance(60_000);
    // The wallet did sign the first one: the success is reported, and the form is left alone.
    assert_eq!(world.snapshot().modal.view, View::WalletSend);
    assert!(world.snapshot().send.pending.len() == 1 && world.event_names().contains(&"SEND_SUCCESS"));
}

#[test]
fn a_node_that_was_down_when_the_form_opened_is_asked_for_the_price_again() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    world.open(None);
    world.node.down = true;
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world.advance(20_000);
    world.node.down = false;
    fill(&mut world, "1", RECEIVER);
    assert!(world.snapshot().send.ready);
}

#[test]
fn spec_5_9_a_solana_form_needs_amount_and_receiver_and_no_wallet_is_asked_in_words_of_another_chain() {
    const OWN: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
    const OTHER: &str = "4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA";
    let wallet = ScriptedWallet::named("Sol").of(Namespace::Solana, OWN);
    let mut world = World::with(&every_namespace(), vec![wallet], Store::default());
    world.choose("example.sol");
    world.open(Some("WalletSend"));
    for (amount, receiver, ready) in [
        ("", OTHER, false),
        ("1", "", false),
        ("1", RECEIVER, false),
        ("1", OWN, false),
        ("0.0000000001", OTHER, false),
        ("1", OTHER, true),
    ] {
        fill(&mut world, amount, receiver);
        assert_eq!(world.snapshot().send.ready, ready, "{amount} {receiver}");
    }
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!(world.snapshot().modal.view, View::WalletSendPreview);
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert!(sent(&world).is_empty());
    assert_eq!((world.snack(), world.snapshot().send.phase), (Some(Message::FailedToSendTransaction), Phase::Editing));
}

#[test]
fn spec_8_54_open_send_is_tracked_once_however_the_form_is_reached() {
    let ways: [&dyn Fn(&mut World); 3] = [
        &|world| world.modal(Modal::ViewAsked { view: View::WalletSend }),
        &|world| world.modal(Modal::RedirectAsked { view: "WalletSend".into() }),
        &|world| world.modal(Modal::ReplaceAsked { view: "WalletSend".into() }),
    ];
    for way in ways {
        let mut world = World::new(vec![alpha()]);
        world.connect_first();
        world.open(None);
        way(&mut world);
        way(&mut world);
        assert_eq!(world.events.iter().filter(|(name, _)| name == "OPEN_SEND").count(), 1);
        fill(&mut world, "1", RECEIVER);
        assert!(world.snapshot().send.ready);
    }
}

#[test]
fn another_account_in_the_wallet_clears_the_form_and_shows_the_account_even_while_it_signs() {
    for behaviour in [Behaviour::Right, Behaviour::Silent] {
        let mut world = opened(alpha().when(SEND, behaviour.clone()));
        fill(&mut world, "1", RECEIVER);
        world.dispatch(Event::Send(Send::ReviewAsked));
        if behaviour == Behaviour::Silent {
            world.dispatch(Event::Send(Send::ConfirmAsked));
        }
        assert_eq!(world.snapshot().modal.view, View::WalletSendPreview);
        world.wallet_shows(&[RECEIVER]);
        let snapshot = world.snapshot();
        assert_eq!((snapshot.modal.view, snapshot.send.send_token_amount.as_str()), (View::Account, ""));
    }
}

#[test]
fn spec_8_4_a_form_that_cannot_be_sent_any_more_is_shown_again_with_its_fault() {
    let mut world = opened(alpha());
    fill(&mut world, "5", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.node.balances.clear();
    world.dispatch(Event::Account(portico_core::account::Event::RefreshAsked { ticket: None }));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!(world.snack(), Some(Message::EnterValidAmountAndReceiver));
    assert_eq!(world.snapshot().modal.view, View::WalletSend);
    assert_eq!(world.snapshot().send.amount_fault, Some(AmountFault::AboveBalance));
    assert!(sent(&world).is_empty());
}
