//! The embedded wallet's login and vault: `/wallet/v1/…` on the wallet's own origin (spec 3.28–3.30, 7.14–7.22, 7.29).
//!
//! Bytes are base64url without padding. Times are epoch milliseconds. Each request is a `POST` with a JSON body and a header
//! `dpop`: a proof by the device's key ([`Proof`]). Those of a session have `authorization: DPoP <access token>` too.
//!
//! A refusal is a [`crate::Problem`]; its field tells what to do: "dpop" (the proof), "clock" (the sentence ends with the server's time in
//! seconds: correct the own time and ask again), "session" (refresh, or log in again), "code" (400: type it again; 410: no try is left),
//! "mail" (the mail couldn't be sent: begin again), "transaction" and "password" (410: begin again), "wallet" (404: none yet; 409: there is one),
//! "frozen", "device" (403: log in again). 429 has `Retry-After`, and at logins the words of spec 8.35.

mod logins;
mod password;
mod settings;
mod slot;

pub use logins::{
    FarcasterFinish, FarcasterFinished, FarcasterLink, FarcasterLinkFinish, FarcasterLinked, FarcasterLogin,
    FarcasterStarted, JwtLink, JwtLogin, LinkFinish, LinkLogin, LoginRemoval, SocialFinish, SocialLogin, SocialStarted,
    WalletLogin,
};
pub use password::{NewPassword, PasswordAnswered, PasswordAsked, PasswordBegun};
pub use settings::{
    ConfirmationAsked, ConfirmationStarted, ConfirmationWait, Confirmed, Deed, PasskeyFinish, PasskeyHint, PasskeyKey,
    PasskeyLogin, PasskeyLoginStarted, PasskeyNew, PasskeyProof,
};
pub use slot::{NewSlot, Slot, SlotKind, SlotRemoval};

use crate::project::SocialService;
use portico_json::{Json, Map};

/// Header of a proof: a JWS by RFC 9449, `typ` "dpop+jwt", `alg` "ES256", `jwk` the device's public key.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct ProofHeader {
    /// "dpop+jwt"
    pub typ: String,
    /// "ES256"
    pub alg: String,
    /// Public key of the device.
    pub jwk: DeviceKey,
}

/// Public key on P-256 (RFC 7517), with its members in the order of RFC 7638, so that its text is what the thumbprint hashes.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct DeviceKey {
    /// "P-256"
    pub crv: String,
    /// "EC"
    pub kty: String,
    /// Coordinate, 32 bytes.
    pub x: String,
    /// Coordinate, 32 bytes.
    pub y: String,
}

/// Claims of a proof.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Proof {
    /// Unique id of the proof, 16 random bytes; a second use is refused.
    pub jti: String,
    /// "POST"
    pub htm: String,
    /// Path of the request: "/wallet/v1/login/email". The origin is left out, so that proxies need not know it.
    pub htu: String,
    /// Time in seconds. A proof is good for five minutes before and after.
    pub iat: i64,
    /// SHA-256 of the body.
    pub bh: String,
    /// SHA-256 of the access token; absent without a session.
    pub ath: Option<String>,
}

/// Body of `/wallet/v1/login/email`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct EmailLogin {
    /// Address of the visitor.
    pub email: String,
    /// Project of the host page.
    pub project: String,
    /// Origin of the host page: "https://shop.example.org".
    pub host: String,
    /// Language of mails, as a BCP 47 tag: "en".
    pub language: String,
}

/// What follows an e-mail login (spec 3.29).
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum LoginAction {
    /// The visitor approves this device by the link in a mail.
    #[default]
    #[json(rename = "VERIFY_DEVICE")]
    VerifyDevice,
    /// The visitor types the code of a mail.
    #[json(rename = "VERIFY_OTP")]
    VerifyOtp,
    /// The request came with the access token of a live session of this address; no mail was sent and the transaction leads nowhere.
    #[json(rename = "CONNECT")]
    Connect,
}

/// Response of `/wallet/v1/login/email`. It is the same, in the same time, for known and unknown addresses.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct LoginStarted {
    /// Id of the login: 32 bytes.
    pub transaction: String,
    /// Next step.
    pub action: LoginAction,
    /// Two digits that the approval page shows too; absent where no approval is due.
    pub number: Option<String>,
}

