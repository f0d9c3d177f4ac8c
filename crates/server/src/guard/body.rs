//! Reads request bodies with limits on size and time.

use crate::Failure;
use crate::guard::memory::{Memory, Share};
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::EXPECT;
use hyper::body::Frame;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// Size limit of a body, in bytes.
const LIMIT: usize = 10 * 1024 * 1024;

/// Time limit for receiving a body.
const TIME: Duration = Duration::from_secs(10);

/// A body that arrives slower than this after a first while is rejected: it would hold memory for the others' time.
const PATIENCE: Duration = Duration::from_secs(3);
const BYTES_PER_SECOND: u64 = 16 * 1024;

/// Limits in bytes and time for the rest of a rejected body that is still read.
const DRAINED: usize = 2 * LIMIT;
const DRAIN_TIME: Duration = Duration::from_secs(1);

/// A byte needs memory twice: as received and as forwarded.
pub(crate) const COPIES: usize = 2;

/// Reads the whole body; `share` grows with the bytes received, not with the announced length.
///
/// Closing a socket with unread bytes resets the connection, and the error response is lost with it, so the rest of a rejected body is
/// read and discarded. Not if the client waits for permission to send it (`Expect: 100-continue`, RFC 9110 10.1.1) and got none.
pub(crate) async fn read(request: Request, share: &mut Share) -> Result<Vec<u8>, Failure> {
    read_within(request, share, LIMIT).await
}

/// Like [`read`], with a limit in bytes.
pub(crate) async fn read_within(request: Request, share: &mut Share, limit: usize) -> Result<Vec<u8>, Failure> {
    let waits = request.headers().contains_key(EXPECT);
    let mut body = request.into_body();
    if body.size_hint().lower() > limit as u64 {
        if !waits {
            drain(&mut body, share.memory()).await;
        }
        return Err(too_large(limit));
    }
    let read = collect(&mut body, share, limit).await;
    match read {
        Ok(read) => Ok(read),
        Err(failure) => {
            share.give_back();
            // The rest of a slow body is not waited for.
            if failure.status() != StatusCode::REQUEST_TIMEOUT {
                drain(&mut body, share.memory()).await;
            }
            Err(failure)
        }
    }
}

/// Reads and discards the rest of a body, within limits.
async fn drain(body: &mut Body, memory: &Memory) {
    let end = async {
        let mut left = DRAINED;
        while let Some(Ok(frame)) = frame_of(body).await {
            let length = frame.data_ref().map_or(0, Bytes::len);
            left = left.saturating_sub(length);
            // A visitor that is above its rate is not waited for.
            if left == 0 || memory.arrived(length).await.is_err() {
                break;
            }
        }
    };
    // A client that keeps sending is cut off.
    let _ = timeout(DRAIN_TIME, end).await;
}

async fn frame_of(body: &mut Body) -> Option<Result<Frame<Bytes>, axum::Error>> {
    poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await
}

async fn collect(body: &mut Body, share: &mut Share, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut read = Vec::new();
    let mut begun = Instant::now();
    let late =
        |_| Failure::new(StatusCode::REQUEST_TIMEOUT, "body", "The body took too long to arrive. Send it again.");
    while let Some(frame) = timeout_at(begun + patience(read.len()), frame_of(body)).await.map_err(late)? {
        let frame = frame.map_err(|_| Failure::parameter("body", "Couldn't read the body. Send it again."))?;
        // Trailers are ignored.
        let Ok(data) = frame.into_data() else { continue };
        if read.len() + data.len() > limit {
            return Err(too_large(limit));
        }
        share.grow(COPIES * data.len())?;
        // While the server lets a visitor wait, the client is not slow.
        begun += share.memory().arrived(data.len()).await?;
        read.extend_from_slice(&data);
    }
    Ok(read)
}

/// Time within which the next bytes must arrive after this many.
fn patience(bytes: usize) -> Duration {
    (PATIENCE + Duration::from_secs(bytes as u64 / BYTES_PER_SECOND)).min(TIME)
}

