//! The OpenAPI description of the server.

use crate::support;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use portico_api::routes::{ParameterIn, routes};
use serde_json::Value;
use support::{Server, text};

#[tokio::test]
async fn spec_7_1_every_route_of_the_description_is_there() {
    let server = Server::configured("").await;
    for route in routes() {
        let mut path = route.path.to_owned();
        for parameter in route.parameters.iter().filter(|parameter| parameter.place == ParameterIn::Path) {
            path = path.replace(&format!("{{{}}}", parameter.name), "0");
        }
        let request = Request::builder().method(route.method.to_uppercase().as_str()).uri(&path);
        let response = server.send(request.body(Body::empty()).unwrap()).await;
        let status = response.status();
        let said = text(response).await;
        assert!(!said.contains("There is nothing at this path"), "{} {path}", route.method);
        assert_ne!(status, StatusCode::METHOD_NOT_ALLOWED, "{} {path}", route.method);
    }
}

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

#[test]
fn groups_of_routes_have_names_for_people() {
    for route in routes() {
        assert!(route.tag.starts_with(|letter: char| letter.is_ascii_uppercase()), "{} {}", route.path, route.tag);
    }
}
