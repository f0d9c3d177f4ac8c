//! Farcaster as a further login: the address for the visitor's app, and the wait for its signature.

use super::{Page, Step};
use crate::effect::Failure;
use crate::farcaster::{LONGEST_URL, PATIENCE};
use crate::frame::Frame;
use crate::login::LONGEST_TRANSACTION;
use crate::message::{object, text_of};
use portico_api::wallet::Empty;
use portico_json::Value;
use portico_qr::QrCode;

/// Word of this login.
pub(super) const FARCASTER: &str = "farcaster";

/// Wait for the visitor's app.
#[derive(Debug)]
pub(super) struct Channel {
    /// Id of the login at the server.
    transaction: String,
    pub(super) url: String,
    pub(super) code: Option<QrCode>,
    /// Time at which the wait is given up.
    until: u64,
}

impl Frame {
    pub(super) fn open_channel(&mut self) {
        self.step_ask("login/link/farcaster", &Empty {}, Step::ChannelOpened);
    }

    pub(super) fn channel_opened(&mut self, value: &Value) {
        let transaction = text_of(value, "transaction", LONGEST_TRANSACTION);
        let url = text_of(value, "url", LONGEST_URL).ok().filter(|url| url.starts_with("https://"));
        let (Ok(transaction), Some(url)) = (transaction, url) else {
            return self.settings_failed(&Step::ChannelOpened, Failure::broken());
        };
        let drawn = value.get("code");
        let code = drawn.get("path").as_str().map(|path| QrCode {
            size: drawn.get("size").as_u64().and_then(|size| size.try_into().ok()).unwrap_or_default(),
            path: path.into(),
        });
        let until = self.now + PATIENCE;
        if let Some(settings) = &mut self.settings {
            settings.turn(Page::Farcaster);
            settings.channel = Some(Channel { transaction: transaction.into(), url: url.into(), code, until });
            self.wait_for_app();
        }
    }

    fn wait_for_app(&mut self) {
        let channel = self.settings.as_ref().and_then(|settings| settings.channel.as_ref());
        if let Some(transaction) = channel.map(|channel| channel.transaction.clone()) {
            let body = object(&[("transaction", transaction.into())]);
            self.step_ask("login/link/farcaster/finish", &body, Step::ChannelWaited);
        }
    }

    pub(super) fn channel_waited(&mut self, value: &Value) {
        let now = self.now;
        let Some(settings) = &mut self.settings else { return };
        let over = settings.channel.as_ref().is_none_or(|channel| channel.until <= now);
        match value.get("added").as_bool() {
            Some(true) => self.act_done(),
            Some(false) if !over => self.wait_for_app(),
            _ => {
                settings.turn(Page::Explain);
                settings.fault = Some("This login has ended. Start again.".into());
            }
        }
    }
}
