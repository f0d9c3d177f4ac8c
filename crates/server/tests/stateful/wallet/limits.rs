//! Limits of all visitors together: what raises the alarm, and that one visitor does not use up what all share.

use super::jwt::Host;
use crate::support;
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::future::join_all;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde_json::{Value, json};
use support::device::Device;
use support::wallet::{HOST, Safe};
use tower::ServiceExt;

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

/// A vault with these lines of `[wallet.vault]`, to which a site logs its visitors in.
async fn safe_of(host: &Host, lines: &str) -> Safe {
    Safe::with(&format!("{lines}{}", host.entry("https://shop.example", ""))).await
}

/// Logs a person of the site in on a device from this address of the network, by a token of this number.
async fn log_in(
    vault: &Router,
    safe: &Safe,
    (host, device): (&Host, &Device),
    [from, person, number]: [&str; 3],
) -> (StatusCode, Value) {
    let (path, now) = ("/wallet/v1/login/jwt", safe.clock.now() / 1000);
    let mut claims = Host::claims(person);
    (claims["jti"], claims["iat"], claims["exp"]) = (number.into(), now.into(), (now + 60).into());
    let token = host.sign(&claims);
    let body = json!({"project": "demo", "host": HOST, "token": token, "key": device.worker_key()}).to_string();
    let mut request = Request::post(path).header("portico-client", from);
    for (name, value) in device.headers(safe, path, &body) {
        request = request.header(name, value);
    }
    let response = vault.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
    let (status, text) = support::status_and_text(response).await;
    (status, serde_json::from_str(&text).unwrap())
}

/// Logs a person in, who then stores a wallet.
async fn with_wallet(safe: &Safe, host: &Host, person: &str) {
    let mut device = Device::new();
    let (status, entered) = log_in(&safe.router, safe, (host, &device), ["198.51.100.1", person, "first"]).await;
    assert_eq!(status, StatusCode::OK, "{entered}");
    device.access = Some(entered["session"]["access"].as_str().unwrap().into());
    assert_eq!(device.ask(safe, "/wallet/v1/wallet", &device.wallet()).await.0, StatusCode::OK);
}

#[tokio::test]
async fn one_user_uses_up_the_own_releases_from_many_addresses_and_a_neighbour_still_logs_in() {
    let host = Host::new();
    for (lines, own) in [("releases_per_hour = 20\n", 5), ("releases_per_hour = 20\nuser_releases_per_hour = 3\n", 3)] {
        let safe = safe_of(&host, lines).await;
        with_wallet(&safe, &host, "visitor").await;
        with_wallet(&safe, &host, "neighbour").await;
        let new = Device::new;
        let (mut entered, mut refused) = (1, Value::Null);
        for number in 0..30 {
            let (from, number) = (format!("203.0.113.{number}"), number.to_string());
            let (status, told) = log_in(&safe.router, &safe, (&host, &new()), [&from, "visitor", &number]).await;
            match status {
                StatusCode::OK => entered += 1,
                _ => (_, refused) = (assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{told}"), told),
            }
        }
        assert_eq!(entered, own, "{lines}");
        let sentence = "There were too many logins to this wallet. Try again in 60 minutes, or use a browser that is still logged in.";
        assert_eq!(refused["reasons"][0]["description"], sentence);
        let (status, told) = log_in(&safe.router, &safe, (&host, &new()), ["203.0.113.1", "neighbour", "again"]).await;
        assert_eq!(status, StatusCode::OK, "{told}");
        safe.clock.pass(60 * 60_000 - 1);
        let (_, told) = log_in(&safe.router, &safe, (&host, &new()), ["203.0.113.1", "visitor", "soon"]).await;
        let description = told["reasons"][0]["description"].as_str().unwrap();
        assert!(description.contains("Try again in a minute, or"), "{description}");
        safe.clock.pass(1);
        let (status, told) = log_in(&safe.router, &safe, (&host, &new()), ["203.0.113.1", "visitor", "later"]).await;
        assert_eq!(status, StatusCode::OK, "{told}");
    }
}

#[tokio::test]
async fn a_login_above_the_limit_of_its_user_leaves_no_device_and_rings_no_alarm() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let host = Host::new();
    let safe = safe_of(&host, "user_releases_per_hour = 1\n").await;
    with_wallet(&safe, &host, "visitor").await;
    let device = Device::new();
    let (status, _) = log_in(&safe.router, &safe, (&host, &device), ["203.0.113.1", "visitor", "more"]).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert!(!safe.dump().await.contains(&format!("|{}|Unknown", device.thumbprint())));
    assert_eq!(counted(&metrics, "portico_vault_releases_refused_total "), None);
}

#[tokio::test]
async fn new_accounts_use_up_the_logins_of_new_accounts_alone() {
    let host = Host::new();
    let safe = safe_of(&host, "releases_per_hour = 8\n").await;
    with_wallet(&safe, &host, "neighbour").await;
    for person in 0..8 {
        let expected = if person < 7 { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        let (from, person) = (format!("203.0.113.{person}"), format!("new {person}"));
        let (status, told) = log_in(&safe.router, &safe, (&host, &Device::new()), [&from, &person, "first"]).await;
        assert_eq!(status, expected, "{person}: {told}");
    }
    let from = "203.0.113.99";
    let (status, told) = log_in(&safe.router, &safe, (&host, &Device::new()), [from, "neighbour", "again"]).await;
    assert_eq!(status, StatusCode::OK, "{told}");
}

#[tokio::test]
async fn two_vaults_on_one_database_release_together_no_more_than_the_limits() {
    let host = Host::new();
    for (lines, persons, most) in [("releases_per_hour = 6\n", 16, 6), ("user_releases_per_hour = 6\n", 1, 6)] {
        let mut safe = safe_of(&host, lines).await;
        let first = safe.router.clone();
        safe.restart().await;
        let (safe, host, first) = (&safe, &host, &first);
        let logins = (0..16).map(async |turn| {
            let vault = if turn % 2 == 0 { first } else { &safe.router };
            let (from, person, number) =
                (format!("203.0.113.{turn}"), format!("person {}", turn % persons), turn.to_string());
            log_in(vault, safe, (host, &Device::new()), [&from, &person, &number]).await.0
        });
        let entered = join_all(logins).await.into_iter().filter(|status| *status == StatusCode::OK).count();
        assert_eq!(entered, most, "{lines}");
    }
}
