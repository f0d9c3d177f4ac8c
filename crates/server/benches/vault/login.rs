//! Visitors who log in, and the mails that they read.

use crate::device::Device;
use crate::mail::Arrived;
use crate::post::Line;
use crate::server::HOST;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use tokio::sync::{mpsc, oneshot};

/// Mails by the visitor who waits for them.
#[derive(Clone, Default)]
pub struct Mails {
    waiting: Arc<Mutex<HashMap<String, oneshot::Sender<String>>>>,
}

impl Mails {
    /// Hands out the mails that arrive.
    pub fn of(mut arrived: mpsc::UnboundedReceiver<Arrived>) -> Mails {
        let mails = Mails::default();
        let waiting = mails.waiting.clone();
        tokio::spawn(async move {
            while let Some(mail) = arrived.recv().await {
                let to = mail.to.split(['<', '>']).nth(1).unwrap().to_owned();
                // Soft ends of lines and signs of quoted-printable (RFC 2045).
                let text = mail.text.replace("=\r\n", "").replace("=3D", "=");
                if let Some(waits) = waiting.lock().unwrap().remove(&to) {
                    let _ = waits.send(text);
                }
            }
        });
        mails
    }

    /// The next mail to an address.
    fn next(&self, to: &str) -> oneshot::Receiver<String> {
        let (sender, mail) = oneshot::channel();
        self.waiting.lock().unwrap().insert(to.to_owned(), sender);
        mail
    }
}

pub struct Visitor {
    pub address: Ipv4Addr,
    pub device: Device,
    pub email: String,
}

impl Visitor {
    pub fn new(number: u32) -> Visitor {
        let address = Ipv4Addr::from(u32::from(Ipv4Addr::new(203, 0, 0, 0)) + number);
        Visitor { address, device: Device::new(), email: format!("visitor{number}@example.org") }
    }

    /// Begins a login with an address, whose mail nobody waits for.
    pub async fn begin_with(&self, line: &mut Line<'_>, email: &str) -> StatusCode {
        let body = json!({"email": email, "project": "bench", "host": HOST, "language": "en"});
        line.ask(self.address, &self.device, "/wallet/v1/login/email", &body).await.0
    }

    /// Begins a login and returns the mail; a new device is approved first.
    pub async fn begin(&self, line: &mut Line<'_>, mails: &Mails) -> (Value, String) {
        let mail = mails.next(&self.email);
        let body = json!({"email": self.email, "project": "bench", "host": HOST, "language": "en"});
        let (status, started) = line.ask(self.address, &self.device, "/wallet/v1/login/email", &body).await;
        assert_eq!(status, StatusCode::OK, "{started}");
        let mut mail = mail.await.unwrap();
        if started["action"] == "VERIFY_DEVICE" {
            let token = mail.split_once("/approve?t=").unwrap().1.lines().next().unwrap().trim().to_owned();
            let code = mails.next(&self.email);
            line.approve(self.address, &token).await;
            mail = code.await.unwrap();
        }
        (started["transaction"].clone(), code(&mail))
    }

    /// Sends a code.
    pub async fn try_code(&self, line: &mut Line<'_>, transaction: &Value, code: &str) -> (StatusCode, Value) {
        let body = json!({"transaction": transaction, "code": code, "key": self.device.worker_key()});
        line.ask(self.address, &self.device, "/wallet/v1/login/code", &body).await
    }

    /// A whole login.
    pub async fn log_in(&mut self, line: &mut Line<'_>, mails: &Mails) {
        self.device.access = None;
        let (transaction, code) = self.begin(line, mails).await;
        let (status, entered) = self.try_code(line, &transaction, &code).await;
        assert_eq!(status, StatusCode::OK, "{entered}");
        self.device.access = Some(entered["session"]["access"].as_str().unwrap().into());
    }
}

fn code(mail: &str) -> String {
    let line = mail.lines().find_map(|line| line.strip_prefix("    ")).unwrap_or_else(|| panic!("{mail}"));
    line.trim().to_owned()
}
