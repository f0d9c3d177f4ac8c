//! Send queue of a client's WebSocket, limited in bytes and time.

use crate::guard::memory::{Full, Memory, Share};
use crate::rpc::answer::Answer;
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, future::poll_fn};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// A client with more queued bytes than this is disconnected.
pub(crate) const MOST: usize = 8 * 1024 * 1024;

/// At this many queued bytes no further requests are read or answered until the queue shrinks.
const ENOUGH: usize = 1024 * 1024;

/// Messages up to this size, in bytes, need no memory beyond that of any connection.
const SHORT: usize = 16 * 1024;

/// Time limit for sending one message, after which the client is disconnected.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time limit for sending the close frame.
const GOODBYE: Duration = Duration::from_secs(5);

/// Reason to disconnect a client.
#[derive(Debug)]
pub(crate) enum DisconnectReason {
    /// The client reads too slowly.
    Slow,
    /// The server has no memory left for its messages.
    Full,
    /// The connection is gone.
    Gone,
}

impl From<Full> for DisconnectReason {
    fn from(_: Full) -> DisconnectReason {
        DisconnectReason::Full
    }
}

impl From<axum::Error> for DisconnectReason {
    fn from(_: axum::Error) -> DisconnectReason {
        DisconnectReason::Gone
    }
}

/// Write side of a WebSocket.
pub(crate) struct Outbox {
    sink: SplitSink<WebSocket, Message>,
    memory: Memory,
    /// Memory of the socket's buffer, which stays as long as its longest message.
    buffer: Share,
    waiting: VecDeque<(Message, MessageCost)>,
    /// Cost of the message that the socket is sending.
    sending: Option<MessageCost>,
    bytes: usize,
    /// Time at which the first queued message became the first.
    since: Instant,
}

/// Size and reserved memory of one message.
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

    /// Whether the queue is short enough to accept further requests.
    pub(crate) fn has_room(&self) -> bool {
        self.bytes < ENOUGH
    }

    /// Whether a message is queued or being sent.
    pub(crate) fn is_busy(&self) -> bool {
        self.sending.is_some() || !self.waiting.is_empty()
    }

    /// Queues a response. Its memory stays reserved until the client has read it.
    pub(super) fn say(&mut self, answer: impl Into<Answer>) -> Result<(), DisconnectReason> {
        let (text, share) = answer.into().into_parts();
        let bytes = text.len();
        self.lengthen_buffer(bytes)?;
        let text = String::from_utf8(text).map_err(|_| DisconnectReason::Gone)?;
        self.push(Message::Text(text.into()), MessageCost { bytes, _share: share })
    }

    /// Queues a notification, such as a subscription event.
    pub(crate) fn queue(&mut self, text: String) -> Result<(), DisconnectReason> {
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

    /// Queues a ping. `carried` has at most 125 bytes and comes back in the pong.
    pub(crate) fn ping(&mut self, carried: &[u8]) -> Result<(), DisconnectReason> {
        self.push(Message::Ping(carried.to_vec().into()), MessageCost { bytes: 0, _share: None })
    }

    fn push(&mut self, message: Message, held: MessageCost) -> Result<(), DisconnectReason> {
        if !self.is_busy() {
            self.since = Instant::now();
        }
        self.bytes += held.bytes;
        self.waiting.push_back((message, held));
        if self.bytes > MOST { Err(DisconnectReason::Slow) } else { Ok(()) }
    }

    /// Sends the next message. Cancel-safe.
    pub(crate) async fn send(&mut self) -> Result<(), DisconnectReason> {
        let end = self.since + PATIENCE;
        timeout_at(end, self.send_one()).await.unwrap_or(Err(DisconnectReason::Slow))?;
        self.since = Instant::now();
        Ok(())
    }

    async fn send_one(&mut self) -> Result<(), DisconnectReason> {
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

    /// Closes the connection with this code. Queued messages are dropped.
    pub(crate) async fn close(mut self, code: u16, reason: &str) {
        let goodbye = self.sink.send(Message::Close(Some(CloseFrame { code, reason: reason.into() })));
        // A client that does not read the close frame is gone anyway.
        let _ = timeout(GOODBYE, goodbye).await;
    }
}
