//! Changes of names: attributes, addresses, transfer and release, each signed by the owner.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::names::{NAMES, Visitor, fields, get, nonce, send, value};
use support::{Server, reason};

const ALICE: &str = "alice.portico.eth";

/// Server on which the first visitor owns alice.
async fn with_alice() -> (Server, Visitor) {
    let server = Server::configured(NAMES).await;
    let visitor = Visitor::new(1);
    assert_eq!(visitor.register(&server, "alice").await.0, StatusCode::OK);
    (server, visitor)
}

fn refused((status, text): (StatusCode, String)) -> (u16, String) {
    (status.as_u16(), reason(&text).1)
}

#[tokio::test]
async fn the_owner_sets_and_clears_attributes() {
    let (server, alice) = with_alice().await;
    let path = format!("/{ALICE}/attributes");
    let set = |attributes| json!({"attributes": attributes});
    let (status, text) = alice.ask(&server, &path, set(json!({"bio": "one", "avatar": "ipfs://a"}))).await;
    assert_eq!((status, &value(&text)["attributes"]), (StatusCode::OK, &json!({"bio": "one", "avatar": "ipfs://a"})));
    let (_, text) = alice.ask(&server, &path, set(json!({"bio": "two", "avatar": ""}))).await;
    assert_eq!(value(&text)["attributes"], json!({"bio": "two"}));
    assert_eq!(refused(alice.ask(&server, &path, json!({})).await).0, 422);
    for bio in ["a".repeat(256), "one\ntwo".into(), "gnp.\u{202e}exe".into(), "\u{2066}a".into()] {
        assert_eq!(refused(alice.ask(&server, &path, set(json!({"bio": bio}))).await).0, 422);
    }
    assert_eq!(value(&get(&server, "account/alice").await.1)["attributes"], json!({"bio": "two"}));
}

#[tokio::test]
async fn nobody_else_changes_a_name() {
    let (server, alice) = with_alice().await;
    let mallory = Visitor::new(2);
    let before = get(&server, "account/alice").await;
    for (path, asked) in [
        ("attributes", json!({"attributes": {"bio": "mine"}})),
        ("address", json!({"to": {"address": mallory.address()}})),
        ("transfer", json!({"to": {"address": Visitor::new(3).address()}})),
        ("release", json!({})),
    ] {
        let path = format!("/{ALICE}/{path}");
        let found = refused(mallory.ask(&server, &path, asked.clone()).await);
        assert_eq!(found, (401, "This name belongs to another account".into()), "{path}");
        // Her own signature over the text of the owner.
        let forged = fields(&alice.address(), asked.clone(), &nonce(&server).await);
        assert_eq!(refused(send(&server, &path, &mallory.signed(&path, forged)).await).0, 401, "{path}");
        let nobody = refused(mallory.ask(&server, &path.replace(ALICE, "bobby"), asked).await);
        assert_eq!(nobody, (404, "The name bobby.portico.eth isn't registered".into()), "{path}");
    }
    assert_eq!(get(&server, "account/alice").await, before);
}

#[tokio::test]
async fn what_is_signed_for_one_purpose_serves_no_other() {
    let server = Server::configured(&format!("{NAMES}per_address = 2\n")).await;
    let alice = Visitor::new(1);
    for name in ["alice", "second"] {
        assert_eq!(alice.register(&server, name).await.0, StatusCode::OK);
    }
    let all = ["attributes", "address", "transfer", "release"];
    // One body fits all of them; only its text says for which it was signed.
    let asked = json!({"name": "third", "attributes": {"bio": "one"}, "to": {"address": Visitor::new(2).address()}});
    for fits in all {
        let path = format!("/{ALICE}/{fits}");
        let body = alice.body(&server, &path, asked.clone()).await;
        for other in all.into_iter().filter(|other| *other != fits) {
            let (status, words) = refused(send(&server, &format!("/{ALICE}/{other}"), &body).await);
            assert!(status == 422 && words.starts_with("Line 4 of the signed message has to be: "), "{fits}: {words}");
        }
        for other in ["".into(), path.replace("alice", "second")] {
            let (status, words) = refused(send(&server, &other, &body).await);
            assert!(status == 422 && words.starts_with("Line 4 of the signed message has to be: "), "{fits}: {words}");
        }
    }
    let registration = alice.body(&server, "", asked).await;
    assert_eq!(refused(send(&server, "/alice/transfer", &registration).await).0, 422);
    for name in ["alice", "second"] {
        let record = value(&get(&server, &format!("account/{name}")).await.1);
        assert_eq!(
            (&record["addresses"]["60"]["address"], &record["attributes"]),
            (&alice.address().into(), &json!({}))
        );
    }
}

