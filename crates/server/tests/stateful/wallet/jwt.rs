//! Login by a host's own token: the vault checks it itself, and takes it once.

use super::logins::{logins, me};
use crate::support;
use axum::http::StatusCode;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use support::device::{Device, encode};
use support::wallet::{HOST, Safe};

/// Time of the vault's clock, in seconds.
const NOW: i64 = 1_700_000_000;

/// A host's server that signs tokens.
pub(super) struct Host {
    pair: EcdsaKeyPair,
    folder: tempfile::TempDir,
}

impl Host {
    pub(super) fn new() -> Host {
        let rng = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &rng).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &rng).unwrap();
        let host = Host { pair, folder: tempfile::tempdir().unwrap() };
        let point = &host.pair.public_key().as_ref()[1..];
        let key =
            json!({"kty": "EC", "crv": "P-256", "kid": "one", "x": encode(&point[..32]), "y": encode(&point[32..])});
        std::fs::write(host.file(), json!({"keys": [key]}).to_string()).unwrap();
        host
    }

    fn file(&self) -> std::path::PathBuf {
        self.folder.path().join("jwks.json")
    }

    /// An entry of the configuration.
    pub(super) fn entry(&self, issuer: &str, lines: &str) -> String {
        format!("[[wallet.jwt]]\nissuer = {issuer:?}\naudience = \"portico\"\njwks_file = {:?}\n{lines}", self.file())
    }

    async fn safe(&self) -> Safe {
        Safe::with(&self.entry("https://shop.example", "")).await
    }

    pub(super) fn claims(person: &str) -> Value {
        json!({"iss": "https://shop.example", "aud": "portico", "sub": person, "iat": NOW, "exp": NOW + 3600,
            "name": "Ada", "email": "ada@example.org", "email_verified": true})
    }

    pub(super) fn sign(&self, claims: &Value) -> String {
        self.sign_with(&json!({"alg": "ES256", "kid": "one"}), claims)
    }

    fn sign_with(&self, header: &Value, claims: &Value) -> String {
        let text = format!("{}.{}", encode(header.to_string()), encode(claims.to_string()));
        let signature = self.pair.sign(&SystemRandom::new(), text.as_bytes()).unwrap();
        format!("{text}.{}", encode(signature))
    }
}

async fn ask(safe: &Safe, device: &Device, token: &str) -> (StatusCode, Value) {
    let body = json!({"project": "demo", "host": HOST, "token": token, "key": device.worker_key()});
    device.ask(safe, "/wallet/v1/login/jwt", &body).await
}

pub(super) async fn log_in(safe: &Safe, device: &mut Device, token: &str) -> Value {
    let (status, entered) = ask(safe, device, token).await;
    assert_eq!(status, StatusCode::OK, "{entered}");
    device.access = Some(entered["session"]["access"].as_str().unwrap().into());
    entered
}

fn assert_refused((status, told): &(StatusCode, Value), what: &str) {
    assert_eq!((*status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &"token".into()), "{what}: {told}");
}

#[tokio::test]
async fn a_visitor_of_the_host_logs_in_by_its_token_and_has_one_wallet_on_all_devices() {
    let host = Host::new();
    let safe = host.safe().await;
    let (mut one, mut two) = (Device::new(), Device::new());
    let entered = log_in(&safe, &mut one, &host.sign(&Host::claims("7"))).await;
    let user = &entered["user"];
    assert_eq!(
        (&user["provider"], &user["name"], &user["email"]),
        (&"jwt".into(), &"Ada".into(), &"ada@example.org".into())
    );
    let shares = one.open(user["id"].as_str().unwrap(), &entered["release"]);
    assert!(shares["recovery"].is_string() && shares["device"].is_string());
    assert_eq!(one.ask(&safe, "/wallet/v1/wallet", &one.wallet()).await.0, StatusCode::OK);
    let mut later = Host::claims("7");
    later["jti"] = "2".into();
    let again = log_in(&safe, &mut two, &host.sign(&later)).await;
    assert_eq!((&again["user"]["id"], again["wallet"].is_object()), (&user["id"], true));
    let other = log_in(&safe, &mut Device::new(), &host.sign(&Host::claims("8"))).await;
    assert_ne!(other["user"]["id"], user["id"]);
    let dump = safe.dump().await;
    assert!(dump.contains("|jwt|") && !dump.contains("ada@example.org") && !dump.contains("shop.example/"), "{dump}");
}

