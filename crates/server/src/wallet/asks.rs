//! The pages that links of mails open: one approves a device, one confirms what a visitor does in the settings, one cancels the change of an
//! address. They show who asks, and a button; only the button's POST decides. They are in the language of the mail, or in that of the browser where no mail is known.

pub(super) mod words;

use super::mark::Mark;
use super::{STYLE_PATH, Wallet, alone, forward};
use crate::guard::open::Visitor;
use crate::html::Html;
use crate::language::Language;
use crate::vault::{
    Asking, DECIDE, DECIDE_CONFIRMATION, DECIDE_UNDO, Decision, SHOW, SHOW_CONFIRMATION, SHOW_UNDO, Shown,
};
use crate::{AppState, Failure};
use axum::Router;
use axum::extract::{Extension, RawQuery, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use portico_json::{Read, parse, to_text};
use std::sync::Arc;
use words::{Deed, Words};

const POLICY: &str = "form-action 'self'";
/// Largest form in bytes.
const LARGEST_FORM: usize = 1024;

/// One of the pages.
#[derive(Clone, Copy)]
struct Page {
    path: &'static str,
    /// Paths at which the vault tells and decides.
    show: &'static str,
    decide: &'static str,
    /// Texts where the vault tells nothing.
    deed: Deed,
}

const PAGES: [Page; 3] = [
    Page { path: "/approve", show: SHOW, decide: DECIDE, deed: Deed::Login },
    Page { path: "/confirm", show: SHOW_CONFIRMATION, decide: DECIDE_CONFIRMATION, deed: Deed::Change },
    Page { path: "/cancel", show: SHOW_UNDO, decide: DECIDE_UNDO, deed: Deed::Email },
];

pub(super) fn router() -> Router<AppState> {
    PAGES
        .into_iter()
        .fold(Router::new(), |router, page| router.route(page.path, get(show).post(decide).layer(Extension(page))))
}

/// `GET …?t=…`: shows the request and changes nothing.
async fn show(
    Extension(page): Extension<Page>,
    Extension(wallet): Extension<Arc<Wallet>>,
    _: Visitor,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Failure> {
    let token = value(query.as_deref().unwrap_or_default(), "t").to_owned();
    let (status, body) = forward::ask(&wallet, page.show, to_text(&Shown { token: token.clone() })).await?;
    let Some(found) = asking(status, &body) else { return Ok(missing(page, status, &headers)) };
    let (language, deed) = (language(&found, &headers), Deed::of(&found.deed));
    let words = words::of(language);
    Ok(match found.open {
        true => asked(page, language, deed, &found, &token),
        false => told(StatusCode::OK, language, words.deed(deed).answered, words.close),
    })
}

/// `POST …`: the visitor's decision.
async fn decide(
    State(state): State<AppState>,
    Extension(page): Extension<Page>,
    Extension(wallet): Extension<Arc<Wallet>>,
    visitor: Visitor,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Failure> {
    let mut room = state.memory().of(Some(visitor.address())).share();
    let body = crate::guard::body::read_within(request, &mut room, LARGEST_FORM).await?;
    let form = String::from_utf8_lossy(&body);
    let (token, approve) = (value(&form, "t").to_owned(), value(&form, "decision") == "approve");
    let decision = to_text(&Decision { token, approve });
    let (status, body) = forward::ask_of(&wallet, visitor.address(), page.decide, &headers, decision).await?;
    let Some(found) = asking(status, &body) else { return Ok(missing(page, status, &headers)) };
    Ok(decided(language(&found, &headers), approve, &found))
}

fn asking(status: StatusCode, body: &str) -> Option<Asking> {
    Asking::read(&parse(body).ok()?).ok().filter(|_| status.is_success())
}

/// Value of a field of a form or query; tokens and decisions need no escapes, so an escaped one is none.
fn value<'a>(form: &'a str, name: &str) -> &'a str {
    let pairs = form.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)
}

fn language(found: &Asking, headers: &HeaderMap) -> Language {
    if found.language.is_empty() { forward::language(headers) } else { Language::of(&found.language) }
}

fn asked(page: Page, language: Language, deed: Deed, found: &Asking, token: &str) -> Response {
    let words = words::of(language);
    let texts = words.deed(deed);
    let mut html = card(language, Mark::Asked, texts.title, texts.hint);
    details(&mut html, language, words, found);
    html.raw("<form method=\"post\" action=\"").raw(page.path);
    html.raw("\">\n<input type=\"hidden\" name=\"t\" value=\"").text(token);
    html.raw("\">\n<button class=\"quiet\" type=\"submit\" name=\"decision\" value=\"decline\">");
    html.raw(texts.decline.unwrap_or(words.decline));
    html.raw("</button>\n<button type=\"submit\" name=\"decision\" value=\"approve\">").raw(texts.button);
    html.raw("</button>\n</form>\n");
    end(html)
}

/// The request after the decision.
fn decided(language: Language, approved: bool, found: &Asking) -> Response {
    let words = words::of(language);
    let texts = words.deed(Deed::of(&found.deed));
    let (mark, (title, sentence)) = if approved { (Mark::Done, texts.approved) } else { (Mark::Over, texts.declined) };
    let mut html = card(language, mark, title, sentence);
    details(&mut html, language, words, found);
    end(html)
}

/// Page where the vault tells nothing about the request.
fn missing(page: Page, status: StatusCode, headers: &HeaderMap) -> Response {
    let language = forward::language(headers);
    let words: &Words = words::of(language);
    let texts = words.deed(page.deed);
    match status {
        StatusCode::GONE | StatusCode::BAD_REQUEST => told(StatusCode::GONE, language, words.expired, texts.again),
        StatusCode::CONFLICT => told(status, language, texts.answered, words.close),
        _ => told(StatusCode::SERVICE_UNAVAILABLE, language, texts.failed, words.later),
    }
}

fn told(status: StatusCode, language: Language, title: &'static str, sentence: &'static str) -> Response {
    (status, end(card(language, Mark::Over, title, sentence))).into_response()
}

/// Beginning of a page that is one card.
fn card(language: Language, mark: Mark, title: &'static str, sentence: &'static str) -> Html {
    let mut html = Html::page_in(language, title, STYLE_PATH);
    html.raw("</head>\n<body>\n<main class=\"card ask\">\n");
    mark.head(&mut html, title, sentence);
    html
}

fn end(mut html: Html) -> Response {
    html.raw("</main>\n</body>\n</html>\n");
    alone(html.into_response(POLICY))
}

/// Number to compare, and who asks.
pub(super) fn details(html: &mut Html, language: Language, words: &Words, found: &Asking) {
    if !found.number.is_empty() {
        html.raw("<p class=\"match\"><span>").raw(words.number).raw("</span> <strong>").text(&found.number);
        html.raw("</strong></p>\n");
    }
    html.raw("<dl>\n");
    let rows = [
        (words.site, found.host.clone()),
        (words.browser, language.browser(&found.browser)),
        (words.time, language.time(found.at)),
        (words.address, found.place.clone()),
    ];
    for (label, text) in rows.into_iter().filter(|(_, text)| !text.is_empty()) {
        // Addresses are written from left to right in every language; dates and names in it are not.
        let own = if text.is_ascii() { "<bdi>" } else { "<bdi dir=\"rtl\">" };
        html.raw("<dt>").raw(label).raw("</dt><dd>").raw(own).text(text).raw("</bdi></dd>\n");
    }
    html.raw("</dl>\n");
}
