//! Random bytes from an external seed. SHA-256 serves as a ratchet, so that bytes given out do not reveal earlier ones.

use crate::crypto::{KeyPair, sha256};

/// Random generator, seeded once with 32 bytes of entropy. Has no `Debug` and no `Clone`: two copies would give out the same key twice.
pub struct Drbg([u8; 32]);

impl Drbg {
    /// Starts from a secret seed.
    pub fn new(seed: [u8; 32]) -> Drbg {
        Drbg(step(0, &seed))
    }

    /// Next 32 random bytes.
    pub fn bytes(&mut self) -> [u8; 32] {
        let out = step(1, &self.0);
        self.0 = step(2, &self.0);
        out
    }

    /// Random iv for one envelope.
    pub fn iv(&mut self) -> [u8; 12] {
        let mut iv = [0; 12];
        iv.copy_from_slice(&self.bytes()[..12]);
        iv
    }

    /// Random number below a bound, which must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let mut word = [0; 8];
        word.copy_from_slice(&self.bytes()[..8]);
        u64::from_le_bytes(word) % bound
    }

    /// New X25519 key pair.
    pub fn key_pair(&mut self) -> KeyPair {
        KeyPair::from_secret(self.bytes())
    }
}

fn step(word: u8, state: &[u8; 32]) -> [u8; 32] {
    let mut block = [word; 33];
    block[1..].copy_from_slice(state);
    sha256(&block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_its_own_bytes_and_none_twice() {
        let (mut one, mut same, mut other) = (Drbg::new([7; 32]), Drbg::new([7; 32]), Drbg::new([8; 32]));
        let mut seen = Vec::new();
        for _ in 0..100 {
            let bytes = one.bytes();
            assert_eq!(bytes, same.bytes());
            assert_ne!(bytes, other.bytes());
            assert!(!seen.contains(&bytes));
            seen.push(bytes);
        }
        assert!((0..100).all(|_| one.below(10) < 10));
    }
}
