//! `[wallet.vault]`: a vault on another host than the server, by mutual TLS.

use super::SettingSource;
use super::file::Read;
use rustls::pki_types::ServerName;
use std::net::SocketAddr;
use std::path::PathBuf;

const LISTEN: &str = "wallet.vault.listen";
const ADDRESS: &str = "wallet.vault.address";
pub(crate) const CERTIFICATE: &str = "wallet.vault.certificate";
pub(crate) const CERTIFICATE_KEY: &str = "wallet.vault.certificate_key";
pub(crate) const AUTHORITY: &str = "wallet.vault.authority";
const FILES: [&str; 3] = [CERTIFICATE, CERTIFICATE_KEY, AUTHORITY];

pub(super) const SETTINGS: &[&str] = &[LISTEN, ADDRESS, CERTIFICATE, CERTIFICATE_KEY, AUTHORITY];

/// One side of the connection between the server and a vault on another host.
#[derive(Clone, Debug)]
pub struct VaultLink {
    /// Side that this configuration is for.
    pub side: LinkSide,
    /// PEM file with the certificate of this side, and those between it and the authority.
    pub certificate: PathBuf,
    /// PEM file with its private key.
    pub key: PathBuf,
    /// PEM file with the certificate of the authority that signed the certificate of the other side.
    pub authority: PathBuf,
}

/// Side of the connection.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum LinkSide {
    /// The vault listens for the server at this address and port.
    Vault(SocketAddr),
    /// The server connects to the vault at this host, whose certificate names it, and port.
    Server {
        /// Name or IP address, without brackets.
        host: String,
        /// Its port.
        port: u16,
    },
}

impl Read<'_> {
    /// Outer `None`: a mistake was recorded; inner `None`: the vault is on the server's host.
    pub(super) fn vault_link(&mut self) -> Option<Option<VaultLink>> {
        let (listen, address) = (self.text(LISTEN), self.text(ADDRESS));
        let files = FILES.map(|name| self.text(name));
        let (side, place) = match (listen, address) {
            (None, None) => return self.without_side(files),
            (Some(_), Some((_, place))) => {
                let sentence = format!("set `{LISTEN}` on the vault's host and `{ADDRESS}` on the server's, not both");
                return self.keep(place, Err(sentence));
            }
            (Some((text, place)), None) => {
                let parsed = text.parse().map(LinkSide::Vault);
                let wrong = |_| format!("use an address and a port such as 10.0.0.2:8443 as `{LISTEN}`, not `{text}`");
                (self.keep(place.clone(), parsed.map_err(wrong))?, place)
            }
            (None, Some((text, place))) => {
                let wrong =
                    || format!("use a host and a port such as vault.internal:8443 as `{ADDRESS}`, not `{text}`");
                (self.keep(place.clone(), server_side(&text).ok_or_else(wrong))?, place)
            }
        };
        let [Some((certificate, _)), Some((key, _)), Some((authority, _))] = files else {
            let sentence = format!(
                "a vault on another host needs `{CERTIFICATE}`, `{CERTIFICATE_KEY}` and `{AUTHORITY}`: see docs/operations/wallet.md"
            );
            return self.keep(place, Err(sentence));
        };
        let (certificate, key, authority) = (certificate.into(), key.into(), authority.into());
        Some(Some(VaultLink { side, certificate, key, authority }))
    }

    fn without_side(&mut self, files: [Option<(String, SettingSource)>; 3]) -> Option<Option<VaultLink>> {
        let found = FILES.iter().zip(files).find_map(|(name, file)| file.map(|(_, place)| (name, place)));
        let Some((name, place)) = found else { return Some(None) };
        let sentence = format!(
            "`{name}` needs `{LISTEN}` on the vault's host, or `{ADDRESS}` on the server's. Set it, or remove this."
        );
        self.keep(place, Err(sentence))
    }

    /// Whether `serve` starts the vault: by default if it is on this host.
    pub(super) fn starts_vault(&mut self, link: Option<&VaultLink>) -> Option<bool> {
        let away = matches!(link, Some(VaultLink { side: LinkSide::Server { .. }, .. }));
        let (start, place) = self.switch_at("wallet.vault.start", !away)?;
        let sentence = format!("`wallet.vault.start` can't be true while `{ADDRESS}` names a vault on another host");
        if start && away { self.keep(place, Err(sentence)) } else { Some(start) }
    }
}

/// Side of a server, from "host:port".
fn server_side(text: &str) -> Option<LinkSide> {
    let (host, port) = text.rsplit_once(':')?;
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let port = port.parse().ok().filter(|port| *port > 0)?;
    ServerName::try_from(host).ok()?;
    Some(LinkSide::Server { host: host.into(), port })
}
