//! Messages between the host page and the frame of the embedded wallet (spec 3.25–3.30, 7.11–7.33).
//!
//! A message is an envelope: `{type, id, payload?}`. The page's types begin with [`APP`], the frame's with [`FRAME`]; an answer repeats the id
//! and has the type of the request with `_SUCCESS`, or `_ERROR` and the payload [`FrameFault`]. They travel through a port that the frame
//! transfers with its first message, [`READY`].

use portico_json::{Json, Value};

/// Prefix of the page's messages.
pub const APP: &str = "@w3m-app/";
/// Prefix of the frame's messages.
pub const FRAME: &str = "@w3m-frame/";
/// Name of the frame's first message.
pub const READY: &str = "READY";
/// Version of the messages, in the query of the frame's address (spec 9.14).
pub const VERSION: &str = "4";
/// Sentence about a wallet that is frozen, of vault and frame.
pub const FROZEN: &str = "This wallet is frozen";
/// Sentence to a page whose requests the visitor blocked.
pub const BLOCKED: &str = "You blocked this site's requests. Allow them in the wallet's settings.";
/// Largest message in bytes; a larger one is dropped.
pub const LARGEST: usize = 256 * 1024;

/// A message of either side.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Envelope {
    /// Prefix and name: "@w3m-app/CONNECT_EMAIL".
    #[json(rename = "type")]
    pub kind: String,
    /// Id of the request, repeated by its answer; 1 to 64 characters.
    pub id: String,
    /// Payload by the name of the message.
    pub payload: Option<Value>,
}

/// Response of `/networks.json` on the wallet's own origin, which the frame reads: names of its server's configuration.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct NetworkNames {
    /// Chains with a name.
    pub networks: Vec<NetworkName>,
}

/// Name of a chain in the configuration of the wallet's own server.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct NetworkName {
    /// CAIP-2 id: "eip155:31337".
    pub chain: String,
    /// Name that the operator gave it.
    pub name: String,
    /// Symbol of its coin, if the coin has 18 decimals.
    pub coin: Option<String>,
}

/// Payload of an `_ERROR`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct FrameFault {
    /// One sentence for the visitor.
    pub message: String,
    /// Code of EIP-1193 or JSON-RPC, of an RPC request.
    pub code: Option<i64>,
}

/// Requests of the page.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum FrameEvent {
    /// Choose a chain: [`ChainChoice`], answered by the same (spec 7.13).
    #[json(rename = "SWITCH_NETWORK")]
    SwitchNetwork,
    /// Begin a login: `{email}`, answered by [`EmailConnected`] (spec 7.14).
    #[json(rename = "CONNECT_EMAIL")]
    ConnectEmail,
    /// Wait for the approval of this device (spec 7.15).
    #[json(rename = "CONNECT_DEVICE")]
    ConnectDevice,
    /// Finish a login: `{otp}` (spec 7.16).
    #[json(rename = "CONNECT_OTP")]
    ConnectOtp,
    /// Finish a social login: `{uri}`, answered by [`FrameUser`] (spec 7.17).
    #[json(rename = "CONNECT_SOCIAL")]
    ConnectSocial,
    /// Begin a social login: `{provider, back?}`, answered by `{uri}` (spec 7.18). `back` is the page of the host to which the visitor
    /// returns where no window could be opened.
    #[json(rename = "GET_SOCIAL_REDIRECT_URI")]
    GetSocialRedirectUri,
    /// Log in by the host's own token: `{jwt, chainId?, preferredAccountType?}`, answered by [`FrameUser`] or [`LoginLocked`].
    #[json(rename = "CONNECT_JWT")]
    ConnectJwt,
    /// Begin a Farcaster login, answered by `{url}` (spec 7.19).
    #[json(rename = "GET_FARCASTER_URI")]
    GetFarcasterUri,
    /// Finish a Farcaster login, answered by `{userName}` (spec 7.20).
    #[json(rename = "CONNECT_FARCASTER")]
    ConnectFarcaster,
    /// Read the user: [`UserQuestion`], answered by [`FrameUser`] (spec 7.21).
    #[json(rename = "GET_USER")]
    GetUser,
    /// End the session (spec 7.22).
    #[json(rename = "SIGN_OUT")]
    SignOut,
    /// Ask for a session, answered by `{isConnected}` (spec 7.23).
    #[json(rename = "IS_CONNECTED")]
    IsConnected,
    /// Read the chain, answered by `{chainId}` (spec 7.24).
    #[json(rename = "GET_CHAIN_ID")]
    GetChainId,
    /// Read the chains with smart accounts, answered by `{smartAccountEnabledNetworks}` (spec 7.25).
    #[json(rename = "GET_SMART_ACCOUNT_ENABLED_NETWORKS")]
    GetSmartAccountEnabledNetworks,
    /// Deploy the smart account (spec 7.26).
    #[json(rename = "INIT_SMART_ACCOUNT")]
    InitSmartAccount,
    /// Choose the kind of account: `{type}`, answered by `{type, address}` (spec 7.27).
    #[json(rename = "SET_PREFERRED_ACCOUNT")]
    SetPreferredAccount,
    /// Send a request to the wallet: [`FrameRpc`] (spec 7.28).
    #[json(rename = "RPC_REQUEST")]
    RpcRequest,
    /// Withdraw the pending request.
    #[json(rename = "RPC_ABORT")]
    RpcAbort,
    /// Change the address: `{email}`, answered by `{action}` (spec 7.29).
    #[json(rename = "UPDATE_EMAIL")]
    UpdateEmail,
    /// Prove the present address: `{otp}` (spec 7.30).
    #[json(rename = "UPDATE_EMAIL_PRIMARY_OTP")]
    UpdateEmailPrimaryOtp,
    /// Prove the new address: `{otp}`, answered by `{newEmail}` (spec 7.30).
    #[json(rename = "UPDATE_EMAIL_SECONDARY_OTP")]
    UpdateEmailSecondaryOtp,
    /// Tell the theme: [`FrameTheme`] (spec 7.31).
    #[json(rename = "SYNC_THEME")]
    SyncTheme,
    /// Tell the host: [`HostData`] (spec 7.32).
    #[json(rename = "SYNC_DAPP_DATA")]
    SyncDappData,
    /// Start anew (spec 7.33).
    #[json(rename = "RELOAD")]
    Reload,
    /// Show the settings of the wallet, what opens a locked one, or the login by passkey, until the visitor is done: `{jwt?}`, answered by
    /// [`SettingsClosed`]. The visitor of a token is asked to add that login of the host.
    #[json(rename = "SHOW_SETTINGS")]
    ShowSettings,
    /// Close them: the room that the host made is gone.
    #[json(rename = "HIDE_SETTINGS")]
    HideSettings,
}

