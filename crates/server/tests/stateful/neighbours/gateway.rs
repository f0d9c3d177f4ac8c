//! Shares of visitors in the signed answers of the gateway of names.

use super::{ABUSER, BEHIND_A_PROXY, NEIGHBOUR};
use crate::support::names::SIGNER;
use crate::support::{Server, reason, status_and_text};
use alloy_primitives::{Address, Bytes, U256, hex};
use alloy_sol_types::SolValue;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};

const RESOLVER: &str = "0xe1DA8919f262Ee86f9BE05059C9280142CF23f48";

fn names() -> String {
    format!("[names]\nparent = \"portico.eth\"\nresolver = \"{RESOLVER}\"\nsigner_key = \"{SIGNER}\"\n")
}

fn words(numbers: impl IntoIterator<Item = usize>) -> Vec<u8> {
    numbers.into_iter().flat_map(|number| U256::from(number).to_be_bytes::<32>()).collect()
}

/// Bytes after their length, up to a whole word.
fn padded(bytes: &[u8]) -> Vec<u8> {
    let length = bytes.len().next_multiple_of(32);
    [&words([bytes.len()]), bytes, &vec![0; length - bytes.len()]].concat()
}

/// List whose offsets all lead to the same item.
fn same(count: usize, item: &[u8]) -> Vec<u8> {
    [words([32, count]), words((0..count).map(|_| 32 * count)), item.to_vec()].concat()
}

/// `query` of so many items, each a `multicall` of so many calls about a name of ours, in a few KiB.
fn query(items: usize, calls: usize) -> Bytes {
    let addr = [&hex!("3b3b57de")[..], &[0; 32]].concat();
    let multicall = [&hex!("ac9650d8")[..], &same(calls, &padded(&addr))].concat();
    let name = Bytes::from_static(b"\x05bobby\x07portico\x03eth\x00");
    let resolve = [&hex!("9061b923")[..], &(name, Bytes::from(multicall)).abi_encode_params()].concat();
    let sender = RESOLVER.parse::<Address>().unwrap().into_word();
    let item = [sender.as_slice(), &words([96, 128, 0]), &padded(&resolve)].concat();
    [&hex!("a780bab6")[..], &same(items, &item)].concat().into()
}

async fn ask(server: &Server, visitor: &str, call: &Bytes) -> Response<Body> {
    let request = Request::get(format!("/v1/ens/{RESOLVER}/{call}")).header("x-forwarded-for", visitor);
    server.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_call_asks_for_at_most_64_records_with_those_of_its_inner_calls() {
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{}", names())).await;
    for (items, calls) in [(64, 64), (64, 2), (2, 33), (33, 2)] {
        assert!(query(items, calls).len() < 5 * 1024);
        let (status, told) = status_and_text(ask(&server, ABUSER, &query(items, calls)).await).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{items} {calls} {}", told.len());
        assert_eq!(reason(&told), ("data".into(), "Ask for at most 64 records in a call".into()));
    }
    for (items, calls) in [(64, 1), (64, 0), (1, 64), (2, 32), (32, 2), (0, 0)] {
        let (status, told) = status_and_text(ask(&server, NEIGHBOUR, &query(items, calls)).await).await;
        assert_eq!(status, StatusCode::OK, "{items} {calls} {told}");
    }
}

#[tokio::test]
async fn a_call_for_many_records_costs_as_many_and_the_neighbours_have_theirs() {
    let limits = "trusted_proxies = [\"0.0.0.0\"]\n[limits]\nclient_per_second = 1\nclient_burst = 100\n";
    let server = Server::configured(&format!("{limits}{}", names())).await;
    let status = async |visitor: &str, items, calls| ask(&server, visitor, &query(items, calls)).await.status();
    assert_eq!(status(ABUSER, 8, 8).await, StatusCode::OK);
    assert_eq!(status(ABUSER, 8, 8).await, StatusCode::TOO_MANY_REQUESTS);
    // The refused call has cost 1.
    assert_eq!(status(ABUSER, 1, 32).await, StatusCode::OK);
    assert_eq!(status(NEIGHBOUR, 64, 1).await, StatusCode::OK);
}

#[tokio::test]
async fn answers_that_a_visitor_does_not_read_fill_its_memory_and_leave_the_neighbours_theirs() {
    let server = Server::configured(&format!("max_body_memory_mib = 4\n{BEHIND_A_PROXY}{}", names())).await;
    let mut unread = Vec::new();
    for _ in 0..4 {
        unread.push(ask(&server, ABUSER, &query(2, 32)).await);
    }
    assert!(unread.iter().all(|answer| answer.status() == StatusCode::OK));
    assert_eq!(ask(&server, ABUSER, &query(2, 32)).await.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(ask(&server, NEIGHBOUR, &query(2, 32)).await.status(), StatusCode::OK);
    unread.pop();
    assert_eq!(ask(&server, ABUSER, &query(2, 32)).await.status(), StatusCode::OK);
}
