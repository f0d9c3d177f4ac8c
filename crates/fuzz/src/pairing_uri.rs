//! Any text as a pairing URI; what is read is written so that it is read the same.

use portico_walletconnect::uri::{PairingUri, UriFault};

/// In bytes.
const LONGEST: usize = 4096;

/// Panics where that does not hold.
pub fn take(text: &str) {
    let Ok(uri) = PairingUri::parse(text) else { return };
    let written = uri.to_text();
    let again = match PairingUri::parse(&written) {
        // Escaped, it may be longer than what is looked at.
        Err(UriFault::Form) if written.len() > LONGEST => return,
        again => again.unwrap_or_else(|fault| panic!("{written}: {}", fault.text())),
    };
    assert_eq!(again.to_text(), written);
    assert_eq!(again.topic, uri.topic);
}
