//! Where the vault listens: a Unix socket that only its user may open, and TLS for a server on another host.

use super::tls::{TlsError, acceptor};
use crate::config::{LinkSide, VaultLink};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

/// Connections at once; many of them wait for approvals.
const CONNECTIONS: usize = 4096;
/// Time limit of a request's head, and of requests in flight after the stop signal.
const HEAD: Duration = Duration::from_secs(10);
const DRAIN: Duration = Duration::from_secs(5);
/// Pause after an error of the listener, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Reason why the vault cannot listen.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BindError {
    #[error("Another vault listens at {0}. Stop it, or set another `wallet.vault.socket`.")]
    Taken(PathBuf),
    #[error(
        "Couldn't create the vault's socket {0} ({1}). Check that its folder exists and that this user can write there."
    )]
    Failed(PathBuf, io::Error),
    #[error("Couldn't listen at {0} ({1}). Set `wallet.vault.listen` to an address of this machine and a free port.")]
    Address(SocketAddr, io::Error),
    #[error("{0}")]
    Tls(#[from] TlsError),
}

/// Place at which the vault accepts connections.
pub(crate) enum Door {
    Socket(UnixListener),
    Address(TcpListener, TlsAcceptor),
}

/// A connection before anything is read of it.
enum Caller {
    Here(UnixStream),
    Elsewhere(TcpStream, TlsAcceptor),
}

impl Door {
    async fn accept(&self) -> io::Result<Caller> {
        Ok(match self {
            Door::Socket(listener) => Caller::Here(listener.accept().await?.0),
            Door::Address(listener, acceptor) => Caller::Elsewhere(listener.accept().await?.0, acceptor.clone()),
        })
    }
}

/// Address for servers on other hosts, if there is one, after a look at the files of TLS.
pub(crate) fn check_link(link: Option<&VaultLink>) -> Result<Option<SocketAddr>, TlsError> {
    let Some((link, LinkSide::Vault(address))) = link.map(|link| (link, &link.side)) else { return Ok(None) };
    acceptor(link).map(|_| Some(*address))
}

/// Listens for servers on other hosts, if the configuration is that of such a vault. Once the process is confined, it can neither listen at a port nor
/// read the files of TLS.
pub(crate) fn bind_for_others(
    link: Option<&VaultLink>,
) -> Result<Option<(std::net::TcpListener, TlsAcceptor)>, BindError> {
    let Some((link, LinkSide::Vault(address))) = link.map(|link| (link, &link.side)) else { return Ok(None) };
    let acceptor = acceptor(link)?;
    let failed = |error| BindError::Address(*address, error);
    let listener = std::net::TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(Some((listener, acceptor)))
}

/// Listens at a path. A socket that a killed vault left behind is replaced.
pub(crate) async fn bind(path: &Path, mode: u32) -> Result<UnixListener, BindError> {
    let failed = |error| BindError::Failed(path.into(), error);
    if let Ok(found) = std::fs::symlink_metadata(path) {
        if !found.file_type().is_socket() || UnixStream::connect(path).await.is_ok() {
            return Err(BindError::Taken(path.into()));
        }
        std::fs::remove_file(path).map_err(failed)?;
    }
    // Bound under another name first, so that nobody can connect before the permissions are set.
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let _ = std::fs::remove_file(&new);
    let listener = UnixListener::bind(&new).map_err(failed)?;
    std::fs::set_permissions(&new, std::fs::Permissions::from_mode(mode)).map_err(failed)?;
    std::fs::rename(&new, path).map_err(failed)?;
    Ok(listener)
}

/// Serves until `stop` completes, and finishes requests in flight.
pub(crate) async fn serve_until(stop: impl Future<Output = ()>, door: Door, router: Router) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        let next = async {
            let place = places.clone().acquire_owned().await;
            (door.accept().await, place)
        };
        tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => {}
            (accepted, place) = next => match accepted {
                Ok(caller) => {
                    let router = router.clone();
                    connections.spawn(async move {
                        let _place = place;
                        converse(caller, router).await;
                    });
                }
                Err(error) => {
                    tracing::error!(%error, "the vault couldn't accept a connection");
                    sleep(PAUSE).await;
                }
            },
        }
    }
    let drained = async { while connections.join_next().await.is_some() {} };
    // Those that wait for an approval ask again.
    let _ = timeout(DRAIN, drained).await;
}

async fn converse(caller: Caller, router: Router) {
    match caller {
        Caller::Here(stream) => speak(stream, router).await,
        Caller::Elsewhere(stream, acceptor) => {
            let _ = stream.set_nodelay(true);
            match timeout(HEAD, acceptor.accept(stream)).await {
                Ok(Ok(stream)) => speak(stream, router).await,
                Ok(Err(error)) => tracing::warn!(%error, "the vault refused a connection from another host"),
                Err(_) => {}
            }
        }
    }
}

async fn speak(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, router: Router) {
    let service = TowerToHyperService::new(router);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD);
    // Errors come from a web tier that ended.
    let _ = builder.serve_connection(TokioIo::new(stream), service).await;
}
