//! Messages that visitors sign for names: their text, page, time and nonce, and the form of older clients.

use crate::support;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use support::names::{NAMES, Visitor, fields, get, nonce, now, send, text, value};
use support::node::said;
use support::{Server, reason, status_and_text};

async fn server() -> Server {
    Server::configured(NAMES).await
}

/// Status, field and description of a refusal.
fn refused((status, text): (StatusCode, String)) -> (u16, String, String) {
    let (field, description) = reason(&text);
    (status.as_u16(), field, description)
}

/// Another node on the same database, or the same node after a restart.
fn second_node(server: Server) -> Server {
    let state = portico_server::AppState::new(
        &portico_server::config::Config::parse("portico.toml".as_ref(), NAMES, [], &server.flags()).unwrap(),
        server.database.clone(),
        portico_server::shared::Shared::in_memory(),
    );
    let router = portico_server::router(state.unwrap());
    Server { router, ..server }
}

#[tokio::test]
async fn a_message_is_used_once() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let body = visitor.body(&server, "", json!({"name": "alice.portico.eth"})).await;
    let answers = futures_util::future::join_all([0; 4].map(|_| send(&server, "", &body))).await;
    assert_eq!(answers.iter().filter(|answer| answer.0 == StatusCode::OK).count(), 1, "{answers:?}");
    let again = refused(send(&server, "", &body).await);
    assert_eq!(again, (400, "nonce".into(), "This message was used before. Sign a new one.".into()));
    let node = second_node(server);
    assert_eq!(refused(send(&node, "", &body).await), again);
    assert_eq!(get(&node, "account/alice").await.0, StatusCode::OK);
}

