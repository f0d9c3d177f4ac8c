//! HTTP client for addresses that a visitor or a chain chose: pictures, avatars, gateways of names.
//!
//! It connects only to the public internet. Names are resolved here, and the connection uses exactly the addresses that were
//! checked, so a second DNS lookup cannot lead elsewhere. Redirects are followed here, at most two, each checked like
//! the first address.

mod address;
mod lookup;

use crate::visitors::{self, Turns};
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use futures_util::FutureExt;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, Url};
use std::cell::Cell;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::Semaphore;

pub use address::{Allowed, Range};
use lookup::Machine;

/// Maximum number of concurrent requests, and of those for one visitor; more wait, within their own timeout.
const AT_ONCE: usize = 64;
const VISITOR_AT_ONCE: usize = 8;

const REDIRECTS: usize = 2;

/// Requests to gateways carry their data in the URL.
const LONGEST_URL: usize = 16 * 1024;

const CONNECT_LIMIT: Duration = Duration::from_secs(3);
const IDLE_LIMIT: Duration = Duration::from_secs(10);

/// Cheap to clone: all clones share one client.
#[derive(Clone)]
pub struct Egress {
    inner: Arc<Inner>,
}

struct Inner {
    allowed: Arc<[Allowed]>,
    names: Arc<dyn Resolve>,
    /// Created at first use: reading the system's certificates is the slowest part of the start.
    client: OnceLock<Option<Client>>,
    turns: Semaphore,
    visitors: Turns,
}

/// HTTP method and body of a request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Ask {
    /// `GET`
    Get,
    /// `HEAD`
    Head,
    /// `POST` of a JSON text.
    Post(Bytes),
}

/// Size and time limits of one response.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// Maximum size of the body, checked while it is read.
    pub bytes: usize,
    /// Maximum time from the call to the last byte, including redirects and waiting for a free slot.
    pub time: Duration,
}

/// Response with any status.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Never a redirect that has a `Location`.
    pub status: StatusCode,
    /// Headers of the last server, after redirects.
    pub headers: HeaderMap,
    /// At most [`Limits::bytes`]; as received, never decompressed.
    pub body: Bytes,
}

impl Fetched {
    /// Media type in lower case, without parameters; empty without a `Content-Type`.
    pub fn media_type(&self) -> String {
        let told = self.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        told.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// Value of `Content-Length`; may be wrong.
    pub fn declared_length(&self) -> Option<u64> {
        self.headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
    }
}

/// Reason for a missing response. The text is for the client: it contains no address that was looked up.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum Refused {
    /// Not a URL, or one without a host.
    #[error("Use a URL as address")]
    NotUrl,
    /// Longer than 16 KiB.
    #[error("Use an address of at most 16384 letters")]
    LongUrl,
    /// Any scheme but http and https, such as file, ftp or gopher.
    #[error("Use an http or https address")]
    Scheme,
    /// `user:password@`
    #[error("Use an address without a user or password")]
    Credentials,
    /// The host is, or resolves to, an address of this range.
    #[error("Use an address on the public internet")]
    NotPublic(Range),
    /// More than two redirects.
    #[error("The address redirects more than twice")]
    Redirects,
    /// The name cannot be resolved, or the connection is refused.
    #[error("Couldn't reach the address")]
    Unreachable,
    /// The connection broke, or the response is not HTTP.
    #[error("The connection broke. Try again.")]
    Broken,
    /// The body is compressed, which was not requested and may be a decompression bomb.
    #[error("Couldn't read the compressed answer")]
    Encoded,
    /// Body longer than [`Limits::bytes`].
    #[error("The answer is longer than {0} bytes")]
    TooLong(usize),
    /// Response slower than [`Limits::time`].
    #[error("The address isn't responding. Try again.")]
    Late,
    /// The request waited for the same visitor's other requests, so nothing is known about the address.
    #[error("Too many addresses are being fetched for you. Try again in a few seconds.")]
    Busy,
    /// The request waited for the requests of all visitors, so nothing is known about the address.
    #[error("The server is fetching too many addresses. Try again in a few seconds.")]
    Full,
}