fn too_large(limit: usize) -> Failure {
    let kibibytes = limit / 1024;
    let size = if kibibytes < 1024 { format!("{kibibytes} KiB") } else { format!("{} MiB", kibibytes / 1024) };
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "body", format!("The body is larger than {size}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::memory::Memory;
    use futures_util::stream;
    use std::convert::Infallible;

    /// Reads a body that arrives in pieces of this size, one a second.
    async fn arriving(piece: usize, pieces: usize) -> (Result<usize, StatusCode>, Duration) {
        let body = Body::from_stream(stream::unfold(0, move |sent| async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            (sent < pieces).then(|| (Ok::<_, Infallible>(vec![b'a'; piece]), sent + 1))
        }));
        let begun = Instant::now();
        let read = read(Request::new(body), &mut Memory::new(64).share()).await;
        (read.map(|read| read.len()).map_err(|failure| failure.status()), begun.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_trickles_is_rejected_after_three_seconds_and_one_that_keeps_coming_is_read() {
        assert_eq!(arriving(1, 60).await, (Err(StatusCode::REQUEST_TIMEOUT), PATIENCE));
        assert_eq!(arriving(32 * 1024, 5).await, (Ok(5 * 32 * 1024), Duration::from_secs(6)));
        // However fast, no body takes longer than the limit.
        assert_eq!(arriving(64 * 1024, 60).await, (Err(StatusCode::REQUEST_TIMEOUT), TIME));
    }

    #[tokio::test(start_paused = true)]
    async fn bodies_of_a_visitor_above_its_rate_are_read_slowly_and_those_of_others_at_once() {
        let memory = Memory::new(256);
        let seconds = async |visitor: &str| {
            let begun = Instant::now();
            let frames = stream::iter((0..128).map(|_| Ok::<_, Infallible>(vec![b'a'; 64 * 1024])));
            let mut share = memory.of(Some(visitor.parse().unwrap())).share();
            let read = read(Request::new(Body::from_stream(frames)), &mut share).await;
            assert_eq!(read.map(|read| read.len()).map_err(|failure| failure.status()), Ok(8 * 1024 * 1024));
            begun.elapsed().as_secs()
        };
        assert_eq!([seconds("192.0.2.66").await, seconds("192.0.2.66").await], [0, 0]);
        assert_eq!([seconds("192.0.2.66").await, seconds("192.0.2.7").await, seconds("192.0.2.66").await], [2, 0, 2]);
    }

    #[tokio::test(start_paused = true)]
    async fn bodies_beyond_the_wait_of_a_visitor_are_refused_and_cost_it_nothing_later() {
        let memory = Memory::new(1024);
        let send = async |visitor: &str| {
            let frames = stream::iter((0..2).map(|_| Ok::<_, Infallible>(vec![b'a'; 64 * 1024])));
            let mut share = memory.of(Some(visitor.parse().unwrap())).share();
            let read = read(Request::new(Body::from_stream(frames)), &mut share).await;
            read.map(|_| ()).map_err(|failure| failure.status())
        };
        let begun = Instant::now();
        let all = futures_util::future::join_all((0..1000).map(|_| send("192.0.2.66"))).await;
        let refused = all.iter().filter(|read| **read == Err(StatusCode::TOO_MANY_REQUESTS)).count();
        // 16 MiB may come at once, and 20 MiB arrive in the longest wait: that is the first half of 576 bodies.
        assert!((1000 - 576..1000).contains(&refused), "{refused}");
        assert!(begun.elapsed() <= 2 * Duration::from_secs(5) + DRAIN_TIME, "{:?}", begun.elapsed());
        assert_eq!(send("192.0.2.7").await, Ok(()));
        tokio::time::advance(Duration::from_secs(5)).await;
        assert_eq!(send("192.0.2.66").await, Ok(()));
    }
}
