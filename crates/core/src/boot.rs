//! Start values of the core: environment, host options and stored keys.

use portico_json::{Json, Value};

/// Values that the shell passes to [`crate::App::boot`].
#[derive(Clone, Debug, Default, Json)]
pub struct Boot {
    pub environment: Environment,
    /// Options of the host, as JSON; functions and objects with methods are replaced by `true`.
    pub options: Value,
    /// Entries of the page's storages under [`crate::storage::keys::ALL`], as far as they could be read.
    pub stored: Vec<StoredEntry>,
}

/// Device, browser and address of the page.
#[derive(Clone, Debug, Default, Json)]
pub struct Environment {
    /// Whether the device is a phone or a tablet.
    pub mobile: bool,
    /// Whether the system is iOS or iPadOS.
    pub ios: bool,
    /// Whether the system is Android.
    pub android: bool,
    /// Whether the system is macOS.
    pub mac: bool,
    /// Whether the browser is Safari itself, not another one on its engine.
    pub safari: bool,
    /// Whether the page runs in the webview of Telegram.
    pub telegram: bool,
    /// Origin of the page.
    pub origin: String,
    /// URL of the page without query and fragment.
    pub page: String,
    /// Random hex digits, different for each page load.
    pub seed: String,
}

impl Environment {
    /// Whether the browser is Safari on iOS or the webview of Telegram: these reload the page when the visitor returns from the wallet
    /// (spec 4.4).
    pub fn keeps_pairing(&self) -> bool {
        self.telegram || self.ios && self.safari
    }
}

/// Key and value in a storage of the page.
#[derive(Clone, Json)]
pub struct StoredEntry {
    pub key: String,
    /// Stored text, untrusted until parsed.
    pub value: String,
}
