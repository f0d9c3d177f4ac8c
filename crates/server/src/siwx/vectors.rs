//! Published test vectors of sign-in messages: `tests/vectors/README.md` names their sources.

use super::authenticate::{is_on, origin_of};
use super::message::{Message, Wrong};
use super::signer::is_signed_by;
use crate::name::signature::recover;
use alloy_primitives::{Address, eip191_hash_message, hex};
use portico_encoding::base58;
use portico_terms::address;
use serde_json::{Map, Value};
use std::fmt::Write as _;

const SIWE: &str = include_str!("../../tests/vectors/siwe.json");
const SIWS: &str = include_str!("../../tests/vectors/siws.json");

/// Cases of a file by its name.
fn cases(vectors: &str, file: &str) -> Map<String, Value> {
    let all: Value = serde_json::from_str(vectors).unwrap();
    let cases = all[file].as_object().unwrap();
    assert!(!cases.is_empty());
    cases.clone()
}

fn text<'a>(case: &'a Value, name: &str) -> &'a str {
    case[name].as_str().unwrap_or_default()
}

fn time(text: &str) -> i64 {
    text.parse::<jiff::Timestamp>().unwrap().as_millisecond()
}

/// Text of the fields of a case.
fn written(case: &Value, account: &str) -> String {
    let mut message = format!(
        "{} wants you to sign in with your {account} account:\n{}\n\n{}\n\nURI: {}\nVersion: {}\nChain ID: {}\nNonce: {}\nIssued At: {}",
        text(case, "domain"),
        text(case, "address"),
        text(case, "statement"),
        text(case, "uri"),
        text(case, "version"),
        case["chainId"],
        text(case, "nonce"),
        text(case, "issuedAt"),
    );
    for (label, name) in [("Expiration Time", "expirationTime"), ("Not Before", "notBefore")] {
        if let Some(value) = case[name].as_str() {
            write!(message, "\n{label}: {value}").unwrap();
        }
    }
    message
}

/// Everything that is asked of a message before its nonce and signature.
fn read(message: &str) -> Result<Message, Wrong> {
    let message = Message::parse(message)?;
    is_on(&origin_of(&message)?, &message)?;
    let checksum = address::with_checksum(&message.address).ok();
    if checksum.as_ref() != Some(&message.address) {
        return Err(("address", "no checksum".into()));
    }
    Ok(message)
}

fn is_signed(message: &Message, text: &str, signature: &str) -> bool {
    let signer: Address = message.address.parse().unwrap();
    let hash = eip191_hash_message(text);
    hex::decode(signature).is_ok_and(|signature| recover(&signature, &hash) == Some(signer))
}

#[test]
fn spec_3_18_messages_of_the_siwe_vectors_are_read_field_by_field() {
    for (name, case) in cases(SIWE, "parsing_positive") {
        let parsed = Message::parse(text(&case, "message"));
        let fields = &case["fields"];
        // Stricter: no page's host has a user, and a visitor can be misled by one.
        if name.contains("userinfo") {
            assert_eq!(parsed.unwrap_err().0, "domain", "{name}");
            continue;
        }
        let message = parsed.unwrap();
        for (read, field) in [
            (message.domain.as_str(), "domain"),
            (message.address.as_str(), "address"),
            (message.uri.as_str(), "uri"),
            (message.chain.reference(), "chainId"),
            (message.nonce.as_str(), "nonce"),
        ] {
            assert_eq!(read, text(fields, field), "{name}: {field}");
        }
        assert_eq!(message.issued_at, time(text(fields, "issuedAt")), "{name}");
        assert_eq!((message.expires_at, message.not_before), (None, None), "{name}");
    }
}

