//! History of an account on all chains, as one list.

use crate::support;
use alloy_primitives::keccak256;
use axum::http::StatusCode;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use support::web::Web;
use support::{Server, Upstream, reason, status_and_text};

const VISITOR: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const BOB: &str = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

/// Explorer with one transaction on each of these days of a year, newest first, in pages of 50.
async fn days(days: Vec<usize>) -> Web {
    days_until(days, Arc::default()).await
}

/// Like [`days`], but later pages fail once `broken` is set.
async fn days_until(days: Vec<usize>, broken: Arc<AtomicBool>) -> Web {
    Web::start(move |heard| {
        if heard.path.contains("index=") && broken.load(Ordering::Relaxed) {
            return axum::Json(Value::Null);
        }
        if !heard.path.contains("/transactions") {
            return axum::Json(json!({"items": [], "next_page_params": null}));
        }
        let begin = heard.path.split("index=").nth(1).map_or(0, |number| number.parse::<usize>().unwrap());
        let item = |day: &usize| {
            json!({"hash": format!("0x{day:064x}"), "block_number": day, "timestamp": format!("2025-{:02}-{:02}T00:00:00.000000Z", day / 28 + 1, day % 28 + 1),
                "status": "ok", "nonce": 1, "from": {"hash": VISITOR}, "to": {"hash": BOB}, "value": "1", "method": null})
        };
        let items: Vec<Value> = days.iter().skip(begin).take(50).map(item).collect();
        let next = (begin + 50 < days.len()).then(|| json!({"index": begin + 50}));
        axum::Json(json!({"items": items, "next_page_params": next}))
    })
    .await
}

/// Serves one chain for each of these explorers.
async fn chains(explorers: &[String]) -> Server {
    let chain = |(place, explorer): (usize, &String)| {
        format!(
            "[[chains]]\nid = \"eip155:{}\"\nupstreams = [\"http://127.0.0.1:9\"]\nexplorer = {explorer:?}\n",
            7000 + place
        )
    };
    let chains: String = explorers.iter().enumerate().map(chain).collect();
    Server::configured(&format!("[sources]\nhistory = [\"explorer\"]\n{chains}")).await
}

async fn page_of_all(server: &Server, cursor: Option<&str>) -> (StatusCode, String) {
    let cursor = cursor.map_or(String::new(), |cursor| format!("&cursor={cursor}"));
    status_and_text(server.get(&format!("/v1/account/{VISITOR}/history?projectId=demo{cursor}")).await).await
}

#[tokio::test]
async fn spec_7_4_without_a_chain_the_history_is_that_of_all_evm_chains_the_newest_first() {
    let every = |step: usize, first: usize| (0..330).rev().filter(move |day| day % step == first).collect::<Vec<_>>();
    // Chains with few, many, only old, and no transactions.
    let of = [every(7, 3), every(2, 0), (0..60).rev().filter(|day| day % 2 == 1).collect(), Vec::new()];
    let mut webs = Vec::new();
    for days_of in &of {
        webs.push(days(days_of.clone()).await);
    }
    let urls: Vec<String> = webs.iter().map(|web| web.url("")).collect();
    let server = chains(&urls).await;
    let (mut rows, mut cursor, mut pages) = (Vec::new(), None::<String>, 0);
    loop {
        let (status, text) = page_of_all(&server, cursor.as_deref()).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let page: Value = serde_json::from_str(&text).unwrap();
        let data = page["data"].as_array().unwrap();
        assert!((1..=50).contains(&data.len()), "{}", data.len());
        rows.extend(data.iter().map(|row| {
            let text = |at: &str| row["metadata"][at].as_str().unwrap().to_owned();
            (text("minedAt"), text("chain"), text("hash"))
        }));
        pages += 1;
        assert!(pages < 30);
        match page["next"].as_str() {
            Some(next) => cursor = Some(next.into()),
            None => break,
        }
    }
    assert!(rows.is_sorted_by(|one, other| one.0 >= other.0));
    assert_eq!(rows.len(), of.iter().map(Vec::len).sum::<usize>());
    assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len());
    // Cursors of a single chain, and modified cursors, are refused.
    let one =
        status_and_text(server.get(&format!("/v1/account/{VISITOR}/history?projectId=demo&chainId=eip155:7001")).await)
            .await
            .1;
    let one = serde_json::from_str::<Value>(&one).unwrap()["next"].as_str().unwrap().to_owned();
    let last = cursor.unwrap();
    for wrong in [one, last[1..].to_owned(), "x".repeat(40_000)] {
        let (status, text) = page_of_all(&server, Some(&wrong)).await;
        assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, "cursor"), "{wrong:.40}");
    }
    let (status, text) = ask_at(&server, &format!("{VISITOR}/history?chainId=eip155:7001&cursor={last}")).await;
    assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, "cursor"));
}

