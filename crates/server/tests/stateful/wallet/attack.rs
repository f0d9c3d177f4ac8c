//! Attacks on the vault that have to fail.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::device::{Device, encode, hash};
use support::wallet::Safe;

const EMAIL: &str = "ada@example.org";
const ME: &str = "/wallet/v1/me";

/// Field of a refusal.
fn field(told: &Value) -> &str {
    told["reasons"][0]["field"].as_str().unwrap()
}

#[tokio::test]
async fn the_socket_is_worthless_without_a_proof() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    safe.log_in(&mut device, EMAIL).await;
    let token = ("authorization", format!("DPoP {}", device.access.clone().unwrap()));
    for path in ["/wallet/v1/me", "/wallet/v1/unlock", "/wallet/v1/login/email", "/wallet/v1/session/refresh"] {
        let (status, told) = safe.send(path, std::slice::from_ref(&token), "{}").await;
        assert_eq!((status, field(&told)), (StatusCode::UNAUTHORIZED, "dpop"), "{path}");
    }
    // Another device with a copied token.
    let mut thief = Device::new();
    thief.access = device.access.clone();
    let (status, told) = thief.ask(&safe, ME, &json!({})).await;
    assert_eq!((status, field(&told)), (StatusCode::UNAUTHORIZED, "session"));
    assert_eq!(device.ask(&safe, ME, &json!({})).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_recorded_request_cannot_be_sent_again() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    safe.log_in(&mut device, EMAIL).await;
    let headers = device.headers(&safe, ME, "{}");
    assert_eq!(safe.send(ME, &headers, "{}").await.0, StatusCode::OK);
    let (status, told) = safe.send(ME, &headers, "{}").await;
    assert_eq!((status, field(&told)), (StatusCode::UNAUTHORIZED, "dpop"));
}

#[tokio::test]
async fn a_proof_is_for_one_path_one_body_one_token_and_one_time() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    safe.log_in(&mut device, EMAIL).await;
    let authorization = ("authorization", format!("DPoP {}", device.access.clone().unwrap()));
    let claims = || device.claims(&safe, ME, "{}");
    let now = safe.clock.now() / 1000;
    for (member, value, told) in [
        ("htu", json!("/wallet/v1/unlock"), "dpop"),
        ("htm", json!("GET"), "dpop"),
        ("bh", json!(hash("{ }")), "dpop"),
        ("ath", json!(hash("other")), "dpop"),
        ("ath", json!(null), "dpop"),
        ("jti", json!("short"), "dpop"),
        ("jti", json!(null), "dpop"),
        ("iat", json!(now + 301), "clock"),
        ("iat", json!(now - 301), "clock"),
        ("iat", json!(i64::MIN), "clock"),
        ("iat", json!(i64::MAX), "clock"),
    ] {
        let mut claims = claims();
        claims[member] = value;
        let headers = [("dpop", device.sign(&device.header(), &claims)), authorization.clone()];
        let (status, refused) = safe.send(ME, &headers, "{}").await;
        assert_eq!((status, field(&refused)), (StatusCode::UNAUTHORIZED, told), "{claims}");
    }
    for (member, value) in [
        ("typ", json!("jwt")),
        ("alg", json!("none")),
        ("alg", json!("HS256")),
        ("jwk", json!({})),
        ("jwk", json!(null)),
    ] {
        let mut header = device.header();
        header[member] = value;
        let headers = [("dpop", device.sign(&header, &claims())), authorization.clone()];
        assert_eq!(safe.send(ME, &headers, "{}").await.0, StatusCode::UNAUTHORIZED, "{header}");
    }
    // The key of another device in the header, signed by one's own.
    let headers = [("dpop", Device::new().sign(&device.header(), &claims())), authorization.clone()];
    assert_eq!(safe.send(ME, &headers, "{}").await.0, StatusCode::UNAUTHORIZED);
    let two = [("dpop", device.sign(&device.header(), &claims())), ("dpop", device.sign(&device.header(), &claims()))];
    assert_eq!(safe.send(ME, &two, "{}").await.0, StatusCode::UNAUTHORIZED);
    for text in ["", ".", "..", "a.b.c", &"a".repeat(10_000)] {
        let headers = [("dpop", text.to_owned()), authorization.clone()];
        assert_eq!(safe.send(ME, &headers, "{}").await.0, StatusCode::UNAUTHORIZED, "{text}");
    }
}

#[tokio::test]
async fn a_clock_that_is_off_is_told_the_time() {
    let safe = Safe::new().await;
    let device = Device::new();
    let mut claims = device.claims(&safe, ME, "{}");
    let now = safe.clock.now() / 1000;
    claims["iat"] = (now + 4000).into();
    let (_, told) = safe.send(ME, &[("dpop", device.sign(&device.header(), &claims))], "{}").await;
    let description = told["reasons"][0]["description"].as_str().unwrap();
    assert_eq!(description, format!("The clock of this device is off: the time is {now}"));
}

