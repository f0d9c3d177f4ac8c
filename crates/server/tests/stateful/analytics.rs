//! Analytics events, from the request to the exported file.

use crate::support;
use axum::http::StatusCode;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::node::Node;
use support::{Server, reason, status_and_text};

const ONE: &str = "/e?projectId=demo&st=appkit&sv=html-portico-0.1.0";
const BATCH: &str = "/batch?projectId=demo&st=appkit&sv=html-portico-0.1.0";

fn event(id: &str) -> Value {
    json!({
        "eventId": id, "url": "https://shop.example/cart?session=secret", "domain": "shop.example", "timestamp": 1_795_219_200_000_u64,
        "props": { "type": "track", "event": "MODAL_OPEN", "properties": { "connected": false }, "address": null },
    })
}

async fn server() -> Server {
    Server::configured("[analytics]\nenabled = true\n").await
}

/// Runs the real binary on the server's database.
fn export(server: &Server, args: &[&str]) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
    let folder = server.folder.path();
    command.args(["analytics", "export", "--database", &server.place.database]).args(args).current_dir(folder);
    let output = command.output().unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[tokio::test]
async fn spec_7_2_an_event_is_taken_by_a_post_and_one_that_comes_twice_counts_once() {
    let server = server().await;
    for path in [ONE, ONE] {
        let (status, text) = status_and_text(server.post(path, event("a").to_string()).await).await;
        assert_eq!((status, text.as_str()), (StatusCode::ACCEPTED, r#"{"taken":1}"#));
    }
    let both = json!([event("a"), event("b")]).to_string();
    assert_eq!(server.post(BATCH, both).await.status(), StatusCode::ACCEPTED);
    let (done, csv, told) = export(&server, &[]);
    assert!(done, "{told}");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "project,event_id,received_at,happened_at,event,url,domain,address,properties,sdk_type,sdk_version"
    );
    assert_eq!(lines.len(), 3);
    assert!(lines[1].starts_with("demo,a,"), "{csv}");
    let rest = "1795219200000,MODAL_OPEN,https://shop.example/cart,shop.example,,\"{\"\"connected\"\":false}\",appkit,html-portico-0.1.0";
    assert!(lines[2].starts_with("demo,b,") && lines[2].ends_with(rest), "{csv}");
    assert!(!csv.contains("secret"));
    assert_eq!(told, "Wrote 2 events.\n");
}

#[tokio::test]
async fn the_events_go_into_a_parquet_file_that_others_can_read() {
    let server = server().await;
    let with_address = {
        let mut event = event("b");
        event["props"]["address"] = json!("0xab");
        event
    };
    let both = json!([event("a"), with_address]).to_string();
    assert_eq!(server.post(BATCH, both).await.status(), StatusCode::ACCEPTED);
    let (done, _, told) = export(&server, &["--format", "parquet", "--output", "events.parquet"]);
    assert!(done, "{told}");
    let file = std::fs::File::open(server.folder.path().join("events.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    let ids: Vec<&str> = rows.iter().map(|row| row.get_string(1).unwrap().as_str()).collect();
    assert_eq!(ids, ["a", "b"]);
    assert_eq!(rows[0].get_timestamp_millis(3).unwrap(), 1_795_219_200_000);
    assert!(rows[0].get_string(7).is_err());
    assert_eq!(rows[1].get_string(7).unwrap(), "0xab");
}

#[tokio::test]
async fn a_cell_that_begins_like_a_formula_is_written_as_a_text() {
    let server = server().await;
    let mut events = Vec::new();
    for (place, start) in ["=", "+", "-", "@", "\t", "\r", "\n"].iter().enumerate() {
        let mut event = event(&format!("{start}cmd|' /C calc'!A{place}"));
        event["props"]["address"] = json!(format!("{start}1+1"));
        event["props"]["properties"] = json!(format!("{start}1"));
        events.push(event);
    }
    let path = "/batch?projectId=demo&st=%3D1&sv=1-0";
    assert_eq!(server.post(path, Value::Array(events).to_string()).await.status(), StatusCode::ACCEPTED);
    let (done, text, told) = export(&server, &[]);
    assert!(done, "{told}");
    let rows: Vec<_> = csv::Reader::from_reader(text.as_bytes()).into_records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 7);
    for row in &rows {
        for cell in row {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']), "{cell}");
        }
        assert_eq!((&row[9], &row[10]), ("'=1", "1-0"));
    }
    assert_eq!((&rows[0][1], &rows[0][7]), ("'=cmd|' /C calc'!A0", "'=1+1"));
    // No program takes a cell of a Parquet file for a formula.
    assert!(export(&server, &["--format", "parquet", "--output", "events.parquet"]).0);
    let file = std::fs::File::open(server.folder.path().join("events.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let first = reader.get_row_iter(None).unwrap().next().unwrap().unwrap();
    assert_eq!(first.get_string(1).unwrap(), "=cmd|' /C calc'!A0");
}

#[tokio::test]
async fn a_server_deletes_what_is_older_than_it_is_kept() {
    let server = server().await;
    assert_eq!(server.post(ONE, event("old").to_string()).await.status(), StatusCode::ACCEPTED);
    server.place.tamper("update analytics_event set received_at = received_at - 31 * cast(86400000 as bigint)").await;
    assert_eq!(server.post(ONE, event("new").to_string()).await.status(), StatusCode::ACCEPTED);
    let keeps = async |days: u32, left: usize| {
        let toml = format!("{}analytics.keep_days = {days}\n", server.place.settings());
        std::fs::write(server.folder.path().join("portico.toml"), toml).unwrap();
        let _node = Node::start(server.folder.path()).await;
        // Deletion runs while the server already serves.
        let begun = Instant::now();
        while export(&server, &[]).1.lines().count() != 1 + left {
            assert!(begun.elapsed() < Duration::from_secs(60), "{days} days: not {left} events");
        }
    };
    for (days, left) in [(36_500, 2), (32, 2), (30, 1)] {
        keeps(days, left).await;
    }
    assert!(export(&server, &[]).1.contains("new"));
}

#[tokio::test]
async fn the_export_heeds_project_and_days() {
    let server = server().await;
    assert_eq!(server.post(ONE, event("a").to_string()).await.status(), StatusCode::ACCEPTED);
    for (args, lines) in [(["--project", "demo"], 2), (["--from", "2020-01-01"], 2), (["--until", "2020-01-01"], 1)] {
        let (done, csv, _) = export(&server, &args);
        assert_eq!((done, csv.lines().count()), (true, lines), "{args:?}");
    }
    for (id, said) in [
        ("other", "No project other. "),
        ("no id", "Use 1 to 64 letters, digits, hyphens or underscores as project id, not `no id`"),
    ] {
        let (done, csv, told) = export(&server, &["--project", id]);
        assert!(!done && csv.is_empty() && told.starts_with(said), "{told}");
    }
    let (done, _, told) = export(&server, &["--from", "yesterday"]);
    assert!(!done && told.contains("use a day such as 2026-11-21, not `yesterday`"), "{told}");
}

#[tokio::test]
async fn who_reads_no_further_hears_no_complaint() {
    let server = server().await;
    for format in ["csv", "parquet"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
        let (read, write) = std::io::pipe().unwrap();
        drop(read);
        command.args(["analytics", "export", "--format", format, "--database", &server.place.database]);
        let output = command.current_dir(server.folder.path()).stdout(write).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
    }
}

#[tokio::test]
async fn nothing_is_taken_until_the_operator_turns_it_on() {
    let server = Server::configured("").await;
    let (status, text) = status_and_text(server.post(ONE, event("a").to_string()).await).await;
    assert_eq!((status, text.as_str()), (StatusCode::ACCEPTED, r#"{"taken":0}"#));
    let (_, csv, _) = export(&server, &[]);
    assert_eq!(csv.lines().count(), 1);
}

#[tokio::test]
async fn nonsense_is_refused_whole_and_in_words() {
    let server = server().await;
    for (path, body, field) in [
        (ONE, "".to_owned(), "body"),
        (ONE, "{".into(), "body"),
        (ONE, "[]".into(), "object"),
        (ONE, json!({ "eventId": 7 }).to_string(), "eventId"),
        (BATCH, event("a").to_string(), "body"),
        (BATCH, json!([event("a"), { "eventId": "b" }]).to_string(), "url"),
        (BATCH, Value::Array(vec![event("a"); 101]).to_string(), "body"),
    ] {
        let (status, text) = status_and_text(server.post(path, body).await).await;
        assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, field), "{text}");
    }
    let long = format!("/e?projectId=demo&st={}", "a".repeat(257));
    for (path, field) in
        [(long.as_str(), "st"), ("/e?projectId=demo&sv=1%00", "sv"), ("/batch?projectId=demo&sv=1&sv=2", "query")]
    {
        let (status, text) = status_and_text(server.post(path, event("a").to_string()).await).await;
        assert_eq!((status, reason(&text).0.as_str()), (StatusCode::BAD_REQUEST, field), "{text}");
    }
    let (status, _) = status_and_text(server.post(BATCH, format!("[{}]", " ".repeat(1024 * 1024))).await).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    let (_, csv, _) = export(&server, &[]);
    assert_eq!(csv.lines().count(), 1);
}

#[tokio::test]
async fn a_database_that_is_gone_is_told_as_that() {
    let server = server().await;
    server.database.close().await;
    let response = server.post(ONE, event("a").to_string()).await;
    assert_eq!(response.headers()["retry-after"], "1");
    let (status, text) = status_and_text(response).await;
    assert_eq!(
        (status, reason(&text).1.as_str()),
        (StatusCode::SERVICE_UNAVAILABLE, "The server can't reach its database. Try again.")
    );
}