async fn ask_at(server: &Server, path: &str) -> (StatusCode, String) {
    status_and_text(server.get(&format!("/v1/account/{path}&projectId=demo")).await).await
}

#[tokio::test]
async fn a_chain_that_fails_costs_only_itself_until_it_has_begun_to_tell() {
    let web = days((0..120).rev().collect()).await;
    let broken = Upstream::says(500, "").await;
    let server = chains(&[web.url(""), broken.url.clone()]).await;
    let (status, text) = page_of_all(&server, None).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["data"].as_array().unwrap().len(), 50);
    let nobody = chains(&[broken.url.clone(), broken.url.clone()]).await;
    let (status, text) = page_of_all(&nobody, None).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(reason(&text).1, "Couldn't load the history of eip155:7000. Try again.");
    // Twenty-five rows of each chain; then the rest of the first pages; then the next pages are requested.
    let broken = Arc::new(AtomicBool::new(false));
    let breaking = days_until((0..120).rev().collect(), broken.clone()).await;
    let server = chains(&[web.url(""), breaking.url("")]).await;
    let mut next = String::new();
    for _ in 0..2 {
        let cursor = Some(next.as_str()).filter(|next| !next.is_empty());
        let page: Value = serde_json::from_str(&page_of_all(&server, cursor).await.1).unwrap();
        next = page["next"].as_str().unwrap().into();
    }
    for (breaks, expected) in [(true, StatusCode::SERVICE_UNAVAILABLE), (false, StatusCode::OK)] {
        broken.store(breaks, Ordering::Relaxed);
        let (status, text) = page_of_all(&server, Some(&next)).await;
        assert_eq!(status, expected, "{text:.200}");
    }
}

#[tokio::test]
async fn the_history_of_very_many_chains_is_asked_chain_by_chain() {
    let urls = vec!["http://127.0.0.1:9".to_owned(); 17];
    let (status, text) = page_of_all(&chains(&urls).await, None).await;
    assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, "chainId"));
}

#[tokio::test]
async fn a_cursor_that_was_made_up_to_name_a_chain_many_times_asks_nobody() {
    let mut webs = [days((0..120).rev().collect()).await, days((0..120).rev().collect()).await];
    let server = chains(&[webs[0].url(""), webs[1].url("")]).await;
    let page: Value = serde_json::from_str(&page_of_all(&server, None).await.1).unwrap();
    let cursor = URL_SAFE_NO_PAD.decode(page["next"].as_str().unwrap()).unwrap();
    let mut places: Value = serde_json::from_slice(&cursor[8..]).unwrap();
    let word = |places: &Value| {
        let text = places.to_string();
        URL_SAFE_NO_PAD.encode([&keccak256(text.as_bytes())[..8], text.as_bytes()].concat())
    };
    webs.iter_mut().for_each(|web| while web.heard().is_some() {});
    for times in [2, 300] {
        let track = |place: usize| json!({"chain": "eip155:7000", "page": null, "last": place.to_string()});
        places["tracks"] = (0..times).map(track).collect();
        let (status, text) = page_of_all(&server, Some(&word(&places))).await;
        assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, "cursor"), "{times}");
    }
    assert!(webs.iter_mut().all(|web| web.heard().is_none()));
}

#[tokio::test]
async fn where_only_one_chain_is_told_of_it_is_that_one_wherever_it_stands() {
    let web = days((0..60).rev().collect()).await;
    let server = Server::configured(&format!(
        "[sources]\nhistory = [\"explorer\"]\n[[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://127.0.0.1:9\"]\n\
        [[chains]]\nid = \"eip155:7000\"\nupstreams = [\"http://127.0.0.1:9\"]\nexplorer = {:?}\n",
        web.url("")
    ))
    .await;
    let (status, text) = page_of_all(&server, None).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let page: Value = serde_json::from_str(&text).unwrap();
    let (_, text) = page_of_all(&server, page["next"].as_str()).await;
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["data"].as_array().unwrap().len(), 10, "{text:.300}");
}
