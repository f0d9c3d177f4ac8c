//! Changes of names: attributes, addresses, transfer and release, each signed by the owner.

use crate::support;
use axum::http::StatusCode;
use serde_json::json;
use support::names::{NAMES, Visitor, dated, get, nonce, nonce_for, send, value};
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
    let about_another = json!({"name": "bobby.portico.eth", "attributes": {"bio": "three"}});
    assert_eq!(
        refused(alice.ask(&server, &path, about_another).await),
        (422, "The signed message is not about this name".into())
    );
    assert_eq!(value(&get(&server, "account/alice").await.1)["attributes"], json!({"bio": "two"}));
}

#[tokio::test]
async fn nobody_else_changes_a_name() {
    let (server, alice) = with_alice().await;
    let mallory = Visitor::new(2);
    let before = get(&server, "account/alice").await;
    for (path, says) in [
        ("attributes", json!({"name": ALICE, "attributes": {"bio": "mine"}})),
        ("address", json!({"name": ALICE, "coin_type": 60, "address": mallory.address()})),
        ("transfer", json!({"name": ALICE, "owner": Visitor::new(3).address()})),
        ("release", json!({"name": ALICE, "release": true})),
    ] {
        let found = refused(mallory.ask(&server, &format!("/{ALICE}/{path}"), says.clone()).await);
        assert_eq!(found, (401, "The name belongs to another account".into()), "{path}");
        // Her own signature with the owner's address.
        let mut forged = mallory.body(&server, says.clone()).await;
        forged["address"] = alice.address().into();
        assert_eq!(refused(send(&server, &format!("/{ALICE}/{path}"), &forged).await).0, 401, "{path}");
        let nobody = refused(
            mallory
                .ask(&server, &format!("/bobby/{path}"), {
                    let mut says = says;
                    says["name"] = "bobby".into();
                    says
                })
                .await,
        );
        assert_eq!(nobody, (404, "Nobody has the name bobby.portico.eth".into()), "{path}");
    }
    assert_eq!(get(&server, "account/alice").await, before);
}

#[tokio::test]
async fn what_is_signed_for_one_purpose_serves_no_other() {
    let (server, alice) = with_alice().await;
    let other = Visitor::new(2).address();
    for (says, fits) in [
        (json!({"name": ALICE, "attributes": {"bio": "one"}}), "attributes"),
        (json!({"name": ALICE, "coin_type": 60, "address": alice.address()}), "address"),
        (json!({"name": ALICE, "release": true}), "release"),
        (json!({"name": ALICE, "owner": other}), "transfer"),
    ] {
        for path in ["attributes", "address", "transfer", "release"].into_iter().filter(|path| *path != fits) {
            let found = refused(alice.ask(&server, &format!("/{ALICE}/{path}"), says.clone()).await);
            assert_eq!(found.0, 422, "{fits} at {path}");
        }
    }
    assert_eq!(value(&get(&server, "account/alice").await.1)["addresses"]["60"]["address"], alice.address());
}

#[tokio::test]
async fn a_message_that_says_no_name_changes_the_one_its_nonce_was_made_for_and_no_other() {
    let server = Server::configured(&format!("{NAMES}per_address = 2\n")).await;
    let alice = Visitor::new(1);
    let [one, other] = ["/alice/attributes", "/second/attributes"];
    for name in ["alice", "second"] {
        assert_eq!(alice.register(&server, name).await.0, StatusCode::OK);
    }
    let says = json!({"attributes": {"bio": "one"}});
    let unbound = alice.signed(&dated(says.clone(), &nonce(&server).await));
    for path in [one, other] {
        let description = "The signed message names no name, and its nonce was not made for this one";
        assert_eq!(refused(send(&server, path, &unbound).await), (400, description.into()), "{path}");
    }
    let bound = alice.signed(&dated(says.clone(), &nonce_for(&server, Some(ALICE)).await));
    assert_eq!(refused(send(&server, other, &bound).await).0, 400);
    assert_eq!(send(&server, one, &bound).await.0, StatusCode::OK);
    for path in [one, other] {
        assert_eq!(refused(send(&server, path, &bound).await).0, 400, "{path}");
    }
    // The name in the message and the name of the nonce must be the same.
    let crossed = json!({"name": "second", "attributes": {"bio": "one"}});
    let crossed = alice.signed(&dated(crossed, &nonce_for(&server, Some(ALICE)).await));
    assert_eq!(
        [refused(send(&server, one, &crossed).await).0, refused(send(&server, other, &crossed).await).0],
        [422, 400]
    );
    let said = alice.body(&server, json!({"name": "second", "attributes": {"bio": "two"}})).await;
    assert_eq!(refused(send(&server, one, &said).await), (422, "The signed message is not about this name".into()));
    assert_eq!(send(&server, other, &said).await.0, StatusCode::OK);
    for (name, bio) in [("alice", "one"), ("second", "two")] {
        assert_eq!(value(&get(&server, &format!("account/{name}")).await.1)["attributes"], json!({"bio": bio}));
    }
}

