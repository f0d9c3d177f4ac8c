//! Authentication of a client that opens a socket or sends a POST: its token, and the project that it uses.

use super::Relay;
use super::attest;
use super::fault::Fault;
use super::id::ClientId;
use super::share::Payer;
use crate::config;
use crate::guard::client::Client;
use crate::guard::limits::spend_open;
use crate::guard::part::InQuery;
use crate::guard::project::{Asker, Project};
use crate::{AppState, Failure};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use portico_walletconnect::did;
use portico_walletconnect::jwt::{Claims, JwtFault, verify, verify_signature};
use serde::Deserialize;
use std::sync::Arc;

/// Query parameters. The guard reads `projectId`; `ua` and `useOnCloseEvent` have no effect, as a refusal always closes the socket.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AuthQuery {
    auth: Option<String>,
    origin: Option<String>,
    bundle_id: Option<String>,
    package_name: Option<String>,
}

/// A client that was accepted.
pub(super) struct Admitted {
    pub(super) client: ClientId,
    pub(super) did: String,
    pub(super) payer: Payer,
    /// Origin of the page, where a browser sent one.
    pub(super) origin: Option<Arc<str>>,
}

/// Reason why a client was rejected, with the close code and text for a socket.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) code: u16,
    pub(super) text: String,
    /// Status of an HTTP response.
    pub(super) status: StatusCode,
    pub(super) fault: Fault,
}

/// Longest lifetime of a token: a week, in seconds. Clients create tokens for a day.
const LONGEST_TOKEN: u64 = 7 * 24 * 60 * 60;

/// Close codes: 3000 is permanent for this client and token; 1013 (RFC 6455, registry) asks it to reconnect later.
const UNAUTHORIZED: u16 = 3000;
const TRY_AGAIN_LATER: u16 = 1013;

const MISSING_JWT: &str = "JWT validation error: add a token to the query, or as header Authorization";

/// Paths that a client may have appended to the relay's URL in the audience of its token.
const PATHS: [&str; 2] = ["", "/relay"];

/// All audiences that a token may name for this relay.
pub(super) fn audiences(config: &config::Relay, public_url: Option<&str>) -> Vec<String> {
    let named = config.urls.iter().map(|url| url.as_str()).chain(public_url);
    let named = named.map(|name| name.trim_end_matches('/'));
    let named = named.map(|name| name.strip_suffix("/relay").unwrap_or(name));
    named.flat_map(|name| PATHS.map(|path| format!("{name}{path}"))).collect()
}

/// Checks the token, then the project and the origin that uses it. A wrong token is charged to the visitor.
pub(super) async fn admit(state: &AppState, relay: &Relay, parts: &mut Parts) -> Result<Admitted, Refusal> {
    let (asked, client, did) = match authenticate(state, relay, parts).await {
        Ok(authenticated) => authenticated,
        Err(refusal) => {
            let spent = spend_open(state, Client::of(parts, state.limits()), 1).await;
            return Err(spent.err().map_or(refusal, |failure| Refusal::project(&failure)));
        }
    };
    let Ok(asker) = Asker::from_request_parts(parts, state).await;
    let native = [&asked.bundle_id, &asked.package_name].into_iter().flatten().any(|app| !app.is_empty());
    let visitor = asker.visitor();
    let project = asker.of_app(native, asked.origin.as_deref()).project(state, None).await;
    let project: Project = project.map_err(|failure| Refusal::project(&failure))?;
    let payer = relay.payer(visitor, project.id()).await.map_err(|_| Refusal::crowded())?;
    Ok(Admitted { client, did, payer, origin: attest::origin(&parts.headers) })
}

/// Reads the query, and checks the token in it or in `Authorization`.
async fn authenticate(
    state: &AppState,
    relay: &Relay,
    parts: &mut Parts,
) -> Result<(AuthQuery, ClientId, String), Refusal> {
    let InQuery(asked) = InQuery::<AuthQuery>::from_request_parts(parts, state)
        .await
        .map_err(|_| Refusal::token(MISSING_JWT.into(), "InvalidJwt"))?;
    let bearer = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| value.split_once(' ')).filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer"));
    let token = asked.auth.as_deref().or(bearer.map(|(_, token)| token.trim()));
    let token = token.ok_or_else(|| Refusal::token(MISSING_JWT.into(), "MissingJwt"))?;
    let (client, did) =
        client(token, relay.audiences(), now()).map_err(|fault| Refusal::token(fault.close_text(), "InvalidJwt"))?;
    Ok((asked, client, did))
}

fn client(token: &str, audiences: &[String], now: u64) -> Result<(ClientId, String), JwtFault> {
    let claims = if audiences.is_empty() {
        let aud = verify_signature(token)?.audience;
        verify(token, if is_of_this_machine(&aud) { std::slice::from_ref(&aud) } else { &[] }, now)?
    } else {
        verify(token, audiences, now)?
    };
    // The token is part of URLs, which others may read, so its lifetime is limited.
    if claims.expires.saturating_sub(claims.issued) > LONGEST_TOKEN {
        return Err(JwtFault::Claims);
    }
    let key = did::decode(&claims.issuer).ok_or(JwtFault::Issuer)?;
    Ok((ClientId(key), claims.issuer))
}

