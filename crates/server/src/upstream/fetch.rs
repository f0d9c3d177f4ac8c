//! Reading what a source says, no more of it than is sensible.

use super::Fault;
use portico_json::{Value, parse};
use reqwest::header::ACCEPT;
use reqwest::{RequestBuilder, StatusCode};

/// A source that says more than this is not listened to. Nothing is unpacked: no compression is asked for.
const MOST: usize = 4 * 1024 * 1024;

/// What a source answers in JSON. Numbers keep their text.
pub(crate) async fn fetch(request: RequestBuilder) -> Result<Value, Fault> {
    let text = fetch_text(request.header(ACCEPT, "application/json")).await?;
    parse(&text).map_err(|_| Fault::Nonsense)
}

/// The same of what may say that it made something: 201.
pub(crate) async fn fetch_made(request: RequestBuilder) -> Result<Value, Fault> {
    let text = fetch_where(request.header(ACCEPT, "application/json"), &[StatusCode::OK, StatusCode::CREATED]).await?;
    parse(&text).map_err(|_| Fault::Nonsense)
}

/// What a source answers.
pub(crate) async fn fetch_text(request: RequestBuilder) -> Result<String, Fault> {
    // 202 says that an answer is being prepared (Zerion), with an empty list in its place.
    fetch_where(request, &[StatusCode::OK]).await
}

async fn fetch_where(request: RequestBuilder, fits: &[StatusCode]) -> Result<String, Fault> {
    // The error would tell the address, in which a key may stand.
    let mut response = request.send().await.map_err(|_| Fault::Unreachable)?;
    let status = response.status();
    if !fits.contains(&status) {
        return Err(Fault::Status(status.as_u16()));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| Fault::Unreachable)? {
        if body.len() + chunk.len() > MOST {
            return Err(Fault::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    String::from_utf8(body).map_err(|_| Fault::Nonsense)
}