/// Answer of `CONNECT_OTP`, where the server has no share that opens the wallet: a passkey or a recovery kit does, in the settings.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub struct LoginLocked {
    /// True; other logins are answered without a payload.
    pub locked: bool,
}

/// Answer of `SHOW_SETTINGS`.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub struct SettingsClosed {
    /// Whether somebody is logged in, with an open wallet.
    pub connected: bool,
    /// True where the login of the host's token was added.
    pub added: Option<bool>,
}

/// Payload of `SWITCH_NETWORK`.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct ChainChoice {
    /// Reference of an eip155 chain as a number or text, or a CAIP-2 id.
    pub chain_id: Value,
}

/// Answer of `CONNECT_EMAIL` (spec 3.29).
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct EmailConnected {
    /// Next step.
    pub action: crate::wallet::LoginAction,
    /// Two digits that the approval page shows too.
    pub number: Option<String>,
}

/// Payload of `GET_USER`.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct UserQuestion {
    /// Chain of the answer's address.
    pub chain_id: Option<Value>,
    /// "eoa" or "smartAccount".
    pub preferred_account_type: Option<String>,
    /// Sign-in message of the page, to sign in the same step, shortly after a login: `{serializedMessage}`, or the fields of EIP-4361 (`domain`,
    /// `uri`, `version`, `nonce`, and optional ones). The answer then has `signature`, `message` and this again.
    pub siwx_message: Option<Value>,
}

/// The embedded wallet's user (spec 3.25).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct FrameUser {
    /// Verified address.
    pub email: Option<String>,
    /// Address on the chain in use.
    pub address: String,
    /// Chain in use: a number of eip155, or a CAIP-2 id.
    pub chain_id: Value,
    /// Accounts on the chain in use.
    pub accounts: Vec<FrameAccount>,
    /// Name at the provider of a social login.
    pub user_name: Option<String>,
    /// Provider of a social login; absent for a login by e-mail.
    pub provider: Option<String>,
    /// Whether the smart account is deployed.
    pub smart_account_deployed: Option<bool>,
    /// "eoa" or "smartAccount".
    pub preferred_account_type: Option<String>,
}

/// Account of the embedded wallet.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct FrameAccount {
    /// Address.
    pub address: String,
    /// "eoa" or "smartAccount".
    #[json(rename = "type")]
    pub kind: String,
}

/// Payload of `RPC_REQUEST`.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct FrameRpc {
    /// "personal_sign"
    pub method: String,
    /// Parameters, or `null`.
    pub params: Value,
    /// Chain of the request; the one in use by default.
    pub chain_id: Option<Value>,
    /// "eip155" by default.
    pub chain_namespace: Option<String>,
}

/// Payload of `SYNC_THEME` (spec 3.26).
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct FrameTheme {
    /// "dark" or "light".
    pub theme_mode: Option<String>,
    /// Theme variables of the host.
    pub theme_variables: Option<Value>,
}

/// Payload of `SYNC_DAPP_DATA` (spec 3.27).
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct HostData {
    /// Name, description, URL and icons of the host, which the frame shows as the host's own words.
    pub metadata: Option<Value>,
    /// Version of the kit.
    pub sdk_version: Option<String>,
    /// "w3m" or "appkit".
    pub sdk_type: Option<String>,
    /// Project of the host page.
    pub project_id: Option<String>,
}