/// Whether the audience is on this machine. A relay without a URL is for trials and accepts only such tokens.
fn is_of_this_machine(audience: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(audience) else { return false };
    matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]" | "10.0.2.2"))
}

/// Action of a webhook token.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Watch {
    Register,
    Unregister,
}

/// Longest lifetime of a webhook token: 30 days, in seconds.
const LONGEST_WATCH: u64 = 30 * 24 * 60 * 60;

/// Validates a webhook token.
pub(super) fn watch(token: &str, watch: Watch, relay: &Relay) -> Result<(), Fault> {
    let claims = verify_signature(token).map_err(|_| Fault::WatchJwt)?;
    let now = now();
    let audience = std::slice::from_ref(&claims.audience);
    let audiences = if relay.audiences().is_empty() { audience } else { relay.audiences() };
    verify(token, audiences, now).map_err(|_| Fault::WatchJwt)?;
    let act = match watch {
        Watch::Register => "irn_watchRegister",
        Watch::Unregister => "irn_watchUnregister",
    };
    let long = claims.expires.saturating_sub(claims.issued) > LONGEST_WATCH;
    if long || !says(&claims, "act", act) {
        return Err(Fault::WatchJwt);
    }
    let hook = claims.payload.get("whu").as_str().is_some_and(|url| url.len() <= 256 && url.starts_with("https://"));
    let typed = ["subscriber", "publisher"].iter().any(|kind| says(&claims, "typ", kind));
    if hook && typed { Ok(()) } else { Err(Fault::WatchJwt) }
}

fn says(claims: &Claims, name: &str, word: &str) -> bool {
    claims.payload.get(name).as_str() == Some(word)
}

/// Current time in epoch seconds.
fn now() -> u64 {
    super::now().unsigned_abs() / 1000
}

impl Refusal {
    fn token(text: String, tag: &'static str) -> Refusal {
        let fault = Fault::Auth("JWT validation error", tag);
        Refusal { code: UNAUTHORIZED, text, status: StatusCode::UNAUTHORIZED, fault }
    }

    /// Rejection of a visitor that has reached its limit of sockets.
    pub(super) fn crowded() -> Refusal {
        Refusal {
            code: TRY_AGAIN_LATER,
            text: "Too many requests: you have reached your limit of WebSockets".into(),
            status: StatusCode::TOO_MANY_REQUESTS,
            fault: Fault::TooManyRequests,
        }
    }

    /// Maps a failure to the texts by which clients and widgets recognize the cause (spec 8.45, 8.46, 8.49).
    fn project(failure: &Failure) -> Refusal {
        let said = failure.description();
        let (code, text, fault) = match failure.status() {
            StatusCode::UNAUTHORIZED if said.starts_with("Project ID is missing") => {
                (UNAUTHORIZED, "Project ID is missing", Fault::Auth("Project ID is missing", "ProjectIdNotSpecified"))
            }
            StatusCode::UNAUTHORIZED if said.contains("disabled") => {
                (UNAUTHORIZED, "Unauthorized: invalid key", Fault::Auth("Unauthorized: invalid key", "ProjectInactive"))
            }
            StatusCode::UNAUTHORIZED => {
                (UNAUTHORIZED, "Unauthorized: invalid key", Fault::Auth("Unauthorized: invalid key", "ProjectNotFound"))
            }
            StatusCode::FORBIDDEN => (
                UNAUTHORIZED,
                "Unauthorized: origin not allowed",
                Fault::Auth("Unauthorized: origin not allowed", "OriginNotAllowed"),
            ),
            StatusCode::TOO_MANY_REQUESTS => (TRY_AGAIN_LATER, "Too many requests", Fault::TooManyRequests),
            _ => (TRY_AGAIN_LATER, "Internal error", Fault::Storage),
        };
        Refusal { code, text: text.into(), status: failure.status(), fault }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_a_relay_are_its_own_and_that_of_the_server_with_the_path_or_without() {
        let config = |urls: &[&str]| config::Relay {
            urls: urls.iter().map(|url| url.parse().unwrap()).collect(),
            max_message: 1,
            max_ttl: 1,
            messages_per_topic: 1,
            bytes_per_topic: 1,
            topics_per_client: 1,
            subscribers_per_topic: 1,
            publishes: None,
            new_topics: None,
            sockets_per_client: 1,
            bytes_total: 1,
            bytes_per_visitor: 1,
            bytes_per_project: 1,
            subscriptions_total: 1,
            subscriptions_per_visitor: 1,
            subscriptions_per_project: 1,
            requests: None,
            visitor_publishes: None,
            visitor_new_topics: None,
            visitor_requests: None,
        };
        assert_eq!(audiences(&config(&[]), None), Vec::<String>::new());
        assert_eq!(
            audiences(&config(&["wss://relay.example/relay/"]), Some("https://shop.example")),
            ["wss://relay.example", "wss://relay.example/relay", "https://shop.example", "https://shop.example/relay"]
        );
    }

    #[test]
    fn a_relay_without_a_name_is_for_its_own_machine() {
        for own in ["ws://localhost:5555", "wss://127.0.0.1/", "http://[::1]:80/rpc"] {
            assert!(is_of_this_machine(own), "{own}");
        }
        for other in ["wss://relay.example", "ws://127.0.0.1.example", "localhost", "", "ws://192.168.1.2"] {
            assert!(!is_of_this_machine(other), "{other}");
        }
    }
}
