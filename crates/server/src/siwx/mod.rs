//! Sign-in with a wallet: `/auth/v1/…` (EIP-4361, CAIP-122; spec 3.17, 3.18, 4.24).
//!
//! A session is a token that back ends verify by `/.well-known/jwks.json`, and a row, so that it can be ended. Back ends learn of the end from
//! `/auth/v1/me`, or from the list of ended sessions ([`revoked`]).

mod message;
mod nonce;
mod revoked;
pub(crate) mod table;
pub(crate) mod token;
#[cfg(test)]
mod vectors;

use crate::error::{in_words, json};
use crate::guard::body;
use crate::guard::open::Visitor;
use crate::guard::project::{Project, is_listed};
use crate::name::signature::{self, Checked};
use crate::shared::Rate;
use crate::{AppState, Failure};
use alloy_primitives::{Address, hex};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use ed25519_dalek::{Signature, VerifyingKey};
use message::{Message, Wrong};
use nonce::{Nonce, TOLERANCE};
use portico_api::siwx::{KeySet, SessionAccount, SessionToken, SignedMessage, SiwxNonce};
use portico_encoding::base58;
use portico_json::{Read, parse, to_text};
use portico_terms::{Namespace, address};
use reqwest::Url;
pub(crate) use revoked::RevokedLists;
use std::time::{SystemTime, UNIX_EPOCH};
use table::SessionRow;
use tower_http::cors::{AllowOrigin, CorsLayer};

/// Cookie of a session. Browsers keep one of this name only from this host, over https (RFC 6265bis, 4.1.3).
const COOKIE: &str = "__Host-portico-session";

/// Largest body in bytes: signatures of contracts have a few thousand.
const BODY_LIMIT: usize = 64 * 1024;

/// Rate limit of sign-ins per visitor, in all projects together: each leaves a used nonce for some minutes.
const RATE: Rate = Rate { per_second: 1.0, burst: 200 };

/// Life, in milliseconds, of a session whose visitor has spent its share of the list of ended sessions. Its token leaves the list soon, so the
/// visitor takes a small part of the list without a refusal, which would meet everybody behind one address.
const SHORT_LIFE: i64 = 5 * 60_000;

/// Cost of a signature that a chain is asked about.
const ASKING: usize = 9;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/auth/v1/nonce", get(new_nonce))
        .route("/auth/v1/authenticate", post(authenticate))
        .route("/auth/v1/me", get(me))
        .route("/auth/v1/sign-out", post(sign_out))
}

/// Routes for back ends.
pub(crate) fn open_router() -> Router<AppState> {
    Router::new()
        .route("/.well-known/jwks.json", get(key_set))
        .route("/auth/v1/revoked/{project}", get(revoked::revoked))
}

/// CORS layer: pages of the project's list, by name, as they may send the cookie.
pub(crate) fn layer(state: AppState) -> CorsLayer {
    let listed = AllowOrigin::async_predicate(move |_, parts| {
        let (state, parts) = (state.clone(), parts.clone());
        async move { is_listed(&parts, &state).await }
    });
    let own = ["x-project-id", "x-sdk-type", "x-sdk-version"].map(HeaderName::from_static);
    let headers = [header::AUTHORIZATION, header::CONTENT_TYPE].into_iter().chain(own).collect::<Vec<_>>();
    CorsLayer::new()
        .allow_origin(listed)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers(headers)
        .allow_credentials(true)
}

/// Current time in epoch milliseconds.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

async fn new_nonce(State(state): State<AppState>, project: Project) -> Result<Response, Failure> {
    let origin = project.origin().unwrap_or_default();
    let nonce = nonce::make(&state, project.id(), &origin, now()).await.map_err(|error| Failure::database(&error))?;
    Ok(private(to_text(&SiwxNonce { nonce })))
}

