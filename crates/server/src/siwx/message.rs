//! Text of a sign-in: EIP-4361 of EVM accounts, CAIP-122 of others. Read strictly, so that a wallet, the visitor and this server see one message.

use jiff::Timestamp;
use portico_terms::ChainId;

/// Largest message in bytes.
pub(super) const LONGEST: usize = 8192;

/// Field of the message, and what is wrong with it.
pub(super) type Wrong = (&'static str, String);

/// Fields of a message (spec 3.18).
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Message {
    pub(super) domain: String,
    pub(super) address: String,
    pub(super) uri: String,
    pub(super) chain: ChainId,
    pub(super) nonce: String,
    /// Times are epoch milliseconds.
    pub(super) issued_at: i64,
    pub(super) expires_at: Option<i64>,
    pub(super) not_before: Option<i64>,
}

/// Words by which the first line names a namespace.
const NAMESPACES: [(&str, &str); 4] =
    [("Ethereum", "eip155"), ("Solana", "solana"), ("Bitcoin", "bip122"), ("Polkadot", "polkadot")];

/// Solana's networks in the words of the Wallet Standard, in which its wallets sign, and the references of their CAIP-2 ids.
const SOLANA: [(&str, &str); 3] = [
    ("mainnet", "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"),
    ("devnet", "EtWTRABZaYq6iMfeYKouRu166VU2xqa1"),
    ("testnet", "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z"),
];

impl Message {
    pub(super) fn parse(text: &str) -> Result<Message, Wrong> {
        if text.len() > LONGEST {
            return Err(("message", format!("The message is longer than {LONGEST} bytes")));
        }
        let mut lines = text.split('\n').peekable();
        let first = lines.next().unwrap_or_default();
        let head = first.strip_suffix(" account:").and_then(|head| head.split_once(" wants you to sign in with your "));
        let Some((domain, name)) = head else {
            return Err(shape("the first line is \"DOMAIN wants you to sign in with your Ethereum account:\""));
        };
        // Letters of other scripts, of the other direction or without width can make a text look like another one.
        plain("domain", domain)?;
        if domain.is_empty() || domain.contains([' ', '/', '@']) {
            return Err(("domain", "Use the host of the page, with its port, as domain".into()));
        }
        let Some((_, namespace)) = NAMESPACES.into_iter().find(|(word, _)| *word == name) else {
            return Err(shape("the first line names Ethereum, Solana, Bitcoin or Polkadot"));
        };
        let address = lines.next().unwrap_or_default();
        plain("address", address)?;
        if lines.next() != Some("") {
            return Err(shape("an empty line follows the address"));
        }
        // Without a statement, Solana's wallets leave out its line and the empty one after it.
        let bare = namespace == "solana" && lines.peek().is_some_and(|line| line.starts_with("URI: "));
        let statement = if bare { "" } else { lines.next().unwrap_or_default() };
        plain("statement", statement)?;
        if !statement.is_empty() && lines.next() != Some("") {
            return Err(shape("the statement is one line with an empty line after it"));
        }
        let rest = lines.collect::<Vec<_>>();
        for line in &rest {
            plain("message", line)?;
        }
        let mut rest = rest.into_iter().peekable();
        let mut needed = |label: &'static str| {
            let found = rest.next_if(|line| line.starts_with(label)).map(|line| &line[label.len()..]);
            found.filter(|value| !value.is_empty()).ok_or_else(|| shape(&format!("the line \"{label}…\" is missing")))
        };
        let uri = needed("URI: ")?;
        let version = needed("Version: ")?;
        if version != "1" {
            return Err(("version", "The version of the message is 1".into()));
        }
        let reference = needed("Chain ID: ")?;
        let nonce = needed("Nonce: ")?;
        if nonce.len() < 8 || !nonce.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(("nonce", "Use at least 8 letters and digits as nonce".into()));
        }
        let issued_at = time("issuedAt", needed("Issued At: ")?)?;
        let mut optional =
            |label: &'static str| rest.next_if(|line| line.starts_with(label)).map(|line| &line[label.len()..]);
        let expires_at = optional("Expiration Time: ").map(|text| time("expirationTime", text)).transpose()?;
        let not_before = optional("Not Before: ").map(|text| time("notBefore", text)).transpose()?;
        let _request = optional("Request ID: ");
        if rest.next_if_eq(&"Resources:").is_some() {
            while let Some(line) = rest.next_if(|line| line.starts_with("- ")) {
                if !is_uri(&line[2..]) {
                    return Err(("resources", "Use a URI (RFC 3986) as resource".into()));
                }
            }
        }
        if rest.next().is_some() {
            return Err(shape("a line is unknown, or not in its place"));
        }
        let reference = reference.strip_prefix(namespace).and_then(|rest| rest.strip_prefix(':')).unwrap_or(reference);
        let named = SOLANA.into_iter().find(|(name, _)| namespace == "solana" && *name == reference);
        let reference = named.map_or(reference, |(_, reference)| reference);
        let chain = format!("{namespace}:{reference}");
        let chain = chain.parse().map_err(|_| ("chainId", "Use a valid chain in the message".to_owned()))?;
        Ok(Message {
            domain: domain.into(),
            address: address.into(),
            uri: uri.into(),
            chain,
            nonce: nonce.into(),
            issued_at,
            expires_at,
            not_before,
        })
    }

    /// Checks the times against the clock, with a tolerance for the visitor's. All in milliseconds.
    pub(super) fn is_timely(&self, now: i64, life: i64, tolerance: i64) -> Result<(), Wrong> {
        let wrong = |field, text: &str| {
            Err((field, format!("{text}. Check the clock of this device, and sign a new message.")))
        };
        if self.issued_at > now + tolerance {
            return wrong("issuedAt", "The message is from the future");
        }
        if self.issued_at < now - life - tolerance {
            return wrong("issuedAt", "The message is too old");
        }
        if self.expires_at.is_some_and(|end| end <= now) {
            return wrong("expirationTime", "The message has expired");
        }
        if self.not_before.is_some_and(|begin| begin > now + tolerance) {
            return wrong("notBefore", "The message isn't valid yet");
        }
        Ok(())
    }
}

fn shape(rule: &str) -> Wrong {
    ("message", format!("This isn't a sign-in message (EIP-4361): {rule}"))
}

fn plain(field: &'static str, text: &str) -> Result<(), Wrong> {
    if text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
        return Ok(());
    }
    Err((field, "Use printable letters of ASCII only: others can disguise the message".into()))
}

/// Whether a text has the letters and the scheme of a URI (RFC 3986).
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte))
}

fn time(field: &'static str, text: &str) -> Result<i64, Wrong> {
    let parsed = text.parse::<Timestamp>().map(Timestamp::as_millisecond);
    parsed.map_err(|_| (field, "Use a time of RFC 3339, such as 2026-01-31T12:00:00Z".into()))
}
