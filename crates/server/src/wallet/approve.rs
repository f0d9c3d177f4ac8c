//! The page that a mail's link opens. It shows who asks, and a button; only the button's POST approves.

use super::{STYLE_PATH, Wallet, alone, forward};
use crate::guard::open::Visitor;
use crate::html::Html;
use crate::vault::{Approving, DECIDE, Decision, SHOW, Shown};
use crate::{AppState, Failure};
use axum::extract::{Extension, RawQuery, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use portico_json::{Read, parse, to_text};
use std::sync::Arc;

pub(super) const POLICY: &str = "form-action 'self'";
/// Largest form in bytes.
const LARGEST_FORM: usize = 1024;

/// `GET /approve?t=…`: shows the request and changes nothing.
pub(super) async fn show(
    Extension(wallet): Extension<Arc<Wallet>>,
    _: Visitor,
    RawQuery(query): RawQuery,
) -> Result<Response, Failure> {
    let token = value(query.as_deref().unwrap_or_default(), "t").to_owned();
    let (status, body) = forward::ask(&wallet, SHOW, to_text(&Shown { token: token.clone() })).await?;
    match approving(status, &body) {
        Some(found) if found.open => Ok(asked(&found, &token)),
        Some(_) => Ok(told(StatusCode::OK, "This login was answered", "You can close this page.")),
        None => Ok(missing(status)),
    }
}

/// `POST /approve`: the visitor's decision.
pub(super) async fn decide(
    State(state): State<AppState>,
    Extension(wallet): Extension<Arc<Wallet>>,
    visitor: Visitor,
    request: Request,
) -> Result<Response, Failure> {
    let mut room = state.memory().of(Some(visitor.address())).share();
    let body = crate::guard::body::read_within(request, &mut room, LARGEST_FORM).await?;
    let form = String::from_utf8_lossy(&body);
    let (token, approve) = (value(&form, "t").to_owned(), value(&form, "decision") == "approve");
    let (status, body) = forward::ask(&wallet, DECIDE, to_text(&Decision { token, approve })).await?;
    Ok(match (approving(status, &body), approve) {
        (Some(_), true) => {
            let next = "We sent a code to your email. Enter it where you started, then close this page.";
            told(StatusCode::OK, "Login approved", next)
        }
        (Some(_), false) => told(StatusCode::OK, "Login declined", "Nobody got in. You can close this page."),
        (None, _) => missing(status),
    })
}

fn approving(status: StatusCode, body: &str) -> Option<Approving> {
    Approving::read(&parse(body).ok()?).ok().filter(|_| status.is_success())
}

/// Value of a field of a form or query; tokens and decisions need no escapes, so an escaped one is none.
pub(super) fn value<'a>(form: &'a str, name: &str) -> &'a str {
    let pairs = form.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)
}

fn asked(found: &Approving, token: &str) -> Response {
    let mut html = Html::page("Approve this login?", STYLE_PATH);
    html.raw("</head>\n<body>\n<main>\n<h1>Approve this login?</h1>\n<p>Approve it only if you started it, and the number matches the one you see there.</p>\n");
    html.raw("<dl class=\"card\">\n<dt>Number</dt><dd><strong>").text(&found.number);
    html.raw("</strong></dd>\n<dt>Site</dt><dd>").text(&found.host);
    html.raw("</dd>\n<dt>Browser</dt><dd>").text(&found.browser);
    html.raw("</dd>\n<dt>Network</dt><dd>").text(&found.place);
    html.raw("</dd>\n</dl>\n<form method=\"post\" action=\"/approve\">\n<input type=\"hidden\" name=\"t\" value=\"")
        .text(token);
    html.raw("\">\n<p><button type=\"submit\" name=\"decision\" value=\"approve\">Approve</button>\n");
    html.raw("<button class=\"quiet\" type=\"submit\" name=\"decision\" value=\"decline\">Decline</button></p>\n</form>\n</main>\n</body>\n</html>\n");
    alone(html.into_response(POLICY))
}

fn missing(status: StatusCode) -> Response {
    match status {
        StatusCode::GONE | StatusCode::BAD_REQUEST => {
            told(StatusCode::GONE, "This link has expired", "Go back to the site and log in again.")
        }
        StatusCode::CONFLICT => told(status, "This login was answered", "You can close this page."),
        _ => told(StatusCode::SERVICE_UNAVAILABLE, "Couldn't load this login", "Try again in a minute."),
    }
}

pub(super) fn told(status: StatusCode, title: &'static str, sentence: &'static str) -> Response {
    let mut html = Html::page(title, STYLE_PATH);
    html.raw("</head>\n<body>\n<main>\n<h1>").raw(title).raw("</h1>\n<p>").raw(sentence);
    html.raw("</p>\n</main>\n</body>\n</html>\n");
    (status, alone(html.into_response(POLICY))).into_response()
}