async fn authenticate(State(state): State<AppState>, project: Project, request: Request) -> Result<Response, Failure> {
    if let Some(client) = project.client() {
        let spent = state.shared().spend(&format!("siwx:{client}"), 1, RATE).await;
        spent.map_err(|spent| {
            let told = format!("Too many sign-ins from here. Try again in {}.", in_words(spent.seconds));
            Failure::new(StatusCode::TOO_MANY_REQUESTS, "", told).again_after(spent.seconds)
        })?;
    }
    let asked = read(&state, &project, request).await?;
    let now = now();
    let message = Message::parse(&asked.message).map_err(refused)?;
    let origin = page(&project, &message).map_err(refused)?;
    message.is_timely(now, nonce::LIFE * 1000, TOLERANCE * 1000).map_err(refused)?;
    project.allow_chain(&message.chain)?;
    match nonce::check(&state, &message.nonce, project.id(), &origin, now)
        .await
        .map_err(|error| Failure::database(&error))?
    {
        Nonce::Good => {}
        Nonce::Foreign => {
            return Err(Failure::parameter(
                "nonce",
                "Unknown nonce. Ask this server for one, from the same page and project.",
            ));
        }
        Nonce::Old => return Err(Failure::parameter("nonce", "The nonce has expired. Sign a new message.")),
    }
    let account = signer(&state, &project, &message, &asked).await?;
    let visitor = match project.visitor() {
        Some(address) => address.to_string(),
        // A host's own server signs in all its visitors: the account has the share.
        None => account.clone(),
    };
    let visitor = nonce::keyed(&state, &visitor).await.map_err(|error| Failure::database(&error))?;
    let longest = longest_life(&state, &project, &visitor, now).await?;
    // After the signature, so that nobody uses up the nonce of another visitor.
    if !nonce::spend(&state, &message.nonce, now).await.map_err(|error| Failure::database(&error))? {
        return Err(Failure::parameter("nonce", "This message was used before. Sign a new one."));
    }
    let end = message.expires_at.map_or(now + longest, |end| end.min(now + longest)) / 1000;
    let session = SessionRow {
        id: hex::encode(nonce::random::<16>()),
        project: project.id().into(),
        account: format!("{}:{account}", message.chain),
        origin,
        visitor,
        created_at: now,
        expires_at: end * 1000,
    };
    let token = open(&state, &message, account, &session).await?;
    let mut response = private(to_text(&SessionToken { token: token.clone() }));
    if asked.cookie == Some(true) {
        let life = end - now / 1000;
        set_cookie(&mut response, &format!("{COOKIE}={token}; Path=/; Max-Age={life}; Secure; HttpOnly; SameSite=Lax"));
    }
    Ok(response)
}

/// Longest life of a new session of the visitor, in milliseconds. Answers 429 if the visitor is an account that a host's own server signs in, as
/// that server has no rate limit, and has spent its share of the list of ended sessions.
async fn longest_life(state: &AppState, project: &Project, visitor: &str, now: i64) -> Result<i64, Failure> {
    let spent = table::share_spent_until(state.database(), visitor, now).await;
    let Some(until) = spent.map_err(|error| Failure::database(&error))? else { return Ok(token::LIFE) };
    if project.visitor().is_some() {
        return Ok(SHORT_LIFE);
    }
    let seconds = u32::try_from((until - now) / 1000 + 1).unwrap_or(1);
    let told =
        format!("Too many sessions of this account were ended in the last hour. Try again in {}.", in_words(seconds));
    Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, "", told).again_after(seconds))
}

