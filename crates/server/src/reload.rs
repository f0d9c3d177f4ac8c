//! Reloads the chains while the server runs: on SIGHUP, and when the configuration file changes.

use crate::AppState;
use crate::config::{Config, Flags};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{MissedTickBehavior, interval};

/// Interval between checks of the file.
const LOOK: Duration = Duration::from_secs(2);

/// Configuration file and flags that the server was started with.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path of the file.
    pub path: PathBuf,
    /// Command-line flags, which override the file.
    pub flags: Flags,
}

/// Reloads the chains as long as the server runs. A faulty configuration is logged and changes nothing. SIGHUP and changes of the
/// file count from the call on, even before the future is polled.
pub(crate) fn watch(state: AppState, source: Source) -> impl Future<Output = ()> + Send + 'static {
    let hang_up = signal(SignalKind::hangup()).ok();
    let read = written_at(&source.path);
    follow(state, source, hang_up, read)
}

async fn follow(state: AppState, source: Source, mut hang_up: Option<Signal>, mut read: Option<SystemTime>) {
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut seen = read;
    loop {
        let told = async {
            let heard = match &mut hang_up {
                Some(hang_up) => hang_up.recv().await,
                None => None,
            };
            if heard.is_none() {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = told => {}
            _ = look.tick() => {
                // Editors empty a file before they write it, and an empty file means no chains: wait until it is unchanged for one
                // interval.
                let rests = std::mem::replace(&mut seen, written_at(&source.path)) == seen;
                if seen == read || !rests {
                    continue;
                }
                read = seen;
            }
        }
        reload(&state, &source);
    }
}

/// Reads the file again and serves its chains, unless it has a mistake.
pub fn reload(state: &AppState, source: &Source) {
    let config = match Config::load(&source.path, &source.flags) {
        Ok(config) => config,
        Err(mistakes) => {
            for mistake in mistakes {
                tracing::error!(%mistake, "the configuration has a mistake, so the chains stay unchanged");
            }
            return;
        }
    };
    if state.chains().are(&config.chains) {
        return;
    }
    match state.serve_chains(&config.chains) {
        Ok(()) => tracing::info!(chains = config.chains.len(), "serving the chains of the new configuration"),
        Err(error) => tracing::error!(%error, "the chains stay unchanged"),
    }
}

/// Modification time; `None` if the file cannot be read.
fn written_at(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|found| found.modified()).ok()
}
