//! `[[wallet.jwt]]`: issuers of a host's own tokens, with which its visitors log in.

use super::file::{Read, fault};
use reqwest::Url;
use serde::Deserialize;
use toml::Spanned;

/// Longest issuer, audience and project.
const LONGEST: usize = 255;
/// Largest file with keys in bytes.
const LARGEST: u64 = 256 * 1024;

/// Issuer of a host's own tokens.
#[derive(Clone, Debug)]
pub struct JwtIssuer {
    /// Claim `iss`.
    pub issuer: String,
    /// Claim `aud`.
    pub audience: String,
    /// Claim that says who the visitor is.
    pub subject: String,
    /// Project on whose pages alone the tokens are taken.
    pub project: Option<String>,
    /// Public keys of the issuer.
    pub keys: JwtKeys,
}

/// Where the public keys of an issuer are.
#[derive(Clone, Debug)]
pub enum JwtKeys {
    /// Address of a JWK Set (RFC 7517), fetched when it is needed.
    At(Url),
    /// Text of a JWK Set, read at the start.
    Text(String),
}

impl JwtKeys {
    /// Address of the keys, unless they are in a file.
    pub(crate) fn url(&self) -> Option<&Url> {
        match self {
            JwtKeys::At(url) => Some(url),
            JwtKeys::Text(_) => None,
        }
    }
}

/// Tables of `[wallet]` as written in the file.
#[derive(Default, Deserialize)]
pub(super) struct WrittenWallet {
    #[serde(default)]
    pub(super) jwt: Vec<Spanned<WrittenIssuer>>,
}

/// Issuer as written in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenIssuer {
    issuer: String,
    audience: String,
    jwks_url: Option<String>,
    jwks_file: Option<String>,
    subject: Option<String>,
    project: Option<String>,
}

impl Read<'_> {
    pub(super) fn jwt_issuers(&mut self) -> Vec<JwtIssuer> {
        let mut issuers: Vec<JwtIssuer> = Vec::new();
        for written in std::mem::take(&mut self.wallet_tables.jwt) {
            let place = self.line(written.span());
            let checked = written.into_inner().read().and_then(|issuer| {
                let same = |other: &JwtIssuer| other.issuer == issuer.issuer && other.audience == issuer.audience;
                // Somebody's name by one claim could be another person's by the other.
                let otherwise = |other: &JwtIssuer| other.issuer == issuer.issuer && other.subject != issuer.subject;
                if issuers.iter().any(same) {
                    Err("this issuer and audience are in `[[wallet.jwt]]` already".to_owned())
                } else if issuers.iter().any(otherwise) {
                    Err("use the same `subject` for all audiences of an issuer: it names the same accounts".to_owned())
                } else {
                    Ok(issuer)
                }
            });
            issuers.extend(self.keep(place, checked));
        }
        issuers
    }
}

impl WrittenIssuer {
    fn read(self) -> Result<JwtIssuer, String> {
        let text = |name: &str, text: String| {
            let fits = (1..=LONGEST).contains(&text.len()) && !text.contains(char::is_control);
            fits.then_some(text).ok_or_else(|| format!("use 1 to {LONGEST} letters as `{name}` of `[[wallet.jwt]]`"))
        };
        let keys = match (self.jwks_url, self.jwks_file) {
            (Some(url), None) => JwtKeys::At(
                super::social::web(&url)
                    .ok_or_else(|| format!("use the https address of the issuer's JWK Set, not `{url}`"))?,
            ),
            (None, Some(file)) => JwtKeys::Text(read_file(&file)?),
            (None, None) => return Err("set `jwks_url` or `jwks_file` of each `[[wallet.jwt]]`".into()),
            _ => return Err("set `jwks_url` or `jwks_file` of each `[[wallet.jwt]]`, not both".into()),
        };
        Ok(JwtIssuer {
            issuer: text("issuer", self.issuer)?,
            audience: text("audience", self.audience)?,
            subject: text("subject", self.subject.unwrap_or_else(|| "sub".into()))?,
            project: self.project.map(|project| text("project", project)).transpose()?,
            keys,
        })
    }
}

fn read_file(path: &str) -> Result<String, String> {
    let told = |error: std::io::Error| match fault(&error) {
        Some(fault) => format!("couldn't read the keys in {}: the file {fault}", super::named(path)),
        None => format!("couldn't read the keys in {} ({error})", super::named(path)),
    };
    if std::fs::metadata(path).map_err(told)?.len() > LARGEST {
        return Err(format!("the file {path} is too large for a JWK Set"));
    }
    std::fs::read_to_string(path).map_err(told)
}
