//! The operator's mail server, and the connections to it that are kept for the next mails.

use super::connection::Connection;
use lettre::Message;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use percent_encoding::percent_decode_str;
use reqwest::Url;
use std::fmt::{Display, Formatter};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// Time limit of one step of a conversation with the mail server.
pub(super) const STEP: Duration = Duration::from_secs(20);
/// Time after which an unused connection is closed.
pub(super) const IDLE: Duration = Duration::from_secs(60);

pub(super) struct Server {
    pub(super) host: String,
    pub(super) port: u16,
    /// Name of this machine for the server.
    pub(super) hello: ClientId,
    pub(super) tls: Tls,
    pub(super) credentials: Option<Credentials>,
    /// Connections and when they were last used.
    idle: Mutex<Vec<(Connection, Instant)>>,
}

/// Host and port.
impl Display for Server {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}", self.host, self.port)
    }
}

/// TLS by a URL's protocol and `?tls=`, and the port where the URL has none.
fn tls_and_port(url: &Url, host: &str) -> Result<(Tls, u16), String> {
    let parameters = || TlsParameters::new(host.to_owned()).map_err(|error| error.to_string());
    let asked = url.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value.into_owned());
    match (url.scheme(), asked.as_deref()) {
        ("smtps", _) => Ok((Tls::Wrapper(parameters()?), 465)),
        (_, Some("required")) => Ok((Tls::Required(parameters()?), 587)),
        (_, Some("opportunistic")) => Ok((Tls::Opportunistic(parameters()?), 587)),
        (_, None) => Ok((Tls::None, 25)),
        (_, Some(other)) => Err(format!("tls={other} is unknown, use tls=required")),
    }
}

/// Name and password of a URL.
fn credentials(url: &Url) -> Result<Option<Credentials>, String> {
    let plain = |text| {
        let text = percent_decode_str(text).decode_utf8();
        text.map(String::from).map_err(|_| "name and password aren't UTF-8".to_owned())
    };
    let Some(password) = url.password() else { return Ok(None) };
    Ok(Some(Credentials::new(plain(url.username())?, plain(password)?)))
}

impl Server {
    pub(super) fn new(url: &Url) -> Result<Server, String> {
        let host = url.host_str().unwrap_or_default().to_owned();
        let (tls, usual) = tls_and_port(url, &host)?;
        let hello = match url.path().trim_matches('/') {
            "" => ClientId::default(),
            name => ClientId::Domain(name.to_owned()),
        };
        let (port, credentials) = (url.port().unwrap_or(usual), credentials(url)?);
        Ok(Server { host, port, hello, tls, credentials, idle: Mutex::default() })
    }

    /// Whether the server answers, and then whether it offers DSN.
    pub(super) async fn check(&self) -> Result<Option<bool>, Error> {
        let mut connection = Connection::open(self).await?;
        let found = connection.is_alive().await.then(|| connection.offers_dsn());
        connection.close().await;
        Ok(found)
    }

    /// Sends a mail, with this id of its envelope.
    pub(super) async fn send(&self, mail: &Message, id: Option<&str>) -> Result<(), Error> {
        let mut connection = self.connection().await?;
        connection.send(mail, id).await?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push((connection, Instant::now()));
        Ok(())
    }

    async fn connection(&self) -> Result<Connection, Error> {
        let last = || self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        while let Some((mut connection, _)) = last() {
            if connection.is_alive().await {
                return Ok(connection);
            }
            connection.close().await;
        }
        Connection::open(self).await
    }

    /// Closes the connections that weren't used for a minute.
    pub(super) fn close_idle(&self) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        for (mut connection, _) in idle.extract_if(.., |(_, used)| used.elapsed() > IDLE) {
            tokio::spawn(async move {
                // An error is a server that doesn't say goodbye.
                let _ = timeout(STEP, connection.close()).await;
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    use tokio::net::{TcpListener, TcpStream};

    /// Listener of a mail server, and its client.
    async fn listening() -> (TcpListener, Server) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        (listener, Server::new(&url.parse().unwrap()).unwrap())
    }

    /// Takes one mail from the next client. The connection stays open as long as the value.
    async fn take(listener: &TcpListener) -> BufReader<TcpStream> {
        let (stream, _) = listener.accept().await.unwrap();
        let mut stream = BufReader::new(stream);
        stream.write_all(b"220 mail\r\n").await.unwrap();
        let (mut line, mut is_text) = (String::new(), false);
        while line != ".\r\n" {
            line.clear();
            assert_ne!(stream.read_line(&mut line).await.unwrap(), 0);
            let answer: &[u8] = match (is_text, line.as_str()) {
                (true, ".\r\n") => b"250 taken\r\n",
                (true, _) => b"",
                (false, "DATA\r\n") => b"354 go on\r\n",
                (false, _) => b"250 mail\r\n",
            };
            is_text |= line == "DATA\r\n";
            stream.write_all(answer).await.unwrap();
        }
        stream
    }

    fn mail() -> Message {
        let [from, to] = ["a@example.org", "b@example.org"].map(|address| address.parse().unwrap());
        Message::builder().from(from).to(to).body("Hello".to_owned()).unwrap()
    }

    #[tokio::test]
    async fn a_connection_that_the_mail_server_closed_is_replaced() {
        let (listener, server) = listening().await;
        for _ in 0..2 {
            let mail = mail();
            // An error of the client ends the test, which would wait for its connection forever.
            let taken = async { Ok(take(&listener).await) };
            let ((), connection) = tokio::try_join!(server.send(&mail, None), taken).unwrap();
            drop(connection);
        }
    }

    #[tokio::test]
    async fn a_connection_is_closed_after_a_minute_without_mails() {
        let (listener, server) = listening().await;
        let mail = mail();
        let (sent, mut connection) = tokio::join!(server.send(&mail, None), take(&listener));
        sent.unwrap();
        tokio::time::pause();
        let kept = || server.idle.lock().unwrap().len();
        tokio::time::advance(IDLE - Duration::from_secs(1)).await;
        server.close_idle();
        assert_eq!(kept(), 1);
        tokio::time::advance(Duration::from_secs(2)).await;
        server.close_idle();
        assert_eq!(kept(), 0);
        let mut line = String::new();
        connection.read_line(&mut line).await.unwrap();
        assert_eq!(line, "QUIT\r\n");
    }
}
