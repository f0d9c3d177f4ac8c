//! The page to which another service sends the visitor back. It hands a code of ours to the host page that opened it, and says how to go on where
//! there is no such page. Where the vault has a question, the visitor approves first.

use super::mark::Mark;
use super::{STYLE_PATH, Wallet, asks, forward};
use crate::Failure;
use crate::guard::open::Visitor;
use crate::html::{Html, file};
use crate::language::Language;
use crate::vault::{Asking, BACK, Back, ELSEWHERE, Returned};
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
    visitor: Visitor,
    Path(provider): Path<String>,
    headers: HeaderMap,
    uri: axum::http::Uri,
) -> Result<Response, Failure> {
    end(&wallet, &visitor, provider, &headers, uri.query().unwrap_or_default()).await
}

/// The same as a form, which is how Apple sends visitors back.
pub(super) async fn posted(
    Extension(wallet): Extension<Arc<Wallet>>,
    visitor: Visitor,
    Path(provider): Path<String>,
    headers: HeaderMap,
    RawForm(form): RawForm,
) -> Result<Response, Failure> {
    end(&wallet, &visitor, provider, &headers, &String::from_utf8_lossy(&form)).await
}

async fn end(
    wallet: &Wallet,
    visitor: &Visitor,
    provider: String,
    headers: &HeaderMap,
    form: &str,
) -> Result<Response, Failure> {
    let value = |name: &str| {
        let form = Url::parse(&format!("form:?{form}")).ok()?;
        form.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    };
    let code = value("code").filter(|_| value("error").is_none());
    let returned = Returned { provider, state: value("state").unwrap_or_default(), code };
    let body = to_text(&returned);
    let (status, body) = forward::ask_of(wallet, visitor.address(), BACK, headers, body).await?;
    let back = parse(&body).ok().and_then(|value| Back::read(&value).ok()).filter(|_| status.is_success());
    let language = forward::language(headers);
    let words = words(language);
    Ok(match back {
        Some(back) => handed(language, &returned.provider, &back),
        None if status == StatusCode::GONE => told(status, language, words.ended),
        None => told(StatusCode::BAD_GATEWAY, language, words.failed),
    })
}

/// Title and sentence of each page.
struct Words {
    new_device: (&'static str, &'static str),
    elsewhere: (&'static str, &'static str),
    approve: &'static str,
    done: (&'static str, &'static str),
    canceled: (&'static str, &'static str),
    ended: (&'static str, &'static str),
    failed: (&'static str, &'static str),
}

fn words(language: Language) -> Words {
    match language {
        Language::English => Words {
            new_device: (
                "Approve this login?",
                "Your wallet hasn't been opened in this browser before. Approve only if you started this login.",
            ),
            elsewhere: (
                "Is this your login?",
                "It was started in another browser or on another network. Approving it opens your wallet there, so decline it if you aren't sure.",
            ),
            approve: "Approve",
            done: ("Logged in", "Go back to the site. You can close this window."),
            canceled: ("Login canceled", "Go back to the site. You can close this window."),
            ended: ("This login has ended", "Go back to the site and log in again."),
            failed: ("Couldn't log in", "Go back to the site and try again in a minute."),
        },
        Language::Arabic => Words {
            new_device: (
                "هل توافق على تسجيل الدخول هذا؟",
                "لم تُفتح محفظتك في هذا المتصفح من قبل. وافق فقط إذا كنت أنت من بدأ تسجيل الدخول هذا.",
            ),
            elsewhere: (
                "هل تسجيل الدخول هذا لك؟",
                "بدأ في متصفح آخر أو على شبكة أخرى. الموافقة عليه تفتح محفظتك هناك، فارفضه إن لم تكن متأكدًا.",
            ),
            approve: "موافقة",
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
    let title = match &back.question {
        Some(question) => question_words(&words, question).0,
        None if back.code.is_some() => words.done.0,
        None => words.canceled.0,
    };
    let mut html = Html::page_in(language, title, STYLE_PATH);
    html.raw("<script type=\"module\" src=\"/wallet/callback.js\"></script>\n</head>\n<body data-host=\"")
        .text(&back.host);
    html.raw("\" data-back=\"").text(back.back.as_deref().unwrap_or_default());
    html.raw("\" data-provider=\"").text(provider);
    html.raw("\" data-code=\"").text(back.code.as_deref().unwrap_or_default()).raw("\">\n");
    let is_asked = back.question.is_some();
    if let Some(question) = &back.question {
        asked(&mut html, language, &words, question);
    }
    if back.code.is_some() {
        end_card(&mut html, "done", is_asked, Mark::Done, words.done);
    }
    if back.code.is_none() || is_asked {
        end_card(&mut html, "canceled", is_asked, Mark::Over, words.canceled);
    }
    html.raw("</body>\n</html>\n");
    html.into_response(POLICY)
}

/// Card with the result of the login; hidden until the visitor has answered a question.
fn end_card(html: &mut Html, id: &'static str, is_hidden: bool, mark: Mark, words: (&'static str, &'static str)) {
    html.raw("<main class=\"card ask\" id=\"").raw(id).raw(if is_hidden { "\" hidden>\n" } else { "\">\n" });
    mark.head(html, words.0, words.1);
    html.raw("</main>\n");
}

fn question_words<'a>(words: &'a Words, question: &Asking) -> &'a (&'static str, &'static str) {
    if question.deed == ELSEWHERE { &words.elsewhere } else { &words.new_device }
}

/// The question, and buttons that the script enables once the page has stood still: a double click on the service's page decides nothing.
fn asked(html: &mut Html, language: Language, words: &Words, question: &Asking) {
    let labels = asks::words::of(language);
    let (title, sentence) = question_words(words, question);
    html.raw("<main class=\"card ask\" id=\"question\">\n");
    Mark::Asked.head(html, title, sentence);
    asks::details(html, language, labels, question);
    html.raw("<form>\n<button class=\"quiet\" type=\"button\" id=\"decline\">").raw(labels.decline);
    html.raw("</button>\n<button type=\"button\" id=\"approve\" disabled>").raw(words.approve);
    html.raw("</button>\n</form>\n</main>\n");
}

fn told(status: StatusCode, language: Language, (title, sentence): (&'static str, &'static str)) -> Response {
    let mut html = Html::page_in(language, title, STYLE_PATH);
    html.raw("</head>\n<body>\n<main class=\"card ask\">\n");
    Mark::Over.head(&mut html, title, sentence);
    html.raw("</main>\n</body>\n</html>\n");
    (status, html.into_response("")).into_response()
}
