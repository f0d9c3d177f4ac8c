//! Logins at other services, with a service that signs what each test wants.

use crate::support;
use axum::extract::{RawForm, State};
use axum::http::{StatusCode, Uri};
use axum::{Json, Router};
use reqwest::Url;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use support::device::{Device, encode};
use support::wallet::{HOST, ORIGIN, Safe};

/// An OpenID provider: who logs in, and the codes that were redeemed.
pub(super) struct Service {
    pair: EcdsaKeyPair,
    url: Url,
    /// Id of the person, and the nonce that the token carries.
    person: Mutex<(String, String)>,
    redeemed: Mutex<Vec<HashMap<String, String>>>,
}

impl Service {
    pub(super) async fn start() -> Arc<Service> {
        let rng = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &rng).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &rng).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let service = Arc::new(Service { pair, url, person: Mutex::default(), redeemed: Mutex::default() });
        let answer = async |State(service): State<Arc<Service>>, uri: Uri, RawForm(form): RawForm| match uri.path() {
            "/token" => {
                let form = Url::parse(&format!("form:?{}", String::from_utf8(form.to_vec()).unwrap())).unwrap();
                service.redeemed.lock().unwrap().push(form.query_pairs().into_owned().collect());
                Json(json!({"id_token": service.token()}))
            }
            _ => Json(json!({"keys": [service.key()]})),
        };
        let method = axum::routing::get(answer).post(answer);
        let router = Router::new().fallback(method).with_state(service.clone());
        tokio::spawn(axum::serve(listener, router).into_future());
        service
    }

    fn key(&self) -> Value {
        let point = &self.pair.public_key().as_ref()[1..];
        json!({"kty": "EC", "crv": "P-256", "kid": "one", "x": encode(&point[..32]), "y": encode(&point[32..])})
    }

    fn token(&self) -> String {
        let (person, nonce) = self.person.lock().unwrap().clone();
        let claims = json!({"iss": self.url.origin().ascii_serialization(), "aud": "client", "sub": person, "nonce": nonce,
            "exp": 1_700_000_600, "iat": 1_700_000_000, "name": "Ada", "email": "ada@example.org", "email_verified": true});
        let text =
            format!("{}.{}", encode(json!({"alg": "ES256", "kid": "one"}).to_string()), encode(claims.to_string()));
        let signature = self.pair.sign(&SystemRandom::new(), text.as_bytes()).unwrap();
        format!("{text}.{}", encode(signature))
    }

    pub(super) fn be(&self, person: &str, page: &HashMap<String, String>) {
        *self.person.lock().unwrap() = (person.into(), page["nonce"].clone());
    }
}

pub(super) async fn safe(service: &Service) -> Safe {
    let host = service.url.as_str();
    Safe::with(&format!(
        "[wallet.social.google]\nclient_id = \"client\"\nclient_secret = \"secret\"\nhost = {host:?}\n"
    ))
    .await
}

async fn begin(safe: &Safe, device: &Device, provider: &str) -> (StatusCode, Value) {
    let body = json!({"provider": provider, "project": "demo", "host": HOST});
    device.ask(safe, "/wallet/v1/login/social", &body).await
}

/// A login that begins: its transaction, and the query of the service's page.
async fn begun(safe: &Safe, device: &Device) -> (String, HashMap<String, String>) {
    let (status, started) = begin(safe, device, "google").await;
    assert_eq!(status, StatusCode::OK, "{started}");
    let page = Url::parse(started["uri"].as_str().unwrap()).unwrap();
    (started["transaction"].as_str().unwrap().into(), page.query_pairs().into_owned().collect())
}

pub(super) async fn back(safe: &Safe, provider: &str, state: &str, code: Option<&str>) -> (StatusCode, Value) {
    let body = json!({"provider": provider, "state": state, "code": code}).to_string();
    safe.send("/social/back", &[], &body).await
}

/// The question to a visitor who comes back from this address.
async fn asked_at(safe: &Safe, service: &Service, device: &Device, person: &str, address: &str) -> Value {
    let (_, page) = begun(safe, device).await;
    service.be(person, &page);
    let body = json!({"provider": "google", "state": page["state"], "code": "c"}).to_string();
    let (status, handed) = safe.send("/social/back", &[("portico-client", address.into())], &body).await;
    assert_eq!((status, handed["code"].is_string()), (StatusCode::OK, true), "{handed}");
    handed["question"].clone()
}

