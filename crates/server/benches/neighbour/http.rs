//! Minimal HTTP/1.1 client that connects from a given address and keeps its connection.

use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// Connects from this loopback address.
pub async fn connect(from: [u8; 4], to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((from, 0).into())?;
    let stream = socket.connect(to).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Visitor at one address.
pub struct Visitor {
    from: [u8; 4],
    to: SocketAddr,
    stream: Option<TcpStream>,
}

impl Visitor {
    pub fn new(from: [u8; 4], to: SocketAddr) -> Visitor {
        Visitor { from, to, stream: None }
    }

    pub async fn get(&mut self, path: &str) -> std::io::Result<u16> {
        self.send(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").into_bytes()).await
    }

    pub async fn post(&mut self, path: &str, body: &str) -> std::io::Result<u16> {
        let length = body.len();
        self.send(format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\n\r\n{body}").into_bytes())
            .await
    }

    /// Closes the connection, so that the next request opens one.
    pub fn close(&mut self) {
        self.stream = None;
    }

    /// Status of the response.
    async fn send(&mut self, request: Vec<u8>) -> std::io::Result<u16> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => connect(self.from, self.to).await?,
        };
        stream.write_all(&request).await?;
        let mut read = Vec::new();
        let head = loop {
            if let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut read).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        };
        let text = String::from_utf8_lossy(&read[..head]).to_ascii_lowercase();
        let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
        let length: usize = length.map_or(0, |value| value.trim().parse().unwrap());
        while read.len() < head + length {
            if stream.read_buf(&mut read).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        }
        if !text.contains("connection: close") {
            self.stream = Some(stream);
        }
        Ok(text.split(' ').nth(1).unwrap().parse().unwrap())
    }
}