/// Body of `/wallet/v1/login/device`: waits at most 25 seconds for the approval.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct DeviceWait {
    /// Id of the login.
    pub transaction: String,
}

/// Response of `/wallet/v1/login/device`.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum DeviceAnswer {
    /// Nobody decided yet: ask again.
    #[default]
    Waiting,
    /// Approved; the mail with the code is on its way.
    Approved,
    /// Refused by the visitor.
    Refused,
}

/// Response of `/wallet/v1/login/device`.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub struct DeviceWaited {
    /// Decision so far.
    pub device: DeviceAnswer,
}

/// Body of `/wallet/v1/login/code`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct CodeLogin {
    /// Id of the login.
    pub transaction: String,
    /// Code of the mail: six digits.
    pub code: String,
    /// Ephemeral X25519 public key to which the response seals the shares.
    pub key: String,
}

/// Response of each step that ends a login.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct LoggedIn {
    /// Who logged in.
    pub user: WalletUser,
    /// Session of this device.
    pub session: Session,
    /// Stored wallet; absent before the first login is finished by `/wallet/v1/wallet`.
    pub wallet: Option<WalletRecord>,
    /// Shares for this device.
    pub release: Sealed,
}

/// User of an embedded wallet.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct WalletUser {
    /// Id of the user: 16 bytes.
    pub id: String,
    /// Verified address; absent for users of other logins.
    pub email: Option<String>,
    /// Name at the provider of a social login.
    pub name: Option<String>,
    /// Provider of this login: "email", or a social login.
    pub provider: String,
}

/// Tokens of a session. Without proofs by the device's key they are worthless.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Session {
    /// Access token: 32 bytes.
    pub access: String,
    /// End of the access token, 15 minutes away.
    pub access_expires: i64,
    /// Token for the next access token: 32 bytes, for one use.
    pub refresh: String,
    /// End of the session, 30 days away.
    pub refresh_expires: i64,
}

/// Text sealed by HPKE (RFC 9180: base mode, X25519-HKDF-SHA256, HKDF-SHA256, ChaCha20Poly1305) to a key of the frame's worker. `info` is
/// "portico release 1"; the associated data is the user's id, a space and the thumbprint of the device's key.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Sealed {
    /// Encapsulated key.
    pub enc: String,
    /// Sealed JSON of a [`Release`].
    pub ciphertext: String,
}

/// Shares that a login or an unlocking releases.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Release {
    /// Key of the recovery slot: 32 bytes. Absent when unlocking, and where the slot was removed.
    pub recovery: Option<String>,
    /// Server's share of the device slot: 32 bytes. Empty while the wallet is frozen.
    pub device: String,
}

/// Stored wallet as a device gets it.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct WalletRecord {
    /// Id of the wallet: 16 bytes.
    pub id: String,
    /// Sealed entropy: nonce of 24 bytes and the text of XChaCha20-Poly1305 under the vault key. The associated data is `portico wallet 1`,
    /// the user's id and the wallet's id, joined by spaces.
    pub blob: String,
    /// Slots that this device may try: all but those of other devices.
    pub slots: Vec<Slot>,
    /// Address of each namespace, by its word: "eip155".
    pub addresses: Map<String, String>,
    /// Whether the wallet is frozen: shares are not released.
    pub frozen: bool,
}

/// Body of `/wallet/v1/wallet`: stores a new wallet. Response: [`WalletRecord`]. A user who has one is answered with status 409.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NewWallet {
    /// Id of the wallet: 16 random bytes.
    pub id: String,
    /// Sealed entropy, as in [`WalletRecord`].
    pub blob: String,
    /// The recovery slot and that of this device.
    pub slots: Vec<Slot>,
    /// Address of each namespace, by its word.
    pub addresses: Map<String, String>,
}

/// Body of `/wallet/v1/unlock`; of `/wallet/v1/export`, which releases the same after a confirmation ([`Deed::Export`]), notes it and mails a
/// notice; and of `/wallet/v1/recovery`, which after a confirmation ([`Deed::Change`]) releases the key of a new recovery slot too.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Unlock {
    /// Ephemeral X25519 public key to which the response seals the share.
    pub key: String,
}

