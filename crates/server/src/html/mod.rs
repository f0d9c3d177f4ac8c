//! Pages that the server writes itself. Text is always escaped: only markup that is in the source code is written as it is.

mod table;

use crate::language::Language;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};
use std::fmt::{Display, Write};
pub(crate) use table::Table;

/// Style of these pages.
pub(crate) const STYLE: &str = concat!(include_str!("colors.css"), include_str!("page.css"));

/// HTML under construction.
#[derive(Default)]
pub(crate) struct Html(String);

impl Html {
    /// Beginning of a page with this title; `style` is the path of [`STYLE`].
    pub(crate) fn page(title: &str, style: &'static str) -> Html {
        Html::page_in(Language::English, title, style)
    }

    /// The same in a language.
    pub(crate) fn page_in(language: Language, title: &str, style: &'static str) -> Html {
        let mut html = Html::default();
        html.raw("<!doctype html>\n<html lang=\"").raw(language.tag()).raw("\" dir=\"").raw(language.direction());
        html.raw("\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.raw("<meta name=\"color-scheme\" content=\"dark light\">\n<title>").text(title).raw("</title>\n");
        html.raw("<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"").raw(style).raw("\">\n");
        html
    }

    /// Writes markup, which no request, database or file can choose.
    pub(crate) fn raw(&mut self, markup: &'static str) -> &mut Html {
        self.0.push_str(markup);
        self
    }

    /// Writes a text, escaped for elements and for attributes in quotation marks.
    pub(crate) fn text(&mut self, text: impl Display) -> &mut Html {
        // Writing to a String cannot fail.
        let _ = write!(Escaped(&mut self.0), "{text}");
        self
    }

    /// What was written so far.
    pub(crate) fn into_text(self) -> String {
        self.0
    }

    /// The page as a response that no cache keeps and no other page can frame. It may load only what `policy` adds.
    pub(crate) fn into_response(self, policy: &str) -> Response {
        let policy = format!(
            "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; {policy}"
        );
        let head = [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CONTENT_SECURITY_POLICY, &policy),
            (CACHE_CONTROL, "no-store"),
            (REFERRER_POLICY, "no-referrer"),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        ];
        (head, self.0).into_response()
    }
}

/// File that belongs to such a page.
pub(crate) fn file(kind: &'static str, text: &'static str) -> Response {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache"), (X_CONTENT_TYPE_OPTIONS, "nosniff")], text).into_response()
}

struct Escaped<'a>(&'a mut String);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for letter in text.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                // Letters that change the direction of what follows could disguise an address.
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => self.0.push('\u{fffd}'),
                letter => self.0.push(letter),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_never_markup() {
        let mut html = Html::default();
        html.raw("<p title=\"").text("\" onload='x'").raw("\">").text("<script>&amp;</script>").raw("</p>");
        let expected = "<p title=\"&quot; onload=&#39;x&#39;\">&lt;script&gt;&amp;amp;&lt;/script&gt;</p>";
        assert_eq!(html.0, expected);
    }

    #[test]
    fn a_text_cannot_turn_the_direction_of_what_follows() {
        let mut html = Html::default();
        html.text("https://a\u{202e}moc.elpmaxe");
        assert_eq!(html.0, "https://a\u{fffd}moc.elpmaxe");
    }
}
