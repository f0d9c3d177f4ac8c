//! Scripted web server on a loopback port.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// Received request.
#[derive(Debug)]
pub struct Heard {
    pub method: Method,
    /// Including the query.
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Web server whose responses a script makes.
pub struct Web {
    pub port: u16,
    heard: mpsc::UnboundedReceiver<Heard>,
}

type Script = Arc<dyn Fn(&Heard) -> Response + Send + Sync>;

impl Web {
    pub async fn start<R: IntoResponse>(script: impl Fn(&Heard) -> R + Send + Sync + 'static) -> Web {
        let (tell, heard) = mpsc::unbounded_channel();
        let script: Script = Arc::new(move |heard| script(heard).into_response());
        let router = Router::new().fallback(respond).with_state((script, tell));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Web { port, heard }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Next received request that the test has not read, if any.
    pub fn heard(&mut self) -> Option<Heard> {
        self.heard.try_recv().ok()
    }
}

async fn respond(
    State((script, tell)): State<(Script, mpsc::UnboundedSender<Heard>)>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let heard = Heard { method, path: uri.to_string(), headers, body };
    let response = script(&heard);
    let _ = tell.send(heard);
    response
}

/// Port that sends these bytes on each connection, then `x` for ever if `endless`; otherwise it closes.
pub async fn raw(head: &'static [u8], endless: bool) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut question = [0; 4096];
                let _ = stream.read(&mut question).await;
                let mut open = stream.write_all(head).await.is_ok();
                while open && endless {
                    open = stream.write_all(&[b'x'; 4096]).await.is_ok();
                }
            });
        }
    });
    port
}