#[tokio::test]
async fn a_nonce_is_made_for_a_name_that_can_be_one() {
    let (server, alice) = with_alice().await;
    for (query, field) in
        [("name=ali", "name"), ("name=alice.vitalik.eth", "name"), ("name=", "name"), ("name=a&name=b", "query")]
    {
        let (status, text) = get(&server, &format!("nonce?{query}")).await;
        assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, field), "{query}");
    }
    // A name that is not registered yet may have a nonce of its own too.
    let says = |name: &str| json!({"name": name});
    let nonce = nonce_for(&server, Some("Bobby")).await;
    let bobby = Visitor::new(2);
    assert_eq!(refused(send(&server, "", &bobby.signed(&dated(says("carol"), &nonce))).await).0, 400);
    assert_eq!(send(&server, "", &bobby.signed(&dated(says("bobby"), &nonce))).await.0, StatusCode::OK);
    assert_eq!(refused(alice.ask(&server, "/alice/release", json!({"release": true})).await).0, 422);
}

#[tokio::test]
async fn a_name_has_one_address_for_each_coin_type() {
    let (server, alice) = with_alice().await;
    let path = format!("/{ALICE}/address");
    let other = Visitor::new(2).address();
    let solana = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
    for says in [
        json!({"coin_type": 60, "address": other.to_lowercase()}),
        json!({"coinType": 501, "address": solana}),
        json!({"coin_type": 2_147_483_658_u32, "address": other}),
        json!({"coin_type": 2_147_483_658_u32, "address": ""}),
    ] {
        let (status, text) = alice.ask(&server, &path, says).await;
        assert_eq!(status, StatusCode::OK, "{text}");
    }
    let record = value(&get(&server, "account/alice").await.1);
    assert_eq!(record["addresses"]["60"]["address"], other);
    assert_eq!(record["addresses"]["501"]["address"], solana);
    assert_eq!(record["addresses"].as_object().unwrap().len(), 2);
    for says in [
        json!({"coin_type": 60, "address": solana}),
        json!({"coin_type": 501, "address": other}),
        json!({"coin_type": 0, "address": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"}),
        json!({"coin_type": 60}),
        json!({"coin_type": -1, "address": other}),
        json!({"address": other}),
    ] {
        assert_eq!(refused(alice.ask(&server, &path, says.clone()).await).0, 422, "{says}");
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
        assert_eq!(refused(alice.ask(&server, &path, json!({"name": ALICE, "owner": owner})).await).0, 422, "{owner}");
    }
    let unnamed = refused(alice.ask(&server, &path, json!({"owner": bobby.address()})).await);
    assert_eq!(unnamed, (422, "The signed message must name the name".into()));
    let (status, text) = alice.ask(&server, &path, json!({"name": ALICE, "owner": bobby.address()})).await;
    let record = value(&text);
    assert_eq!((status, &record["attributes"]), (StatusCode::OK, &json!({})));
    assert_eq!(record["addresses"]["60"]["address"], bobby.address());
    assert_eq!(get(&server, &format!("reverse/{}", alice.address())).await.0, StatusCode::NOT_FOUND);
    assert_eq!(get(&server, &format!("reverse/{}", bobby.address())).await.0, StatusCode::OK);
    // The old owner may register another name; the new owner, who has one now, may not.
    assert_eq!(alice.register(&server, "alice-two").await.0, StatusCode::OK);
    assert_eq!(refused(bobby.register(&server, "bobby").await), (409, "This account has a name already.".into()));
    let back = bobby.ask(&server, &path, json!({"name": ALICE, "owner": alice.address()})).await;
    assert_eq!(refused(back), (409, "The new owner has a name already.".into()));
}

#[tokio::test]
async fn a_released_name_is_kept_for_its_last_owner_for_a_while() {
    let (server, alice) = with_alice().await;
    let path = format!("/{ALICE}/release");
    assert_eq!(refused(alice.ask(&server, &path, json!({"name": ALICE, "release": false})).await).0, 422);
    assert_eq!(alice.ask(&server, &path, json!({"name": ALICE, "release": true})).await.0, StatusCode::OK);
    assert_eq!(get(&server, "account/alice").await.0, StatusCode::NOT_FOUND);
    assert_eq!(refused(alice.ask(&server, &path, json!({"name": ALICE, "release": true})).await).0, 404);
    let taken = refused(Visitor::new(2).register(&server, "alice").await);
    assert_eq!(taken, (409, "The name alice.portico.eth is taken. Try another.".into()));
    assert_eq!(alice.register(&server, "alice").await.0, StatusCode::OK);
    assert_eq!(alice.ask(&server, &path, json!({"name": ALICE, "release": true})).await.0, StatusCode::OK);
    // A month and a day later.
    server.place.tamper("update name set released_at = released_at - 2678400000").await;
    assert_eq!(Visitor::new(2).register(&server, "alice").await.0, StatusCode::OK);
}
