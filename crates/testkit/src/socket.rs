//! WebSockets of the host's server.

/// WebSockets that the core opened. The server refuses them unless a test lets it accept.
#[derive(Debug, Default)]
pub struct Sockets {
    /// Whether the server accepts them.
    pub accepts: bool,
    /// URL and text of each message that the core sent, refused ones included.
    pub sent: Vec<(String, String)>,
    /// URLs of the open sockets.
    pub open: Vec<String>,
    /// Effects that are answered when their socket ends.
    waiting: Vec<(String, u32)>,
}

impl Sockets {
    /// Sends a message, through a new socket if none is open. Returns whether the socket is open.
    pub(crate) fn send(&mut self, id: u32, url: String, text: String) -> bool {
        self.sent.push((url.clone(), text));
        if self.accepts {
            if !self.open.contains(&url) {
                self.open.push(url.clone());
            }
            self.waiting.push((url, id));
        }
        self.accepts
    }

    /// Closes a socket. Returns the effects that are to be answered.
    pub(crate) fn end(&mut self, url: &str) -> Vec<u32> {
        self.open.retain(|open| open != url);
        self.waiting.extract_if(.., |(waiting, _)| waiting == url).map(|(_, id)| id).collect()
    }

    /// Closes all sockets, as a reload does.
    pub(crate) fn reload(&mut self) {
        self.open.clear();
        self.waiting.clear();
    }
}
