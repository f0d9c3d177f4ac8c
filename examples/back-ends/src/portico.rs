//! Visitors who signed in, for the back end with axum.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{StatusCode, header::AUTHORIZATION};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use reqwest::{Client, Url};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use serde::{Deserialize, de::DeserializeOwned};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{env, sync::LazyLock};
use tokio::sync::Mutex;

static CLIENT: LazyLock<Client> =
    LazyLock::new(|| Client::builder().timeout(Duration::from_secs(3)).build().expect("TLS works"));
static SETTINGS: LazyLock<[String; 4]> = LazyLock::new(|| {
    ["PORTICO_URL", "PORTICO_PROJECT", "PORTICO_SECRET", "SHOP_ORIGIN"].map(|name| env::var(name).expect(name))
});
static KEYS: Mutex<Published<KeySet>> = Mutex::const_new(Published::NONE);
static ENDED: Mutex<Published<Ended>> = Mutex::const_new(Published::NONE);

const SECOND: Duration = Duration::from_secs(1);

/// Visitor who signed in on our page and whose session is open. A handler with this argument answers 401 to all others.
#[derive(Deserialize)]
pub struct Visitor {
    /// Account (CAIP-10).
    #[serde(rename = "sub")]
    pub account: String,
    iss: String,
    aud: String,
    uri: String,
    jti: String,
    iat: u64,
    exp: u64,
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Visitor, StatusCode> {
        let sent = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        signed_in(sent.unwrap_or_default()).await.ok_or(StatusCode::UNAUTHORIZED)
    }
}

/// Visitor of `Bearer` and a token; `None` if the token proves no sign-in on our page.
async fn signed_in(sent: &str) -> Option<Visitor> {
    let [portico, project, _, shop] = &*SETTINGS;
    let token = sent.strip_prefix("Bearer ")?;
    let (signed, signature) = token.rsplit_once('.')?;
    let (head, claims) = signed.split_once('.')?;
    let head: Head = serde_json::from_slice(&bytes(head)?).ok()?;
    let key = if head.alg == "ES256" { key(&head.kid).await? } else { return None };
    key.verify(signed.as_bytes(), &bytes(signature)?).ok()?;
    let visitor: Visitor = serde_json::from_slice(&bytes(claims)?).ok()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    let page = Url::parse(&visitor.uri).ok()?.origin().ascii_serialization();
    let ours = visitor.iss == *portico && visitor.aud == *project && page == *shop && now < visitor.exp;
    (ours && is_open(token, &visitor).await).then_some(visitor)
}

/// Key of the server with this id. The keys are read again after ten minutes, and for an unknown id after ten seconds.
async fn key(id: &str) -> Option<UnparsedPublicKey<Vec<u8>>> {
    let mut published = KEYS.lock().await;
    for age in [600 * SECOND, 10 * SECOND] {
        let set = published.within(age, 600 * SECOND, "/.well-known/jwks.json").await?;
        if let Some(key) = set.keys.iter().find(|key| key.kid == id) {
            let point = [vec![4], bytes(&key.x)?, bytes(&key.y)?].concat();
            return Some(UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point));
        }
    }
    None
}

/// Whether nobody ended the session, by a list that is at most ten seconds old, or a minute while the server does not answer.
async fn is_open(token: &str, visitor: &Visitor) -> bool {
    let [portico, project, secret, _] = &*SETTINGS;
    let path = format!("/auth/v1/revoked/{project}");
    {
        let mut published = ENDED.lock().await;
        let Some(ended) = published.within(10 * SECOND, 60 * SECOND, &path).await else { return false };
        if visitor.iat >= ended.complete_from {
            return ended.revoked.iter().all(|session| session.jti != visitor.jti);
        }
    }
    let asked = CLIENT.get(format!("{portico}/auth/v1/me")).bearer_auth(token);
    let sent = asked.header("x-project-id", project).header("x-project-secret", secret).send().await;
    sent.is_ok_and(|answer| answer.status() == StatusCode::OK)
}

fn bytes(part: &str) -> Option<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD.decode(part).ok()
}

#[derive(Deserialize)]
struct Head {
    alg: String,
    kid: String,
}

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<Key>,
}

#[derive(Deserialize)]
struct Key {
    kid: String,
    x: String,
    y: String,
}

/// List of ended sessions.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ended {
    revoked: Vec<Session>,
    complete_from: u64,
}

#[derive(Deserialize)]
struct Session {
    jti: String,
}

/// Copy of what the server publishes.
struct Published<T> {
    /// Time at which it was asked for, and the answer.
    copy: Option<(Instant, T)>,
    tried_at: Option<Instant>,
}

impl<T: DeserializeOwned> Published<T> {
    const NONE: Published<T> = Published { copy: None, tried_at: None };

    /// The copy, read again if it is older than `fresh`; `None` once it is older than `usable`.
    async fn within(&mut self, fresh: Duration, usable: Duration, path: &str) -> Option<&T> {
        let is_younger = |at: Option<Instant>, age| at.is_some_and(|at| at.elapsed() < age);
        let read_at = |copy: &Option<(Instant, T)>| copy.as_ref().map(|(at, _)| *at);
        if !is_younger(read_at(&self.copy), fresh) && !is_younger(self.tried_at, SECOND) {
            let asked_at = Instant::now();
            self.copy = read(path).await.map(|answer| (asked_at, answer)).or(self.copy.take());
            self.tried_at = Some(Instant::now());
        }
        self.copy.as_ref().filter(|(at, _)| at.elapsed() < usable).map(|(_, answer)| answer)
    }
}

async fn read<T: DeserializeOwned>(path: &str) -> Option<T> {
    let answer = CLIENT.get(format!("{}{path}", SETTINGS[0])).send().await.ok()?.error_for_status().ok()?;
    serde_json::from_slice(&answer.bytes().await.ok()?).ok()
}