#[tokio::test]
async fn a_restart_forgets_used_proofs_and_refuses_those_from_before() {
    let mut safe = Safe::new().await;
    let mut device = Device::new();
    safe.log_in(&mut device, EMAIL).await;
    let headers = device.headers(&safe, ME, "{}");
    assert_eq!(safe.send(ME, &headers, "{}").await.0, StatusCode::OK);
    safe.clock.pass(1000);
    safe.restart().await;
    let (status, told) = safe.send(ME, &headers, "{}").await;
    assert_eq!((status, field(&told)), (StatusCode::UNAUTHORIZED, "clock"));
    assert_eq!(device.ask(&safe, ME, &json!({})).await.0, StatusCode::OK);
}

#[tokio::test]
async fn limits_of_an_address_outlast_a_restart() {
    let mut safe = Safe::new().await;
    assert_eq!(safe.begin(&Device::new(), EMAIL).await.0, StatusCode::OK);
    safe.restart().await;
    assert_eq!(safe.begin(&Device::new(), EMAIL).await.0, StatusCode::TOO_MANY_REQUESTS);
}

/// A code that is not this one.
fn other_than(code: &str, number: u32) -> String {
    let right: u32 = code.parse().unwrap();
    format!("{:06}", (right + 1 + number) % 1_000_000)
}

#[tokio::test]
async fn a_code_is_tried_five_times_from_however_many_addresses_at_once() {
    let safe = Safe::new().await;
    let device = Device::new();
    let (_, started) = safe.begin(&device, EMAIL).await;
    safe.approve(&safe.link().await).await;
    let right = safe.code().await;
    let body = |code: &str| {
        json!({"transaction": started["transaction"], "code": code, "key": device.worker_key()}).to_string()
    };
    let path = "/wallet/v1/login/code";
    let tries = (0..12).map(|number| {
        let body = body(&other_than(&right, number));
        let mut headers = device.headers(&safe, path, &body);
        headers.push(("portico-client", format!("198.51.100.{number}")));
        let safe = &safe;
        async move { field(&safe.send(path, &headers, &body).await.1).to_owned() }
    });
    futures_util::future::join_all(tries).await;
    let (status, told) = device.ask(&safe, path, &serde_json::from_str(&body(&right)).unwrap()).await;
    assert_eq!((status, field(&told)), (StatusCode::GONE, "code"), "{told}");
}

