//! The pairing URI, which a wallet scans (EIP-1328; `clients/core/pairing/pairing-uri.md`).

use crate::crypto::SymKey;
use crate::encoding::base64::{self, Spelling};
use crate::encoding::hex;
use portico_json::Write;

/// Bytes of a URI that are looked at.
const MAX_URI: usize = 4096;

/// Where a pairing meets, and with which key.
#[derive(Clone, Eq, PartialEq)]
pub struct PairingUri {
    /// 64 hex digits.
    pub topic: String,
    /// Known to both sides and to nobody else.
    pub sym_key: SymKey,
    /// `irn`
    pub relay_protocol: String,
    /// Of the protocol.
    pub relay_data: Option<String>,
    /// What the dapp will ask beyond a session, for instance `wc_sessionAuthenticate`.
    pub methods: Vec<String>,
    /// Seconds since 1970.
    pub expiry: Option<u64>,
}

/// Why a text is no pairing URI.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UriFault {
    /// Not `wc:`, or too long.
    Form,
    /// Another version than 2.
    Version,
    /// The topic is not 64 hex digits.
    Topic,
    /// The key is missing or not 64 hex digits.
    Key,
    /// Another relay protocol than `irn`.
    Relay,
    /// The time is no number.
    Expiry,
}

impl UriFault {
    /// In a sentence.
    pub fn text(self) -> &'static str {
        match self {
            UriFault::Form => "Not a WalletConnect URI",
            UriFault::Version => "Only version 2 of WalletConnect is supported",
            UriFault::Topic => "The pairing topic is malformed",
            UriFault::Key => "The pairing key is malformed",
            UriFault::Relay => "The relay protocol is not supported",
            UriFault::Expiry => "The expiry of the pairing is malformed",
        }
    }
}

impl PairingUri {
    /// Reads a URI: parameters in any order, unknown ones ignored, `wc:` or `wc://`, or all of it in base64.
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
        // `a,b` as clients write it, `[a],[b,c]` as the specification does.
        let methods = value("methods").unwrap_or_default();
        let methods = methods.split(',').map(|method| method.trim_matches(['[', ']', ' ']));
        let methods = methods.filter(|method| !method.is_empty()).map(Into::into).collect();
        Ok(PairingUri { topic, sym_key, relay_protocol, relay_data: value("relay-data"), methods, expiry })
    }

    /// The URI as a text, the way shipped wallets read it.
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

/// Appends a query's value, everything escaped that is not unreserved (RFC 3986).
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

/// What is no escape stays as it is; bytes that are no text count as none.
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
