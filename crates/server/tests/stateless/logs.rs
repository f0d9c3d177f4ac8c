//! `eth_getLogs` calls with a range too wide for the nodes.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use support::{RPC, Reply, Server, Upstream, call, pass, reason, status_and_text};
use tokio::sync::Notify;

const HEAD: u64 = 0x1000;

/// Node that refuses more than `most` blocks, returns one log per block, and whose newest block is [`HEAD`].
fn tell(body: &str, most: u64) -> Value {
    let asked: Value = serde_json::from_str(body).unwrap();
    let result = if asked["method"] == "eth_blockNumber" {
        json!(format!("{HEAD:#x}"))
    } else {
        let filter = &asked["params"][0];
        let number = |name: &str| match filter[name].as_str().unwrap_or("latest") {
            "latest" => HEAD,
            text => u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap(),
        };
        let (from, to) = (number("fromBlock"), number("toBlock"));
        if to - from >= most {
            let error = json!({"code": -32005, "message": "block range is too wide"});
            return json!({"jsonrpc": "2.0", "id": asked["id"], "error": error});
        }
        Value::from_iter(
            (from..=to).map(|number| json!({"blockNumber": format!("{number:#x}"), "address": filter["address"]})),
        )
    };
    json!({"jsonrpc": "2.0", "id": asked["id"], "result": result})
}

async fn narrow(most: u64) -> Upstream {
    Upstream::start(move |body| Reply::Answer(StatusCode::OK, tell(body, most).to_string())).await
}

async fn server(more: &str, upstreams: &str) -> Server {
    Server::configured(&format!("[[chains]]\nid = \"eip155:31337\"\n{more}upstreams = [{upstreams}]\n")).await
}

fn logs(from: u64, to: &str) -> Value {
    let filter = json!({"address": "0xab", "fromBlock": format!("{from:#x}"), "toBlock": to});
    json!({"jsonrpc": "2.0", "id": 7, "method": "eth_getLogs", "params": [filter]})
}

fn hex(number: u64) -> String {
    format!("{number:#x}")
}

/// Block numbers of the returned logs.
fn told(answer: &Value) -> Vec<u64> {
    let number = |log: &Value| u64::from_str_radix(&log["blockNumber"].as_str().unwrap()[2..], 16).unwrap();
    answer["result"].as_array().unwrap_or_else(|| panic!("{answer}")).iter().map(number).collect()
}

