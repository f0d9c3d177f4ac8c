//! A web server on a loopback port that does as it is told.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// What it heard.
#[derive(Debug)]
pub struct Heard {
    pub method: Method,
    /// With the query.
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// See the module.
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

    /// The next request nobody has looked at, if there is one.
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

/// A port that answers each connection with these very bytes, keeps sending the last of them for ever if told so, and else hangs up.
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
