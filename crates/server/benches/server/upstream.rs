//! Node with a fixed response time; a sick one fails or delays one call in a hundred.

use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Length of each result, about that of a block header.
const RESULT_LENGTH: usize = 1024;

#[derive(Clone, Copy)]
pub struct Manner {
    pub delay: Duration,
    /// One response in a hundred is a 500, and one takes 800 ms.
    pub sick: bool,
}

/// Listens on a thread of its own until the process ends; returns the port.
pub fn start(manner: Manner) -> u16 {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap().port()).unwrap();
            let asked = Arc::new(AtomicU64::new(0));
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let asked = asked.clone();
                // A connection that the client closes gets no response.
                tokio::spawn(async move { converse(stream, manner, &asked).await });
            }
        });
    });
    told.recv().unwrap()
}

async fn converse(mut stream: TcpStream, manner: Manner, asked: &AtomicU64) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut read = Vec::new();
    loop {
        let head = loop {
            if let Some(end) = find(&read, b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut read).await? == 0 {
                return Ok(());
            }
        };
        let length = content_length(&read[..head]);
        while read.len() < head + length {
            if stream.read_buf(&mut read).await? == 0 {
                return Ok(());
            }
        }
        let answer = answer(&read[head..head + length]);
        read.drain(..head + length);
        // Spreads failures evenly; 37 and 100 are coprime.
        let place = asked.fetch_add(1, Ordering::Relaxed) * 37 % 100;
        let delay = if manner.sick && place == 1 { Duration::from_millis(800) } else { manner.delay };
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        let status = if manner.sick && place == 2 { "500 Internal Server Error" } else { "200 OK" };
        let head =
            format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", answer.len());
        stream.write_all(&[head.as_bytes(), &answer].concat()).await?;
    }
}

fn answer(body: &[u8]) -> Vec<u8> {
    let answer = |id: &Value| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":"{}"}}"#, "a".repeat(RESULT_LENGTH));
    if !body.starts_with(b"[") {
        return answer(&Value::from(1)).into_bytes();
    }
    let calls: Vec<Value> = serde_json::from_slice(body).unwrap();
    let answers: Vec<String> = calls.iter().map(|call| answer(&call["id"])).collect();
    format!("[{}]", answers.join(",")).into_bytes()
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

pub fn content_length(head: &[u8]) -> usize {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let line = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    line.map_or(0, |value| value.trim().parse().unwrap())
}