async fn ask(server: &Server, body: &Value) -> Value {
    let (status, answer) = server.rpc(body.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    serde_json::from_str(&answer).unwrap()
}

#[tokio::test]
async fn a_wide_range_is_asked_in_narrow_ones_and_told_in_the_order_of_its_blocks() {
    let node = narrow(10).await;
    let plain = server("", &format!("{:?}", node.url)).await;
    let refused = ask(&plain, &logs(1, &hex(35))).await;
    assert_eq!(refused["error"]["message"], "block range is too wide");
    let server = server("max_block_range = 10\n", &format!("{:?}", node.url)).await;
    let before = node.unread();
    let answer = ask(&server, &logs(1, &hex(35))).await;
    assert_eq!((told(&answer), &answer["id"]), ((1..=35).collect(), &json!(7)));
    assert!(answer["result"].as_array().unwrap().iter().all(|log| log["address"] == "0xab"));
    // The newest block and four parts.
    assert_eq!(node.unread() - before, 5);
    // A range within the node's limit is passed on unchanged.
    assert_eq!(told(&ask(&server, &logs(1, &hex(10))).await), (1..=10).collect::<Vec<_>>());
    assert_eq!(node.unread() - before, 6);
}

#[tokio::test]
async fn a_range_up_to_the_newest_block_ends_with_it() {
    let node = narrow(10).await;
    let server = server("max_block_range = 10\n", &format!("{:?}", node.url)).await;
    let expected: Vec<u64> = (HEAD - 24..=HEAD).collect();
    for to in ["latest", "0x7fffffffffffffff"] {
        assert_eq!(told(&ask(&server, &logs(HEAD - 24, to)).await), expected, "{to}");
    }
}

#[tokio::test]
async fn one_node_that_lies_about_the_newest_block_makes_no_range_too_wide() {
    let liar = Upstream::start(|body| {
        let mut said = tell(body, 10);
        if body.contains("eth_blockNumber") {
            said["result"] = json!("0xffffffffffffffff");
        }
        Reply::Answer(StatusCode::OK, said.to_string())
    })
    .await;
    let honest = narrow(10).await;
    let two = server("max_block_range = 10\n", &format!("{:?}, {:?}", liar.url, honest.url)).await;
    let expected: Vec<u64> = (HEAD - 24..=HEAD).collect();
    for _ in 0..2 {
        assert_eq!(told(&ask(&two, &logs(HEAD - 24, "latest")).await), expected);
    }
    // There is no other node to contradict it.
    let alone = server("max_block_range = 10\n", &format!("{:?}", liar.url)).await;
    assert_eq!(ask(&alone, &logs(HEAD - 24, "latest")).await["error"]["code"], -32005);
}

#[tokio::test]
async fn the_narrowest_of_the_nodes_that_tell_logs_counts() {
    let (wide, small, other) = (narrow(100).await, narrow(5).await, Upstream::silent().await);
    let upstreams = format!(
        "{:?}, {{ url = {:?}, max_block_range = 5 }}, {{ url = {:?}, max_block_range = 1, methods = [\"eth_call\"] }}",
        wide.url, small.url, other.url
    );
    let server = server("max_block_range = 100\n", &upstreams).await;
    assert_eq!(told(&ask(&server, &logs(1, &hex(20))).await), (1..=20).collect::<Vec<_>>());
    assert_eq!((wide.unread(), small.unread(), other.unread()), (5, 0, 0));
}

#[tokio::test]
async fn a_part_that_a_node_refuses_or_answers_with_nonsense_is_told_for_the_whole() {
    for (answer, message) in [
        (json!({"error": {"code": -32000, "message": "pruned"}}), "pruned"),
        (json!({"result": null}), "Couldn't read the logs of a node. Try again."),
        (json!({"result": {"0": "log"}}), "Couldn't read the logs of a node. Try again."),
    ] {
        let node = Upstream::start(move |body| {
            let mut said = tell(body, 10);
            if body.contains(r#""fromBlock":"0xb""#) {
                said = answer.clone();
                said["id"] = json!(1);
            }
            Reply::Answer(StatusCode::OK, said.to_string())
        })
        .await;
        let server = server("max_block_range = 10\n", &format!("{:?}", node.url)).await;
        let batch = json!([logs(1, &hex(30)), logs(21, &hex(40)), call(9, "eth_blockNumber")]);
        let answer = ask(&server, &batch).await;
        assert_eq!((&answer[0]["error"]["message"], &answer[0]["id"]), (&json!(message), &json!(7)), "{answer}");
        assert_eq!(told(&answer[1]), (21..=40).collect::<Vec<_>>());
        assert_eq!(answer[2]["result"], hex(HEAD));
    }
}

#[tokio::test]
async fn a_part_that_fails_at_one_node_is_asked_of_the_next() {
    let sick = Upstream::start(|body| match body.contains(r#""fromBlock":"0xb""#) {
        true => Reply::Answer(StatusCode::BAD_GATEWAY, String::new()),
        false => Reply::Answer(StatusCode::OK, tell(body, 10).to_string()),
    })
    .await;
    let well = narrow(10).await;
    let server = server("max_block_range = 10\n", &format!("{:?}, {:?}", sick.url, well.url)).await;
    assert_eq!(told(&ask(&server, &logs(1, &hex(30))).await), (1..=30).collect::<Vec<_>>());
    assert_eq!(well.unread(), 1);
}

#[tokio::test]
async fn where_nobody_answers_a_part_the_client_hears_it_in_time() {
    let mut node = Upstream::start(|body| match body.contains("eth_getLogs") {
        true => Reply::Silence,
        false => Reply::Answer(StatusCode::OK, tell(body, 10).to_string()),
    })
    .await;
    let server = server("max_block_range = 10\n", &format!("{:?}", node.url)).await;
    let asked = server.ask(logs(1, &hex(500)).to_string());
    // The newest block, and the maximum number of concurrent parts.
    for _ in 0..9 {
        node.heard().await;
    }
    assert_eq!(node.unread(), 0);
    pass(Duration::from_secs(11)).await;
    let (status, answer) = status_and_text(asked.await.unwrap()).await;
    assert_eq!(status, StatusCode::GATEWAY_TIMEOUT);
    assert_eq!(reason(&answer).1, "The chain eip155:31337 didn't respond within 10 seconds. Try again.");
}

#[tokio::test]
async fn no_more_than_eight_parts_of_a_question_are_under_way() {
    let gate = Arc::new(Notify::new());
    let late = gate.clone();
    let mut node = Upstream::start(move |body| match body.contains("eth_getLogs") {
        true => Reply::Late(late.clone(), tell(body, 10).to_string()),
        false => Reply::Answer(StatusCode::OK, tell(body, 10).to_string()),
    })
    .await;
    let server = server("max_block_range = 10\n", &format!("{:?}", node.url)).await;
    let asked = server.ask(json!([logs(1, &hex(60)), logs(101, &hex(160))]).to_string());
    for _ in 0..9 {
        node.heard().await;
    }
    // Each response makes room for one more part.
    for _ in 0..4 {
        assert_eq!(node.unread(), 0);
        gate.notify_one();
        node.heard().await;
    }
    for _ in 0..8 {
        gate.notify_one();
    }
    let (_, answer) = status_and_text(asked.await.unwrap()).await;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((told(&answer[0]), told(&answer[1])), ((1..=60).collect(), (101..=160).collect()));
}

#[tokio::test]
async fn more_blocks_than_the_cap_are_an_error_of_the_item_alone() {
    let node = narrow(10).await;
    let server = server("max_block_range = 10\nmax_logs_range = 50\n", &format!("{:?}", node.url)).await;
    let answer = ask(&server, &json!([logs(1, &hex(51)), logs(1, &hex(50))])).await;
    let message = "Can't search 51 blocks at once. Ask for at most 50.";
    assert_eq!(answer[0]["error"], json!({"code": -32005, "message": message}));
    assert_eq!(told(&answer[1]), (1..=50).collect::<Vec<_>>());
    let alone = ask(&server, &logs(0, "latest")).await;
    assert_eq!(alone["error"]["message"], "Can't search 4097 blocks at once. Ask for at most 50.");
}

#[tokio::test]
async fn where_nothing_else_is_said_the_cap_is_a_hundred_parts_and_a_batch_has_a_thousand() {
    // The node refuses each part, so no further parts are requested.
    let node = narrow(0).await;
    let server = server("max_block_range = 1\n", &format!("{:?}", node.url)).await;
    let answer = ask(&server, &logs(1, &hex(101))).await;
    assert_eq!(answer["error"]["message"], "Can't search 101 blocks at once. Ask for at most 100.");
    let batch = Value::from_iter((0..11).map(|place| logs(1 + 100 * place, &hex(100 + 100 * place))));
    let answer = ask(&server, &batch).await;
    let message = "The block ranges of this batch need more than 1000 requests. Ask for fewer blocks.";
    assert_eq!(answer[10]["error"]["message"], message);
    assert_eq!(answer[9]["error"]["message"], "block range is too wide");
}

#[tokio::test]
async fn each_part_counts_as_a_call() {
    let node = narrow(10).await;
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nmax_block_range = 10\nupstreams = [{:?}]\n", node.url);
    let server = Server::configured(&format!("limits.client_part = 1\n{chain}")).await;
    server.project(&["add", "--id", "few", "--any-origin", "--per-day", "7"]).await;
    let path = RPC.replace("demo", "few");
    let ask = async |to: u64| server.post(&path, logs(1, &hex(to)).to_string()).await.status();
    assert_eq!(ask(40).await, StatusCode::OK);
    assert_eq!(ask(40).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(ask(20).await, StatusCode::OK);
}
