//! Identity of a visitor for rate limits.

use crate::config::{ForwardedHeader, Limits};
use crate::{AppState, visitors};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::Response;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Once;

/// Remote address of the connection, stored in the extensions of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// A visitor: an IPv4 address, or the first 64 bits of an IPv6 address, which belong to one subscriber.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Client(IpAddr);

/// Mask without the bits that a subscriber may choose.
const SUBSCRIBER: u128 = !(u64::MAX as u128);

impl Client {
    /// The visitor's address: the peer, or behind a trusted proxy the address that the proxy reports.
    ///
    /// Each proxy appends the address that it saw to the header. Read from the end, the first address that is not a trusted proxy is
    /// reliable, as a trusted one saw it. Addresses before it may be forged.
    pub(crate) fn of(parts: &Parts, limits: &Limits) -> Client {
        Client(match Client::whole_address(parts, limits) {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & SUBSCRIBER)),
            v4 @ IpAddr::V4(_) => v4,
        })
    }

    /// The full address of the visitor, without the mask for IPv6.
    pub(crate) fn whole_address(parts: &Parts, limits: &Limits) -> IpAddr {
        // Without a socket, as in tests, all requests share one address.
        let peer = parts.extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
        let mut client = peer.to_canonical();
        let trusted = |address: IpAddr| limits.trusts(address);
        for hop in hops(&parts.headers, limits.forwarded_header) {
            match hop {
                Some(hop) if trusted(client) => client = hop.to_canonical(),
                _ => break,
            }
        }
        client
    }

    /// The address or, for IPv6, its masked form.
    pub(crate) fn address(self) -> IpAddr {
        self.0
    }
}

/// The warning about a proxy that isn't trusted comes once.
static TOLD: Once = Once::new();

/// Proxy of the operator that `trusted_proxies` doesn't have. An address of the internet may be a visitor who sends the header, and isn't logged.
fn untrusted_proxy(parts: &Parts, limits: &Limits) -> Option<IpAddr> {
    let peer = parts.extensions.get::<Peer>()?.0.to_canonical();
    let near = match peer {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
    };
    let sent = parts.headers.contains_key(header_of(limits.forwarded_header));
    (near && sent && !limits.trusts(peer)).then_some(peer)
}

fn warn_of(proxy: IpAddr, header: ForwardedHeader) {
    tracing::warn!(
        "a proxy at {proxy} sends {}, but trusted_proxies doesn't have it, so all visitors count as one. Set trusted_proxies = [\"{proxy}\"].",
        header_of(header)
    );
}

fn header_of(header: ForwardedHeader) -> &'static str {
    match header {
        ForwardedHeader::XForwardedFor => "x-forwarded-for",
        ForwardedHeader::Forwarded => header::FORWARDED.as_str(),
    }
}

/// Lets what a handler calls know the visitor, so that work on its behalf counts against its shares.
pub(crate) async fn name_visitor(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    if let Some(proxy) = untrusted_proxy(&parts, state.limits()) {
        TOLD.call_once(|| warn_of(proxy, state.limits().forwarded_header));
    }
    let visitor = Client::of(&parts, state.limits()).address();
    visitors::with(Some(visitor), next.run(Request::from_parts(parts, body))).await
}

impl fmt::Display for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Addresses that proxies appended, the last one first; `None` for one that is hidden or invalid. Bytes that a visitor sent in the same line
/// hide no others.
fn hops(headers: &HeaderMap, header: ForwardedHeader) -> impl Iterator<Item = Option<IpAddr>> {
    let lines = headers.get_all(header_of(header)).iter().rev();
    let elements = lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
    elements.map(move |element| {
        let element = str::from_utf8(element).ok()?;
        match header {
            ForwardedHeader::XForwardedFor => address(element.trim()),
            ForwardedHeader::Forwarded => address(forwarded_for(element)?),
        }
    })
}

/// The `for` parameter of one element (RFC 7239 section 4).
fn forwarded_for(element: &str) -> Option<&str> {
    let pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let mut named = pairs.filter(|(name, _)| name.eq_ignore_ascii_case("for"));
    named.next().map(|(_, value)| value.trim_matches('"'))
}

