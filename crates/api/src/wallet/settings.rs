//! What a visitor changes of the wallet: confirmations, passkeys, export, recovery (protocol of the settings that the frame draws).
//!
//! A request that needs a confirmation is refused with the field "confirm" (403) while the session has none of its kind.

use super::DeviceAnswer;
use portico_json::Json;

/// Kind of what the visitor confirms.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum Deed {
    /// Show the recovery phrase and the private keys. One confirmation is for one export.
    #[default]
    Export,
    /// Change how the wallet opens: slots are added and removed. A confirmation is good for ten minutes.
    Change,
}

/// Body of `/wallet/v1/confirm`: begins a confirmation, and mails its link to a visitor with an address.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct ConfirmationAsked {
    /// What is confirmed.
    pub deed: Deed,
    /// Language of the mail, as a BCP 47 tag.
    pub language: String,
    /// Whether a mail is to be sent; a visitor with a passkey may do without.
    pub mail: bool,
}

/// Response of `/wallet/v1/confirm`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct ConfirmationStarted {
    /// Id of the confirmation: 32 bytes. It is the challenge of a passkey too.
    pub transaction: String,
    /// Two digits that the page of the mail's link shows too; absent without a mail.
    pub number: Option<String>,
}

/// Body of `/wallet/v1/confirm/wait`: waits at most 25 seconds for the decision.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct ConfirmationWait {
    /// Id of the confirmation.
    pub transaction: String,
}

/// Response of `/wallet/v1/confirm/wait` and `/wallet/v1/confirm/passkey`.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub struct Confirmed {
    /// Decision so far.
    pub answer: DeviceAnswer,
    /// End of the confirmation; 0 while there is none.
    pub until: i64,
}

/// Signature of a passkey (WebAuthn) over the id of a confirmation or a login, with user verification. Body of
/// `/wallet/v1/confirm/passkey`, which is of the session.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PasskeyProof {
    /// Id of the confirmation or login.
    pub transaction: String,
    /// Id of the credential.
    pub credential: String,
    /// Authenticator data.
    pub authenticator: String,
    /// Client data: JSON, encoded.
    pub client: String,
    /// Signature: ES256 in ASN.1.
    pub signature: String,
}

/// Public key of a passkey, stored beside its slot so that the passkey confirms and logs in too.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PasskeyKey {
    /// Id of the credential.
    pub credential: String,
    /// Uncompressed point on P-256, 65 bytes.
    pub key: String,
}

/// Hint of a passkey's slot, as JSON: what is needed to ask for it.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PasskeyHint {
    /// Id of the credential.
    pub credential: String,
    /// Input of the PRF, 32 bytes.
    pub salt: String,
}

/// Body of `/wallet/v1/login/passkey`: begins a login without an address. Response: [`PasskeyLoginStarted`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PasskeyLogin {
    /// Project of the host page.
    pub project: String,
    /// Origin of the host page.
    pub host: String,
}

/// Response of `/wallet/v1/login/passkey`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PasskeyLoginStarted {
    /// Id of the login: 32 bytes, the challenge of the passkey.
    pub transaction: String,
}

/// Body of `/wallet/v1/login/passkey/new`: a wallet for a visitor without one, who has just made a passkey. Its slot is added next, and from
/// then on it logs in. Response: [`super::LoggedIn`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PasskeyNew {
    /// Project of the host page.
    pub project: String,
    /// Origin of the host page.
    pub host: String,
    /// Ephemeral X25519 public key to which the response seals the shares.
    pub key: String,
}

/// Body of `/wallet/v1/login/passkey/finish`. Response: [`super::LoggedIn`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PasskeyFinish {
    /// Signature over the id of the login.
    pub proof: PasskeyProof,
    /// Ephemeral X25519 public key to which the response seals the shares.
    pub key: String,
}
