//! Signing in to the admin page by a one-time link, without a password.
//!
//! The link shows a button, because programs that preview links fetch them; the button's POST uses up the key of the link and sets the
//! session's cookie. No other site can send that cookie, and no script can read it.

use super::key::{Key, SESSION};
use super::table::Kind;
use super::{Admin, page};
use crate::html::{Html, STYLE, file};
use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, RawQuery, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::net::SocketAddr;

const COOKIE: &str = "portico_admin";
const STYLE_PATH: &str = "/admin/page.css";
const LINK_COMMAND: &str = "portico admin link";

/// Forms go to this listener only, and there are no scripts.
pub(super) const POLICY: &str = "form-action 'self'";

/// Maximum size of the body of the form: a key and its name.
const LONGEST_FORM: usize = 1024;

pub(super) fn router() -> Router<Admin> {
    Router::new()
        .route("/", get(|| async { to_page() }))
        .route("/admin", get(show))
        .route("/admin/enter", get(ask).post(enter))
        .route("/admin/leave", post(leave))
        .route(STYLE_PATH, get(|| async { file("text/css; charset=utf-8", STYLE) }))
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
}

/// Lets in connections from this machine and from the configured networks; for others there is no page.
pub(super) async fn only_from_near(State(admin): State<Admin>, request: Request, next: Next) -> Response {
    let from = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(from)| from.ip().to_canonical());
    let networks = admin.state.admin_from();
    if from.is_some_and(|from| from.is_loopback() || networks.iter().any(|network| network.contains(&from))) {
        return next.run(request).await;
    }
    crate::no_such_path().into_response()
}

/// The database can't be reached or refuses: a page says so, because a person asked.
pub(super) struct NoDatabase;

impl From<sqlx::Error> for NoDatabase {
    fn from(error: sqlx::Error) -> NoDatabase {
        tracing::error!(%error, "the database failed");
        NoDatabase
    }
}

impl IntoResponse for NoDatabase {
    fn into_response(self) -> Response {
        let title = "The server can't reach its database";
        let next = "Check that the database is running, then reload this page. To find the cause, look into the server's log or run this command on the server.";
        simple(StatusCode::SERVICE_UNAVAILABLE, title, next, "portico doctor")
    }
}

async fn show(State(admin): State<Admin>, headers: HeaderMap) -> Result<Response, NoDatabase> {
    if let Some(key) = session(&headers)
        && opens(&admin, &key, Kind::Session).await?
    {
        return page::page(&admin).await;
    }
    Ok(closed("Sign in", "Run this command on the server, then open the link it prints."))
}

/// Page of the link, with the button that signs in. Whoever comes back to a used link with its session goes on to the page.
async fn ask(
    State(admin): State<Admin>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, NoDatabase> {
    let key = query.as_deref().and_then(|query| query.strip_prefix("key=")).and_then(Key::parse);
    let Some(key) = key else { return Ok(refused()) };
    if !opens(&admin, &key, Kind::Link).await? {
        let signed_in = match session(&headers) {
            Some(key) => opens(&admin, &key, Kind::Session).await?,
            None => false,
        };
        return Ok(if signed_in { to_page() } else { refused() });
    }
    let mut html = Html::page("Sign in to Portico", STYLE_PATH);
    html.raw("</head>\n<body>\n<main>\n<h1>Sign in to Portico</h1>\n<p>The link works once and signs you in for an hour.</p>\n");
    html.raw("<form method=\"post\" action=\"/admin/enter\">\n<input type=\"hidden\" name=\"key\" value=\"").text(key);
    html.raw("\">\n<button type=\"submit\">Sign in</button>\n</form>\n</main>\n</body>\n</html>\n");
    Ok(html.into_response(POLICY))
}

async fn opens(admin: &Admin, key: &Key, kind: Kind) -> Result<bool, NoDatabase> {
    Ok(key.opens(admin.state.database(), kind).await?)
}

async fn enter(State(admin): State<Admin>, body: String) -> Result<Response, NoDatabase> {
    let database = admin.state.database();
    let Some(link) = body.strip_prefix("key=").and_then(Key::parse) else { return Ok(refused()) };
    if !link.uses_up(database, Kind::Link).await? {
        tracing::warn!("refused a link to the admin page that is unknown, used or expired");
        return Ok(refused());
    }
    match Key::issue(database, Kind::Session).await {
        Ok(session) => {
            tracing::info!("an operator signed in to the admin page");
            Ok(with_cookie(&session.to_string(), SESSION.as_secs()))
        }
        Err(error) => {
            tracing::error!(%error, "couldn't sign an operator in");
            let next = "To get another link, run this command on the server.";
            Ok(simple(StatusCode::SERVICE_UNAVAILABLE, "Couldn't sign you in", next, LINK_COMMAND))
        }
    }
}

async fn leave(State(admin): State<Admin>, headers: HeaderMap) -> Result<Response, NoDatabase> {
    if let Some(key) = session(&headers) {
        key.uses_up(admin.state.database(), Kind::Session).await?;
    }
    Ok(with_cookie("", 0))
}

/// Key in the cookie of a session.
fn session(headers: &HeaderMap) -> Option<Key> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut named = cookies.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    named.find(|(name, _)| *name == COOKIE).and_then(|(_, value)| Key::parse(value))
}

fn with_cookie(value: &str, seconds: u64) -> Response {
    let cookie = format!("{COOKIE}={value}; Path=/admin; Max-Age={seconds}; HttpOnly; SameSite=Strict");
    let mut response = to_page();
    response.headers_mut().extend(HeaderValue::try_from(cookie).ok().map(|cookie| (header::SET_COOKIE, cookie)));
    response
}

fn to_page() -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, "/admin"), (header::CACHE_CONTROL, "no-store")]).into_response()
}

fn refused() -> Response {
    closed(
        "This link was used or has expired",
        "Each link works once, within 10 minutes. To get a new one, run this command on the server.",
    )
}

/// Page for somebody who is not signed in.
fn closed(title: &'static str, sentence: &'static str) -> Response {
    simple(StatusCode::UNAUTHORIZED, title, sentence, LINK_COMMAND)
}

/// Page of a heading, a paragraph and a command to run.
fn simple(status: StatusCode, title: &'static str, text: &'static str, command: &'static str) -> Response {
    let mut html = Html::page(title, STYLE_PATH);
    html.raw("</head>\n<body>\n<main>\n<h1>").raw(title).raw("</h1>\n<p>").raw(text);
    html.raw("</p>\n<pre>").raw(command).raw("</pre>\n</main>\n</body>\n</html>\n");
    let mut response = html.into_response(POLICY);
    *response.status_mut() = status;
    response
}
