//! Activity of one connection: whether a request is in flight, and whether the client still reads.

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// Time limit of a write: a client that reads nothing of its response for this long is disconnected.
const STALL_LIMIT: Duration = Duration::from_secs(30);

/// Shared by the socket and the requests of one connection.
#[derive(Clone, Default)]
pub(super) struct Activity {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    running: AtomicUsize,
    /// Whether response bytes wait for the client to read.
    unsent: AtomicBool,
}

impl Activity {
    pub(super) fn begin(&self) -> Running {
        self.shared.running.fetch_add(1, Ordering::Relaxed);
        Running { activity: self.clone() }
    }

    /// False between requests, even if half of the next request has arrived.
    pub(super) fn in_flight(&self) -> bool {
        self.shared.running.load(Ordering::Relaxed) > 0 || self.shared.unsent.load(Ordering::Relaxed)
    }
}

/// Request in flight, until the last byte of its response is given to the socket.
pub(super) struct Running {
    activity: Activity,
}

impl Running {
    pub(super) fn until_sent(self, body: Body) -> Body {
        Body::new(Sent { body, _running: self })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.activity.shared.running.fetch_sub(1, Ordering::Relaxed);
    }
}

struct Sent {
    body: Body,
    _running: Running,
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// TCP stream that fails when the client stops reading.
pub(super) struct Socket {
    stream: TcpStream,
    activity: Activity,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, activity: Activity) -> Socket {
        Socket { stream, activity, stalled: None }
    }

    /// Records whether a write is pending, and fails it after [`STALL_LIMIT`].
    fn watch(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        self.activity.shared.unsent.store(written.is_pending(), Ordering::Relaxed);
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALL_LIMIT)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Socket {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
