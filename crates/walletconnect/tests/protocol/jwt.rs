//! Tokens that a relay must refuse, and the text of each refusal.

use portico_walletconnect::encoding::base64::{Spelling, encode};
use portico_walletconnect::jwt::{ClientKey, JwtFault, LIFETIME, same_relay, verify, verify_signature};

const NOW: u64 = 1_700_000_000;
const RELAY: [&str; 1] = ["wss://relay.example.org"];

fn client() -> ClientKey {
    ClientKey::from_seed(&[1; 32])
}

fn token() -> String {
    client().sign("5a", RELAY[0], NOW, LIFETIME)
}

fn claims(text: &str) -> String {
    client().sign_claims(&text.replace("ISS", &client().did()))
}

#[test]
fn what_is_no_token_is_refused() {
    for bad in [
        "",
        ".",
        "..",
        "a.b.c",
        "e30.e30",
        "e30.e30.e30",
        &"a.".repeat(8000),
        &token().replace('.', ""),
        &(token() + "="),
    ] {
        assert!(verify(bad, &RELAY, NOW).is_err(), "{bad}");
    }
    assert_eq!(verify("e30", &RELAY, NOW), Err(JwtFault::Format));
    assert_eq!(verify("e30.e30.e30", &RELAY, NOW), Err(JwtFault::Header));
}

#[test]
fn another_algorithm_is_refused_whatever_it_is_signed_with() {
    let genuine = token();
    let payload = genuine.split('.').nth(1).unwrap();
    for header in [
        r#"{"alg":"none"}"#,
        r#"{"alg":"HS256","typ":"JWT"}"#,
        r#"{"alg":"eddsa"}"#,
        r#"{"alg":"EdDSA","typ":"at+jwt"}"#,
    ] {
        let forged = [&encode(header.as_bytes(), Spelling::Url), payload, ""].join(".");
        assert_eq!(verify(&forged, &RELAY, NOW), Err(JwtFault::Header), "{header}");
    }
}

#[test]
fn a_token_signed_by_somebody_else_is_refused() {
    let stranger = ClientKey::from_seed(&[2; 32]);
    let claims =
        format!(r#"{{"iss":"{}","sub":"5a","aud":"{}","iat":{NOW},"exp":{}}}"#, client().did(), RELAY[0], NOW + 1);
    assert_eq!(verify(&stranger.sign_claims(&claims), &RELAY, NOW), Err(JwtFault::Signature));
    let good = token();
    let (signed, _) = good.rsplit_once('.').unwrap();
    assert_eq!(verify(&[signed, "."].concat(), &RELAY, NOW), Err(JwtFault::Signature));
    assert_eq!(verify(&[signed, ".", &"A".repeat(86)].concat(), &RELAY, NOW), Err(JwtFault::Signature));
}

#[test]
fn missing_claims_and_foreign_issuers_are_refused() {
    for bad in [
        r#"{"sub":"5a","aud":"wss://relay.example.org","iat":1700000000,"exp":1700000001}"#,
        r#"{"iss":"ISS","aud":"wss://relay.example.org","iat":1700000000,"exp":1700000001}"#,
        r#"{"iss":"ISS","sub":"5a","iat":1700000000,"exp":1700000001}"#,
        r#"{"iss":"ISS","sub":"5a","aud":["wss://relay.example.org"],"iat":1700000000,"exp":1700000001}"#,
        r#"{"iss":"ISS","sub":"5a","aud":"wss://relay.example.org","iat":"1700000000","exp":1700000001}"#,
        r#"{"iss":"ISS","sub":"5a","aud":"wss://relay.example.org","iat":1700000000}"#,
    ] {
        assert_eq!(verify(&claims(bad), &RELAY, NOW), Err(JwtFault::Claims), "{bad}");
    }
    let foreign =
        r#"{"iss":"did:web:example.org","sub":"5a","aud":"wss://relay.example.org","iat":1700000000,"exp":1700000001}"#;
    assert_eq!(verify(&claims(foreign), &RELAY, NOW), Err(JwtFault::Issuer));
}

#[test]
fn claims_of_shipped_clients_and_of_the_specification_are_both_taken() {
    let with_act = r#"{"act":"client_auth","exp":1700000001,"iat":1700000000,"aud":"wss://relay.example.org","sub":"5a","iss":"ISS","tag":[1]}"#;
    let read = verify(&claims(with_act), &RELAY, NOW).unwrap();
    assert_eq!(read.payload.get("act").as_str(), Some("client_auth"));
    assert_eq!(verify_signature(&token()).unwrap().subject, "5a");
}

#[test]
fn clocks_may_differ_by_two_minutes() {
    let token = token();
    assert!(verify(&token, &RELAY, NOW - 120).is_ok());
    assert!(verify(&token, &RELAY, NOW + LIFETIME + 120).is_ok());
    let early = verify(&token, &RELAY, NOW - 121).unwrap_err();
    assert_eq!(
        early.close_text(),
        "JWT validation error: JWT Token is not yet valid: basic.iat: 1700000000, now + time_leeway: 1699999999, time_leeway: 120"
    );
    let late = verify(&token, &RELAY, NOW + LIFETIME + 121).unwrap_err();
    assert_eq!(
        late.close_text(),
        "JWT validation error: JWT Token is expired: basic.exp: 1700086400, now - time_leeway: 1700086401, time_leeway: 120"
    );
}

#[test]
fn an_audience_is_the_relay_by_any_of_its_names() {
    for same in [
        "wss://relay.example.org/",
        "https://relay.example.org",
        "https://relay.example.org/rpc",
        "wss://RELAY.example.org",
    ] {
        let token = client().sign("5a", same, NOW, LIFETIME);
        assert!(verify(&token, &RELAY, NOW).is_ok(), "{same}");
    }
    for other in [
        "",
        "wss://relay.example.org.evil.example",
        "ws://relay.example.org",
        "wss://relay.example.org:8443",
        "wss://relay.example",
    ] {
        let token = client().sign("5a", other, NOW, LIFETIME);
        assert_eq!(verify(&token, &RELAY, NOW), Err(JwtFault::Audience), "{other}");
    }
    assert_eq!(JwtFault::Audience.close_text(), "JWT validation error: Invalid audience");
    assert!(same_relay("ws://127.0.0.1:5555", "http://127.0.0.1:5555/rpc/"));
}
