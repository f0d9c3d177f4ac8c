//! Sends mails to the operator's mail server.

use super::queue::Queued;
use super::server::{IDLE, Server};
use super::{Letter, MailError, Written};
use crate::config::SmtpUrl;
use crate::outbound::ConnectFault;
use crate::project::random_hex;
use crate::vault::metrics::{FAILED, MAILS, SENT};
use crate::visitors::Turns;
use lettre::Message;
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::Error;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{interval, sleep, timeout};

/// Mails that are sent at once: half of the connections that Postfix allows one client by default. Each takes 40 ms or more, because the
/// end of a mail is a packet of its own that waits for the acknowledgement of the one before.
const AT_ONCE: usize = 24;
/// Mails of one visitor that are sent at once: a mail server that is slow about the addresses of one delays no other visitor's mails.
const AT_ONCE_OF_VISITOR: usize = 3;
/// Time limit of a whole conversation. The transport has none for the greeting of a server that says nothing.
const WHOLE: Duration = Duration::from_secs(60);
/// Time limit of the check: an operator waits for it.
const CHECK: Duration = Duration::from_secs(15);
/// Pauses before a mail is tried again; a code is worthless after ten minutes.
const AGAIN: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(30)];

/// Connection to the mail server.
pub(super) struct Smtp {
    server: Server,
    from: Mailbox,
    turns: Turns,
    places: Semaphore,
}

/// Setting of the mail server, or of a file with it.
const SETTING: &str = "`wallet.mail.smtp` or its `wallet.mail.smtp_file`";

fn unusable(cause: &dyn std::fmt::Display) -> String {
    format!("Couldn't use the mail server in {SETTING}: {cause}")
}

/// Whether the server refuses name and password (RFC 4954, section 6), or takes no mail without them.
fn is_unknown_account(error: &Error) -> bool {
    error.status().is_some_and(|status| ["530", "534", "535"].contains(&status.to_string().as_str()))
}

