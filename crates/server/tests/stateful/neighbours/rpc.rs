//! Shares of visitors in what nodes of chains are asked and answer.

use super::{ABUSER, BEHIND_A_PROXY, NEIGHBOUR, chain};
use crate::support::node::said;
use crate::support::web::Web;
use crate::support::{RPC, Reply, Server, Upstream, call, pass, status_and_text, within};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tower::ServiceExt;

const SOLANA: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const OWNER: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";

#[tokio::test]
async fn answers_to_the_servers_own_calls_count_against_the_visitor_that_they_are_for() {
    let node = Web::start(|heard| {
        let answer = |call: &Value| {
            // More than the quarter of one visitor, less than the whole.
            let result = match call["method"].as_str() {
                Some("getBalance") => json!({"value": 5, "context": "x".repeat(2 * 1024 * 1024)}),
                _ => json!({"value": []}),
            };
            json!({"jsonrpc": "2.0", "id": call["id"], "result": result})
        };
        let calls: Vec<Value> = serde_json::from_slice(&heard.body).unwrap();
        Value::from_iter(calls.iter().map(answer)).to_string()
    })
    .await;
    let chain =
        format!("[sources]\nprices = \"none\"\n[[chains]]\nid = {SOLANA:?}\nupstreams = [{:?}]\n", node.url(""));
    let server = Server::configured(&format!("max_body_memory_mib = 4\n{BEHIND_A_PROXY}{chain}")).await;
    let place = ["--config", "portico.toml", "--database", &server.place.database];
    let (done, secret, error) =
        said(server.folder.path(), &[&["project", "rotate", "demo"][..], &place].concat()).await;
    assert!(done, "{error}");
    let secret = secret.lines().find_map(|line| line.strip_prefix("secret")).unwrap().trim();
    let balance = async |header: (&str, &str)| {
        let path = format!("/v1/account/{OWNER}/balance?projectId=demo&chainId={SOLANA}&sv=react-1");
        let request = Request::get(path).header("x-forwarded-for", ABUSER).header(header.0, header.1);
        status_and_text(server.send(request.body(Body::empty()).unwrap()).await).await
    };
    let (status, told) = balance(("accept", "*/*")).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{told}");
    // A host's own server asks for all its visitors. A new secret counts after five seconds.
    pass(Duration::from_secs(5)).await;
    let (status, told) = balance(("x-project-secret", secret)).await;
    assert_eq!(status, StatusCode::OK, "{told}");
}

/// Posts a body as this visitor in the background.
fn ask(server: &Server, visitor: &str, body: &Value) -> JoinHandle<(StatusCode, String)> {
    let request = Request::post(RPC).header("x-forwarded-for", visitor).body(Body::from(body.to_string())).unwrap();
    let router = server.router.clone();
    tokio::spawn(async move { status_and_text(ServiceExt::oneshot(router, request).await.unwrap()).await })
}

#[tokio::test]
async fn a_visitor_that_waits_in_line_for_a_node_with_a_rate_leaves_its_neighbour_a_place() {
    let mut node = Upstream::echo().await;
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{{ url = {:?}, rps = 16 }}]\n", node.url);
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{chain}")).await;
    let of = |number: usize| json!({"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": [{"nonce": number}]});
    // Sixteen are sent at once; in the two seconds that one may wait there is room for 32 more.
    let abused: Vec<_> = (0..100).map(|number| ask(&server, ABUSER, &of(number))).collect();
    for _ in 0..16 {
        node.heard().await;
    }
    let (status, told) = within("an answer", ask(&server, NEIGHBOUR, &of(100))).await.unwrap();
    assert_eq!(status, StatusCode::OK, "{told}");
    abused.into_iter().for_each(|one| one.abort());
}

#[tokio::test]
async fn a_call_that_is_also_in_a_slow_batch_of_another_visitor_is_answered() {
    let mut node = Upstream::start(|body| match serde_json::from_str(body).unwrap() {
        Value::Array(_) => Reply::Silence,
        call => Reply::Answer(StatusCode::OK, json!({"id": call["id"], "result": "0x1"}).to_string()),
    })
    .await;
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{}", chain(&node.url))).await;
    let slow = ask(&server, ABUSER, &json!([call(1, "eth_chainId"), call(2, "eth_syncing")]));
    node.heard().await;
    let mut joined = ask(&server, NEIGHBOUR, &call(7, "eth_chainId"));
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    // It waits as long as for a slow node.
    assert_eq!((node.unread(), joined.is_finished()), (0, false));
    pass(Duration::from_millis(500)).await;
    let expected = r#"{"jsonrpc":"2.0","id":7,"result":"0x1"}"#.to_owned();
    assert_eq!(within("an answer", &mut joined).await.unwrap(), (StatusCode::OK, expected));
    assert!(!slow.is_finished());
    slow.abort();
}

#[tokio::test]
async fn a_call_that_is_also_in_a_failing_batch_of_another_visitor_is_answered() {
    let gate = Arc::new(Notify::new());
    let late = gate.clone();
    let refused = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "batch too large"}});
    let mut node = Upstream::start(move |body| match serde_json::from_str(body).unwrap() {
        Value::Array(_) => Reply::Late(late.clone(), refused.to_string()),
        call => Reply::Answer(StatusCode::OK, json!({"id": call["id"], "result": "0x1"}).to_string()),
    })
    .await;
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{}", chain(&node.url))).await;
    let large = ask(&server, ABUSER, &json!([call(1, "eth_chainId"), call(2, "eth_syncing")]));
    node.heard().await;
    let joined = ask(&server, NEIGHBOUR, &call(7, "eth_chainId"));
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    gate.notify_one();
    assert!(within("a refusal", large).await.unwrap().1.contains("batch too large"));
    let expected = r#"{"jsonrpc":"2.0","id":7,"result":"0x1"}"#.to_owned();
    assert_eq!(within("an answer", joined).await.unwrap(), (StatusCode::OK, expected));
}

#[tokio::test]
async fn equal_calls_of_visitors_wait_for_one_slow_request_however_long_it_takes() {
    let gate = Arc::new(Notify::new());
    let late = gate.clone();
    let mut node =
        Upstream::start(move |_| Reply::Late(late.clone(), json!({"id": 1, "result": "0x1"}).to_string())).await;
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{}", chain(&node.url))).await;
    let first = ask(&server, ABUSER, &call(1, "eth_chainId"));
    node.heard().await;
    let second = ask(&server, NEIGHBOUR, &call(1, "eth_chainId"));
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    pass(Duration::from_secs(5)).await;
    gate.notify_one();
    let answers = [first.await.unwrap(), within("an answer", second).await.unwrap()];
    assert_eq!(answers.map(|(status, _)| status), [StatusCode::OK; 2]);
    assert_eq!(node.unread(), 0);
}
