//! The HTTP client for untrusted addresses reaches only public and allowed ones.

use crate::support;
use crate::support::port::free_port;
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use portico_server::egress::{Allowed, Ask, Egress, Fetched, Limits, Range, Refused};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::web::{Web, raw};

const LIMITS: Limits = Limits { bytes: 1000, time: Duration::from_secs(5) };

fn allowing(ports: &[u16]) -> Egress {
    Egress::new(ports.iter().map(|port| Allowed::parse(&format!("127.0.0.1:{port}")).unwrap()).collect())
}

async fn get(egress: &Egress, url: &str) -> Result<Fetched, Refused> {
    egress.fetch(url, Ask::Get, LIMITS).await
}

fn leads_to(to: String) -> impl IntoResponse {
    (StatusCode::FOUND, [("location", to)])
}

#[tokio::test]
async fn an_address_of_this_machine_is_refused_however_it_is_written() {
    let web = Web::start(|_| "secret").await;
    let egress = Egress::new(Vec::new());
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.0.0.1.",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "\u{ff11}27.0.0.1",
        "localhost",
        "LOCALHOST",
    ] {
        let refused = get(&egress, &format!("http://{host}:{}/", web.port)).await.unwrap_err();
        assert_eq!(refused, Refused::NotPublic(Range::Loopback), "{host}");
        assert_eq!(refused.to_string(), "Use an address on the public internet");
    }
    for host in ["0", "0.0.0.0", "[::]"] {
        let refused = get(&egress, &format!("http://{host}:{}/", web.port)).await.unwrap_err();
        assert_eq!(refused, Refused::NotPublic(Range::Unspecified), "{host}");
    }
    let refused = get(&egress, "http://169.254.169.254/latest/meta-data/").await.unwrap_err();
    assert_eq!(refused, Refused::NotPublic(Range::LinkLocal));
}

#[tokio::test]
async fn what_is_no_web_address_is_refused() {
    let egress = Egress::new(Vec::new());
    for (url, refused) in [
        ("", Refused::NotUrl),
        ("/etc/passwd", Refused::NotUrl),
        ("http://", Refused::NotUrl),
        ("http://[::1", Refused::NotUrl),
        ("http://a b/", Refused::NotUrl),
        ("file:///etc/passwd", Refused::Scheme),
        ("ftp://example.org/", Refused::Scheme),
        ("gopher://127.0.0.1:6379/_FLUSHALL", Refused::Scheme),
        ("data:text/plain,a", Refused::Scheme),
        ("javascript:alert(1)", Refused::Scheme),
        ("http://user@example.org/", Refused::Credentials),
        ("https://user:word@example.org/", Refused::Credentials),
        ("https://:word@example.org/", Refused::Credentials),
        (&format!("https://example.org/{}", "a".repeat(16 * 1024)), Refused::LongUrl),
    ] {
        assert_eq!(get(&egress, url).await.unwrap_err(), refused, "{url}");
    }
}

#[tokio::test]
async fn what_is_allowed_is_fetched_at_its_port_alone_by_number_and_by_name() {
    let mut web = Web::start(|_| (StatusCode::NOT_FOUND, [("content-type", "Text/HTML; charset=utf-8")], "body")).await;
    let mut other = Web::start(|_| "secret").await;
    // The name may resolve to IPv4 and IPv6.
    let allowed = [format!("127.0.0.1:{}", web.port), format!("[::1]:{}", web.port)];
    let egress = Egress::new(allowed.iter().map(|text| Allowed::parse(text).unwrap()).collect());
    for host in ["127.0.0.1", "localhost"] {
        let fetched = get(&egress, &format!("http://{host}:{}/a?b#c", web.port)).await.unwrap();
        assert_eq!((fetched.status, &fetched.body[..]), (StatusCode::NOT_FOUND, &b"body"[..]));
        assert_eq!((fetched.media_type().as_str(), fetched.declared_length()), ("text/html", Some(4)));
        let heard = web.heard().unwrap();
        assert_eq!((heard.method, heard.path.as_str()), (Method::GET, "/a?b"));
        assert_eq!(heard.headers["user-agent"], concat!("portico/", env!("CARGO_PKG_VERSION")));
        assert_eq!(heard.headers["accept-encoding"], "identity");
        assert!(!heard.headers.contains_key("referer"));
        let refused = get(&egress, &format!("http://{host}:{}/", other.port)).await.unwrap_err();
        assert_eq!(refused, Refused::NotPublic(Range::Loopback));
    }
    assert!(other.heard().is_none());
}

