//! Validates on-ramp requests of a page before they go to a provider.

use super::chains::{self, Sold};
use super::zones::{self, Zoned};
use crate::Failure;
use crate::project::origin::Origin;
use axum::http::{HeaderMap, StatusCode, header};
use portico_terms::address::{is_evm, is_solana, with_checksum};
use reqwest::Url;

/// Maximum number of digits of a money amount.
const LONGEST_AMOUNT: usize = 15;

/// Requested purchase.
#[derive(Clone, Debug)]
pub(super) struct Purchase {
    pub(super) chain: Sold,
    /// Symbol of the coin; that of the native coin if the request names none.
    pub(super) coin: String,
    /// ISO 4217 currency, if named.
    pub(super) money: Option<String>,
    /// Amount in plain notation, if named.
    pub(super) amount: Option<String>,
    pub(super) place: Region,
}

/// Region of the buyer.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    /// ISO 3166-1 alpha-2.
    pub(super) country: Option<String>,
    /// ISO 3166-2 without the country.
    pub(super) subdivision: Option<String>,
}

impl Region {
    /// Region as named, otherwise from the time zone, otherwise from the browser language: `de-CH` means Switzerland, `de` no country.
    pub(super) fn read(
        country: Option<&str>,
        subdivision: Option<&str>,
        zone: Option<&str>,
        headers: &HeaderMap,
    ) -> Result<Region, Failure> {
        let of = |text: &str, least: usize, most: usize| {
            let fits = (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
            fits.then(|| text.to_ascii_uppercase())
        };
        let two = |text: &str| of(text, 2, 2).filter(|code| code.bytes().all(|byte| byte.is_ascii_alphabetic()));
        let country = match country {
            Some(text) => Some(
                two(text)
                    .ok_or_else(|| unfit("country", "Use the two letters of a country, such as DE (ISO 3166-1)"))?,
            ),
            None => match zone.and_then(zones::country) {
                Some(Zoned::In(country)) => Some(country.into()),
                Some(Zoned::Unsaid) => None,
                None => spoken(headers).and_then(|region| two(&region)),
            },
        };
        let subdivision = match subdivision {
            Some(text) => {
                Some(of(text, 1, 3).ok_or_else(|| unfit("subdivision", "Use the letters of a state, such as NY"))?)
            }
            None => None,
        };
        Ok(Region { country, subdivision })
    }
}

/// Region of the first `Accept-Language` entry that has one.
fn spoken(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    let tags = text.split(',').filter_map(|entry| entry.split(';').next());
    let mut regions = tags.filter_map(|tag| tag.trim().split_once('-')?.1.split('-').find(|part| part.len() == 2));
    regions.next().map(str::to_owned)
}

/// 422: well-formed, but cannot be processed.
pub(super) fn unfit(field: &str, description: impl Into<String>) -> Failure {
    Failure::new(StatusCode::UNPROCESSABLE_ENTITY, field, description)
}

pub(super) fn chain(field: &'static str, text: &str) -> Result<Sold, Failure> {
    let none = || Failure::new(StatusCode::NOT_FOUND, field, "Can't buy crypto on this network. Choose another.");
    chains::find(text).ok_or_else(none)
}

/// Symbol of a coin, in the providers' notation.
pub(super) fn coin(field: &'static str, text: &str) -> Result<String, Failure> {
    let fits = (1..=16).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    if fits { Ok(text.into()) } else { Err(unfit(field, "Use the symbol of what is bought, such as ETH")) }
}

/// ISO 4217 currency.
pub(super) fn money(field: &'static str, text: &str) -> Result<String, Failure> {
    let fits = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    if fits {
        Ok(text.to_ascii_uppercase())
    } else {
        Err(unfit(field, "Use the three letters of a currency, such as EUR"))
    }
}

/// Positive amount with at most `decimals` decimals: two for money, eighteen for coins.
pub(super) fn amount(field: &'static str, text: &str, decimals: usize) -> Result<String, Failure> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = digits(whole) && digits(part) && part.len() <= decimals && whole.len() <= LONGEST_AMOUNT - 3;
    if fits && text.bytes().any(|byte| matches!(byte, b'1'..=b'9')) {
        return Ok(text.into());
    }
    Err(unfit(field, "Use an amount above zero in plain digits, such as 99.5"))
}

/// Return page of a buyer. It must belong to the requesting origin, which the guard has checked against the project's list.
pub(super) fn page(text: &str, headers: &HeaderMap) -> Result<String, Failure> {
    let asks = headers.get(header::ORIGIN).and_then(|origin| Origin::parse(origin.to_str().ok()?));
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "https" | "http"));
    let own = url.filter(|url| text.len() <= LONGEST_PAGE && asks.is_some() && Origin::of(url) == asks);
    own.map(String::from).ok_or_else(|| unfit("returnUrl", "Use a return address on the page's own origin"))
}

const LONGEST_PAGE: usize = 2048;

