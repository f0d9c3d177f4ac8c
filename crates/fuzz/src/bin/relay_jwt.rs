//! Any text as a relay's token, and as the claims of one: nobody gets in with what a client did not sign.

#![no_main]

use portico_walletconnect::jwt::{ClientKey, verify, verify_signature};

libfuzzer_sys::fuzz_target!(|text: &str| {
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
});
