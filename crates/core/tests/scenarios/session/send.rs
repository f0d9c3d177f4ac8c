//! Scenarios of sending through a session.

use super::*;

fn sending(change: impl FnOnce(&mut World)) -> World {
    let mut world = paired(&options());
    world.node.balances.insert(REMOTE.to_lowercase(), 10u128.pow(19));
    world.remote_approves();
    world.open(Some("WalletSend"));
    use portico_core::send::Event as Send;
    world.dispatch(Event::Send(Send::AmountTyped { text: "1".into() }));
    world.dispatch(Event::Send(Send::ReceiverTyped { text: OTHER.into() }));
    world.advance(500);
    world.dispatch(Event::Send(Send::ReviewAsked));
    change(&mut world);
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world
}

#[test]
fn a_send_that_the_wallet_does_not_answer_in_time_is_over_and_the_visitor_is_told_to_look_before_another() {
    let world = sending(|world| world.remote.unattended = true);
    assert_eq!(world.snapshot().send.phase, portico_core::send::Phase::Unsure);
    // The review says so; a message beside it would say it twice.
    assert_eq!(world.snapshot().notice.snack, None);
    assert_eq!(tracked(&world, "SEND_ERROR").len(), 1);
}

#[test]
fn a_wallet_that_is_asked_to_send_and_silent_is_told_of_where_the_visitor_looks() {
    let mut world = sending(|world| world.remote.mute = true);
    let topic = world.remote.watched[0].0.rsplit(':').next().unwrap().to_string();
    world.connecting(Connect::WalletSilent { topic: "stranger".into() });
    assert_eq!(world.snapshot().send.phase, SendPhase::Confirming);
    world.connecting(Connect::WalletSilent { topic: topic.clone() });
    assert_eq!(world.snapshot().send.phase, SendPhase::Silent);
    // Back at the form: if the visitor approves later, the transaction is sent all the same.
    world.modal(Modal::BackAsked);
    world.advance(500);
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.view, snapshot.send.phase), (View::WalletSend, SendPhase::Editing));
    assert_eq!(snapshot.notice.snack.unwrap().message, Some(Message::MayStillSend));
    world.connecting(Connect::WalletSilent { topic });
    assert_eq!(world.snapshot().send.phase, SendPhase::Editing, "nothing is asked");
}

#[test]
fn a_send_through_a_session_goes_to_its_wallet() {
    let world = sending(|_| {});
    assert!(world.remote.requests.iter().any(|(method, _)| method == "eth_sendTransaction"));
}