/// Stores the session of a signed message. Returns its token.
async fn open(state: &AppState, message: &Message, address: String, session: &SessionRow) -> Result<String, Failure> {
    let failed = |error: sqlx::Error| Failure::database(&error);
    let chain = &message.chain;
    let seconds = |milliseconds: i64| u64::try_from(milliseconds / 1000).unwrap_or_default();
    let claims = SessionAccount {
        iss: state.issuer().into(),
        aud: session.project.clone(),
        sub: session.account.clone(),
        iat: seconds(session.created_at),
        exp: seconds(session.expires_at),
        jti: session.id.clone(),
        address,
        chain_id: chain.reference().into(),
        chain_namespace: chain.to_string().split(':').next().unwrap_or_default().into(),
        caip2_network: chain.to_string(),
        uri: message.uri.clone(),
        domain: message.domain.clone(),
        nonce: message.nonce.clone(),
    };
    let keys = token::keys(state.database(), session.created_at).await.map_err(failed)?;
    let token = token::sign(&keys, &claims, session.created_at).ok_or_else(|| {
        tracing::error!("sign-in: no key can sign. Run `portico auth keys rotate`.");
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", "The server can't sign sessions now")
    })?;
    table::open(state.database(), session).await.map_err(failed)?;
    Ok(token)
}

/// Origin of the page that the message is for: the page of this request, or one that the project allows.
fn page(project: &Project, message: &Message) -> Result<String, Wrong> {
    let origin = origin_of(message)?;
    project.is_for(&origin).map_err(|told| ("uri", told))?;
    is_on(&origin, message)?;
    Ok(origin)
}

/// Origin of the message's URI.
fn origin_of(message: &Message) -> Result<String, Wrong> {
    let url = Url::parse(&message.uri).ok().filter(|url| url.username().is_empty() && url.password().is_none());
    url.map(|url| url.origin().ascii_serialization()).ok_or_else(|| ("uri", "Use the URL of the page as URI".into()))
}

/// Checks that the domain of the message is the one of its URI.
fn is_on(origin: &str, message: &Message) -> Result<(), Wrong> {
    if origin.split_once("://").is_some_and(|(_, host)| host == message.domain) {
        return Ok(());
    }
    Err(("domain", format!("The domain {:?} doesn't match the URI, which is on {origin}", message.domain)))
}

/// Address of the account that signed; with its checksum on EVM chains.
async fn signer(
    state: &AppState,
    project: &Project,
    message: &Message,
    asked: &SignedMessage,
) -> Result<String, Failure> {
    let wrong = |told: String| Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "signature", told);
    let other = || wrong("The signature isn't from this account. Sign again.".into());
    if matches!(message.chain.namespace(), Namespace::Bip122 | Namespace::Polkadot) {
        let checked = portico_signature::check(&message.chain, &message.address, &asked.message, &asked.signature);
        return checked.map(|()| message.address.clone()).map_err(|refusal| match refusal.field() {
            "signature" => wrong(refusal.to_string()),
            field => Failure::parameter(field, refusal.to_string()),
        });
    }
    if message.chain.namespace() == Namespace::Solana {
        let key: Option<[u8; 32]> = base58::decode(&message.address).and_then(|bytes| bytes.try_into().ok());
        let key = key.ok_or_else(|| Failure::parameter("address", "The address isn't one of Solana"))?;
        let signed = is_signed_by(&key, &asked.message, &asked.signature);
        return if signed { Ok(message.address.clone()) } else { Err(other()) };
    }
    let checksum = address::with_checksum(&message.address).ok().filter(|checksum| *checksum == message.address);
    let parsed = checksum.as_ref().and_then(|address| address.parse::<Address>().ok());
    let (Some(checksum), Some(account)) = (checksum, parsed) else {
        return Err(Failure::parameter("address", "Use an EVM address with its checksum (EIP-55)"));
    };
    let bytes =
        asked.signature.strip_prefix("0x").and_then(|text| hex::decode(text).ok()).filter(|bytes| !bytes.is_empty());
    let bytes = bytes.ok_or_else(|| wrong("Use 0x and hex as signature".into()))?;
    let chain = Some(&message.chain);
    if signature::check(state, None, account, &asked.message, &bytes).await == Checked::Key {
        return Ok(checksum);
    }
    if state.chain(&message.chain).is_none() {
        return Err(wrong(format!(
            "The signature isn't from this account's key, and this server can't check contracts on {}. Sign again.",
            message.chain
        )));
    }
    project.spend(state, ASKING).await?;
    match signature::check(state, chain, account, &asked.message, &bytes).await {
        Checked::Key | Checked::Contract => Ok(checksum),
        Checked::Wrong => Err(other()),
        Checked::NoSourceAnswered => {
            let told = "The chain doesn't respond, so the signature can't be verified now. Try again.";
            Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "signature", told).again_after(5))
        }
    }
}

