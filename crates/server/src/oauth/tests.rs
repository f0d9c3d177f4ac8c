//! Logins at a service that answers as each test wants, over real sockets; its tokens are signed with a real key.

use super::{AppleKey, Binding, Expected, KeySet, LoginFault, Provider, Start, encode, verify};
use crate::config::Secret;
use crate::outbound::http_client;
use axum::extract::{RawForm, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::routing::{get, post};
use axum::{Json, Router};
use reqwest::{Client, Url};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

const NOW: i64 = 1_800_000_000_000;
const SECONDS: i64 = NOW / 1000;
const REDIRECT: &str = "https://wallet.example.org/wallet/callback/google";

/// The service: what it answers, and what it was asked.
struct Service {
    pair: EcdsaKeyPair,
    said: Mutex<HashMap<&'static str, (StatusCode, Value)>>,
    asked: Mutex<Vec<(String, HeaderMap, String)>>,
}

type Shared = State<Arc<Service>>;

impl Service {
    async fn start() -> (Arc<Service>, Url) {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let service = Arc::new(Service { pair: pair(key.as_ref()), said: Mutex::default(), asked: Mutex::default() });
        service.say("/oauth2/v3/certs", json!({"keys": [service.key("one")]}));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let answer = async |State(service): Shared, uri: Uri, headers: HeaderMap, RawForm(body): RawForm| {
            let body = String::from_utf8(body.to_vec()).unwrap();
            service.asked.lock().unwrap().push((uri.path().to_owned(), headers, body));
            let said = service.said.lock().unwrap().get(uri.path()).cloned();
            let (status, body) = said.unwrap_or((StatusCode::NOT_FOUND, Value::Null));
            (status, Json(body))
        };
        let router = Router::new().fallback(get(answer).merge(post(answer))).with_state(service.clone());
        tokio::spawn(axum::serve(listener, router).into_future());
        (service, url)
    }

    fn say(&self, path: &'static str, body: Value) {
        self.said.lock().unwrap().insert(path, (StatusCode::OK, body));
    }

    fn fail(&self, path: &'static str, status: u16, body: Value) {
        self.said.lock().unwrap().insert(path, (StatusCode::from_u16(status).unwrap(), body));
    }

    fn asked(&self, path: &str) -> Vec<(HeaderMap, HashMap<String, String>)> {
        let asked = self.asked.lock().unwrap();
        let of = asked.iter().filter(|(at, _, _)| at == path);
        of.map(|(_, headers, body)| (headers.clone(), pairs(&format!("form:?{body}")))).collect()
    }

    fn key(&self, id: &str) -> Value {
        let point = self.pair.public_key().as_ref();
        json!({"kty": "EC", "crv": "P-256", "kid": id, "use": "sig", "x": encode(&point[1..33]), "y": encode(&point[33..])})
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        let text = format!("{}.{}", encode(header.to_string()), encode(claims.to_string()));
        let signature = self.pair.sign(&SystemRandom::new(), text.as_bytes()).unwrap();
        format!("{text}.{}", encode(signature))
    }
}

fn pair(key: &[u8]) -> EcdsaKeyPair {
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, key, &SystemRandom::new()).unwrap()
}

fn pairs(url: &str) -> HashMap<String, String> {
    Url::parse(url).unwrap().query_pairs().into_owned().collect()
}

fn client() -> Client {
    http_client(false).unwrap()
}

fn start() -> Start {
    Start::stored("device", "login", "state".into(), "verifier".into())
}

fn secret() -> Secret {
    Secret::new("shared-secret".into())
}

fn claims(issuer: &Url) -> Value {
    json!({"iss": issuer.origin().ascii_serialization(), "aud": "client", "sub": "7", "exp": SECONDS + 600, "iat": SECONDS,
        "nonce": start().nonce, "name": "Ada", "email": "ada@example.org", "email_verified": true})
}

fn known(word: &str, url: &Url) -> Provider {
    Provider::known(word, "client".into(), secret(), Some(url)).unwrap()
}

