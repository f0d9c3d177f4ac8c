//! TLS between the vault and a server on another host: version 1.3, and a certificate on both sides. The authority is the operator's own, and all
//! that either side trusts.

use crate::config::VaultLink;
use crate::config::vault_link::{AUTHORITY, CERTIFICATE, CERTIFICATE_KEY};
use rustls::client::Resumption;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{NoServerSessionStorage, WebPkiClientVerifier};
use rustls::version::TLS13;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_rustls::{TlsAcceptor, TlsConnector};

/// Reason why a side of the connection has no TLS. Each text is a sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TlsError {
    #[error("Couldn't read {0}, which `{1}` names ({2}). Check the path, and that this user may read the file.")]
    Read(PathBuf, &'static str, io::Error),
    #[error("{0}, which `{1}` names, has no {2} in PEM form. Name the file that has it.")]
    Empty(PathBuf, &'static str, &'static str),
    #[error(
        "The key in `{CERTIFICATE_KEY}` doesn't fit the certificate in `{CERTIFICATE}`. Name the key that belongs to it."
    )]
    Key,
    #[error("The certificate in `{AUTHORITY}` can't be used ({0}).")]
    Authority(String),
    #[error("Couldn't set up TLS ({0}).")]
    Version(rustls::Error),
}

/// Files of one side.
struct Own {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
    trusted: Arc<RootCertStore>,
}

impl Own {
    fn read(files: &VaultLink) -> Result<Own, TlsError> {
        let chain = certificates(&files.certificate, CERTIFICATE)?;
        let text = text_of(&files.key, CERTIFICATE_KEY)?;
        let missing = |_| TlsError::Empty(files.key.clone(), CERTIFICATE_KEY, "private key");
        let key = PrivateKeyDer::from_pem_slice(&text).map_err(missing)?;
        let mut trusted = RootCertStore::empty();
        for certificate in certificates(&files.authority, AUTHORITY)? {
            trusted.add(certificate).map_err(|error| TlsError::Authority(error.to_string()))?;
        }
        Ok(Own { chain, key, trusted: Arc::new(trusted) })
    }
}

fn text_of(file: &Path, setting: &'static str) -> Result<zeroize::Zeroizing<Vec<u8>>, TlsError> {
    std::fs::read(file).map(Into::into).map_err(|error| TlsError::Read(file.into(), setting, error))
}

fn certificates(file: &Path, setting: &'static str) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let text = text_of(file, setting)?;
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let all = all.ok().filter(|all| !all.is_empty());
    all.ok_or_else(|| TlsError::Empty(file.into(), setting, "certificate"))
}

/// The vault's side.
pub(super) fn acceptor(files: &VaultLink) -> Result<TlsAcceptor, TlsError> {
    let Own { chain, key, trusted } = Own::read(files)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let asked = WebPkiClientVerifier::builder_with_provider(trusted, provider.clone()).build();
    let asked = asked.map_err(|error| TlsError::Authority(error.to_string()))?;
    let config = ServerConfig::builder_with_provider(provider).with_protocol_versions(&[&TLS13]);
    let config = config.map_err(TlsError::Version)?.with_client_cert_verifier(asked);
    let mut config = config.with_single_cert(chain, key).map_err(|_| TlsError::Key)?;
    // Each connection shows its certificate anew.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// The server's side.
pub(super) fn connector(files: &VaultLink) -> Result<TlsConnector, TlsError> {
    let Own { chain, key, trusted } = Own::read(files)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_protocol_versions(&[&TLS13]);
    let config = config.map_err(TlsError::Version)?.with_root_certificates(trusted);
    let mut config = config.with_client_auth_cert(chain, key).map_err(|_| TlsError::Key)?;
    config.resumption = Resumption::disabled();
    Ok(TlsConnector::from(Arc::new(config)))
}
