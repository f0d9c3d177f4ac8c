//! Several messages that a wallet signed by one approval, with one nonce: each opens a session, or none does.

use crate::siwx::{ask, at, auth, authenticate, claims, configured, lines, me, nonce, refused, server};
use crate::support::names::{PAGE, Visitor};
use crate::support::{Server, status_and_text};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};

/// Visitors told apart by a header, and no other limit than that of sign-ins.
const ROOMY: &str = "trusted_proxies = [\"0.0.0.0\"]\n[limits]\nclient_per_second = 1000\nclient_burst = 10000\n";

/// Message for a chain, and its signature.
fn signed(visitor: &Visitor, chain: u32, nonce: &str) -> Value {
    let mut lines = lines(&visitor.address(), nonce);
    lines[7] = format!("Chain ID: {chain}");
    sign(visitor, &lines)
}

fn sign(visitor: &Visitor, lines: &[String]) -> Value {
    let message = lines.join("\n");
    json!({"signature": visitor.sign(&message), "message": message})
}

/// Body of a request with these messages.
fn together(signed: &[Value]) -> Value {
    let mut body = signed[0].clone();
    body["others"] = signed[1..].into();
    body
}

async fn send(server: &Server, body: Value) -> (StatusCode, String) {
    ask(server, "POST", "/auth/v1/authenticate", PAGE, "", body).await
}

/// Tokens of an answer, in the order of the messages.
fn tokens((status, text): (StatusCode, String)) -> Vec<String> {
    assert_eq!(status, StatusCode::OK, "{text}");
    let told: Value = serde_json::from_str(&text).unwrap();
    let others = told["others"].as_array().unwrap();
    [&told["token"]].into_iter().chain(others).map(|token| token.as_str().unwrap().to_owned()).collect()
}

/// Whether the account has an open session on a chain; ends it.
async fn had_session(server: &Server, visitor: &Visitor, chain: u32) -> bool {
    auth(server, &["sessions", "end", &format!("eip155:{chain}:{}", visitor.address())]).await
}

#[tokio::test]
async fn spec_3_17_each_message_of_one_approval_opens_a_session_that_ends_by_itself() {
    let server = server().await;
    let (visitor, second) = (Visitor::new(1), Visitor::new(2));
    let nonce = nonce(&server, PAGE).await;
    let body = together(&[signed(&visitor, 1, &nonce), signed(&visitor, 10, &nonce), signed(&second, 1, &nonce)]);
    let tokens = tokens(send(&server, body).await);
    let subjects = tokens.iter().map(|token| claims(token)["sub"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let [own, other] = [visitor.address(), second.address()];
    assert_eq!(subjects, [format!("eip155:1:{own}"), format!("eip155:10:{own}"), format!("eip155:1:{other}")]);
    for token in &tokens {
        let (status, text) = me(&server, token).await;
        assert_eq!((status, serde_json::from_str(&text).unwrap()), (StatusCode::OK, claims(token)));
    }
    let (status, _) = ask(&server, "POST", "/auth/v1/sign-out", PAGE, &tokens[1], Value::Null).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert!(had_session(&server, &second, 1).await);
    let mut open = Vec::new();
    for token in &tokens {
        open.push(me(&server, token).await.0 == StatusCode::OK);
    }
    assert_eq!(open, [true, false, false]);
}

#[tokio::test]
async fn a_request_with_one_message_is_answered_by_its_token_alone() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let (status, text) = send(&server, signed(&visitor, 1, &nonce(&server, PAGE).await)).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told.as_object().unwrap().keys().collect::<Vec<_>>(), ["token"]);
    let alone = together(&[signed(&visitor, 1, &nonce(&server, PAGE).await)]);
    assert_eq!(tokens(send(&server, alone).await).len(), 1);
}

#[tokio::test]
async fn the_cookie_has_the_session_of_the_first_message() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let nonce = nonce(&server, PAGE).await;
    let mut first = lines(&visitor.address(), &nonce);
    first.push(format!("Expiration Time: {}", at(600)));
    let mut body = together(&[sign(&visitor, &first), signed(&visitor, 10, &nonce)]);
    body["cookie"] = true.into();
    let request = Request::post("/auth/v1/authenticate?projectId=shop").header("origin", PAGE);
    let response = server.send(request.body(Body::from(body.to_string())).unwrap()).await;
    let cookies = response.headers().get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned());
    let cookies = cookies.collect::<Vec<_>>();
    let tokens = tokens(status_and_text(response).await);
    let [cookie] = &cookies[..] else { panic!("{cookies:?}") };
    assert!(cookie.starts_with(&format!("__Host-portico-session={};", tokens[0])), "{cookie}");
    let life: i64 = cookie.split("Max-Age=").nth(1).unwrap().split(';').next().unwrap().parse().unwrap();
    assert!((590..=600).contains(&life), "{cookie}");
}

