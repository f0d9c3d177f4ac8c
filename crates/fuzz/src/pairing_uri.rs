//! Fuzz target: any text as a pairing URI. A URI that can be read is written so that it reads the same.

use portico_walletconnect::uri::{PairingUri, UriFault};

/// Maximum length of a URI that is read, in bytes.
const LONGEST: usize = 4096;

/// Panics if a URI changes when written and read again.
pub fn take(text: &str) {
    let Ok(uri) = PairingUri::parse(text) else { return };
    let written = uri.to_text();
    let again = match PairingUri::parse(&written) {
        // With its characters escaped, the URI may exceed the length limit.
        Err(UriFault::Form) if written.len() > LONGEST => return,
        again => again.unwrap_or_else(|fault| panic!("{written}: {}", fault.text())),
    };
    assert_eq!(again.to_text(), written);
    assert_eq!(again.topic, uri.topic);
}
