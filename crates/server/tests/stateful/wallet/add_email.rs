//! An address as a further login of a wallet that began at another service.

use super::logins::{logins, me};
use super::session::cancel;
use super::social::{Service, log_in, safe};
use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;
use support::device::Device;
use support::wallet::Safe;

const ADD: &str = "/wallet/v1/email/add";
const FINISH: &str = "/wallet/v1/email/add/finish";
const NEW: &str = "new@shop.example";
/// Address that the service tells of everybody.
const TOLD: &str = "ada@example.org";

/// A visitor of the service with a wallet, who confirmed a change.
async fn visitor(safe: &Safe, service: &Service, person: &str) -> (Device, Value) {
    let mut device = Device::new();
    let entered = log_in(safe, service, &mut device, person).await;
    assert_eq!(device.ask(safe, "/wallet/v1/wallet", &device.wallet()).await.0, StatusCode::OK);
    safe.clock.pass(31_000);
    safe.confirm(&device).await;
    (device, entered["user"]["id"].clone())
}

async fn world() -> (Arc<Service>, Safe) {
    let service = Service::start().await;
    let safe = safe(&service).await;
    (service, safe)
}

async fn add(safe: &Safe, device: &Device, email: &str) -> (StatusCode, Value) {
    device.ask(safe, ADD, &json!({"email": email})).await
}

async fn finish(safe: &Safe, device: &Device, code: &str) -> (StatusCode, Value) {
    device.ask(safe, FINISH, &json!({"code": code})).await
}

/// A code that is not this one.
fn other(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

fn reason(told: &Value) -> &str {
    told["reasons"][0]["description"].as_str().unwrap()
}

#[tokio::test]
async fn an_address_that_is_added_opens_the_same_wallet_and_the_address_before_is_told() {
    let (service, safe) = world().await;
    let (device, user) = visitor(&safe, &service, "7").await;
    assert_eq!(add(&safe, &device, NEW).await, (StatusCode::OK, json!({})));
    let mail = safe.mails().await[0].clone();
    assert_eq!((&mail["to"], &mail["subject"]), (&json!(NEW), &json!("Your code to add this email")));
    assert_eq!(logins(&me(&safe, &device).await), [("google", "Ada")], "an address without a code is no login");
    let code = safe.code().await;
    let (status, told) = finish(&safe, &device, &code).await;
    assert_eq!((status, logins(&told)), (StatusCode::OK, vec![("email", NEW), ("google", "Ada")]), "{told}");
    assert_eq!((&told["user"]["provider"], &told["user"]["email"]), (&json!("google"), &json!(NEW)));
    let mail = safe.mails().await[0].clone();
    assert_eq!(mail["to"], TOLD);
    assert!(mail["text"].as_str().unwrap().contains("An email address was added to your wallet"), "{mail}");
    assert_eq!(finish(&safe, &device, &code).await.0, StatusCode::GONE, "once");
    assert!(safe.dump().await.contains("|email added|"));

    safe.clock.pass(30_000);
    let mut second = Device::new();
    assert_eq!(safe.log_in(&mut second, NEW).await["user"]["id"], user);
    let mut third = Device::new();
    assert_eq!(log_in(&safe, &service, &mut third, "7").await["user"]["id"], user);

    // It is removed like any other login.
    let (status, told) = device.ask(&safe, "/wallet/v1/login/unlink", &json!({"id": "email"})).await;
    assert_eq!((status, logins(&told)), (StatusCode::OK, vec![("google", "Ada")]), "{told}");
    safe.clock.pass(30_000);
    assert_ne!(safe.log_in(&mut Device::new(), NEW).await["user"]["id"], user);
}

#[tokio::test]
async fn the_address_before_cancels_the_addition_and_the_first_login_stays() {
    let (service, safe) = world().await;
    let (device, user) = visitor(&safe, &service, "7").await;
    add(&safe, &device, NEW).await;
    assert_eq!(finish(&safe, &device, &safe.code().await).await.0, StatusCode::OK);
    let text = safe.mails().await[0]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("Your wallet will open with this address instead of the added one"), "{text}");
    let token = text.split_once("/cancel?t=").unwrap().1.lines().next().unwrap().to_owned();
    assert_eq!(cancel(&safe, &token, true).await, StatusCode::OK);
    assert_eq!(device.ask(&safe, "/wallet/v1/me", &json!({})).await.0, StatusCode::UNAUTHORIZED, "signed out");
    safe.clock.pass(30_000);
    assert_ne!(safe.log_in(&mut Device::new(), NEW).await["user"]["id"], user);
    let mut again = Device::new();
    assert_eq!(log_in(&safe, &service, &mut again, "7").await["user"]["id"], user);
    assert_eq!(logins(&me(&safe, &again).await), [("email", TOLD), ("google", "Ada")]);
    assert_eq!(safe.log_in(&mut Device::new(), TOLD).await["user"]["id"], user, "whoever cancels reads its mails");
}

