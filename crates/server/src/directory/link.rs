//! Links of a wallet, which a visitor's browser will open: validated here, so that none of them can run a script.

use super::fold::is_invisible;
use portico_terms::link::REFUSED;
use reqwest::Url;
use serde::{Deserialize, Serialize};

/// Maximum length of a link, in bytes.
const LONGEST: usize = 2048;

/// Link with the scheme https.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct WebLink(String);

/// Prefix of a link with the app's own scheme, such as `metamask://`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct AppLink(String);

/// Reason why a text is not a valid link.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum LinkError {
    /// Not an https URL, too long, or with a user name, a password or characters that a URL must escape.
    #[error("use a link that starts with https://, not `{0}`")]
    Web(String),
    /// The scheme does not belong to an app, or the rest is not as in a URL.
    #[error("use a link with the app's own scheme such as metamask://, not `{0}`")]
    App(String),
}

impl WebLink {
    /// The link as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AppLink {
    /// The link as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for WebLink {
    type Error = LinkError;

    fn try_from(text: String) -> Result<WebLink, LinkError> {
        let named = |url: &Url| url.host_str().is_some() && url.username().is_empty() && url.password().is_none();
        match url(&text).is_some_and(|url| url.scheme() == "https" && named(&url)) {
            true => Ok(WebLink(text)),
            false => Err(LinkError::Web(beginning(&text))),
        }
    }
}

impl TryFrom<String> for AppLink {
    type Error = LinkError;

    fn try_from(text: String) -> Result<AppLink, LinkError> {
        let begins = |url: &Url| text.get(url.scheme().len()..).is_some_and(|rest| rest.starts_with("://"));
        match url(&text).is_some_and(|url| begins(&url) && !REFUSED.contains(&url.scheme())) {
            true => Ok(AppLink(text)),
            false => Err(LinkError::App(beginning(&text))),
        }
    }
}

impl From<WebLink> for String {
    fn from(link: WebLink) -> String {
        link.0
    }
}

impl From<AppLink> for String {
    fn from(link: AppLink) -> String {
        link.0
    }
}

fn url(text: &str) -> Option<Url> {
    let odd = |letter: char| letter.is_whitespace() || is_invisible(letter) || "<>\"'`{}|\\^".contains(letter);
    if text.len() > LONGEST || text.contains(odd) {
        return None;
    }
    Url::parse(text).ok()
}

/// First letters of a text, for an error.
fn beginning(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn web(text: &str) -> Result<WebLink, LinkError> {
        text.to_owned().try_into()
    }

    fn app(text: &str) -> Result<AppLink, LinkError> {
        text.to_owned().try_into()
    }

    #[test]
    fn a_web_link_is_https_and_nothing_that_runs() {
        for text in [
            "",
            " ",
            "metamask.io",
            "//metamask.io",
            "http://metamask.io",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "java\nscript:alert(1)",
            " https://metamask.io",
            "https://metamask.io/a b",
            "https://meta\u{202e}mask.io",
            "https://metamask.io/\0",
            "https://metamask.io\\@evil.example",
            "https://visitor:word@metamask.io",
            "https://metamask.io@evil.example",
            "https://",
            "data:text/html,<script>",
        ] {
            assert!(web(text).is_err(), "{text:?}");
        }
        assert!(web(&format!("https://metamask.io/{}", "a".repeat(LONGEST))).is_err());
        assert_eq!(web("https://metamask.io").unwrap().as_str(), "https://metamask.io");
        assert_eq!(web("https://go.example/wc?x=1").unwrap().as_str(), "https://go.example/wc?x=1");
    }

    #[test]
    fn an_app_link_begins_with_a_scheme_that_is_an_apps_own() {
        for text in [
            "",
            "metamask",
            "metamask:",
            "metamask:/",
            "://",
            "1inch://",
            "https://metamask.io",
            "HTTPS://metamask.io",
            "http://metamask.io",
            "javascript://%0aalert(1)",
            "JAVASCRIPT://%0aalert(1)",
            "data://text/html,hello",
            "blob://a",
            "file:///etc/passwd",
            "intent://scan/#Intent;end",
            "view-source://a",
            "ws://a",
            "wss://a",
            "wc:00@2?relay",
            "meta mask://",
            "metamask://\u{200b}",
        ] {
            assert!(app(text).is_err(), "{text:?}");
        }
        for text in
            ["metamask://", "bnc://app.binance.com/cedefi", "bybitapp://open/route?targetUrl=by://web3", "okex://main"]
        {
            assert_eq!(app(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn an_error_does_not_repeat_a_long_text() {
        let error = web(&"a".repeat(100_000)).unwrap_err();
        assert!(error.to_string().len() < 140);
    }
}
