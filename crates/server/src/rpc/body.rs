//! Reading what a client sends, no more of it and no longer than is sensible.

use crate::Failure;
use crate::guard::memory::Share;
use axum::body::{Body, HttpBody};
use axum::http::StatusCode;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;
use tokio::time::timeout;

/// The largest body taken.
const LIMIT: usize = 10 * 1024 * 1024;

/// A client that sends its body more slowly than this is not served.
const TIME: Duration = Duration::from_secs(10);

/// A byte takes room twice: as it came and as it goes on.
pub(super) const COPIES: usize = 2;

/// The whole body; `share` grows with what has arrived, not with what is promised.
pub(super) async fn read(body: Body, share: &mut Share) -> Result<Vec<u8>, Failure> {
    let read = timeout(TIME, collect(body, share)).await;
    read.map_err(|_| Failure::new(StatusCode::REQUEST_TIMEOUT, "body", "The body took too long to arrive"))?
}

async fn collect(mut body: Body, share: &mut Share) -> Result<Vec<u8>, Failure> {
    let mut read = Vec::new();
    if body.size_hint().lower() > LIMIT as u64 {
        return Err(too_large());
    }
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|_| Failure::parameter("body", "The body could not be read"))?;
        // Trailers say nothing here.
        let Ok(data) = frame.into_data() else { continue };
        if read.len() + data.len() > LIMIT {
            return Err(too_large());
        }
        share.grow(COPIES * data.len())?;
        read.extend_from_slice(&data);
    }
    Ok(read)
}

fn too_large() -> Failure {
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "body", "The body is larger than 10 MiB")
}