#[tokio::test]
async fn one_address_may_try_thirty_codes_in_ten_minutes() {
    let safe = Safe::new().await;
    let device = Device::new();
    let body = json!({"transaction": encode([1; 32]), "code": "123456", "key": device.worker_key()});
    for _ in 0..30 {
        assert_eq!(device.ask(&safe, "/wallet/v1/login/code", &body).await.0, StatusCode::GONE);
    }
    assert_eq!(device.ask(&safe, "/wallet/v1/login/code", &body).await.0, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn a_code_works_once_on_its_own_device_within_ten_minutes() {
    let safe = Safe::new().await;
    let (device, thief) = (Device::new(), Device::new());
    let (_, started) = safe.begin(&device, EMAIL).await;
    safe.approve(&safe.link().await).await;
    let path = "/wallet/v1/login/code";
    let body = |device: &Device, code: &str| json!({"transaction": started["transaction"], "code": code, "key": device.worker_key()});
    let code = safe.code().await;
    assert_eq!(thief.ask(&safe, path, &body(&thief, &code)).await.0, StatusCode::GONE);
    let right = body(&device, &code);
    let (one, other) = tokio::join!(device.ask(&safe, path, &right), device.ask(&safe, path, &right));
    let mut statuses = [one.0.as_u16(), other.0.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 410]);
    // A later one that is not used in time.
    safe.clock.pass(30_000);
    let late = Device::new();
    let (_, started) = safe.begin(&late, EMAIL).await;
    safe.approve(&safe.link().await).await;
    let body = json!({"transaction": started["transaction"], "code": safe.code().await, "key": late.worker_key()});
    safe.clock.pass(10 * 60_000);
    assert_eq!(late.ask(&safe, path, &body).await.0, StatusCode::GONE);
}

#[tokio::test]
async fn a_code_of_one_login_does_not_open_another() {
    let safe = Safe::new().await;
    let device = Device::new();
    let (_, own) = safe.begin(&device, "mallory@example.org").await;
    safe.approve(&safe.link().await).await;
    let code = safe.code().await;
    let (_, other) = safe.begin(&device, EMAIL).await;
    safe.approve(&safe.link().await).await;
    let body = json!({"transaction": other["transaction"], "code": code, "key": device.worker_key()});
    // The two codes are equal once in a million runs.
    if code != safe.code().await {
        assert_eq!(device.ask(&safe, "/wallet/v1/login/code", &body).await.0, StatusCode::BAD_REQUEST);
    }
    assert_ne!(own["transaction"], other["transaction"]);
}

#[tokio::test]
async fn known_and_unknown_addresses_are_answered_alike() {
    let safe = Safe::new().await;
    safe.log_in(&mut Device::new(), EMAIL).await;
    safe.clock.pass(30_000);
    let stranger = Device::new();
    let mut answers = Vec::new();
    for email in [EMAIL, "nobody@example.org"] {
        let (status, mut started) = safe.begin(&stranger, email).await;
        for random in ["transaction", "number"] {
            let length = started[random].as_str().unwrap().len();
            started[random] = length.into();
        }
        answers.push((status, started.to_string(), safe.mails().await[0]["subject"].clone()));
    }
    assert_eq!(answers[0], answers[1]);
    let again = [safe.begin(&stranger, EMAIL).await, safe.begin(&stranger, "nobody@example.org").await];
    assert_eq!(again[0], again[1]);
    assert_eq!(again[0].0, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn a_stolen_database_has_no_share_no_address_no_code_and_no_token_in_clear() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    let entered = safe.log_in(&mut device, EMAIL).await;
    let user = entered["user"]["id"].as_str().unwrap();
    let shares = device.open(user, &entered["release"]);
    device.ask(&safe, "/wallet/v1/wallet", &device.wallet()).await;
    device.ask(&safe, "/wallet/v1/email/update", &json!({"email": "new@example.org"})).await;
    let mut secrets: Vec<String> = vec!["ada@".into(), "new@".into(), device.access.clone().unwrap()];
    secrets.push(entered["session"]["refresh"].as_str().unwrap().into());
    secrets.extend([&shares["device"], &shares["recovery"]].map(|share| share.as_str().unwrap().to_owned()));
    for mail in safe.mails().await {
        let text = mail["text"].as_str().unwrap().to_owned();
        secrets.extend(text.lines().find_map(|line| line.strip_prefix("    ")).map(|code| format!("|{code}|")));
        secrets.extend(text.split_once("?t=").map(|(_, token)| token.lines().next().unwrap().to_owned()));
    }
    let dump = safe.dump().await;
    assert!(dump.contains(user), "{dump}");
    for secret in secrets {
        assert!(!dump.contains(&secret), "{secret} is in {dump}");
    }
}

#[tokio::test]
async fn recovery_shares_are_released_only_so_often_in_an_hour() {
    let safe = Safe::with("releases_per_hour = 2\n").await;
    for email in ["a@example.org", "b@example.org"] {
        safe.log_in(&mut Device::new(), email).await;
    }
    let device = Device::new();
    let (_, started) = safe.begin(&device, "c@example.org").await;
    safe.approve(&safe.link().await).await;
    let body = json!({"transaction": started["transaction"], "code": safe.code().await, "key": device.worker_key()});
    let (status, _) = device.ask(&safe, "/wallet/v1/login/code", &body).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    safe.clock.pass(60 * 60_000);
    safe.log_in(&mut Device::new(), "d@example.org").await;
}

#[tokio::test]
async fn a_changed_or_missing_row_of_the_audit_log_is_found() {
    use portico_server::vault::{Broken, Root, verify_audit};
    let safe = Safe::new().await;
    safe.log_in(&mut Device::new(), EMAIL).await;
    let verify = async || {
        let root = Root::read(&safe.config.vault.root_key_file).unwrap();
        verify_audit(root, &safe.database).await
    };
    let head = verify().await.unwrap();
    assert_eq!(head.rows, 3);
    safe.tamper("update vault_audit set detail = 'other' where seq = 2").await;
    assert!(matches!(verify().await, Err(Broken::Row(2))));
    safe.tamper("delete from vault_audit where seq = 2").await;
    assert!(matches!(verify().await, Err(Broken::Row(3))));
    safe.tamper("delete from vault_audit where seq = 3").await;
    let shorter = verify().await.unwrap();
    assert_eq!(shorter.rows, 1);
    assert_ne!(shorter.hash, head.hash);
}

#[tokio::test]
async fn two_vaults_on_one_database_write_one_audit_log() {
    let mut safe = Safe::new().await;
    let first = safe.router.clone();
    safe.restart().await;
    let mut visitor = Device::new();
    safe.log_in(&mut visitor, EMAIL).await;
    assert_eq!(visitor.ask(&safe, "/wallet/v1/wallet", &visitor.wallet()).await.0, StatusCode::OK);
    let rows = async || {
        let root = portico_server::vault::Root::read(&safe.config.vault.root_key_file).unwrap();
        portico_server::vault::verify_audit(root, &safe.database).await.unwrap().rows
    };
    let before = rows().await;
    // Each unlocking is a row.
    let unlock = async |router: &axum::Router| {
        let body = json!({"key": visitor.worker_key()}).to_string();
        let path = "/wallet/v1/unlock";
        let mut request = axum::http::Request::post(path).header("portico-client", "203.0.113.9");
        for (name, value) in visitor.headers(&safe, path, &body) {
            request = request.header(name, value);
        }
        let request = request.body(axum::body::Body::from(body)).unwrap();
        tower::ServiceExt::oneshot(router.clone(), request).await.unwrap().status()
    };
    let both = (0..20).map(|turn| unlock(if turn % 2 == 0 { &first } else { &safe.router }));
    let told = futures_util::future::join_all(both).await;
    assert_eq!(told, [StatusCode::OK; 20]);
    assert_eq!(rows().await - before, 20, "no row is lost, and the chain is whole");
}