#[tokio::test]
async fn spec_7_3_a_registration_of_an_older_client_counts_once_on_all_nodes() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let body =
        visitor.in_json(&json!({"name": "alice.portico.eth", "attributes": {"bio": "I was here"}, "timestamp": now()}));
    let (status, text) = send(&server, "", &body).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    assert_eq!(value(&text)["addresses"]["60"]["address"], visitor.address());
    assert_eq!(value(&text)["attributes"], json!({"bio": "I was here"}));
    let again = (400, "message".into(), "This message was used before. Sign a new one.".into());
    assert_eq!(refused(send(&server, "", &body).await), again);
    // After the release the same message would register the name once more.
    assert_eq!(visitor.ask(&server, "/alice/release", json!({})).await.0, StatusCode::OK);
    assert_eq!(refused(send(&server, "", &body).await), again);
    let other_chain = {
        let mut body = body.clone();
        body["coinType"] = 0x8000_000a_u32.into();
        body
    };
    let node = second_node(server);
    for body in [&body, &other_chain] {
        assert_eq!(refused(send(&node, "", body).await), again);
    }
    assert_eq!(get(&node, "account/alice").await.0, StatusCode::NOT_FOUND);
    // The same words of another account are another message.
    let words = value(body["message"].as_str().unwrap());
    assert_eq!(refused(send(&node, "", &Visitor::new(2).in_json(&words)).await).0, 409);
    assert_eq!(visitor.register(&node, "alice").await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_used_message_of_an_older_client_is_kept_until_its_time_has_run_out() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let registration = |visitor: &Visitor, name: &str| visitor.in_json(&json!({"name": name, "timestamp": now()}));
    let body = registration(&visitor, "alice");
    assert_eq!(send(&server, "", &body).await.0, StatusCode::OK);
    assert_eq!(visitor.ask(&server, "/alice/release", json!({})).await.0, StatusCode::OK);
    // Kept for four minutes: two in which the message counts, and two for the clocks of other nodes. Its time has whole seconds, so half a
    // minute lies between these steps and the end.
    server.place.tamper("update name_message set expires_at = expires_at - 210000").await;
    assert_eq!(send(&server, "", &registration(&Visitor::new(2), "bobby")).await.0, StatusCode::OK);
    assert_eq!(refused(send(&server, "", &body).await).0, 400);
    server.place.tamper("update name_message set expires_at = expires_at - 60000").await;
    assert_eq!(send(&server, "", &registration(&Visitor::new(3), "carol")).await.0, StatusCode::OK);
    // Only this test's clock stands still: the row is gone, so the same message counts again.
    assert_eq!(send(&server, "", &body).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_message_of_an_older_client_registers_and_does_nothing_else() {
    let server = server().await;
    let (alice, bobby) = (Visitor::new(1), Visitor::new(2).address());
    assert_eq!(alice.register(&server, "alice").await.0, StatusCode::OK);
    let before = get(&server, "account/alice").await;
    let nonce = nonce(&server).await;
    for (change, says) in [
        ("transfer", json!({"name": "alice.portico.eth", "owner": bobby})),
        ("release", json!({"name": "alice.portico.eth", "release": true})),
        ("address", json!({"name": "alice.portico.eth", "coin_type": 60, "address": bobby})),
        ("attributes", json!({"name": "alice.portico.eth", "attributes": {"bio": "x"}})),
    ] {
        let mut says = says;
        (says["timestamp"], says["nonce"]) = (now().into(), nonce.as_str().into());
        let mut body = alice.in_json(&says);
        // Fields of the new form beside it change nothing.
        body["to"] = json!({"address": bobby});
        let (status, field, words) = refused(send(&server, &format!("/alice/{change}"), &body).await);
        assert_eq!((status, field.as_str()), (422, "message"), "{change}");
        assert!(
            words.starts_with("A message in JSON can only register a name.") && words.contains("EIP-4361"),
            "{words}"
        );
    }
    for (says, field) in [
        // For another owner than the account that signs.
        (json!({"name": "bobby.portico.eth", "timestamp": now(), "owner": bobby}), "message"),
        (json!({"name": "bobby.portico.eth", "timestamp": now(), "address": bobby}), "message"),
        (json!({"timestamp": now()}), "name"),
    ] {
        assert_eq!(refused(send(&server, "", &Visitor::new(3).in_json(&says)).await).1, field, "{says}");
    }
    let mut forged = alice.in_json(&json!({"name": "bobby.portico.eth", "timestamp": now()}));
    forged["address"] = bobby.into();
    assert_eq!(refused(send(&server, "", &forged).await).0, 401);
    assert_eq!(get(&server, "account/alice").await, before);
    assert_eq!(get(&server, "account/bobby").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn spec_7_3_a_message_of_an_older_client_counts_for_two_minutes_and_with_no_nonce_of_others() {
    let server = server().await;
    let other = Server::configured(NAMES).await;
    let visitor = Visitor::new(1);
    for (timestamp, nonce, field, status) in [
        (json!(now() - 130), Value::Null, "timestamp", 400),
        (json!(now() + 130), Value::Null, "timestamp", 400),
        (json!(now() * 1000), Value::Null, "timestamp", 400),
        (json!(u64::MAX), Value::Null, "timestamp", 400),
        (json!("now"), Value::Null, "timestamp", 422),
        (json!(-1), Value::Null, "timestamp", 422),
        (json!(1.5), Value::Null, "timestamp", 422),
        (Value::Null, json!(nonce(&server).await), "timestamp", 422),
        (json!(now()), json!(7), "nonce", 400),
        (json!(now()), json!("0".repeat(32)), "nonce", 400),
        (json!(now()), json!(nonce(&other).await), "nonce", 400),
    ] {
        let body = visitor.in_json(&json!({"name": "alice.portico.eth", "timestamp": timestamp, "nonce": nonce}));
        let (found, at, _) = refused(send(&server, "", &body).await);
        assert_eq!((found, at.as_str()), (status, field), "{body}");
    }
    let with_nonce = json!({"name": "alice.portico.eth", "timestamp": now(), "nonce": nonce(&server).await});
    assert_eq!(send(&server, "", &visitor.in_json(&with_nonce)).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_signature_of_another_or_over_something_else_is_refused() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let not_signed =
        (401, "signature".into(), "The signature doesn't match this account and message. Sign again.".to_owned());
    let good = visitor.body(&server, "", json!({"name": "alice.portico.eth"})).await;
    let message = good["message"].as_str().unwrap();
    for wrong in [
        Visitor::new(2).sign(message),
        visitor.sign(&message.replace("alice", "bobby")),
        visitor.sign(&format!("{message} ")),
        "0x".into(),
        format!("0x{}", "00".repeat(65)),
        format!("{}00", good["signature"].as_str().unwrap()),
    ] {
        let mut body = good.clone();
        body["signature"] = wrong.into();
        assert_eq!(refused(send(&server, "", &body).await), not_signed, "{body}");
    }
    // The refused requests did not use up the nonce.
    assert_eq!(send(&server, "", &good).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_text_counts_only_where_each_of_its_letters_is_of_the_request() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let body = fields(&visitor.address(), json!({"name": "alice.portico.eth"}), &nonce(&server).await);
    let good = text("", &body);
    let issued = good.lines().find(|line| line.starts_with("Issued At")).unwrap().to_owned();
    for (message, line) in [
        (good.replace("host.example wants", "evil.example wants"), 1),
        (good.replacen(&visitor.address(), &Visitor::new(2).address(), 1), 2),
        (good.replace("alice", "bobby"), 4),
        (good.replace(&format!("for {}", visitor.address()), &format!("for {}", Visitor::new(2).address())), 4),
        (good.replace("Register", "register"), 4),
        (good.replace("URI: https://host.example", "URI: https://host.example/"), 6),
        (good.replace("Version: 1", "Version: 2"), 7),
        (good.replace("Chain ID: 1", "Chain ID: 10"), 8),
        (good.replace("Nonce: ", "Nonce: 0"), 9),
        (good.replace(&issued, "Issued At: 2020-01-01T00:00:00Z"), 10),
        (good.replace("Expiration Time: 2", "Expiration Time: 9"), 11),
        (good.replace("\n\nRegister", "\nRegister"), 3),
        (good.replace("Register the name", "Register\nthe name"), 4),
        (good.replace('\n', "\r\n"), 1),
        (good.lines().take(10).collect::<Vec<_>>().join("\n"), 11),
        ("alice".into(), 1),
    ] {
        let mut body = body.clone();
        body["signature"] = visitor.sign(&message).into();
        body["message"] = message.into();
        let (status, field, words) = refused(send(&server, "", &body).await);
        let expected = good.lines().nth(line - 1).unwrap();
        assert_eq!((status, field.as_str()), (422, "message"), "{body}");
        assert_eq!(words, format!("Line {line} of the signed message has to be: {expected}"), "{body}");
    }
    for more in ["\n", " ", "\nRequest ID: 1", "\nResources:\n- https://evil.example"] {
        let message = format!("{good}{more}");
        let mut body = body.clone();
        body["signature"] = visitor.sign(&message).into();
        body["message"] = message.into();
        assert_eq!(refused(send(&server, "", &body).await).1, "message", "{body}");
    }
    let literal = format!(
        "host.example wants you to sign in with your Ethereum account:\n{0}\n\nRegister the name alice.portico.eth for {0}.\n\n\
         URI: https://host.example\nVersion: 1\nChain ID: 1\nNonce: {1}\nIssued At: {2}\nExpiration Time: {3}",
        visitor.address(),
        body["nonce"].as_str().unwrap(),
        jiff::Timestamp::from_second(body["issuedAt"].as_i64().unwrap()).unwrap(),
        jiff::Timestamp::from_second(body["issuedAt"].as_i64().unwrap() + 300).unwrap(),
    );
    assert_eq!(good, literal);
    assert_eq!(send(&server, "", &visitor.signed("", body)).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_text_counts_for_five_minutes_and_with_a_nonce_of_this_server() {
    let server = server().await;
    let other = Server::configured(NAMES).await;
    let visitor = Visitor::new(1);
    for (issued_at, nonce, field, status) in [
        (json!(now() - 302), json!(nonce(&server).await), "issuedAt", 400),
        (json!(now() + 130), json!(nonce(&server).await), "issuedAt", 400),
        (json!(now() * 1000), json!(nonce(&server).await), "issuedAt", 400),
        (json!(u64::MAX), json!(nonce(&server).await), "issuedAt", 400),
        (json!("now"), json!(nonce(&server).await), "issuedAt", 422),
        (json!(-1), json!(nonce(&server).await), "issuedAt", 422),
        (Value::Null, json!(nonce(&server).await), "issuedAt", 422),
        (json!(now()), Value::Null, "nonce", 422),
        (json!(now()), json!(7), "nonce", 422),
        (json!(now()), json!("0".repeat(32)), "nonce", 400),
        (json!(now()), json!(nonce(&other).await), "nonce", 400),
        (json!(now()), json!(nonce(&server).await.to_uppercase() + "A"), "nonce", 400),
        (json!(now()), json!("1\nResources:"), "nonce", 400),
    ] {
        let mut body = fields(&visitor.address(), json!({"name": "alice.portico.eth"}), "");
        (body["issuedAt"], body["nonce"]) = (issued_at, nonce);
        let (found, at, _) = refused(send(&server, "", &visitor.signed("", body.clone())).await);
        assert_eq!((found, at.as_str()), (status, field), "{body}");
    }
    // A text of almost five minutes ago, and one of a clock that is ahead.
    for (number, issued_at) in [(1, now() - 290), (2, now() + 110)] {
        let visitor = Visitor::new(number);
        let asked = json!({"name": format!("alice{number}.portico.eth")});
        let mut body = fields(&visitor.address(), asked, &nonce(&server).await);
        body["issuedAt"] = issued_at.into();
        assert_eq!(send(&server, "", &visitor.signed("", body)).await.0, StatusCode::OK);
    }
}

/// Registers a name as visitor `who` with a text for the page `uri`, in a request with this header; the refusal, if there is one.
async fn from(server: &Server, who: u8, uri: &str, header: (&str, &str)) -> Option<(u16, String, String)> {
    from_page(server, "pages", who, uri, header).await
}

/// As [`from`], for any project.
async fn from_page(
    server: &Server,
    project: &str,
    who: u8,
    uri: &str,
    header: (&str, &str),
) -> Option<(u16, String, String)> {
    let visitor = Visitor::new(who);
    let mut body = fields(&visitor.address(), json!({"name": format!("alice{who}")}), &nonce(server).await);
    body["uri"] = uri.into();
    let request = Request::post(format!("/v1/profile/account?projectId={project}")).header(header.0, header.1);
    let body = Body::from(visitor.signed("", body).to_string());
    let (status, text) = status_and_text(server.send(request.body(body).unwrap()).await).await;
    (status != StatusCode::OK).then(|| refused((status, text)))
}

#[tokio::test]
async fn a_text_counts_for_the_page_of_its_request_and_for_no_other_domain() {
    let server = server().await;
    let place = ["--config", "portico.toml", "--database", &server.place.database];
    let words =
        ["project", "add", "--id", "pages", "--origin", "https://shop.example", "--origin", "http://localhost:*"];
    let (done, out, error) = said(server.folder.path(), &[&words[..], &place].concat()).await;
    assert!(done, "{error}");
    let secret = out.lines().find(|line| line.trim_start().starts_with("secret")).unwrap().split_whitespace().last();
    let (secret, shop) = (("x-project-secret", secret.unwrap()), ("origin", "https://shop.example"));
    for (who, (uri, header)) in [
        ("https://shop.example", shop),
        ("http://localhost:5173", ("origin", "http://localhost:5173")),
        // The host's own server says no page; the text has to be for one of the project.
        ("https://shop.example", secret),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(from(&server, who as u8 + 1, uri, header).await, None, "{uri}");
    }
    let is_from = |uri: &str, origin: &str| format!("The message is for {uri:?}, but this request comes from {origin}");
    let pages = |uri: &str| {
        format!("The message is for {uri:?}, but this project's pages are http://localhost:*, https://shop.example")
    };
    for (uri, header, words) in [
        ("https://evil.example", shop, is_from("https://evil.example", shop.1)),
        ("http://localhost:5173", shop, is_from("http://localhost:5173", shop.1)),
        ("https://shop.example:8443", shop, is_from("https://shop.example:8443", shop.1)),
        ("https://shop.example/", shop, is_from("https://shop.example/", shop.1)),
        ("https://shop.example\nNonce: 1", shop, is_from("https://shop.example\nNonce: 1", shop.1)),
        ("https://evil.example", secret, pages("https://evil.example")),
        ("https://SHOP.example", secret, pages("https://SHOP.example")),
        ("*", secret, pages("*")),
    ] {
        assert_eq!(from(&server, 9, uri, header).await, Some((422, "uri".into(), words)), "{uri}");
    }
    let evil = ("origin", "https://evil.example");
    assert_eq!(from(&server, 9, "https://evil.example", evil).await.unwrap().0, 403);
    assert_eq!(get(&server, "account/alice9").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_project_of_any_origin_takes_a_text_only_from_the_page_that_it_is_for() {
    let server = server().await;
    let (shop, evil) = ("https://shop.example", "https://evil.example");
    let is_from = |uri: &str, origin: &str| format!("The message is for {uri:?}, but this request comes from {origin}");
    for (uri, origin) in [
        (shop, evil),
        (evil, shop),
        ("https://shop.example:8443", shop),
        ("http://shop.example", shop),
        ("https://shop.example.evil.example", shop),
        ("https://evil.shop.example", shop),
        ("*", shop),
    ] {
        let refusal = from_page(&server, "demo", 1, uri, ("origin", origin)).await;
        assert_eq!(refusal, Some((422, "uri".into(), is_from(uri, origin))), "{uri}");
    }
    // A page in a sandbox, or a file, has no origin that a text could be for.
    for opaque in ["null", "shop.example"] {
        let words = format!("The message is for {shop:?}, but this request comes from a page without an origin");
        let refusal = from_page(&server, "demo", 1, shop, ("origin", opaque)).await;
        assert_eq!(refusal, Some((422, "uri".into(), words)), "{opaque}");
    }
    assert_eq!(get(&server, "account/alice1").await.0, StatusCode::NOT_FOUND);
    assert_eq!(from_page(&server, "demo", 1, shop, ("origin", shop)).await, None);
}
