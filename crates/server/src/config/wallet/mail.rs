//! `[wallet.mail]`: the way of the wallet's mails.

use super::is_local;
use crate::config::SettingSource;
use crate::config::file::Read;
use crate::config::file::database::{CUT_PASSWORD, is_password_cut};
use lettre::message::Mailbox;
use reqwest::Url;

/// Seconds between two mails to one address (spec 9.11).
pub(super) const PAUSE: u32 = 30;
const LONGEST_PAUSE: usize = 3600;

/// Sentence about a mail server without a sender.
const NO_SENDER: &str =
    "emails need a sender. Set `wallet.mail.from` beside the mail server, such as `Example <wallet@example.org>`.";
/// Sentence about a sender without a mail server.
const NO_SERVER: &str = "`wallet.mail.from` needs a mail server. Set `wallet.mail.smtp` too, such as \
     smtps://name:password@mail.example.org.";
/// Sentence about a mail server beside the outbox.
const BOTH: &str = "with `wallet.mail.outbox` no email is sent, but a mail server is set. Remove \
     `wallet.mail.outbox`, or `wallet.mail.smtp` and `wallet.mail.from`.";
/// Sentence about a sender beside the outbox.
const NOT_SENT: &str = "with `wallet.mail.outbox` no email is sent, but `wallet.mail.from` is set. Remove \
     `wallet.mail.from`, or set `wallet.mail.smtp` in place of `wallet.mail.outbox`.";

/// Way of mails.
#[derive(Clone, Debug)]
pub enum MailWay {
    /// Mails are kept in memory, and shown by a page on the wallet's listener.
    Outbox,
    /// Mails are sent.
    Smtp {
        /// smtp or smtps, with name and password if the server wants them.
        url: SmtpUrl,
        /// Sender.
        from: Box<Mailbox>,
    },
}

/// URL of a mail server; its debug form has no password.
#[derive(Clone)]
pub struct SmtpUrl(pub(crate) Url);

impl std::fmt::Debug for SmtpUrl {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}://{}", self.0.scheme(), self.0.host_str().unwrap_or_default())
    }
}

impl Read<'_> {
    /// A shorter pause than that of the contract is for tests, whose mails stay in the outbox.
    pub(super) fn mail_pause(&mut self, mail: Option<&MailWay>) -> Option<u32> {
        let place = self.place("wallet.mail.pause_seconds");
        let pause = self.number("wallet.mail.pause_seconds", &PAUSE.to_string(), LONGEST_PAUSE, "seconds")?;
        let pause = u32::try_from(pause).unwrap_or(PAUSE);
        if pause >= PAUSE || matches!(mail, None | Some(MailWay::Outbox)) {
            return Some(pause);
        }
        let sentence =
            format!("give at least {PAUSE} as `wallet.mail.pause_seconds`: a shorter pause is for the outbox");
        self.keep(place, Err(sentence))
    }

    /// Logins by e-mail need mails: without a way for them the server does not start.
    /// `origin_at` is the place of the origin.
    pub(super) fn mail(
        &mut self,
        origin: &Option<Option<(String, bool)>>,
        origin_at: SettingSource,
    ) -> Option<MailWay> {
        let found = self.mistakes.len();
        let smtp = self.secret_at("wallet.mail.smtp", "wallet.mail.smtp_file");
        let from = self.text("wallet.mail.from");
        let outbox = self.switch_at("wallet.mail.outbox", false);
        // A file that can't be read is the mistake, not that there is no mail server.
        if self.mistakes.len() > found {
            return None;
        }
        let (outbox, outbox_at) = outbox?;
        let Some(Some((_, local))) = origin else { return None };
        match (smtp, from, outbox) {
            (None, None, true) if *local => Some(MailWay::Outbox),
            (None, None, true) => {
                let sentence = "`wallet.mail.outbox` works only while `wallet.origin` is on localhost. \
                     Set `wallet.mail.smtp` and `wallet.mail.from`.";
                self.keep(outbox_at, Err(sentence.to_owned()))
            }
            (Some((url, at)), Some((from, by)), false) => {
                let url = self.keep(at, mail_server(&url));
                let wrong = |_| format!("use a sender such as `Example <wallet@example.org>`, not `{from}`");
                let from = self.keep(by, from.parse().map_err(wrong));
                Some(MailWay::Smtp { url: SmtpUrl(url?), from: Box::new(from?) })
            }
            (None, None, false) => {
                let sentence = "logins by email need a mail server. Set `wallet.mail.smtp` and `wallet.mail.from`, \
                     or only `wallet.mail.outbox = true` on localhost.";
                self.keep(origin_at, Err(sentence.to_owned()))
            }
            (Some((_, at)), None, false) => self.keep(at, Err(NO_SENDER.to_owned())),
            (None, Some((_, by)), false) => self.keep(by, Err(NO_SERVER.to_owned())),
            (Some(_), _, true) => self.keep(outbox_at, Err(BOTH.to_owned())),
            (None, Some((_, by)), true) => self.keep(by, Err(NOT_SENT.to_owned())),
        }
    }
}

/// Parses the URL of a mail server. Codes leave the machine encrypted only.
fn mail_server(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "smtp" | "smtps") && url.has_host());
    // A password of digits can pass for the port.
    if is_password_cut(text) && ["smtp://", "smtps://"].iter().any(|scheme| text.starts_with(scheme)) {
        return Err(CUT_PASSWORD.to_owned());
    }
    let url = url.ok_or(
        "use a URL such as smtps://name:password@mail.example.org as mail server, \
         or smtp://mail.example.org?tls=required for STARTTLS",
    )?;
    if url.scheme() == "smtp" && url.query() != Some("tls=required") && !is_local(&url) {
        return Err("emails with codes must be sent encrypted. Use smtps://, or add ?tls=required for STARTTLS.".into());
    }
    Ok(url)
}
