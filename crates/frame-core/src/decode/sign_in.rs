//! Sign-in texts (EIP-4361) and the check that they are for the page that asks.

use super::{Content, is_hidden, shown};
use crate::network;
use crate::said::{Phrase, Said};
use crate::text::{holds, split_scheme};
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
    nonce: &'a str,
    issued: &'a str,
    /// Lines after "Issued At".
    rest: Vec<&'a str>,
}

/// Whether a text begins like a sign-in text. The test is loose, so that no variant passes as another text.
pub fn is_one(text: &str) -> bool {
    let head: String = text.trim_start().lines().take(2).collect::<Vec<_>>().join(" ");
    holds(&head.to_ascii_lowercase(), "wants you to sign in with your")
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
        content.row(RowLabel::Expires, Said::new(Phrase::Date, &[&shown(expires)]));
    }
    let (scheme, authority) = split_scheme(host).unwrap_or(("", host));
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

/// Faults of a sign-in text. A complete text for this page, account and chain has none.
pub fn faults(text: &str, host: &str, address: &str, chain: &ChainId) -> Vec<Flag> {
    explain(text, &Asked { host, address, chain }).flags
}

/// Reads the first line: scheme and domain.
fn origin<'a>(line: &'a str, wants: &str) -> Option<(Option<&'a str>, &'a str)> {
    let origin = line.strip_suffix(wants)?;
    let (scheme, domain) = match split_scheme(origin) {
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
    let digits = |chain: &&str| chain.bytes().all(|byte| byte.is_ascii_digit()) && chain.parse::<u64>().is_ok();
    let chain = lines.next()?.strip_prefix("Chain ID: ").filter(digits)?;
    let nonce = lines.next()?.strip_prefix("Nonce: ").filter(|nonce| nonce.len() >= 8)?;
    let issued = lines.next()?.strip_prefix("Issued At: ")?;
    let rest: Vec<_> = lines.collect();
    let expires = rest.iter().find_map(|line| line.strip_prefix("Expiration Time: "));
    let (uri, chain) = (Some(uri), Some(chain));
    Some(SignIn { scheme, domain, address, statement, uri, chain, expires, nonce, issued, rest })
}

/// Longest statement in characters, longest nonce and id in bytes, of a text that is signed without an approval.
const STATEMENT: usize = 200;
const WORD: usize = 96;
/// Seconds between the clock and "Issued At" of such a text.
const FRESH: i64 = 600;

/// Whether a text is one sign-in message (EIP-4361) of now and nothing more, as it has to be where no visitor reads it. Resources are left to
/// an approval. `now` is epoch milliseconds.
pub fn is_bare(text: &str, now: u64) -> bool {
    let Some(SignIn { statement, uri, nonce, issued, rest, .. }) = read(text) else { return false };
    let told = statement.unwrap_or_default();
    let hidden = |letter: char| is_hidden(letter) || matches!(letter, '\u{fe00}'..='\u{fe0f}');
    let said = told.chars().count() <= STATEMENT && !told.chars().any(hidden);
    let plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_graphic());
    let page = uri.is_some_and(plain);
    let once = (8..=WORD).contains(&nonce.len()) && nonce.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let fresh = seconds(issued).is_some_and(|issued| (now as i64 / 1_000 - issued).abs() <= FRESH);
    let mut fields = FIELDS[5..8].iter();
    let known = |line: &&str| {
        fields.find_map(|field| line.strip_prefix(field).map(|value| (*field, value))).is_some_and(|(field, value)| {
            match field {
                "Request ID: " => value.len() <= WORD && plain(value),
                _ => seconds(value).is_some(),
            }
        })
    };
    said && page && once && fresh && rest.iter().all(known)
}

/// Epoch seconds of a date of RFC 3339; `None` for another text.
fn seconds(text: &str) -> Option<i64> {
    let form: String = text.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    let zone = form.strip_prefix("0000-00-00T00:00:00")?;
    let zone = zone.strip_prefix(".0").map_or(zone, |rest| rest.trim_start_matches('0'));
    let sign = match zone {
        "Z" => 0,
        "+00:00" => 1,
        "-00:00" => -1,
        _ => return None,
    };
    let bytes = text.as_bytes();
    let number = |from: usize, count: usize| {
        bytes[from..from + count].iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))
    };
    let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2));
    let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2));
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    // Years begin in March, so that a leap day is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days =
        year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (month * 153 + 2) / 5 + day
            - 719_469;
    let end = bytes.len();
    let offset = if sign == 0 { 0 } else { sign * (number(end - 5, 2) * 60 + number(end - 2, 2)) };
    Some(days * 86_400 + (hour * 60 + minute - offset) * 60 + second)
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

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn a_date_is_read_in_its_zone_and_another_text_is_none() {
        for (text, told) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2023-11-14T22:13:20Z", Some(1_700_000_000)),
            ("2023-11-14T22:13:20.123Z", Some(1_700_000_000)),
            ("2023-11-15T00:13:20+02:00", Some(1_700_000_000)),
            ("2023-11-14T21:43:20.5-00:30", Some(1_700_000_000)),
            ("2024-02-29T12:00:00Z", Some(1_709_208_000)),
            ("2000-03-01T00:00:00Z", Some(951_868_800)),
            ("", None),
            ("I owe you a house", None),
            ("2023-11-14T22:13:20", None),
            ("2023-11-14T22:13:20.Z", None),
            ("2023-11-14T22:13:20Z I owe you", None),
            ("2023-11-14 22:13:20Z", None),
            ("2023-13-14T22:13:20Z", None),
            ("2023-11-14T24:13:20Z", None),
            ("2023-11-14T22:13:20+02", None),
            ("\u{662}023-11-14T22:13:20Z", None),
        ] {
            assert_eq!(seconds(text), told, "{text}");
        }
    }
}
