//! Connection that posts as the frame's worker does, from behind a proxy.

use crate::device::Device;
use crate::server::Running;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::net::Ipv4Addr;
use std::time::SystemTime;
use tokio::net::TcpStream;

pub struct Line<'a> {
    server: &'a Running,
    sender: http1::SendRequest<Body>,
}

impl Line<'_> {
    pub async fn open(server: &Running) -> Line<'_> {
        let stream = TcpStream::connect(server.wallet).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        Line { server, sender }
    }

    /// Response to a signed request of a visitor.
    pub async fn ask(&mut self, visitor: Ipv4Addr, device: &Device, path: &str, body: &Value) -> (StatusCode, Value) {
        let body = body.to_string();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis() as i64;
        let mut request = self.request(visitor, path);
        for (name, value) in device.headers_at(now, path, &body) {
            request = request.header(name, value);
        }
        let (status, text) = self.send(request, body).await;
        (status, serde_json::from_str(&text).unwrap_or_else(|_| panic!("{status} {text}")))
    }

    /// The visitor's decision on the page of an approval.
    pub async fn approve(&mut self, visitor: Ipv4Addr, token: &str) {
        let request = self.request(visitor, "/approve").header("content-type", "application/x-www-form-urlencoded");
        let (status, text) = self.send(request, format!("t={token}&decision=approve")).await;
        assert_eq!(status, StatusCode::OK, "{text}");
    }

    fn request(&self, visitor: Ipv4Addr, path: &str) -> axum::http::request::Builder {
        let request = Request::post(path).header("host", self.server.wallet.to_string());
        request.header("origin", &self.server.origin).header("x-forwarded-for", visitor.to_string())
    }

    async fn send(&mut self, request: axum::http::request::Builder, body: String) -> (StatusCode, String) {
        self.sender.ready().await.unwrap();
        let response = self.sender.send_request(request.body(Body::from(body)).unwrap()).await.unwrap();
        let status = response.status();
        let body = to_bytes(Body::new(response.into_body()), 1 << 20).await.unwrap();
        (status, String::from_utf8_lossy(&body).into_owned())
    }
}
