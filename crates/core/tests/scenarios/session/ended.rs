//! Scenarios of the end of a session: from the page, from the wallet, and by a provider's events.

use super::*;

#[test]
fn a_session_that_a_provider_says_is_gone_is_left_and_the_visitor_hears_what_the_host_did_not_do_itself() {
    for gone in [true, false] {
        let mut world = everywhere();
        let (handle, topic) = {
            let handle = world.remote.watched[0].0.clone();
            (handle.clone(), handle.rsplit(':').next().unwrap().to_string())
        };
        world.connecting(match gone {
            true => Connect::WalletDisconnected { handle },
            false => Connect::AccountsChanged { handle, accounts: Value::List(vec![]) },
        });
        assert_eq!(world.remote.ended, [topic]);
        assert!((0..4).all(|place| account(&world, place).0 == Status::Disconnected));
        let said = world.snack();
        assert_eq!(said, (!gone).then_some(Message::SessionEnded));
    }
}

#[test]
fn spec_4_8_whoever_disconnects_one_namespace_of_a_session_disconnects_all_of_it() {
    let mut world = everywhere();
    disconnect(&mut world, Some("solana"));
    for place in 0..4 {
        assert_eq!(account(&world, place).0, Status::Disconnected);
    }
    assert_eq!(world.remote.ended.len(), 1, "a session is ended once");
    assert!(world.remote.watched.is_empty());
    assert!(world.answer(9).unwrap().contains("resolved"));
}

#[test]
fn spec_4_9_the_account_and_network_of_a_session_are_reset_with_it() {
    let mut world = connected();
    disconnect(&mut world, None);
    let snapshot = world.snapshot();
    let account = &snapshot.account.accounts[0];
    assert_eq!((account.address.as_ref(), account.all_accounts.len()), (None, 0));
    assert!(snapshot.network.chains[0].network_state.supports_all_networks);
    world.reload();
    assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
}

#[test]
fn spec_4_10_the_session_and_the_deep_link_are_cleared() {
    let mut world = connected();
    world.store.values.insert(CHOICE.into(), "{}".into());
    disconnect(&mut world, None);
    assert_eq!(world.remote.ended.len(), 1);
    assert!(!world.store.values.contains_key(CHOICE));
}

#[test]
fn spec_4_6_one_namespace_of_a_session_or_all_is_let_go_and_the_wallet_is_told_once() {
    for namespace in [None, Some("solana")] {
        let mut world = everywhere();
        let topic = world.remote.watched[0].0.rsplit(':').next().unwrap().to_string();
        disconnect(&mut world, namespace);
        assert_eq!(world.remote.ended, [topic], "{namespace:?}");
        assert!(world.remote.watched.is_empty() && world.answer(9).unwrap().contains("resolved"));
        assert_eq!(tracked(&world, "DISCONNECT_SUCCESS").len(), 1);
    }
}

#[test]
fn spec_4_7_what_was_filled_in_to_be_sent_goes_with_the_session() {
    use portico_core::send::Event as Send;
    let mut world = connected();
    world.open(Some("WalletSend"));
    let empty = to_text(&world.snapshot().send);
    world.dispatch(Event::Send(Send::ReceiverTyped { text: OTHER.into() }));
    assert_ne!(to_text(&world.snapshot().send), empty);
    world.remote_ends();
    assert!(!world.snapshot().modal.open);
    assert!(!to_text(&world.snapshot().send).contains(OTHER));
}

#[test]
fn spec_4_12_the_status_of_every_namespace_of_a_session_is_disconnected_after_it() {
    for wallet in [true, false] {
        let mut world = everywhere();
        match wallet {
            true => world.remote_ends(),
            false => disconnect(&mut world, None),
        }
        let snapshot = world.snapshot();
        assert!(snapshot.connect.statuses.iter().all(|one| one.status == Status::Disconnected));
        assert!(snapshot.account.accounts.iter().all(|one| !one.is_connected && one.address.is_none()));
    }
}

#[test]
fn who_disconnects_leaves_no_session_behind_that_the_client_still_had() {
    let mut world = connected();
    let other = world.remote.session_for("other", world.now - 60_000);
    let topic = other.get("topic").as_str().unwrap().to_string();
    world.remote.sessions.push(to_text(&other));
    world.reload();
    assert!(world.remote.ended.is_empty(), "it may be another tab's");
    disconnect(&mut world, None);
    assert_eq!(world.remote.ended.len(), 2);
    assert!(world.remote.ended.contains(&topic));
}

#[test]
fn spec_4_11_a_session_that_the_client_cannot_end_is_reported_and_gone_here_all_the_same() {
    let mut world = connected();
    world.remote.clings = true;
    disconnect(&mut world, None);
    assert_eq!(tracked(&world, "DISCONNECT_ERROR")[0].get("message").as_str(), Some("The client is not there"));
    assert_eq!(account(&world, 0).0, Status::Disconnected);
    assert!(world.answer(9).unwrap().contains("failedToDisconnect"));
}

#[test]
fn a_wallet_that_does_not_say_that_it_is_there_is_told_of_and_stays_connected() {
    let mut world = connected();
    let topic = world.remote.session(world.now).get("topic").as_str().unwrap().to_string();
    world.connecting(Connect::WalletSilent { topic: "stranger".into() });
    assert_eq!(world.snapshot().notice.snack, None);
    world.connecting(Connect::WalletSilent { topic });
    assert_eq!(world.snapshot().notice.snack.unwrap().message, Some(Message::WalletSilent));
    assert_eq!(account(&world, 0).0, Status::Connected);
}

#[test]
fn a_session_that_the_wallet_ends_is_disconnected_and_said_at_once() {
    let mut world = everywhere();
    world.open(None);
    assert_eq!(world.snapshot().modal.view, View::Account);
    world.remote_ends();
    for place in 0..4 {
        assert_eq!(account(&world, place).0, Status::Disconnected);
    }
    assert!(!world.snapshot().modal.open);
    assert_eq!(world.snapshot().notice.snack.as_ref().unwrap().message, Some(Message::SessionEnded));
    assert!(world.remote.ended.is_empty(), "nobody has to be told");
    world.remote_ends();
    world.reload();
    assert_eq!(account(&world, 0).0, Status::Disconnected);
}

#[test]
fn that_a_session_has_ended_is_said_until_the_modal_opens_for_another() {
    let mut world = connected();
    world.remote_ends();
    assert_eq!(world.snapshot().notice.snack.as_ref().unwrap().message, Some(Message::SessionEnded));
    world.open(None);
    assert_eq!((world.snapshot().modal.open, &world.snapshot().notice.snack), (true, &None));
}

#[test]
fn what_is_said_of_a_session_that_is_not_ours_changes_nothing() {
    let mut world = connected();
    let before = to_text(&world.snapshot());
    world.connecting(Connect::SessionEnded { topic: "stranger".into() });
    let session = world.remote.session_for("stranger", world.now);
    world.connecting(Connect::SessionChanged { session });
    assert_eq!(to_text(&world.snapshot()), before);
}
