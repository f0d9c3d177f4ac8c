//! A connection to a mail server. Where the server offers delivery status notifications (RFC 3461), a mail asks that a bounce leaves out
//! its text, which has a code or a link.

use super::server::{STEP, Server};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::DEFAULT_MECHANISMS;
use lettre::transport::smtp::client::{AsyncSmtpConnection, Tls};
use lettre::transport::smtp::commands::{Data, Ehlo, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter, RcptParameter};
use lettre::{Address, Message};

/// Replies to a command whose parameters the server doesn't take (RFC 5321, section 4.2.2).
const PARAMETERS: [&str; 4] = ["455", "501", "504", "555"];

/// Connection after STARTTLS and login.
pub(super) struct Connection {
    smtp: AsyncSmtpConnection,
    dsn: bool,
}

/// Whether the server offers DSN. The transport keeps only the keywords that it uses itself, so the server is asked once more.
async fn offers_dsn(smtp: &mut AsyncSmtpConnection, hello: &ClientId) -> Result<bool, Error> {
    let is_dsn = |line: &str| line.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("DSN"));
    match smtp.command(Ehlo::new(hello.clone())).await {
        // The first line has the server's name.
        Ok(answer) => Ok(answer.message().skip(1).any(is_dsn)),
        // A server has to take a second EHLO (RFC 5321, section 4.1.4), but one that refuses it takes mails.
        Err(error) if error.status().is_some() => Ok(false),
        Err(error) => Err(error),
    }
}

fn of_mail(keyword: &str, value: &str) -> MailParameter {
    MailParameter::Other { keyword: keyword.into(), value: Some(value.into()) }
}

/// Whether the server may take the command without its parameters.
fn is_about_parameters(error: &Error) -> bool {
    error.status().is_some_and(|status| PARAMETERS.contains(&status.to_string().as_str()))
}

impl Connection {
    pub(super) async fn open(server: &Server) -> Result<Connection, Error> {
        let Server { host, port, hello, tls, credentials, .. } = server;
        let implicit = match tls {
            Tls::Wrapper(parameters) => Some(parameters.clone()),
            _ => None,
        };
        let address = (host.as_str(), *port);
        let mut smtp = AsyncSmtpConnection::connect_tokio1(address, Some(STEP), hello, implicit, None).await?;
        match tls {
            Tls::Required(parameters) => smtp.starttls(parameters.clone(), hello).await?,
            Tls::Opportunistic(parameters) if smtp.can_starttls() => smtp.starttls(parameters.clone(), hello).await?,
            _ => {}
        }
        // Before the login, which some servers forget at EHLO.
        let dsn = offers_dsn(&mut smtp, hello).await?;
        if let Some(credentials) = credentials {
            smtp.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(Connection { smtp, dsn })
    }

    pub(super) fn offers_dsn(&self) -> bool {
        self.dsn
    }

    pub(super) async fn is_alive(&mut self) -> bool {
        self.smtp.test_connected().await
    }

    /// Sends a mail, with this id of its envelope in a bounce. After an error the connection is closed.
    pub(super) async fn send(&mut self, mail: &Message, id: Option<&str>) -> Result<(), Error> {
        let text = mail.formatted();
        if let Some(parameters) = self.dsn.then(|| self.parameters(mail, &text, id)).flatten() {
            match self.send_with(mail, &text, parameters).await {
                Ok(()) => return Ok(()),
                Err(error) if is_about_parameters(&error) => self.forget().await?,
                Err(error) => {
                    self.close().await;
                    return Err(error);
                }
            }
            self.smtp.send(mail.envelope(), &text).await?;
            // The refusal was about the parameters, not about sender or recipient.
            self.dsn = false;
            tracing::warn!("the mail server offers DSN, but refuses it. Bounces may contain codes and links.");
            return Ok(());
        }
        self.smtp.send(mail.envelope(), &text).await.map(drop)
    }

    /// Parameters of MAIL for a notification with the mail's headers only, or none if the mail needs an extension that the server lacks.
    fn parameters(&self, mail: &Message, text: &[u8], id: Option<&str>) -> Option<Vec<MailParameter>> {
        let sender = mail.envelope().from().map(AsRef::<str>::as_ref);
        let eight_bit = MailParameter::Body(MailBodyParameter::EightBitMime);
        let mut parameters = vec![of_mail("RET", "HDRS")];
        parameters.extend(id.map(|id| of_mail("ENVID", id)));
        for (needed, extension, parameter) in [
            (sender.is_some_and(|text| !text.is_ascii()), Extension::SmtpUtfEight, MailParameter::SmtpUtfEight),
            (!text.is_ascii(), Extension::EightBitMime, eight_bit),
        ] {
            if needed && !self.smtp.server_info().supports_feature(extension) {
                return None;
            }
            parameters.extend(needed.then_some(parameter));
        }
        Some(parameters)
    }

    async fn send_with(&mut self, mail: &Message, text: &[u8], parameters: Vec<MailParameter>) -> Result<(), Error> {
        let sender: Option<Address> = mail.envelope().from().cloned();
        self.smtp.command(Mail::new(sender, parameters)).await?;
        for recipient in mail.envelope().to() {
            let failure = RcptParameter::Other { keyword: "NOTIFY".into(), value: Some("FAILURE".into()) };
            self.smtp.command(Rcpt::new(recipient.clone(), vec![failure])).await?;
        }
        self.smtp.command(Data).await?;
        self.smtp.message(text).await.map(drop)
    }

    /// Ends the mail that the server began to take.
    async fn forget(&mut self) -> Result<(), Error> {
        let ended = self.smtp.command(Rset).await;
        if ended.is_err() {
            self.close().await;
        }
        ended.map(drop)
    }

    pub(super) async fn close(&mut self) {
        self.smtp.abort().await;
    }
}
