//! What the shell knows before the first event.

use portico_json::{Json, Value};

/// The first and only argument of [`crate::App::boot`].
#[derive(Clone, Debug, Default, Json)]
pub struct Boot {
    /// What kind of page this is.
    pub environment: Environment,
    /// The host's options, as JSON; functions and objects with methods stand as `true`.
    pub options: Value,
    /// Every stored key that [`crate::storage::keys`] names and that could be read.
    pub stored: Vec<StoredEntry>,
}

/// What kind of page this is.
#[derive(Clone, Debug, Default, Json)]
pub struct Environment {
    /// A phone or a tablet.
    pub mobile: bool,
    /// iOS or iPadOS.
    pub ios: bool,
    /// Android.
    pub android: bool,
    /// Safari, and no other browser that is built like it.
    pub safari: bool,
    /// The webview of Telegram.
    pub telegram: bool,
    /// The page's origin.
    pub origin: String,
    /// The page's address without query and fragment.
    pub page: String,
    /// Unlike that of any other page load: hex digits.
    pub seed: String,
}

/// One stored key.
#[derive(Clone, Json)]
pub struct StoredEntry {
    /// Its name.
    pub key: String,
    /// What was found there: hostile until parsed.
    pub value: String,
}
