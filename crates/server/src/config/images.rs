//! `[images]`, the pictures of names and tokens, and the public URL under which pages load them.

use super::file::Read;
use reqwest::Url;

pub(super) const SETTINGS: &[&str] = &["images.ipfs_gateway", "public_url"];

const DEFAULT_GATEWAY: &str = "https://ipfs.io";

impl Read<'_> {
    /// Gateway for IPFS files; an empty text disables it.
    pub(super) fn ipfs_gateway(&mut self) -> Option<Url> {
        let (text, place) = self.text_or("images.ipfs_gateway", DEFAULT_GATEWAY);
        if text.is_empty() {
            return None;
        }
        let parsed = match Url::parse(&text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.path() == "/" && url.query().is_none() => {
                Ok(url)
            }
            _ => Err(format!(
                "use an http or https URL without a path as IPFS gateway, such as {DEFAULT_GATEWAY}, not `{text}`"
            )),
        };
        self.keep(place, parsed)
    }

    /// Public URL of this server, without a trailing slash.
    pub(super) fn public_url(&mut self) -> Option<String> {
        let (text, place) = self.text("public_url")?;
        let parsed = match Url::parse(&text) {
            Ok(url)
                if matches!(url.scheme(), "http" | "https")
                    && url.username().is_empty()
                    && url.password().is_none()
                    && url.query().is_none()
                    && url.fragment().is_none() =>
            {
                Ok(url.as_str().trim_end_matches('/').to_owned())
            }
            _ if is_host(&text) => {
                let scheme = if text.starts_with("localhost") { "http" } else { "https" };
                Err(format!("write `{text}` with its scheme: {scheme}://{text}"))
            }
            _ => Err(format!(
                "use the http or https URL of this server such as https://portico.example.org, not `{text}`"
            )),
        };
        self.keep(place, parsed)
    }
}

/// Whether a text is a host name without a scheme, and maybe with a port and a path.
fn is_host(text: &str) -> bool {
    let host = text.split(['/', ':']).next().unwrap_or_default();
    let named = host == "localhost" || host.contains('.') && !host.starts_with('.') && !host.ends_with('.');
    named && !text.contains("://") && Url::parse(&format!("https://{text}")).is_ok()
}
