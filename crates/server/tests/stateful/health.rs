//! Health checks of a load balancer.

use crate::support;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::future::join_all;
use portico_server::AppState;
use portico_server::config::Config;
use portico_server::shared::Shared;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{Server, status_and_text};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tower::ServiceExt;

#[tokio::test]
async fn a_server_with_a_database_is_live_and_ready() {
    let server = Server::configured("").await;
    for (path, body) in [("/health", "ready\n"), ("/health/ready", "ready\n"), ("/health/live", "live\n")] {
        assert_eq!(status_and_text(server.get(path).await).await, (StatusCode::OK, body.into()), "{path}");
    }
}

#[tokio::test]
async fn a_server_without_its_database_is_live_and_not_ready() {
    let server = Server::configured("").await;
    server.database.close().await;
    assert_eq!(server.get("/health/live").await.status(), StatusCode::OK);
    for path in ["/health", "/health/ready"] {
        let expected = (StatusCode::SERVICE_UNAVAILABLE, "the database isn't responding\n".into());
        assert_eq!(status_and_text(server.get(path).await).await, expected);
    }
}

#[tokio::test]
async fn a_server_that_stops_is_live_and_not_ready() {
    let server = Server::configured("").await;
    server.state.begin_stop();
    assert_eq!(server.get("/health/live").await.status(), StatusCode::OK);
    let expected = (StatusCode::SERVICE_UNAVAILABLE, "stopping\n".into());
    assert_eq!(status_and_text(server.get("/health/ready").await).await, expected);
}

#[tokio::test]
async fn a_request_after_a_check_is_answered_by_a_new_check() {
    let server = Server::configured("").await;
    assert_eq!(server.get("/health").await.status(), StatusCode::OK);
    server.database.close().await;
    assert_eq!(server.get("/health").await.status(), StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn requests_that_arrive_during_a_check_share_the_next_one() {
    let server = Server::configured("").await;
    let (redis, pings) = redis_that_counts_pings().await;
    let config = Config::parse(Path::new("portico.toml"), "", [], &server.flags()).unwrap();
    let state = AppState::new(&config, server.database.clone(), Shared::in_redis(redis, "").unwrap()).unwrap();
    let router = portico_server::router(state);
    // All arrive before the first check ends: each request is begun before any is continued.
    let each = (0..10).map(|number| {
        let path = if number % 2 == 0 { "/health" } else { "/health/ready" };
        router.clone().oneshot(Request::get(path).body(Body::empty()).unwrap())
    });
    for answer in support::within("answers", join_all(each)).await {
        assert_eq!(status_and_text(answer.unwrap()).await, (StatusCode::OK, "ready\n".into()));
    }
    assert_eq!(pings.load(Ordering::Relaxed), 2);
}

/// Redis that answers OK to each command, and counts each PING.
async fn redis_that_counts_pings() -> (redis::ConnectionInfo, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("redis://{}", listener.local_addr().unwrap());
    let pings = Arc::new(AtomicUsize::new(0));
    let heard = pings.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let heard = heard.clone();
            tokio::spawn(async move {
                let (reader, mut writer) = stream.split();
                let mut lines = BufReader::new(reader).lines();
                // The number of words comes before each command.
                while let Ok(Some(line)) = lines.next_line().await {
                    heard.fetch_add(usize::from(line == "PING"), Ordering::Relaxed);
                    if line.starts_with('*') && writer.write_all(b"+OK\r\n").await.is_err() {
                        break;
                    }
                }
            });
        }
    });
    (redis::IntoConnectionInfo::into_connection_info(address).unwrap(), pings)
}
