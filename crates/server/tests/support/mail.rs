//! A mail server that takes every mail, for tests of what leaves the vault.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;

/// A mail as it arrived.
#[derive(Debug)]
pub struct Arrived {
    pub from: String,
    pub to: String,
    pub text: String,
}

/// Way in which a mail server begins TLS.
#[derive(Clone)]
pub enum Tls {
    Never,
    /// By STARTTLS (RFC 3207).
    Asked(TlsAcceptor),
    /// With the connection (RFC 8314).
    Implicit(TlsAcceptor),
}

/// What all connections of a server share.
#[derive(Clone)]
struct Rules {
    arrived: mpsc::UnboundedSender<Arrived>,
    /// Mails that are still put off.
    busy: Arc<AtomicUsize>,
    /// Response of AUTH PLAIN that is asked for, as the client sends it.
    password: Option<&'static str>,
}

/// Address of a mail server, and the mails that it takes. The first `busy` mails are put off with 451, and those to nobody@ are refused with 550.
pub async fn sink(busy: usize) -> (SocketAddr, mpsc::UnboundedReceiver<Arrived>) {
    serve(busy, Tls::Never, None).await
}

/// A mail server that takes mails only with TLS and after this response of AUTH PLAIN.
pub async fn secure(tls: Tls, password: &'static str) -> (SocketAddr, mpsc::UnboundedReceiver<Arrived>) {
    serve(0, tls, Some(password)).await
}

async fn serve(
    busy: usize,
    tls: Tls,
    password: Option<&'static str>,
) -> (SocketAddr, mpsc::UnboundedReceiver<Arrived>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (arrived, mails) = mpsc::unbounded_channel();
    let rules = Rules { arrived, busy: Arc::new(AtomicUsize::new(busy)), password };
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (rules, tls) = (rules.clone(), tls.clone());
            // A client keeps several connections. An error is a client that left.
            tokio::spawn(async move {
                let _ = receive(stream, tls, &rules).await;
            });
        }
    });
    (address, mails)
}

async fn receive(stream: TcpStream, tls: Tls, rules: &Rules) -> io::Result<()> {
    match tls {
        Tls::Never => converse(&mut BufReader::new(stream), true, false, rules).await.map(drop),
        Tls::Implicit(acceptor) => {
            let mut stream = BufReader::new(acceptor.accept(stream).await?);
            converse(&mut stream, true, false, rules).await.map(drop)
        }
        Tls::Asked(acceptor) => {
            let mut stream = BufReader::new(stream);
            if !converse(&mut stream, true, true, rules).await? {
                return Ok(());
            }
            let mut stream = BufReader::new(acceptor.accept(stream.into_inner()).await?);
            converse(&mut stream, false, false, rules).await.map(drop)
        }
    }
}

/// Speaks until the client leaves, or asks for TLS: then true.
async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut BufReader<S>,
    greets: bool,
    offers_tls: bool,
    rules: &Rules,
) -> io::Result<bool> {
    if greets {
        stream.write_all(b"220 sink\r\n").await?;
    }
    let (mut from, mut to) = (String::new(), String::new());
    let mut entered = rules.password.is_none();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(false);
        }
        let line = line.trim_end();
        let answer = match line.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" if offers_tls => "250-sink\r\n250 STARTTLS\r\n",
            "EHLO" if rules.password.is_some() => "250-sink\r\n250 AUTH PLAIN\r\n",
            "EHLO" => "250 sink\r\n",
            "STARTTLS" if offers_tls => {
                stream.write_all(b"220 begin\r\n").await?;
                return Ok(true);
            }
            "AUTH" if !offers_tls && line.strip_prefix("AUTH PLAIN ") == rules.password => {
                entered = true;
                "235 welcome\r\n"
            }
            "AUTH" => "535 5.7.8 unknown\r\n",
            "MAIL" if !entered || offers_tls => "530 not yet\r\n",
            "MAIL" if rules.busy.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok() => "451 later\r\n",
            "MAIL" => {
                from = line.to_owned();
                "250 ok\r\n"
            }
            "RCPT" if line.contains("<nobody@") => "550 5.1.1 no such mailbox\r\n",
            "RCPT" => {
                to = line.to_owned();
                "250 ok\r\n"
            }
            "DATA" => {
                stream.write_all(b"354 go on\r\n").await?;
                let mut text = String::new();
                while !text.ends_with("\r\n.\r\n") {
                    if stream.read_line(&mut text).await? == 0 {
                        return Ok(false);
                    }
                }
                let _ = rules.arrived.send(Arrived { from: from.clone(), to: to.clone(), text });
                "250 ok\r\n"
            }
            "QUIT" => {
                stream.write_all(b"221 bye\r\n").await?;
                return Ok(false);
            }
            _ => "250 ok\r\n",
        };
        stream.write_all(answer.as_bytes()).await?;
    }
}
