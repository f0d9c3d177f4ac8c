//! `[images]`: pictures of names and tokens.

use super::file::Read;
use reqwest::Url;

pub(super) const SETTINGS: &[&str] = &["images.ipfs_gateway"];

const DEFAULT_GATEWAY: &str = "https://ipfs.io";

impl Read<'_> {
    /// By which server files of IPFS are fetched; none where it is the empty text.
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
                "the gateway `{text}` of IPFS is not an http or https URL without a path, such as {DEFAULT_GATEWAY}"
            )),
        };
        self.keep(place, parsed)
    }
}
