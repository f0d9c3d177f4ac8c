//! Links that hand a pairing over to a wallet: `<scheme>://wc?uri=…`, or the same below an address that its app takes over.

use crate::http::encode;

/// A wallet's own link as the start of others: it ends in a slash, and nothing stands behind its path.
pub fn base(link: &str) -> Option<String> {
    match link {
        _ if link.contains(['?', '#']) => None,
        _ if link.ends_with('/') => Some(link.into()),
        _ => Some([link, "/"].concat()),
    }
}

/// The link to which a pairing is added. Telegram on Android takes one layer of encoding away, so there it has two.
pub fn to_pair(base: &str, uri: &str, twice: bool) -> String {
    let once = component(uri);
    [base, "wc?uri=", &if twice { component(&once) } else { once }].concat()
}

/// The link that brings the wallet of a session to the front.
pub fn to_session(base: &str, topic: &str) -> String {
    [base, "wc?sessionTopic=", topic].concat()
}

/// As `encodeURIComponent`.
pub(super) fn component(text: &str) -> String {
    encode(text).replace(':', "%3A")
}
