//! A mail server that takes every mail, for tests of what leaves the vault.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// A mail as it arrived.
#[derive(Debug)]
pub struct Arrived {
    pub from: String,
    pub to: String,
    pub text: String,
}

/// Address of a mail server, and the mails that it takes. The first `busy` mails are put off with 451.
pub async fn sink(busy: usize) -> (SocketAddr, mpsc::UnboundedReceiver<Arrived>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (arrived, mails) = mpsc::unbounded_channel();
    let busy = Arc::new(AtomicUsize::new(busy));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (arrived, busy) = (arrived.clone(), busy.clone());
            // A client keeps several connections. An error is a client that left.
            tokio::spawn(async move {
                let _ = converse(stream, &arrived, &busy).await;
            });
        }
    });
    (address, mails)
}

async fn converse(
    stream: TcpStream,
    arrived: &mpsc::UnboundedSender<Arrived>,
    busy: &AtomicUsize,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 sink\r\n").await?;
    let (mut from, mut to) = (String::new(), String::new());
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let line = line.trim_end();
        let answer = match line.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" => "250 sink\r\n",
            "MAIL" if busy.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok() => "451 later\r\n",
            "MAIL" => {
                from = line.to_owned();
                "250 ok\r\n"
            }
            "RCPT" => {
                to = line.to_owned();
                "250 ok\r\n"
            }
            "DATA" => {
                stream.write_all(b"354 go on\r\n").await?;
                let mut text = String::new();
                while !text.ends_with("\r\n.\r\n") {
                    if stream.read_line(&mut text).await? == 0 {
                        return Ok(());
                    }
                }
                let _ = arrived.send(Arrived { from: from.clone(), to: to.clone(), text });
                "250 ok\r\n"
            }
            "QUIT" => {
                stream.write_all(b"221 bye\r\n").await?;
                return Ok(());
            }
            _ => "250 ok\r\n",
        };
        stream.write_all(answer.as_bytes()).await?;
    }
}