#[tokio::test]
async fn a_question_is_sent_as_json_and_a_head_has_no_body() {
    let mut web = Web::start(|_| "answer").await;
    let egress = allowing(&[web.port]);
    egress.fetch(&web.url("/"), Ask::Post("{}".into()), LIMITS).await.unwrap();
    let heard = web.heard().unwrap();
    assert_eq!((heard.method, &heard.body[..]), (Method::POST, &b"{}"[..]));
    assert_eq!(heard.headers["content-type"], "application/json");
    let fetched = egress.fetch(&web.url("/"), Ask::Head, Limits { bytes: 0, ..LIMITS }).await.unwrap();
    assert_eq!((fetched.status, fetched.body.len(), fetched.declared_length()), (StatusCode::OK, 0, Some(6)));
    assert_eq!(web.heard().unwrap().method, Method::HEAD);
}

#[tokio::test]
async fn two_redirects_are_followed_and_a_third_is_not() {
    let mut web = Web::start(|heard| {
        let left: u32 = heard.path.trim_start_matches('/').parse().unwrap();
        match left {
            0 => "arrived".into_response(),
            _ => leads_to(format!("/{}", left - 1)).into_response(),
        }
    })
    .await;
    let egress = allowing(&[web.port]);
    assert_eq!(get(&egress, &web.url("/2")).await.unwrap().body, "arrived");
    assert_eq!(get(&egress, &web.url("/3")).await.unwrap_err(), Refused::Redirects);
    let paths: Vec<String> = std::iter::from_fn(|| web.heard()).map(|heard| heard.path).collect();
    assert_eq!(paths, ["/2", "/1", "/0", "/3", "/2", "/1"]);
}

#[tokio::test]
async fn where_a_redirect_leads_is_checked_anew() {
    let mut inside = Web::start(|_| "secret").await;
    let secret = inside.port;
    let web = Web::start(move |heard| {
        leads_to(match heard.path.as_str() {
            "/number" => format!("http://127.0.0.1:{secret}/"),
            "/name" => format!("http://localhost:{secret}/"),
            "/scheme" => "file:///etc/passwd".into(),
            "/metadata" => "//169.254.169.254/".into(),
            "/credentials" => "http://a:b@example.org/".into(),
            _ => "http://".into(),
        })
    })
    .await;
    let egress = allowing(&[web.port]);
    for (path, refused) in [
        ("/number", Refused::NotPublic(Range::Loopback)),
        ("/name", Refused::NotPublic(Range::Loopback)),
        ("/scheme", Refused::Scheme),
        ("/metadata", Refused::NotPublic(Range::LinkLocal)),
        ("/credentials", Refused::Credentials),
        ("/nothing", Refused::NotUrl),
    ] {
        assert_eq!(get(&egress, &web.url(path)).await.unwrap_err(), refused, "{path}");
    }
    assert!(inside.heard().is_none());
}

#[tokio::test]
async fn a_question_is_repeated_where_it_was_sent_on_unchanged_and_else_becomes_a_plain_one() {
    let mut web = Web::start(|heard| match heard.path.as_str() {
        "/307" => (StatusCode::TEMPORARY_REDIRECT, [("location", "/end")]).into_response(),
        "/303" => (StatusCode::SEE_OTHER, [("location", "/end")]).into_response(),
        _ => "".into_response(),
    })
    .await;
    let egress = allowing(&[web.port]);
    for (path, method, body) in [("/307", Method::POST, "{}"), ("/303", Method::GET, "")] {
        egress.fetch(&web.url(path), Ask::Post("{}".into()), LIMITS).await.unwrap();
        web.heard().unwrap();
        let heard = web.heard().unwrap();
        assert_eq!((heard.method, &heard.body[..]), (method, body.as_bytes()), "{path}");
    }
}

#[tokio::test]
async fn a_body_is_taken_up_to_its_limit_whatever_the_server_says_of_its_length() {
    let web = Web::start(|heard| "x".repeat(heard.path[1..].parse().unwrap())).await;
    let egress = allowing(&[web.port]);
    assert_eq!(get(&egress, &web.url("/1000")).await.unwrap().body.len(), 1000);
    assert_eq!(get(&egress, &web.url("/1001")).await.unwrap_err(), Refused::TooLong(1000));
    for head in [
        b"HTTP/1.1 200 OK\r\n\r\n".as_slice(),
        b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n",
        b"HTTP/1.0 200 OK\r\n\r\n",
    ] {
        let port = raw(head, true).await;
        let refused = get(&allowing(&[port]), &format!("http://127.0.0.1:{port}/")).await.unwrap_err();
        assert_eq!(refused, Refused::TooLong(1000));
    }
}

#[tokio::test]
async fn a_compressed_body_is_not_unpacked() {
    for encoding in ["gzip", "br", "deflate", "identity, gzip"] {
        let web = Web::start(move |_| ([("content-encoding", encoding)], "packed")).await;
        assert_eq!(get(&allowing(&[web.port]), &web.url("/")).await.unwrap_err(), Refused::Encoded, "{encoding}");
    }
    let web = Web::start(|_| ([("content-encoding", "Identity")], "plain")).await;
    assert_eq!(get(&allowing(&[web.port]), &web.url("/")).await.unwrap().body, "plain");
}

