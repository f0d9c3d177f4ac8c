//! Logins of one wallet: added and removed after a confirmation, never joined with another wallet's.

use super::session::cancel;
use super::social::{Service, back, log_in, safe};
use crate::support;
use axum::http::StatusCode;
use reqwest::Url;
use serde_json::{Value, json};
use std::collections::HashMap;
use support::device::Device;
use support::wallet::{HOST, ORIGIN, Safe};

const MAIL: &str = "ada@shop.example";

async fn ask(safe: &Safe, device: &Device, path: &str, body: Value) -> (StatusCode, Value) {
    device.ask(safe, &format!("/wallet/v1/login/{path}"), &body).await
}

/// A visitor with a wallet who logged in by mail.
async fn visitor(safe: &Safe, email: &str) -> (Device, Value) {
    let mut device = Device::new();
    let entered = safe.log_in(&mut device, email).await;
    assert_eq!(device.ask(safe, "/wallet/v1/wallet", &device.wallet()).await.0, StatusCode::OK);
    (device, entered["user"]["id"].clone())
}

/// A login at the service that is to be added, with a page to come back to or none: its transaction, and the query of the service's page.
async fn begun(safe: &Safe, device: &Device, page: Option<&str>) -> (String, HashMap<String, String>) {
    let (status, started) = ask(safe, device, "link", json!({"provider": "google", "back": page})).await;
    assert_eq!(status, StatusCode::OK, "{started}");
    let page = Url::parse(started["uri"].as_str().unwrap()).unwrap();
    (started["transaction"].as_str().unwrap().into(), page.query_pairs().into_owned().collect())
}

async fn add(safe: &Safe, service: &Service, device: &Device, person: &str) -> (StatusCode, Value) {
    let (transaction, page) = begun(safe, device, None).await;
    service.be(person, &page);
    let (status, handed) = back(safe, "google", &page["state"], Some("c")).await;
    assert_eq!((status, handed["host"].as_str()), (StatusCode::OK, Some(ORIGIN)), "the frame alone gets the code");
    ask(safe, device, "link/finish", json!({"transaction": transaction, "code": handed["code"]})).await
}

pub(super) fn logins(me: &Value) -> Vec<(&str, &str)> {
    let text = |value: &'static str, one: &Value| one[value].as_str().unwrap_or_default().to_owned().leak() as &str;
    me["logins"].as_array().unwrap().iter().map(|one| (text("provider", one), text("name", one))).collect()
}

pub(super) async fn me(safe: &Safe, device: &Device) -> Value {
    device.ask(safe, "/wallet/v1/me", &json!({})).await.1
}

#[tokio::test]
async fn a_login_that_is_added_opens_the_same_wallet_and_one_that_is_removed_opens_it_no_more() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let (device, user) = visitor(&safe, MAIL).await;
    assert_eq!(logins(&me(&safe, &device).await), [("email", MAIL)]);
    safe.confirm(&device).await;
    let (status, told) = add(&safe, &service, &device, "7").await;
    assert_eq!((status, logins(&told)), (StatusCode::OK, vec![("email", MAIL), ("google", "Ada")]), "{told}");
    assert_eq!(told["services"], json!([{"id": "google", "name": null}]));
    let text = safe.mails().await[0]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("A login with another service was added"), "{text}");
    // Added again, it is there once.
    let (status, told) = add(&safe, &service, &device, "7").await;
    assert_eq!((status, told["logins"].as_array().unwrap().len()), (StatusCode::OK, 2));

    let mut other = Device::new();
    assert_eq!(log_in(&safe, &service, &mut other, "7").await["user"]["id"], user);
    let google = told["logins"][1]["id"].clone();
    let (status, told) = ask(&safe, &device, "unlink", json!({"id": google})).await;
    assert_eq!((status, logins(&told)), (StatusCode::OK, vec![("email", MAIL)]), "{told}");
    let text = safe.mails().await[0]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("A login was removed. It no longer opens your wallet."), "{text}");
    assert_ne!(log_in(&safe, &service, &mut Device::new(), "7").await["user"]["id"], user);
}