/// An address with or without a port, an IPv6 address also in brackets.
fn address(text: &str) -> Option<IpAddr> {
    let bare = || text.parse().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let in_brackets = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    bare().or_else(with_port).or_else(in_brackets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn client(header: ForwardedHeader, peer: &str, lines: &[(&str, impl AsRef<[u8]>)]) -> String {
        let mut request = Request::builder().extension(Peer(peer.parse().unwrap()));
        for (name, value) in lines {
            request = request.header(*name, value.as_ref());
        }
        let trusted_proxies = ["10.0.0.0/8", "fd00::/8"].map(|network| network.parse().unwrap()).to_vec();
        let limits = Limits { trusted_proxies, forwarded_header: header, ..Limits::default() };
        Client::of(&request.body(()).unwrap().into_parts().0, &limits).to_string()
    }

    #[test]
    fn a_proxy_of_the_operator_that_is_not_trusted_is_told_and_a_visitor_is_not() {
        let trusted_proxies = vec!["10.0.0.0/8".parse().unwrap()];
        let limits = Limits { trusted_proxies, ..Limits::default() };
        let told = |peer: &str, header: &str| {
            let request = Request::builder().extension(Peer(peer.parse().unwrap())).header(header, "192.0.2.7");
            untrusted_proxy(&request.body(()).unwrap().into_parts().0, &limits).map(|proxy| proxy.to_string())
        };
        for proxy in ["127.0.0.1", "192.168.0.2", "::1", "fd00::1"] {
            assert_eq!(told(proxy, "x-forwarded-for").as_deref(), Some(proxy));
            assert_eq!(told(proxy, "forwarded"), None, "{proxy}");
        }
        for other in ["10.0.0.2", "203.0.113.9"] {
            assert_eq!(told(other, "x-forwarded-for"), None, "{other}");
        }
    }

    #[test]
    fn a_stranger_is_its_own_address_whatever_it_says() {
        let said = [("x-forwarded-for", "203.0.113.9"), ("forwarded", "for=203.0.113.9")];
        for header in [ForwardedHeader::XForwardedFor, ForwardedHeader::Forwarded] {
            assert_eq!(client(header, "198.51.100.7", &said), "198.51.100.7");
            // A mapped IPv4 address is that address.
            assert_eq!(client(header, "::ffff:198.51.100.7", &said), "198.51.100.7");
            assert_eq!(client(header, "2001:db8:1:2:3:4:5:6", &said), "2001:db8:1:2::");
        }
    }

    #[test]
    fn behind_a_proxy_it_is_the_last_address_that_is_no_proxy() {
        let behind = |line: &str| client(ForwardedHeader::XForwardedFor, "10.0.0.1", &[("x-forwarded-for", line)]);
        for (line, found) in [
            ("203.0.113.9", "203.0.113.9"),
            ("1.1.1.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
            ("1.1.1.1,203.0.113.9:4711", "203.0.113.9"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            // All are trusted proxies: the farthest one is the client.
            ("10.0.0.3, 10.0.0.2", "10.0.0.3"),
            // An unreadable element hides everything before it.
            ("203.0.113.9, unknown", "10.0.0.1"),
            ("203.0.113.9, nonsense, 10.0.0.2", "10.0.0.2"),
            ("", "10.0.0.1"),
        ] {
            assert_eq!(behind(line), found, "{line}");
        }
        let lines = [("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "203.0.113.9")];
        assert_eq!(client(ForwardedHeader::XForwardedFor, "10.0.0.1", &lines), "203.0.113.9");
        assert_eq!(client(ForwardedHeader::XForwardedFor, "10.0.0.1", &[("via", "")]), "10.0.0.1");
    }

    #[test]
    fn bytes_that_a_visitor_sends_in_the_header_hide_no_address_that_a_proxy_appends() {
        let behind = |header, name: &str, line: &[u8]| client(header, "10.0.0.1", &[(name, line)]);
        for line in [b"\x80, 203.0.113.9".as_slice(), b"\xff\xfe,203.0.113.9, 10.0.0.2", b"1.1.1.1\x80 , 203.0.113.9"] {
            assert_eq!(behind(ForwardedHeader::XForwardedFor, "x-forwarded-for", line), "203.0.113.9");
        }
        for line in [b"\x80, for=203.0.113.9".as_slice(), b"for=\"\x80, for=203.0.113.9;by=x"] {
            assert_eq!(behind(ForwardedHeader::Forwarded, "forwarded", line), "203.0.113.9");
        }
        // An element that is not text hides what stands before it, like any other that is no address.
        assert_eq!(behind(ForwardedHeader::XForwardedFor, "x-forwarded-for", b"203.0.113.9, \x80"), "10.0.0.1");
    }

    #[test]
    fn the_header_that_the_proxy_does_not_write_is_not_read() {
        let lines = [("forwarded", "for=1.1.1.1"), ("x-forwarded-for", "203.0.113.9")];
        assert_eq!(client(ForwardedHeader::XForwardedFor, "10.0.0.1", &lines), "203.0.113.9");
        let lines =
            [("x-forwarded-for", "1.1.1.1"), ("forwarded", "for=9.9.9.9;proto=https, For=\"[fd00::2]:80\";by=x")];
        assert_eq!(client(ForwardedHeader::Forwarded, "fd00::1", &lines), "9.9.9.9");
        let quoted = [("forwarded", "proto=http;for=\"[2001:db8::1]\"")];
        assert_eq!(client(ForwardedHeader::Forwarded, "10.0.0.1", &quoted), "2001:db8::");
        for hidden in ["for=_hidden", "proto=https", "for=unknown"] {
            assert_eq!(client(ForwardedHeader::Forwarded, "10.0.0.1", &[("forwarded", hidden)]), "10.0.0.1");
        }
    }
}
