//! The dashboard for Grafana and the table of metrics, compared with what the server exports.

use crate::support;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::Stdio;
use support::node::{Measured, ask, portico, said};
use support::relay::{RELAY, traffic};
use support::{Upstream, within};
use tokio::io::{AsyncBufReadExt, BufReader};

const DASHBOARD: &str = include_str!("../../../../packaging/grafana.json");
const GUIDE: &str = include_str!("../../../../docs/operations/server.md");

/// Words that begin with the prefix of metrics.
fn metrics(text: &str) -> BTreeSet<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with("portico_")).collect()
}

/// Metrics of a server that has served requests of all kinds.
async fn exported() -> String {
    let (node, absent) = (Upstream::echo().await, Upstream::absent().await);
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}, {absent:?}]\n", node.url);
    let server = Measured::start(&format!("{RELAY}\n{chain}")).await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}).to_string();
    assert_eq!(ask(&server.address, &format!("POST {}", support::RPC), &call).await.unwrap().0, 200);
    let _peers = traffic(&server.address).await;
    server.metrics().await + &of_the_vault().await
}

/// Metrics of the vault of a server with the embedded wallet, before its first login.
async fn of_the_vault() -> String {
    let folder = tempfile::tempdir().unwrap();
    let wallet = "[wallet]\norigin = \"http://localhost:1\"\nlisten = \"127.0.0.1:0\"\n[wallet.mail]\noutbox = true\n";
    let toml = format!("listen = \"127.0.0.1:0\"\nadmin_listen = \"127.0.0.1:0\"\n{wallet}");
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    assert!(said(folder.path(), &["vault", "init"]).await.0);
    let mut serve = portico(folder.path(), &["serve"]);
    let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = async || within("a line of the server", lines.next_line()).await.unwrap().unwrap();
    let admin = next().await.strip_prefix("metrics on http://").unwrap().strip_suffix("/metrics").unwrap().to_owned();
    while !next().await.starts_with("listening on ") {}
    let (status, text) = ask(&admin, "GET /metrics", "").await.unwrap();
    assert_eq!(status, 200);
    let lines = text.lines().filter(|line| line.contains("portico_vault_")).map(|line| format!("{line}\n"));
    lines.collect()
}

#[tokio::test]
async fn the_dashboard_asks_for_metrics_and_labels_that_the_server_exports_and_leaves_none_out() {
    let text = exported().await;
    let samples: Vec<&str> = text.lines().filter(|line| line.starts_with("portico_")).collect();
    let of = |name: &str| samples.iter().filter(|line| line.split(['{', ' ']).next() == Some(name)).collect::<Vec<_>>();
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let mut asked = BTreeSet::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        for target in panel["targets"].as_array().unwrap() {
            let (expression, legend) = (target["expr"].as_str().unwrap(), target["legendFormat"].as_str().unwrap());
            for name in metrics(expression) {
                assert!(!of(name).is_empty(), "{} asks for {name}, which is not exported", panel["title"]);
                asked.insert(name.trim_end_matches("_bucket"));
            }
            let labels = legend.split("{{").skip(1).map(|rest| rest.split("}}").next().unwrap());
            for label in labels.filter(|label| *label != "instance") {
                let has =
                    |line: &&&str| line.contains(&format!("{{{label}=\"")) || line.contains(&format!(",{label}=\""));
                let found = metrics(expression).iter().any(|name| of(name).iter().any(&has));
                assert!(found, "{} shows {label}, which {expression} does not have", panel["title"]);
                assert!(expression.contains(label) || !expression.contains(" by "), "{expression} sums {label} away");
            }
        }
    }
    let families: BTreeSet<&str> =
        text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    assert!(families.len() > 15, "{families:?}");
    assert!(families.iter().filter(|name| name.starts_with("portico_vault_")).count() >= 5, "{families:?}");
    assert_eq!(families.difference(&asked).collect::<Vec<_>>(), [&""; 0], "in no panel");
    let documented = metrics(GUIDE);
    assert_eq!(families.difference(&documented).collect::<Vec<_>>(), [&""; 0], "not in server.md");
}

#[test]
fn panels_have_the_names_of_the_admin_page() {
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let of = |metric: &str| {
        let asks = |panel: &&Value| panel["targets"][0]["expr"].as_str().unwrap().contains(metric);
        let panel = panels.iter().find(asks).unwrap();
        (panel["title"].as_str().unwrap(), panel["targets"][0]["legendFormat"].as_str().unwrap())
    };
    assert_eq!(of("portico_requests_in_flight"), ("Requests running", "running"));
    assert_eq!(of("portico_full_ratio").0, "Capacity used");
    assert_eq!(of("portico_upstream_resting").0, "Nodes paused after errors");
}

#[test]
fn panels_do_not_overlap_and_have_ids_of_their_own() {
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let mut cells = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        assert!(ids.insert(panel["id"].as_u64().unwrap()));
        let at = |side: &str| panel["gridPos"][side].as_u64().unwrap();
        assert!(at("x") + at("w") <= 24);
        for x in at("x")..at("x") + at("w") {
            for y in at("y")..at("y") + at("h") {
                assert!(cells.insert((x, y)), "{}", panel["title"]);
            }
        }
    }
}
