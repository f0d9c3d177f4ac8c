use k256::ecdsa::SigningKey;
use portico_encoding::hex;

/// Recoverable signature on secp256k1 whose `s` is in the lower half (EIP-2), with a nonce by RFC 6979.
pub struct Signature {
    /// Coordinate of the nonce's point.
    pub r: [u8; 32],
    /// Proof.
    pub s: [u8; 32],
    /// Parity of the nonce's point: 0 or 1.
    pub parity: u8,
}

impl Signature {
    /// Signs the digest of a form that this crate encoded.
    pub(super) fn of(key: &SigningKey, digest: &[u8; 32]) -> Signature {
        let (signature, recovery) = key.sign_prehash_recoverable(digest);
        let (r, s) = signature.split_bytes();
        Signature { r: r.into(), s: s.into(), parity: u8::from(recovery.is_y_odd()) }
    }

    /// `r`, `s` and 27 or 28, as hex: the form of signed messages.
    pub fn text(&self) -> String {
        ["0x", &hex::encode(&self.r), &hex::encode(&self.s), &hex::encode(&[27 + self.parity])].concat()
    }
}