#[tokio::test]
async fn a_visitor_is_asked_about_a_login_that_began_elsewhere_or_on_a_device_that_their_wallet_does_not_know() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let (mut own, other) = (Device::new(), Device::new());
    // A new visitor in the browser in which the login began.
    assert_eq!(asked_at(&safe, &service, &own, "7", "203.0.113.200").await, Value::Null);
    // A page sends them to the service with a login of its owner's device.
    let question = asked_at(&safe, &service, &other, "7", "198.51.100.1").await;
    let told = json!({"deed": "elsewhere", "host": HOST, "browser": "Firefox on Linux", "place": "203.0.113.x"});
    for (name, value) in told.as_object().unwrap() {
        assert_eq!(&question[name], value, "{question}");
    }
    log_in(&safe, &service, &mut own, "7").await;
    assert_eq!(own.ask(&safe, "/wallet/v1/wallet", &own.wallet()).await.0, StatusCode::OK);
    assert_eq!(asked_at(&safe, &service, &own, "7", "203.0.113.9").await, Value::Null);
    assert_eq!(asked_at(&safe, &service, &own, "7", "198.51.100.1").await["deed"], "elsewhere");
    assert_eq!(asked_at(&safe, &service, &other, "7", "203.0.113.9").await["deed"], "device");
    assert_eq!(asked_at(&safe, &service, &other, "8", "203.0.113.9").await, Value::Null, "somebody without a wallet");
}

async fn finish(safe: &Safe, device: &Device, transaction: &str, code: &str) -> (StatusCode, Value) {
    let body = json!({"transaction": transaction, "code": code, "key": device.worker_key()});
    device.ask(safe, "/wallet/v1/login/social/finish", &body).await
}

/// Logs a person in on a device.
pub(super) async fn log_in(safe: &Safe, service: &Service, device: &mut Device, person: &str) -> Value {
    let (transaction, page) = begun(safe, device).await;
    service.be(person, &page);
    let (status, handed) = back(safe, "google", &page["state"], Some("their-code")).await;
    assert_eq!((status, handed["host"].as_str()), (StatusCode::OK, Some(HOST)), "{handed}");
    let (status, entered) = finish(safe, device, &transaction, handed["code"].as_str().unwrap()).await;
    assert_eq!(status, StatusCode::OK, "{entered}");
    device.access = Some(entered["session"]["access"].as_str().unwrap().into());
    entered
}

#[tokio::test]
async fn spec_7_17_and_7_18_a_person_logs_in_at_a_service_and_has_one_wallet_on_all_devices() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let (mut one, mut two) = (Device::new(), Device::new());
    let entered = log_in(&safe, &service, &mut one, "7").await;
    let user = &entered["user"];
    assert_eq!(
        (&user["provider"], &user["name"], &user["email"]),
        (&"google".into(), &"Ada".into(), &"ada@example.org".into())
    );
    assert!(entered["wallet"].is_null());
    let shares = one.open(user["id"].as_str().unwrap(), &entered["release"]);
    assert!(shares["recovery"].is_string() && shares["device"].is_string());
    let form = service.redeemed.lock().unwrap()[0].clone();
    assert_eq!((form["code"].as_str(), form["client_secret"].as_str()), ("their-code", "secret"));
    assert_eq!(form["redirect_uri"], format!("{ORIGIN}/wallet/callback/google"));
    let (status, _) = one.ask(&safe, "/wallet/v1/wallet", &one.wallet()).await;
    assert!(status.is_success());
    let again = log_in(&safe, &service, &mut two, "7").await;
    assert_eq!((&again["user"]["id"], again["wallet"].is_object()), (&user["id"], true));
    let other = log_in(&safe, &service, &mut Device::new(), "8").await;
    assert_ne!(other["user"]["id"], user["id"]);
}

#[tokio::test]
async fn a_person_is_found_again_after_rotations_of_the_root_key() {
    let service = Service::start().await;
    let mut safe = safe(&service).await;
    let mut device = Device::new();
    let first = log_in(&safe, &service, &mut device, "7").await;
    assert_eq!(device.ask(&safe, "/wallet/v1/wallet", &device.wallet()).await.0, StatusCode::OK);
    for _ in 0..2 {
        safe.tamper("delete from vault_slot where kind = 'recovery'").await;
        safe.rotate().await;
        let again = log_in(&safe, &service, &mut Device::new(), "7").await;
        assert_eq!(again["user"], first["user"]);
        let other = log_in(&safe, &service, &mut Device::new(), "8").await;
        assert_ne!(other["user"]["id"], first["user"]["id"]);
    }
}

#[tokio::test]
async fn an_address_that_a_service_names_opens_nobodys_wallet() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let by_mail = safe.log_in(&mut Device::new(), "ada@example.org").await;
    let by_service = log_in(&safe, &service, &mut Device::new(), "7").await;
    assert_eq!(by_mail["user"]["email"], by_service["user"]["email"]);
    assert_ne!(by_mail["user"]["id"], by_service["user"]["id"]);
    // And the other way round: the address of a person at a service is no login by mail to that person's wallet.
    safe.clock.pass(30_000);
    let again = safe.log_in(&mut Device::new(), "ada@example.org").await;
    assert_eq!(again["user"]["id"], by_mail["user"]["id"]);
}

