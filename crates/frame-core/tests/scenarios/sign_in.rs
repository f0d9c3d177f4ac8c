//! The sign-in message of the page, which is signed in the same step as a login, and never later.

use crate::world::{OTHER, OWN, World, json, me};
use portico_frame_core::{FailureKind, Operation, SigningOrder};
use portico_json::{Value, to_text};

const CODE: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_";

/// Epoch milliseconds of "Issued At" below.
const ISSUED: u64 = 1_795_749_600_000;

fn text() -> String {
    format!(
        "shop.example.org wants you to sign in with your Ethereum account:\n{OWN}\n\nSee your orders.\n\nURI: https://shop.example.org\nVersion: 1\nChain ID: 10\nNonce: 12345678\nIssued At: 2026-11-27T03:20:00Z"
    )
}

fn serialized(text: &str) -> Value {
    Value::Object(vec![("serializedMessage".into(), text.into())])
}

/// Page whose visitor logged in at a service; the host gave this message. What the worker was asked to sign, and the answer that came without.
fn logged_in(message: &Value) -> World {
    logged_in_at(ISSUED, message)
}

/// The same at another time.
fn logged_in_at(now: u64, message: &Value) -> World {
    let mut world = World::new();
    world.pass(now - world.now);
    world.host("GET_SOCIAL_REDIRECT_URI", r#"{"provider":"google"}"#);
    world.answer(r#"{"transaction":"tx1","uri":"https://accounts.example/auth?state=1"}"#);
    world.take();
    let uri = format!("https://wallet.example/wallet/callback/google?code={CODE}");
    world.host("CONNECT_SOCIAL", &format!(r#"{{"uri":"{uri}","chainId":10,"siwxMessage":{}}}"#, to_text(message)));
    let own = OWN.to_lowercase();
    let user = r#"{"id":"AA","email":null,"name":"Ada","provider":"google"}"#;
    world.answer(&format!(r#"{{"user":{user},"addresses":{{"eip155":"{own}"}}}}"#));
    world
}

/// Asks for the user with a message.
fn ask(world: &mut World, message: &Value) {
    world.host("GET_USER", &format!(r#"{{"chainId":10,"siwxMessage":{}}}"#, to_text(message)));
    world.answer(&me());
}

fn signed_bytes(world: &World) -> Option<(String, String)> {
    match world.ordered.first().map(|effect| &effect.operation) {
        Some(Operation::Sign { order: SigningOrder::Message { address, message }, .. }) => {
            Some((address.clone(), message.clone()))
        }
        _ => None,
    }
}

fn hex(text: &str) -> String {
    text.bytes().fold("0x".into(), |hex, byte| format!("{hex}{byte:02x}"))
}

/// Payload of the only answer.
fn told(world: &mut World) -> (String, Value) {
    let all = world.take();
    let [one] = &all[..] else { panic!("{all:?}") };
    let mut words = one.splitn(3, ' ');
    let kind = words.next().unwrap_or_default().to_owned();
    (kind, json(words.nth(1).unwrap_or("null")))
}

#[test]
fn spec_7_17_a_login_signs_the_message_of_its_page_in_the_same_step() {
    let message = serialized(&text());
    let mut world = logged_in(&message);
    assert_eq!(signed_bytes(&world), Some((OWN.into(), hex(&text()))));
    assert!(world.take().is_empty(), "the page is answered once");
    world.answer(r#""0xabcd""#);
    let (kind, told) = told(&mut world);
    assert_eq!(kind, "@w3m-frame/CONNECT_SOCIAL_SUCCESS");
    assert_eq!((told.get("address").as_str(), told.get("signature").as_str()), (Some(OWN), Some("0xabcd")));
    assert_eq!((told.get("message").as_str(), told.get("siwxMessage")), (Some(&text()[..]), &message));
}

#[test]
fn spec_7_21_the_question_after_a_login_signs_once_and_within_a_minute() {
    let fresh = || {
        let mut world = logged_in(&Value::Null);
        world.take();
        world
    };
    let mut world = fresh();
    world.pass(60_000);
    ask(&mut world, &serialized(&text()));
    assert!(signed_bytes(&world).is_some());
    world.answer(r#""0xabcd""#);
    world.take();
    ask(&mut world, &serialized(&text()));
    assert_eq!(signed_bytes(&world), None, "a login is good for one message");
    assert_eq!(told(&mut world).1.get("signature"), &Value::Null);

    let mut world = fresh();
    world.pass(60_001);
    ask(&mut world, &serialized(&text()));
    assert_eq!((signed_bytes(&world), told(&mut world).0.as_str()), (None, "@w3m-frame/GET_USER_SUCCESS"));

    // A session that goes on, and a login by a token of the page, are no act of the visitor.
    let mut world = World::logged_in();
    world.take();
    world.host("SWITCH_NETWORK", r#"{"chainId":10}"#);
    world.take();
    ask(&mut world, &serialized(&text()));
    assert_eq!(signed_bytes(&world), None);
    let mut world = World::new();
    let payload = format!(r#"{{"jwt":"a.b.c","chainId":10,"siwxMessage":{}}}"#, to_text(&serialized(&text())));
    world.host("CONNECT_JWT", &payload);
    let user = r#"{"id":"AA","email":null,"name":"Ada","provider":"jwt"}"#;
    world.answer(&format!(r#"{{"user":{user},"addresses":{{"eip155":"{}"}}}}"#, OWN.to_lowercase()));
    assert_eq!((signed_bytes(&world), told(&mut world).0.as_str()), (None, "@w3m-frame/CONNECT_JWT_SUCCESS"));
}

/// Asserts that a login with this message is one without a signature, and that no other message is signed after it.
fn assert_left_out(message: &Value, what: &str) {
    let mut world = logged_in(message);
    assert_eq!(signed_bytes(&world), None, "{what}");
    let (kind, answer) = told(&mut world);
    assert_eq!(
        (kind.as_str(), answer.get("address").as_str()),
        ("@w3m-frame/CONNECT_SOCIAL_SUCCESS", Some(OWN)),
        "{what}"
    );
    assert_eq!((answer.get("signature"), answer.get("message")), (&Value::Null, &Value::Null), "{what}");
    ask(&mut world, &serialized(&text()));
    assert_eq!(signed_bytes(&world), None, "{what}: a page cannot try again");
}

fn assert_forged(right: &str, wrong: &str) {
    let forged = text().replacen(right, wrong, 1);
    assert_ne!(forged, text());
    assert_left_out(&serialized(&forged), wrong);
}

#[test]
fn a_message_for_another_site_account_or_network_is_not_signed_and_the_login_succeeds() {
    for (right, wrong) in [
        ("shop.example.org wants", "evil.example wants"),
        ("shop.example.org wants", "http://shop.example.org wants"),
        ("URI: https://shop.example.org", "URI: https://shop.example.org.evil.example"),
        (OWN, OTHER),
        ("Chain ID: 10", "Chain ID: 1"),
        ("wants you to sign in with your Ethereum account:", "wants your tokens:"),
    ] {
        assert_forged(right, wrong);
    }
}

#[test]
fn a_message_that_says_more_than_a_sign_in_is_not_signed_and_the_login_succeeds() {
    let lines = format!("03:20:00Z{}", "\n".repeat(200));
    let (long, wide) = ("a".repeat(201), format!("Nonce: {}", "a".repeat(97)));
    let id = format!("03:20:00Z\nRequest ID: {}", "a".repeat(97));
    for (right, wrong) in [
        ("Version: 1", "Version: 2"),
        ("Chain ID: 10", "Chain ID: +10"),
        ("Chain ID: 10", "Chain ID: 10 "),
        ("Nonce: 12345678", "Nonce: 1"),
        ("Nonce: 12345678", "Nonce: I hereby transfer"),
        ("Nonce: 12345678", &wide),
        ("2026-11-27T03:20:00Z", "I owe you a house"),
        ("2026-11-27T03:20:00Z", "1970-01-01T00:16:40Z"),
        ("2026-11-27T03:20:00Z", "2026-11-27T03:20:00Z "),
        ("03:20:00Z", "03:20:00Z\n"),
        ("03:20:00Z", "03:20:00Z\nI owe you a house"),
        ("03:20:00Z", &lines),
        ("03:20:00Z", "03:20:00Z\nResources:"),
        ("03:20:00Z", "03:20:00Z\nResources:\n- https://shop.example.org/terms"),
        ("03:20:00Z", "03:20:00Z\nResources:\n- urn:recap:eyJhdHQiOnt9fQ"),
        ("See your orders.", "Urn:Recap:eyJhdHQiOnt9fQ"),
        ("URI: https://shop.example.org", "URI: https://shop.example.org/?URN:RECAP:eyJhdHQiOnt9fQ"),
        ("URI: https://shop.example.org", "URI: https://shop.example.org/ I owe you"),
        ("03:20:00Z", "03:20:00Z\nExpiration Time: 2026-11-27T03:30:00Z\nExpiration Time: 2026-11-27T03:30:00Z"),
        ("03:20:00Z", "03:20:00Z\nNot Before: 2026-11-27T03:20:00Z\nExpiration Time: 2026-11-27T03:30:00Z"),
        ("03:20:00Z", "03:20:00Z\nExpiration Time: never"),
        ("03:20:00Z", "03:20:00Z\nRequest ID: I owe you"),
        ("03:20:00Z", "03:20:00Z\nRequest ID: 1\n2"),
        ("03:20:00Z", "03:20:00Z\nRequest ID: \u{e9}"),
        ("03:20:00Z", &id),
        ("See your orders.", &long),
        ("See your orders.", "See your \u{202e}orders."),
        ("See your orders.", "See your \u{200b}orders."),
        ("See your orders.", "See your \u{ad}orders."),
        ("See your orders.", "See your \u{3164}orders."),
        ("See your orders.", "See your orders.\u{e0049}\u{e0020}\u{e006f}"),
        ("See your orders.", "See your orders.\u{fe01}"),
        ("See your orders.", "See your\torders."),
    ] {
        assert_forged(right, wrong);
    }
}

#[test]
fn a_message_with_each_field_of_its_own_is_signed_within_ten_minutes_of_its_date() {
    let full = text().replace("See your orders.", &"\u{642}".repeat(200))
        + "\nExpiration Time: 2026-11-27T04:20:00.000+00:00\nNot Before: 2026-11-27T03:20:00Z\nRequest ID: a-1";
    assert!(signed_bytes(&logged_in(&serialized(&full))).is_some());
    let bare = text().replace("See your orders.\n", "");
    assert!(signed_bytes(&logged_in(&serialized(&bare))).is_some());
    for (now, signed) in
        [(ISSUED - 601_000, false), (ISSUED - 600_000, true), (ISSUED + 600_999, true), (ISSUED + 601_000, false)]
    {
        assert_eq!(signed_bytes(&logged_in_at(now, &serialized(&text()))).is_some(), signed, "{now}");
    }
}

#[test]
fn fields_become_the_text_and_those_of_another_site_or_account_are_refused() {
    let fields = r#"{"accountAddress":"OWN","chainId":"eip155:10","domain":"shop.example.org","uri":"https://shop.example.org","version":"1","nonce":"12345678","statement":"See your orders.","issuedAt":"2026-11-27T03:20:00Z"}"#;
    let own = fields.replace("OWN", OWN);
    assert_eq!(signed_bytes(&logged_in(&json(&own))), Some((OWN.into(), hex(&text()))));
    // The page cannot know the account before the login.
    let unknown = fields.replace(r#""accountAddress":"OWN","#, "");
    assert_eq!(signed_bytes(&logged_in(&json(&unknown))), Some((OWN.into(), hex(&text()))));
    for (right, wrong) in
        [("shop.example.org", "evil.example"), (OWN, OTHER), (r#""nonce":"12345678""#, r#""nonce":7"#)]
    {
        assert_left_out(&json(&own.replacen(right, wrong, 1)), wrong);
    }
    // A field cannot bring lines of its own.
    let lines = own.replace("See your orders.", "Hello\\n\\nURI: https://evil.example");
    assert_eq!(signed_bytes(&logged_in(&json(&lines))), None);
}

#[test]
fn a_login_whose_message_cannot_be_signed_is_a_login_without_a_signature() {
    let mut world = logged_in(&serialized(&text()));
    world.fail(FailureKind::Refused, "This wallet is frozen");
    let (kind, told) = told(&mut world);
    assert_eq!((kind.as_str(), told.get("address").as_str()), ("@w3m-frame/CONNECT_SOCIAL_SUCCESS", Some(OWN)));
    assert_eq!(told.get("signature"), &Value::Null);
}
