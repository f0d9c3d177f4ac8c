//! Addresses of pictures through this server.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Path of a picture through this server, so that the host of the picture never sees a visitor's address. Empty without a picture, for
/// a `data:` URL, and for an address that is too long for a query.
pub(crate) fn picture(url: &str) -> String {
    // Percent encoding takes up to three letters for one.
    let inline = url.trim_start().get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    if url.is_empty() || inline || url.len() > LONGEST_PICTURE {
        return String::new();
    }
    let path = format!("/v1/image?url={}", utf8_percent_encode(url, NON_ALPHANUMERIC));
    if path.len() > LONGEST_PICTURE { String::new() } else { path }
}

/// In bytes. Proxies accept request lines of 8 KiB by default.
const LONGEST_PICTURE: usize = 7 * 1024;