#[tokio::test]
async fn a_transfer_goes_to_the_owner_that_the_visitor_read_and_to_no_other() {
    let (server, alice) = with_alice().await;
    let [bobby, mallory] = [2, 3].map(|number| Visitor::new(number).address());
    let path = format!("/{ALICE}/transfer");
    let asked = json!({"to": {"address": bobby.to_lowercase()}});
    let good = alice.body(&server, &path, asked).await;
    let sentence =
        format!("Transfer the name {ALICE} to {bobby} on eip155:1. The new owner controls the name; you lose it.");
    assert_eq!(good["message"].as_str().unwrap().lines().nth(3), Some(sentence.as_str()));
    for to in [
        json!({"address": mallory}),
        json!({"address": bobby, "coinType": 0x8000_000a_u32}),
        json!({"address": bobby, "coinType": 0x8000_0001_u32}),
    ] {
        let mut body = good.clone();
        body["to"] = to.clone();
        let (status, words) = refused(send(&server, &path, &body).await);
        assert!(
            status == 422 && words.starts_with("Line 4 of the signed message has to be: Transfer"),
            "{to}: {words}"
        );
    }
    assert_eq!(value(&get(&server, "account/alice").await.1)["addresses"]["60"]["address"], alice.address());
    assert_eq!(send(&server, &path, &good).await.0, StatusCode::OK);
    assert_eq!(value(&get(&server, "account/alice").await.1)["addresses"]["60"]["address"], bobby);
    let text = "This message was used before. Sign a new one.";
    assert_eq!(refused(send(&server, &path, &good).await), (400, text.into()));
}

#[tokio::test]
async fn a_name_has_one_address_for_each_coin_type() {
    let (server, alice) = with_alice().await;
    let path = format!("/{ALICE}/address");
    let other = Visitor::new(2).address();
    let solana = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
    for says in [
        json!({"address": other.to_lowercase()}),
        json!({"coinType": 501, "address": solana}),
        json!({"coinType": 2_147_483_658_u32, "address": other}),
        json!({"coinType": 2_147_483_658_u32, "address": ""}),
    ] {
        let (status, text) = alice.ask(&server, &path, json!({ "to": says })).await;
        assert_eq!(status, StatusCode::OK, "{text}");
    }
    let record = value(&get(&server, "account/alice").await.1);
    assert_eq!(record["addresses"]["60"]["address"], other);
    assert_eq!(record["addresses"]["501"]["address"], solana);
    assert_eq!(record["addresses"].as_object().unwrap().len(), 2);
    for says in [
        json!({"coinType": 60, "address": solana}),
        json!({"coinType": 501, "address": other}),
        json!({"coinType": 0, "address": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"}),
        json!({"coinType": 60}),
        json!({"coinType": -1, "address": other}),
        json!({"address": 7}),
        Value::Null,
    ] {
        assert_eq!(refused(alice.ask(&server, &path, json!({ "to": says })).await).0, 422, "{says}");
    }
    // A name that points at another account is not that account's; and it no longer resolves back to its owner.
    for (path, names) in [
        (format!("reverse/{other}?apiVersion=2"), 0),
        (format!("reverse/{}?apiVersion=2", alice.address()), 1),
        (format!("reverse/60/{}?apiVersion=2", alice.address()), 0),
    ] {
        assert_eq!(value(&get(&server, &path).await.1).as_array().unwrap().len(), names, "{path}");
    }
}

#[tokio::test]
async fn a_transferred_name_leads_to_its_new_owner_and_says_nothing_of_the_old() {
    let (server, alice) = with_alice().await;
    let bobby = Visitor::new(2);
    alice.ask(&server, &format!("/{ALICE}/attributes"), json!({"attributes": {"bio": "alice"}})).await;
    let path = format!("/{ALICE}/transfer");
    for owner in ["", "bobby", &alice.address(), &format!("0x{}", "0".repeat(40))] {
        assert_eq!(refused(alice.ask(&server, &path, json!({"to": {"address": owner}})).await).0, 422, "{owner}");
    }
    let (status, text) = alice.ask(&server, &path, json!({"to": {"address": bobby.address()}})).await;
    let record = value(&text);
    assert_eq!((status, &record["attributes"]), (StatusCode::OK, &json!({})));
    assert_eq!(record["addresses"]["60"]["address"], bobby.address());
    assert_eq!(get(&server, &format!("reverse/{}", alice.address())).await.0, StatusCode::NOT_FOUND);
    assert_eq!(get(&server, &format!("reverse/{}", bobby.address())).await.0, StatusCode::OK);
    // The old owner may register another name; the new owner, who has one now, may not.
    assert_eq!(alice.register(&server, "alice-two").await.0, StatusCode::OK);
    assert_eq!(refused(bobby.register(&server, "bobby").await), (409, "This account already has a name.".into()));
    let back = bobby.ask(&server, &path, json!({"to": {"address": alice.address()}})).await;
    assert_eq!(refused(back), (409, "The new owner already has a name.".into()));
}

#[tokio::test]
async fn a_released_name_is_kept_for_its_last_owner_for_a_while() {
    let (server, alice) = with_alice().await;
    let path = format!("/{ALICE}/release");
    assert_eq!(alice.ask(&server, &path, json!({})).await.0, StatusCode::OK);
    assert_eq!(get(&server, "account/alice").await.0, StatusCode::NOT_FOUND);
    assert_eq!(refused(alice.ask(&server, &path, json!({})).await).0, 404);
    let taken = refused(Visitor::new(2).register(&server, "alice").await);
    assert_eq!(taken, (409, "The name alice.portico.eth is taken. Try another.".into()));
    assert_eq!(alice.register(&server, "alice").await.0, StatusCode::OK);
    assert_eq!(alice.ask(&server, &path, json!({})).await.0, StatusCode::OK);
    // A month and a day later.
    server.place.tamper("update name set released_at = released_at - 2678400000").await;
    assert_eq!(Visitor::new(2).register(&server, "alice").await.0, StatusCode::OK);
}
