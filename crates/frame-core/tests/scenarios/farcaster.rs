//! Login by Farcaster.

use crate::world::{OWN, World, json, me};
use portico_frame_core::{Effect, FailureKind, Operation, Outcome};

const LINK: &str = "https://farcaster.xyz/~/siwf?channelToken=1";

fn begun() -> World {
    let mut world = World::new();
    world.host("GET_FARCASTER_URI", "null");
    world.answer(&format!(r#"{{"transaction":"tx1","url":"{LINK}"}}"#));
    world.take();
    world
}

fn waited(world: &mut World) -> Effect {
    let effect = world.only();
    assert_eq!(effect.operation, Operation::FinishFarcaster { transaction: "tx1".into() });
    effect
}

fn none(world: &mut World) {
    let effect = waited(world);
    world.resolve(effect.id, Outcome::Answered { value: json("null") });
}

fn signed(world: &mut World, effect: u32) {
    let user = r#"{"id":"AA","email":null,"name":"ada","provider":"farcaster"}"#;
    let own = OWN.to_lowercase();
    let value = json(&format!(r#"{{"user":{user},"addresses":{{"eip155":"{own}"}}}}"#));
    world.resolve(effect, Outcome::Answered { value });
}

#[test]
fn spec_7_19_the_address_for_the_app_is_asked_of_the_vault_for_this_host() {
    let mut world = World::new();
    world.host("GET_FARCASTER_URI", "null");
    assert_eq!(
        world.asked(),
        r#"/wallet/v1/login/farcaster {"project":"demo","host":"https://shop.example.org"} false"#
    );
    world.answer(&format!(r#"{{"transaction":"tx1","url":"{LINK}"}}"#));
    assert_eq!(world.take(), [format!(r#"@w3m-frame/GET_FARCASTER_URI_SUCCESS 1 {{"url":"{LINK}"}}"#)]);
}

#[test]
fn spec_7_20_the_signature_is_waited_for_and_logs_the_visitor_in() {
    let mut world = begun();
    world.host("CONNECT_FARCASTER", "null");
    none(&mut world);
    none(&mut world);
    assert!(world.take().is_empty());
    let effect = waited(&mut world);
    signed(&mut world, effect.id);
    assert_eq!(world.take(), [r#"@w3m-frame/CONNECT_FARCASTER_SUCCESS 2 {"userName":"ada"}"#]);
    world.rpc("eth_accounts", "[]");
    assert_eq!(world.take(), [format!(r#"@w3m-frame/RPC_REQUEST_SUCCESS 3 ["{OWN}"]"#)]);
}

#[test]
fn without_a_signature_the_wait_ends_after_five_minutes() {
    let mut world = begun();
    world.host("CONNECT_FARCASTER", "null");
    world.pass(299_999);
    none(&mut world);
    assert!(world.take().is_empty());
    world.pass(1);
    none(&mut world);
    assert_eq!(
        world.take(),
        [r#"@w3m-frame/CONNECT_FARCASTER_ERROR 2 {"message":"This login has ended. Start again.","code":null}"#]
    );
    assert!(world.ordered.is_empty());
}

#[test]
fn spec_2_22_and_7_33_starting_anew_ends_the_wait_and_a_late_signature_logs_nobody_in() {
    let mut world = begun();
    world.host("CONNECT_FARCASTER", "null");
    let effect = waited(&mut world);
    world.host("RELOAD", "null");
    assert_eq!(
        world.take(),
        [
            r#"@w3m-frame/CONNECT_FARCASTER_ERROR 2 {"message":"Something went wrong","code":null}"#,
            "@w3m-frame/RELOAD_SUCCESS 3",
        ]
    );
    signed(&mut world, effect.id);
    world.rpc("eth_accounts", "[]");
    assert!(!world.take().concat().contains(OWN));
}

#[test]
fn a_refusal_is_told_in_the_vaults_words_and_without_a_login_there_is_nothing_to_wait_for() {
    let mut world = begun();
    world.host("CONNECT_FARCASTER", "null");
    world.fail(FailureKind::Refused, "This login has ended. Start again.");
    assert!(world.take()[0].contains("This login has ended"));
    world.host("CONNECT_FARCASTER", "null");
    assert!(world.take()[0].starts_with("@w3m-frame/CONNECT_FARCASTER_ERROR 3"));
    assert!(world.ordered.is_empty());
}

#[test]
fn a_second_wait_is_refused_and_the_first_goes_on() {
    let mut world = begun();
    world.host("CONNECT_FARCASTER", "null");
    world.host("CONNECT_FARCASTER", "null");
    assert!(world.take()[0].starts_with("@w3m-frame/CONNECT_FARCASTER_ERROR 3"));
    let effect = waited(&mut world);
    signed(&mut world, effect.id);
    assert!(world.take()[0].starts_with("@w3m-frame/CONNECT_FARCASTER_SUCCESS 2"));
    world.host("IS_CONNECTED", "null");
    world.answer(&me());
}