/// Whether a key of Solana made a signature, in base58, of a text.
fn is_signed_by(key: &[u8; 32], text: &str, signature: &str) -> bool {
    let signature: Option<[u8; 64]> = base58::decode(signature).and_then(|bytes| bytes.try_into().ok());
    let (Ok(key), Some(signature)) = (VerifyingKey::from_bytes(key), signature) else { return false };
    // Strict: a key of small order, which no one owns, would accept signatures of anybody.
    key.verify_strict(text.as_bytes(), &Signature::from_bytes(&signature)).is_ok()
}

async fn me(State(state): State<AppState>, project: Project, headers: HeaderMap) -> Result<Response, Failure> {
    let claims = session(&state, &project, &headers).await?;
    Ok(private(to_text(&claims)))
}

async fn sign_out(State(state): State<AppState>, project: Project, headers: HeaderMap) -> Result<Response, Failure> {
    let claims = session(&state, &project, &headers).await?;
    table::end(state.database(), &claims.jti, now()).await.map_err(|error| Failure::database(&error))?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    set_cookie(&mut response, &format!("{COOKIE}=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax"));
    Ok(response)
}

/// Session of the request's token, for this project and page; 401 if there is none, or it has ended.
async fn session(state: &AppState, project: &Project, headers: &HeaderMap) -> Result<SessionAccount, Failure> {
    let failed = |error: sqlx::Error| Failure::database(&error);
    let lost =
        || Failure::new(StatusCode::UNAUTHORIZED, "token", "There is no such session, or it has ended. Sign in again.");
    let token = token_of(headers).ok_or_else(lost)?;
    let now = now();
    let keys = token::keys(state.database(), now).await.map_err(failed)?;
    let claims = token::verify(&keys, token, now).filter(|claims| claims.aud == project.id()).ok_or_else(lost)?;
    // A session belongs to the page that it was opened on.
    let page = Url::parse(&claims.uri).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
    if project.origin().is_some_and(|origin| origin != page) {
        return Err(lost());
    }
    match table::is_open(state.database(), &claims.jti, now).await.map_err(failed)? {
        true => Ok(claims),
        false => Err(lost()),
    }
}

fn token_of(headers: &HeaderMap) -> Option<&str> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        return value.to_str().ok()?.strip_prefix("Bearer ");
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.flat_map(|text| text.split("; ")).find_map(|cookie| cookie.strip_prefix(COOKIE)?.strip_prefix('='))
}

async fn key_set(State(state): State<AppState>, _: Visitor) -> Result<Response, Failure> {
    let keys = token::keys(state.database(), now()).await.map_err(|error| Failure::database(&error))?;
    let set = KeySet { keys: keys.iter().map(token::Key::public).collect() };
    let mut response = json(StatusCode::OK, to_text(&set));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    Ok(response)
}

async fn read(state: &AppState, project: &Project, request: Request) -> Result<SignedMessage, Failure> {
    let mut share = state.memory().of(project.visitor()).share();
    let body = body::read_within(request, &mut share, BODY_LIMIT).await?;
    let text = std::str::from_utf8(&body).map_err(|_| Failure::parameter("body", "Send the body as UTF-8 text"))?;
    let value = parse(text).map_err(|_| Failure::parameter("body", "Send the body as JSON"))?;
    SignedMessage::read(&value).map_err(|_| Failure::parameter("body", "The body doesn't match /openapi.json"))
}

/// Response that no cache keeps.
fn private(body: String) -> Response {
    let mut response = json(StatusCode::OK, body);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn set_cookie(response: &mut Response, text: &str) {
    if let Ok(value) = HeaderValue::try_from(text) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

fn refused((field, told): Wrong) -> Failure {
    Failure::parameter(field, told)
}
