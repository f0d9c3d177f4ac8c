//! Every built transaction is simulated exactly as it will be signed, before it is returned.

use crate::support;
use alloy_primitives::{Bytes, U256, hex};
use alloy_sol_types::{SolCall, sol};
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use support::web::Web;
use support::{Reply, Server, Upstream, reason, recorded, status_and_text};

const USER: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const USDC: &str = "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const DAI: &str = "eip155:1:0x6B175474E89094C44Da98b954EedeAC495271d0F";

/// Minimum output of the recorded quote.
const LEAST: u128 = 989_505_000_000_000_000_000;

sol! {
    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }
    struct Outcome {
        bool success;
        bytes returnData;
    }
    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Outcome[] memory returnData);
}

/// Result of a simulation.
#[derive(Clone, Copy)]
struct Shown {
    held: u128,
    swaps: bool,
    brings: u128,
}

const SOUND: Shown = Shown { held: 1_000_000_000, swaps: true, brings: LEAST };

/// Node that returns this simulation result, and records the simulated calls.
struct Node {
    node: Upstream,
    shown: Arc<Mutex<Shown>>,
    tried: Arc<Mutex<Vec<Value>>>,
}

async fn node() -> Node {
    let (shown, tried): (Arc<Mutex<Shown>>, Arc<Mutex<Vec<Value>>>) = (Arc::new(Mutex::new(SOUND)), Arc::default());
    let (showing, keeping) = (shown.clone(), tried.clone());
    let node = Upstream::start(move |body| {
        let answer = |call: &Value| {
            let params = call["params"].as_array().unwrap();
            let result = match call["method"].as_str().unwrap() {
                "eth_gasPrice" => "0x3b9aca00".to_owned(),
                // A call with a state override is a simulation.
                "eth_call" if params.len() == 3 => {
                    keeping.lock().unwrap().push(call["params"].clone());
                    outcomes(&params[0], *showing.lock().unwrap())
                }
                _ => "0x30d40".to_owned(),
            };
            json!({"jsonrpc": "2.0", "id": call["id"], "result": result})
        };
        let answer = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => Value::Array(calls.iter().map(answer).collect()),
            call => answer(&call),
        };
        Reply::Answer(StatusCode::OK, answer.to_string())
    })
    .await;
    Node { node, shown, tried }
}

fn calls(call: &Value) -> Vec<Call3Value> {
    aggregate3ValueCall::abi_decode(&hex::decode(call["data"].as_str().unwrap()).unwrap()).unwrap().calls
}

/// Results of the simulated calls: balances of the sold and bought token, approvals, the swap, balance of the bought token again.
fn outcomes(call: &Value, shown: Shown) -> String {
    let word = |number: u128| Bytes::from(U256::from(number).to_be_bytes_vec());
    let asked = calls(call).len();
    let told = (0..asked).map(|place| Outcome {
        success: shown.swaps || place + 2 != asked,
        returnData: match place {
            0 => word(shown.held),
            place if place + 1 == asked => word(shown.brings + 5),
            _ => word(5),
        },
    });
    hex::encode_prefixed(aggregate3ValueCall::abi_encode_returns(&told.collect::<Vec<_>>()))
}

/// LI.FI and a server that uses it; without a cache, so that each simulation reaches the node.
async fn place(node: &Node) -> (Server, Web) {
    let web = Web::start(|_| recorded("lifi/quote")).await;
    let server = Server::configured(&format!(
        "[[chains]]\nid = \"eip155:1\"\ncache = false\nupstreams = [{:?}]\n[swap]\nproviders = [\"lifi\"]\nlifi_url = {:?}\n",
        node.node.url,
        web.url("")
    ))
    .await;
    (server, web)
}

async fn quote(server: &Server) -> Value {
    let path = format!("/v1/convert/quotes?projectId=demo&amount=1000000000&from={USDC}&to={DAI}&userAddress={USER}");
    let (status, text) = status_and_text(server.get(&path).await).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str::<Value>(&text).unwrap()["quotes"][0].clone()
}

async fn build(server: &Server, quote: &Value, slippage: u8) -> (StatusCode, String) {
    let order = json!({"projectId": "demo", "amount": "1000000000", "from": USDC, "to": DAI, "userAddress": USER,
        "quoteId": quote["id"], "eip155": {"slippage": slippage}, "disableEstimate": true});
    status_and_text(server.post("/v1/convert/build-transaction", order.to_string()).await).await
}

#[tokio::test]
async fn what_is_built_is_tried_to_the_byte_by_who_pays() {
    let node = node().await;
    let (server, _web) = place(&node).await;
    let quote = quote(&server).await;
    node.tried.lock().unwrap().clear();
    let (status, text) = build(&server, &quote, 1).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let built: Value = serde_json::from_str(&text).unwrap();
    let tried = node.tried.lock().unwrap().clone();
    let [trial] = tried.as_slice() else { panic!("{tried:?}") };
    let (call, state) = (&trial[0], &trial[2][USER]);
    assert_eq!((&call["from"], &call["to"]), (&json!(USER), &json!(USER)));
    assert!(state["code"].is_string() && state["balance"].is_string(), "{state}");
    let calls = calls(call);
    let swap = &calls[calls.len() - 2];
    assert_eq!(hex::encode_prefixed(&swap.callData), built["tx"]["data"].as_str().unwrap());
    assert_eq!(format!("eip155:1:{}", swap.target), built["tx"]["to"].as_str().unwrap());
}

#[tokio::test]
async fn what_was_built_anew_and_would_fail_or_bring_less_reaches_nobody() {
    let node = node().await;
    let (server, _web) = place(&node).await;
    let quote = quote(&server).await;
    // With another slippage than the quote's, the provider is asked for a new transaction.
    for (slippage, shown, told) in [
        (2, Shown { swaps: false, ..SOUND }, Some("from")),
        (1, Shown { swaps: false, ..SOUND }, Some("from")),
        (1, Shown { brings: LEAST - 1, ..SOUND }, Some("from")),
        (2, Shown { brings: 0, ..SOUND }, Some("from")),
        (2, SOUND, None),
        (1, SOUND, None),
        // Without enough balance a simulation proves nothing.
        (1, Shown { held: 999_999_999, swaps: false, brings: 0 }, None),
    ] {
        *node.shown.lock().unwrap() = shown;
        let (status, text) = build(&server, &quote, slippage).await;
        match told {
            Some(field) => {
                assert_eq!((status, reason(&text).0.as_str()), (StatusCode::UNPROCESSABLE_ENTITY, field), "{text}");
            }
            None => assert_eq!(status, StatusCode::OK, "{text}"),
        }
    }
}
