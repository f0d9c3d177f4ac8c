//! Links that pass a pairing to a wallet: `<scheme>://wc?uri=…`, or the same path below a universal link of its app.

use crate::http::encode;

/// Base for links from a wallet's own link: ends in a slash, without query or fragment.
pub fn base(link: &str) -> Option<String> {
    match link {
        _ if link.contains(['?', '#']) => None,
        _ if link.ends_with('/') => Some(link.into()),
        _ => Some([link, "/"].concat()),
    }
}

/// Link that passes a pairing URI to a wallet. Telegram on Android removes one layer of encoding, so there it gets two.
pub fn to_pair(base: &str, uri: &str, twice: bool) -> String {
    let once = component(uri);
    [base, "wc?uri=", &if twice { component(&once) } else { once }].concat()
}

/// Link that brings the wallet of a session to the front.
pub fn to_session(base: &str, topic: &str) -> String {
    [base, "wc?sessionTopic=", topic].concat()
}

/// Same encoding as `encodeURIComponent`.
pub(super) fn component(text: &str) -> String {
    encode(text).replace(':', "%3A")
}
