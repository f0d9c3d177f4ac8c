//! Page of the mails that a server without a mail server keeps, for demo and development.

use super::{STYLE_PATH, Wallet, forward};
use crate::Failure;
use crate::error::json;
use crate::guard::open::Visitor;
use crate::html::Html;
use crate::vault::{Kept, OUTBOX};
use axum::extract::Extension;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use jiff::Timestamp;
use portico_json::{Read, parse};
use std::sync::Arc;

/// `GET /outbox.json`: the same for programs.
pub(super) async fn list(
    Extension(wallet): Extension<Arc<Wallet>>,
    _: Visitor,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    check(&wallet, &headers)?;
    let (status, body) = forward::ask(&wallet, OUTBOX, String::new()).await?;
    Ok(json(status, body))
}

/// `GET /outbox`
pub(super) async fn page(
    Extension(wallet): Extension<Arc<Wallet>>,
    _: Visitor,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    check(&wallet, &headers)?;
    let (_, body) = forward::ask(&wallet, OUTBOX, String::new()).await?;
    let kept = parse(&body).ok().and_then(|value| Vec::<Kept>::read(&value).ok());
    let kept = kept.ok_or_else(|| Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", "The outbox can't be read"))?;
    Ok(drawn(&kept).into_response("form-action 'none'"))
}

fn drawn(kept: &[Kept]) -> Html {
    let mut html = Html::page("Outbox", STYLE_PATH);
    html.raw("<meta http-equiv=\"refresh\" content=\"3\">\n</head>\n<body>\n<main>\n<h1>Outbox</h1>\n");
    html.raw("<p>These emails stay on this machine. To send them, set a mail server in portico.toml.</p>\n");
    if kept.is_empty() {
        html.raw("<p>No emails yet.</p>\n");
    }
    for mail in kept {
        let at = Timestamp::from_millisecond(mail.at).unwrap_or_default();
        // Each mail is in the language of its visitor, which may be written from right to left.
        html.raw("<h2 dir=\"auto\">").text(&mail.subject).raw("</h2>\n<p>To ").text(&mail.to).raw(", ");
        html.text(at.strftime("%H:%M:%S")).raw(" UTC</p>\n<div class=\"card\"><pre class=\"prose\" dir=\"auto\">");
        written(&mut html, &mail.text);
        html.raw("</pre></div>\n");
    }
    html.raw("</main>\n</body>\n</html>\n");
    html
}

/// Refuses requests for another host: a page of another site whose name leads to this machine (DNS rebinding) could read codes.
fn check(wallet: &Wallet, headers: &HeaderMap) -> Result<(), Failure> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let own = wallet.origin.split_once("://").is_some_and(|(_, own)| own.eq_ignore_ascii_case(host));
    if own { Ok(()) } else { Err(crate::no_such_path()) }
}

/// Writes a text whose lines that are links can be clicked.
fn written(html: &mut Html, text: &str) {
    for line in text.lines() {
        match line.starts_with("http://") {
            true => html.raw("<a href=\"").text(line).raw("\">").text(line).raw("</a>\n"),
            false => html.text(line).raw("\n"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mail_is_written_in_the_direction_of_its_language() {
        let mail = Kept {
            subject: "وافق".into(), text: "مرحبًا\nhttp://localhost/approve".into(), ..Kept::default()
        };
        let page = drawn(&[mail]).into_text();
        assert!(page.contains("<h2 dir=\"auto\">وافق</h2>"), "{page}");
        assert!(
            page.contains("<pre class=\"prose\" dir=\"auto\">مرحبًا\n<a href=\"http://localhost/approve\">"),
            "{page}"
        );
    }
}
