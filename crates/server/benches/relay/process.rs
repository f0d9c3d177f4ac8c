//! The relay as a process that can be killed and restarted on the same data.

use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// Folder with the relay's data and configuration.
pub struct DataFolder {
    folder: TempDir,
}

pub struct Running {
    child: Child,
    pub address: String,
}

impl DataFolder {
    /// `more` is added to the `[relay]` section.
    pub async fn new(more: &str) -> DataFolder {
        let folder = tempfile::tempdir().unwrap();
        let toml = format!(
            "listen = \"127.0.0.1:0\"\nlog = \"error\"\nlimits.client_per_second = 0\nmax_connections = 40000\nmax_connections_per_client = 40000\n\
             [relay]\nenabled = true\nsockets_per_client = 40000\nrequests_per_second = 0\n\
             visitor_publishes_per_second = 0\nvisitor_requests_per_second = 0\nvisitor_new_topics_per_second = 0\nmib_per_visitor = 10240\n{more}"
        );
        std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
        let place = DataFolder { folder };
        let added = place.portico(&["project", "add", "--id", "bench", "--any-origin"]).output().await.unwrap();
        assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
        place
    }

    pub async fn start(&self) -> Running {
        let mut child = self.portico(&["serve"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).await.unwrap();
        let address = line.trim().rsplit_once("//").unwrap().1.to_owned();
        Running { child, address }
    }

    fn portico(&self, words: &[&str]) -> Command {
        let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_portico")));
        command.args(words).current_dir(self.folder.path()).stdin(Stdio::null()).kill_on_drop(true);
        command
    }
}

impl Running {
    /// Kills the process with SIGKILL.
    pub async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Resident memory in MiB.
    pub fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id().unwrap())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
    }
}
