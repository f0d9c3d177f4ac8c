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
        if let Some(once) = after_scheme(&text) {
            return self.keep(place, Err(format!("write the scheme once: {once}")));
        }
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

/// URL after a scheme that is written twice, which a parser takes for the host `https`.
fn after_scheme(text: &str) -> Option<&str> {
    let rest = text.split_once("://")?.1;
    (rest.starts_with("http://") || rest.starts_with("https://")).then_some(rest)
}

/// Whether a text is a host name without a scheme, and maybe with a port and a path.
fn is_host(text: &str) -> bool {
    let host = text.split(['/', ':']).next().unwrap_or_default();
    let named = host == "localhost" || host.contains('.') && !host.starts_with('.') && !host.ends_with('.');
    named && !text.contains("://") && Url::parse(&format!("https://{text}")).is_ok()
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Flags};
    use std::path::Path;

    #[test]
    fn a_public_url_with_two_schemes_is_refused_and_one_in_a_path_is_not() {
        let read = |url: &str| {
            let text = format!("public_url = {url:?}\n");
            Config::parse(Path::new("portico.toml"), &text, [], &Flags::default())
        };
        for url in ["https://https://shop.example", "http://https://shop.example"] {
            let mistakes = read(url).unwrap_err();
            let told = "portico.toml, line 1: write the scheme once: https://shop.example.";
            assert_eq!(mistakes.iter().map(ToString::to_string).collect::<Vec<_>>(), [told]);
        }
        assert!(read("https://shop.example/https").is_ok());
    }
}
