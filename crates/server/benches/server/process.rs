//! Portico and nginx, each on the core of the measured server.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Cores of the measured server, and of load and upstream.
pub const MEASURED: &str = "0";
pub const MEASURING: &str = "1";

pub const CHAIN: &str = "eip155:1";

/// Server process that is stopped on drop.
pub struct Running {
    child: Child,
    pub port: u16,
    /// Time from the start of the process until it is ready for a request.
    pub ready_after: Duration,
    _folder: TempDir,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    pub fn path(&self) -> String {
        format!("/v1?chainId={CHAIN}&projectId=bench")
    }

    /// Resident memory in MiB.
    pub fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
    }
}

fn on(core: &str, program: &Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", core]).arg(program).stdin(Stdio::null()).stderr(Stdio::inherit());
    command
}

/// The release build of the server.
pub fn portico(upstreams: &[u16]) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let list: Vec<String> = upstreams.iter().map(|port| format!("\"http://127.0.0.1:{port}\"")).collect();
    let toml = format!(
        "listen = \"127.0.0.1:0\"\nlog = \"error\"\nlimits.client_per_second = 0\n[[chains]]\nid = \"{CHAIN}\"\nupstreams = [{}]\n",
        list.join(", ")
    );
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_portico"));
    let mut add = on(MEASURED, binary);
    let added = add.args(["project", "add", "--id", "bench", "--any-origin"]).current_dir(&folder).output().unwrap();
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let start = Instant::now();
    let mut child = on(MEASURED, binary).arg("serve").current_dir(&folder).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.trim().rsplit(':').next().unwrap().parse().unwrap();
    let ready = crate::batch::exchange(&mut crate::batch::connect(port), "GET /health/ready", b"");
    assert_eq!(ready, b"ready\n");
    Running { child, port, ready_after: start.elapsed(), _folder: folder }
}

/// nginx as a plain reverse proxy, or as a caching one.
pub fn nginx(upstream: u16, caches: bool) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let cache = if caches {
        "proxy_cache kept; proxy_cache_methods GET POST; proxy_cache_key $request_uri$request_body; proxy_cache_valid 200 1h;"
    } else {
        ""
    };
    let at = folder.path().display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|kind| format!("  {kind}_temp_path {at}/{kind};\n"))
        .collect();
    let conf = format!(
        "daemon off; master_process off; worker_processes 1; pid {at}/pid; error_log stderr error;\n\
         events {{ worker_connections 1024; }}\n\
         http {{\n{temporary}  access_log off; keepalive_requests 100000000; client_body_buffer_size 64k; tcp_nodelay on;\n\
         proxy_cache_path {at}/kept keys_zone=kept:10m;\n\
         upstream node {{ server 127.0.0.1:{upstream}; keepalive 64; keepalive_requests 100000000; }}\n\
         server {{ listen 127.0.0.1:{port}; location / {{ {cache} proxy_pass http://node; proxy_http_version 1.1; \
         proxy_set_header Connection \"\"; }} }} }}\n"
    );
    let file = folder.path().join("nginx.conf");
    std::fs::write(&file, conf).unwrap();
    let binary = PathBuf::from(std::env::var("BENCH_NGINX").expect("BENCH_NGINX names nginx"));
    let start = Instant::now();
    let child =
        on(MEASURED, &binary).args(["-e", "stderr"]).arg("-p").arg(folder.path()).arg("-c").arg(&file).spawn().unwrap();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < Duration::from_secs(10), "nginx does not start");
        std::thread::yield_now();
    }
    Running { child, port, ready_after: start.elapsed(), _folder: folder }
}
