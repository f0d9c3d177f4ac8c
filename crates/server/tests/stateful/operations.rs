//! Tools of operators: metrics, doctor, backup.

use crate::support;
use crate::support::node::Measured;
use portico_server::config::DatabasePlace;
use portico_server::db::Database;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection, query};
use std::path::Path;
use std::process::{Output, Stdio};
use support::web::Web;
use support::{Reply, Upstream, within};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::Command;

fn folder_with(toml: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    folder
}

fn portico(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
    command.args(args).current_dir(folder).kill_on_drop(true).stdin(Stdio::null());
    command
}

async fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } =
        within("the end of a command", portico(folder, args).output()).await.unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

async fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    within("an answer", stream.read_to_string(&mut answer)).await.unwrap();
    answer
}

/// Node of the chain with this id, whose last block has this age.
async fn node(chain: &str, seconds_ago: i64) -> Upstream {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let timestamp = format!("0x{:x}", now.checked_add_signed(-seconds_ago).unwrap());
    let chain = chain.to_owned();
    Upstream::start(move |body| {
        let one = |call: &Value| {
            let result = match call["method"].as_str().unwrap() {
                "eth_chainId" => json!(chain),
                _ => json!({ "number": "0x1", "timestamp": timestamp }),
            };
            json!({ "jsonrpc": "2.0", "id": call["id"], "result": result })
        };
        let answer = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => Value::Array(calls.iter().map(one).collect()),
            call => one(&call),
        };
        Reply::Answer(axum::http::StatusCode::OK, answer.to_string())
    })
    .await
}

#[tokio::test]
async fn metrics_count_requests_by_route_and_are_not_told_to_visitors() {
    let server = Measured::start("").await;
    let (address, admin) = (server.address.as_str(), server.admin.as_str());
    get(address, "/v1/supported-chains").await;
    get(address, "/v1/supported-chains?secret=1").await;
    let told = get(admin, "/metrics").await;
    let line = "portico_requests_total{route=\"/v1/supported-chains\",method=\"GET\",status=\"200\"} 2";
    assert!(told.contains(line), "{told}");
    for name in [
        "portico_request_seconds_bucket",
        "portico_resident_memory_bytes",
        "portico_ready 1",
        "# HELP portico_requests_total",
    ] {
        assert!(told.contains(name), "{name} is not in {told}");
    }
    assert!(!told.contains("secret"));
    assert!(get(admin, "/health/ready").await.starts_with("HTTP/1.1 200"));
    assert!(get(address, "/metrics").await.starts_with("HTTP/1.1 404"));
}

#[tokio::test]
async fn metrics_tell_of_the_cache_and_of_each_upstream_without_its_key() {
    let good = node("0x1", 5).await;
    let bad = Upstream::absent().await;
    let upstreams = format!("[\"{bad}/v2/0123456789abcdef\", {:?}]", good.url);
    let server = Measured::start(&format!("[[chains]]\nid = \"eip155:1\"\nupstreams = {upstreams}\n")).await;
    let (address, admin) = (server.address.as_str(), server.admin.as_str());
    let chain_id = json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_chainId" });
    let path = "POST /v1?chainId=eip155:1&projectId=demo";
    for body in [json!([chain_id, chain_id]), chain_id.clone()] {
        assert_eq!(support::node::ask(address, path, &body.to_string()).await.unwrap().0, 200);
    }
    let told = get(admin, "/metrics").await;
    let value = |name: &str| {
        let line =
            told.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name} is not in {told}"));
        line.trim().parse::<f64>().unwrap()
    };
    let of_chain = |name: &str| value(&format!("{name}{{chain=\"eip155:1\"}}"));
    for (name, expected) in [
        ("portico_rpc_cache_hits_total", 1.0),
        ("portico_rpc_cache_misses_total", 1.0),
        ("portico_rpc_cache_stale_total", 0.0),
        ("portico_rpc_merged_total", 1.0),
        ("portico_rpc_log_parts_total", 0.0),
    ] {
        assert_eq!(of_chain(name), expected, "{name} of {told}");
    }
    // Their number depends on timing.
    assert!(of_chain("portico_rpc_hedges_total") >= 0.0);
    let host = |url: &str| url.strip_prefix("http://").unwrap().to_owned();
    let (good, bad) = (host(&good.url), host(&bad));
    let asked = |upstream: &str, outcome: &str| {
        let name = "portico_upstream_requests_total";
        value(&format!("{name}{{chain=\"eip155:1\",upstream=\"{upstream}\",outcome=\"{outcome}\"}}"))
    };
    let count = value(&format!("portico_upstream_request_seconds_count{{chain=\"eip155:1\",upstream=\"{good}\"}}"));
    assert_eq!((asked(&good, "answered"), asked(&good, "failed"), count), (1.0, 0.0, 1.0));
    assert_eq!((asked(&bad, "silent"), asked(&bad, "answered")), (1.0, 0.0));
    let rests =
        |upstream: &str| value(&format!("portico_upstream_resting{{chain=\"eip155:1\",upstream=\"{upstream}\"}}"));
    assert_eq!((rests(&good), rests(&bad)), (0.0, 1.0));
    assert!(!told.contains("0123456789abcdef"));
}

