//! Why a connection to another server couldn't be opened: an operator mends a wrong name otherwise than an untrusted certificate.

use rustls::{CertificateError, InvalidMessage};
use std::error::Error;
use std::io;

/// Cause of a connection that couldn't be opened; the texts are sentences about "it".
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum ConnectFault {
    /// No server listens at the port.
    #[error("it refuses connections")]
    Refused,
    /// DNS has no address for the name.
    #[error("its name can't be found")]
    UnknownName,
    /// The server speaks without TLS.
    #[error("it doesn't begin with TLS")]
    NoTls,
    /// The certificate is from an unknown authority.
    #[error("its certificate is from an authority that this machine doesn't trust")]
    Untrusted,
    /// The certificate is that of an authority, which signs itself.
    #[error("its certificate is self-signed")]
    SelfSigned,
    /// The trusted authority of this name has another key.
    #[error("its certificate isn't signed by the authority that it names")]
    Forged,
    #[error("its certificate has expired")]
    Expired,
    #[error("its certificate isn't valid yet")]
    Early,
    #[error("its certificate isn't for its name")]
    OtherName,
    /// Another mistake of the certificate.
    #[error("its certificate isn't that of a server")]
    Certificate,
    /// Another cause, such as a firewall.
    #[error("it can't be reached")]
    Other,
}

impl ConnectFault {
    const ALL: [ConnectFault; 11] = [
        ConnectFault::Refused,
        ConnectFault::UnknownName,
        ConnectFault::NoTls,
        ConnectFault::Untrusted,
        ConnectFault::SelfSigned,
        ConnectFault::Forged,
        ConnectFault::Expired,
        ConnectFault::Early,
        ConnectFault::OtherName,
        ConnectFault::Certificate,
        ConnectFault::Other,
    ];

    /// Cause of the error of a client.
    pub(crate) fn of(error: &(dyn Error + 'static)) -> ConnectFault {
        if let Some(error) = error.downcast_ref::<rustls::Error>() {
            return ConnectFault::of_tls(error);
        }
        let io = error.downcast_ref::<io::Error>();
        if io.is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused) {
            return ConnectFault::Refused;
        }
        // The standard library's error about a host name has no kind of its own.
        if error.to_string().starts_with("failed to lookup address") {
            return ConnectFault::UnknownName;
        }
        // An io error hides the error that it wraps from `source`.
        match io.and_then(io::Error::get_ref) {
            Some(inner) => ConnectFault::of(inner),
            None => error.source().map_or(ConnectFault::Other, ConnectFault::of),
        }
    }

    fn of_tls(error: &rustls::Error) -> ConnectFault {
        let certificate = match error {
            rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType) => return ConnectFault::NoTls,
            rustls::Error::InvalidCertificate(certificate) => certificate,
            _ => return ConnectFault::Other,
        };
        match certificate {
            CertificateError::UnknownIssuer => ConnectFault::Untrusted,
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => ConnectFault::Expired,
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => ConnectFault::Early,
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                ConnectFault::OtherName
            }
            CertificateError::BadSignature => ConnectFault::Forged,
            // The certificate of an authority as that of a server: `openssl req -x509` makes such ones.
            other if format!("{other:?}").contains("CaUsedAsEndEntity") => ConnectFault::SelfSigned,
            _ => ConnectFault::Certificate,
        }
    }

    /// The fault whose text this is.
    pub(crate) fn told(text: &str) -> Option<ConnectFault> {
        ConnectFault::ALL.into_iter().find(|fault| fault.to_string() == text)
    }

    /// Step for the operator who set the server's URL or host in this setting.
    pub(crate) fn next(self, setting: &str) -> String {
        match self {
            ConnectFault::Refused => format!("Start it, or check host and port in {setting}."),
            ConnectFault::UnknownName => format!("Check the name in {setting}, and this machine's DNS."),
            ConnectFault::NoTls => format!("Use the address without TLS, or another port, in {setting}."),
            ConnectFault::Untrusted => {
                format!("Add the authority to the system's certificates, or check the host in {setting}.")
            }
            ConnectFault::SelfSigned | ConnectFault::Forged => format!(
                "Give it a certificate of an authority that this machine trusts, or check the host in {setting}."
            ),
            ConnectFault::Expired => "Renew it there, and check this machine's clock.".into(),
            ConnectFault::Early => "Check this machine's clock, and that of the server.".into(),
            ConnectFault::OtherName => format!("Use a name that is in it in {setting}."),
            ConnectFault::Certificate => format!("Renew it there, or check the host in {setting}."),
            ConnectFault::Other => format!("Check its address in {setting}, and this machine's network and firewall."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ConnectFault;
    use crate::outbound::http_client;

    #[tokio::test]
    async fn a_name_that_is_not_found_and_a_closed_port_are_told_apart() {
        // The part is longer than DNS allows, so no name server is asked.
        let unknown = format!("http://{}.invalid", "x".repeat(64));
        for (url, fault) in
            [(unknown.as_str(), ConnectFault::UnknownName), ("http://127.0.0.1:1", ConnectFault::Refused)]
        {
            let error = http_client(false).unwrap().get(url).send().await.unwrap_err();
            assert_eq!(ConnectFault::of(&error), fault, "{error:?}");
            assert_eq!(ConnectFault::told(&fault.to_string()), Some(fault));
        }
    }
}
