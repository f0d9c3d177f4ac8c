//! Scenarios of a sign-in that the host asks for, by `open({ view: 'SIWXSignMessage' })`.

use super::{alpha, asked, phase, shown, visit};
use portico_core::modal::{Event as Modal, View};
use portico_core::siwx::{Event as SignIn, Phase};
use portico_json::{Value, parse};
use portico_testkit::{Store, World, every_namespace, options, with_sign_in};

/// Asks for the sign-in as a host does, and returns the reason and the text of the rejection.
fn sign_in_by_host(world: &mut World, namespace: Option<&str>) -> Option<(String, String)> {
    let view = Some("SIWXSignMessage".into());
    let namespace = namespace.map(Into::into);
    world.modal(Modal::OpenAsked { view, namespace, uri: None, arguments: Value::Null, ticket: Some(7) });
    let answer = world.answer(7).expect("the call is answered");
    let answers = parse(&answer).unwrap();
    let answer = answers.as_list().unwrap().last().unwrap();
    let text = |name: &str| answer.get("error").get(name).as_str().map(String::from);
    Some((text("reason")?, text("message")?))
}

fn refusal(reason: &str, message: &str) -> Option<(String, String)> {
    Some((reason.into(), message.into()))
}

#[test]
fn a_host_can_offer_an_optional_sign_in_again_after_the_visitor_cancelled_it() {
    let mut world = asked(false);
    world.sign_in(SignIn::CancelAsked);
    assert_eq!(sign_in_by_host(&mut world, None), None);
    assert_eq!((shown(&world), phase(&world)), (Some(View::SIWXSignMessage), Phase::Ready));
    world.sign_in(SignIn::SignAsked);
    assert_eq!((shown(&world), world.site.sessions.len()), (None, 1));
    assert_eq!(sign_in_by_host(&mut world, None), None);
    assert_eq!((shown(&world), phase(&world)), (None, Phase::Idle), "the visitor is signed in");
}

#[test]
fn spec_8_25_the_sign_in_of_a_page_without_one_says_siwx_is_not_enabled() {
    let mut world = World::with(&options(), vec![alpha()], Store::default());
    assert_eq!(sign_in_by_host(&mut world, None), refusal("siwxNotEnabled", "SIWX is not enabled"));
    assert_eq!(shown(&world), Some(View::Connect));
    world.connect_first();
    assert_eq!(sign_in_by_host(&mut world, None), refusal("siwxNotEnabled", "SIWX is not enabled"));
    assert_eq!(shown(&world), Some(View::Account));
}

#[test]
fn spec_8_26_the_sign_in_without_an_account_says_no_active_caip_address_found() {
    let mut world = visit(false);
    assert_eq!(sign_in_by_host(&mut world, None), refusal("notConnected", "No ActiveCaipAddress found"));
    assert_eq!(shown(&world), Some(View::Connect));
}

#[test]
fn spec_8_27_the_sign_in_on_a_network_of_another_page_says_no_active_caip_network_or_client_found() {
    let mut world = asked(false);
    world.sign_in(SignIn::CancelAsked);
    world.wallet_switches(999);
    let expected = refusal("caipNetworkNotFound", "No ActiveCaipNetwork or client found");
    assert_eq!(sign_in_by_host(&mut world, None), expected);
    assert_eq!(shown(&world), Some(View::UnsupportedChain));
}

#[test]
fn spec_8_28_the_sign_in_of_a_namespace_without_an_adapter_says_no_connection_controller_client_found() {
    let options = with_sign_in(&every_namespace(), false).replace(r#"{"namespace":"solana"},"#, "");
    let mut world = World::with(&options, vec![alpha()], Store::default());
    let expected = refusal("connectionClientNotSet", "No ConnectionController client found");
    assert_eq!(sign_in_by_host(&mut world, Some("solana")), expected);
}