impl Refused {
    /// Whether a retry a little later may succeed.
    pub fn may_pass(self) -> bool {
        matches!(self, Refused::Unreachable | Refused::Broken | Refused::Late) || self.is_ours()
    }

    /// Whether the cause lies here, not at the address: the result says nothing to other visitors, and is never cached.
    pub fn is_ours(self) -> bool {
        matches!(self, Refused::Busy | Refused::Full)
    }
}

impl Egress {
    /// Client for the public internet and the allowed addresses.
    pub fn new(allowed: Vec<Allowed>) -> Egress {
        Egress::resolving(allowed, Arc::new(Machine::new()))
    }

    /// Like [`Egress::new`], with another DNS resolver than the system's. Its answers are checked too.
    pub fn resolving(allowed: Vec<Allowed>, names: Arc<dyn Resolve>) -> Egress {
        let (turns, visitors) = (Semaphore::new(AT_ONCE), Turns::new(VISITOR_AT_ONCE));
        Egress { inner: Arc::new(Inner { allowed: allowed.into(), names, client: OnceLock::new(), turns, visitors }) }
    }

    /// Sends a request to an address that a visitor or a chain chose.
    pub async fn fetch(&self, url: &str, ask: Ask, limits: Limits) -> Result<Fetched, Refused> {
        let answer = WAITED.scope(Cell::new(None), async {
            let answer = tokio::time::timeout(limits.time, self.follow(url, ask, limits.bytes)).await;
            match answer.unwrap_or(Err(Refused::Late)) {
                // The address had a part of the time only.
                Err(late @ (Refused::Late | Refused::Unreachable)) => Err(WAITED.with(Cell::get).unwrap_or(late)),
                answer => answer,
            }
        });
        let answer = answer.await;
        if let Err(refused) = &answer {
            // Without path and query: they may reveal whose picture it is.
            let host = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
            tracing::debug!(host, ?refused, "not fetched");
        }
        answer
    }

    async fn follow(&self, url: &str, mut ask: Ask, most: usize) -> Result<Fetched, Refused> {
        let _turn_of_visitor = place(Refused::Busy, self.inner.visitors.of(visitors::current())).await;
        // The semaphore is never closed.
        let _turn = place(Refused::Full, self.inner.turns.acquire()).await.map_err(|_| Refused::Full)?;
        let mut url = self.checked(url, None)?;
        for _ in 0..=REDIRECTS {
            let response = self.send(&url, &ask).await?;
            let Some(to) = redirect(&response) else { return read(response, &ask, most).await };
            // RFC 9110: only 307 and 308 keep method and body.
            let kept = matches!(response.status(), StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
            if !kept && matches!(ask, Ask::Post(_)) {
                ask = Ask::Get;
            }
            url = self.checked(&to, Some(&url))?;
        }
        Err(Refused::Redirects)
    }

    /// Parses and checks a URL as far as possible before DNS.
    fn checked(&self, text: &str, from: Option<&Url>) -> Result<Url, Refused> {
        if text.len() > LONGEST_URL {
            return Err(Refused::LongUrl);
        }
        let url = Url::options().base_url(from).parse(text).map_err(|_| Refused::NotUrl)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refused::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refused::Credentials);
        }
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(Refused::NotUrl)?;
        if let Ok(address) = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            address::check(address, port(&url), &self.inner.allowed).map_err(Refused::NotPublic)?;
        }
        Ok(url)
    }

    async fn send(&self, url: &Url, ask: &Ask) -> Result<reqwest::Response, Refused> {
        let client = self.client().ok_or(Refused::Unreachable)?;
        let request = match ask {
            Ask::Get => client.get(url.clone()),
            Ask::Head => client.head(url.clone()),
            Ask::Post(json) => {
                client.post(url.clone()).header(header::CONTENT_TYPE, "application/json").body(json.clone())
            }
        };
        let request = request.header(header::ACCEPT_ENCODING, "identity");
        PORT.scope(port(url), request.send()).await.map_err(|error| why(&error))
    }

    fn client(&self) -> Option<&Client> {
        let client = self.inner.client.get_or_init(|| {
            // Fails only if a provider is already installed, which works as well.
            let _ = rustls::crypto::ring::default_provider().install_default();
            let builder = || {
                Client::builder()
                    .user_agent(concat!("portico/", env!("CARGO_PKG_VERSION")))
                    .connect_timeout(CONNECT_LIMIT)
                    .pool_idle_timeout(IDLE_LIMIT)
                    .redirect(reqwest::redirect::Policy::none())
                    .referer(false)
                    .no_proxy()
                    .dns_resolver(Checked { allowed: self.inner.allowed.clone(), names: self.inner.names.clone() })
            };
            let client = builder().build().or_else(|error| {
                tracing::warn!(%error, "couldn't read this machine's trusted certificates, so https addresses can't be fetched. Install the package `ca-certificates`.");
                builder().tls_certs_only([]).build()
            });
            client.ok()
        });
        client.as_ref()
    }
}

