//! Origins of pages that may use a project.

use reqwest::Url;
use std::fmt;
use std::net::IpAddr;

/// The origin of a page: scheme, host and port (RFC 6454).
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Origin {
    scheme: String,
    host: String,
    /// `None` for the default port of the scheme.
    port: Option<u16>,
}

/// Allowed origin in the operator's notation, perhaps with wildcards.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Pattern {
    /// `*`: every page, and clients that are no page.
    Any,
    Pages(Pages),
}

/// One origin, or a wildcard for subdomains or ports.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Pages {
    origin: Origin,
    /// `https://*.example.com`: any subdomain, at any depth, but not `example.com` itself.
    below: bool,
    /// `http://localhost:*`
    any_port: bool,
}

impl Origin {
    /// Parses an origin. A URL with a path is refused.
    pub(crate) fn parse(text: &str) -> Option<Origin> {
        let url = Url::parse(text).ok()?;
        let bare = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
        bare.then(|| Origin::of(&url)).flatten()
    }

    /// Origin of a URL, such as that in `Referer`.
    pub(crate) fn of(url: &Url) -> Option<Origin> {
        let nobody = url.username().is_empty() && url.password().is_none();
        let host = url.host_str().filter(|host| nobody && !host.is_empty())?.to_ascii_lowercase();
        Some(Origin { scheme: url.scheme().into(), host, port: url.port() })
    }

    /// Whether `Host` names the server of the page itself. The scheme is ignored, because a proxy terminates TLS.
    pub(crate) fn is_of_host(&self, host: &str) -> bool {
        let own = format!("{}://{host}", self.scheme);
        Origin::parse(&own).is_some_and(|own| own == *self)
    }
}

impl Origin {
    /// Whether the host is this machine or an IP address. A page of another server can't have such a host with this server behind it: no name
    /// server answers for it (DNS rebinding).
    pub(crate) fn has_fixed_host(&self) -> bool {
        let bare = self.host.trim_start_matches('[').trim_end_matches(']');
        self.host == "localhost" || self.host.ends_with(".localhost") || bare.parse::<IpAddr>().is_ok()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}://{}", self.scheme, self.host)?;
        self.port.map_or(Ok(()), |port| write!(formatter, ":{port}"))
    }
}

impl Pattern {
    /// Parses the operator's notation. The error is a sentence for them.
    pub(crate) fn parse(text: &str) -> Result<Pattern, String> {
        if text == "*" {
            return Ok(Pattern::Any);
        }
        let pages = text.split_once("://").and_then(|(scheme, rest)| {
            let (below, rest) = rest.strip_prefix("*.").map_or((false, rest), |rest| (true, rest));
            let (any_port, rest) = rest.strip_suffix(":*").map_or((false, rest), |rest| (true, rest));
            let origin = Origin::parse(&format!("{scheme}://{rest}")).filter(|origin| !origin.host.contains('*'))?;
            Some(Pages { origin, below, any_port })
        });
        let pages = pages.filter(|pages| !(pages.any_port && pages.origin.port.is_some()));
        pages.map(Pattern::Pages).ok_or_else(|| {
            format!(
                "Use an origin such as https://app.example.com, https://*.example.com or http://localhost:*, without a path, not `{text}`"
            )
        })
    }

    /// Whether a page of this origin is allowed.
    pub(crate) fn covers(&self, page: &Origin) -> bool {
        let Pattern::Pages(pages) = self else { return true };
        let host = if pages.below {
            page.host.strip_suffix(&pages.origin.host).is_some_and(|below| below.len() > 1 && below.ends_with('.'))
        } else {
            page.host == pages.origin.host
        };
        host && page.scheme == pages.origin.scheme && (pages.any_port || page.port == pages.origin.port)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pattern::Pages(Pages { origin, below, any_port }) = self else { return formatter.write_str("*") };
        let star = if *below { "*." } else { "" };
        write!(formatter, "{}://{star}{}", origin.scheme, origin.host)?;
        match origin.port {
            _ if *any_port => formatter.write_str(":*"),
            Some(port) => write!(formatter, ":{port}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(pattern: &str, page: &str) -> bool {
        Pattern::parse(pattern).unwrap().covers(&Origin::parse(page).unwrap())
    }

    #[test]
    fn what_is_not_an_origin_is_refused_by_name() {
        let wrong = [
            "",
            "example.com",
            "https://",
            "https://*",
            "https://a*.example",
            "https://a.example/path",
            "https://u@a.example",
            "https://a.example?x",
            "https://a.example:*:*",
            "https://a.example:99999",
            "null",
            "https://*.*.example",
            "://a",
        ];
        for text in wrong {
            assert!(Pattern::parse(text).unwrap_err().ends_with(&format!("not `{text}`")), "{text}");
        }
        for text in ["null", "", "https://a.example/page", "about:blank"] {
            assert_eq!(Origin::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_page_is_covered_by_its_own_origin_and_no_other() {
        for other in [
            "http://a.example",
            "https://a.example:8443",
            "https://b.example",
            "https://xa.example",
            "https://a.example.evil",
        ] {
            assert!(!covers("https://a.example", other), "{other}");
        }
        for same in ["https://a.example", "https://a.example:443", "https://A.EXAMPLE"] {
            assert!(covers("https://a.example", same), "{same}");
        }
        assert!(covers("https://müller.example", "https://xn--mller-kva.example"));
        assert!(covers("capacitor://localhost", "capacitor://localhost"));
    }

    #[test]
    fn a_star_stands_for_names_below_or_for_the_port() {
        for (page, covered) in [
            ("https://a.example.com", true),
            ("https://a.b.example.com", true),
            ("https://example.com", false),
            ("https://evilexample.com", false),
            ("https://a.example.com.evil", false),
            ("https://a.example.com:8443", false),
        ] {
            assert_eq!(covers("https://*.example.com", page), covered, "{page}");
        }
        for (page, covered) in
            [("http://localhost:5173", true), ("http://localhost", true), ("https://localhost:5173", false)]
        {
            assert_eq!(covers("http://localhost:*", page), covered, "{page}");
        }
        assert!(covers("*", "https://anything.example"));
    }

    #[test]
    fn a_pattern_is_written_as_it_is_read_again() {
        for (text, written) in [
            ("HTTPS://App.Example:443/", "https://app.example"),
            ("https://*.example.com:*", "https://*.example.com:*"),
            ("http://[::1]:3000", "http://[::1]:3000"),
            ("*", "*"),
        ] {
            let pattern = Pattern::parse(text).unwrap();
            assert_eq!(pattern.to_string(), written);
            assert_eq!(Pattern::parse(written), Ok(pattern));
        }
    }

    #[test]
    fn the_page_of_the_server_itself_is_known_by_its_host() {
        let page = Origin::parse("https://wallet.example").unwrap();
        assert!(page.is_of_host("wallet.example") && page.is_of_host("WALLET.example:443"));
        for other in ["", "other.example", "wallet.example:8080", "wallet.example/x", "x@wallet.example"] {
            assert!(!page.is_of_host(other), "{other}");
        }
        assert!(Origin::parse("http://127.0.0.1:8080").unwrap().is_of_host("127.0.0.1:8080"));
    }
}
