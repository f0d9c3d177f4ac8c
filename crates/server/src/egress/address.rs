//! Ranges of IP addresses that are not on the public internet, and exceptions of the operator.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Address or network that may be requested although it is not public.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Allowed {
    network: IpAddr,
    /// Prefix length in bits.
    prefix: u8,
    port: Option<u16>,
}

impl Allowed {
    /// Reads `127.0.0.1:8545`, `[::1]:8545`, `10.1.2.3` or `192.168.0.0/16`.
    pub fn parse(text: &str) -> Option<Allowed> {
        if let Ok(socket) = text.parse::<SocketAddr>() {
            let network = socket.ip().to_canonical();
            return Some(Allowed { network, prefix: bits(network), port: Some(socket.port()) });
        }
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let network: IpAddr = address.parse().ok()?;
        let prefix = match prefix {
            None => bits(network),
            Some(prefix) => prefix.parse().ok().filter(|prefix| *prefix <= bits(network))?,
        };
        Some(Allowed { network, prefix, port: None })
    }

    fn covers(&self, address: IpAddr, port: u16) -> bool {
        let same = match (self.network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let unused = 32 - u32::from(self.prefix);
                (network.to_bits() ^ address.to_bits()).checked_shr(unused).unwrap_or(0) == 0
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let unused = 128 - u32::from(self.prefix);
                (network.to_bits() ^ address.to_bits()).checked_shr(unused).unwrap_or(0) == 0
            }
            _ => false,
        };
        same && self.port.is_none_or(|allowed| allowed == port)
    }
}

fn bits(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

/// Kind of an address that is refused. Logged only; the client learns just that the address is not public.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Range {
    /// RFC 791: this host on this network.
    Unspecified,
    /// This machine.
    Loopback,
    /// RFC 1918 and RFC 4193.
    Private,
    /// RFC 6598: behind carrier-grade NAT.
    Shared,
    /// RFC 3927 and RFC 4291; clouds serve instance metadata here.
    LinkLocal,
    /// Metadata address of a cloud outside the link-local range.
    Metadata,
    Multicast,
    /// RFC 5737, RFC 3849, RFC 9637.
    Documentation,
    /// RFC 2544.
    Benchmark,
    /// IPv6 transition address whose IPv4 address is unknown or must not be used: 6to4, Teredo, local NAT64.
    Tunnel,
    /// Not allocated.
    Reserved,
}

impl fmt::Display for Range {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self:?}")
    }
}

/// Accepts an address that is public or allowed at this port.
pub(super) fn check(address: IpAddr, port: u16, allowed: &[Allowed]) -> Result<(), Range> {
    let address = address.to_canonical();
    if allowed.iter().any(|allowed| allowed.covers(address, port)) {
        return Ok(());
    }
    match address {
        IpAddr::V4(address) => check_v4(address),
        IpAddr::V6(address) => check_v6(address),
    }
}

/// Special-purpose addresses (RFC 6890) except those that are globally reachable.
fn check_v4(address: Ipv4Addr) -> Result<(), Range> {
    let range = match address.octets() {
        [0, ..] => Range::Unspecified,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Range::Private,
        [100, 64..=127, ..] => Range::Shared,
        [127, ..] => Range::Loopback,
        [169, 254, ..] => Range::LinkLocal,
        // Azure serves its virtual machines here; for everyone else it is an ordinary public address.
        [168, 63, 129, 16] => Range::Metadata,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Range::Documentation,
        [192, 0, 0, _] => Range::Reserved,
        // RFC 7526: formerly 6to4 relays.
        [192, 88, 99, _] => Range::Tunnel,
        [198, 18..=19, ..] => Range::Benchmark,
        [224..=239, ..] => Range::Multicast,
        [240..=255, ..] => Range::Reserved,
        _ => return Ok(()),
    };
    Err(range)
}

