//! Settings of chains and their upstreams, and mistakes in them.

use crate::config::{mistakes, parse};
use portico_server::config::Flags;
use std::time::Duration;

#[test]
fn an_upstream_is_a_url_or_a_table_with_more_about_it() {
    let toml = r#"[[chains]]
id = "eip155:1"
block_time_ms = 3000
cache = false
upstreams = [
  "https://a.example",
  { url = "https://b.example", ws_url = "wss://b.example/ws", tier = 1, rps = 25, methods = ["eth_getLogs"], archive = true },
]

[[chains]]
id = "eip155:31337"
upstreams = ["http://127.0.0.1:8545"]
"#;
    let chains = parse(toml, &[], &Flags::default()).unwrap().chains;
    assert_eq!((chains[0].block_time, chains[0].cache), (Some(Duration::from_secs(3)), false));
    // A developer's chain is reset often, so the cache is off by default.
    assert_eq!((chains[1].block_time, chains[1].cache), (None, false));
    let [plain, full] = chains[0].upstreams.as_slice() else { panic!("{chains:?}") };
    assert_eq!((plain.url.as_str(), plain.tier, plain.rps, plain.archive), ("https://a.example/", 0, None, false));
    assert_eq!((full.tier, full.rps, full.archive), (1, Some(25), true));
    assert_eq!(full.ws_url.as_ref().map(|url| url.as_str()), Some("wss://b.example/ws"));
    assert!(full.methods[0].covers("eth_getLogs"));
}

#[test]
fn how_many_blocks_of_logs_a_node_tells_at_once_is_said_of_it_or_of_its_chain() {
    let toml = r#"[[chains]]
id = "eip155:1"
max_block_range = 1000
max_logs_range = 50000
upstreams = ["https://a.example", { url = "https://b.example", max_block_range = 500 }]
"#;
    let chains = parse(toml, &[], &Flags::default()).unwrap().chains;
    let ranges: Vec<_> = chains[0].upstreams.iter().map(|upstream| upstream.max_block_range).collect();
    assert_eq!((ranges, chains[0].max_logs_range), (vec![Some(1000), Some(500)], Some(50_000)));
    let expected = [
        "portico.toml, line 3: use at least 1 block as `max_block_range`.",
        "portico.toml, line 4: use at least 1 block as `max_logs_range`.",
        "portico.toml, line 5: use at least 1 block as `max_block_range`.",
    ];
    assert_eq!(mistakes(&toml.replace("1000", "0").replace("50000", "0").replace("500 }", "0 }")), expected);
}

#[test]
fn what_is_wrong_within_an_upstream_is_told_with_its_own_line() {
    let toml = r#"[[chains]]
id = "eip155:1"
block_time_ms = 0
upstreams = [
  { url = "https://a.example", ws_url = "https://a.example" },
  { url = "wss://b.example" },
  { url = "https://c.example", rps = 0 },
  { url = "https://d.example", methods = ["*"] },
]
"#;
    let found = mistakes(toml);
    let starts = [
        "portico.toml, line 3: use 1 to 3600000 milliseconds as `block_time_ms`.",
        "portico.toml, line 5: use a URL that starts with ws:// or wss:// as ws_url, not `https://a.example`.",
        "portico.toml, line 6: use a URL that starts with http:// or https:// as upstream, not `wss://b.example`.",
        "portico.toml, line 7: use at least 1 request a second as `rps`.",
        "portico.toml, line 8: use a method such as linea_estimateGas",
    ];
    assert_eq!(found.len(), starts.len(), "{found:?}");
    for (found, start) in found.iter().zip(starts) {
        assert!(found.starts_with(start), "{found}");
    }
}

#[test]
fn a_method_is_a_name_or_a_beginning_of_names() {
    let toml =
        |methods: &str| format!("[[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://a\"]\nmethods = [\n{methods}]\n");
    let config = parse(&toml("\"linea_estimateGas\",\n\"anvil_*\",\n"), &[], &Flags::default()).unwrap();
    let covered = |method: &str| config.chains[0].methods.iter().any(|allowed| allowed.covers(method));
    assert!(covered("linea_estimateGas") && covered("anvil_mine") && !covered("linea_estimateGasTwice"));
    let start = "use a method such as linea_estimateGas, or the beginning of several such as anvil_*,";
    assert_eq!(
        mistakes(&toml("\"*\",\n\"\",\n\"eth_ call\",\n\"an*vil\",\n")),
        [(5, "*"), (6, ""), (7, "eth_ call"), (8, "an*vil")]
            .map(|(line, method)| format!("portico.toml, line {line}: {start} not `{method}`."))
    );
}
