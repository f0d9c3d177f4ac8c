//! `portico serve`

use super::{Told, tell};
use crate::config::Config;
use crate::db::Database;
use crate::shared::Shared;
use crate::state::AppState;
use crate::stop::{DRAIN_LIMIT, Ended, serve_until};
use std::io::{self, ErrorKind, Write};
use std::net::SocketAddr;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

pub(super) async fn run(config: &Config) -> Result<(), Told> {
    log_as_json(config);
    let listener = TcpListener::bind(config.listen).await.map_err(|error| tell(no_listener(config.listen, &error)))?;
    let database = Database::open(&config.database).await.map_err(tell)?;
    database.migrate().await.map_err(tell)?;
    let state = AppState::new(config, database.clone(), Shared::in_memory()).map_err(tell)?;
    let stop = Stop::new().map_err(|error| tell(format!("Signals cannot be heard: {error}")))?;
    let address = listener.local_addr().map_err(|error| tell(format!("The listener has no address: {error}")))?;
    announce(address);
    let ended = serve_until(stop.heard(), listener, crate::router(state.clone()), state).await;
    database.close().await;
    match ended {
        Ok(Ended::Drained) => tracing::info!("stopped"),
        Ok(Ended::Cut) => tracing::warn!(seconds = DRAIN_LIMIT.as_secs(), "stopped; requests still running were cut"),
        Err(error) => return Err(tell(format!("Serving failed: {error}"))),
    }
    Ok(())
}

/// Whoever started the server waits for this line. A closed stdout is no reason not to serve.
fn announce(address: SocketAddr) {
    let mut out = io::stdout();
    let _ = writeln!(out, "listening on http://{address}");
    let _ = out.flush();
}

fn log_as_json(config: &Config) {
    let lines = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_span_list(false)
        .with_writer(io::stderr)
        .with_filter(config.log.clone());
    // Fails only where the process logs already, as in a test.
    let _ = tracing_subscriber::registry().with(lines).try_init();
}

fn no_listener(address: SocketAddr, error: &io::Error) -> String {
    let port = address.port();
    match error.kind() {
        ErrorKind::AddrInUse => {
            let other = SocketAddr::new(address.ip(), 0);
            format!(
                "Port {port} on {} is already taken: stop the program that listens there, or choose another port with --listen, \
                 such as --listen {other} for any free one",
                address.ip()
            )
        }
        ErrorKind::PermissionDenied => format!(
            "Port {port} may not be opened by this user: choose one above 1023 with --listen, or allow it to this user"
        ),
        ErrorKind::AddrNotAvailable => {
            format!("{} is not an address of this machine: choose one of its own with --listen", address.ip())
        }
        _ => format!("{address} cannot be listened on: {error}"),
    }
}

/// SIGTERM and Ctrl-C.
struct Stop {
    terminate: Signal,
    interrupt: Signal,
}

impl Stop {
    fn new() -> io::Result<Stop> {
        Ok(Stop { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn heard(mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
        tracing::info!("told to stop; finishing what is in flight");
    }
}
