//! Nonces of sign-ins with a wallet, and the chains that a project allows.

use crate::siwx::{authenticate, lines, nonce, refused, server};
use crate::support::Server;
use crate::support::names::{PAGE, Visitor};
use crate::support::status_and_text;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};

/// Asks the server in the name of another project of the page.
async fn ask_as(project: &str, server: &Server, method: &str, path: &str, body: &Value) -> (StatusCode, String) {
    let uri = format!("/auth/v1/{path}?projectId={project}");
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    let request = Request::builder().method(method).uri(uri).header("origin", PAGE).body(body).unwrap();
    status_and_text(server.send(request).await).await
}

async fn nonce_as(project: &str, server: &Server) -> String {
    let (status, text) = ask_as(project, server, "GET", "nonce", &Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str::<Value>(&text).unwrap()["nonce"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_nonce_counts_once_and_on_its_own_page() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let foreign = lines(&visitor.address(), &nonce(&server, "https://other.example").await).join("\n");
    assert_eq!(refused(authenticate(&server, &foreign, &visitor.sign(&foreign)).await), (400, "nonce".into()));
    let message = lines(&visitor.address(), &nonce(&server, PAGE).await).join("\n");
    // A wrong signature doesn't use it up.
    assert_eq!(
        refused(authenticate(&server, &message, &Visitor::new(2).sign(&message)).await),
        (422, "signature".into())
    );
    let signature = visitor.sign(&message);
    let answers = futures_util::future::join_all([0; 4].map(|_| authenticate(&server, &message, &signature))).await;
    assert_eq!(answers.iter().filter(|answer| answer.0 == StatusCode::OK).count(), 1, "{answers:?}");
    let server = Server { router: server.another(), ..server };
    assert_eq!(refused(authenticate(&server, &message, &signature).await), (400, "nonce".into()));
}

#[tokio::test]
async fn a_nonce_of_another_project_of_the_page_is_refused() {
    let server = server().await;
    server.project(&["add", "--id", "garden", "--origin", PAGE]).await;
    let visitor = Visitor::new(1);
    let message = lines(&visitor.address(), &nonce_as("garden", &server).await).join("\n");
    let signature = visitor.sign(&message);
    assert_eq!(refused(authenticate(&server, &message, &signature).await), (400, "nonce".into()));
    let body = json!({"message": message, "signature": signature});
    let (status, text) = ask_as("garden", &server, "POST", "authenticate", &body).await;
    assert_eq!(status, StatusCode::OK, "{text}");
}

#[tokio::test]
async fn a_chain_that_the_project_does_not_allow_opens_no_session() {
    let server = server().await;
    server.project(&["add", "--id", "narrow", "--origin", PAGE, "--chain", "eip155:10"]).await;
    let visitor = Visitor::new(1);
    let signed = async |chain: u32| {
        let mut lines = lines(&visitor.address(), &nonce_as("narrow", &server).await);
        lines[7] = format!("Chain ID: {chain}");
        let message = lines.join("\n");
        let body = json!({"message": message, "signature": visitor.sign(&message)});
        ask_as("narrow", &server, "POST", "authenticate", &body).await
    };
    assert_eq!(refused(signed(1).await), (400, "chainId".into()));
    assert_eq!(signed(10).await.0, StatusCode::OK);
}
