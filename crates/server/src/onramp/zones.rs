//! In which country a time zone is: a first guess that a visitor can put right.

/// A zone and its country on each line, from `zone.tab` of the time zone database (public domain), with the old names that browsers still
/// tell. A hyphen stands for the restricted ones (spec 6.10).
const ZONES: &str = include_str!("zones.txt");

/// What a time zone says of where somebody is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Zoned {
    /// ISO 3166-1.
    In(&'static str),
    /// Of a restricted zone (spec 6.10) nobody is taken to be in a country: the visitor says so, or nobody is asked.
    Unsaid,
}

/// By its IANA name; nothing of a zone that is of no country.
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
