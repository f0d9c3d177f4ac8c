//! Shares of visitors in what nodes of chains are asked and answer.

use super::{ABUSER, BEHIND_A_PROXY};
use crate::support::node::said;
use crate::support::web::Web;
use crate::support::{Server, pass, status_and_text};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

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