#[tokio::test]
async fn a_token_logs_in_once_however_it_is_signed_and_also_after_a_restart_and_a_rotation() {
    let host = Host::new();
    let mut safe = host.safe().await;
    let claims = Host::claims("7");
    log_in(&safe, &mut Device::new(), &host.sign(&claims)).await;
    // A signature of ECDSA has many forms: it is not what makes a token another one.
    let again = host.sign(&claims);
    assert_refused(&ask(&safe, &Device::new(), &again).await, "the same claims, signed again");
    safe.restart().await;
    assert_refused(&ask(&safe, &Device::new(), &again).await, "after a restart");
    safe.rotate().await;
    assert_refused(&ask(&safe, &Device::new(), &again).await, "after a rotation");
}

#[tokio::test]
async fn a_token_that_is_not_of_now_or_not_for_this_server_is_refused() {
    let host = Host::new();
    let safe = host.safe().await;
    let device = Device::new();
    for (field, value) in [
        ("iss", json!("https://other.example")),
        ("iss", Value::Null),
        ("aud", json!("other")),
        ("aud", json!(["portico", "other"])),
        ("azp", json!("other")),
        ("exp", json!(NOW - 120)),
        ("exp", Value::Null),
        ("iat", Value::Null),
        ("iat", json!(NOW - 420)),
        ("iat", json!(NOW + 121)),
        ("iat", json!("now")),
        ("nbf", json!(NOW + 121)),
        ("sub", json!("")),
        ("sub", Value::Null),
        ("sub", json!("7".repeat(256))),
    ] {
        let mut claims = Host::claims("7");
        claims[field] = value.clone();
        assert_refused(&ask(&safe, &device, &host.sign(&claims)).await, &format!("{field} {value}"));
    }
    // At the last moment it is good.
    let mut claims = Host::claims("7");
    claims["iat"] = json!(NOW - 419);
    log_in(&safe, &mut Device::new(), &host.sign(&claims)).await;
}

#[tokio::test]
async fn a_token_whose_keys_cannot_be_fetched_is_not_refused_and_logs_in_once_they_can_be() {
    let host = Host::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    drop(listener);
    let closed = format!(
        "[[wallet.jwt]]\nissuer = \"https://shop.example\"\naudience = \"portico\"\njwks_url = \"http://{at}/keys\"\n"
    );
    // Another entry of the issuer, for which the token isn't.
    let other = host.entry("https://shop.example", "").replace("\"portico\"", "\"other\"");
    let safe = Safe::with(&[closed, other].concat()).await;
    let token = host.sign(&Host::claims("7"));
    let (status, told) = ask(&safe, &Device::new(), &token).await;
    let reason = &told["reasons"][0];
    assert_eq!((status, &reason["field"]), (StatusCode::BAD_GATEWAY, &"provider".into()), "{told}");
    assert!(told.to_string().contains("This login isn't available right now. Try again later."), "{told}");

    let keys = std::fs::read_to_string(host.file()).unwrap();
    let serve = axum::Router::new().route("/keys", axum::routing::get(|| async move { keys }));
    let listener = tokio::net::TcpListener::bind(at).await.unwrap();
    tokio::spawn(async move { axum::serve(listener, serve).await });
    assert_eq!(ask(&safe, &Device::new(), &token).await.0, StatusCode::BAD_GATEWAY, "asked too soon");
    safe.clock.pass(10_000);
    log_in(&safe, &mut Device::new(), &token).await;
}

