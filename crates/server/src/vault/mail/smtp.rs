//! Sends mails to the operator's mail server.

use super::{Letter, MailError, Written};
use crate::config::SmtpUrl;
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::PoolConfig;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::sleep;

/// Mails that are sent at once: half of the connections that Postfix allows one client by default. Each takes 40 ms or more, because the
/// end of a mail is a packet of its own that waits for the acknowledgement of the one before.
const AT_ONCE: u32 = 24;
/// Time limit of one step of a conversation with the mail server.
const STEP: Duration = Duration::from_secs(20);
/// Pauses before a mail is tried again; a code is worthless after ten minutes.
const AGAIN: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(30)];

/// Connection to the mail server.
pub(super) struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Smtp {
    pub(super) fn new(url: &SmtpUrl, from: Mailbox) -> Result<Smtp, MailError> {
        let provider = rustls::crypto::ring::default_provider();
        // Fails only if a provider is already installed, which works as well.
        let _ = provider.install_default();
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.0.as_str());
        let builder = builder.map_err(|error| MailError(error.to_string()))?;
        let pool = PoolConfig::new().max_size(AT_ONCE);
        Ok(Smtp { transport: builder.timeout(Some(STEP)).pool_config(pool).build(), from })
    }

    /// Whether the mail server answers.
    pub(super) async fn check(&self) -> Result<(), MailError> {
        match self.transport.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err(MailError("it isn't responding".into())),
            Err(error) => Err(MailError(error.to_string())),
        }
    }

    /// Sends what comes until the vault ends.
    pub(super) async fn run(self, mut letters: mpsc::Receiver<Letter>) {
        let (smtp, places) = (Arc::new(self), Arc::new(Semaphore::new(AT_ONCE as usize)));
        while let Some(letter) = letters.recv().await {
            let Ok(place) = places.clone().acquire_owned().await else { return };
            let smtp = smtp.clone();
            tokio::spawn(async move {
                smtp.send(&letter).await;
                drop(place);
            });
        }
    }

    /// Sends one mail. The log has neither the address nor what the mail says.
    async fn send(&self, letter: &Letter) {
        let mail = match self.mail(letter) {
            Ok(mail) => mail,
            Err(error) => return tracing::error!(%error, "a mail couldn't be written"),
        };
        for pause in AGAIN.into_iter().map(Some).chain([None]) {
            let Err(error) = self.transport.send(mail.clone()).await else {
                metrics::counter!("portico_vault_mails_total", "outcome" => "sent").increment(1);
                return;
            };
            match pause.filter(|_| !error.is_permanent()) {
                Some(pause) => sleep(pause).await,
                None => {
                    metrics::counter!("portico_vault_mails_total", "outcome" => "failed").increment(1);
                    let status = error.status().map(|status| status.to_string());
                    return tracing::error!(status, "a mail couldn't be sent; see the log of the mail server");
                }
            }
        }
    }

    fn mail(&self, letter: &Letter) -> Result<Message, lettre::error::Error> {
        let Written { subject, text, html } = letter.written();
        let to = letter.to.as_str().parse().map(|address| Mailbox::new(None, address));
        let to = to.map_err(|_| lettre::error::Error::MissingTo)?;
        let body = MultiPart::alternative_plain_html(text, html);
        Message::builder().from(self.from.clone()).to(to).subject(subject).multipart(body)
    }
}
