//! Addresses of pictures through this server.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Path of a picture through this server, so that the host of the picture never sees a visitor's address. A `data:` URL of pixels stays
/// what it is: the page shows it without a request, and nobody makes this server decode what it was sent. Empty without a picture, for any
/// other `data:` URL, and for an address that is too long.
pub(crate) fn picture(url: &str) -> String {
    // Percent encoding takes up to three letters for one.
    if url.is_empty() || url.len() > LONGEST_PICTURE {
        return String::new();
    }
    if url.trim_start().get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
        let kind = url.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,")).map(|(kind, _)| kind);
        let pixels = kind.is_some_and(|kind| ["gif", "jpeg", "png", "webp"].contains(&kind));
        return if pixels { url.into() } else { String::new() };
    }
    let path = format!("/v1/image?url={}", utf8_percent_encode(url, NON_ALPHANUMERIC));
    if path.len() > LONGEST_PICTURE { String::new() } else { path }
}

/// In bytes. Proxies accept request lines of 8 KiB by default.
pub(crate) const LONGEST_PICTURE: usize = 7 * 1024;