#[tokio::test]
async fn one_message_at_fault_opens_no_session_and_leaves_the_nonce_unused() {
    let server = server().await;
    server.project(&["add", "--id", "garden", "--origin", PAGE]).await;
    let (visitor, thief) = (Visitor::new(1), Visitor::new(2));
    let own = nonce(&server, PAGE).await;
    let good = [signed(&visitor, 1, &own), signed(&visitor, 10, &own)];
    let changed = |number: usize, line: &str| {
        let mut lines = lines(&visitor.address(), &own);
        (lines[7], lines[number]) = ("Chain ID: 137".into(), line.into());
        sign(&visitor, &lines)
    };
    let (_, text) = ask(&server, "GET", "/auth/v1/nonce", PAGE, "", Value::Null).await;
    let second = serde_json::from_str::<Value>(&text).unwrap()["nonce"].as_str().unwrap().to_owned();
    let request = Request::get("/auth/v1/nonce?projectId=garden").header("origin", PAGE).body(Body::empty()).unwrap();
    let (_, text) = status_and_text(server.send(request).await).await;
    let of_garden = serde_json::from_str::<Value>(&text).unwrap()["nonce"].as_str().unwrap().to_owned();
    let forged = json!({"message": signed(&visitor, 137, &own)["message"], "signature": good[0]["signature"]});
    let stolen = json!({"message": good[1]["message"], "signature": thief.sign(good[1]["message"].as_str().unwrap())});
    for (faulty, status, field) in [
        (signed(&visitor, 137, &second), 400, "nonce"),
        (signed(&visitor, 137, &of_garden), 400, "nonce"),
        (good[0].clone(), 400, "others"),
        (forged, 422, "signature"),
        (json!({"message": signed(&visitor, 137, &own)["message"], "signature": "0x"}), 422, "signature"),
        (stolen, 400, "others"),
        (changed(0, "evil.example wants you to sign in with your Ethereum account:"), 400, "domain"),
        (changed(5, "URI: https://other.example"), 400, "uri"),
        (changed(9, &format!("Issued At: {}", at(-3600))), 400, "issuedAt"),
        (changed(1, &visitor.address().to_lowercase()), 400, "address"),
        (json!({"message": "Hello", "signature": "0x00"}), 400, "message"),
        (json!({"message": "Hello"}), 400, "body"),
        (Value::Null, 400, "body"),
    ] {
        // The fault counts wherever it is.
        for place in 0..=2 {
            let mut messages = good.to_vec();
            messages.insert(place, faulty.clone());
            if field == "body" && place == 0 {
                continue;
            }
            let answer = send(&server, together(&messages)).await;
            assert_eq!(refused(answer), (status, field.into()), "{faulty} {place}");
        }
    }
    for chain in [1, 10, 137] {
        assert!(!had_session(&server, &visitor, chain).await, "{chain}");
    }
    assert_eq!(tokens(send(&server, together(&good)).await).len(), 2);
}

#[tokio::test]
async fn a_chain_that_the_project_does_not_allow_opens_none_of_the_sessions() {
    let server = server().await;
    server.project(&["add", "--id", "narrow", "--origin", PAGE, "--chain", "eip155:10"]).await;
    let send = async |method: &str, path: &str, body: Body| {
        let request = Request::builder().method(method).uri(format!("/auth/v1/{path}?projectId=narrow"));
        status_and_text(server.send(request.header("origin", PAGE).body(body).unwrap()).await).await
    };
    let (_, text) = send("GET", "nonce", Body::empty()).await;
    let nonce = serde_json::from_str::<Value>(&text).unwrap()["nonce"].as_str().unwrap().to_owned();
    let visitor = Visitor::new(1);
    let body = together(&[signed(&visitor, 10, &nonce), signed(&visitor, 1, &nonce)]);
    assert_eq!(refused(send("POST", "authenticate", Body::from(body.to_string())).await), (400, "chainId".into()));
    assert!(!had_session(&server, &visitor, 10).await);
}

#[tokio::test]
async fn ten_messages_are_accepted_and_eleven_are_not() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let nonce = nonce(&server, PAGE).await;
    let messages = (1..=11).map(|chain| signed(&visitor, chain, &nonce)).collect::<Vec<_>>();
    assert_eq!(refused(send(&server, together(&messages)).await), (400, "others".into()));
    assert_eq!(tokens(send(&server, together(&messages[..10])).await).len(), 10);
}

