//! Everybody else: a node, an explorer and a host of pictures, on one port.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Response time of the node and the explorer.
const DELAY: Duration = Duration::from_millis(5);

/// A small and a large picture.
struct Pictures {
    small: Vec<u8>,
    large: Vec<u8>,
}

fn png(side: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(side, side).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

pub async fn start() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let pictures = Arc::new(Pictures { small: png(64), large: png(4096) });
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, pictures.clone()));
        }
    });
    address
}

/// Accepts connections and closes them.
pub async fn sink() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { while listener.accept().await.is_ok() {} });
    address
}

async fn converse(mut stream: TcpStream, pictures: Arc<Pictures>) -> std::io::Result<()> {
    let mut read = Vec::new();
    loop {
        let head = loop {
            if let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut read).await? == 0 {
                return Ok(());
            }
        };
        let text = String::from_utf8_lossy(&read[..head]).into_owned();
        let length = text.to_ascii_lowercase();
        let length = length.lines().find_map(|line| line.strip_prefix("content-length:"));
        let length: usize = length.map_or(0, |value| value.trim().parse().unwrap_or(0));
        while read.len() < head + length {
            if stream.read_buf(&mut read).await? == 0 {
                return Ok(());
            }
        }
        let body = String::from_utf8_lossy(&read[head..head + length]).into_owned();
        read.drain(..head + length);
        let path = text.split(' ').nth(1).unwrap_or_default();
        if path.starts_with("/silent") {
            return std::future::pending().await;
        }
        let (kind, answer) = match path {
            path if path.starts_with("/small") => ("image/png", pictures.small.clone()),
            path if path.starts_with("/large") => ("image/png", pictures.large.clone()),
            path if path.starts_with("/api") => {
                ("application/json", br#"{"items":[],"next_page_params":null}"#.to_vec())
            }
            _ => ("application/json", node(&body)),
        };
        if kind == "application/json" {
            tokio::time::sleep(DELAY).await;
        }
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n", answer.len());
        let body = if text.starts_with("HEAD") { &[][..] } else { &answer };
        stream.write_all(&[head.as_bytes(), body].concat()).await?;
    }
}

/// Answers each call of a JSON-RPC body with a word of a block.
fn node(body: &str) -> Vec<u8> {
    let answer = |call: &serde_json::Value| serde_json::json!({"jsonrpc": "2.0", "id": call["id"], "result": "0x1"});
    match serde_json::from_str(body) {
        Ok(serde_json::Value::Array(calls)) => serde_json::Value::from_iter(calls.iter().map(answer)).to_string(),
        Ok(call) => answer(&call).to_string(),
        Err(_) => "{}".into(),
    }
    .into_bytes()
}
