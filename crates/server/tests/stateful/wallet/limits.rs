//! Limits of all visitors together: what raises the alarm, and that one visitor does not use up what all share.

use crate::support;
use axum::http::StatusCode;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde_json::{Value, json};
use support::device::Device;
use support::wallet::{HOST, Safe};

/// Value of a counter of the vault.
fn counted(metrics: &PrometheusHandle, name: &str) -> Option<u64> {
    let text = metrics.render();
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

/// Begins a login from this address of the network.
async fn begin(safe: &Safe, from: &str, email: &str) -> (StatusCode, Value) {
    let (path, device) = ("/wallet/v1/login/email", Device::new());
    let body = json!({"email": email, "project": "demo", "host": HOST, "language": "en"}).to_string();
    let mut headers = device.headers(safe, path, &body);
    headers.push(("portico-client", from.into()));
    safe.send(path, &headers, &body).await
}

#[tokio::test]
async fn a_release_above_the_limit_is_refused_and_raises_the_alarm() {
    const RELEASED: &str = "portico_vault_releases_total ";
    const ALARM: &str = "portico_vault_releases_refused_total ";
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let safe = Safe::with("releases_per_hour = 2\n").await;
    for email in ["a@example.org", "b@example.org"] {
        safe.log_in(&mut Device::new(), email).await;
    }
    assert_eq!((counted(&metrics, RELEASED), counted(&metrics, ALARM)), (Some(2), None));
    let device = Device::new();
    let (_, started) = safe.begin(&device, "c@example.org").await;
    safe.approve(&safe.link().await).await;
    let body = json!({"transaction": started["transaction"], "code": safe.code().await, "key": device.worker_key()});
    let (status, told) = device.ask(&safe, "/wallet/v1/login/code", &body).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{told}");
    assert!(told["release"].is_null(), "{told}");
    assert_eq!((counted(&metrics, RELEASED), counted(&metrics, ALARM)), (Some(2), Some(1)));
}

#[tokio::test]
async fn logins_of_all_visitors_are_limited_in_a_minute() {
    let safe = Safe::with("logins_per_minute = 8\n").await;
    for visitor in 0..8 {
        let (status, told) = begin(&safe, &format!("198.51.100.{visitor}"), &format!("v{visitor}@example.org")).await;
        assert_eq!(status, StatusCode::OK, "{told}");
    }
    let (status, told) = begin(&safe, "198.51.100.99", "late@example.org").await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    let description = told["reasons"][0]["description"].as_str().unwrap();
    assert!(description.starts_with("Please try again after "), "{description}");
}

#[tokio::test]
async fn one_visitor_leaves_most_of_the_logins_of_a_minute_to_others() {
    for (all, own) in [(8, 2), (600, 20)] {
        let safe = Safe::with(&format!("logins_per_minute = {all}\n")).await;
        let mut allowed = 0;
        for number in 0..40 {
            let (status, _) = begin(&safe, "203.0.113.66", &format!("flood{number}@example.org")).await;
            allowed += u32::from(status == StatusCode::OK);
        }
        assert_eq!(allowed, own, "of {all}");
        let (status, told) = begin(&safe, "203.0.113.67", "neighbour@example.org").await;
        assert_eq!(status, StatusCode::OK, "{told}");
    }
}
