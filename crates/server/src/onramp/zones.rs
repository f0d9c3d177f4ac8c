//! Country of a time zone: a first guess that the visitor can correct.

/// Zone and country per line, from `zone.tab` of the time zone database (public domain), with old names that browsers still
/// use. A hyphen stands for restricted zones (spec 6.10).
const ZONES: &str = include_str!("zones.txt");

/// Country guessed from a time zone.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Zoned {
    /// ISO 3166-1.
    In(&'static str),
    /// Restricted zone (spec 6.10): no country is assumed; the visitor names one, or no provider is queried.
    Unsaid,
}

/// Country of an IANA zone; `None` if the zone has none.
pub(super) fn country(zone: &str) -> Option<Zoned> {
    let of = |line: &'static str| line.strip_prefix(zone)?.strip_prefix(' ');
    let country = ZONES.lines().find_map(of)?;
    Some(if country == "-" { Zoned::Unsaid } else { Zoned::In(country) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_zone_and_two_letters_or_a_hyphen() {
        for line in ZONES.lines() {
            let (zone, country) = line.split_once(' ').unwrap();
            let letters = country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase());
            assert!(!zone.is_empty() && (letters || country == "-"), "{line}");
        }
        assert_eq!(country("Pacific/Auckland"), Some(Zoned::In("NZ")));
    }

    #[test]
    fn spec_6_10_nobody_in_a_restricted_zone_is_taken_to_be_in_a_country() {
        for zone in ["Asia/Shanghai", "Asia/Urumqi", "Asia/Hong_Kong", "Hongkong", "Asia/Macau", "Asia/Macao", "PRC"] {
            assert_eq!(country(zone), Some(Zoned::Unsaid), "{zone}");
        }
    }
}
