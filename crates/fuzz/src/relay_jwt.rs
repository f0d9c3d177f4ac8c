//! Any text as a relay's token, and as the claims of one: nobody gets in with what a client did not sign.

use portico_walletconnect::jwt::{ClientKey, verify, verify_signature};

/// Panics where that does not hold.
pub fn take(text: &str) {
    if let Err(fault) = verify(text, &["wss://relay.example"], 1_700_000_000) {
        assert!(!fault.close_text().is_empty());
    } else {
        panic!("signed by nobody: {text}");
    }
    let token = ClientKey::from_seed(&[5; 32]).sign_claims(text);
    if let Ok(claims) = verify_signature(&token) {
        assert_eq!(claims.issuer, ClientKey::from_seed(&[5; 32]).did());
    }
    let _ = verify(&token, &["wss://relay.example"], 1_700_000_000);
}
