//! Statement of a relay about the page that published a message: a JWT (RFC 7519) that the relay signs with its own Ed25519 key.
//!
//! A browser sends the origin of the page with each socket, and the page cannot change it; a program outside a browser can send any. Claims:
//! `iss` the relay's did:key, `id` the SHA-256 of the encrypted message in hex, `origin`, `exp` in seconds.

use crate::jwt::{ClientKey, LEEWAY, signed_claims};
use crate::search::split;
use portico_json::{Write, write_text};

/// Longest origin that is attested, in bytes.
pub const MAX_ORIGIN: usize = 512;

/// Signs that the page of an origin published the message with this id. `expires` is in seconds since 1970.
pub fn attest(key: &ClientKey, message_id: &str, origin: &str, expires: u64) -> String {
    let mut claims = String::from("{\"iss\":");
    write_text(&key.did(), &mut claims);
    claims.push_str(",\"id\":");
    write_text(message_id, &mut claims);
    claims.push_str(",\"origin\":");
    write_text(origin, &mut claims);
    claims.push_str(",\"exp\":");
    expires.write(&mut claims);
    claims.push('}');
    key.sign_claims(&claims)
}

/// Origin that the relay with this did:key attests for a message; `None` for statements of others, of other messages and expired ones.
pub fn attested_origin(token: &str, relay: &str, message_id: &str, now: u64) -> Option<String> {
    let (issuer, claims) = signed_claims(token).ok()?;
    let is_ours = issuer == relay && claims.get("id").as_str() == Some(message_id);
    let is_current = claims.get("exp").as_u64().is_some_and(|expires| expires.saturating_add(LEEWAY) >= now);
    let origin = claims.get("origin").as_str().and_then(origin_of)?;
    (is_ours && is_current).then_some(origin)
}

/// Origin of a URL in lower case: scheme, host and a port that is not the scheme's own. `None` for URLs with a user name, which can look
/// like another host, and for all but `http` and `https`.
pub fn origin_of(url: &str) -> Option<String> {
    let (scheme, rest) = split(url, "://")?;
    let scheme = scheme.to_ascii_lowercase();
    let authority = &rest[..rest.bytes().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len())];
    let own_port = match scheme.as_str() {
        "https" => ":443",
        "http" => ":80",
        _ => return None,
    };
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':' | b'[' | b']');
    if authority.is_empty() || authority.len() > MAX_ORIGIN || !authority.bytes().all(is_host) {
        return None;
    }
    let authority = authority.strip_suffix(own_port).unwrap_or(authority).to_ascii_lowercase();
    Some([&scheme, "://", &authority].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_800_000_000;
    const ID: &str = "ab";

    fn relay() -> ClientKey {
        ClientKey::from_seed(&[7; 32])
    }

    #[test]
    fn a_relay_s_statement_holds_for_its_message_its_key_and_its_time() {
        let token = attest(&relay(), ID, "https://shop.example", NOW + 300);
        let read = |relay: &ClientKey, id: &str, now: u64| attested_origin(&token, &relay.did(), id, now);
        assert_eq!(read(&relay(), ID, NOW).as_deref(), Some("https://shop.example"));
        assert_eq!(read(&relay(), "ac", NOW), None);
        assert_eq!(read(&ClientKey::from_seed(&[8; 32]), ID, NOW), None);
        assert_eq!(read(&relay(), ID, NOW + 300 + LEEWAY), Some("https://shop.example".into()));
        assert_eq!(read(&relay(), ID, NOW + 301 + LEEWAY), None);
    }

    #[test]
    fn a_statement_of_a_stranger_in_the_relay_s_name_is_no_statement() {
        let forged = attest(&ClientKey::from_seed(&[8; 32]), ID, "https://shop.example", NOW + 300);
        let (head, rest) = forged.split_once('.').unwrap();
        let (_, signature) = rest.split_once('.').unwrap();
        let real = attest(&relay(), ID, "https://shop.example", NOW + 300);
        let claims = real.split('.').nth(1).unwrap();
        assert_eq!(attested_origin(&format!("{head}.{claims}.{signature}"), &relay().did(), ID, NOW), None);
        assert_eq!(attested_origin("", &relay().did(), ID, NOW), None);
        assert_eq!(attested_origin("a.b.c", &relay().did(), ID, NOW), None);
    }

    #[test]
    fn the_origin_of_a_url_is_that_which_a_browser_computes() {
        let origin = |url: &str| origin_of(url);
        assert_eq!(origin("https://Shop.Example/cart?x#y").as_deref(), Some("https://shop.example"));
        assert_eq!(origin("https://shop.example:443").as_deref(), Some("https://shop.example"));
        assert_eq!(origin("http://localhost:5173/").as_deref(), Some("http://localhost:5173"));
        assert_eq!(origin("http://[::1]:80/").as_deref(), Some("http://[::1]"));
        for strange in [
            "",
            "shop.example",
            "https://",
            "https://shop.example@evil.example/",
            "https://shop.example\\@evil",
            "javascript://a",
        ] {
            assert_eq!(origin(strange), None, "{strange}");
        }
    }
}
