//! Passes requests on to the vault.

use super::{Wallet, browser};
use crate::guard::body;
use crate::guard::open::Visitor;
use crate::guard::project::Asker;
use crate::language::Language;
use crate::outbound::ConnectFault;
use crate::project::ProjectId;
use crate::project::origin::Origin;
use crate::vault::{BROWSER, CLIENT, LANGUAGE, LARGEST, METRICS, Way};
use crate::{AppState, Failure};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use portico_json::{Json, Read, parse};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Headers of a device that the vault checks.
const PASSED: [HeaderName; 2] = [HeaderName::from_static("dpop"), header::AUTHORIZATION];

/// Time limit of an answer: a wait for an approval takes up to 25 seconds.
const LONGEST: Duration = Duration::from_secs(35);

/// Largest answer in bytes.
const LARGEST_ANSWER: usize = 1024 * 1024;

/// The vault does not answer. The cause is logged, as the vault's own log has more.
#[derive(Debug, thiserror::Error)]
enum Gone {
    #[error("couldn't connect to the vault ({0})")]
    Socket(#[from] std::io::Error),
    #[error("the vault closed the connection ({0})")]
    Broken(#[from] hyper::Error),
    #[error("couldn't read the vault's answer ({0})")]
    Body(axum::Error),
    #[error("the vault took longer than {} seconds", LONGEST.as_secs())]
    Slow,
}

/// What the body of every login says of the page on which it began.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
struct HostPage {
    project: String,
    host: String,
}

/// A request that a device signs.
pub(super) async fn signed(
    State(state): State<AppState>,
    Extension(wallet): Extension<Arc<Wallet>>,
    visitor: Visitor,
    request: Request,
) -> Result<Response, Failure> {
    let (path, headers) = (request.uri().path().to_owned(), request.headers().clone());
    let body = body_of(&state, visitor.address(), request).await?;
    pass(&wallet, visitor.address(), &path, &headers, body).await
}

/// Beginning of a login: the project has to exist, and the host page to be one of its pages.
pub(super) async fn login(
    State(state): State<AppState>,
    Extension(wallet): Extension<Arc<Wallet>>,
    asker: Asker,
    request: Request,
) -> Result<Response, Failure> {
    let (path, headers) = (request.uri().path().to_owned(), request.headers().clone());
    let visitor = asker.visitor();
    let body = body_of(&state, visitor, request).await?;
    let text = std::str::from_utf8(&body).ok().and_then(|text| parse(text).ok());
    let page = text.and_then(|value| HostPage::read(&value).ok());
    let page = page.ok_or_else(|| Failure::parameter("body", "Use the body of a login"))?;
    let (entry, _) = asker.looks_at(&state, ProjectId::parse(&page.project)).await?;
    let host = Origin::parse(&page.host).filter(|host| host.to_string() == page.host);
    if !host.is_some_and(|host| entry.allows_origin(Some(&host))) {
        let sentence = "origin not allowed: the host page is not on the list of the project";
        return Err(Failure::new(StatusCode::FORBIDDEN, "host", sentence));
    }
    pass(&wallet, visitor, &path, &headers, body).await
}

async fn body_of(state: &AppState, visitor: IpAddr, request: Request) -> Result<Bytes, Failure> {
    let mut room = state.memory().of(Some(visitor)).share();
    body::read_within(request, &mut room, LARGEST).await.map(Bytes::from)
}

/// Passes a request on with what limits and mails need to know of the visitor.
async fn pass(
    wallet: &Wallet,
    visitor: IpAddr,
    path: &str,
    headers: &HeaderMap,
    body: Bytes,
) -> Result<Response, Failure> {
    let mut request = of_visitor(visitor, path, headers);
    for name in PASSED {
        // Several proofs stay several: the vault refuses them.
        for value in headers.get_all(&name) {
            request = request.header(&name, value);
        }
    }
    let (status, again, body) = send(&wallet.vault, request, body).await.map_err(|gone| away(&gone))?;
    let mut response = crate::error::json(status, body);
    if let Some(again) = again {
        response.headers_mut().insert(header::RETRY_AFTER, again);
    }
    Ok(response)
}

/// A request that says what the vault needs to know of the visitor.
fn of_visitor(visitor: IpAddr, path: &str, headers: &HeaderMap) -> hyper::http::request::Builder {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let request = hyper::Request::builder().method(Method::POST).uri(path);
    let request = request.header(CLIENT, visitor.to_string()).header(BROWSER, browser::label(agent));
    request.header(LANGUAGE, language(headers).tag())
}

/// Language that a browser prefers.
pub(super) fn language(headers: &HeaderMap) -> Language {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    Language::accepted(accepted.unwrap_or_default())
}

/// A request of the web tier itself.
pub(super) async fn ask(wallet: &Wallet, path: &'static str, body: String) -> Result<(StatusCode, String), Failure> {
    told(wallet, hyper::Request::builder().method(Method::POST).uri(path), body).await
}

/// A request of the web tier itself about the visitor who is there.
pub(super) async fn ask_of(
    wallet: &Wallet,
    visitor: IpAddr,
    path: &'static str,
    headers: &HeaderMap,
    body: String,
) -> Result<(StatusCode, String), Failure> {
    told(wallet, of_visitor(visitor, path, headers), body).await
}

async fn told(
    wallet: &Wallet,
    request: hyper::http::request::Builder,
    body: String,
) -> Result<(StatusCode, String), Failure> {
    let (status, _, body) = send(&wallet.vault, request, body.into()).await.map_err(|gone| away(&gone))?;
    Ok((status, String::from_utf8_lossy(&body).into_owned()))
}

/// Metrics of the vault; `None` while it is away.
pub(crate) async fn vault_metrics(way: &Way) -> Option<String> {
    let request = hyper::Request::builder().method(Method::POST).uri(METRICS);
    let (status, _, body) = send(way, request, Bytes::new()).await.ok()?;
    status.is_success().then(|| String::from_utf8_lossy(&body).into_owned())
}

/// Reason why a vault on another host doesn't answer, with the words of its last cause.
pub(crate) async fn vault_away(way: &Way) -> Option<(ConnectFault, String)> {
    let request = hyper::Request::builder().method(Method::POST).uri(METRICS);
    let gone = send(way, request, Bytes::new()).await.err()?;
    let text = std::iter::successors(Some(&gone as &dyn std::error::Error), |error| error.source());
    Some((ConnectFault::of(&gone), text.last().map_or_else(String::new, ToString::to_string)))
}

async fn send(
    way: &Way,
    request: hyper::http::request::Builder,
    body: Bytes,
) -> Result<(StatusCode, Option<HeaderValue>, Bytes), Gone> {
    let conversation = async {
        let stream = way.connect().await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        let running = tokio::spawn(connection);
        let request = request.header(header::HOST, "vault").body(Body::from(body));
        let request = request.map_err(|error| Gone::Body(axum::Error::new(error)))?;
        let response = match sender.send_request(request).await {
            Ok(response) => response,
            Err(error) => {
                // The connection knows the cause, such as a refused certificate.
                drop(sender);
                return Err(Gone::Broken(running.await.ok().and_then(Result::err).unwrap_or(error)));
            }
        };
        let (parts, body) = response.into_parts();
        let body = to_bytes(Body::new(body), LARGEST_ANSWER).await.map_err(Gone::Body)?;
        running.abort();
        Ok((parts.status, parts.headers.get(header::RETRY_AFTER).cloned(), body))
    };
    timeout(LONGEST, conversation).await.unwrap_or(Err(Gone::Slow))
}

fn away(gone: &Gone) -> Failure {
    tracing::error!(error = %gone, "the vault isn't responding");
    let sentence = "Your wallet isn't available right now. Try again later.";
    Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", sentence).again_after(5)
}
