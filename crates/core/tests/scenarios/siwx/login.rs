//! Sign-in with the login of the embedded wallet: its frame signs the message in the same step.

use super::{is_connected, phase, shown, signature};
use portico_api::frame::FrameEvent;
use portico_core::Event;
use portico_core::connect::Event as Connect;
use portico_core::embedded::{Event as Embedded, SETTLE};
use portico_core::modal::View;
use portico_core::siwx::{Event as SignIn, Phase};
use portico_json::Value;
use portico_testkit::{Store, World, options, with_login, with_sign_in};

/// A visitor of a site with sign-in who logs in to the embedded wallet, whose frame signs this with the login.
fn with_login_that_signs(signature: Option<Value>) -> World {
    let mut world = World::with(&with_sign_in(&with_login(&options()), true), vec![], Store::default());
    world.frame.signature = signature;
    world.open(None);
    world.embedded(Embedded::EmailSubmitted { email: "alice@example.org".into() });
    world.advance(SETTLE);
    world.embedded(Embedded::CodeTyped { text: "123456".into() });
    world
}

#[test]
fn spec_4_26_a_login_of_the_embedded_wallet_signs_in_without_a_question() {
    let mut world = with_login_that_signs(Some(signature()));
    assert_eq!((shown(&world), world.site.sessions.len()), (None, 1));
    assert!(is_connected(&world));
    assert!(world.frame.payloads(FrameEvent::RpcRequest).is_empty());
    let asked = world.frame.payloads(FrameEvent::GetUser);
    let message = asked.last().unwrap().get("siwxMessage").get("serializedMessage").as_str().unwrap_or_default();
    assert!(!message.is_empty());
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    assert!(!is_connected(&world));
}

#[test]
fn what_is_no_signature_or_none_with_a_login_leaves_the_decision_to_the_visitor() {
    for told in [None, Some("0x".into()), Some("text".into()), Some(Value::Bool(true))] {
        let mut world = with_login_that_signs(told);
        assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
        assert_eq!(world.site.sessions.len(), 0);
        world.sign_in(SignIn::SignAsked);
        world.frame_answers(FrameEvent::RpcRequest, Ok(signature()));
        assert_eq!(world.site.sessions.len(), 1);
    }
}
