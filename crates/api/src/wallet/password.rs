//! The password of a wallet: messages of OPAQUE (RFC 9807). The server limits tries and never learns the password.

use portico_json::Json;

/// Body of `/wallet/v1/password` (a try) and of `/wallet/v1/password/set`, which needs a confirmation ([`super::Deed::Change`]) and begins to set a
/// password.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PasswordAsked {
    /// First message of the client.
    pub request: String,
}

/// Response of `/wallet/v1/password`. A user without a password gets one of the same form.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PasswordAnswered {
    /// Message of the server.
    pub response: String,
}

/// Response of `/wallet/v1/password/set`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PasswordBegun {
    /// Message of the server.
    pub response: String,
    /// The server's sealed part of the new password, for [`NewPassword`].
    pub state: String,
}

/// New password, stored with its slot.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NewPassword {
    /// The server's sealed part, as [`PasswordBegun`] had it.
    pub state: String,
    /// Record of the client.
    pub record: String,
}