#[tokio::test]
async fn what_is_not_http_or_breaks_off_is_said_to_be_broken() {
    for head in [
        b"".as_slice(),
        b"SSH-2.0-OpenSSH_9\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    ] {
        let port = raw(head, false).await;
        let refused = get(&allowing(&[port]), &format!("http://127.0.0.1:{port}/")).await.unwrap_err();
        assert_eq!(refused, Refused::Broken);
        assert!(refused.may_pass());
    }
    let nobody = free_port();
    let refused = get(&allowing(&[nobody]), &format!("http://127.0.0.1:{nobody}/")).await.unwrap_err();
    assert_eq!(refused, Refused::Unreachable);
    let refused = get(&Egress::new(Vec::new()), "http://no-such-name.invalid/").await.unwrap_err();
    assert_eq!(refused, Refused::Unreachable);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_keeps_silent_or_leads_on_slowly_has_its_time_and_no_more() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let refused = get(&allowing(&[port]), &format!("http://127.0.0.1:{port}/")).await.unwrap_err();
    assert_eq!(refused, Refused::Late);
}

/// DNS resolver that returns the next of its answers for each query; it panics after the last.
struct Answers(Mutex<VecDeque<&'static [&'static str]>>);

impl Answers {
    fn left(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

impl Resolve for Answers {
    fn resolve(&self, _: Name) -> Resolving {
        let answer = self.0.lock().unwrap().pop_front().expect("one DNS query too many");
        let addresses = answer.iter().map(|address| SocketAddr::new(address.parse().unwrap(), 0));
        Box::pin(async move { Ok(Box::new(addresses) as Addrs) })
    }
}

/// Client that may reach the web server at 127.0.0.1; a secret service of this machine listens at the same port of 127.0.0.2.
fn rebinding(port: u16, answers: &[&'static [&'static str]]) -> (Egress, Arc<Answers>, TcpListener) {
    let secret = TcpListener::bind(("127.0.0.2", port)).unwrap();
    secret.set_nonblocking(true).unwrap();
    let answers = Arc::new(Answers(Mutex::new(answers.iter().copied().collect())));
    let allowed = vec![Allowed::parse(&format!("127.0.0.1:{port}")).unwrap()];
    (Egress::resolving(allowed, answers.clone()), answers, secret)
}

fn untouched(secret: &TcpListener) {
    assert_eq!(secret.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}

#[tokio::test]
async fn a_name_is_resolved_once_for_a_connection_and_where_it_leads_the_second_time_is_checked_again() {
    let mut web = Web::start(|_| ([("connection", "close")], "public")).await;
    let (egress, answers, secret) = rebinding(web.port, &[&["127.0.0.1"], &["127.0.0.2"]]);
    let url = format!("http://rebinding.example:{}/", web.port);
    assert_eq!(get(&egress, &url).await.unwrap().body, "public");
    assert_eq!(web.heard().unwrap().headers["host"], format!("rebinding.example:{}", web.port));
    assert_eq!(answers.left(), 1);
    assert_eq!(get(&egress, &url).await.unwrap_err(), Refused::NotPublic(Range::Loopback));
    assert_eq!(answers.left(), 0);
    assert!(web.heard().is_none());
    untouched(&secret);
}

#[tokio::test]
async fn a_name_that_leads_elsewhere_after_a_redirect_to_itself_is_refused() {
    let web = Web::start(|_| (StatusCode::FOUND, [("location", "/again"), ("connection", "close")])).await;
    let (egress, answers, secret) = rebinding(web.port, &[&["127.0.0.1"], &["127.0.0.2"]]);
    let refused = get(&egress, &format!("http://rebinding.example:{}/", web.port)).await.unwrap_err();
    assert_eq!(refused, Refused::NotPublic(Range::Loopback));
    assert_eq!(answers.left(), 0);
    untouched(&secret);
}

#[tokio::test]
async fn a_name_that_leads_to_a_public_address_and_to_another_beside_it_is_refused_whichever_comes_first() {
    let mut web = Web::start(|_| "public").await;
    let answers: [&[&str]; 5] = [
        &["127.0.0.1", "127.0.0.2"],
        &["127.0.0.2", "127.0.0.1"],
        &["127.0.0.1", "10.0.0.1"],
        &["127.0.0.1", "::ffff:169.254.169.254"],
        &[],
    ];
    let (egress, answers, secret) = rebinding(web.port, &answers);
    let url = format!("http://rebinding.example:{}/", web.port);
    for range in [Range::Loopback, Range::Loopback, Range::Private, Range::LinkLocal] {
        assert_eq!(get(&egress, &url).await.unwrap_err(), Refused::NotPublic(range));
    }
    assert_eq!(get(&egress, &url).await.unwrap_err(), Refused::Unreachable);
    assert_eq!(answers.left(), 0);
    assert!(web.heard().is_none());
    untouched(&secret);
}
