//! Batches of clients, answers of nodes and of vendors with changed bytes: whatever they are, the server answers in its own form.
//!
//! Each run changes the same texts in other ways, by numbers that follow from the run's; `PORTICO_MUTATIONS` sets how many runs there are.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::web::Web;
use support::{RPC, Reply, Server, Upstream, pass, recorded, status_and_text};

/// Runs where the environment names no other number.
const RUNS: u64 = 1_500;

/// Longer than a node rests after a failure.
const LATER: Duration = Duration::from_secs(60);

/// Pieces of texts on which readers of JSON stumble.
const PIECES: [&str; 20] = [
    "null",
    "[]",
    "{}",
    "[[[[",
    "]]",
    "\"id\":",
    "\"method\":",
    "\"result\":",
    "\"error\":",
    "\"params\":",
    "-0",
    "1e999",
    "\\u0000",
    "\\ud800",
    "\"",
    ",",
    ":",
    "\u{feff}",
    "18446744073709551616",
    "0x",
];

fn runs() -> u64 {
    std::env::var("PORTICO_MUTATIONS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(RUNS)
}

/// Numbers that look random (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end.max(1) as u64).unwrap()
    }

    /// The text with up to four changes: bytes changed, left out, repeated, or pieces put in.
    fn mutated(&mut self, text: &str) -> Vec<u8> {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..self.below(5) {
            let at = self.below(bytes.len());
            let end = (at + 1 + self.below(24)).min(bytes.len());
            match self.below(5) {
                0 if at < bytes.len() => bytes[at] = u8::try_from(self.below(256)).unwrap(),
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let part = bytes[at..end].to_vec();
                    bytes.splice(at..at, part);
                }
                3 => bytes.truncate(at),
                _ => drop(bytes.splice(at..at, PIECES[self.below(PIECES.len())].bytes())),
            }
        }
        bytes
    }
}

/// Id of an answer, and whether it has a result or an error, not both.
fn is_answer(answer: &Value) -> bool {
    answer["jsonrpc"] == "2.0"
        && answer.get("id").is_some()
        && answer.get("result").is_some() != answer.get("error").is_some()
}

#[tokio::test]
async fn whatever_a_batch_or_a_nodes_answer_to_it_is_each_call_has_one_answer() {
    let told = Arc::new(Mutex::new(String::new()));
    let answer = told.clone();
    let node = Upstream::start(move |_| Reply::Answer(StatusCode::OK, answer.lock().unwrap().clone())).await;
    let server = Server::configured(&format!(
        "limits.client_per_second = 0\n[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n",
        node.url
    ))
    .await;
    let call = |id: usize, method: &str, params: Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let asked = [
        call(1, "eth_chainId", json!([])).to_string(),
        json!([call(1, "eth_call", json!([{"to": "0x1"}, "latest"])), call(2, "eth_blockNumber", json!([]))]).to_string(),
        json!([call(7, "eth_getLogs", json!([{"fromBlock": "0x1", "toBlock": "0x9"}])), {"jsonrpc": "2.0", "method": "eth_gasPrice"}])
            .to_string(),
    ];
    let answers = [
        json!({"jsonrpc": "2.0", "id": 1, "result": "0x7a69"}).to_string(),
        json!([{"jsonrpc": "2.0", "id": 1, "result": "0x"}, {"jsonrpc": "2.0", "id": 2, "result": "0x10"}]).to_string(),
        json!([{"jsonrpc": "2.0", "id": 1, "error": {"code": 3, "message": "execution reverted", "data": "0x"}}])
            .to_string(),
    ];
    let mut numbers = Numbers(1);
    for run in 0..runs() {
        let honest = numbers.below(2) == 0;
        let question = &asked[numbers.below(asked.len())];
        let body = if honest { question.clone().into_bytes() } else { numbers.mutated(question) };
        let text = &answers[numbers.below(answers.len())];
        *told.lock().unwrap() = String::from_utf8_lossy(&numbers.mutated(text)).into_owned();
        let about = format!("run {run}: {} to {}", told.lock().unwrap(), String::from_utf8_lossy(&body));
        let calls = serde_json::from_slice::<Value>(&body).ok();
        let (status, text) = status_and_text(server.post(RPC, body).await).await;
        assert!(status != StatusCode::INTERNAL_SERVER_ERROR, "{about}: {status} {text}");
        if honest && status == StatusCode::OK {
            // Half a pair is JSON, is passed on as the node tells it, and browsers read it.
            let whole = text.replace("\\ud800", "");
            let said: Value = serde_json::from_str(&whole).unwrap_or_else(|_| panic!("{about}: {text}"));
            let ids = |of: &Value| -> Vec<Value> {
                let all = of.as_array().cloned().unwrap_or_else(|| vec![of.clone()]);
                all.iter().filter_map(|one| one.get("id").cloned()).collect()
            };
            assert_eq!(ids(&said), ids(&calls.unwrap()), "{about}: {text}");
            let all = said.as_array().cloned().unwrap_or_else(|| vec![said]);
            assert!(all.iter().all(is_answer), "{about}: {text}");
        }
        pass(LATER).await;
    }
}

#[tokio::test]
async fn whatever_the_bytes_of_a_vendor_are_the_server_answers_in_its_own_form() {
    let told = Arc::new(Mutex::new(Vec::new()));
    for (vendor, list, file) in [
        ("zerion", "balance", "zerion/positions"),
        ("zerion", "history", "zerion/transactions"),
        ("goldrush", "balance", "goldrush/balances"),
        ("alchemy", "nfts", "alchemy/nfts"),
        ("etherscan", "history", "etherscan/txlist"),
    ] {
        let honest = recorded(file);
        let answer = told.clone();
        let web =
            Web::start(move |_| (StatusCode::OK, String::from_utf8_lossy(&answer.lock().unwrap()).into_owned())).await;
        let url = web.url("");
        let server = Server::configured(&format!(
            "limits.client_per_second = 0\n[sources]\nprices = \"none\"\n{vendor}_key = \"k\"\n{vendor}_url = {url:?}\n\
             [[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://127.0.0.1:9\"]\n"
        ))
        .await;
        let mut numbers = Numbers(7);
        for run in 0..runs() / 10 {
            *told.lock().unwrap() = numbers.mutated(&honest);
            let path = format!("/v1/account/0x{run:040x}/{list}?projectId=demo&chainId=eip155:1&sv=react-1");
            let (status, text) = status_and_text(server.get(&path).await).await;
            assert!(
                status.as_u16() == 200 || status.as_u16() >= 502,
                "{vendor} {list}, run {run}: {status} {text:.200}"
            );
            assert!(serde_json::from_str::<Value>(&text).is_ok(), "{vendor} {list}, run {run}: {text:.200}");
            pass(LATER).await;
        }
    }
}
