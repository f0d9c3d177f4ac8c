//! Way from the web tier to the vault: its socket, or TLS to another host.

use super::tls::{TlsError, connector};
use crate::config::{LinkSide, VaultPlace};
use rustls::pki_types::ServerName;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

/// Time limit of a connection to another host.
const CONNECT: Duration = Duration::from_secs(5);

/// A connection to the vault.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// Way to the vault; clones share it.
#[derive(Clone)]
pub(crate) struct Way(Kind);

#[derive(Clone)]
enum Kind {
    Socket(PathBuf),
    /// Host, port, and the files of this side or what is wrong with them.
    Host(String, u16, Arc<Result<TlsConnector, TlsError>>),
}

impl fmt::Display for Way {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Socket(path) => path.display().fmt(formatter),
            Kind::Host(host, port, _) => write!(formatter, "{host}:{port}"),
        }
    }
}

impl Way {
    /// Reads the files of TLS, if the vault is on another host.
    pub(crate) fn new(place: &VaultPlace) -> Way {
        Way(match &place.link {
            Some(link) => match &link.side {
                LinkSide::Server { host, port } => Kind::Host(host.clone(), *port, Arc::new(connector(link))),
                LinkSide::Vault(_) => Kind::Socket(place.socket.clone()),
            },
            None => Kind::Socket(place.socket.clone()),
        })
    }

    /// Mistake in the files of TLS.
    pub(crate) fn mistake(&self) -> Option<&TlsError> {
        match &self.0 {
            Kind::Host(_, _, tls) => (**tls).as_ref().err(),
            Kind::Socket(_) => None,
        }
    }

    pub(crate) async fn connect(&self) -> io::Result<Box<dyn Stream>> {
        match &self.0 {
            Kind::Socket(path) => Ok(Box::new(UnixStream::connect(path).await?)),
            Kind::Host(host, port, tls) => {
                let tls = (**tls).as_ref().map_err(|error| io::Error::other(error.to_string()))?;
                let name = ServerName::try_from(host.clone()).map_err(io::Error::other)?;
                let connected = async {
                    let stream = TcpStream::connect((host.as_str(), *port)).await?;
                    stream.set_nodelay(true)?;
                    tls.connect(name, stream).await
                };
                let stream = timeout(CONNECT, connected).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
                Ok(Box::new(stream?))
            }
        }
    }
}