#[tokio::test]
async fn no_link_cancels_where_the_address_before_is_the_added_one_or_opens_a_wallet_of_its_own() {
    let (service, safe) = world().await;
    let (device, _) = visitor(&safe, &service, "7").await;
    add(&safe, &device, TOLD).await;
    assert_eq!(finish(&safe, &device, &safe.code().await).await.0, StatusCode::OK);
    // Another visitor of whom the service tells the same address.
    safe.clock.pass(30_000);
    let (device, _) = visitor(&safe, &service, "8").await;
    let before = safe.mails().await;
    assert!(before.iter().all(|mail| !mail["text"].as_str().unwrap().contains("/cancel?t=")), "{before:?}");
    add(&safe, &device, NEW).await;
    assert_eq!(finish(&safe, &device, &safe.code().await).await.0, StatusCode::OK);
    let mail = safe.mails().await[0].clone();
    assert_eq!(mail["to"], TOLD);
    let text = mail["text"].as_str().unwrap();
    assert!(text.contains("An email address was added") && !text.contains("/cancel?t="), "{text}");
}

#[tokio::test]
async fn five_wrong_codes_end_an_addition_and_nobody_else_can_finish_it() {
    let (service, safe) = world().await;
    let (device, _) = visitor(&safe, &service, "7").await;
    let (neighbour, _) = visitor(&safe, &service, "8").await;
    add(&safe, &device, NEW).await;
    let code = safe.code().await;
    let (status, told) = finish(&safe, &neighbour, &code).await;
    assert_eq!(status, StatusCode::GONE, "{told}");
    assert_eq!(device.ask(&safe, "/wallet/v1/email/secondary", &json!({"code": code})).await.0, StatusCode::GONE);
    for _ in 0..5 {
        let (status, told) = finish(&safe, &device, other(&code)).await;
        assert_eq!(
            (status, reason(&told)),
            (StatusCode::BAD_REQUEST, "This code isn't right. Check the email."),
            "{told}"
        );
    }
    let (status, told) = finish(&safe, &device, &code).await;
    assert_eq!((status, reason(&told)), (StatusCode::GONE, "Too many wrong codes. Start again."));
    for device in [&device, &neighbour] {
        assert_eq!(logins(&me(&safe, device).await), [("google", "Ada")]);
    }
    // A code ends with its time, while the confirmation is given anew.
    safe.clock.pass(30_000);
    add(&safe, &device, NEW).await;
    let code = safe.code().await;
    safe.clock.pass(10 * 60_000);
    safe.confirm(&device).await;
    assert_eq!(finish(&safe, &device, &code).await.0, StatusCode::GONE);
}

