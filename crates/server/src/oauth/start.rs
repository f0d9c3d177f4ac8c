//! Beginning of a login: the values that bind the service's response to it.

use super::{LoginFault, encode};
use ring::digest::{SHA256, digest};
use zeroize::Zeroizing;

/// Values of one login. The state finds the login when the visitor comes back, the nonce binds the ID token to it, and the verifier (RFC 7636)
/// proves that the code is redeemed by who asked for it.
pub(crate) struct Start {
    /// 32 random bytes.
    pub(crate) state: String,
    /// Hash over the device's key and the login.
    pub(crate) nonce: String,
    /// 32 random bytes.
    pub(crate) verifier: Zeroizing<String>,
}

impl Start {
    /// Makes the values of a login. `device` is the thumbprint of the key that will finish it.
    pub(crate) fn new(device: &str, transaction: &str) -> Result<Start, LoginFault> {
        let random = || {
            let mut bytes = Zeroizing::new([0; 32]);
            getrandom::fill(&mut bytes[..]).map_err(|_| LoginFault::Random)?;
            Ok(Zeroizing::new(encode(&bytes[..])))
        };
        let state = random()?.to_string();
        Ok(Start { state, nonce: nonce(device, transaction), verifier: random()? })
    }

    /// Values of a login that was stored.
    pub(crate) fn stored(device: &str, transaction: &str, state: String, verifier: String) -> Start {
        Start { state, nonce: nonce(device, transaction), verifier: Zeroizing::new(verifier) }
    }

    /// Challenge of the verifier, by the method S256.
    pub(super) fn challenge(&self) -> String {
        encode(digest(&SHA256, self.verifier.as_bytes()))
    }
}

/// The nonce is a hash, so that a service learns neither the device's key nor the login.
fn nonce(device: &str, transaction: &str) -> String {
    encode(digest(&SHA256, format!("portico nonce 1\n{device}\n{transaction}").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_that_of_rfc_7636() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let start = Start::stored("device", "login", "state".into(), verifier.into());
        assert_eq!(start.challenge(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn the_nonce_belongs_to_one_device_and_one_login_and_the_rest_is_new_each_time() {
        let [one, again] = [0, 1].map(|_| Start::new("device", "login").unwrap());
        assert_eq!(one.nonce, again.nonce);
        assert_ne!(one.state, again.state);
        assert_ne!(one.verifier, again.verifier);
        assert_ne!(one.nonce, Start::new("other", "login").unwrap().nonce);
        assert_ne!(one.nonce, Start::new("device", "other").unwrap().nonce);
        assert_eq!((one.state.len(), one.verifier.len()), (43, 43));
    }
}
