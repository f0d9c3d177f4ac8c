//! The measured server: the released binary with default limits, the relay, analytics and names.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

pub const CHAIN: &str = "eip155:31337";

pub struct Running {
    pub address: SocketAddr,
    _child: Child,
    _folder: TempDir,
}

pub async fn start(other: SocketAddr) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let toml = format!(
        "listen = \"127.0.0.1:0\"\nlog = \"off\"\n\
         [analytics]\nenabled = true\n[relay]\nenabled = true\n[names]\nparent = \"bench.eth\"\n\
         [egress]\nallow = [\"{other}\"]\n[sources]\nhistory = [\"explorer\"]\n\
         [[chains]]\nid = \"{CHAIN}\"\nupstreams = [\"http://{other}\"]\nexplorer = \"http://{other}\"\n"
    );
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    let portico = |words: &[&str]| {
        let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_portico")));
        command.args(words).current_dir(folder.path()).stdin(Stdio::null()).kill_on_drop(true);
        command
    };
    let added = portico(&["project", "add", "--id", "bench", "--any-origin"]).output().await.unwrap();
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let mut child = portico(&["serve"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).await.unwrap();
    let address = line.trim().rsplit_once("//").unwrap().1.parse().unwrap();
    Running { address, _child: child, _folder: folder }
}
