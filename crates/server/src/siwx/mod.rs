//! Sign-in with a wallet: `/auth/v1/…` (EIP-4361, CAIP-122; spec 3.17, 3.18, 4.24).
//!
//! A session is a token that back ends verify by `/.well-known/jwks.json`, and a row, so that it can be ended. Back ends learn of the end from
//! `/auth/v1/me`, or from the list of ended sessions ([`revoked`]).

mod authenticate;
mod message;
mod nonce;
mod revoked;
mod signer;
pub(crate) mod table;
pub(crate) mod token;
#[cfg(test)]
mod vectors;

use crate::error::json;
use crate::guard::open::Visitor;
use crate::guard::project::{Project, is_listed};
use crate::{AppState, Failure};
use authenticate::authenticate;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use portico_api::siwx::{KeySet, SessionAccount, SiwxNonce};
use portico_json::to_text;
use reqwest::Url;
pub(crate) use revoked::RevokedLists;
use std::time::{SystemTime, UNIX_EPOCH};
use tower_http::cors::{AllowOrigin, CorsLayer};

/// Cookie of a session. Browsers keep one of this name only from this host, over https (RFC 6265bis, 4.1.3).
const COOKIE: &str = "__Host-portico-session";

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
