//! Random numbers from a seed that came with a call.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

/// Seed: 32 random bytes.
pub type Seed = [u8; 32];

pub(crate) fn of(seed: &Seed) -> ChaCha20Rng {
    ChaCha20Rng::from_seed(*seed)
}