#[tokio::test]
async fn a_token_that_no_key_of_the_issuer_signed_is_refused() {
    let host = Host::new();
    let safe = host.safe().await;
    let device = Device::new();
    let claims = Host::claims("7");
    let [header, body, signature] =
        <[String; 3]>::try_from(host.sign(&claims).split('.').map(String::from).collect::<Vec<_>>()).unwrap();
    let none = encode(json!({"alg": "none"}).to_string());
    let shared = encode(json!({"alg": "HS256", "kid": "one"}).to_string());
    let other = encode(Host::claims("8").to_string());
    for (token, what) in [
        (String::new(), "nothing"),
        ("a.b.c".into(), "no JSON"),
        (format!("{none}.{body}."), "none"),
        (format!("{none}.{body}.{signature}"), "none with a signature"),
        (format!("{shared}.{body}.{signature}"), "a shared secret"),
        (format!("{header}.{other}.{signature}"), "other claims"),
        (format!("{header}.{body}.{}", encode([0; 64])), "no signature"),
        (Host::new().sign(&claims), "another key with this id"),
        (host.sign_with(&json!({"alg": "ES256", "kid": "two"}), &claims), "an id that the set does not have"),
        (host.sign_with(&json!({"alg": "ES256", "kid": "one", "crit": ["x"]}), &claims), "an extension"),
    ] {
        assert_refused(&ask(&safe, &device, &token).await, what);
    }
    // None of them used the token up.
    log_in(&safe, &mut Device::new(), &format!("{header}.{body}.{signature}")).await;
}

#[tokio::test]
async fn an_issuer_whose_tokens_are_for_one_project_logs_nobody_in_on_another_ones_pages() {
    let host = Host::new();
    let safe = Safe::with(&host.entry("https://shop.example", "project = \"shop\"\n")).await;
    let token = host.sign(&Host::claims("7"));
    assert_refused(&ask(&safe, &Device::new(), &token).await, "another project");
    let device = Device::new();
    let body = json!({"project": "shop", "host": HOST, "token": token, "key": device.worker_key()});
    assert_eq!(device.ask(&safe, "/wallet/v1/login/jwt", &body).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_person_is_known_by_issuer_and_claim_and_by_no_address() {
    let host = Host::new();
    let entries =
        [host.entry("https://shop.example", ""), host.entry("https://bank.example", "subject = \"customer\"\n")];
    let safe = Safe::with(&entries.concat()).await;
    let by_mail = safe.log_in(&mut Device::new(), "ada@example.org").await;
    let shop = log_in(&safe, &mut Device::new(), &host.sign(&Host::claims("7"))).await;
    let mut claims = Host::claims("of no meaning");
    claims["iss"] = "https://bank.example".into();
    claims["customer"] = "7".into();
    let bank = log_in(&safe, &mut Device::new(), &host.sign(&claims)).await;
    claims["sub"] = "still of no meaning".into();
    let again = log_in(&safe, &mut Device::new(), &host.sign(&claims)).await;
    assert_eq!(again["user"]["id"], bank["user"]["id"]);
    let ids = [&by_mail, &shop, &bank].map(|entered| entered["user"]["id"].as_str().unwrap());
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2], "{ids:?}");
}

#[tokio::test]
async fn a_server_without_an_issuer_knows_no_such_login() {
    let safe = Safe::new().await;
    let (status, told) = ask(&safe, &Device::new(), &Host::new().sign(&Host::claims("7"))).await;
    assert_eq!(
        (status, &told["reasons"][0]["description"]),
        (StatusCode::BAD_REQUEST, &"This login isn't set up here".into())
    );
}

/// Adds the login of a token to the wallet of a device.
async fn link(safe: &Safe, device: &Device, token: &str) -> (StatusCode, Value) {
    device.ask(safe, "/wallet/v1/login/link/jwt", &json!({"project": "demo", "host": HOST, "token": token})).await
}

