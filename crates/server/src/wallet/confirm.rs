//! The page that a mail's link opens when the visitor does something in the settings. As with the approval of a device, only the button's POST
//! decides.

use super::approve::{POLICY, told, value};
use super::{STYLE_PATH, Wallet, alone, forward};
use crate::guard::open::Visitor;
use crate::html::Html;
use crate::vault::{ConfirmationDecision, ConfirmationShown, Confirming, DECIDE_CONFIRMATION, SHOW_CONFIRMATION};
use crate::{AppState, Failure};
use axum::extract::{Extension, RawQuery, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use portico_json::{Read, parse, to_text};
use std::sync::Arc;

/// Largest form in bytes.
const LARGEST_FORM: usize = 1024;

/// `GET /confirm?t=…`: shows the request and changes nothing.
pub(super) async fn show(
    Extension(wallet): Extension<Arc<Wallet>>,
    _: Visitor,
    RawQuery(query): RawQuery,
) -> Result<Response, Failure> {
    let token = value(query.as_deref().unwrap_or_default(), "t").to_owned();
    let shown = to_text(&ConfirmationShown { token: token.clone() });
    let (status, body) = forward::ask(&wallet, SHOW_CONFIRMATION, shown).await?;
    match confirming(status, &body) {
        Some(found) if found.open => Ok(asked(&found, &token)),
        Some(_) => Ok(told(StatusCode::OK, "This request was answered", "You can close this page.")),
        None => Ok(missing(status)),
    }
}

/// `POST /confirm`: the visitor's decision.
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
    let decision = to_text(&ConfirmationDecision { token, approve });
    let (status, body) = forward::ask(&wallet, DECIDE_CONFIRMATION, decision).await?;
    Ok(match (confirming(status, &body), approve) {
        (Some(_), true) => {
            told(StatusCode::OK, "Request confirmed", "Go back to your wallet. You can close this page.")
        }
        (Some(_), false) => told(StatusCode::OK, "Request declined", "Nothing was changed. You can close this page."),
        (None, _) => missing(status),
    })
}

fn confirming(status: StatusCode, body: &str) -> Option<Confirming> {
    Confirming::read(&parse(body).ok()?).ok().filter(|_| status.is_success())
}

fn asked(found: &Confirming, token: &str) -> Response {
    let mut html = Html::page("Confirm this request?", STYLE_PATH);
    html.raw("</head>\n<body>\n<main>\n<h1>");
    html.raw(match found.deed.as_str() {
        "export" => "Show the recovery phrase?</h1>\n<p>Whoever sees it can take everything in your wallet. ",
        _ => "Change the security of your wallet?</h1>\n<p>",
    });
    html.raw("Confirm it only if you started it, and the number matches the one you see there.</p>\n");
    html.raw("<dl class=\"card\">\n<dt>Number</dt><dd><strong>").text(&found.number);
    html.raw("</strong></dd>\n<dt>Site</dt><dd>").text(&found.host);
    html.raw("</dd>\n<dt>Browser</dt><dd>").text(&found.browser);
    html.raw("</dd>\n<dt>Network</dt><dd>").text(&found.place);
    html.raw("</dd>\n</dl>\n<form method=\"post\" action=\"/confirm\">\n<input type=\"hidden\" name=\"t\" value=\"")
        .text(token);
    html.raw("\">\n<p><button type=\"submit\" name=\"decision\" value=\"approve\">Confirm</button>\n");
    html.raw("<button type=\"submit\" name=\"decision\" value=\"decline\">Decline</button></p>\n</form>\n</main>\n</body>\n</html>\n");
    alone(html.into_response(POLICY))
}

fn missing(status: StatusCode) -> Response {
    match status {
        StatusCode::GONE | StatusCode::BAD_REQUEST => {
            told(StatusCode::GONE, "This link has expired", "Go back to your wallet and start again.")
        }
        StatusCode::CONFLICT => told(status, "This request was answered", "You can close this page."),
        _ => told(StatusCode::SERVICE_UNAVAILABLE, "Couldn't load this request", "Try again in a minute."),
    }
}
