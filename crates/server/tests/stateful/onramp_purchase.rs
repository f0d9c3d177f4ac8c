//! Status of a purchase, as reported by its provider.

use crate::support;
use axum::http::StatusCode;
use serde_json::json;
use support::recorded;
use support::sellers::{coinbase, get, meld, scripted, served};

const REFERENCE: &str = "portico-00112233445566778899aabbccddeeff";

fn path(provider: &str) -> String {
    format!("/v1/onramp/purchase?provider={provider}&reference={REFERENCE}")
}

/// Recorded response of a provider, with another status.
fn with_status(name: &str, from: &str, to: &str) -> String {
    recorded(name).replace(from, to)
}

#[tokio::test]
async fn what_coinbase_knows_of_a_purchase_is_told_by_its_reference() {
    let (server, mut web) = served(coinbase).await;
    let (status, told) = get(&server, &path("coinbase")).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    let hash = "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b";
    let amount = json!({"amount": "0.031208475", "currency": "ETH"});
    assert_eq!(told, json!({"state": "done", "purchaseAmount": amount, "hash": hash}));
    assert_eq!(web.heard().unwrap().path, format!("/onramp/v1/buy/user/{REFERENCE}/transactions"));
}

#[tokio::test]
async fn what_meld_knows_of_a_purchase_is_told_by_its_reference() {
    let (server, mut web) = served(meld).await;
    let (status, told) = get(&server, &path("meld")).await;
    assert_eq!((status, &told["state"]), (StatusCode::OK, &json!("pending")), "{told}");
    assert_eq!(told["purchaseAmount"], json!({"amount": "0.0308", "currency": "ETH"}));
    assert_eq!(web.heard().unwrap().path, format!("/payments/transactions?externalSessionIds={REFERENCE}"));
}

#[tokio::test]
async fn each_status_of_who_sells_is_one_of_four_and_one_that_is_not_known_is_under_way() {
    for (told, state) in [
        ("SUCCESS", "done"),
        ("IN_PROGRESS", "pending"),
        ("CREATED", "pending"),
        ("FAILED", "failed"),
        ("SOMETHING_NEW", "pending"),
    ] {
        let (server, said) = scripted(coinbase).await;
        *said.lock().unwrap() =
            (StatusCode::OK, with_status("coinbase/transactions", "STATUS_SUCCESS", &format!("STATUS_{told}")));
        assert_eq!(get(&server, &path("coinbase")).await.1["state"], state, "{told}");
    }
    for (told, state) in [
        ("SETTLED", "done"),
        ("SETTLING", "pending"),
        ("PENDING", "pending"),
        ("ERROR", "pending"),
        ("DECLINED", "failed"),
        ("REFUNDED", "failed"),
    ] {
        let (server, said) = scripted(meld).await;
        *said.lock().unwrap() =
            (StatusCode::OK, with_status("meld/transactions", "\"SETTLING\"", &format!("{told:?}")));
        assert_eq!(get(&server, &path("meld")).await.1["state"], state, "{told}");
    }
}

#[tokio::test]
async fn a_purchase_that_nobody_has_begun_is_unseen_and_never_one_of_somebody_else() {
    for (settings, provider, body) in [
        (coinbase as fn(&str) -> String, "coinbase", json!({"transactions": [], "total_count": "0"}).to_string()),
        (coinbase, "coinbase", recorded("coinbase/transactions").replace(REFERENCE, "portico-another")),
        (meld, "meld", json!({"count": 0, "remaining": 0, "transactions": []}).to_string()),
        (meld, "meld", recorded("meld/transactions").replace(REFERENCE, "portico-another")),
    ] {
        let (server, said) = scripted(settings).await;
        *said.lock().unwrap() = (StatusCode::OK, body);
        let told = get(&server, &path(provider)).await;
        let unseen = json!({"state": "unseen", "purchaseAmount": null, "hash": null});
        assert_eq!(told, (StatusCode::OK, unseen), "{provider}");
    }
    let (server, said) = scripted(coinbase).await;
    *said.lock().unwrap() = (StatusCode::NOT_FOUND, recorded("coinbase/refused"));
    assert_eq!(get(&server, &path("coinbase")).await.1["state"], "unseen");
}

#[tokio::test]
async fn an_id_that_this_server_did_not_make_is_refused_before_anybody_is_asked() {
    let (server, mut web) = served(coinbase).await;
    for reference in ["", "user-1", "portico-", "..%2F..%2Fsecrets", "portico-00112233445566778899AABBCCDDEEFF"] {
        let (status, _) = get(&server, &format!("/v1/onramp/purchase?provider=coinbase&reference={reference}")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{reference}");
    }
    assert_eq!(get(&server, &path("nobody")).await.0, StatusCode::NOT_FOUND);
    assert_eq!(get(&server, "/v1/onramp/purchase").await.0, StatusCode::BAD_REQUEST);
    assert!(web.heard().is_none());
}

#[tokio::test]
async fn many_looks_at_a_purchase_ask_who_sells_once_in_a_few_seconds() {
    let (server, said) = scripted(coinbase).await;
    let pending = with_status("coinbase/transactions", "STATUS_SUCCESS", "STATUS_IN_PROGRESS");
    *said.lock().unwrap() = (StatusCode::OK, pending);
    assert_eq!(get(&server, &path("coinbase")).await.1["state"], "pending");
    *said.lock().unwrap() = (StatusCode::OK, recorded("coinbase/transactions"));
    assert_eq!(get(&server, &path("coinbase")).await.1["state"], "pending");
}

#[tokio::test]
async fn nonsense_of_who_sells_is_no_state_of_a_purchase_and_a_key_is_not_repeated() {
    for (settings, provider) in [(coinbase as fn(&str) -> String, "coinbase"), (meld, "meld")] {
        for (status, body) in [
            (200, "<html>".to_owned()),
            (200, "{}".into()),
            (200, "[]".into()),
            (401, recorded(&format!("{provider}/refused"))),
            (500, String::new()),
        ] {
            let (server, said) = scripted(settings).await;
            *said.lock().unwrap() = (StatusCode::from_u16(status).unwrap(), body);
            let (status, told) = get(&server, &path(provider)).await;
            assert_eq!(status, StatusCode::BAD_GATEWAY, "{provider}: {told}");
            assert!(!told.to_string().contains("secret-key"), "{told}");
        }
    }
}