#[tokio::test]
async fn the_page_of_a_service_is_asked_with_pkce_state_and_nonce() {
    let (_, url) = Service::start().await;
    let asked = start();
    let page = known("google", &url).page(&client(), REDIRECT, &asked).await.unwrap();
    assert_eq!(page.path(), "/o/oauth2/v2/auth");
    let query = pairs(page.as_str());
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", "client"),
        ("redirect_uri", REDIRECT),
        ("scope", "openid email profile"),
        ("state", "state"),
        ("nonce", asked.nonce.as_str()),
        ("code_challenge_method", "S256"),
    ] {
        assert_eq!(query.get(name).map(String::as_str), Some(value), "{name}");
    }
    assert_eq!(query["code_challenge"], asked.challenge());
    assert!(!page.as_str().contains("verifier") && !page.as_str().contains("shared-secret"), "{page}");
    // Without a host of its own, the page is the service's.
    for (word, host) in [
        ("google", "accounts.google.com"),
        ("apple", "appleid.apple.com"),
        ("github", "github.com"),
        ("facebook", "www.facebook.com"),
        ("x", "x.com"),
        ("discord", "discord.com"),
    ] {
        let provider = Provider::known(word, "client".into(), secret(), None).unwrap();
        let page = provider.page(&client(), REDIRECT, &asked).await.unwrap();
        assert_eq!((page.scheme(), page.host_str()), ("https", Some(host)));
        assert_eq!(pairs(page.as_str()).contains_key("nonce"), matches!(word, "google" | "apple"), "{word}");
    }
    assert!(Provider::known("myspace", "client".into(), secret(), None).is_none());
}

#[tokio::test]
async fn a_code_becomes_the_person_whom_the_id_token_names() {
    let (service, url) = Service::start().await;
    let token = service.sign(&json!({"alg": "ES256", "kid": "one"}), &claims(&url));
    service.say("/token", json!({"id_token": token, "access_token": "a"}));
    let found = known("google", &url).identify(&client(), REDIRECT, "code", &start(), NOW).await.unwrap();
    assert_eq!((found.provider.as_str(), found.subject.as_str()), ("google", "7"));
    assert_eq!((found.name.as_deref(), found.email.as_deref()), (Some("Ada"), Some("ada@example.org")));
    let (_, form) = &service.asked("/token")[0];
    for (name, value) in [
        ("grant_type", "authorization_code"),
        ("code", "code"),
        ("redirect_uri", REDIRECT),
        ("code_verifier", "verifier"),
        ("client_id", "client"),
        ("client_secret", "shared-secret"),
    ] {
        assert_eq!(form.get(name).map(String::as_str), Some(value), "{name}");
    }
}

fn expected<'a>(issuer: &'a str, nonce: &'a str, now: i64) -> Expected<'a> {
    Expected { service: "google", issuer, audience: "client", subject: "sub", binding: Binding::Nonce(nonce), now }
}

#[tokio::test]
async fn a_token_that_is_not_for_this_login_is_refused() {
    let (service, url) = Service::start().await;
    let keys = KeySet::new(url.join("/oauth2/v3/certs").unwrap());
    let (issuer, nonce) = (url.origin().ascii_serialization(), start().nonce);
    let (client, header, good) = (client(), json!({"alg": "ES256", "kid": "one"}), claims(&url));
    let expected = expected(&issuer, &nonce, NOW);
    let check = async |token: String| verify(&client, &keys, &token, &expected).await;
    let right = service.sign(&header, &good);
    assert!(check(right.clone()).await.is_ok());
    for (field, value) in [
        ("iss", json!("https://other.example")),
        ("iss", json!(null)),
        ("aud", json!("other")),
        ("aud", json!(["client", "other"])),
        ("aud", json!([])),
        ("azp", json!("other")),
        ("exp", json!(SECONDS - 121)),
        ("exp", json!("soon")),
        ("exp", json!(null)),
        ("iat", json!(SECONDS + 121)),
        ("nbf", json!(SECONDS + 121)),
        ("nonce", json!("other")),
        ("nonce", json!(null)),
        ("sub", json!("")),
        ("sub", json!("7".repeat(256))),
        ("sub", json!(7)),
    ] {
        let mut wrong = good.clone();
        wrong[field] = value.clone();
        let told = check(service.sign(&header, &wrong)).await;
        assert!(matches!(told, Err(LoginFault::Token(..))), "{field} {value}");
    }
    let mut among = good.clone();
    among["aud"] = json!(["client", "other"]);
    among["azp"] = json!("client");
    assert!(check(service.sign(&header, &among)).await.is_ok());
    let [head, body, signature] = <[&str; 3]>::try_from(right.split('.').collect::<Vec<_>>()).unwrap();
    let none = encode(json!({"alg": "none"}).to_string());
    let shared = encode(json!({"alg": "HS256", "kid": "one"}).to_string());
    let other = encode(json!({"alg": "RS256", "kid": "one"}).to_string());
    let forged = encode(good.to_string().replace("\"7\"", "\"8\""));
    for token in [
        String::new(),
        "..".into(),
        format!("{none}.{body}."),
        format!("{shared}.{body}.{signature}"),
        format!("{other}.{body}.{signature}"),
        format!("{head}.{forged}.{signature}"),
        format!("{head}.{body}.{}", encode([0; 64])),
        service.sign(&json!({"alg": "ES256", "kid": "one", "crit": ["b64"], "b64": false}), &good),
        format!("{head}.{}.{signature}", "A".repeat(20_000)),
    ] {
        assert!(matches!(check(token.clone()).await, Err(LoginFault::Token(..))), "{token}");
    }
}

