//! Activity of one connection: whether a request is in flight, and whether the client still reads.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// Time limit of a write, and of each [`LEAST`] bytes of a long one: a client that reads less of its response, about 4 KiB a second, is
/// disconnected.
const STALL_LIMIT: Duration = Duration::from_secs(30);
const LEAST: usize = 128 * 1024;

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

impl Drop for Running {
    fn drop(&mut self) {
        self.activity.shared.running.fetch_sub(1, Ordering::Relaxed);
    }
}

/// TCP stream that fails when the client stops reading.
pub(super) struct Socket {
    stream: TcpStream,
    activity: Activity,
    stalled: Option<Stall>,
}

/// A write that waits for the client.
struct Stall {
    end: Pin<Box<Sleep>>,
    /// Bytes that the client has to take before the end.
    left: usize,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, activity: Activity) -> Socket {
        Socket { stream, activity, stalled: None }
    }

    /// Records whether a write of so many bytes is pending, and fails it if it takes too long.
    fn watch(
        &mut self,
        context: &mut Context<'_>,
        bytes: usize,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        self.activity.shared.unsent.store(written.is_pending(), Ordering::Relaxed);
        watch(&mut self.stalled, context, bytes, written)
    }
}

fn watch(
    stalled: &mut Option<Stall>,
    context: &mut Context<'_>,
    bytes: usize,
    written: Poll<io::Result<usize>>,
) -> Poll<io::Result<usize>> {
    match &written {
        // A part of a long write: the client has to take enough within the time.
        Poll::Ready(Ok(taken)) if *taken < bytes => {
            if let Some(stall) = stalled {
                stall.left = stall.left.saturating_sub(*taken);
                if stall.left == 0 {
                    *stalled = None;
                }
            }
            written
        }
        Poll::Ready(_) => {
            *stalled = None;
            written
        }
        Poll::Pending => {
            let stall = stalled.get_or_insert_with(|| Stall { end: Box::pin(sleep(STALL_LIMIT)), left: LEAST });
            ready!(stall.end.as_mut().poll(context));
            Poll::Ready(Err(ErrorKind::TimedOut.into()))
        }
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
        self.watch(context, bytes.len(), written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.watch(context, slices.iter().map(|slice| slice.len()).sum(), written)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use tokio::time::{Instant, advance};

    /// Seconds after which the write of a long response fails for a client that takes so many bytes every ten seconds; `None` if it takes
    /// the whole.
    async fn fails_after(every_ten: usize) -> Option<u64> {
        let (begun, mut stalled, mut left) = (Instant::now(), None, 1024 * 1024);
        loop {
            let write = |context: &mut Context<'_>, written| Poll::Ready(watch(&mut stalled, context, left, written));
            let mut write = write;
            let pending = poll_fn(|context| write(context, Poll::Pending)).await;
            if pending.is_ready() {
                return Some(begun.elapsed().as_secs());
            }
            advance(Duration::from_secs(10)).await;
            let taken = every_ten.min(left);
            let written = poll_fn(|context| write(context, Poll::Ready(Ok(taken)))).await;
            assert!(matches!(written, Poll::Ready(Ok(_))));
            left -= taken;
            if left == 0 {
                return None;
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_its_response_in_drops_is_disconnected_and_a_slow_one_is_not() {
        assert_eq!(fails_after(0).await, Some(30));
        assert_eq!(fails_after(1024).await, Some(30));
        assert_eq!(fails_after(32 * 1024).await, Some(30));
        assert_eq!(fails_after(64 * 1024).await, None);
    }
}