/// Accepts only allocated unicast addresses (2000::/3) without their special ranges.
fn check_v6(address: Ipv6Addr) -> Result<(), Range> {
    let range = match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => Range::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => Range::Loopback,
        // RFC 6052: networks without IPv4 reach all of it through this prefix.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            return check_v4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)));
        }
        [0x64, 0xff9b, 1, ..] => Range::Tunnel,
        [0xfe80..=0xfebf, ..] => Range::LinkLocal,
        [0xfc00..=0xfdff, ..] | [0xfec0..=0xfeff, ..] => Range::Private,
        [0xff00..=0xffff, ..] => Range::Multicast,
        // 6to4, and Teredo, which is the first part of 2001::/23.
        [0x2002, ..] | [0x2001, 0, ..] => Range::Tunnel,
        [0x2001, 2, 0, ..] => Range::Benchmark,
        [0x2001, 0..=0x1ff, ..] => Range::Reserved,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Range::Documentation,
        [0x2000..=0x3fff, ..] => return Ok(()),
        _ => Range::Reserved,
    };
    Err(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_of_addresses_that_is_not_public_is_refused() {
        let table: &[(Range, &[&str])] = &[
            (Range::Unspecified, &["0.0.0.0", "0.1.2.3", "::"]),
            (Range::Loopback, &["127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]),
            (
                Range::Private,
                &[
                    "10.0.0.0",
                    "10.255.255.255",
                    "172.16.0.0",
                    "172.31.255.255",
                    "192.168.0.1",
                    "::ffff:10.0.0.1",
                    "64:ff9b::c0a8:1",
                    "fc00::",
                    "fd00:ec2::254",
                    "fdff:ffff::1",
                    "fec0::1",
                ],
            ),
            (Range::Shared, &["100.64.0.0", "100.100.100.200", "100.127.255.255", "::ffff:100.64.0.1"]),
            (
                Range::LinkLocal,
                &[
                    "169.254.0.1",
                    "169.254.169.254",
                    "::ffff:169.254.169.254",
                    "64:ff9b::a9fe:a9fe",
                    "fe80::1",
                    "febf::1",
                ],
            ),
            (Range::Metadata, &["168.63.129.16", "::ffff:168.63.129.16"]),
            (Range::Multicast, &["224.0.0.1", "239.255.255.255", "ff02::1", "ffff::"]),
            (
                Range::Documentation,
                &["192.0.2.1", "198.51.100.1", "203.0.113.255", "2001:db8::1", "3fff::1", "3fff:fff::1"],
            ),
            (Range::Benchmark, &["198.18.0.1", "198.19.255.255", "2001:2::1"]),
            (
                Range::Tunnel,
                &["192.88.99.1", "2002:7f00:1::", "2002:a00:1::1", "2002:808:808::1", "2001::1", "64:ff9b:1::1"],
            ),
            (
                Range::Reserved,
                &[
                    "192.0.0.1",
                    "192.0.0.192",
                    "240.0.0.1",
                    "255.255.255.255",
                    "::7f00:1",
                    "::8.8.8.8",
                    "::ffff:0:808:808",
                    "64:ff9b::1:0:0",
                    "100::1",
                    "2001:10::1",
                    "2001:1ff::1",
                    "4000::1",
                    "5f00::1",
                ],
            ),
        ];
        for (range, addresses) in table {
            for address in *addresses {
                assert_eq!(check(address.parse().unwrap(), 443, &[]), Err(*range), "{address}");
            }
        }
    }

    #[test]
    fn addresses_beside_those_families_are_public() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "168.63.129.17",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "3ffe::1",
        ] {
            assert_eq!(check(address.parse().unwrap(), 443, &[]), Ok(()), "{address}");
        }
    }

    #[test]
    fn what_the_operator_allows_is_allowed_and_nothing_beside_it() {
        let allowed = ["127.0.0.1:8545", "192.168.0.0/16", "10.1.2.3", "fd00::/8", "[::1]:80"];
        let allowed: Vec<Allowed> = allowed.into_iter().map(|text| Allowed::parse(text).unwrap()).collect();
        let passes = |address: &str, port: u16| check(address.parse().unwrap(), port, &allowed).is_ok();
        for (address, port) in [
            ("127.0.0.1", 8545),
            ("::ffff:127.0.0.1", 8545),
            ("192.168.255.1", 1),
            ("10.1.2.3", 9),
            ("fd12::1", 5),
            ("::1", 80),
        ] {
            assert!(passes(address, port), "{address} {port}");
        }
        for (address, port) in
            [("127.0.0.1", 80), ("127.0.0.2", 8545), ("172.16.0.1", 80), ("10.1.2.4", 9), ("fc00::1", 5), ("::1", 443)]
        {
            assert!(!passes(address, port), "{address} {port}");
        }
        let all = [Allowed::parse("0.0.0.0/0").unwrap()];
        assert_eq!(check("127.0.0.1".parse().unwrap(), 1, &all), Ok(()));
        assert_eq!(check("::1".parse().unwrap(), 1, &all), Err(Range::Loopback));
    }

    #[test]
    fn what_is_no_address_and_no_network_allows_nothing() {
        for text in [
            "",
            "localhost",
            "127.0.0.1/33",
            "::/129",
            "127.0.0.1:",
            "127.0.0.1:65536",
            "10.0.0.0/8:80",
            "1.2.3",
            "1.2.3.4/-1",
        ] {
            assert_eq!(Allowed::parse(text), None, "{text}");
        }
    }
}