#[tokio::test]
async fn a_visitor_who_adds_a_login_is_sent_back_to_pages_of_the_host_alone() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let (device, _) = visitor(&safe, MAIL).await;
    safe.confirm(&device).await;
    for page in ["https://evil.example/", "https://me@shop.example/", ORIGIN, "shop"] {
        let (status, told) = ask(&safe, &device, "link", json!({"provider": "google", "back": page})).await;
        assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::BAD_REQUEST, &"back".into()), "{page}");
    }
    let page = format!("{HOST}/cart?id=1");
    let (_, asked) = begun(&safe, &device, Some(&page)).await;
    service.be("7", &asked);
    let (_, handed) = back(&safe, "google", &asked["state"], Some("c")).await;
    assert_eq!((handed["host"].as_str(), handed["back"].as_str()), (Some(ORIGIN), Some(page.as_str())));
}

#[tokio::test]
async fn a_login_that_has_a_wallet_of_its_own_is_refused_and_both_wallets_stay() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let owner = log_in(&safe, &service, &mut Device::new(), "7").await["user"]["id"].clone();
    let (device, user) = visitor(&safe, MAIL).await;
    safe.confirm(&device).await;
    let (status, told) = add(&safe, &service, &device, "7").await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::CONFLICT, &"login".into()));
    assert_eq!(told["reasons"][0]["description"], "This login already opens another wallet. Use a different account.");
    assert_eq!(logins(&me(&safe, &device).await), [("email", MAIL)]);
    let again = log_in(&safe, &service, &mut Device::new(), "7").await["user"]["id"].clone();
    assert_eq!(again, owner);
    assert_ne!(again, user);
}

#[tokio::test]
async fn without_a_confirmation_nothing_is_added_or_removed() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let (device, _) = visitor(&safe, MAIL).await;
    let refused = |(status, told): (StatusCode, Value)| {
        assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &"confirm".into()), "{told}");
    };
    refused(ask(&safe, &device, "link", json!({"provider": "google"})).await);
    refused(ask(&safe, &device, "unlink", json!({"id": "email"})).await);
    safe.confirm(&device).await;
    let (transaction, page) = begun(&safe, &device, None).await;
    service.be("7", &page);
    let (_, handed) = back(&safe, "google", &page["state"], Some("c")).await;
    safe.clock.pass(10 * 60_000);
    let finish = json!({"transaction": transaction, "code": handed["code"]});
    refused(ask(&safe, &device, "link/finish", finish).await);
    assert_eq!(logins(&me(&safe, &device).await), [("email", MAIL)]);
}

#[tokio::test]
async fn the_last_login_stays_and_so_does_the_wallet_of_a_login_that_replaced_the_address() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let (device, user) = visitor(&safe, MAIL).await;
    safe.confirm(&device).await;
    let (status, told) = ask(&safe, &device, "unlink", json!({"id": "email"})).await;
    assert_eq!(status, StatusCode::CONFLICT, "{told}");
    assert_eq!(told["reasons"][0]["description"], "This is the only login of the wallet. Add another one first.");
    let (_, added) = add(&safe, &service, &device, "7").await;
    let (status, told) = ask(&safe, &device, "unlink", json!({"id": "email"})).await;
    assert_eq!((status, logins(&told)), (StatusCode::OK, vec![("google", "Ada")]), "{told}");
    assert_eq!(
        (&told["user"]["provider"], &told["user"]["name"], &told["user"]["email"]),
        (&"google".into(), &"Ada".into(), &Value::Null)
    );
    let (status, _) = ask(&safe, &device, "unlink", json!({"id": added["logins"][1]["id"]})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert_eq!(log_in(&safe, &service, &mut Device::new(), "7").await["user"]["id"], user);
    safe.clock.pass(30_000);
    assert_ne!(safe.log_in(&mut Device::new(), MAIL).await["user"]["id"], user, "the address is somebody new");
}

