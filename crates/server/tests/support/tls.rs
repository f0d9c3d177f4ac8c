//! An authority of the tests and its certificates.

/// Purpose of a certificate.
pub use rcgen::ExtendedKeyUsagePurpose as Purpose;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose, date_time_ymd,
};
use std::path::Path;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// An authority that signs certificates.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub fn new(name: &str) -> Authority {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        Authority(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// Its own certificate.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// A certificate for a name, and its key.
    pub fn issue(&self, name: &str, purpose: Purpose) -> (String, String) {
        self.sign(name, purpose, |_| ())
    }

    fn sign(&self, name: &str, purpose: Purpose, change: impl Fn(&mut CertificateParams)) -> (String, String) {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.extended_key_usages = vec![purpose];
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        (params.signed_by(&key, &self.0).unwrap().pem(), key.serialize_pem())
    }

    /// Writes `authority.pem`, `own.pem` and `own.key` into a folder.
    pub fn write(&self, folder: &Path, name: &str, purpose: Purpose) {
        let (certificate, key) = self.issue(name, purpose);
        for (file, text) in [("authority.pem", self.pem()), ("own.pem", certificate), ("own.key", key)] {
            std::fs::write(folder.join(file), text).unwrap();
        }
    }

    /// Server that asks clients for no certificate.
    pub fn acceptor(&self, name: &str) -> TlsAcceptor {
        acceptor(self.issue(name, Purpose::ServerAuth))
    }

    /// The same with a certificate whose time is over.
    pub fn expired(&self, name: &str) -> TlsAcceptor {
        let over = |params: &mut CertificateParams| params.not_after = date_time_ymd(2001, 1, 1);
        acceptor(self.sign(name, Purpose::ServerAuth, over))
    }

    /// The same with the authority's own certificate, which no other signed.
    pub fn itself(&self) -> TlsAcceptor {
        acceptor((self.pem(), self.0.key().serialize_pem()))
    }
}

fn acceptor((certificate, key): (String, String)) -> TlsAcceptor {
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let chain = vec![CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()];
    let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap();
    TlsAcceptor::from(Arc::new(config.with_single_cert(chain, key).unwrap()))
}
