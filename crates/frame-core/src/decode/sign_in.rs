//! Sign-in texts (EIP-4361) and the check that they are for the page that asks.

use super::{Content, shown};
use crate::view::{Action, Flag, RowLabel};

/// End of the first line.
const WANTS: &str = " wants you to sign in with your Ethereum account:";

/// Content of a sign-in text.
struct SignIn<'a> {
    scheme: Option<&'a str>,
    domain: &'a str,
    address: &'a str,
    statement: Option<&'a str>,
    uri: &'a str,
    chain: u64,
    expires: Option<&'a str>,
}

/// Whether a text begins like a sign-in text. The test is loose, so that no variant passes as another text.
pub fn is_one(text: &str) -> bool {
    let head: String = text.trim_start().lines().take(2).collect::<Vec<_>>().join(" ");
    head.to_ascii_lowercase().contains("wants you to sign in with your")
}

/// Explains a sign-in text. One that is malformed, or for another site or account, can only be cancelled.
pub fn explain(text: &str, host: &str, address: &str, chain: u64) -> Content {
    let mut content = Content::new(Action::SignIn);
    let Some(sign_in) = read(text) else {
        content.block(Flag::MalformedSignIn);
        return content;
    };
    content.row(RowLabel::Domain, shown(sign_in.domain));
    if let Some(statement) = sign_in.statement {
        content.row(RowLabel::Statement, shown(statement));
    }
    content.row(RowLabel::Uri, shown(sign_in.uri));
    if let Some(expires) = sign_in.expires {
        content.row(RowLabel::Expires, shown(expires));
    }
    let (scheme, authority) = host.split_once("://").unwrap_or(("", host));
    let same_scheme = sign_in.scheme.is_none_or(|told| told.eq_ignore_ascii_case(scheme));
    if !same_scheme || !sign_in.domain.eq_ignore_ascii_case(authority) {
        content.block(Flag::WrongDomain);
    }
    if !sign_in.address.eq_ignore_ascii_case(address) {
        content.block(Flag::WrongAccount);
    }
    let rest = sign_in.uri.strip_prefix(host);
    if !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#'])) {
        content.flag(Flag::WrongUri);
    }
    if sign_in.chain != chain {
        content.flag(Flag::WrongChain);
    }
    content
}

fn read(text: &str) -> Option<SignIn<'_>> {
    let mut lines = text.split('\n');
    let origin = lines.next()?.strip_suffix(WANTS)?;
    let (scheme, domain) = match origin.split_once("://") {
        Some((scheme, domain)) => (Some(scheme), domain),
        None => (None, origin),
    };
    let address = lines.next()?;
    lines.next().filter(|line| line.is_empty())?;
    let mut next = lines.next()?;
    let mut statement = None;
    if !next.is_empty() {
        statement = Some(next);
        next = lines.next()?;
    }
    if !next.is_empty() || domain.is_empty() {
        return None;
    }
    let uri = lines.next()?.strip_prefix("URI: ")?;
    lines.next().filter(|line| *line == "Version: 1")?;
    let chain = lines.next()?.strip_prefix("Chain ID: ")?.parse().ok()?;
    lines.next()?.strip_prefix("Nonce: ").filter(|nonce| nonce.len() >= 8)?;
    lines.next()?.strip_prefix("Issued At: ")?;
    let expires = lines.find_map(|line| line.strip_prefix("Expiration Time: "));
    Some(SignIn { scheme, domain, address, statement, uri, chain, expires })
}
