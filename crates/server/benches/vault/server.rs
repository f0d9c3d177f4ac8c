//! The measured server: the released binary with its vault on SQLite, and limits of all visitors together that let a benchmark pass.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

pub const HOST: &str = "https://shop.example";

pub struct Running {
    /// Address of the wallet's listener.
    pub wallet: SocketAddr,
    pub origin: String,
    child: Child,
    _folder: TempDir,
}

pub async fn start(mails: SocketAddr) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let wallet = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let origin = format!("http://localhost:{}", wallet.port());
    let toml = format!(
        "listen = \"127.0.0.1:0\"\nlog = \"error\"\ntrusted_proxies = [\"127.0.0.1\"]\n\
         [wallet]\norigin = \"{origin}\"\nlisten = \"{wallet}\"\n\
         [wallet.vault]\nreleases_per_hour = 1000000\nlogins_per_minute = 1000000\n\
         [wallet.mail]\nsmtp = \"smtp://{mails}\"\nfrom = \"wallet@example.org\"\n"
    );
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    let portico = |words: &[&str]| {
        let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_portico")));
        command.args(words).current_dir(folder.path()).stdin(Stdio::null()).kill_on_drop(true);
        command
    };
    for words in [&["project", "add", "--id", "bench", "--origin", HOST][..], &["vault", "init"]] {
        let output = portico(words).output().await.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let mut child = portico(&["serve"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).await.unwrap();
    Running { wallet, origin, child, _folder: folder }
}

impl Running {
    /// Resident memory of the server and its vault in MiB.
    pub fn resident(&self) -> (f64, f64) {
        let server = self.child.id().unwrap();
        let children = std::fs::read_to_string(format!("/proc/{server}/task/{server}/children")).unwrap();
        let vault = children.split_whitespace().next().map(|id| id.parse().unwrap());
        (mebibytes(server), mebibytes(vault.unwrap_or_else(|| spawned_by(server))))
    }

    /// Ends the server, which ends its vault.
    pub async fn stop(mut self) {
        let id = rustix::process::Pid::from_raw(self.child.id().unwrap() as i32).unwrap();
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
        self.child.wait().await.unwrap();
    }
}

/// The child of a process, whichever of its threads started it.
fn spawned_by(parent: u32) -> u32 {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parent = format!("PPid:\t{parent}\n");
    let status = |id: &u32| std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    ids.into_iter().find(|id| status(id).contains(&parent)).unwrap()
}

fn mebibytes(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}
