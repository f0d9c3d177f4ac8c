//! Login at another service.

use crate::world::{OWN, World, json};
use portico_frame_core::{FailureKind, Operation, Outcome};

const CODE: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_";

fn begun(provider: &str) -> World {
    let mut world = World::new();
    world.host("GET_SOCIAL_REDIRECT_URI", &format!(r#"{{"provider":"{provider}"}}"#));
    world.answer(r#"{"transaction":"tx1","uri":"https://accounts.example/auth?state=1"}"#);
    world.take();
    world
}

fn returned(world: &mut World, path: &str) {
    world.host("CONNECT_SOCIAL", &format!(r#"{{"uri":"https://wallet.example{path}","chainId":10}}"#));
}

fn logged_in() -> Outcome {
    let own = OWN.to_lowercase();
    Outcome::Answered {
        value: json(&format!(
            r#"{{"user":{{"id":"AA","email":null,"name":"Ada","provider":"google"}},"addresses":{{"eip155":"{own}"}}}}"#
        )),
    }
}

#[test]
fn spec_7_18_the_page_of_a_service_is_asked_of_the_vault_for_this_host() {
    let mut world = World::new();
    world.host("GET_SOCIAL_REDIRECT_URI", r#"{"provider":"google","back":"https://shop.example.org/cart"}"#);
    assert_eq!(
        world.asked(),
        r#"/wallet/v1/login/social {"provider":"google","project":"demo","host":"https://shop.example.org","back":"https://shop.example.org/cart"} false"#
    );
    world.answer(r#"{"transaction":"tx1","uri":"https://accounts.example/auth?state=1"}"#);
    assert_eq!(
        world.take(),
        [r#"@w3m-frame/GET_SOCIAL_REDIRECT_URI_SUCCESS 1 {"uri":"https://accounts.example/auth?state=1"}"#]
    );
}

#[test]
fn spec_3_28_what_is_no_word_of_a_service_never_reaches_the_vault() {
    for payload in [
        "null",
        "{}",
        r#"{"provider":1}"#,
        r#"{"provider":""}"#,
        r#"{"provider":"Google"}"#,
        r#"{"provider":"../email"}"#,
        r#"{"provider":"aaaaaaaaaaaaaaaaa"}"#,
        r#"{"provider":"google","back":7}"#,
    ] {
        let mut world = World::new();
        world.host("GET_SOCIAL_REDIRECT_URI", payload);
        assert!(world.ordered.is_empty(), "{payload}");
        assert!(world.take()[0].starts_with("@w3m-frame/GET_SOCIAL_REDIRECT_URI_ERROR 1"), "{payload}");
    }
}

#[test]
fn a_login_whose_wallet_only_the_visitor_can_open_says_so_and_tells_no_user() {
    let mut world = begun("google");
    returned(&mut world, &format!("/wallet/callback/google?code={CODE}"));
    world.answer(r#"{"locked":true}"#);
    assert_eq!(world.take(), [r#"@w3m-frame/CONNECT_SOCIAL_SUCCESS 2 {"locked":true}"#]);
}

#[test]
fn spec_7_17_and_3_25_the_return_is_finished_by_the_worker_and_answered_with_the_user() {
    let mut world = begun("google");
    returned(&mut world, &format!("/wallet/callback/google?code={CODE}"));
    let order = world.only();
    assert_eq!(
        order.operation,
        Operation::FinishSocial { transaction: Some("tx1".into()), provider: "google".into(), code: CODE.into() }
    );
    world.resolve(order.id, logged_in());
    assert_eq!(
        world.take(),
        [format!(
            r#"@w3m-frame/CONNECT_SOCIAL_SUCCESS 2 {{"email":null,"address":"{OWN}","chainId":10,"accounts":[{{"address":"{OWN}","type":"eoa"}}],"userName":"Ada","provider":"google","smartAccountDeployed":false,"preferredAccountType":null}}"#
        )]
    );
}

#[test]
fn spec_5_27_an_address_that_is_not_that_of_a_return_reaches_nobody() {
    for path in [
        "/",
        "/wallet/callback/google?code=short",
        "/wallet/callback/google?code=",
        "/wallet/callback/Google?code=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_",
        "/wallet/callback/?code=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_",
        "/wallet/callback/google?code=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN%20",
        "/wallet/callback/google?code=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_&x=y",
    ] {
        let mut world = begun("google");
        returned(&mut world, path);
        assert!(world.ordered.is_empty(), "{path}");
        assert!(world.take()[0].starts_with("@w3m-frame/CONNECT_SOCIAL_ERROR 2"), "{path}");
    }
}

#[test]
fn the_return_of_one_service_is_not_that_of_another_and_ends_the_login_of_neither() {
    let mut world = begun("google");
    returned(&mut world, &format!("/wallet/callback/github?code={CODE}"));
    assert!(world.ordered.is_empty());
    assert_eq!(
        world.take(),
        [r#"@w3m-frame/CONNECT_SOCIAL_ERROR 2 {"message":"This login has ended. Start again.","code":null}"#]
    );
    returned(&mut world, &format!("/wallet/callback/google?code={CODE}"));
    assert_eq!(world.ordered.len(), 1);
}

#[test]
fn a_visitor_who_refused_at_the_service_is_not_logged_in_and_the_login_is_over() {
    let mut world = begun("google");
    returned(&mut world, "/wallet/callback/google");
    assert!(world.ordered.is_empty());
    assert_eq!(world.take(), [r#"@w3m-frame/CONNECT_SOCIAL_ERROR 2 {"message":"Login was canceled","code":null}"#]);
    returned(&mut world, &format!("/wallet/callback/google?code={CODE}"));
    assert!(
        matches!(&world.only().operation, Operation::FinishSocial { transaction: None, .. }),
        "this page began no other login"
    );
}

#[test]
fn the_sentence_of_the_vault_reaches_the_host_and_a_code_is_used_once() {
    let mut world = begun("google");
    returned(&mut world, &format!("/wallet/callback/google?code={CODE}"));
    world.fail(FailureKind::Refused, "This login has ended. Start again.");
    assert_eq!(
        world.take(),
        [r#"@w3m-frame/CONNECT_SOCIAL_ERROR 2 {"message":"This login has ended. Start again.","code":null}"#]
    );
}

#[test]
fn a_later_login_takes_the_place_of_the_earlier_one() {
    let mut world = begun("google");
    world.host("GET_SOCIAL_REDIRECT_URI", r#"{"provider":"google"}"#);
    world.answer(r#"{"transaction":"tx2","uri":"https://accounts.example/auth?state=2"}"#);
    returned(&mut world, &format!("/wallet/callback/google?code={CODE}"));
    assert!(
        matches!(&world.only().operation, Operation::FinishSocial { transaction: Some(id), .. } if id == "tx2"),
        "the worker finishes the later one"
    );
}

#[test]
fn a_hosts_own_token_is_handed_to_the_vault_and_answered_with_the_user() {
    let mut world = World::new();
    world.host("CONNECT_JWT", r#"{"jwt":"a.b.c","chainId":10}"#);
    let order = world.only();
    assert_eq!(
        order.operation,
        Operation::LogInByJwt {
            project: "demo".into(),
            host: "https://shop.example.org".into(),
            token: "a.b.c".into()
        }
    );
    world.resolve(order.id, logged_in());
    let [told] = <[String; 1]>::try_from(world.take()).unwrap();
    assert!(
        told.starts_with(&format!(r#"@w3m-frame/CONNECT_JWT_SUCCESS 1 {{"email":null,"address":"{OWN}","chainId":10"#)),
        "{told}"
    );
}

#[test]
fn what_is_no_token_reaches_nobody_and_a_refusal_is_told_to_the_host() {
    let long = format!(r#"{{"jwt":"{}"}}"#, "a".repeat(16 * 1024 + 1));
    for payload in ["null", "{}", r#"{"jwt":""}"#, r#"{"jwt":7}"#, &long, r#"{"jwt":"a.b.c","chainId":"moon"}"#] {
        let mut world = World::new();
        world.host("CONNECT_JWT", payload);
        assert!(world.ordered.is_empty(), "{payload}");
        assert!(world.take()[0].starts_with("@w3m-frame/CONNECT_JWT_ERROR 1"));
    }
    let mut world = World::new();
    world.host("CONNECT_JWT", r#"{"jwt":"a.b.c"}"#);
    world.fail(FailureKind::Refused, "The site's login wasn't accepted. Log in to the site again.");
    assert_eq!(
        world.take(),
        [
            r#"@w3m-frame/CONNECT_JWT_ERROR 1 {"message":"The site's login wasn't accepted. Log in to the site again.","code":null}"#
        ]
    );
    world.host("CONNECT_JWT", r#"{"jwt":"a.b.d"}"#);
    world.answer(r#"{"locked":true}"#);
    assert_eq!(world.take(), [r#"@w3m-frame/CONNECT_JWT_SUCCESS 2 {"locked":true}"#]);
}