#[tokio::test]
async fn a_token_adds_the_login_of_the_site_to_a_wallet_after_a_confirmation_and_once() {
    let host = Host::new();
    let safe = host.safe().await;
    let mut device = Device::new();
    let user = safe.log_in(&mut device, "ada@shop.example").await["user"]["id"].clone();
    assert_eq!(device.ask(&safe, "/wallet/v1/wallet", &device.wallet()).await.0, StatusCode::OK);
    let token = |person: &str, id: &str| {
        let mut claims = Host::claims(person);
        claims["jti"] = id.into();
        host.sign(&claims)
    };
    let first = token("7", "1");
    let (status, told) = link(&safe, &device, &first).await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &"confirm".into()), "{told}");
    safe.confirm(&device).await;
    let (status, told) = link(&safe, &device, &first).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    assert_eq!(logins(&told), [("email", "ada@shop.example"), ("jwt", "Ada")]);
    assert_eq!(told["services"], json!([{"id": "jwt", "name": null}]));
    assert_refused(&link(&safe, &device, &first).await, "a token that was used");
    assert_refused(&ask(&safe, &Device::new(), &first).await, "for a login too");
    assert_eq!(log_in(&safe, &mut Device::new(), &token("7", "2")).await["user"]["id"], user);

    // Somebody of the site who has a wallet keeps it.
    let owner = log_in(&safe, &mut Device::new(), &token("8", "3")).await["user"]["id"].clone();
    let (status, told) = link(&safe, &device, &token("8", "4")).await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::CONFLICT, &"login".into()), "{told}");
    assert_eq!(log_in(&safe, &mut Device::new(), &token("8", "5")).await["user"]["id"], owner);
    assert_eq!(me(&safe, &device).await["logins"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_login_of_a_site_without_tokens_is_not_added() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    safe.log_in(&mut device, "ada@shop.example").await;
    assert_eq!(device.ask(&safe, "/wallet/v1/wallet", &device.wallet()).await.0, StatusCode::OK);
    safe.confirm(&device).await;
    let (status, told) = link(&safe, &device, "a.b.c").await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::BAD_REQUEST, &"provider".into()), "{told}");
}

#[tokio::test]
async fn a_login_by_a_token_confirms_other_changes_but_not_another_login_of_a_site() {
    let host = Host::new();
    let safe = host.safe().await;
    let mut device = Device::new();
    let token = |person: &str, id: &str| {
        let mut claims = Host::claims(person);
        claims["jti"] = id.into();
        claims["email"] = Value::Null;
        host.sign(&claims)
    };
    let entered = log_in(&safe, &mut device, &token("7", "1")).await;
    assert_eq!(entered["user"]["email"], Value::Null);
    assert_eq!(device.ask(&safe, "/wallet/v1/wallet", &device.wallet()).await.0, StatusCode::OK);
    let (status, told) = link(&safe, &device, &token("8", "2")).await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &"confirm".into()), "{told}");
    let (status, told) = device.ask(&safe, "/wallet/v1/login/unlink", &json!({"id": "email"})).await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::CONFLICT, &"login".into()), "{told}");
    // The refused token is unused, so it still logs in a visitor of its own.
    let other = log_in(&safe, &mut Device::new(), &token("8", "2")).await;
    assert_ne!(other["user"]["id"], entered["user"]["id"]);
}

#[tokio::test]
async fn whoever_has_the_signing_key_of_a_site_opens_wallets_with_recovery_by_login_and_no_others() {
    let host = Host::new();
    let safe = host.safe().await;
    let token = |id: &str| {
        let mut claims = Host::claims("7");
        claims["jti"] = id.into();
        claims["email"] = Value::Null;
        host.sign(&claims)
    };
    let mut owner = Device::new();
    let entered = log_in(&safe, &mut owner, &token("1")).await;
    let user = entered["user"]["id"].as_str().unwrap();
    assert_eq!(owner.ask(&safe, "/wallet/v1/wallet", &owner.wallet()).await.0, StatusCode::OK);
    let mut thief = Device::new();
    let stolen = log_in(&safe, &mut thief, &token("2")).await;
    let recovery = &owner.open(user, &entered["release"])["recovery"];
    assert_eq!(&thief.open(user, &stolen["release"])["recovery"], recovery, "assisted: the thief opens the wallet");

    let kit = json!({"id": encode([1; 16]), "kind": "kit", "wrapped": encode([2; 72]), "created": 0});
    let (status, told) = owner.ask(&safe, "/wallet/v1/slot", &json!({"slot": kit})).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    let slots = told["slots"].as_array().unwrap();
    let id = &slots.iter().find(|slot| slot["kind"] == "recovery").unwrap()["id"];
    assert_eq!(owner.ask(&safe, "/wallet/v1/slot/remove", &json!({"id": id})).await.0, StatusCode::OK);
    let mut thief = Device::new();
    let stolen = log_in(&safe, &mut thief, &token("3")).await;
    assert_eq!(stolen["user"]["id"], user);
    assert!(thief.open(user, &stolen["release"])["recovery"].is_null());
    let kinds: Vec<&Value> = stolen["wallet"]["slots"].as_array().unwrap().iter().map(|slot| &slot["kind"]).collect();
    assert_eq!(kinds, ["kit"], "only you: what is left opens with the kit alone");
}
