//! Routes in words for people: the patterns of the router are a language of their own.

use crate::guard::request_id::FILES;
use crate::html::Html;

/// Writes the name of a route. A narrow column breaks a path after its slashes.
pub(super) fn put(html: &mut Html, route: &str) {
    match route {
        "/v1/{*rest}" => html.text("other paths of /v1"),
        FILES => html.text("static files"),
        _ => {
            html.raw("<code>");
            for (number, part) in route.split_inclusive('/').enumerate() {
                html.raw(if number > 1 { "<wbr>" } else { "" }).text(plain(part));
            }
            html.raw("</code>")
        }
    };
}

/// Part of a path, with an ellipsis for a part that differs between requests.
fn plain(part: &str) -> &str {
    match (part.starts_with('{'), part.ends_with('/')) {
        (true, true) => "…/",
        (true, false) => "…",
        (false, _) => part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_written_without_the_names_of_its_parts_and_breaks_after_slashes() {
        for (route, told) in [
            ("/v1", "<code>/v1</code>"),
            ("/frame/v4/{hash}/{*path}", "<code>/frame/<wbr>v4/<wbr>…/<wbr>…</code>"),
            ("/v1/{*rest}", "other paths of /v1"),
            (FILES, "static files"),
        ] {
            let mut html = Html::default();
            put(&mut html, route);
            assert_eq!(html.into_text(), told);
        }
    }
}
