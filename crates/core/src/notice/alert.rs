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
    /// The site's sign-in failed or did not answer.
    SignInUnavailable,
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
            AlertKey::HomeUnavailable => "Couldn't Load",
            AlertKey::SignInUnavailable => "Sign-In Unavailable",
        }
    }

    /// Long message, with the remedy.
    pub fn long(self) -> &'static str {
        match self {
            AlertKey::SwitchNetworkNotFound => "This network isn't set up on this site. Add it to the networks option.",
            AlertKey::OriginNotAllowed => {
                "Wallets in this browser still work, but other features may not. Site owners: this origin isn't on the allowlist. Add it to the project."
            }
            AlertKey::SocialsTimeout => {
                "Couldn't load the embedded wallet in time. Check your connection. Site owners: check embeddedWallet.url."
            }
            AlertKey::JwtTokenNotValid => "Your session is no longer valid. Check this device's date and time.",
            AlertKey::InvalidProjectId => {
                "Wallets in this browser still work, but other features may not. Site owners: use a project id of 1 to 64 letters, digits, hyphens or underscores that the server knows (`portico project add`)."
            }
            AlertKey::ProjectIdNotConfigured => {
                "Wallets in this browser still work, but features that need the server don't. Site owners: set a project id."
            }
            AlertKey::InvalidOptions => {
                "An option or a call of this site's wallet widget isn't valid. Site owners: check it."
            }
            AlertKey::Restarted => {
                "Something went wrong, so the widget restarted. Your wallet wasn't affected. Connect again if needed."
            }
            AlertKey::HomeUnavailable => "Couldn't load part of the wallet widget. Check your connection.",
            AlertKey::SignInUnavailable => "Couldn't sign you in. Check your connection and try again.",
            AlertKey::WebAssemblyRefused => {
                "This page's Content-Security-Policy blocks WebAssembly. Add 'wasm-unsafe-eval' to script-src."
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
