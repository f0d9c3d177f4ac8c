//! What waits for a client to read it: so many bytes, for so long.

use crate::guard::memory::{Full, Memory, Share};
use crate::rpc::answer::Answer;
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, future::poll_fn};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// Who has more bytes than these waiting is closed.
pub(crate) const MOST: usize = 8 * 1024 * 1024;

/// Who has as many bytes as these waiting is asked and answered no more until they are fewer.
const ENOUGH: usize = 1024 * 1024;

/// What is shorter takes no more room than a connection has anyway.
const SHORT: usize = 16 * 1024;

/// Who takes longer for one message is closed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client that is to be told goodbye gets this long to hear it.
const GOODBYE: Duration = Duration::from_secs(5);

/// Why a client is left.
#[derive(Debug)]
pub(crate) enum Left {
    /// It reads too slowly.
    Slow,
    /// There is no room for what it should read.
    Full,
    /// It is gone.
    Gone,
}

impl From<Full> for Left {
    fn from(Full: Full) -> Left {
        Left::Full
    }
}

impl From<axum::Error> for Left {
    fn from(_: axum::Error) -> Left {
        Left::Gone
    }
}

/// The side of a WebSocket that is written to.
pub(crate) struct Outbox {
    sink: SplitSink<WebSocket, Message>,
    memory: Memory,
    /// The socket keeps a buffer as long as its longest message.
    buffer: Share,
    waiting: VecDeque<(Message, MessageCost)>,
    /// Of the message that the socket has.
    sending: Option<MessageCost>,
    bytes: usize,
    /// When the first of those that wait became the first.
    since: Instant,
}

/// What one message takes.
struct MessageCost {
    bytes: usize,
    _share: Option<Share>,
}

impl Outbox {
    pub(crate) fn new(sink: SplitSink<WebSocket, Message>, memory: &Memory) -> Outbox {
        Outbox {
            sink,
            memory: memory.clone(),
            buffer: memory.share(),
            waiting: VecDeque::new(),
            sending: None,
            bytes: 0,
            since: Instant::now(),
        }
    }

    /// Whether the client may ask for more.
    pub(crate) fn has_room(&self) -> bool {
        self.bytes < ENOUGH
    }

    /// Whether anything waits.
    pub(crate) fn is_busy(&self) -> bool {
        self.sending.is_some() || !self.waiting.is_empty()
    }

    /// Says what was asked for. Its room is taken until the client has read it.
    pub(super) fn say(&mut self, answer: impl Into<Answer>) -> Result<(), Left> {
        let (text, share) = answer.into().into_parts();
        let bytes = text.len();
        self.lengthen_buffer(bytes)?;
        let text = String::from_utf8(text).map_err(|_| Left::Gone)?;
        self.push(Message::Text(text.into()), MessageCost { bytes, _share: share })
    }

    /// Tells what happened, which nobody asked for at this moment.
    pub(crate) fn tell(&mut self, text: String) -> Result<(), Left> {
        let bytes = text.len();
        let mut share = self.memory.share();
        if self.is_busy() || bytes > SHORT {
            share.grow(bytes)?;
        }
        self.lengthen_buffer(bytes)?;
        self.push(Message::Text(text.into()), MessageCost { bytes, _share: Some(share) })
    }

    fn lengthen_buffer(&mut self, bytes: usize) -> Result<(), Full> {
        if bytes > SHORT { self.buffer.reach(bytes) } else { Ok(()) }
    }

    /// At most 125 bytes, which the pong brings back.
    pub(crate) fn ping(&mut self, carried: &[u8]) -> Result<(), Left> {
        self.push(Message::Ping(carried.to_vec().into()), MessageCost { bytes: 0, _share: None })
    }

    fn push(&mut self, message: Message, held: MessageCost) -> Result<(), Left> {
        if !self.is_busy() {
            self.since = Instant::now();
        }
        self.bytes += held.bytes;
        self.waiting.push_back((message, held));
        if self.bytes > MOST { Err(Left::Slow) } else { Ok(()) }
    }

    /// Gives the next message to the client. May be dropped and called again.
    pub(crate) async fn send(&mut self) -> Result<(), Left> {
        let end = self.since + PATIENCE;
        timeout_at(end, self.send_one()).await.unwrap_or(Err(Left::Slow))?;
        self.since = Instant::now();
        Ok(())
    }

    async fn send_one(&mut self) -> Result<(), Left> {
        if self.sending.is_none() {
            poll_fn(|context| self.sink.poll_ready_unpin(context)).await?;
            let Some((message, held)) = self.waiting.pop_front() else { return Ok(()) };
            self.sink.start_send_unpin(message)?;
            self.sending = Some(held);
        }
        poll_fn(|context| self.sink.poll_flush_unpin(context)).await?;
        if let Some(held) = self.sending.take() {
            self.bytes -= held.bytes;
        }
        Ok(())
    }

    /// Closes with this code. What waits is not told any more.
    pub(crate) async fn close(mut self, code: u16, reason: &str) {
        let goodbye = self.sink.send(Message::Close(Some(CloseFrame { code, reason: reason.into() })));
        // Who does not hear it is gone.
        let _ = timeout(GOODBYE, goodbye).await;
    }
}
