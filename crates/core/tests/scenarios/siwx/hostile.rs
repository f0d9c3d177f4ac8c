//! Scenarios of a sign-in whose site or wallet misbehaves.

use super::one_click::{REMOTE, session};
use super::{CHAIN, alpha, asked, is_connected, phase, shown, snack, visit};
use portico_core::SignInCall;
use portico_core::modal::View;
use portico_core::notice::Message;
use portico_core::siwx::{Event as SignIn, Phase};
use portico_json::{Value, parse};
use portico_testkit::{Behaviour, Store, World, options, with_relay, with_sign_in};

fn written(message: &str) -> Value {
    let data = Value::Object(vec![("statement".into(), "Pay".into())]);
    Value::Object(vec![("data".into(), data), ("message".into(), message.into())])
}

fn with_message(message: &str) -> World {
    let mut world = visit(true);
    world.site.answers.push((SignInCall::CreateMessage, Ok(written(message))));
    world.connect_first();
    world
}

#[test]
fn a_message_that_nobody_can_read_as_it_is_signed_is_refused() {
    for message in [
        "Sign in\u{202e}ni ngiS",
        "Sign\u{200b} in",
        "Sign in\u{2066}",
        "Sign in\u{2028}to the shop",
        "Sign in\u{2029}to the shop",
        "Sign in\u{0}",
        "Sign in\r\n",
        "",
        &"a".repeat(8_193),
    ] {
        let mut world = with_message(message);
        assert!(!is_connected(&world), "{message:?}");
        assert!(world.wallet().requests.iter().all(|(method, _)| method != "personal_sign"));
    }
    for message in ["Sign in\nto the shop", "ادخل إلى المتجر", &"a".repeat(8_192)] {
        assert_eq!(phase(&with_message(message)), Phase::Ready, "{message:?}");
    }
}

#[test]
fn spec_3_18_and_8_7_a_message_for_another_site_is_signed_by_no_one() {
    let text = |domain: &str| format!("{domain} wants you to sign in with your Ethereum account:\n0x1\n\nPay");
    for domain in [
        "evil.example",
        "host.example.evil.example",
        "www.host.example",
        "host.example:8080",
        "http://host.example",
        "https://evil.example",
        " host.example",
        "",
    ] {
        let world = with_message(&text(domain));
        assert_eq!((is_connected(&world), shown(&world)), (false, Some(View::Connect)), "{domain:?}");
        assert_eq!(snack(&world).and_then(|(_, message)| message), Some(Message::AuthenticationProblem));
        let told =
            "siwx.createMessage: the first line of the message names another host: use `location.host` as the domain";
        assert_eq!(world.alerts[0].1, told);
    }
    for domain in ["host.example", "HOST.example", "https://host.example"] {
        assert_eq!(phase(&with_message(&text(domain))), Phase::Ready, "{domain:?}");
    }
}

#[test]
fn spec_3_18_a_session_that_a_wallet_signed_for_another_site_is_not_saved() {
    let mut world = World::with(&with_relay(&with_sign_in(&options(), true)), vec![alpha()], Store::default());
    world.open(None);
    world.choose("walletConnect");
    let mut session = session(CHAIN, REMOTE);
    if let Value::Object(fields) = &mut session {
        fields.retain(|(name, _)| name != "message");
        fields.push(("message".into(), "evil.example wants you to sign in\n".into()));
    }
    world.sign_in(SignIn::WalletSigned { sessions: Value::List(vec![session]) });
    world.remote_approves();
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    assert_eq!(world.site.count(SignInCall::AddSession), 0);
}

#[test]
fn a_statement_that_is_not_in_the_message_is_not_shown() {
    assert_eq!(with_message("Sign in").snapshot().siwx.statement, None);
    assert_eq!(with_message("Pay 5").snapshot().siwx.statement.as_deref(), Some("Pay"));
}

#[test]
fn a_wallet_that_answers_with_something_else_than_a_signature_signs_nobody_in() {
    for answer in [r#""0x""#, r#""signed""#, "null", "true", "{}", r#"["0x1234"]"#] {
        let mut world = asked(true);
        world.wallet().behaviours.insert("personal_sign".into(), Behaviour::Nonsense(parse(answer).unwrap()));
        world.sign_in(SignIn::SignAsked);
        assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready), "{answer}");
        world.advance(150);
        assert_eq!(snack(&world).and_then(|(_, message)| message), Some(Message::SignatureDeclined));
        assert_eq!(world.site.count(SignInCall::AddSession), 0);
    }
}

#[test]
fn a_wallet_that_never_answers_leaves_the_way_out() {
    let mut world = asked(true);
    world.wallet().behaviours.insert("personal_sign".into(), Behaviour::Silent);
    world.sign_in(SignIn::SignAsked);
    world.sign_in(SignIn::SignAsked);
    world.advance(3_600_000);
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Signing));
    let asked = world.wallet().requests.iter().filter(|(method, _)| method == "personal_sign").count();
    assert_eq!(asked, 1, "one request for two clicks");
    world.sign_in(SignIn::CancelAsked);
    assert_eq!(shown(&world), Some(View::Connect));
}

#[test]
fn an_account_that_left_meanwhile_does_not_sign_in() {
    let mut world = asked(true);
    world.site.silent.push(SignInCall::AddSession);
    world.sign_in(SignIn::SignAsked);
    let handle = alpha().handle();
    world.dispatch(portico_core::Event::Connect(portico_core::connect::Event::AccountsChanged {
        handle,
        accounts: Value::List(vec!["0x70997970C51812dc3A010C7d01b50e0d17dc79C8".into()]),
    }));
    assert_eq!(phase(&world), Phase::Ready, "the other account decides for itself");
    world.site_answers(SignInCall::AddSession, Ok(Value::Null));
    assert_eq!(shown(&world), Some(View::SIWXSignMessage));
}

#[test]
fn a_site_that_signs_by_a_function_of_its_own_is_asked_instead_of_the_wallet() {
    let mut world = visit(true);
    let mut own = written("Sign in");
    if let Value::Object(fields) = &mut own {
        fields.push(("signs".into(), Value::Bool(true)));
    }
    world.site.answers.push((SignInCall::CreateMessage, Ok(own)));
    world.connect_first();
    world.sign_in(SignIn::SignAsked);
    let (_, given) = world.site.asked.iter().find(|(call, _)| *call == SignInCall::SignMessage).unwrap();
    assert_eq!(given.get("message").as_str(), Some("Sign in"));
    assert_eq!(shown(&world), None);
}

#[test]
fn ten_thousand_sessions_of_a_site_sign_the_visitor_in_as_one_does() {
    let mut world = visit(true);
    let session = written("Sign in");
    world.site.answers.push((SignInCall::GetSessions, Ok(Value::List(vec![session; 10_000]))));
    world.connect_first();
    assert!(is_connected(&world));
    assert_eq!(world.site.count(SignInCall::CreateMessage), 0);
}
