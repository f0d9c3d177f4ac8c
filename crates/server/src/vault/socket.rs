//! The Unix socket of the vault. Only its user may open it.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::io;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

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
pub(crate) async fn serve_until(stop: impl Future<Output = ()>, listener: UnixListener, router: Router) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        let next = async {
            let place = places.clone().acquire_owned().await;
            (listener.accept().await, place)
        };
        tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => {}
            (accepted, place) = next => match accepted {
                Ok((stream, _)) => {
                    let router = router.clone();
                    connections.spawn(async move {
                        let _place = place;
                        converse(stream, router).await;
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

async fn converse(stream: UnixStream, router: Router) {
    let service = TowerToHyperService::new(router);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD);
    // Errors come from a web tier that ended.
    let _ = builder.serve_connection(TokioIo::new(stream), service).await;
}
