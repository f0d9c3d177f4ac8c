//! Registration and lookup of names.

use crate::support;
use axum::body::Body;
use axum::http::StatusCode;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use std::convert::Infallible;
use support::names::{NAMES, Visitor, fields, get, nonce, send, value};
use support::{Server, reason};

async fn server() -> Server {
    Server::configured(NAMES).await
}

/// Status, field and description of a refusal.
fn refused((status, text): (StatusCode, String)) -> (u16, String, String) {
    let (field, description) = reason(&text);
    (status.as_u16(), field, description)
}

#[tokio::test]
async fn a_server_without_names_says_so() {
    let server = Server::configured("").await;
    for path in ["account/alice.portico.eth", "suggestions/alice", "nonce", &format!("reverse/0x{:040}", 1)] {
        assert_eq!(
            refused(get(&server, path).await),
            (404, String::new(), "Names aren't set up on this server".into())
        );
    }
    assert_eq!(send(&server, "", &json!({})).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn spec_7_3_a_registered_name_is_found_by_name_and_by_address() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let says =
        json!({"name": "Alice.portico.eth", "attributes": {"bio": "I was here", "avatar": "https://a.example/a.png"}});
    let (status, text) = visitor.ask(&server, "", says).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let record = value(&text);
    assert_eq!(record["name"], "alice.portico.eth");
    assert_eq!(record["addresses"]["60"]["address"], visitor.address());
    assert_eq!(record["attributes"], json!({"bio": "I was here", "avatar": "https://a.example/a.png"}));
    assert!(record["registered"].as_str().unwrap().ends_with('Z'));
    assert_eq!((&record["registered_at"], &record["updated_at"]), (&record["registered"], &record["updated"]));
    for path in ["account/alice.portico.eth", "account/ALICE?apiVersion=2", "account/%EF%BD%81lice.portico.eth"] {
        assert_eq!(value(&get(&server, path).await.1), record, "{path}");
    }
    let lower = visitor.address().to_lowercase();
    for path in [format!("reverse/{lower}"), format!("reverse/60/{lower}?apiVersion=2")] {
        assert_eq!(value(&get(&server, &path).await.1), json!([record]), "{path}");
    }
    assert_eq!(get(&server, &format!("reverse/2147483658/{lower}")).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_is_absent_is_404_and_from_version_2_on_an_empty_list() {
    let server = server().await;
    let stranger = Visitor::new(9).address();
    for path in [
        "account/alice.portico.eth",
        "account/vitalik.eth",
        "account/x",
        "account/%F0%9F%A6%8A",
        &format!("reverse/{stranger}"),
    ] {
        assert_eq!(get(&server, path).await.0, StatusCode::NOT_FOUND, "{path}");
        let (status, text) = get(&server, &format!("{path}?apiVersion=2")).await;
        assert_eq!((status, text.as_str()), (StatusCode::OK, "[]"), "{path}");
    }
    for path in [
        "account/alice?apiVersion=3",
        "account/alice?apiVersion=1&apiVersion=2",
        "account/%FF",
        "reverse/alice",
        "reverse/x/0x",
    ] {
        assert_eq!(refused(get(&server, path).await).0, 400, "{path}");
    }
}

#[tokio::test]
async fn a_name_on_another_chain_is_there_for_ether_as_well() {
    let server = server().await;
    let visitor = Visitor::new(1);
    for (label, spelling) in [("base-name", "coinType"), ("base-other", "coin_type")] {
        let visitor = if spelling == "coinType" { &visitor } else { &Visitor::new(2) };
        let asked = json!({"name": format!("{label}.portico.eth")});
        let mut body = fields(&visitor.address(), asked, &nonce(&server).await);
        body["coinType"] = 2_147_492_101_u32.into();
        let mut body = visitor.signed("", body);
        let coin_type = body.as_object_mut().unwrap().remove("coinType").unwrap();
        body[spelling] = coin_type;
        let (status, text) = send(&server, "", &body).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let addresses = &value(&text)["addresses"];
        assert_eq!(addresses["60"]["address"], visitor.address());
        assert_eq!(addresses["2147492101"]["address"], visitor.address());
    }
}

#[tokio::test]
async fn a_taken_name_is_told_in_words_for_a_visitor() {
    let server = server().await;
    assert_eq!(Visitor::new(1).register(&server, "alice").await.0, StatusCode::OK);
    let taken = refused(Visitor::new(2).register(&server, "alice").await);
    assert_eq!(taken, (409, "name".into(), "The name alice.portico.eth is taken. Try another.".into()));
    let reserved = refused(Visitor::new(2).register(&server, "support").await);
    assert_eq!(reserved, (409, "name".into(), "The name support.portico.eth is reserved. Try another.".into()));
    let enough = refused(Visitor::new(1).register(&server, "alice-two").await);
    assert_eq!(enough, (409, "name".into(), "This account already has a name.".into()));
}

#[tokio::test]
async fn of_two_who_want_one_name_at_once_one_gets_it() {
    let server = server().await;
    let visitors: Vec<Visitor> = (1..=8).map(Visitor::new).collect();
    let mut bodies = Vec::new();
    for visitor in &visitors {
        bodies.push(visitor.body(&server, "", json!({"name": "alice.portico.eth"})).await);
    }
    let answers = futures_util::future::join_all(bodies.iter().map(|body| send(&server, "", body))).await;
    let count = |status| answers.iter().filter(|answer| answer.0 == status).count();
    assert_eq!((count(StatusCode::OK), count(StatusCode::CONFLICT)), (1, 7), "{answers:?}");
}

#[tokio::test]
async fn of_two_names_that_one_wants_at_once_it_gets_one() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let mut bodies = Vec::new();
    for number in 0..8 {
        bodies.push(visitor.body(&server, "", json!({"name": format!("alice{number}.portico.eth")})).await);
    }
    let answers = futures_util::future::join_all(bodies.iter().map(|body| send(&server, "", body))).await;
    let count = |status| answers.iter().filter(|answer| answer.0 == status).count();
    assert_eq!((count(StatusCode::OK), count(StatusCode::CONFLICT)), (1, 7), "{answers:?}");
}

#[tokio::test]
async fn spec_5_1_only_letters_digits_and_hyphens_and_at_least_4_of_them_are_registered() {
    let server = server().await;
    let visitor = Visitor::new(1);
    for name in [
        "ali.portico.eth",
        "-alice.portico.eth",
        "alice-.portico.eth",
        "xn--ls8h.portico.eth",
        "al_ice.portico.eth",
        "al ice.portico.eth",
        "аlice.portico.eth",
        "alice🦊.portico.eth",
        "a.alice.portico.eth",
        "alice.vitalik.eth",
        "alice.eth",
        "",
        &format!("{}.portico.eth", "a".repeat(64)),
        &"a".repeat(5000),
    ] {
        let (status, field, _) = refused(visitor.ask(&server, "", json!({"name": name})).await);
        assert_eq!((status, field.as_str()), (422, "name"), "{name}");
    }
    let longest = "a".repeat(63);
    assert_eq!(visitor.register(&server, &longest).await.0, StatusCode::OK);
    assert_eq!(Visitor::new(2).register(&server, "a-1z").await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_body_that_is_too_large_is_read_no_further() {
    let server = server().await;
    let some = stream::iter([Ok::<_, Infallible>(vec![b' '; 70_000])]).chain(stream::pending());
    let answer = server.post("/v1/profile/account?projectId=demo", Body::from_stream(some)).await;
    let words = "The body is larger than 64 KiB".to_owned();
    assert_eq!(refused(support::status_and_text(answer).await), (413, "body".into(), words));
}

#[tokio::test]
async fn a_hostile_body_is_refused_and_nothing_is_kept() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let good = visitor.body(&server, "", json!({"name": "alice.portico.eth"})).await;
    let deep = "[".repeat(10_000);
    for (body, status) in [
        (Vec::new(), 400),
        (b"\xff\xfe".to_vec(), 400),
        (b"null".to_vec(), 422),
        (b"[]".to_vec(), 422),
        (deep.clone().into_bytes(), 400),
        (vec![b' '; 70_000], 413),
    ] {
        let answer = server.post("/v1/profile/account?projectId=demo", body).await;
        assert_eq!(refused(support::status_and_text(answer).await).0, status);
    }
    for (field, wrong) in [
        ("coinType", json!(-1)),
        ("coinType", json!(4_294_967_296_u64)),
        ("coinType", json!("60")),
        ("coinType", json!(501)),
        ("address", json!("alice")),
        ("address", json!({"a": 1})),
        ("address", json!("0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266")),
        ("signature", json!("signed")),
        ("signature", json!("0xabc")),
        ("coinType", json!(0x8000_0001_u32)),
        ("message", json!({"name": "alice.portico.eth"})),
        ("message", json!("alice")),
        ("message", json!("[]")),
        ("message", json!("{}")),
        ("message", json!(deep)),
        ("uri", Value::Null),
        ("uri", json!(7)),
        ("uri", json!("null")),
        ("issuedAt", json!("now")),
        ("nonce", json!(["a"])),
        ("name", Value::Null),
    ] {
        let mut body = good.clone();
        body[field] = wrong.clone();
        let (status, at, _) = refused(send(&server, "", &body).await);
        let at = if wrong == json!("{}") { "message" } else { &at };
        assert_eq!((status, at), (422, field), "{wrong}");
    }
    for attributes in [
        json!("bio"),
        json!({"bio": 1}),
        json!({"bio": "a".repeat(256)}),
        json!({"bio": "a\u{0}"}),
        json!({"email": "a"}),
        json!({"avatar": "javascript:alert(1)"}),
        json!({"avatar": "http://a.example/a.png"}),
    ] {
        let says = json!({"name": "alice.portico.eth", "attributes": attributes});
        assert_eq!(refused(visitor.ask(&server, "", says).await).0, 422, "{attributes}");
    }
    assert_eq!(get(&server, "account/alice").await.0, StatusCode::NOT_FOUND);
    // Any content type, and a value of maximum length.
    let asked = json!({"name": "alice.portico.eth", "attributes": {"bio": "é".repeat(255)}});
    let body = visitor.body(&server, "", asked).await;
    assert_eq!(send(&server, "", &body).await.0, StatusCode::OK);
}

#[tokio::test]
async fn suggestions_begin_with_the_asked_name_and_tell_which_are_taken() {
    let server = server().await;
    Visitor::new(1).register(&server, "alice-eth").await;
    let found = value(&get(&server, "suggestions/Alice?zone=portico.eth").await.1);
    let first = &found["suggestions"].as_array().unwrap()[..3];
    assert_eq!(
        first,
        [
            json!({"name": "alice.portico.eth", "registered": false, "reserved": false}),
            json!({"name": "alice-eth.portico.eth", "registered": true, "reserved": false}),
            json!({"name": "alice1.portico.eth", "registered": false, "reserved": false}),
        ]
    );
    assert_eq!(found["suggestions"].as_array().unwrap().len(), 10);
    let reserved = value(&get(&server, "suggestions/support.portico.eth").await.1);
    assert_eq!(
        reserved["suggestions"][0],
        json!({"name": "support.portico.eth", "registered": true, "reserved": true})
    );
    for nothing in ["suggestions/%F0%9F%A6%8A", "suggestions/-"] {
        assert_eq!(get(&server, nothing).await, (StatusCode::OK, "{\"suggestions\":[]}".into()));
    }
    // Clients of other servers send the zone of that server.
    let foreign = value(&get(&server, "suggestions/alice?zone=reown.id").await.1);
    assert_eq!(foreign["suggestions"][0], json!({"name": "alice.portico.eth", "registered": false, "reserved": false}));
}

#[tokio::test]
async fn one_client_changes_names_so_often_and_no_oftener() {
    let server = Server::configured("[names]\nparent = \"portico.eth\"\nchanges_per_client_per_hour = 2\n").await;
    for number in 1..=2 {
        assert_eq!(Visitor::new(number).register(&server, &format!("alice{number}")).await.0, StatusCode::OK);
    }
    let (status, _, words) = refused(Visitor::new(3).register(&server, "alice3").await);
    assert_eq!((status, words.as_str()), (429, "Too many name changes from here. Try again in 30 minutes."));
    assert_eq!(get(&server, "account/alice2").await.0, StatusCode::OK);
}
