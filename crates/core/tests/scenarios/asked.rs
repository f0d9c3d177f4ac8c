//! Scenarios of a send that the host requested.

use crate::send::{RECEIVER, SEND, alpha};
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::send::{AmountFault, Event as Send};
use portico_json::parse;
use portico_testkit::{Behaviour, ScriptedWallet, World};

/// World with the form opened by a host, under ticket 9.
pub fn opened_by_host(wallet: ScriptedWallet, arguments: &str) -> World {
    let mut world = World::new(vec![wallet]);
    world.connect_first();
    let arguments = parse(arguments).unwrap();
    world.modal(Modal::OpenAsked {
        view: Some("WalletSend".into()),
        namespace: None,
        uri: None,
        arguments,
        ticket: Some(9),
    });
    world
}

#[test]
fn a_host_opens_the_form_filled_in_and_learns_the_hash() {
    let arguments = format!(r#"{{"amount":"2","to":"{RECEIVER}","namespace":"eip155","chainId":"31337"}}"#);
    let mut world = opened_by_host(alpha(), &arguments);
    assert_eq!(world.snapshot().send.send_token_amount, "2");
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!(world.snapshot().modal.view, View::WalletSendPreview);
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert!(world.answer(9).unwrap().contains(&format!(r#"{{"hash":"0x{}"}}"#, "ab".repeat(32))));
}

#[test]
fn a_visitor_who_goes_on_before_all_is_known_comes_to_the_preview_when_it_is() {
    let mut world = opened_by_host(alpha(), "null");
    world.modal(Modal::CloseAsked);
    world.node.late = Some(700);
    let arguments = parse(&format!(r#"{{"amount":"2","to":"{RECEIVER}"}}"#)).unwrap();
    let opens = |arguments| Modal::OpenAsked {
        view: Some("WalletSend".into()),
        namespace: None,
        uri: None,
        arguments,
        ticket: Some(9),
    };
    world.modal(opens(arguments.clone()));
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!((world.snapshot().modal.view, world.snack()), (View::WalletSend, None));
    world.advance(700);
    assert_eq!((world.snapshot().modal.view, world.snack()), (View::WalletSendPreview, None));

    // If the visitor changed the form meanwhile, it does not go on to the preview by itself.
    world.modal(Modal::CloseAsked);
    world.modal(opens(arguments.clone()));
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::AmountTyped { text: "3".into() }));
    world.advance(5_000);
    assert_eq!(world.snapshot().modal.view, View::WalletSend);

    // A visitor who looks at something else is not moved to the preview either.
    world.modal(Modal::CloseAsked);
    world.modal(opens(arguments));
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.modal(Modal::ViewAsked { view: View::WalletSendSelectToken });
    world.advance(5_000);
    assert_eq!(world.snapshot().modal.view, View::WalletSendSelectToken);
}

#[test]
fn a_host_that_opens_the_form_learns_that_the_visitor_closed_it() {
    let mut world = opened_by_host(alpha(), r#"{"amount":"2"}"#);
    world.modal(Modal::CloseAsked);
    assert!(world.answer(9).unwrap().contains(r#""reason":"cancelled""#));
}

#[test]
fn a_host_may_give_the_amount_as_any_number_and_the_receiver_with_spaces() {
    for (amount, plain) in
        [("1e-7", "0.0000001"), ("1.25e-7", "0.000000125"), ("1e+21", "1000000000000000000000"), ("1.5E1", "15")]
    {
        let mut world = opened_by_host(alpha(), &format!(r#"{{"amount":{amount},"to":" {RECEIVER}\n"}}"#));
        let send = world.snapshot().send;
        assert_eq!((send.send_token_amount.as_str(), send.receiver_address.as_str()), (plain, RECEIVER), "{amount}");
        world.dispatch(Event::Send(Send::ReviewAsked));
        assert_ne!(world.snapshot().send.amount_fault, Some(AmountFault::Exponent), "{amount}");
    }
    let huge = opened_by_host(alpha(), r#"{"amount":1e999999999}"#);
    assert_eq!(huge.snapshot().send.amount_fault, Some(AmountFault::Exponent));
}

#[test]
fn arguments_that_mean_nothing_here_are_refused() {
    for arguments in ["7", "[]", r#""x""#, r#"{"namespace":"solana"}"#, r#"{"namespace":7}"#] {
        let world = opened_by_host(alpha(), arguments);
        assert!(world.answer(9).unwrap().contains(r#""reason":"invalidArgument""#), "{arguments}");
    }
}

/// World with a form opened and filled in by a host, then confirmed.
fn confirmed_for_host(wallet: ScriptedWallet) -> World {
    let mut world = opened_by_host(wallet, &format!(r#"{{"amount":"2","to":"{RECEIVER}"}}"#));
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world
}

type Way = (&'static str, fn(&mut World));

#[test]
fn however_the_visitor_leaves_the_form_the_host_learns_that_nothing_was_sent() {
    let ways: [Way; 7] = [
        ("another account", |world| world.wallet_shows(&[RECEIVER])),
        ("another network", |world| world.wallet_switches(31338)),
        ("another call", |world| {
            world.modal(Modal::OpenAsked {
                view: Some("WalletSend".into()),
                namespace: None,
                uri: None,
                arguments: parse(r#"{"amount":"3"}"#).unwrap(),
                ticket: Some(10),
            })
        }),
        ("another view", |world| world.open(Some("Account"))),
        ("another view in its place", |world| {
            world.modal(Modal::BackAsked);
            world.modal(Modal::ReplaceAsked { view: "Account".into() });
        }),
        ("back from the form", |world| {
            world.modal(Modal::BackAsked);
            world.modal(Modal::BackAsked);
        }),
        ("no more account", |world| {
            world.dispatch(Event::Connect(portico_core::connect::Event::DisconnectAsked {
                namespace: None,
                ticket: None,
            }))
        }),
    ];
    for (name, leave) in ways {
        let mut world = opened_by_host(alpha(), &format!(r#"{{"amount":"2","to":"{RECEIVER}"}}"#));
        world.dispatch(Event::Send(Send::ReviewAsked));
        assert_eq!(world.answer(9), None);
        leave(&mut world);
        assert!(world.answer(9).is_some_and(|told| told.contains(r#""reason":"cancelled""#)), "{name}");
        assert_eq!(world.answers[&9].len(), 1, "{name}");
        assert!(crate::send::sent(&world).is_empty(), "{name}");
    }
}

#[test]
fn a_host_learns_once_that_the_wallet_refused_or_could_not_and_no_hash_of_a_later_try() {
    for behaviour in
        [Behaviour::Refuse, Behaviour::Nonsense(parse("{}").unwrap()), Behaviour::Throw(parse("null").unwrap())]
    {
        let mut world = confirmed_for_host(alpha().when(SEND, behaviour.clone()));
        let told = world.answer(9).unwrap();
        assert!(told.contains("rejected") && !told.contains("hash\":"), "{told}");
        if behaviour == Behaviour::Refuse {
            assert!(told.contains(r#""code":4001"#), "{told}");
        }
        world.wallet().behaviours.clear();
        world.dispatch(Event::Send(Send::ConfirmAsked));
        assert_eq!(world.snapshot().modal.view, View::WalletSendConfirmed);
        assert_eq!(world.answers[&9].len(), 1);
    }
}

#[test]
fn a_host_learns_the_hash_also_where_the_visitor_closed_the_modal_while_the_wallet_asked() {
    let mut world = confirmed_for_host(alpha().when(SEND, Behaviour::Late(5_000)));
    world.modal(Modal::CloseAsked);
    assert_eq!(world.answer(9), None);
    world.advance(5_000);
    assert!(world.answer(9).unwrap().contains(&format!(r#"{{"hash":"0x{}"}}"#, "ab".repeat(32))));
}
