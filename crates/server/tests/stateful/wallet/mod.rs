//! The embedded wallet: login, wallet, sessions (decision 19).

mod add_email;
mod arrival;
mod attack;
mod farcaster;
mod frozen;
mod jwt;
mod killed;
mod limits;
mod login;
mod logins;
mod mail;
mod passkey;
mod passkey_export;
mod passkey_new;
mod password;
mod rotate;
mod rotate_killed;
mod session;
mod settings;
mod social;
mod taken_over;
mod web;

use crate::support::device::Device;
use crate::support::wallet::Safe;
use axum::http::StatusCode;
use serde_json::json;

impl Safe {
    /// Begins a confirmation by mail, and decides it on the page of the link. Its transaction.
    pub async fn decide(&self, device: &Device, deed: &str, approve: bool) -> String {
        let asked = json!({"deed": deed, "language": "en", "mail": true});
        let (status, started) = device.ask(self, "/wallet/v1/confirm", &asked).await;
        assert_eq!(status, StatusCode::OK, "{started}");
        let text = self.mails().await[0]["text"].as_str().unwrap().to_owned();
        let token = text.split_once("/confirm?t=").unwrap().1.lines().next().unwrap().to_owned();
        let decision = json!({"token": token, "approve": approve}).to_string();
        let (status, decided) = self.send("/confirmation/decide", &[], &decision).await;
        assert_eq!((status, &decided["number"]), (StatusCode::OK, &started["number"]));
        started["transaction"].as_str().unwrap().to_owned()
    }

    /// Confirms a change of what opens the wallet.
    pub async fn confirm(&self, device: &Device) {
        self.decide(device, "change", true).await;
    }
}