/// Text of an error and of all its causes.
fn error_text(error: &(dyn std::error::Error + 'static)) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {}", error_text(cause)))
}

/// Sentence about a server that can be reached and doesn't take mails, in one line, whatever the server says.
fn spoken(server: &str, error: &Error) -> String {
    let text = error_text(error);
    if text.contains("STARTTLS is not supported") {
        format!("{server} offers no STARTTLS. Use smtps:// with its port (465), or another mail server, in {SETTING}.")
    } else if text.contains("No compatible authentication mechanism") {
        format!(
            "{server} takes no name and password, by PLAIN or LOGIN at least. Remove them, or use its port for logins (587 or 465), in {SETTING}."
        )
    } else if let Some(status) = error.status() {
        let next = match error.is_permanent() {
            true => "Ask its operator to accept this machine, or use another mail server",
            false => "Try again later, or use another mail server",
        };
        let told = error.to_string();
        let words = told.split_once("): ").map(|(_, words)| format!(": {}", in_one_line(words))).unwrap_or_default();
        format!("{server} refuses with {status}{}. {next}, in {SETTING}.", words.trim_end_matches('.'))
    } else if error.is_response() {
        format!("{server} doesn't answer as a mail server does. Check host and port in {SETTING}.")
    } else {
        format!("The connection to {server} broke. Check host and port in {SETTING}, and the log of that server.")
    }
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Smtp {
    pub(super) fn new(url: &SmtpUrl, from: Mailbox) -> Result<Smtp, MailError> {
        let provider = rustls::crypto::ring::default_provider();
        // Fails only if a provider is already installed, which works as well.
        let _ = provider.install_default();
        let server = Server::new(&url.0).map_err(|cause| MailError(unusable(&cause)))?;
        let (turns, places) = (Turns::new(AT_ONCE_OF_VISITOR), Semaphore::new(AT_ONCE));
        Ok(Smtp { server, from, turns, places })
    }

    /// Whether the mail server, which has to answer, offers DSN.
    pub(super) async fn check(&self) -> Result<bool, MailError> {
        match timeout(CHECK, self.server.check()).await {
            Ok(Ok(Some(dsn))) => Ok(dsn),
            Ok(Ok(None)) => Err(MailError(unusable(&"it isn't responding"))),
            Ok(Err(error)) => Err(MailError(self.sentence(&error))),
            Err(_) => Err(MailError(self.silence())),
        }
    }

    /// Sentence for the operator about a mail server that couldn't be used, with what to do. It may quote the server, whose answers can name a
    /// visitor's address.
    fn sentence(&self, error: &Error) -> String {
        let (server, host) = (self.server.to_string(), &self.server.host);
        match ConnectFault::of(error) {
            ConnectFault::Refused => format!("{server} refuses connections. Check host and port in {SETTING}."),
            ConnectFault::UnknownName => {
                format!("The name {host} can't be found. Check it in {SETTING}, and this machine's DNS.")
            }
            ConnectFault::NoTls => format!(
                "{server} doesn't begin with TLS. Use smtp://…?tls=required, or the port of smtps (465), in {SETTING}."
            ),
            ConnectFault::OtherName => {
                format!("The certificate of {server} isn't for the name {host}. Use a name that is in it in {SETTING}.")
            }
            ConnectFault::Other if is_unknown_account(error) => {
                format!("{server} refuses name and password. Check them in {SETTING}.")
            }
            ConnectFault::Other => spoken(&server, error),
            fault => {
                let words = fault.to_string();
                let words = words.strip_prefix("its certificate").unwrap_or(&words);
                format!("The certificate of {server}{words}. {}", fault.next(SETTING))
            }
        }
    }

    fn silence(&self) -> String {
        format!(
            "{} connects, but says nothing. Ports 587 and 25 take smtp://…?tls=required, port 465 takes smtps://. Check {SETTING}.",
            self.server
        )
    }

    /// Sends what comes until the vault ends.
    pub(super) async fn run(self, mut queue: mpsc::Receiver<Queued>) {
        let smtp = Arc::new(self);
        let mut clock = interval(IDLE);
        loop {
            let next = tokio::select! {
                next = queue.recv() => next,
                _ = clock.tick() => {
                    smtp.server.close_idle();
                    continue;
                }
            };
            let Some(queued) = next else { return };
            let smtp = smtp.clone();
            tokio::spawn(async move {
                let sent = smtp.send(&queued.letter, &queued.told).await;
                // An error is a mail that nobody waits for.
                let _ = queued.told.send(sent);
            });
        }
    }

    /// Sends one mail; false if the server doesn't get it. The log has neither the address nor what the mail says.
    async fn send(&self, letter: &Letter, told: &oneshot::Sender<bool>) -> bool {
        // The id is of the mail and of its envelope: bounces have it too. Without randomness the mail has none.
        let id = random_hex::<16>().ok();
        let mail = match self.mail(letter, id.as_deref()) {
            Ok(mail) => mail,
            Err(error) => {
                tracing::error!(%error, "couldn't write an email");
                return false;
            }
        };
        let mut tries = 0;
        for pause in AGAIN.into_iter().map(Some).chain([None]) {
            let Err(error) = self.try_once(&mail, id.as_deref(), letter.visitor).await else {
                metrics::counter!(MAILS, "outcome" => SENT).increment(1);
                return true;
            };
            tries += 1;
            let is_final = error.as_ref().is_some_and(|error| error.is_permanent());
            let is_away = error.as_ref().is_none_or(|error| error.status().is_none());
            // Somebody who waits for the mail asks for another one sooner than the last pause ends.
            let is_final = is_final || is_away && tries > 1 && !told.is_closed();
            if let Some(pause) = pause.filter(|_| !is_final) {
                sleep(pause).await;
                continue;
            }
            metrics::counter!(MAILS, "outcome" => FAILED).increment(1);
            match error.as_ref().map(|error| (error, error.status())) {
                Some((error, Some(_))) if is_unknown_account(error) => {
                    tracing::error!(cause = self.sentence(error), "couldn't send an email")
                }
                // The words of an answer may have the address in them.
                Some((_, Some(status))) => {
                    tracing::error!(status = %status, "couldn't send an email. See the log of the mail server.")
                }
                Some((error, None)) => tracing::error!(cause = self.sentence(error), "couldn't send an email"),
                None => tracing::error!(cause = self.silence(), "couldn't send an email"),
            }
            return false;
        }
        false
    }

    /// One try, as soon as its visitor has a turn and there is a place. Both are free while a mail waits for its next try. `Err(None)` if the
    /// mail server takes too long.
    async fn try_once(&self, mail: &Message, id: Option<&str>, visitor: Option<IpAddr>) -> Result<(), Option<Error>> {
        let _turn = self.turns.of(visitor).await;
        // An error is a closed semaphore, and nothing closes it.
        let _place = self.places.acquire().await;
        timeout(WHOLE, self.server.send(mail, id)).await.map_or(Err(None), |sent| sent.map_err(Some))
    }

    fn mail(&self, letter: &Letter, id: Option<&str>) -> Result<Message, lettre::error::Error> {
        let Written { subject, text, html } = letter.written();
        let to = letter.to.as_str().parse().map(|address| Mailbox::new(None, address));
        let to = to.map_err(|_| lettre::error::Error::MissingTo)?;
        let body = MultiPart::alternative_plain_html(text, html);
        let from = self.from.clone();
        // Mail servers take mails without an id (RFC 5322, section 3.6.4) for spam.
        let id = id.map(|id| format!("<{id}@{}>", from.email.domain()));
        Message::builder().from(from).to(to).subject(subject).message_id(id).multipart(body)
    }
}

#[cfg(test)]
mod tests {
    use super::super::queue::Queue;
    use super::super::{Address, Matter, Notice};
    use super::*;
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    use tokio::net::TcpStream;

    /// Client of a mail server at a free port, by this protocol, and the server's listener.
    async fn of_scheme(scheme: &str) -> (Smtp, tokio::net::TcpListener) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = SmtpUrl(format!("{scheme}://{}", listener.local_addr().unwrap()).parse().unwrap());
        (Smtp::new(&url, "a@example.org".parse().unwrap()).unwrap(), listener)
    }

    #[tokio::test]
    async fn a_server_that_says_nothing_ends_the_check() {
        let (smtp, listener) = of_scheme("smtp").await;
        let told = tokio::spawn(async move { smtp.check().await.unwrap_err().to_string() });
        // The connection is real, and only the wait is not.
        let _connection = listener.accept().await.unwrap();
        tokio::time::pause();
        assert!(told.await.unwrap().contains(" connects, but says nothing. "));
    }

    #[tokio::test]
    async fn a_server_without_tls_is_told() {
        let (smtp, listener) = of_scheme("smtps").await;
        let told = tokio::spawn(async move { smtp.check().await.unwrap_err().to_string() });
        let (mut connection, _) = listener.accept().await.unwrap();
        tokio::io::AsyncWriteExt::write_all(&mut connection, b"220 mail.example.org ESMTP\r\n").await.unwrap();
        assert!(told.await.unwrap().contains("doesn't begin with TLS. Use smtp://"));
    }

    /// Sentence of the check about a server that sends these texts, each after a line of the client except the first.
    async fn told_of(texts: &'static [&'static str], login: &str, query: &str) -> (String, String) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = listener.local_addr().unwrap().to_string();
        let url = SmtpUrl(format!("smtp://{login}{server}{query}").parse().unwrap());
        let smtp = Smtp::new(&url, "a@example.org".parse().unwrap()).unwrap();
        let served = async {
            let (connection, _) = listener.accept().await.unwrap();
            let mut lines = BufReader::new(connection);
            for text in texts {
                // An error is a client that left.
                let _ = lines.write_all(text.as_bytes()).await;
                let _ = lines.read_line(&mut String::new()).await;
            }
        };
        let (told, ()) = tokio::join!(smtp.check(), served);
        (told.unwrap_err().to_string(), server)
    }

    #[tokio::test]
    async fn a_server_that_takes_no_mails_has_a_sentence_of_its_own_and_a_next_step() {
        let plain: &[&str] = &["220 mail ESMTP\r\n", "250 mail\r\n", "221 bye\r\n"];
        let (told, server) = told_of(plain, "", "?tls=required").await;
        let next = "Use smtps:// with its port (465), or another mail server";
        assert_eq!(told, format!("{server} offers no STARTTLS. {next}, in {SETTING}."));
        let (told, server) = told_of(plain, "ada:secret@", "").await;
        let next = "Remove them, or use its port for logins (587 or 465)";
        let cause = "takes no name and password, by PLAIN or LOGIN at least";
        assert_eq!(told, format!("{server} {cause}. {next}, in {SETTING}."));
        let (told, server) = told_of(&["HTTP/1.1 400 Bad\r\n\r\n"], "", "").await;
        assert_eq!(told, format!("{server} doesn't answer as a mail server does. Check host and port in {SETTING}."));
        let (told, server) = told_of(&["554-go\r\n554 away.\r\n"], "", "").await;
        let next = "Ask its operator to accept this machine, or use another mail server";
        assert_eq!(told, format!("{server} refuses with 554: go away. {next}, in {SETTING}."));
        let (told, server) = told_of(&["421 busy\r\n"], "", "").await;
        let next = "Try again later, or use another mail server";
        assert_eq!(told, format!("{server} refuses with 421: busy. {next}, in {SETTING}."));
    }

    #[tokio::test]
    async fn a_host_name_that_is_not_found_is_told() {
        // The part is longer than DNS allows, so no name server is asked.
        let host = format!("{}.invalid", "x".repeat(64));
        let url = SmtpUrl(format!("smtps://ada:secret@{host}").parse().unwrap());
        let told = Smtp::new(&url, "a@example.org".parse().unwrap()).unwrap().check().await.unwrap_err().to_string();
        let expected = format!("The name {host} can't be found. Check it in {SETTING}, and this machine's DNS.");
        assert_eq!(told, expected);
    }

    #[tokio::test]
    async fn somebody_who_waits_is_told_of_an_absent_server_after_its_second_try_and_other_mails_have_a_third() {
        let (smtp, listener) = of_scheme("smtp").await;
        drop(listener);
        let to = Address::parse("ada@example.org").unwrap();
        let letter =
            Letter { to, language: "en".into(), matter: Matter::Notice(Notice::PasswordSet), at: 0, visitor: None };
        let (told, waits) = oneshot::channel();
        let mut took = Vec::new();
        tokio::time::pause();
        for waits in [Some(waits), None] {
            let begun = tokio::time::Instant::now();
            assert!(!smtp.send(&letter, &told).await);
            took.push(begun.elapsed());
            drop(waits);
        }
        let [first, last] = AGAIN;
        assert!(took[0] < first + last && took[1] >= first + last, "{took:?}");
    }

    /// Speaks as a mail server that answers the recipients flood…@ with this text, and tells of each; without a text it says nothing to them.
    async fn converse(
        stream: TcpStream,
        answer: Option<&'static str>,
        asked: mpsc::UnboundedSender<String>,
    ) -> std::io::Result<()> {
        let mut lines = BufReader::new(stream);
        lines.write_all(b"220 mail\r\n").await?;
        loop {
            let mut line = String::new();
            if lines.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            let said = match (line.split([' ', ':']).next().unwrap_or_default().trim_end(), answer) {
                ("RCPT", answer) if line.contains("<flood") => {
                    let _ = asked.send(line);
                    let Some(answer) = answer else { return std::future::pending().await };
                    answer
                }
                ("DATA", _) => {
                    lines.write_all(b"354 go on\r\n").await?;
                    while line != ".\r\n" {
                        line.clear();
                        lines.read_line(&mut line).await?;
                    }
                    "250 ok\r\n"
                }
                _ => "250 ok\r\n",
            };
            lines.write_all(said.as_bytes()).await?;
        }
    }

    /// Sends 64 mails of one visitor, which the server answers with this text, and then one of a neighbour as soon as this many recipients of
    /// the others were asked for. Panics if one of the others ends before that of the neighbour arrived.
    async fn neighbour_of_a_flood(answer: Option<&'static str>, seen: usize) {
        let (smtp, listener) = of_scheme("smtp").await;
        let (asked, mut recipients) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, answer, asked.clone()));
            }
        });
        let (queue, queued) = Queue::new();
        tokio::spawn(smtp.run(queued));
        let put = |to: String, visitor: [u8; 4]| {
            let (to, visitor) = (Address::parse(&to).unwrap(), Some(IpAddr::from(visitor)));
            let (told, sent) = oneshot::channel();
            let matter = Matter::Code { code: "123456".to_owned().into(), host: String::new() };
            queue.put(Letter { to, language: "en".into(), matter, at: 0, visitor }, told).unwrap();
            sent
        };
        let others = (0..64).map(|number| put(format!("flood{number}@example.org"), [192, 0, 2, 1]));
        let others = futures_util::future::select_all(others.collect::<Vec<_>>());
        let neighbour = async {
            let mut all = std::collections::HashSet::new();
            while all.len() < seen {
                all.insert(recipients.recv().await.unwrap());
            }
            put("ada@example.org".into(), [192, 0, 2, 2]).await
        };
        tokio::select! {
            sent = neighbour => assert_eq!(sent, Ok(true)),
            _ = others => panic!("the mail of the neighbour waits for those of the other visitor"),
        }
    }

    #[tokio::test]
    async fn mails_that_are_put_off_hold_no_place_until_their_next_try() {
        neighbour_of_a_flood(Some("451 later\r\n"), 64).await;
    }

    #[tokio::test]
    async fn a_server_that_is_slow_about_the_addresses_of_one_visitor_delays_no_mail_of_a_neighbour() {
        neighbour_of_a_flood(None, AT_ONCE_OF_VISITOR).await;
    }
}