#[tokio::test]
async fn an_address_of_another_wallet_is_refused_only_after_its_code_and_both_wallets_stay() {
    let (service, safe) = world().await;
    let owner = safe.log_in(&mut Device::new(), NEW).await["user"]["id"].clone();
    let (device, user) = visitor(&safe, &service, "7").await;
    assert_eq!(add(&safe, &device, NEW).await, (StatusCode::OK, json!({})), "as for a free address");
    let code = safe.code().await;
    let (_, told) = finish(&safe, &device, other(&code)).await;
    assert_eq!(reason(&told), "This code isn't right. Check the email.");
    let (status, told) = finish(&safe, &device, &code).await;
    assert_eq!(
        (status, reason(&told)),
        (StatusCode::CONFLICT, "This email already opens another wallet. Use a different one.")
    );
    assert_eq!(logins(&me(&safe, &device).await), [("google", "Ada")]);
    safe.clock.pass(30_000);
    assert_eq!(safe.log_in(&mut Device::new(), NEW).await["user"]["id"], owner);
    assert_ne!(owner, user);
}

#[tokio::test]
async fn mails_with_codes_are_limited_for_each_visitor_and_each_address() {
    let (service, safe) = world().await;
    let (device, _) = visitor(&safe, &service, "7").await;
    let (neighbour, _) = visitor(&safe, &service, "8").await;
    assert_eq!(add(&safe, &device, NEW).await.0, StatusCode::OK);
    let mails = safe.mails().await.len();
    let (status, told) = add(&safe, &device, "another@shop.example").await;
    assert_eq!((status, reason(&told)), (StatusCode::TOO_MANY_REQUESTS, "Please try again after 30 seconds"));
    let (status, _) = add(&safe, &neighbour, NEW).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "the same pause for an address, whoever asks");
    assert_eq!(safe.begin(&Device::new(), NEW).await.0, StatusCode::TOO_MANY_REQUESTS, "a login counts too");
    assert_eq!(safe.mails().await.len(), mails);
    safe.clock.pass(30_000);
    assert_eq!(add(&safe, &neighbour, "another@shop.example").await.0, StatusCode::OK, "not held up by the first");
    for _ in 0..2 {
        assert_eq!(add(&safe, &device, NEW).await.0, StatusCode::OK);
        safe.clock.pass(30_000);
    }
    assert_eq!(
        add(&safe, &device, "third@shop.example").await.0,
        StatusCode::TOO_MANY_REQUESTS,
        "three in ten minutes"
    );
    // The newest code counts.
    assert_eq!(finish(&safe, &device, &safe.code().await).await.0, StatusCode::OK);
}

#[tokio::test]
async fn an_addition_needs_a_confirmation_a_wallet_that_is_not_frozen_and_no_address_before() {
    let (service, safe) = world().await;
    let mut device = Device::new();
    log_in(&safe, &service, &mut device, "7").await;
    assert_eq!(device.ask(&safe, "/wallet/v1/wallet", &device.wallet()).await.0, StatusCode::OK);
    let refused = |(status, told): (StatusCode, Value), field: &str| {
        assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &json!(field)), "{told}");
    };
    refused(add(&safe, &device, NEW).await, "confirm");
    safe.confirm(&device).await;
    assert_eq!(add(&safe, &device, "no address").await.0, StatusCode::BAD_REQUEST);
    assert_eq!(add(&safe, &device, NEW).await.0, StatusCode::OK);
    let code = safe.code().await;
    assert_eq!(device.ask(&safe, "/wallet/v1/freeze", &json!({})).await.0, StatusCode::OK);
    refused(add(&safe, &device, NEW).await, "frozen");
    refused(finish(&safe, &device, &code).await, "frozen");
    assert_eq!(device.ask(&safe, "/wallet/v1/thaw", &json!({})).await.0, StatusCode::OK);
    assert_eq!(finish(&safe, &device, &code).await.0, StatusCode::OK);
    safe.clock.pass(30_000);
    let (status, told) = add(&safe, &device, "another@shop.example").await;
    assert_eq!(
        (status, reason(&told)),
        (StatusCode::CONFLICT, "This wallet already has an email login. Change its address instead.")
    );
}