#[tokio::test]
async fn messages_of_one_approval_count_once_together_and_each_by_itself() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let own = nonce(&server, PAGE).await;
    let body = together(&[signed(&visitor, 1, &own), signed(&visitor, 10, &own)]);
    let answers = futures_util::future::join_all([0; 4].map(|_| send(&server, body.clone()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.0 == StatusCode::OK).count(), 1, "{answers:?}");
    let text = |chain: u32| {
        let one = signed(&visitor, chain, &own);
        (one["message"].as_str().unwrap().to_owned(), one["signature"].as_str().unwrap().to_owned())
    };
    let server = Server { router: server.another(), ..server };
    assert_eq!(refused(send(&server, body).await), (400, "nonce".into()));
    for chain in [10, 137] {
        let (message, signature) = text(chain);
        assert_eq!(refused(authenticate(&server, &message, &signature).await), (400, "nonce".into()));
    }
    // The other way round: a nonce that one message used up opens no session of others.
    let own = nonce(&server, PAGE).await;
    let first = signed(&visitor, 1, &own);
    assert_eq!(send(&server, first.clone()).await.0, StatusCode::OK);
    let late = together(&[signed(&visitor, 10, &own), signed(&visitor, 137, &own)]);
    assert_eq!(refused(send(&server, late).await), (400, "nonce".into()));
    assert!(!had_session(&server, &visitor, 137).await);
}

/// Sends a request from this address.
async fn send_from(server: &Server, address: &str, body: &Value) -> (StatusCode, String) {
    let request = Request::post("/auth/v1/authenticate?projectId=shop").header("origin", PAGE);
    let request = request.header("x-forwarded-for", address).body(Body::from(body.to_string())).unwrap();
    status_and_text(server.send(request).await).await
}

#[tokio::test]
async fn each_account_keeps_twenty_sessions_and_its_neighbour_behind_the_address_all() {
    let server = configured(ROOMY).await;
    let (visitor, neighbour) = (Visitor::new(1), Visitor::new(2));
    let sign_in = async |visitor: &Visitor| {
        let nonce = nonce(&server, PAGE).await;
        let body = together(&[signed(visitor, 1, &nonce), signed(visitor, 10, &nonce)]);
        tokens(send_from(&server, "203.0.113.9", &body).await)
    };
    let others = sign_in(&neighbour).await;
    let first = sign_in(&visitor).await;
    let mut last = Vec::new();
    for _ in 0..20 {
        last = sign_in(&visitor).await;
    }
    for (tokens, status) in [(first, 401), (last, 200), (others, 200)] {
        for token in tokens {
            assert_eq!(me(&server, &token).await.0.as_u16(), status, "{}", claims(&token));
        }
    }
}

#[tokio::test]
async fn each_message_counts_against_the_visitor_s_rate_of_sign_ins_and_not_the_neighbour_s() {
    let server = configured(ROOMY).await;
    let wrong = vec![json!({"message": "Hello", "signature": "0x00"}); 10];
    let mut asked = 0;
    let refusal = loop {
        let (status, text) = send_from(&server, "203.0.113.9", &together(&wrong)).await;
        asked += 1;
        if status == StatusCode::TOO_MANY_REQUESTS || asked == 200 {
            break text;
        }
    };
    // 200 messages at once, and one a second.
    assert!((21..30).contains(&asked), "{asked}");
    assert!(refusal.contains("Too many sign-ins"), "{refusal}");
    assert_eq!(send_from(&server, "198.51.100.7", &together(&wrong)).await.0, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn each_signature_that_a_chain_is_asked_about_counts_against_the_limit_of_requests() {
    // The port of this node is closed.
    let chain = "[[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://127.0.0.1:1\"]\n";
    let limits = "[limits]\nclient_per_second = 1\nclient_burst = 40\n";
    let server = Server::without_project(&format!("{limits}{chain}")).await;
    server.project(&["add", "--id", "shop", "--origin", PAGE]).await;
    let nonce = nonce(&server, PAGE).await;
    let forged = |number: u8| {
        let signed = signed(&Visitor::new(number), 1, &nonce);
        json!({"message": signed["message"], "signature": Visitor::new(99).sign("another text")})
    };
    // Two requests, two further messages and nine for each of three questions are within the limit, those of ten messages are not.
    let three = send(&server, together(&[forged(1), forged(2), forged(3)])).await;
    assert_eq!(refused(three), (503, "signature".into()));
    let ten = (1..=10).map(forged).collect::<Vec<_>>();
    assert_eq!(send(&server, together(&ten)).await.0, StatusCode::TOO_MANY_REQUESTS);
}
