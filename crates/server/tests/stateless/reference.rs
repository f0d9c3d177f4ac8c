//! The OpenAPI description of the server.

use crate::support;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use portico_api::routes::{ParameterIn, routes};
use serde_json::Value;
use support::{Server, Upstream, text};

#[tokio::test]
async fn spec_7_1_every_route_of_the_description_is_there() {
    let server = Server::configured("[relay]\nenabled = true\n").await;
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

#[tokio::test]
async fn the_description_has_the_routes_of_the_relay_and_a_text_of_its_own_for_each_response() {
    let server = Server::configured("").await;
    let description: Value = serde_json::from_str(&text(server.get("/openapi.json").await).await).unwrap();
    let paths = description["paths"].as_object().unwrap();
    for path in ["/relay", "/relay/rpc", "/rpc", "/relay/attestation-key"] {
        assert!(paths.contains_key(path), "{path}");
    }
    for (path, item) in paths {
        for (method, operation) in item.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            let told: Vec<&str> =
                responses.values().map(|response| response["description"].as_str().unwrap()).collect();
            let own: std::collections::HashSet<&&str> = told.iter().collect();
            assert_eq!(own.len(), told.len(), "{method} {path}: {told:?}");
            assert!(told.iter().all(|told| told.ends_with('.')), "{method} {path}: {told:?}");
        }
    }
}

#[tokio::test]
async fn the_example_of_a_call_is_answered() {
    let node = Upstream::echo().await;
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", node.url);
    let server = Server::configured(&chain).await;
    let description: Value = serde_json::from_str(&text(server.get("/openapi.json").await).await).unwrap();
    let example = &description["paths"]["/v1"]["post"]["requestBody"]["content"]["application/json"]["example"];
    let request = Request::builder().method("POST").uri(support::RPC);
    let response = server.send(request.body(Body::from(example.to_string())).unwrap()).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(text(response).await.contains("\"result\""));
    // The gateway is off here, but it reads the body first.
    let example = &description["paths"]["/v1/ens"]["post"]["requestBody"]["content"]["application/json"]["example"];
    assert!(example["data"].as_str().unwrap().starts_with("0x9061b923"), "{example}");
    let request = Request::builder().method("POST").uri("/v1/ens").body(Body::from(example.to_string())).unwrap();
    assert_eq!(server.send(request).await.status(), StatusCode::NOT_FOUND);
}

#[test]
fn groups_of_routes_have_names_for_people() {
    for route in routes() {
        assert!(route.tag.starts_with(|letter: char| letter.is_ascii_uppercase()), "{} {}", route.path, route.tag);
    }
}
