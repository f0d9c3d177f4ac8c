//! Logins at other services: OAuth 2.1 and OpenID Connect with PKCE, state and nonce (spec 1.2, 3.28, 7.17, 7.18).
//!
//! A login is a code flow in which this server is the client. It knows a person by the service and the service's own id of the person, and
//! by nothing else: two services may give the same e-mail address to two people.

mod farcaster;
mod id_token;
mod identify;
mod jwt;
mod keys;
mod profile;
mod provider;
mod start;
#[cfg(test)]
mod tests;

pub(crate) use farcaster::{Channel, FARCASTER, Farcaster, Page};
pub(crate) use id_token::{Binding, Expected, verify};
pub(crate) use identify::Identity;
pub(crate) use jwt::{HostTokens, JWT};
pub(crate) use keys::KeySet;
#[cfg(test)]
use provider::AppleKey;
pub use provider::ServicesError;
pub(crate) use provider::{Provider, Services};
pub(crate) use start::Start;

use crate::source::Fault;
use std::borrow::Cow;

/// Reason why a login at a service failed. The texts are for logs and name no person and no token.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum LoginFault {
    /// The service did not answer, or answered with an error.
    #[error("the service {0} isn't responding as it should: {1}")]
    Service(String, &'static str),
    /// A document of the service couldn't be fetched: what it is, whose it is, and why.
    #[error("couldn't read the {0} of {1}: {told}", told = told(*.2))]
    Unread(&'static str, String, Fault),
    /// The service refused the code: it was used before, or is not from this flow.
    #[error("the service {0} refused the code")]
    Code(String),
    /// The ID token, or the token of a host, is not for this login.
    #[error("{token} is refused: {1}", token = token_of(.0))]
    Token(String, &'static str),
    /// This machine gives no random numbers.
    #[error("this machine gives no random numbers")]
    Random,
}

/// Name of a service's token.
fn token_of(service: &str) -> Cow<'static, str> {
    match service {
        JWT => "the site's token".into(),
        _ => format!("the ID token of {service}").into(),
    }
}

/// Why a document couldn't be fetched; a sentence about "it", the server.
pub(crate) fn told(fault: Fault) -> Cow<'static, str> {
    match fault {
        Fault::Unopened(fault) => fault.to_string().into(),
        Fault::Unreachable => "it ends the connection without an answer".into(),
        Fault::Silent => "it doesn't answer in time".into(),
        Fault::Status(status) => format!("it answers with status {status}").into(),
        Fault::TooLong => "its answer is too long".into(),
        Fault::Nonsense | Fault::NotServed | Fault::Cursor => "its answer isn't JSON".into(),
    }
}

/// Bytes in base64url without padding.
pub(super) fn encode(bytes: impl AsRef<[u8]>) -> String {
    use base64::Engine;
    base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// Bytes of a base64url text; a padded text is taken too, since some services pad the members of their keys.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    use base64::Engine;
    base64::prelude::BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()
}
