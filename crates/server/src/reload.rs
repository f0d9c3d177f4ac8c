//! Reloads the chains while the server runs: on SIGHUP, and when the configuration file changes.

use crate::AppState;
use crate::config::{Config, Flags, Written};
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
/// file count from the call on, even before the future is polled. `started` are the settings that the server was started with.
pub(crate) fn watch(state: AppState, source: Source, started: Written) -> impl Future<Output = ()> + Send + 'static {
    let hang_up = signal(SignalKind::hangup()).ok();
    let read = written_at(&source.path);
    follow(state, Reloader::new(source, started), hang_up, read)
}

async fn follow(state: AppState, mut reloader: Reloader, mut hang_up: Option<Signal>, mut read: Option<SystemTime>) {
    let path = reloader.source.path.clone();
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
                let rests = std::mem::replace(&mut seen, written_at(&path)) == seen;
                if seen == read || !rests {
                    continue;
                }
                read = seen;
            }
        }
        reloader.reload(&state);
    }
}

/// Reads the configuration again, and logs what changes.
pub struct Reloader {
    source: Source,
    /// Settings that the server was started with.
    started: Written,
    faulty: bool,
    /// Settings of which the log says that they need a restart.
    waiting: Vec<&'static str>,
}

impl Reloader {
    /// For a server that was started with these settings.
    pub fn new(source: Source, started: Written) -> Reloader {
        Reloader { source, started, faulty: false, waiting: Vec::new() }
    }

    /// Reads the file again and serves its chains, unless it has a mistake.
    pub fn reload(&mut self, state: &AppState) {
        let config = match Config::load(&self.source.path, &self.source.flags) {
            Ok(config) => config,
            Err(mistakes) => {
                self.faulty = true;
                for mistake in mistakes {
                    tracing::error!(%mistake, "the configuration has a mistake, so the chains stay unchanged");
                }
                return;
            }
        };
        self.log_change(&config.written);
        if state.chains().are(&config.chains) {
            return;
        }
        match state.serve_chains(&config.chains) {
            Ok(()) => tracing::info!(chains = config.chains.len(), "serving the chains of the new configuration"),
            Err(error) => tracing::error!(%error, "the chains stay unchanged"),
        }
    }

    /// Logs that the file is right again, and which of its changes wait for a restart.
    fn log_change(&mut self, written: &Written) {
        let file = self.source.path.display();
        if std::mem::take(&mut self.faulty) {
            tracing::info!("{file} has no mistakes any more");
        }
        let waiting = self.started.changed(written);
        if !waiting.is_empty() && waiting != self.waiting {
            tracing::warn!("{file}: a change of {} needs a restart", waiting.join(", "));
        }
        self.waiting = waiting;
    }
}

/// Modification time; `None` if the file cannot be read.
fn written_at(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|found| found.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Log;

    fn written(toml: &str) -> Written {
        Config::parse(Path::new("portico.toml"), toml, [], &Flags::default()).unwrap().written
    }

    #[test]
    fn the_log_tells_a_corrected_mistake_and_once_what_needs_a_restart() {
        let (log, _logging) = Log::begin();
        let source = Source { path: "portico.toml".into(), flags: Flags::default() };
        let mut reloader = Reloader::new(source, written("log = \"info\"\nredis_prefix = \"a:\"\n"));
        let mut lines = |toml: &str| {
            let before = log.text().len();
            reloader.log_change(&written(toml));
            log.text().split_off(before)
        };
        // Networks change at once.
        assert_eq!(lines("log = \"info\"\nredis_prefix = \"a:\"\npublic_nodes = true\n"), "");
        let changed = "log = \"warn\"\nlisten = \"127.0.0.1:9000\"\nredis_prefix = \"a:\"\n";
        let told = lines(changed);
        assert!(
            told.contains("WARN") && told.contains("portico.toml: a change of listen, log needs a restart"),
            "{told}"
        );
        assert_eq!(lines(changed), "");
        assert!(lines("log = \"warn\"\n").contains("a change of log, redis_prefix needs a restart"));
        assert_eq!(lines("log = \"info\"\nredis_prefix = \"a:\"\n"), "");
        reloader.faulty = true;
        for told in [true, false] {
            let before = log.text().len();
            reloader.log_change(&written("log = \"info\"\nredis_prefix = \"a:\"\n"));
            assert_eq!(log.text().split_off(before).contains("portico.toml has no mistakes any more"), told);
        }
    }
}
