use portico_json::Json;

/// Subject of an alert. Its texts are in the text catalogue.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum AlertKey {
    /// The network is not configured (spec 4.17, 8.42, 8.47).
    SwitchNetworkNotFound,
    /// The origin is not on the allowlist (spec 8.43).
    OriginNotAllowed,
    /// The embedded wallet did not load (spec 8.43).
    SocialsTimeout,
    /// The token has expired, or the clock is wrong (spec 8.44).
    JwtTokenNotValid,
    /// The project id is unknown or malformed (spec 8.45).
    InvalidProjectId,
    /// There is no project id (spec 8.46).
    ProjectIdNotConfigured,
    /// An option is invalid.
    InvalidOptions,
    /// The core crashed and was restarted.
    Restarted,
    /// The browser blocks WebAssembly.
    WebAssemblyRefused,
    /// A part of the core could not be loaded (decision 7).
    HomeUnavailable,
}

impl AlertKey {
    /// Alert for an error message of a provider or server (spec 8.49).
    pub fn of_message(message: &str) -> Option<AlertKey> {
        let words = [
            ("origin not allowed", AlertKey::OriginNotAllowed),
            ("JWT Token is not yet valid", AlertKey::JwtTokenNotValid),
            ("invalid key", AlertKey::InvalidProjectId),
            ("Project ID is missing", AlertKey::ProjectIdNotConfigured),
        ];
        words.into_iter().find(|(words, _)| message.contains(words)).map(|(_, key)| key)
    }

    /// Short message (spec 2.32, 8.42 to 8.47).
    pub fn short(self) -> &'static str {
        match self {
            AlertKey::SwitchNetworkNotFound => "Network Not Found",
            AlertKey::OriginNotAllowed | AlertKey::SocialsTimeout | AlertKey::InvalidOptions => {
                "Invalid App Configuration"
            }
            AlertKey::JwtTokenNotValid => "Session Expired",
            AlertKey::InvalidProjectId => "Invalid Project ID",
            AlertKey::ProjectIdNotConfigured => "Project ID Not Configured",
            AlertKey::Restarted => "Wallet Widget Restarted",
            AlertKey::WebAssemblyRefused => "Wallet Widget Blocked",
            AlertKey::HomeUnavailable => "Could Not Load",
        }
    }

    /// Long message, with the remedy.
    pub fn long(self) -> &'static str {
        match self {
            AlertKey::SwitchNetworkNotFound => {
                "The network is not one of this site's networks. Add it to the networks option."
            }
            AlertKey::OriginNotAllowed => {
                "Wallets in this browser can be used; some other things cannot. For the makers of the site: its origin is not on the allowlist of the project."
            }
            AlertKey::SocialsTimeout => {
                "The embedded wallet did not load in time. Check the network and the secure site's address."
            }
            AlertKey::JwtTokenNotValid => {
                "The session is not valid any more. Check that this device's date and time are right."
            }
            AlertKey::InvalidProjectId => {
                "Wallets in this browser can be used; some other things cannot. For the makers of the site: a project id is 1 to 64 letters, digits, hyphens or underscores, and known to the server (`portico project add`)."
            }
            AlertKey::ProjectIdNotConfigured => {
                "Wallets in this browser can be used; what asks the server cannot. For the makers of the site: give it the id of a project."
            }
            AlertKey::InvalidOptions => "An option of this site's wallet widget cannot be used.",
            AlertKey::Restarted => {
                "Something went wrong inside and it was started again. Your wallet is untouched; connect again if needed."
            }
            AlertKey::HomeUnavailable => {
                "A part of the wallet widget could not be loaded. Check your connection; it is tried again by itself."
            }
            AlertKey::WebAssemblyRefused => {
                "This page's Content-Security-Policy forbids WebAssembly. Add 'wasm-unsafe-eval' to script-src."
            }
        }
    }
}

/// A message that stays until it is dismissed.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Alert {
    pub key: AlertKey,
    /// Name of the option or network; shown after the long message.
    pub detail: String,
}