tokio::task_local! {
    /// Port of the connection being made: the resolver does not receive it. Connections made in the background do not set it;
    /// for them, addresses that are allowed at one port only are not allowed.
    static PORT: u16;
}

tokio::task_local! {
    /// Refusal for a request that had to wait for a place, should its address then appear late or unreachable.
    static WAITED: Cell<Option<Refused>>;
}

/// Waits for a place, and notes what the request waits for if the place is not free at once.
async fn place<T>(waits_for: Refused, place: impl Future<Output = T>) -> T {
    let mut place = pin!(place);
    if let Some(free) = place.as_mut().now_or_never() {
        return free;
    }
    // A connection made in the background belongs to no request.
    let _ = WAITED.try_with(|waited| waited.set(Some(waits_for)));
    place.await
}

/// Resolver that checks all addresses of a name and fails if one of them is not allowed.
struct Checked {
    allowed: Arc<[Allowed]>,
    names: Arc<dyn Resolve>,
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let allowed = self.allowed.clone();
        let port = PORT.try_with(|port| *port).unwrap_or(0);
        let found = self.names.resolve(name);
        Box::pin(async move {
            let addresses: Vec<SocketAddr> = found.await?.collect();
            for address in &addresses {
                address::check(address.ip(), port, &allowed).map_err(Refused::NotPublic)?;
            }
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

fn port(url: &Url) -> u16 {
    url.port_or_known_default().unwrap_or(0)
}

/// Target of a redirect, if the response is one.
fn redirect(response: &reqwest::Response) -> Option<String> {
    let leads = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let to = response.headers().get(header::LOCATION).filter(|_| leads)?;
    Some(String::from_utf8_lossy(to.as_bytes()).into_owned())
}

async fn read(mut response: reqwest::Response, ask: &Ask, most: usize) -> Result<Fetched, Refused> {
    let encoded = response.headers().get(header::CONTENT_ENCODING);
    if encoded.is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(Refused::Encoded);
    }
    let mut body = Vec::new();
    if *ask != Ask::Head {
        while let Some(chunk) = response.chunk().await.map_err(|_| Refused::Broken)? {
            if body.len() + chunk.len() > most {
                return Err(Refused::TooLong(most));
            }
            body.extend_from_slice(&chunk);
        }
    }
    Ok(Fetched { status: response.status(), headers: std::mem::take(response.headers_mut()), body: body.into() })
}

/// Our own refusal (from the resolver) is among the causes of reqwest's error.
fn why(error: &reqwest::Error) -> Refused {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(found) = cause {
        if let Some(refused) = found.downcast_ref::<Refused>() {
            return *refused;
        }
        cause = found.source();
    }
    if error.is_connect() { Refused::Unreachable } else { Refused::Broken }
}
