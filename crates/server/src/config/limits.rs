//! Rate limits of visitors, and trusted proxies.

use super::Mistake;
use super::file::Read;
use crate::shared::Rate;
use ipnet::IpNet;
use std::net::IpAddr;

pub(super) const SETTINGS: &[&str] =
    &["trusted_proxies", "forwarded_header", "limits.client_per_second", "limits.client_burst", "limits.client_part"];

const DEFAULT_PER_SECOND: &str = "100";
/// Default burst: two of the widget's largest batches (spec 9.16).
const DEFAULT_BURST: &str = "2000";
/// Default part of a project's quota that one visitor may use: an eighth.
const DEFAULT_PART: &str = "8";
const MOST: usize = 1_000_000;
/// Unit of `limits.client_part`.
const PARTS: &str = "parts of a project's quota";

/// Rate limits of visitors, and the proxies in front of the server.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Rate limit of one visitor in one project; `None` for no limit.
    pub client: Option<Rate>,
    /// One visitor may use one of this many equal parts of a project's quota; 1 for all of it.
    pub client_part: u32,
    /// Networks of trusted proxies, whose forwarded header names the client.
    pub trusted_proxies: Vec<IpNet>,
    /// Header in which they name the client.
    pub forwarded_header: ForwardedHeader,
}

/// Header in which proxies name the client. Only one is read, because a proxy forwards the other as the client wrote it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum ForwardedHeader {
    /// `X-Forwarded-For`, which most proxies write.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

impl Limits {
    /// Whether the address is that of a trusted proxy.
    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.trusted_proxies.iter().any(|network| network.contains(&address))
    }
}

impl Read<'_> {
    pub(super) fn limits(&mut self) -> Limits {
        Limits {
            client: self.client_rate(),
            client_part: self.count("limits.client_part", DEFAULT_PART, 1, PARTS).unwrap_or(1),
            trusted_proxies: self.networks("trusted_proxies", "proxies to trust"),
            forwarded_header: self.forwarded_header().unwrap_or_default(),
        }
    }

    fn client_rate(&mut self) -> Option<Rate> {
        let per_second = self.count("limits.client_per_second", DEFAULT_PER_SECOND, 0, "requests per second");
        let burst = self.count("limits.client_burst", DEFAULT_BURST, 1, "requests at once");
        let (per_second, burst) = (per_second?, burst?);
        (per_second > 0).then_some(Rate { per_second: per_second.into(), burst })
    }

    /// Parses a whole number from `least` to a million, in the unit `of`.
    pub(super) fn count(&mut self, name: &'static str, default: &str, least: usize, of: &str) -> Option<u32> {
        let (text, place) = self.text_or(name, default);
        let parsed = text.parse().ok().filter(|number| (least..=MOST).contains(number));
        let parsed = parsed.and_then(|number| u32::try_from(number).ok());
        let parsed = parsed.ok_or_else(|| format!("use {least} to {MOST} {of}, not `{text}`"));
        self.keep(place, parsed)
    }

    /// Parses a list of addresses and networks; `of` are the machines in them.
    pub(super) fn networks(&mut self, name: &'static str, of: &str) -> Vec<IpNet> {
        let Some((texts, place)) = self.texts(name) else { return Vec::new() };
        let mut networks = Vec::new();
        for text in texts {
            let parsed = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
            let parsed =
                parsed.map_err(|_| format!("use an address or a network such as 10.0.0.0/8 of {of}, not `{text}`"));
            networks.extend(self.keep(place.clone(), parsed));
        }
        networks
    }

    /// Networks that may open the admin page. Without a listener there is no page.
    pub(super) fn admin_from(&mut self, listens: bool) -> Vec<IpNet> {
        let place = self.place("admin_from");
        let networks = self.networks("admin_from", "machines that may open the admin page");
        if !listens && !networks.is_empty() {
            let told = "`admin_from` has no effect: the admin page is off, because `admin_listen` isn't set. Set it to an \
                 address and a port that those machines can reach, such as 10.0.0.5:9464.";
            self.warnings.push(Mistake::new(place, told));
        }
        networks
    }

    fn forwarded_header(&mut self) -> Option<ForwardedHeader> {
        let (text, place) = self.text("forwarded_header")?;
        let parsed = match text.to_ascii_lowercase().as_str() {
            "x-forwarded-for" => Ok(ForwardedHeader::XForwardedFor),
            "forwarded" => Ok(ForwardedHeader::Forwarded),
            _ => Err(format!("use x-forwarded-for or forwarded, not `{text}`")),
        };
        self.keep(place, parsed)
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Flags};
    use std::path::Path;

    #[test]
    fn networks_for_an_admin_page_that_is_off_are_told_to_have_no_effect() {
        let warnings = |text: &str| -> Vec<String> {
            let config = Config::parse(Path::new("portico.toml"), text, [], &Flags::default()).unwrap();
            config.warnings.iter().map(ToString::to_string).collect()
        };
        let told = "portico.toml, line 1: `admin_from` has no effect: the admin page is off, because `admin_listen` isn't set. \
             Set it to an address and a port that those machines can reach, such as 10.0.0.5:9464.";
        let from = "admin_from = [\"10.0.0.0/8\"]\n";
        assert_eq!(warnings(from), [told]);
        assert_eq!(warnings(&format!("{from}admin_listen = \"0.0.0.0:9464\"\n")), [""; 0]);
        assert_eq!(warnings("admin_from = []\n"), [""; 0]);
    }
}
