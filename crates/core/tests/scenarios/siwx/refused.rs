//! Scenarios of a refused sign-in: the view says why.

use super::{alpha, asked, phase, shown, signature, snack, tracked};
use portico_core::SignInCall;
use portico_core::modal::View;
use portico_core::notice::{Message, Variant};
use portico_core::siwx::{Event as SignIn, Phase, Refusal, SAVING};
use portico_json::{Value, parse};
use portico_terms::ConnectorKind;
use portico_testkit::{Behaviour, Store, World, options, with_sign_in};

/// A visitor whose session the site refused with this error.
fn refused(error: &str) -> World {
    let mut world = asked(true);
    world.site.silent.push(SignInCall::AddSession);
    world.sign_in(SignIn::SignAsked);
    world.site_answers(SignInCall::AddSession, Err(parse(error).unwrap()));
    world
}

fn words(text: &str) -> Refusal {
    Refusal::Refused { words: text.into() }
}

#[test]
fn spec_4_27_a_refusal_of_the_site_is_shown_with_its_reason_and_the_view_can_be_used_again() {
    for (error, refusal) in [
        (r#"{"code":425,"message":"The message is from the future."}"#, Refusal::Clock),
        (r#"{"code":408,"message":"The message is older than ten minutes."}"#, Refusal::Late),
        (r#"{"code":503,"message":"The chain doesn't respond."}"#, Refusal::Unavailable),
        (r#"{"code":500}"#, Refusal::Unavailable),
        (r#"{"code":599}"#, Refusal::Unavailable),
        (r#"{"code":422,"message":"Sign again."}"#, words("Sign again.")),
        (r#"{"code":429,"message":"Try again in 5 seconds."}"#, words("Try again in 5 seconds.")),
        (r#"{"message":"Not on our list"}"#, words("Not on our list")),
        (r#"{"code":5000,"message":"pay\u202e1"}"#, words("pay1")),
        ("null", words("")),
    ] {
        let mut world = refused(error);
        assert_eq!(world.snapshot().siwx.refusal, Some(refusal), "{error}");
        assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready), "{error}");
        world.advance(150);
        assert_eq!(snack(&world), None, "the visitor did not decline: {error}");
        world.site.silent.clear();
        world.sign_in(SignIn::SignAsked);
        assert_eq!((shown(&world), world.snapshot().siwx.refusal), (None, None), "{error}");
    }
}

#[test]
fn spec_4_27_a_site_that_never_answers_cannot_verify_the_signature_now() {
    let mut world = asked(true);
    world.site.silent.push(SignInCall::AddSession);
    world.sign_in(SignIn::SignAsked);
    world.advance(SAVING);
    assert_eq!(world.snapshot().siwx.refusal, Some(Refusal::Unavailable));
}

#[test]
fn spec_8_8_a_wallet_that_fails_declines_the_signature_and_its_words_are_in_the_view() {
    for (error, refusal) in [
        (r#"{"code":4001,"message":"User rejected"}"#, Refusal::Declined),
        (r#"{"code":-32603,"message":"The device is locked"}"#, words("The device is locked")),
        // Codes of the site's server mean nothing from a wallet.
        (r#"{"code":425,"message":"no"}"#, words("no")),
        (r#"{"code":408,"message":"no"}"#, words("no")),
        (r#"{"code":503,"message":"no"}"#, words("no")),
    ] {
        let mut world = asked(true);
        world.wallet().behaviours.insert("personal_sign".into(), Behaviour::Throw(parse(error).unwrap()));
        world.sign_in(SignIn::SignAsked);
        assert_eq!(world.snapshot().siwx.refusal, Some(refusal), "{error}");
        world.advance(150);
        assert_eq!(snack(&world), Some((Variant::Error, Some(Message::SignatureDeclined))), "{error}");
    }
}

#[test]
fn spec_4_27_a_refusal_that_comes_after_the_visitor_closed_the_modal_opens_it_with_the_reason() {
    let mut world = asked(false);
    world.site.silent.push(SignInCall::AddSession);
    world.sign_in(SignIn::SignAsked);
    world.modal(portico_core::modal::Event::CloseAsked);
    assert_eq!(shown(&world), None);
    world.site_answers(SignInCall::AddSession, Err(Value::Null));
    assert_eq!(shown(&world), Some(View::SIWXSignMessage));
    assert_eq!(world.snapshot().siwx.refusal, Some(words("")));
}

#[test]
fn spec_8_9_a_smart_account_that_declines_is_told_apart_from_a_site_that_refuses() {
    let wallet = alpha().through(ConnectorKind::Auth);
    let mut world = World::with(&with_sign_in(&options(), true), vec![wallet], Store::default());
    world.connect_first();
    // No frame signs together with the login.
    world.advance(60_000);
    world.wallet().behaviours.insert("personal_sign".into(), Behaviour::Refuse);
    world.sign_in(SignIn::SignAsked);
    world.advance(150);
    assert_eq!(snack(&world), Some((Variant::Error, Some(Message::SmartAccountsUnsupported))));
    assert_eq!(tracked(&world, "SIWX_AUTH_ERROR")[0].get("isSmartAccount").as_bool(), Some(true));
    world.wallet().behaviours.insert("personal_sign".into(), Behaviour::Nonsense(signature()));
    world.advance(10_000);
    world.site.silent.push(SignInCall::AddSession);
    world.sign_in(SignIn::SignAsked);
    assert_eq!(phase(&world), Phase::Saving);
    world.site_answers(SignInCall::AddSession, Err(parse(r#"{"code":503}"#).unwrap()));
    world.advance(150);
    assert_eq!((shown(&world), snack(&world)), (Some(View::SIWXSignMessage), None));
    assert_eq!(world.snapshot().siwx.refusal, Some(Refusal::Unavailable));
}