/// Recipient address on the chain. Well-known addresses without an owner are refused: payments to them are lost.
pub(super) fn address(chain: Sold, text: &str) -> Result<String, Failure> {
    let refused = |why: &str| Err(unfit("destinationWallets", why));
    let fits = if chain.is_solana() { is_solana(text) } else { text.starts_with("0x") && is_evm(text) };
    if !fits {
        return refused("Use an address of the chain");
    }
    if !chain.is_solana() && with_checksum(text).is_err() {
        return refused("Checksum doesn't match (EIP-55). Paste the address again.");
    }
    if NOBODY.iter().any(|nobody| nobody.eq_ignore_ascii_case(text)) {
        return refused("No one controls this address. Crypto sent to it is lost.");
    }
    Ok(text.into())
}

/// The zero address, the placeholder of native coins, and Solana's system program.
const NOBODY: [&str; 3] =
    ["0x0000000000000000000000000000000000000000", portico_api::swap::COIN, "11111111111111111111111111111111"];

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn place(language: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_str(language).unwrap());
        Region::read(None, None, None, &headers).unwrap().country
    }

    #[test]
    fn a_country_is_that_of_the_first_language_with_one() {
        assert_eq!(place("de-CH,de;q=0.9,en-US;q=0.8").as_deref(), Some("CH"));
        assert_eq!(place("en, zh-Hant-TW;q=0.5").as_deref(), Some("TW"));
        for none in ["de", "*", "", "es-419", "en-1"] {
            assert_eq!(place(none), None, "{none}");
        }
    }

    #[test]
    fn a_time_zone_says_more_than_the_language_and_a_restricted_one_nothing() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static("en-US"));
        let of = |zone| Region::read(None, None, Some(zone), &headers).unwrap().country;
        assert_eq!(of("Europe/Berlin").as_deref(), Some("DE"));
        assert_eq!(of("Asia/Calcutta").as_deref(), Some("IN"));
        for nowhere in ["UTC", "", "Etc/GMT+5", "Europe", "nonsense"] {
            assert_eq!(of(nowhere).as_deref(), Some("US"), "{nowhere}");
        }
        for restricted in ["Asia/Shanghai", "Asia/Urumqi", "Asia/Hong_Kong", "Asia/Macau"] {
            assert_eq!(of(restricted), None, "{restricted}");
        }
    }

    #[test]
    fn what_is_named_goes_first_and_nonsense_is_refused() {
        let headers = HeaderMap::new();
        let named = Region::read(Some("us"), Some("ny"), None, &headers).unwrap();
        assert_eq!((named.country.as_deref(), named.subdivision.as_deref()), (Some("US"), Some("NY")));
        for nonsense in ["", "USA", "1A", "é", "U&"] {
            assert!(Region::read(Some(nonsense), None, None, &headers).is_err(), "{nonsense}");
        }
    }

    #[test]
    fn a_buyer_comes_back_to_a_page_of_the_origin_that_asks_and_to_no_other() {
        let mut headers = HeaderMap::new();
        assert!(page("https://shop.example/", &headers).is_err(), "nobody says whose page asks");
        headers.insert(header::ORIGIN, HeaderValue::from_static("https://shop.example"));
        assert_eq!(page("https://shop.example/a?b=c", &headers).unwrap(), "https://shop.example/a?b=c");
        let long = format!("https://shop.example/{}", "a".repeat(LONGEST_PAGE));
        for other in [
            "https://evil.example/",
            "https://shop.example.evil.example/",
            "https://shop.example@evil.example/",
            "https://user@shop.example/",
            "https://shop.example:8443/",
            "http://shop.example/",
            "javascript:alert(1)",
            "/a",
            "",
            &long,
        ] {
            assert!(page(other, &headers).is_err(), "{other}");
        }
    }

    #[test]
    fn an_amount_is_plain_and_not_nothing() {
        for fits in ["1", "99.5", "0.01", "100000"] {
            assert!(amount("amount", fits, 2).is_ok(), "{fits}");
        }
        for nonsense in ["", "0", "0.00", "-1", "1e3", ".5", "1.", "1.234", "1,5", " 1", "9999999999999"] {
            assert!(amount("amount", nonsense, 2).is_err(), "{nonsense}");
        }
    }

    #[test]
    fn a_wallet_is_that_of_somebody_and_copied_whole() {
        let chain = |id: &str| chain("", id).unwrap();
        let (base, solana) = (chain("base"), chain("solana"));
        let own = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
        for fits in [own.to_owned(), own.to_ascii_lowercase(), format!("0x{}", own[2..].to_ascii_uppercase())] {
            assert_eq!(address(base, &fits).ok(), Some(fits));
        }
        assert!(address(solana, "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE").is_ok());
        for (chain, text) in [
            (base, own.replace("0xf39F", "0xf39f")),
            (base, format!("0x{}", "0".repeat(40))),
            (base, "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE".into()),
            (base, own[2..].into()),
            (solana, "1".repeat(32)),
            (solana, own.into()),
        ] {
            assert!(address(chain, &text).is_err(), "{text}");
        }
    }
}