#[tokio::test]
async fn a_new_key_of_a_service_is_fetched_and_made_up_ids_are_not_fetched_again_and_again() {
    let (service, url) = Service::start().await;
    let keys = KeySet::new(url.join("/oauth2/v3/certs").unwrap());
    let (issuer, nonce, client) = (url.origin().ascii_serialization(), start().nonce, client());
    let check = async |id: &str, now: i64| {
        let mut claims = claims(&url);
        claims["exp"] = json!(now / 1000 + 60);
        let token = service.sign(&json!({"alg": "ES256", "kid": id}), &claims);
        verify(&client, &keys, &token, &expected(&issuer, &nonce, now)).await.is_ok()
    };
    let fetched = || service.asked("/oauth2/v3/certs").len();
    assert!(check("one", NOW).await && check("one", NOW).await);
    assert_eq!(fetched(), 1);
    for _ in 0..20 {
        assert!(!check("made up", NOW + 1_000).await);
    }
    assert_eq!(fetched(), 1);
    service.say("/oauth2/v3/certs", json!({"keys": [service.key("two")]}));
    assert!(check("two", NOW + 60_000).await);
    assert!(!check("one", NOW + 61_000).await, "a key that the service withdrew");
    assert_eq!(fetched(), 2);
    let hour = 3_600_000;
    let renewed = NOW + 60_000 + hour;
    assert!(check("two", renewed).await);
    assert_eq!(fetched(), 3);
    // While the address fails, the keys count for a second hour and no longer.
    service.fail("/oauth2/v3/certs", 500, Value::Null);
    assert!(check("two", renewed + hour).await);
    assert!(check("two", renewed + hour + 1_000).await, "asked again after a minute at the earliest");
    assert_eq!(fetched(), 4);
    assert!(!check("two", renewed + 2 * hour).await);
    service.say("/oauth2/v3/certs", json!({"keys": [service.key("two")]}));
    assert!(!check("two", renewed + 2 * hour + 9_999).await);
    assert!(check("two", renewed + 2 * hour + 10_000).await, "asked again ten seconds after a failure");
}

#[tokio::test]
async fn a_service_without_id_tokens_is_asked_for_the_profile() {
    let (service, url) = Service::start().await;
    service.say("/login/oauth/access_token", json!({"access_token": "a", "token_type": "bearer"}));
    service.say("/user", json!({"id": 7, "login": "ada"}));
    service.say("/user/emails", json!([{"email": "ada@example.org", "primary": true, "verified": true}]));
    let found = known("github", &url).identify(&client(), REDIRECT, "code", &start(), NOW).await.unwrap();
    assert_eq!((found.subject.as_str(), found.email.as_deref()), ("7", Some("ada@example.org")));
    assert_eq!(service.asked("/user")[0].0["authorization"], "Bearer a");

    service.say("/2/oauth2/token", json!({"access_token": "b"}));
    service.say("/2/users/me", json!({"data": {"id": "8", "username": "bob"}}));
    let found = known("x", &url).identify(&client(), REDIRECT, "code", &start(), NOW).await.unwrap();
    assert_eq!((found.provider.as_str(), found.subject.as_str()), ("x", "8"));
    let (headers, form) = &service.asked("/2/oauth2/token")[0];
    assert_eq!(headers["authorization"], "Basic Y2xpZW50OnNoYXJlZC1zZWNyZXQ=");
    assert!(!form.contains_key("client_secret"));
}

#[tokio::test]
async fn what_a_service_refuses_or_says_wrongly_is_a_fault_without_a_secret_in_it() {
    let (service, url) = Service::start().await;
    let github = known("github", &url);
    let login = async || github.identify(&client(), REDIRECT, "the-code", &start(), NOW).await.unwrap_err();
    let path = "/login/oauth/access_token";
    service.say(path, json!({"error": "bad_verification_code"}));
    assert_eq!(login().await, LoginFault::Code("github".into()));
    service.say(path, json!({"error": "incorrect_client_credentials"}));
    assert!(login().await.to_string().contains("client id and secret"));
    for (status, body) in [(500, json!({})), (200, json!([])), (200, json!({"access_token": 7})), (302, json!({}))] {
        service.fail(path, status, body.clone());
        let told = login().await.to_string();
        assert!(!told.contains("the-code") && !told.contains("secret-"), "{told}");
    }
    service.say(path, json!({"access_token": "a"}));
    service.say("/user", json!({"login": "nobody"}));
    assert!(login().await.to_string().contains("has no subject"));
}

