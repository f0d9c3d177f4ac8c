//! Shares of visitors in the table of events.

use super::{ABUSER, BEHIND_A_PROXY, NEIGHBOUR, WALLET, post};
use crate::support::{Server, text};
use axum::http::StatusCode;
use serde_json::{Value, json};

fn event(number: usize) -> Value {
    json!({"eventId": number.to_string(), "url": "https://a.example", "domain": "a.example", "timestamp": 7,
        "props": {"type": "track", "event": "MODAL_OPEN"}})
}

#[tokio::test]
async fn a_visitor_stores_so_many_events_and_the_neighbours_theirs_until_the_table_has_its_fill() {
    let settings = format!("{BEHIND_A_PROXY}[analytics]\nenabled = true\nmost_events = 320\n");
    let server = Server::configured(&settings).await;
    let send = async |visitor: &str, from: usize, many: usize| {
        let events = Value::from_iter((from..from + many).map(event)).to_string();
        let answer = post(&server, visitor, "/batch?projectId=demo", events).await;
        assert_eq!(answer.status(), StatusCode::ACCEPTED);
        serde_json::from_str::<Value>(&text(answer).await).unwrap()["taken"].as_u64().unwrap()
    };
    let mut stored = 0;
    for batch in 0..40 {
        stored += send(ABUSER, 10 * batch, 10).await;
    }
    assert_eq!(stored, 300);
    assert_eq!(send(NEIGHBOUR, 5000, 20).await, 20);
    assert_eq!(send(NEIGHBOUR, 6000, 1).await, 0);
}

#[tokio::test]
async fn events_count_by_their_bytes_for_their_visitor_and_for_the_table() {
    let settings = format!("{BEHIND_A_PROXY}[analytics]\nenabled = true\nmost_mib = 1\n");
    let server = Server::configured(&settings).await;
    let long = |number: usize| {
        let mut event = event(number);
        event["props"]["properties"] = json!({ "text": "x".repeat(8000) });
        Value::Array(vec![event]).to_string()
    };
    let send = async |visitor: &str, number: usize| {
        let answer = post(&server, visitor, "/batch?projectId=demo", long(number)).await;
        serde_json::from_str::<Value>(&text(answer).await).unwrap()["taken"].as_u64().unwrap()
    };
    // Each has 8 KiB: 37 of them are the 300 of one visitor.
    let mut stored = 0;
    for number in 0..60 {
        stored += send(ABUSER, number).await;
    }
    assert!((37..=38).contains(&stored), "{stored}");
    // Again the same event takes no room of the table.
    for _ in 0..30 {
        assert_eq!(send(NEIGHBOUR, 0).await, 1);
    }
    for number in 0..37 {
        assert_eq!(send(WALLET, 1000 + number).await, 1);
    }
    // 130 of them fill the MiB, whoever sends them.
    let mut others = 0;
    while send(&format!("198.51.100.{others}"), 2000 + others).await == 1 {
        others += 1;
    }
    assert!((stored + 37 + others as u64).abs_diff(129) < 4, "{stored} {others}");
}

#[tokio::test]
async fn events_cost_as_many_requests_as_they_are() {
    let settings = "trusted_proxies = [\"0.0.0.0\"]\n[limits]\nclient_per_second = 1\nclient_burst = 50\n[analytics]\nenabled = true\n";
    let server = Server::configured(settings).await;
    let events = |many: usize| Value::from_iter((0..many).map(event)).to_string();
    let send = async |visitor, many| post(&server, visitor, "/batch?projectId=demo", events(many)).await.status();
    assert_eq!(send(ABUSER, 40).await, StatusCode::ACCEPTED);
    assert_eq!(send(ABUSER, 40).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(send(NEIGHBOUR, 40).await, StatusCode::ACCEPTED);
}