#[tokio::test]
async fn an_address_that_was_removed_comes_back_from_its_mailbox_and_logins_added_shortly_before_end() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let (device, user) = visitor(&safe, MAIL).await;
    // Logins of the moment in which the account began are its own.
    safe.clock.pass(1);
    safe.confirm(&device).await;
    add(&safe, &service, &device, "7").await;
    let (status, told) = ask(&safe, &device, "unlink", json!({"id": "email"})).await;
    assert_eq!((status, logins(&told)), (StatusCode::OK, vec![("google", "Ada")]), "{told}");
    let mail = safe.mails().await[0].clone();
    assert_eq!(mail["to"], MAIL);
    let text = mail["text"].as_str().unwrap();
    assert!(
        text.starts_with("The login with this email was removed. This address no longer opens your wallet.\n"),
        "{text}"
    );
    assert!(!text.contains("the new one"), "no code was sent to a new address: {text}");
    let token = text.split_once("/cancel?t=").unwrap().1.lines().next().unwrap().to_owned();
    assert_eq!(cancel(&safe, &token, true).await, StatusCode::OK);
    assert_eq!(device.ask(&safe, "/wallet/v1/me", &json!({})).await.0, StatusCode::UNAUTHORIZED, "signed out");
    assert_ne!(log_in(&safe, &service, &mut Device::new(), "7").await["user"]["id"], user, "the added login ended");
    safe.clock.pass(30_000);
    let mut again = Device::new();
    assert_eq!(safe.log_in(&mut again, MAIL).await["user"]["id"], user);
    assert_eq!(logins(&me(&safe, &again).await), [("email", MAIL)]);
}

#[tokio::test]
async fn an_address_that_a_service_told_goes_with_its_login() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let mut device = Device::new();
    let entered = log_in(&safe, &service, &mut device, "7").await;
    assert!(entered["user"]["email"].is_string(), "{entered}");
    safe.confirm(&device).await;
    let (_, added) = add(&safe, &service, &device, "8").await;
    let all = added["logins"].as_array().unwrap();
    assert_eq!(all.len(), 2, "{added}");
    let (status, told) = ask(&safe, &device, "unlink", json!({"id": all[0]["id"]})).await;
    assert_eq!((status, &told["user"]["email"]), (StatusCode::OK, &Value::Null), "{told}");
}

#[tokio::test]
async fn the_logins_of_a_frozen_wallet_stay_as_they_are() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let (device, _) = visitor(&safe, MAIL).await;
    safe.confirm(&device).await;
    add(&safe, &service, &device, "7").await;
    assert_eq!(device.ask(&safe, "/wallet/v1/freeze", &json!({})).await.0, StatusCode::OK);
    for (path, body) in [("link", json!({"provider": "google"})), ("unlink", json!({"id": "email"}))] {
        let (status, told) = ask(&safe, &device, path, body).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{path} {told}");
    }
    assert_eq!(me(&safe, &device).await["logins"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_login_is_added_by_the_session_that_began_it_and_is_no_login_of_anybody() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let (device, _) = visitor(&safe, MAIL).await;
    let (other, _) = visitor(&safe, "eve@shop.example").await;
    for one in [&device, &other] {
        safe.confirm(one).await;
    }
    let (transaction, page) = begun(&safe, &device, None).await;
    service.be("7", &page);
    let (_, handed) = back(&safe, "google", &page["state"], Some("c")).await;
    let finish = json!({"transaction": transaction, "code": handed["code"]});
    assert_eq!(ask(&safe, &other, "link/finish", finish.clone()).await.0, StatusCode::GONE);
    let login = json!({"transaction": transaction, "code": handed["code"], "key": device.worker_key()});
    assert_eq!(ask(&safe, &device, "social/finish", login).await.0, StatusCode::GONE);
    assert_eq!(ask(&safe, &device, "link/finish", finish.clone()).await.0, StatusCode::OK);
    assert_eq!(ask(&safe, &device, "link/finish", finish).await.0, StatusCode::GONE, "once");
    // A login of somebody else's wallet is not removed by its id.
    let google = me(&safe, &device).await["logins"][1]["id"].clone();
    assert_eq!(ask(&safe, &other, "unlink", json!({"id": google})).await.0, StatusCode::CONFLICT);
    assert_eq!(me(&safe, &device).await["logins"].as_array().unwrap().len(), 2);
}
