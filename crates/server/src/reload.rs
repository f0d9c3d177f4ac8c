//! Chains change while the server runs: on SIGHUP, and when the file of the configuration was written.

use crate::AppState;
use crate::config::{Config, Flags};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{MissedTickBehavior, interval};

/// How often the file is looked at.
const LOOK: Duration = Duration::from_secs(2);

/// The file that the server was configured by.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// What was said on the command line beside it.
    pub flags: Flags,
}

/// Takes new chains as long as the server runs. What is wrong is told in the log, and the chains stay what they were. From the call on,
/// before the future is polled, SIGHUP does not end the process and no writing of the file is missed.
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
                // Whoever writes a file empties it first, and an empty file is a configuration without chains: it has to rest.
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

/// Reads the file anew and serves its chains, unless something is wrong with it.
pub fn reload(state: &AppState, source: &Source) {
    let config = match Config::load(&source.path, &source.flags) {
        Ok(config) => config,
        Err(mistakes) => {
            for mistake in mistakes {
                tracing::error!(%mistake, "the configuration is wrong; the chains stay what they were");
            }
            return;
        }
    };
    if state.chains().are(&config.chains) {
        return;
    }
    match state.serve_chains(&config.chains) {
        Ok(()) => tracing::info!(chains = config.chains.len(), "serving the chains of the new configuration"),
        Err(error) => tracing::error!(%error, "the chains stay what they were"),
    }
}

/// None where there is no file to look at.
fn written_at(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|found| found.modified()).ok()
}
