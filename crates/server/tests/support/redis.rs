//! Redis that refuses every request, as one does that wants another password.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Host and port of a Redis that answers each request with this error.
pub async fn refusing(error: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut bytes = [0; 4096];
                while let Ok(length @ 1..) = stream.read(&mut bytes).await {
                    // A request is an array, which begins with a star: "*1\r\n$4\r\nPING\r\n".
                    let requests = bytes[..length].split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"*"));
                    let answers = format!("-{error}\r\n").repeat(requests.count());
                    if stream.write_all(answers.as_bytes()).await.is_err() {
                        break;
                    }
                }
            });
        }
    });
    host
}
