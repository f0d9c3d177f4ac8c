//! Sign-in texts (EIP-4361): the text that a wallet shows and signs, bound to a page, a chain, a nonce and a time. Core and server
//! each build it from values, with this code, so what is signed is what the words say.

pub mod name;
mod time;

pub use time::rfc3339;

use crate::Amount;

/// Time in seconds from "Issued At" to "Expiration Time".
pub const LIFE: u64 = 300;

/// Shortest nonce of EIP-4361, and the longest that is accepted here.
const NONCE: std::ops::RangeInclusive<usize> = 8..=64;

/// Values of a sign-in text.
#[derive(Clone, Copy, Debug)]
pub struct SignIn<'a> {
    /// Origin of the page, as browsers write it: "https://app.example:8443".
    pub uri: &'a str,
    /// Account that signs, with its EIP-55 checksum.
    pub address: &'a str,
    /// Sentences that say what is signed.
    pub statement: &'a str,
    /// EIP-155 id of the chain on which a contract account is asked about its signature.
    pub chain: u64,
    /// Nonce of the server: 8 to 64 letters and digits.
    pub nonce: &'a str,
    /// Epoch seconds.
    pub issued_at: u64,
}

impl SignIn<'_> {
    /// The text; `None` if a value could break its line or is not allowed in its place.
    pub fn text(&self) -> Option<String> {
        let domain = self.uri.split_once(':')?.1.strip_prefix("//")?;
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        let nonce = NONCE.contains(&self.nonce.len()) && self.nonce.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let page = !domain.is_empty() && plain(self.uri) && !domain.contains('/');
        let sentences = self.statement.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
        if !(nonce && page && sentences && plain(self.address)) {
            return None;
        }
        let text = [
            domain,
            " wants you to sign in with your Ethereum account:\n",
            self.address,
            "\n\n",
            self.statement,
            "\n\nURI: ",
            self.uri,
            "\nVersion: 1\nChain ID: ",
            &Amount::from(self.chain).to_digits(),
            "\nNonce: ",
            self.nonce,
            "\nIssued At: ",
            &rfc3339(self.issued_at),
            "\nExpiration Time: ",
            &rfc3339(self.issued_at.saturating_add(LIFE)),
        ];
        Some(text.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: SignIn<'_> = SignIn {
        uri: "https://app.example:8443",
        address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        statement: "Register the name alice.example.eth.",
        chain: 8453,
        nonce: "0123456789abcdef",
        issued_at: 1_700_000_000,
    };

    #[test]
    fn the_text_has_the_layout_of_eip_4361() {
        assert_eq!(
            GOOD.text().unwrap(),
            "app.example:8443 wants you to sign in with your Ethereum account:\n\
             0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n\
             \n\
             Register the name alice.example.eth.\n\
             \n\
             URI: https://app.example:8443\n\
             Version: 1\n\
             Chain ID: 8453\n\
             Nonce: 0123456789abcdef\n\
             Issued At: 2023-11-14T22:13:20Z\n\
             Expiration Time: 2023-11-14T22:18:20Z"
        );
    }

    #[test]
    fn a_page_is_an_origin_with_its_port() {
        for (uri, domain) in [
            ("http://localhost:5173", Some("localhost:5173")),
            ("http://[::1]:8080", Some("[::1]:8080")),
            ("capacitor://localhost", Some("localhost")),
            ("null", None),
            ("", None),
            ("https://", None),
            ("https://app.example/", None),
            ("https://app.example/path", None),
            ("https://app example", None),
            ("https://app.example\nNonce: 12345678", None),
            ("https://\u{430}pp.example", None),
        ] {
            let text = SignIn { uri, ..GOOD }.text();
            let line = domain.map(|domain| format!("{domain} wants you to sign in with your Ethereum account:"));
            assert_eq!(text.as_deref().and_then(|text| text.lines().next()), line.as_deref(), "{uri:?}");
        }
    }

    #[test]
    fn no_value_can_write_into_another_line() {
        for hostile in
            ["a\nb1234567", "a\r12345678", "a\u{2028}1234567", "a\u{0}1234567", "a\u{202e}1234567", "a\u{7f}123456"]
        {
            for sign_in in [
                SignIn { uri: hostile, ..GOOD },
                SignIn { address: hostile, ..GOOD },
                SignIn { statement: hostile, ..GOOD },
                SignIn { nonce: hostile, ..GOOD },
            ] {
                assert_eq!(sign_in.text(), None, "{sign_in:?}");
            }
        }
    }

    #[test]
    fn a_nonce_has_8_to_64_letters_and_digits() {
        for nonce in ["", "1234567", "12345678 ", "1234-5678", "12345678%", &"a".repeat(65)] {
            assert_eq!(SignIn { nonce, ..GOOD }.text(), None, "{nonce}");
        }
        assert!(SignIn { nonce: &"a".repeat(64), ..GOOD }.text().is_some());
    }
}
