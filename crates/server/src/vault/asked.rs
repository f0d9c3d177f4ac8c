//! A request as it reaches the vault: its proof is checked before anything else is read.

use super::encoding::{decode, hash};
use super::proof::{self, Proved, Times};
use super::session::Live;
use super::{LARGEST, Vault, session};
use crate::Failure;
use crate::language::{Language, UNKNOWN_BROWSER};
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use portico_json::{Read, Value, parse};
use std::net::IpAddr;

/// Headers by which the web tier tells who asks.
pub(crate) const CLIENT: &str = "portico-client";
pub(crate) const BROWSER: &str = "portico-browser";
pub(crate) const LANGUAGE: &str = "portico-language";

/// Longest name of a browser.
const LONGEST_BROWSER: usize = 64;

/// Request with a valid proof.
pub(super) struct Asked {
    /// Thumbprint of the device's key.
    pub(super) device: String,
    pub(super) client: IpAddr,
    /// "Firefox on Linux"
    pub(super) browser: String,
    /// Language that the browser prefers.
    pub(super) language: Language,
    /// Hash of the access token, if there is one.
    access: Option<String>,
    body: Value,
}

/// Request with a valid proof and a live session of the device.
pub(super) struct Signed {
    pub(super) asked: Asked,
    pub(super) session: Live,
}

impl Asked {
    /// Reads the body.
    pub(super) fn read<T: Read>(&self) -> Result<T, Failure> {
        T::read(&self.body).map_err(|error| Failure::parameter("body", format!("The body has no valid {}", error.0)))
    }

    /// The device's session whose access token came with the request.
    pub(super) async fn session(&self, vault: &Vault) -> Result<Option<Live>, Failure> {
        match &self.access {
            Some(access) => session::live(vault, access, &self.device).await,
            None => Ok(None),
        }
    }
}

impl FromRequest<Vault> for Asked {
    type Rejection = Failure;

    async fn from_request(request: Request, vault: &Vault) -> Result<Asked, Failure> {
        let (parts, body) = request.into_parts();
        let client = client(&parts.headers)?;
        let body = to_bytes(body, LARGEST).await.map_err(|_| {
            Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "body", "The body is larger than 64 KiB, or broke off")
        })?;
        let access = token(&parts.headers)?;
        let times = Times { now: vault.now(), started: vault.inner.started };
        let proved = Proved { path: parts.uri.path(), body: &body, access: access.as_deref(), visitor: client };
        let device = proof::verify(&parts.headers, &proved, times, &vault.inner.used)?;
        let text = std::str::from_utf8(&body).map_err(|_| Failure::parameter("body", "Use UTF-8 text as body"))?;
        let body = parse(text).map_err(|_| Failure::parameter("body", "Use JSON as body"))?;
        let browser = label(&parts.headers);
        let language = parts.headers.get(LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let language = Language::of(language);
        Ok(Asked { device, client, browser, language, access: access.map(hash), body })
    }
}

impl FromRequest<Vault> for Signed {
    type Rejection = Failure;

    async fn from_request(request: Request, vault: &Vault) -> Result<Signed, Failure> {
        let asked = Asked::from_request(request, vault).await?;
        let session = asked
            .session(vault)
            .await?
            .ok_or_else(|| Failure::new(StatusCode::UNAUTHORIZED, "session", "The session has ended. Log in again."))?;
        Ok(Signed { asked, session })
    }
}

/// Address of the visitor. Only the web tier speaks at the socket, and it always names it.
pub(super) fn client(headers: &HeaderMap) -> Result<IpAddr, Failure> {
    let named = headers.get(CLIENT).and_then(|value| value.to_str().ok()?.parse().ok());
    named.ok_or_else(|| Failure::parameter(CLIENT, "The web tier has to name the visitor"))
}

/// Name of the visitor's browser.
pub(super) fn label(headers: &HeaderMap) -> String {
    let text = headers.get(BROWSER).and_then(|value| value.to_str().ok()).unwrap_or(UNKNOWN_BROWSER);
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST_BROWSER).collect()
}

/// Access token of `authorization: DPoP <token>`; `None` without the header.
fn token(headers: &HeaderMap) -> Result<Option<String>, Failure> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let token = value.to_str().ok().and_then(|text| text.strip_prefix("DPoP "));
    let token = token.filter(|token| decode::<32>(token).is_some());
    let wrong = || Failure::new(StatusCode::UNAUTHORIZED, "session", "Use an access token of this server");
    token.map(|token| Some(token.to_owned())).ok_or_else(wrong)
}
