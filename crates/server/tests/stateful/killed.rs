//! A server that is killed, and one that is stopped.

use crate::support;
use serde_json::json;
use std::collections::BTreeSet;
use support::node::{Node, ask, said};
use support::within;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

#[tokio::test]
async fn no_acknowledged_write_is_lost_where_the_server_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.toml"), "analytics.enabled = true\nlimits.client_per_second = 0\n")
        .unwrap();
    assert!(said(folder.path(), &["project", "add", "--id", "demo", "--any-origin"]).await.0);
    let mut acknowledged = BTreeSet::new();
    for life in 0..2 {
        let mut server = Node::start(folder.path()).await;
        let (tell, mut told) = unbounded_channel();
        for writer in 0..4 {
            tokio::spawn(write(server.address.clone(), format!("{life}-{writer}"), tell.clone()));
        }
        drop(tell);
        for _ in 0..60 {
            let id = within("an acknowledged write", told.recv()).await;
            acknowledged.insert(id.expect("some still write"));
        }
        server.kill().await;
        while let Some(id) = within("the end of the writers", told.recv()).await {
            acknowledged.insert(id);
        }
    }
    let (done, csv, error) = said(folder.path(), &["analytics", "export"]).await;
    assert!(done, "{error}");
    let kept: BTreeSet<String> = csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned()).collect();
    let lost: Vec<_> = acknowledged.difference(&kept).cloned().collect();
    assert_eq!(lost, Vec::<String>::new());
}

/// Writes until the server is gone, and reports the acknowledged writes.
async fn write(address: String, name: String, tell: UnboundedSender<String>) {
    for number in 0.. {
        let id = format!("{name}-{number}");
        let body = json!({
            "eventId": id, "url": "https://shop.example/", "domain": "shop.example", "timestamp": 1_795_219_200_000_u64,
            "props": { "type": "track", "event": "MODAL_OPEN", "properties": {}, "address": null },
        });
        match ask(&address, "POST /e?projectId=demo&st=appkit&sv=html-portico-0.1.0", &body.to_string()).await {
            Ok((202, _)) => tell.send(id).unwrap(),
            ended => return println!("{name} ends with {ended:?}"),
        }
    }
}

#[tokio::test]
async fn what_a_project_spent_of_its_day_is_still_spent_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.toml"), "analytics.enabled = true\nlimits.client_part = 1\n").unwrap();
    assert!(said(folder.path(), &["project", "add", "--id", "demo", "--any-origin", "--per-day", "3"]).await.0);
    let path = "POST /batch?projectId=demo&st=a&sv=1";
    for expected in [[202, 202], [202, 429]] {
        let mut server = Node::start(folder.path()).await;
        for status in expected {
            assert_eq!(ask(&server.address, path, "[]").await.unwrap().0, status);
        }
        server.stop().await;
    }
}
