//! Top of the wallet's pages, which are one card each: a picture, a title and a sentence.

use crate::html::Html;

/// Picture of a page.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    /// The visitor decides.
    Asked,
    Done,
    /// It was declined, or ended.
    Over,
}

impl Mark {
    /// Writes the top of a card.
    pub(super) fn head(self, html: &mut Html, title: &'static str, sentence: &'static str) {
        let mark = match self {
            Mark::Asked => {
                "<path d=\"M12 3l7 3v5c0 4.5-3 8.2-7 10-4-1.8-7-5.5-7-10V6z\"/><path d=\"M12 8.5v4M12 16v.01\"/>"
            }
            Mark::Done => "<path class=\"good\" d=\"M5 12.5l4.5 4.5L19 7.5\"/>",
            Mark::Over => "<path d=\"M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 8v4.5M12 16v.01\"/>",
        };
        html.raw("<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\">").raw(mark).raw("</svg>\n<h1>").raw(title);
        html.raw("</h1>\n<p>").raw(sentence).raw("</p>\n");
    }
}