#[tokio::test]
async fn a_login_is_finished_once_by_the_device_that_began_it_with_the_code_of_its_own_return() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let (device, thief) = (Device::new(), Device::new());
    let (transaction, page) = begun(&safe, &device).await;
    // Not before the return, and not with the state of the service as a code.
    assert_eq!(finish(&safe, &device, &transaction, &page["state"]).await.0, StatusCode::GONE);
    service.be("7", &page);
    // A state belongs to its service, and a made-up one to nobody.
    assert_eq!(back(&safe, "github", &page["state"], Some("c")).await.0, StatusCode::GONE);
    assert_eq!(back(&safe, "google", &encode([7; 32]), Some("c")).await.0, StatusCode::GONE);
    let (_, handed) = back(&safe, "google", &page["state"], Some("c")).await;
    let code = handed["code"].as_str().unwrap();
    assert_eq!(back(&safe, "google", &page["state"], Some("c")).await.0, StatusCode::GONE, "the state was used");
    // The code is worthless on another device, and the device's own login is not ended by the attempt.
    assert_eq!(finish(&safe, &thief, &transaction, code).await.0, StatusCode::GONE);
    let (other, _) = begun(&safe, &thief).await;
    assert_eq!(finish(&safe, &thief, &other, code).await.0, StatusCode::GONE);
    assert_eq!(finish(&safe, &device, &transaction, code).await.0, StatusCode::OK);
    assert_eq!(finish(&safe, &device, &transaction, code).await.0, StatusCode::GONE);
}

#[tokio::test]
async fn a_wrong_code_ends_the_login_and_so_does_time() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let device = Device::new();
    let (transaction, page) = begun(&safe, &device).await;
    service.be("7", &page);
    let (_, handed) = back(&safe, "google", &page["state"], Some("c")).await;
    assert_eq!(finish(&safe, &device, &transaction, &encode([1; 32])).await.0, StatusCode::GONE);
    assert_eq!(finish(&safe, &device, &transaction, handed["code"].as_str().unwrap()).await.0, StatusCode::GONE);

    let (_, page) = begun(&safe, &device).await;
    service.be("7", &page);
    safe.clock.pass(10 * 60_000);
    assert_eq!(back(&safe, "google", &page["state"], Some("c")).await.0, StatusCode::GONE);
}

#[tokio::test]
async fn a_token_of_another_login_is_refused() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let (victim, attacker) = (Device::new(), Device::new());
    let (_, theirs) = begun(&safe, &victim).await;
    let (transaction, own) = begun(&safe, &attacker).await;
    // The attacker redeems a code of the service that was meant for the victim's login: the token carries the victim's nonce.
    service.be("victim", &theirs);
    let (status, told) = back(&safe, "google", &own["state"], Some("stolen")).await;
    assert_eq!(status, StatusCode::GONE, "{told}");
    assert_eq!(finish(&safe, &attacker, &transaction, &encode([1; 32])).await.0, StatusCode::GONE);
}

#[tokio::test]
async fn a_refused_login_hands_no_code_and_an_unknown_service_is_none() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let device = Device::new();
    let (_, page) = begun(&safe, &device).await;
    let (status, handed) = back(&safe, "google", &page["state"], None).await;
    assert_eq!((status, handed["code"].is_null()), (StatusCode::OK, true));
    for word in ["github", "openid", "", "../google"] {
        let (status, told) = begin(&safe, &device, word).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{told}");
        assert_eq!(told["reasons"][0]["description"], "This login isn't set up here");
    }
}

#[tokio::test]
async fn a_visitor_is_sent_back_to_pages_of_the_host_alone() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    let device = Device::new();
    let evil = HOST.replacen("://", "://evil.example@", 1);
    for page in ["https://evil.example/", &format!("{HOST}.evil.example/"), &evil, "javascript:alert(1)", "/cart", ""] {
        let body = json!({"provider": "google", "project": "demo", "host": HOST, "back": page});
        let (status, told) = device.ask(&safe, "/wallet/v1/login/social", &body).await;
        assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::BAD_REQUEST, &"back".into()), "{page}");
    }
    let page = format!("{HOST}/cart?a=b#c");
    let body = json!({"provider": "google", "project": "demo", "host": HOST, "back": page});
    let (_, started) = device.ask(&safe, "/wallet/v1/login/social", &body).await;
    let query: HashMap<_, _> =
        Url::parse(started["uri"].as_str().unwrap()).unwrap().query_pairs().into_owned().collect();
    let (_, handed) = back(&safe, "google", &query["state"], None).await;
    assert_eq!(handed["back"], page);
}

#[tokio::test]
async fn the_database_names_no_person_and_keeps_no_verifier() {
    let service = Service::start().await;
    let safe = safe(&service).await;
    log_in(&safe, &service, &mut Device::new(), "person-7").await;
    let verifier = service.redeemed.lock().unwrap()[0]["code_verifier"].clone();
    let dump = safe.dump().await;
    assert!(dump.contains("|google|"), "{dump}");
    for secret in ["person-7", "ada@example.org", "their-code", &verifier] {
        assert!(!dump.contains(secret), "{secret} is in {dump}");
    }
}
