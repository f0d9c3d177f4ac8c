//! Sign-in texts (EIP-4361) and the check that they are for the page that asks.

use super::{Content, shown};
use crate::network;
use crate::view::{Action, Flag, RowLabel};
use portico_terms::{ChainId, Namespace};

/// Fields of a sign-in text, in their order.
const FIELDS: [&str; 9] = [
    "URI: ",
    "Version: ",
    "Chain ID: ",
    "Nonce: ",
    "Issued At: ",
    "Expiration Time: ",
    "Not Before: ",
    "Request ID: ",
    "Resources:",
];

/// Ends of the first line, for accounts of EVM chains and of Solana.
const ETHEREUM: &str = " wants you to sign in with your Ethereum account:";
const SOLANA: &str = " wants you to sign in with your Solana account:";

/// Page, account and chain that a sign-in text has to be for.
pub struct Asked<'a> {
    /// Origin of the page.
    pub host: &'a str,
    /// Account that signs.
    pub address: &'a str,
    pub chain: &'a ChainId,
}

impl Asked<'_> {
    fn is_solana(&self) -> bool {
        self.chain.namespace() == Namespace::Solana
    }
}

/// Content of a sign-in text.
#[derive(Default)]
struct SignIn<'a> {
    scheme: Option<&'a str>,
    domain: &'a str,
    address: &'a str,
    statement: Option<&'a str>,
    uri: Option<&'a str>,
    chain: Option<&'a str>,
    expires: Option<&'a str>,
}

/// Whether a text begins like a sign-in text. The test is loose, so that no variant passes as another text.
pub fn is_one(text: &str) -> bool {
    let head: String = text.trim_start().lines().take(2).collect::<Vec<_>>().join(" ");
    head.to_ascii_lowercase().contains("wants you to sign in with your")
}

/// Explains a sign-in text. One that is malformed, or for another site or account, can only be cancelled.
pub fn explain(text: &str, asked: &Asked<'_>) -> Content {
    let host = asked.host;
    let mut content = Content::new(Action::SignIn);
    let read = if asked.is_solana() { read_solana(text) } else { read(text) };
    let Some(sign_in) = read else {
        content.block(Flag::MalformedSignIn);
        return content;
    };
    content.row(RowLabel::Domain, shown(sign_in.domain));
    if let Some(statement) = sign_in.statement {
        content.row(RowLabel::Statement, shown(statement));
    }
    if let Some(uri) = sign_in.uri {
        content.row(RowLabel::Uri, shown(uri));
    }
    if let Some(expires) = sign_in.expires {
        content.row(RowLabel::Expires, shown(expires));
    }
    let (scheme, authority) = host.split_once("://").unwrap_or(("", host));
    let same_scheme = sign_in.scheme.is_none_or(|told| told.eq_ignore_ascii_case(scheme));
    if !same_scheme || !sign_in.domain.eq_ignore_ascii_case(authority) {
        content.block(Flag::WrongDomain);
    }
    let is_own = match asked.is_solana() {
        true => sign_in.address == asked.address,
        false => sign_in.address.eq_ignore_ascii_case(asked.address),
    };
    if !is_own {
        content.block(Flag::WrongAccount);
    }
    if let Some(uri) = sign_in.uri {
        let rest = uri.strip_prefix(host);
        if !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#'])) {
            content.flag(Flag::WrongUri);
        }
    }
    if let Some(told) = sign_in.chain {
        let same = match asked.is_solana() {
            true => network::is_solana_named(asked.chain, told),
            false => told.parse().ok() == asked.chain.number(),
        };
        if !same {
            content.flag(Flag::WrongChain);
        }
    }
    content
}

/// What is wrong with a sign-in text; empty for one that is for this page, account and chain, and whole.
pub fn faults(text: &str, host: &str, address: &str, chain: &ChainId) -> Vec<Flag> {
    explain(text, &Asked { host, address, chain }).flags
}

/// Reads the first line: scheme and domain.
fn origin<'a>(line: &'a str, wants: &str) -> Option<(Option<&'a str>, &'a str)> {
    let origin = line.strip_suffix(wants)?;
    let (scheme, domain) = match origin.split_once("://") {
        Some((scheme, domain)) => (Some(scheme), domain),
        None => (None, origin),
    };
    (!domain.is_empty()).then_some((scheme, domain))
}

fn read(text: &str) -> Option<SignIn<'_>> {
    let mut lines = text.split('\n');
    let (scheme, domain) = origin(lines.next()?, ETHEREUM)?;
    let address = lines.next()?;
    lines.next().filter(|line| line.is_empty())?;
    let mut next = lines.next()?;
    let mut statement = None;
    if !next.is_empty() {
        statement = Some(next);
        next = lines.next()?;
    }
    if !next.is_empty() {
        return None;
    }
    let uri = lines.next()?.strip_prefix("URI: ")?;
    lines.next().filter(|line| *line == "Version: 1")?;
    let chain = lines.next()?.strip_prefix("Chain ID: ").filter(|chain| chain.parse::<u64>().is_ok())?;
    lines.next()?.strip_prefix("Nonce: ").filter(|nonce| nonce.len() >= 8)?;
    lines.next()?.strip_prefix("Issued At: ")?;
    let expires = lines.find_map(|line| line.strip_prefix("Expiration Time: "));
    Some(SignIn { scheme, domain, address, statement, uri: Some(uri), chain: Some(chain), expires })
}

/// Sign-in text of Solana: all after the account may be missing, and its order is that of EIP-4361.
fn read_solana(text: &str) -> Option<SignIn<'_>> {
    let mut lines = text.split('\n').peekable();
    let (scheme, domain) = origin(lines.next()?, SOLANA)?;
    let mut sign_in = SignIn { scheme, domain, address: lines.next()?, ..SignIn::default() };
    let mut fields = FIELDS.iter();
    let is_field = |line: &str| FIELDS.iter().any(|field| line.starts_with(field));
    if lines.peek().is_some() {
        lines.next().filter(|line| line.is_empty())?;
        if let Some(statement) = lines.next_if(|line| !line.is_empty() && !is_field(line)) {
            sign_in.statement = Some(statement);
            if lines.peek().is_some() {
                lines.next().filter(|line| line.is_empty())?;
            }
        } else {
            // Without a statement its place may stay empty.
            lines.next_if(|line| line.is_empty());
        }
    }
    while let Some(line) = lines.next() {
        let field = *fields.find(|field| line.starts_with(*field))?;
        let value = &line[field.len()..];
        match field {
            "URI: " => sign_in.uri = Some(value),
            "Version: " if value != "1" => return None,
            "Chain ID: " => sign_in.chain = Some(value),
            "Expiration Time: " => sign_in.expires = Some(value),
            "Resources:" if !value.is_empty() || !lines.all(|line| line.starts_with("- ")) => return None,
            _ => {}
        }
    }
    Some(sign_in)
}
