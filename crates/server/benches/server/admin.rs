//! The admin page of a server with many projects and nodes.

use crate::batch::{connect, exchange};
use crate::process::MEASURED;
use crate::row::{Limit, Row};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

const PROJECTS: usize = 200;
const CHAINS: usize = 50;
const PAGES: usize = 200;

/// Server process that is stopped on drop.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn portico(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", MEASURED, env!("CARGO_BIN_EXE_portico")]).args(words).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

fn said(folder: &Path, words: &[&str]) -> String {
    let output = portico(folder, words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Port in the next line of the server.
fn port(lines: &mut impl Iterator<Item = std::io::Result<String>>) -> u16 {
    let line = lines.next().unwrap().unwrap();
    line.trim_end_matches("/metrics").rsplit(':').next().unwrap().parse().unwrap()
}

pub fn page() -> Vec<Row> {
    let folder = tempfile::tempdir().unwrap();
    let mut toml = String::from("listen = \"127.0.0.1:0\"\nadmin_listen = \"127.0.0.1:0\"\nlog = \"error\"\n");
    for chain in 1..=CHAINS {
        toml += &format!(
            "[[chains]]\nid = \"eip155:{chain}\"\nupstreams = [\"http://127.0.0.1:1\", \"http://127.0.0.1:2\"]\n"
        );
    }
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    for number in 0..PROJECTS {
        let origin = format!("https://p{number}.example");
        said(
            folder.path(),
            &["project", "add", "Shop", "--per-day", "1000000", "--origin", &origin, "--origin", "http://localhost:*"],
        );
    }
    let mut server = Server(portico(folder.path(), &["serve"]).stderr(Stdio::inherit()).spawn().unwrap());
    let mut lines = BufReader::new(server.0.stdout.take().unwrap()).lines();
    let (admin, public) = (port(&mut lines), port(&mut lines));
    for path in ["/v1/nowhere", "/v1/supported-chains", "/getWallets", "/health"] {
        exchange(&mut connect(public), &format!("GET {path}"), b"");
    }
    let link = said(folder.path(), &["admin", "link"]);
    let key = link.lines().next().unwrap().rsplit("?key=").next().unwrap();
    let cookie = cookie(admin, key);
    let mut stream = connect(admin);
    let line = format!("GET /admin HTTP/1.1\r\ncookie: {cookie}\r\nx-line:");
    let mut times: Vec<f64> = (0..PAGES)
        .map(|_| {
            let start = Instant::now();
            let page = exchange(&mut stream, &line, b"");
            assert!(page.ends_with(b"</html>\n") && page.len() > 50_000);
            start.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    vec![Row {
        what: "The admin page, 99th percentile",
        limit: Limit::AtMost(100.0),
        measured: times[PAGES * 99 / 100],
        unit: "ms",
        note: format!("{PROJECTS} projects, {CHAINS} networks of two nodes; median {:.1} ms", times[PAGES / 2]),
    }]
}

/// Signs in with the key of a link, and returns the cookie of the session.
fn cookie(port: u16, key: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = connect(port);
    let body = format!("key={key}");
    let head =
        format!("POST /admin/enter HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let line = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    line.split(';').next().unwrap().to_owned()
}
