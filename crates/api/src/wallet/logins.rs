//! Logins at other services, by Farcaster and by a host's own token, and the list of those that open an account.

use portico_json::Json;
use portico_qr::QrCode;

/// Body of `/wallet/v1/login/social`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SocialLogin {
    /// Configured provider: "google".
    pub provider: String,
    /// Project of the host page.
    pub project: String,
    /// Origin of the host page.
    pub host: String,
    /// Page of the host to which the visitor is sent back where no window could be opened.
    pub back: Option<String>,
}

/// Response of `/wallet/v1/login/social`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SocialStarted {
    /// Id of the login.
    pub transaction: String,
    /// Address of the provider's page, to open in a window.
    pub uri: String,
}

/// Body of `/wallet/v1/login/social/finish`. Response: [`super::LoggedIn`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SocialFinish {
    /// Id of the login.
    pub transaction: String,
    /// One-time code that the callback page handed to the opener.
    pub code: String,
    /// Ephemeral X25519 public key to which the response seals the shares.
    pub key: String,
}

/// Body of `/wallet/v1/login/jwt`. Response: [`super::LoggedIn`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct JwtLogin {
    /// Project of the host page.
    pub project: String,
    /// Origin of the host page.
    pub host: String,
    /// Token (JWT) by which the host's server says who the visitor is.
    pub token: String,
    /// Ephemeral X25519 public key to which the response seals the shares.
    pub key: String,
}

/// Body of `/wallet/v1/login/farcaster`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct FarcasterLogin {
    /// Project of the host page.
    pub project: String,
    /// Origin of the host page, whose domain the visitor's app shows.
    pub host: String,
}

/// Response of `/wallet/v1/login/farcaster`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct FarcasterStarted {
    /// Id of the login.
    pub transaction: String,
    /// Address that the visitor's app opens, as a link or a code.
    pub url: String,
}

/// Body of `/wallet/v1/login/farcaster/finish`, which waits for the visitor's signature for some seconds.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct FarcasterFinish {
    /// Id of the login.
    pub transaction: String,
    /// Ephemeral X25519 public key to which the response seals the shares.
    pub key: String,
}

/// Response of `/wallet/v1/login/farcaster/finish`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct FarcasterFinished {
    /// The login; absent while the visitor has not signed.
    pub entered: Option<super::LoggedIn>,
}

/// Login that opens an account.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct WalletLogin {
    /// "email", or the id of a person at a service.
    pub id: String,
    /// "email", or the word of the service: "google".
    pub provider: String,
    /// Address, or name at the service.
    pub name: Option<String>,
}

/// Body of `/wallet/v1/login/link`: begins a login at a service, which is added to the wallet of the session, after a confirmation
/// ([`super::Deed::Change`]). Response: [`SocialStarted`]. The code comes back to a page of the wallet's own origin.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct LinkLogin {
    /// Configured provider: "google".
    pub provider: String,
    /// Page of the session's host to which the visitor is sent back where the service cut its window off.
    pub back: Option<String>,
}

/// Body of `/wallet/v1/login/link/finish`, within the same confirmation. Response: [`super::Me`]. A login that has a wallet of its own is refused (409).
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct LinkFinish {
    /// Id of the login.
    pub transaction: String,
    /// One-time code of the callback page.
    pub code: String,
}

/// Response of `/wallet/v1/login/link/farcaster`, which begins the same by Farcaster.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct FarcasterLink {
    /// Id of the login.
    pub transaction: String,
    /// Address that the visitor's app opens, as a link.
    pub url: String,
    /// The same as a code.
    pub code: Option<QrCode>,
}

/// Body of `/wallet/v1/login/link/farcaster/finish`, within the same confirmation; it waits for the visitor's signature for some seconds.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct FarcasterLinkFinish {
    /// Id of the login.
    pub transaction: String,
}

/// Response of `/wallet/v1/login/link/farcaster/finish`.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub struct FarcasterLinked {
    /// Whether the login is there; false while the visitor has not signed.
    pub added: bool,
}

/// Body of `/wallet/v1/login/link/jwt`: adds the login of a host's own token, after the same confirmation. Response: [`super::Me`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct JwtLink {
    /// Project of the host page.
    pub project: String,
    /// Origin of the host page.
    pub host: String,
    /// Token (JWT) by which the host's server says who the visitor is.
    pub token: String,
}

/// Body of `/wallet/v1/login/unlink`: removes a login after a confirmation ([`super::Deed::Change`]); the last one is refused (409). Response: [`super::Me`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct LoginRemoval {
    /// Id of the login.
    pub id: String,
}
