//! Fuzz target: any text as a relay token, and as the claims of one. No token is accepted without a client's signature.

use portico_walletconnect::jwt::{ClientKey, verify, verify_signature};

/// Panics if a token is accepted without a signature.
pub fn take(text: &str) {
    if let Err(fault) = verify(text, &["wss://relay.example"], 1_700_000_000) {
        assert!(!fault.close_text().is_empty());
    } else {
        panic!("accepted without a signature: {text}");
    }
    let token = ClientKey::from_seed(&[5; 32]).sign_claims(text);
    if let Ok(claims) = verify_signature(&token) {
        assert_eq!(claims.issuer, ClientKey::from_seed(&[5; 32]).did());
    }
    let _ = verify(&token, &["wss://relay.example"], 1_700_000_000);
}
