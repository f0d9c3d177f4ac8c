//! HTTP requests to sources, with a limit on the response size.

use super::Fault;
use crate::outbound::ConnectFault;
use portico_json::{Value, parse};
use reqwest::header::ACCEPT;
use reqwest::{RequestBuilder, StatusCode};

/// Maximum size of a response in bytes. Responses are never decompressed, because no compression is requested.
const MOST: usize = 4 * 1024 * 1024;

/// Fetches JSON. Numbers keep their text.
pub(crate) async fn fetch(request: RequestBuilder) -> Result<Value, Fault> {
    let text = fetch_text(request.header(ACCEPT, "application/json")).await?;
    parse(&text).map_err(|_| Fault::Nonsense)
}

/// Fetches JSON from an endpoint that may respond with 201 Created.
pub(crate) async fn fetch_made(request: RequestBuilder) -> Result<Value, Fault> {
    let text = fetch_where(request.header(ACCEPT, "application/json"), &[StatusCode::OK, StatusCode::CREATED]).await?;
    parse(&text).map_err(|_| Fault::Nonsense)
}

/// Fetches text.
pub(crate) async fn fetch_text(request: RequestBuilder) -> Result<String, Fault> {
    // 202 (Zerion) means that the response is being prepared; its list is empty.
    fetch_where(request, &[StatusCode::OK]).await
}

async fn fetch_where(request: RequestBuilder, fits: &[StatusCode]) -> Result<String, Fault> {
    // The error would contain the URL, which may contain a key.
    let mut response = request.send().await.map_err(|error| broken(&error))?;
    let status = response.status();
    if !fits.contains(&status) {
        return Err(Fault::Status(status.as_u16()));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
        if body.len() + chunk.len() > MOST {
            return Err(Fault::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    String::from_utf8(body).map_err(|_| Fault::Nonsense)
}

fn broken(error: &reqwest::Error) -> Fault {
    match () {
        () if error.is_timeout() => Fault::Silent,
        () if error.is_connect() => Fault::Unopened(ConnectFault::of(error)),
        () => Fault::Unreachable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outbound::http_client;
    use std::time::Duration;

    #[tokio::test]
    async fn a_server_that_does_not_answer_in_time_is_silent() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let request = http_client(false).unwrap().get(url).timeout(Duration::from_millis(50));
        assert_eq!(fetch(request).await.map(drop), Err(Fault::Silent));
    }
}
