//! Pairing URI that a wallet scans (EIP-1328; `clients/core/pairing/pairing-uri.md`).

use crate::crypto::SymKey;
use crate::encoding::base64::{self, Spelling};
use crate::encoding::hex;
use portico_json::Write;

/// Largest URI that is parsed, in bytes.
const MAX_URI: usize = 4096;

/// Parsed pairing URI: topic, key and relay protocol of a pairing.
#[derive(Clone, Eq, PartialEq)]
pub struct PairingUri {
    /// Topic of the pairing, 64 hex digits.
    pub topic: String,
    /// Symmetric key, a secret of the two sides.
    pub sym_key: SymKey,
    /// Relay protocol, always `irn`.
    pub relay_protocol: String,
    /// Data of the relay protocol (`relay-data`).
    pub relay_data: Option<String>,
    /// Requests that the dapp will send beyond a proposal, for instance `wc_sessionAuthenticate`.
    pub methods: Vec<String>,
    /// Expiry in seconds since 1970.
    pub expiry: Option<u64>,
}

/// Reason why a text is not a pairing URI.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UriFault {
    /// Not of the form `wc:topic@version?parameters`, or too long.
    Form,
    /// The version is not 2.
    Version,
    /// The topic is not 64 hex digits.
    Topic,
    /// The key is missing or not 64 hex digits.
    Key,
    /// The relay protocol is not `irn`.
    Relay,
    /// The expiry is not a number.
    Expiry,
}

impl UriFault {
    /// Meaning of the fault in a sentence.
    pub fn text(self) -> &'static str {
        match self {
            UriFault::Form => "Not a WalletConnect URI",
            UriFault::Version => "Only version 2 of WalletConnect is supported",
            UriFault::Topic => "The pairing topic is malformed",
            UriFault::Key => "The pairing key is malformed",
            UriFault::Relay => "The relay protocol isn't supported",
            UriFault::Expiry => "The expiry of the pairing is malformed",
        }
    }
}

impl PairingUri {
    /// Parses a URI: parameters in any order, unknown ones ignored, `wc:` or `wc://`, or all of it in base64.
    pub fn parse(text: &str) -> Result<PairingUri, UriFault> {
        let text = text.trim();
        if text.len() > MAX_URI {
            return Err(UriFault::Form);
        }
        if let Some(rest) = text.strip_prefix("wc:") {
            return PairingUri::parse_rest(rest);
        }
        let decoded = [Spelling::Standard, Spelling::Bare, Spelling::Url]
            .iter()
            .find_map(|spelling| base64::decode(text, *spelling))
            .and_then(|bytes| String::from_utf8(bytes).ok());
        let rest = decoded.as_deref().and_then(|text| text.strip_prefix("wc:")).ok_or(UriFault::Form)?;
        PairingUri::parse_rest(rest)
    }

    fn parse_rest(rest: &str) -> Result<PairingUri, UriFault> {
        let rest = rest.strip_prefix("//").unwrap_or(rest);
        let (head, query) = rest.split_once('?').ok_or(UriFault::Form)?;
        let (topic, version) = head.split_once('@').ok_or(UriFault::Form)?;
        if version.trim_end_matches('/') != "2" {
            return Err(UriFault::Version);
        }
        let topic = hex::encode(&hex::decode32(topic).ok_or(UriFault::Topic)?);
        let value = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.find(|(key, _)| *key == name).map(|(_, value)| percent_decoded(value))
        };
        let sym_key = value("symKey").and_then(|key| SymKey::from_hex(&key)).ok_or(UriFault::Key)?;
        let relay_protocol = value("relay-protocol").unwrap_or_else(|| "irn".into());
        if relay_protocol != "irn" {
            return Err(UriFault::Relay);
        }
        let expiry = match value("expiryTimestamp") {
            Some(text) => Some(text.parse().map_err(|_| UriFault::Expiry)?),
            None => None,
        };
        // Clients write `a,b`, the specification `[a],[b,c]`.
        let methods = value("methods").unwrap_or_default();
        let methods = methods.split(',').map(|method| method.trim_matches(['[', ']', ' ']));
        let methods = methods.filter(|method| !method.is_empty()).map(Into::into).collect();
        Ok(PairingUri { topic, sym_key, relay_protocol, relay_data: value("relay-data"), methods, expiry })
    }

    /// Formats the URI in the order that shipped wallets read.
    pub fn to_text(&self) -> String {
        let mut out = ["wc:", &self.topic, "@2?"].concat();
        if let Some(expiry) = self.expiry {
            out.push_str("expiryTimestamp=");
            expiry.write(&mut out);
            out.push('&');
        }
        out.push_str("relay-protocol=");
        out.push_str(&self.relay_protocol);
        if let Some(data) = &self.relay_data {
            out.push_str("&relay-data=");
            push_encoded(data, &mut out);
        }
        out.push_str("&symKey=");
        out.push_str(&self.sym_key.to_hex());
        for (index, method) in self.methods.iter().enumerate() {
            out.push_str(if index == 0 { "&methods=" } else { "," });
            push_encoded(method, &mut out);
        }
        out
    }
}

/// Appends the value of a query parameter, percent-encoded except for unreserved letters (RFC 3986).
pub fn push_encoded(text: &str, out: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push('%');
            out.push_str(&hex::encode(&[byte]).to_ascii_uppercase());
        }
    }
}

/// Decodes percent escapes. Invalid escapes stay as they are; bytes that are not UTF-8 yield an empty text.
fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|byte| (*byte as char).to_digit(16));
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_default()
}