#[tokio::test]
async fn any_openid_provider_is_read_from_its_own_configuration_and_from_no_other() {
    let (service, url) = Service::start().await;
    let at = |path: &str| url.join(path).unwrap().to_string();
    let issuer = url.origin().ascii_serialization();
    let document = json!({"issuer": issuer, "authorization_endpoint": at("/a"), "token_endpoint": at("/t"),
        "jwks_uri": at("/oauth2/v3/certs")});
    let path = "/.well-known/openid-configuration";
    let provider = || Provider::discovered("acme", url.clone(), "client".into(), secret());
    for (field, value) in
        [("issuer", json!("https://other.example")), ("token_endpoint", json!("ftp://x")), ("jwks_uri", json!(null))]
    {
        let mut wrong = document.clone();
        wrong[field] = value;
        service.say(path, wrong);
        assert!(provider().page(&client(), REDIRECT, &start()).await.is_err(), "{field}");
    }
    service.say(path, document);
    let acme = provider();
    assert_eq!(acme.page(&client(), REDIRECT, &start()).await.unwrap().path(), "/a");
    let token = service.sign(&json!({"alg": "ES256", "kid": "one"}), &claims(&url));
    service.say("/t", json!({"id_token": token}));
    let found = acme.identify(&client(), REDIRECT, "code", &start(), NOW).await.unwrap();
    assert_eq!((found.provider.as_str(), found.subject.as_str()), ("acme", "7"));
}

#[tokio::test]
async fn apple_gets_a_secret_that_its_developer_key_signed() {
    let (service, url) = Service::start().await;
    let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap();
    let signer = AppleKey { team: "TEAM".into(), id: "KEY".into(), pair: pair(key.as_ref()) };
    let public = ring::signature::UnparsedPublicKey::new(
        &ring::signature::ECDSA_P256_SHA256_FIXED,
        pair(key.as_ref()).public_key().as_ref().to_vec(),
    );
    service.say("/auth/keys", json!({"keys": [service.key("one")]}));
    let token = service.sign(&json!({"alg": "ES256", "kid": "one"}), &claims(&url));
    service.say("/auth/token", json!({"id_token": token}));
    let apple = Provider::apple("client".into(), signer, Some(&url)).unwrap();
    let page = apple.page(&client(), REDIRECT, &start()).await.unwrap();
    assert_eq!(pairs(page.as_str())["response_mode"], "form_post");
    apple.identify(&client(), REDIRECT, "code", &start(), NOW).await.unwrap();
    let (_, form) = &service.asked("/auth/token")[0];
    let (text, signature) = form["client_secret"].rsplit_once('.').unwrap();
    public.verify(text.as_bytes(), &super::decode(signature).unwrap()).unwrap();
    let (header, claims) = text.split_once('.').unwrap();
    let json = |part: &str| serde_json::from_slice::<Value>(&super::decode(part).unwrap()).unwrap();
    assert_eq!(json(header), json!({"alg": "ES256", "kid": "KEY"}));
    let origin = url.origin().ascii_serialization();
    assert_eq!(
        json(claims),
        json!({"iss": "TEAM", "iat": SECONDS, "exp": SECONDS + 300, "aud": origin, "sub": "client"})
    );
}

#[tokio::test]
async fn a_provider_that_cannot_be_asked_is_told_with_the_cause() {
    let (service, url) = Service::start().await;
    let page = async |issuer: &Url| {
        let provider = Provider::discovered("acme", issuer.clone(), "client".into(), secret());
        provider.page(&client(), REDIRECT, &start()).await.unwrap_err().to_string()
    };
    let keys = async |url: Url| {
        let token = service.sign(&json!({"alg": "ES256", "kid": "one"}), &claims(&url));
        let issuer = url.origin().ascii_serialization();
        let (keys, nonce) = (KeySet::new(url), start().nonce);
        let first = verify(&client(), &keys, &token, &expected(&issuer, &nonce, NOW)).await.unwrap_err();
        // Within ten seconds the address isn't asked again.
        let second = verify(&client(), &keys, &token, &expected(&issuer, &nonce, NOW + 1_000)).await.unwrap_err();
        assert_eq!(first, second);
        first.to_string()
    };
    let closed = Url::parse("http://127.0.0.1:1").unwrap();
    assert_eq!(page(&closed).await, "couldn't read the configuration of http://127.0.0.1:1/: it refuses connections");
    assert_eq!(keys(closed).await, "couldn't read the keys of http://127.0.0.1:1: it refuses connections");
    assert!(page(&url).await.ends_with(": it answers with status 404"));
    assert!(keys(url).await.ends_with(": it answers with status 404"));
    // The part is longer than DNS allows, so no name server is asked.
    let unknown = Url::parse(&format!("http://{}.example", "a".repeat(64))).unwrap();
    assert!(page(&unknown).await.ends_with(": its name can't be found"));
}
