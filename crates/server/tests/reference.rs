//! The server describes itself.

mod support;

use axum::http::StatusCode;
use serde_json::Value;
use support::{Server, text};

#[tokio::test]
async fn the_description_and_its_page_are_served_and_the_page_asks_nobody_else() {
    let server = Server::configured("").await;
    let description: Value = serde_json::from_str(&text(server.get("/openapi.json").await).await).unwrap();
    assert_eq!(description["openapi"], "3.1.0");
    for path in ["/docs", "/docs/page.js", "/docs/page.css"] {
        let response = server.get(path).await;
        assert_eq!(response.status(), StatusCode::OK);
        let policy = response.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        assert!(!text(response).await.contains("http://"));
    }
}
