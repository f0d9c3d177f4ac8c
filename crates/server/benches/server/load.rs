//! Load from wrk.

use crate::process::MEASURING;
use std::process::Command;

pub struct Told {
    pub per_second: f64,
    /// Milliseconds.
    pub median: f64,
    pub ninety_nine: f64,
    pub failed: f64,
}

/// POST body: the same for each request, or a new one each time.
pub enum Body {
    Same,
    New,
}

const SAME: &str = r#"wrk.body = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByHash","params":["0x1111111111111111111111111111111111111111111111111111111111111111",false]}'"#;

/// Never cached: gas estimates with parameters that are always new.
const NEW: &str = r#"
local count = 0
request = function()
  count = count + 1
  return wrk.format(nil, nil, nil, '{"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"nonce":"' .. count .. '"}]}')
end"#;

/// Latencies in microseconds, since wrk's table has too few digits.
const DONE: &str = r#"
done = function(summary, latency, requests)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format("told %f %f %f %f", summary.requests / summary.duration * 1e6, latency:percentile(50),
    latency:percentile(99), failed))
end"#;

/// Runs wrk with this number of clients for some seconds.
pub fn run(port: u16, path: &str, body: &Body, clients: u32, seconds: u32) -> Told {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("load.lua");
    let body = match body {
        Body::Same => SAME,
        Body::New => NEW,
    };
    let head = "wrk.method = 'POST'\nwrk.headers['content-type'] = 'application/json'\n";
    std::fs::write(&script, format!("{head}{body}\n{DONE}\n")).unwrap();
    let wrk = std::env::var("BENCH_WRK").expect("BENCH_WRK names wrk");
    let said = Command::new("taskset")
        .args(["-c", MEASURING, &wrk, "-t1", &format!("-c{clients}"), &format!("-d{seconds}s"), "-s"])
        .arg(&script)
        .arg(format!("http://127.0.0.1:{port}{path}"))
        .output()
        .unwrap();
    let said = String::from_utf8(said.stdout).unwrap() + &String::from_utf8(said.stderr).unwrap();
    let line = said.lines().find_map(|line| line.strip_prefix("told ")).unwrap_or_else(|| panic!("{said}"));
    let numbers: Vec<f64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
    let [per_second, median, ninety_nine, failed] = numbers[..] else { panic!("{line}") };
    Told { per_second, median: median / 1000.0, ninety_nine: ninety_nine / 1000.0, failed }
}