#[tokio::test]
async fn the_doctor_finds_nothing_wrong_where_all_is_well() {
    let node = node("0x7a69", 5).await;
    let folder = folder_with(&format!(
        "listen = \"127.0.0.1:0\"\n[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n",
        node.url
    ));
    assert_eq!(run(folder.path(), &["migrate"]).await.0, Some(0));
    let (code, told, error) = run(folder.path(), &["doctor"]).await;
    assert_eq!((code, error.as_str()), (Some(0), ""), "{told}");
    let (lines, count) = told.trim_end().rsplit_once('\n').unwrap();
    assert!(lines.lines().all(|line| line.starts_with("ok ") || line.starts_with("note ")), "{told}");
    assert_eq!(count, format!("{} notes", lines.lines().filter(|line| line.starts_with("note ")).count()));
    let node = node.url.trim_start_matches("http://").trim_end_matches('/');
    assert!(told.contains(&format!("ok     eip155:31337: {node} responds in ")), "{told}");
    for line in [
        "note   projects: none yet, so every request is refused",
        "note   public_url: not set, so the code for your site has an address that only this machine reaches.",
        "ok     static_dir: not set, so the server serves no pages of its own\n",
        "ok     sources: balances from rpc; history from explorer, rpc; NFTs from explorer; prices from DefiLlama\n",
        "names (`names.parent`), ",
        "analytics (`analytics.enabled = true`)",
    ] {
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
    let https = "listen = \"127.0.0.1:0\"\npublic_url = \"https://portico.example.org\"\nstatic_dir = \".well-known\"\n\
        names.parent = \"shop.example\"\nanalytics.enabled = true\n";
    let folder = folder_with(https);
    std::fs::create_dir(folder.path().join(".well-known")).unwrap();
    let (_, told, _) = run(folder.path(), &["doctor"]).await;
    for line in [
        "ok     public_url: https://portico.example.org is checked while the server runs\n",
        "note   trusted_proxies: empty, so all visitors behind your proxy count as one",
        "note   static_dir: .well-known has no index.html",
        "note   names: on, below shop.example, but other apps don't find them.",
        "ok     analytics: on; events are deleted after 395 days\n",
    ] {
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
}

#[tokio::test]
async fn the_doctor_names_a_node_of_another_chain_one_that_is_away_and_a_slow_clock() {
    let (other, future, old) = (node("0x1", 5).await, node("0x2", -900).await, node("0x3", 7200).await);
    let absent = Upstream::absent().await;
    let mut toml = format!("listen = \"127.0.0.1:0\"\nredis = {:?}\n", absent.replace("http", "redis"));
    for (id, url) in [(31337, other.url.as_str()), (2, &future.url), (3, &old.url), (4, &absent)] {
        toml.push_str(&format!("[[chains]]\nid = \"eip155:{id}\"\nupstreams = [{url:?}]\n"));
    }
    let folder = folder_with(&toml);
    let (code, told, error) = run(folder.path(), &["doctor"]).await;
    assert_eq!(code, Some(1));
    assert!(error.contains("Fix the lines that start with `wrong`"), "{error}");
    let wrong = told.lines().filter(|line| line.starts_with("wrong ")).count();
    assert!(told.lines().last().unwrap().starts_with(&format!("{wrong} problems, ")), "{told}");
    let host = |url: &str| url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    for line in [
        "wrong  eip155:31337: its node serves eip155:1, not eip155:31337",
        &format!("wrong  eip155:2: the last block of {} is ", host(&future.url)),
        &format!("note   eip155:3: {} responds in ", host(&old.url)),
        &format!("wrong  eip155:4: {} refuses connections. Start it, or check host and port in", host(&absent)),
        &format!("wrong  redis: {} isn't responding. Check that it runs", host(&absent)),
        "note   database: portico.sqlite isn't there yet",
    ] {
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
}

#[tokio::test]
async fn the_doctor_says_what_to_do_about_a_node_that_answers_with_an_error() {
    let refuses = |code: i64, message: &'static str| {
        Upstream::start(move |body| {
            let one = |call: &Value| json!({ "jsonrpc": "2.0", "id": call["id"], "error": { "code": code, "message": message } });
            let answer = match serde_json::from_str(body).unwrap() {
                Value::Array(calls) => Value::Array(calls.iter().map(one).collect()),
                call => one(&call),
            };
            Reply::Answer(axum::http::StatusCode::OK, answer.to_string())
        })
    };
    let key = "Check the key in its URL, and that your plan there includes this chain and has requests left.";
    let cases = [
        ("eip155:2", refuses(-32602, "unknown API key.").await, "-32602: unknown API key", key),
        ("eip155:3", refuses(-32602, "").await, "-32602", key),
        (
            "eip155:4",
            refuses(-32601, "no such method").await,
            "-32601: no such method",
            "Check that its URL in [[chains]] is that of a JSON-RPC node of this chain.",
        ),
        ("eip155:5", refuses(-32603, "").await, "-32603", "Try again later, or use another upstream."),
    ];
    let chains =
        cases.each_ref().map(|(id, node, ..)| format!("[[chains]]\nid = {id:?}\nupstreams = [{:?}]\n", node.url));
    let folder = folder_with(&format!("listen = \"127.0.0.1:0\"\n{}", chains.concat()));
    let (_, lines, _) = run(folder.path(), &["doctor"]).await;
    for (chain, _, refused, next) in cases {
        let line = format!(" refused with {refused}. {next}");
        assert!(
            lines.lines().any(|said| said.starts_with(&format!("wrong  {chain}: ")) && said.ends_with(&line)),
            "{lines}"
        );
    }
}

#[tokio::test]
async fn the_doctor_knows_a_network_of_bitcoin_by_its_first_block() {
    let genesis = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";
    let node = Web::start(move |heard| match heard.path.as_str() {
        "/api/blocks/tip/height" => "900000",
        "/api/block-height/0" => genesis,
        _ => "<html>",
    })
    .await;
    let other = Web::start(|_| "<html>").await;
    let (main, signet, testnet) = (
        &format!("bip122:{}", &genesis[..32]),
        "bip122:00000008819873e925422c1ff0f99f7c",
        "bip122:00000000da84f2bafbbc53dee25a72ae",
    );
    let chain = |id: &str, url: String| format!("[[chains]]\nid = {id:?}\nupstreams = [{url:?}]\n");
    let chains = [chain(main, node.url("/api")), chain(signet, node.url("/api/")), chain(testnet, other.url("/api"))];
    let folder = folder_with(&format!("listen = \"127.0.0.1:0\"\n{}", chains.concat()));
    let (code, told, _) = run(folder.path(), &["doctor"]).await;
    assert_eq!(code, Some(1));
    let (right, wrong) = (node.url("").replace("http://", ""), other.url("").replace("http://", ""));
    for line in [
        format!("ok     Bitcoin ({main}): {right} responds in "),
        format!(
            "wrong  Bitcoin Signet ({signet}): its node serves {main}, not {signet}. Use another upstream than {right}."
        ),
        format!(
            "wrong  Bitcoin Testnet4 ({testnet}): {wrong} can't be used: its response isn't that of an Esplora. Check its URL in [[chains]]"
        ),
    ] {
        assert!(told.contains(&line), "{line} is not in\n{told}");
    }
}

#[tokio::test]
async fn the_doctor_checks_the_socket_and_the_explorer_of_a_chain_and_asks_no_node_what_the_server_would_not() {
    let (evm, odd) = (node("0x1", 5).await, Upstream::says(404, "{\"error\":\"nothing here\"}").await);
    let (explorer, absent) = (Upstream::says(404, "{}").await, Upstream::absent().await);
    let polkadot = "polkadot:91b171bb158e2d3848fa23a9f1c25182";
    let kusama = "polkadot:b0a8d493285c2df73290dfb7e61f870f";
    let folder = folder_with(&format!(
        "listen = \"127.0.0.1:0\"\n\
         [[chains]]\nid = \"eip155:1\"\nexplorer = {:?}\nupstreams = [{{ url = {:?}, ws_url = {:?} }}]\n\
         [[chains]]\nid = \"eip155:2\"\nupstreams = [{:?}]\n\
         [[chains]]\nid = \"{polkadot}\"\nmethods = [\"chain_getHeader\"]\nupstreams = [{absent:?}]\n\
         [[chains]]\nid = \"{kusama}\"\nupstreams = [{absent:?}]\n",
        explorer.url,
        evm.url,
        absent.replace("http", "ws"),
        odd.url
    ));
    let (code, told, _) = run(folder.path(), &["doctor"]).await;
    assert_eq!(code, Some(1));
    let host = |url: &str| url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    for line in [
        &format!(
            "wrong  Ethereum (eip155:1): {} opens no WebSocket. Check this `ws_url`, or remove it.",
            host(&absent)
        ),
        &format!(
            "note   explorer of Ethereum (eip155:1): {} answers with status 404, so other sources",
            host(&explorer.url)
        ),
        &format!(
            "ok     {polkadot}: {} wasn't asked: the server has no requests of its own on polkadot",
            host(&absent)
        ),
        &format!(
            "note   {kusama}: {} wasn't asked: the server has no requests of its own on polkadot, and refuses those of pages.",
            host(&absent)
        ),
    ] {
        assert!(told.contains(line.as_str()), "{line} is not in\n{told}");
    }
    assert!(
        told.lines().any(|line| line.starts_with("wrong  eip155:2: ")) && !told.contains("refused with 0"),
        "{told}"
    );
}

#[tokio::test]
async fn a_database_of_an_older_version_is_updated_by_migrate_alone() {
    let folder = folder_with("listen = \"127.0.0.1:0\"\n");
    assert_eq!(run(folder.path(), &["project", "add", "Shop", "--origin", "https://shop.example"]).await.0, Some(0));
    let file = SqliteConnectOptions::new().filename(folder.path().join("portico.sqlite"));
    let mut file = SqliteConnection::connect_with(&file).await.unwrap();
    // As it was before the last migration, which made this column and its index.
    query("delete from _sqlx_migrations where version = 15").execute(&mut file).await.unwrap();
    for drop in ["drop index siwx_session_by_project_ended", "alter table siwx_session drop column ended_at"] {
        query(drop).execute(&mut file).await.unwrap();
    }
    for command in [&["project", "list"][..], &["wallets", "list"], &["project", "add", "Other"]] {
        let (code, told, error) = run(folder.path(), command).await;
        assert_eq!((code, told.as_str()), (Some(1), ""), "{command:?}");
        assert_eq!(
            error,
            "portico.sqlite has version 14, and this portico needs 15. Make a backup, then run `portico migrate`. There is \
             no way back.\n"
        );
    }
    let (_, told, _) = run(folder.path(), &["doctor"]).await;
    assert!(told.contains("note   database: portico.sqlite has version 14, and this portico needs 15. "), "{told}");
    let (code, told, _) = run(folder.path(), &["migrate"]).await;
    assert_eq!((code, told.as_str()), (Some(0), "Updated portico.sqlite to version 15.\n"));
    let (_, told, _) = run(folder.path(), &["project", "list"]).await;
    assert!(told.contains("Shop"), "{told}");
}

#[tokio::test]
async fn a_backup_is_whole_while_the_database_is_in_use_and_overwrites_nothing() {
    let folder = folder_with("");
    let original = DatabasePlace::Sqlite(folder.path().join("portico.sqlite"));
    let database = Database::open(&original).await.unwrap();
    database.migrate().await.unwrap();
    let (code, told, error) = run(folder.path(), &["backup", "copy.sqlite"]).await;
    assert_eq!((code, told.as_str(), error.as_str()), (Some(0), "Copied portico.sqlite to copy.sqlite.\n", ""));
    let copy = Database::open(&DatabasePlace::Sqlite(folder.path().join("copy.sqlite"))).await.unwrap();
    copy.answers().await.unwrap();
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(folder.path().join("copy.sqlite")).unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
    let (code, _, error) = run(folder.path(), &["backup", "copy.sqlite"]).await;
    assert_eq!(code, Some(1));
    assert!(error.contains("copy.sqlite already exists. Choose another name."), "{error}");
    let (code, _, error) = run(folder.path(), &["backup", "--database", "none.sqlite", "other.sqlite"]).await;
    assert_eq!((code, error.as_str()), (Some(1), "No database at none.sqlite. Check the path in --database.\n"));
}
