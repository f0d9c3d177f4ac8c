//! A host's own tokens (JWT) as a login: the host's server signs who the visitor is, and the page hands the token over. It knows no login, so it
//! is good for a short time and once.

use super::id_token::{LEEWAY, named_issuer, signed_part};
use super::profile;
use super::{Binding, Expected, Identity, KeySet, LoginFault, ServicesError, verify};
use crate::config::{JwtIssuer, JwtKeys};
use crate::source::Fault;
use reqwest::Client;

/// Word of this login.
pub(crate) const JWT: &str = "jwt";

/// Seconds for which a token is good after it was issued.
const AGE: i64 = 300;

/// Issuers of hosts' tokens.
pub(crate) struct HostTokens {
    issuers: Vec<Issuer>,
}

struct Issuer {
    config: JwtIssuer,
    keys: KeySet,
}

/// What a token proved.
pub(crate) struct Proved {
    pub(crate) identity: Identity,
    /// Whose id the person's is.
    pub(crate) issuer: String,
    /// Text that is the same for a token however it is written.
    pub(crate) once: String,
}

impl HostTokens {
    /// Milliseconds after which no token that is good now is good any more.
    pub(crate) const LIFE: i64 = (AGE + 2 * LEEWAY) * 1000;

    pub(crate) fn configured(issuers: &[JwtIssuer]) -> Result<HostTokens, ServicesError> {
        let read = |config: &JwtIssuer| {
            let keys = match &config.keys {
                JwtKeys::At(url) => Some(KeySet::new(url.clone())),
                JwtKeys::Text(text) => KeySet::read(text),
            };
            let keys = keys.ok_or_else(|| ServicesError::JwtKeys(config.issuer.clone()))?;
            Ok(Issuer { config: config.clone(), keys })
        };
        Ok(HostTokens { issuers: issuers.iter().map(read).collect::<Result<_, ServicesError>>()? })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.issuers.is_empty()
    }

    /// Each issuer with the number of its keys that can be used, or why they couldn't be fetched.
    pub(crate) async fn check(&self, client: &Client) -> Vec<(&str, Result<usize, Fault>)> {
        let mut found = Vec::new();
        for issuer in &self.issuers {
            let keys = issuer.keys.candidates(client, None, 0).await;
            found.push((issuer.config.issuer.as_str(), keys.map(|keys| keys.len())));
        }
        found
    }

    /// Person of a token of one of the issuers, on a page of this project.
    pub(crate) async fn verify(
        &self,
        client: &Client,
        token: &str,
        project: &str,
        now: i64,
    ) -> Result<Proved, LoginFault> {
        let named = named_issuer(token);
        let takes = |issuer: &&Issuer| {
            Some(&issuer.config.issuer) == named.as_ref()
                && issuer.config.project.as_deref().is_none_or(|only| only == project)
        };
        let mut fault = LoginFault::Token(JWT.into(), "its issuer isn't set up for this project");
        for issuer in self.issuers.iter().filter(takes) {
            match issuer.verify(client, token, now).await {
                Ok(proved) => return Ok(proved),
                // Keys that can't be fetched may be those that signed it.
                Err(_) if matches!(fault, LoginFault::Unread(..)) => {}
                Err(other) => fault = other,
            }
        }
        Err(fault)
    }
}

impl Issuer {
    async fn verify(&self, client: &Client, token: &str, now: i64) -> Result<Proved, LoginFault> {
        let JwtIssuer { issuer, audience, subject, .. } = &self.config;
        let expected = Expected { service: JWT, issuer, audience, subject, binding: Binding::Age(AGE), now };
        let claims = verify(client, &self.keys, token, &expected).await?;
        let nobody = || LoginFault::Token(JWT.into(), "it has no subject");
        let found = profile::of_claims(&claims, subject).ok_or_else(nobody)?;
        let identity = Identity { provider: JWT.into(), subject: found.subject, name: found.name, email: found.email };
        Ok(Proved { identity, issuer: issuer.clone(), once: signed_part(token).to_owned() })
    }
}
