//! The page to which another service sends the visitor back. It hands a code of ours to the host page that opened it, and says how to go on where
//! there is no such page.

use super::mark::Mark;
use super::{STYLE_PATH, Wallet, forward};
use crate::Failure;
use crate::guard::open::Visitor;
use crate::html::{Html, file};
use crate::language::Language;
use crate::vault::{BACK, Back, Returned};
use axum::extract::{Extension, Path, RawForm};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use portico_json::{Read, parse, to_text};
use reqwest::Url;
use std::sync::Arc;

pub(super) const SCRIPT_PATH: &str = "/wallet/callback.js";
const POLICY: &str = "script-src 'self'";
const SCRIPT: &str = include_str!("callback.js");

/// The script of the page.
pub(super) async fn script() -> Response {
    file("text/javascript; charset=utf-8", SCRIPT)
}

/// `GET /wallet/callback/{provider}?code=…&state=…`
pub(super) async fn returned(
    Extension(wallet): Extension<Arc<Wallet>>,
    _: Visitor,
    Path(provider): Path<String>,
    headers: HeaderMap,
    uri: axum::http::Uri,
) -> Result<Response, Failure> {
    end(&wallet, provider, forward::language(&headers), uri.query().unwrap_or_default()).await
}

/// The same as a form, which is how Apple sends visitors back.
pub(super) async fn posted(
    Extension(wallet): Extension<Arc<Wallet>>,
    _: Visitor,
    Path(provider): Path<String>,
    headers: HeaderMap,
    RawForm(form): RawForm,
) -> Result<Response, Failure> {
    end(&wallet, provider, forward::language(&headers), &String::from_utf8_lossy(&form)).await
}

async fn end(wallet: &Wallet, provider: String, language: Language, form: &str) -> Result<Response, Failure> {
    let value = |name: &str| {
        let form = Url::parse(&format!("form:?{form}")).ok()?;
        form.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    };
    let code = value("code").filter(|_| value("error").is_none());
    let returned = Returned { provider, state: value("state").unwrap_or_default(), code };
    let (status, body) = forward::ask(wallet, BACK, to_text(&returned)).await?;
    let back = parse(&body).ok().and_then(|value| Back::read(&value).ok()).filter(|_| status.is_success());
    let words = words(language);
    Ok(match back {
        Some(back) => handed(language, &returned.provider, &back),
        None if status == StatusCode::GONE => told(status, language, words.ended),
        None => told(StatusCode::BAD_GATEWAY, language, words.failed),
    })
}

/// Title and sentence of each page.
struct Words {
    done: (&'static str, &'static str),
    canceled: (&'static str, &'static str),
    ended: (&'static str, &'static str),
    failed: (&'static str, &'static str),
}

fn words(language: Language) -> Words {
    match language {
        Language::English => Words {
            done: ("Logged in", "Go back to the site. You can close this window."),
            canceled: ("Login canceled", "Go back to the site. You can close this window."),
            ended: ("This login has ended", "Go back to the site and log in again."),
            failed: ("Couldn't log in", "Go back to the site and try again in a minute."),
        },
        Language::Arabic => Words {
            done: ("تم تسجيل الدخول", "عُد إلى الموقع. يمكنك إغلاق هذه النافذة."),
            canceled: ("أُلغي تسجيل الدخول", "عُد إلى الموقع. يمكنك إغلاق هذه النافذة."),
            ended: ("انتهى تسجيل الدخول هذا", "عُد إلى الموقع وسجّل الدخول من جديد."),
            failed: ("تعذّر تسجيل الدخول", "عُد إلى الموقع وحاول مجددًا بعد دقيقة."),
        },
    }
}

/// The host is the origin of the page that began the login, as the vault kept it.
fn handed(language: Language, provider: &str, back: &Back) -> Response {
    let words = words(language);
    let (mark, (title, sentence)) =
        if back.code.is_some() { (Mark::Done, words.done) } else { (Mark::Over, words.canceled) };
    let mut html = Html::page_in(language, title, STYLE_PATH);
    html.raw("<script type=\"module\" src=\"/wallet/callback.js\"></script>\n</head>\n<body>\n");
    html.raw("<main class=\"card ask\" data-host=\"").text(&back.host);
    html.raw("\" data-back=\"").text(back.back.as_deref().unwrap_or_default());
    html.raw("\" data-provider=\"").text(provider);
    html.raw("\" data-code=\"").text(back.code.as_deref().unwrap_or_default()).raw("\">\n");
    mark.head(&mut html, title, sentence);
    html.raw("</main>\n</body>\n</html>\n");
    html.into_response(POLICY)
}

fn told(status: StatusCode, language: Language, (title, sentence): (&'static str, &'static str)) -> Response {
    let mut html = Html::page_in(language, title, STYLE_PATH);
    html.raw("</head>\n<body>\n<main class=\"card ask\">\n");
    Mark::Over.head(&mut html, title, sentence);
    html.raw("</main>\n</body>\n</html>\n");
    (status, html.into_response("")).into_response()
}