#[test]
fn spec_3_18_malformed_messages_of_the_siwe_vectors_are_refused_by_the_name_of_the_field() {
    for (name, message) in cases(SIWE, "parsing_negative") {
        let refused = read(message.as_str().unwrap()).map_err(|(field, _)| field);
        let expected = match name.as_str() {
            "wrong version" => "version",
            "missing domain" | "domain not RFC4501 authority" => "domain",
            "missing address" | "address not EIP-55" => "address",
            "uri is non-RFC 3986" => "uri",
            "not a valid chainId" => "chainId",
            "nonce with less then 8 chars" => "nonce",
            "non-ISO 8601 issuedAt" => "issuedAt",
            "non-ISO 8601 expirationTime" => "expirationTime",
            "non-ISO 8601 notBefore" => "notBefore",
            name if name.contains("resource") && !name.starts_with("out of order") => "resources",
            // The version of this message is 1, contrary to the name of the case: it is right.
            "version not 1" => {
                assert_eq!(refused.unwrap().nonce, "12341234");
                continue;
            }
            _ => "message",
        };
        assert_eq!(refused, Err(expected), "{name}");
    }
}

#[test]
fn spec_3_18_signed_messages_of_the_siwe_vectors_are_accepted_at_their_time() {
    for (name, case) in cases(SIWE, "verification_positive") {
        let text_signed = written(&case, "Ethereum");
        let message = Message::parse(&text_signed).unwrap();
        assert!(is_signed(&message, &text_signed, text(&case, "signature")), "{name}");
        let now = case["time"].as_str().map_or(message.issued_at, time);
        let life = i64::MAX / 4;
        let timely = message.is_timely(now, life, 0).map_err(|(field, _)| field);
        // Stricter: this message expires before it is issued.
        let expected = if name == "expired message" { Err("issuedAt") } else { Ok(()) };
        assert_eq!(timely, expected, "{name}");
    }
}

#[test]
fn spec_3_18_invalid_sign_ins_of_the_siwe_vectors_are_refused() {
    for (name, case) in cases(SIWE, "verification_negative") {
        let signed = written(&case, "Ethereum");
        let parsed = Message::parse(&signed);
        if let Some(field) = name.strip_prefix("invalid ") {
            assert_eq!(parsed.unwrap_err().0, field, "{name}");
            continue;
        }
        let message = parsed.unwrap();
        let now = case["time"].as_str().map_or(message.issued_at, time);
        let timely = message.is_timely(now, i64::MAX / 4, 0).map_err(|(field, _)| field);
        let signature = is_signed(&message, &signed, text(&case, "signature"));
        match name.as_str() {
            "expired message" | "custom time" => assert_eq!(timely, Err("expirationTime"), "{name}"),
            "not yet valid" => assert_eq!(timely, Err("notBefore"), "{name}"),
            "domain binding" => {
                let page = format!("https://{}", text(&case, "domainBinding"));
                assert_eq!(is_on(&page, &message).map_err(|(field, _)| field), Err("domain"));
            }
            "custom nonce" => assert_ne!(message.nonce, text(&case, "matchNonce")),
            "malformed signature" | "wrong signature" => assert!(!signature, "{name}"),
            _ => panic!("{name}: a case without a rule"),
        }
        assert_eq!(signature, !name.contains("signature"), "{name}");
    }
}

#[test]
fn spec_3_18_signed_messages_of_the_vectors_for_solana_are_accepted_and_changed_ones_are_not() {
    for (name, case) in cases(SIWS, "validation_positive") {
        let signed = written(&case, "Solana");
        let message = Message::parse(&signed).unwrap();
        assert_eq!(message.chain.to_string(), "solana:1", "{name}");
        let key: [u8; 32] = base58::decode(&message.address).unwrap().try_into().unwrap();
        assert!(is_signed_by(&key, &signed, text(&case, "signature")), "{name}");
        let changed = signed.replace("login.xyz", "login.abc");
        assert!(!is_signed_by(&key, &changed, text(&case, "signature")), "{name}");
    }
}

#[test]
fn messages_of_the_wallet_standard_without_what_makes_them_good_once_are_refused() {
    // None of them has a nonce: a signature of one would be good for ever.
    for (name, message) in cases(SIWS, "wallet-standard") {
        let refused = Message::parse(message.as_str().unwrap()).map_err(|(field, _)| field);
        assert_eq!(refused, Err("message"), "{name}");
    }
}