/// Response of `/wallet/v1/unlock`, `/wallet/v1/export` and `/wallet/v1/recovery`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Unlocked {
    /// User of the session.
    pub user: WalletUser,
    /// The wallet.
    pub wallet: WalletRecord,
    /// Share of this device's slot.
    pub release: Sealed,
}

/// Body of `/wallet/v1/session/refresh`; it takes no access token. Response: [`Session`]. A token that was used before ends the session.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SessionRefresh {
    /// Token for the next access token.
    pub refresh: String,
}

/// Body of `/wallet/v1/me` and `/wallet/v1/session/end`, `/wallet/v1/devices/end`, `/wallet/v1/freeze`, `/wallet/v1/thaw`: nothing. Ending a session
/// deletes the device's share and slot, but leaves the device approved; the end of all devices does the same for each of them. Their responses
/// are this too. The response to freezing is [`Me`], and so is that to unfreezing, which needs a confirmation ([`Deed::Change`]).
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub struct Empty {}

/// Response of `/wallet/v1/me`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Me {
    /// User of the session.
    pub user: WalletUser,
    /// The wallet, if one was made.
    pub wallet: Option<WalletRecord>,
    /// Approved devices, the newest first.
    pub devices: Vec<Device>,
    /// Whether the operator froze the wallet: then only the operator unfreezes it.
    pub held: bool,
    /// Logins that open the account, beside its passkeys.
    pub logins: Vec<WalletLogin>,
    /// Services at which a login can be added.
    pub services: Vec<SocialService>,
}

/// Approved device: one browser profile on one host page's site.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Device {
    /// Thumbprint of its key.
    pub id: String,
    /// Browser and system: "Firefox on Linux".
    pub label: String,
    /// Origin of the host page.
    pub host: String,
    /// Address of its last use without its end: "203.0.113.x"; empty for one of the server's own network.
    pub place: String,
    /// Time of the approval.
    pub approved: i64,
    /// Time of the last use.
    pub used: i64,
    /// Whether it is the device that asks.
    pub current: bool,
}

/// Body of `/wallet/v1/device/remove`: ends its session and deletes its share, after a confirmation ([`Deed::Change`]). Response: [`Me`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct DeviceRemoval {
    /// Thumbprint of the device's key.
    pub id: String,
}

/// Body of `/wallet/v1/email/update` (spec 7.29), and of `/wallet/v1/email/add`, which needs a confirmation ([`Deed::Change`]) and sends a code to an
/// account without a login by address.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct EmailUpdate {
    /// New address.
    pub email: String,
}

/// What follows a change of the address (spec 3.30).
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum UpdateAction {
    /// The visitor types the code that went to the present address.
    #[default]
    #[json(rename = "VERIFY_PRIMARY_OTP")]
    VerifyPrimaryOtp,
    /// The visitor types the code that went to the new address.
    #[json(rename = "VERIFY_SECONDARY_OTP")]
    VerifySecondaryOtp,
}

/// Response of `/wallet/v1/email/update` and `/wallet/v1/email/primary`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct UpdateStarted {
    /// Next step.
    pub action: UpdateAction,
}

/// Body of `/wallet/v1/email/primary`, `/wallet/v1/email/secondary` and `/wallet/v1/email/add/finish`. The response of the latter two is [`Me`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct UpdateCode {
    /// Code of the mail.
    pub code: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::{Read, parse, to_text};

    #[test]
    fn a_login_is_read_as_it_was_written() {
        let started = LoginStarted { transaction: "AA".into(), action: LoginAction::VerifyOtp, number: None };
        let text = to_text(&started);
        assert!(text.contains(r#""action":"VERIFY_OTP""#), "{text}");
        assert_eq!(LoginStarted::read(&parse(&text).unwrap()), Ok(started));
    }

    #[test]
    fn a_device_key_is_written_as_its_thumbprint_hashes_it() {
        let key = DeviceKey { crv: "P-256".into(), kty: "EC".into(), x: "a".into(), y: "b".into() };
        assert_eq!(to_text(&key), r#"{"crv":"P-256","kty":"EC","x":"a","y":"b"}"#);
    }
}
