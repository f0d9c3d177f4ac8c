//! Health checks of a load balancer.

use crate::support;
use axum::http::StatusCode;
use support::{Server, status_and_text};

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
        let expected = (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n".into());
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
