//! The vault's process, which `serve` starts.

use crate::AppState;
use crate::config::LogFormat;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

/// Beginning of the line by which the vault tells that it listens.
pub(crate) const LISTENS: &str = "vault on ";

/// Time limit of its start, which may migrate its database.
const START: Duration = Duration::from_secs(60);
/// Pause before a vault that ended is started again.
const AGAIN: Duration = Duration::from_secs(1);

/// Time in which the server hears of a stop that its vault has obeyed: a signal to all their processes reaches both.
const SAME_STOP: Duration = Duration::from_secs(1);

/// Time limit of its end.
const END: Duration = Duration::from_secs(10);

/// Reason why there is no vault. The vault itself has said more on standard error.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChildError {
    #[error("Couldn't start the vault: {0}")]
    Start(#[from] io::Error),
    #[error("Couldn't start the vault. See its message above.")]
    Ended,
}

/// Starts the vault with a configuration file and the server's form of log lines, and waits until it listens.
pub(crate) async fn start(config: Option<&Path>, lines: LogFormat) -> Result<Child, ChildError> {
    let mut words: Vec<OsString> = ["vault", "serve", "--child"].map(OsString::from).into();
    if let Some(config) = config {
        words.extend(["--config".into(), config.as_os_str().to_owned()]);
    }
    let mut command = Command::new(std::env::current_exe()?);
    command.env("PORTICO__LOG_FORMAT", lines.word());
    let mut child = command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn()?;
    let out = child.stdout.take().ok_or(ChildError::Ended)?;
    let mut line = String::new();
    match timeout(START, BufReader::new(out).read_line(&mut line)).await {
        Ok(Ok(_)) if line.starts_with(LISTENS) => Ok(child),
        _ => Err(ChildError::Ended),
    }
}

/// Starts the vault again whenever it ends, until the server stops; returns the one that runs then.
pub(crate) async fn watch(
    mut child: Child,
    config: Option<PathBuf>,
    lines: LogFormat,
    state: AppState,
) -> Option<Child> {
    loop {
        tokio::select! {
            ended = child.wait() => match ended.as_ref().ok().and_then(ExitStatusExt::signal) {
                None if finished(&ended) && timeout(SAME_STOP, state.stop_begun()).await.is_ok() => return None,
                Some(signal) => tracing::error!("the vault was killed (signal {signal}) and is being restarted"),
                None => tracing::error!(code = ended.ok().and_then(|ended| ended.code()), "the vault ended and is being restarted"),
            },
            () = state.stop_begun() => return Some(child),
        }
        child = loop {
            tokio::select! {
                () = sleep(AGAIN) => {}
                () = state.stop_begun() => return None,
            }
            match start(config.as_deref(), lines).await {
                Ok(new) => {
                    tracing::info!("the vault is back");
                    break new;
                }
                Err(error) => tracing::error!(%error, "embedded wallets can't be opened"),
            }
        };
    }
}

/// Whether the vault ended as it does when it is asked to.
fn finished(ended: &io::Result<ExitStatus>) -> bool {
    ended.as_ref().is_ok_and(ExitStatus::success)
}

/// Asks the vault to finish, and waits until it has.
pub(crate) async fn end(mut child: Child) {
    let process = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    if let Some(process) = process
        && kill_process(process, Signal::TERM).is_ok()
        && timeout(END, child.wait()).await.is_ok()
    {
        return;
    }
    tracing::warn!(seconds = END.as_secs(), "the vault didn't stop in time and was killed");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_vault_that_ended_without_a_mistake_may_have_been_stopped() {
        // Wait statuses: an exit code is in the second byte, a signal in the first.
        assert!(finished(&Ok(ExitStatus::from_raw(0))));
        assert!(!finished(&Ok(ExitStatus::from_raw(1 << 8))));
        assert!(!finished(&Ok(ExitStatus::from_raw(9))));
        assert!(!finished(&Err(io::Error::other("unknown"))));
    }
}
