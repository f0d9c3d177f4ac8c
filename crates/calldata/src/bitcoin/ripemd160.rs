//! RIPEMD-160 of one SHA-256 digest, as addresses need it. The rounds are a loop over the tables of the standard: the unrolled rounds of a library
//! are 1.5 KB more to download. <https://homes.esat.kuleuven.be/~bosselae/ripemd160.html>

/// Chaining values before the first block.
const START: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// Constants of the five rounds, in the left line and in the right one.
const LEFT: [u32; 5] = [0, 0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xa953_fd4e];
const RIGHT: [u32; 5] = [0x50a2_8be6, 0x5c4d_d124, 0x6d70_3ef3, 0x7a6d_76e9, 0];

/// Permutation ρ: the order of the words in a round, from that in the round before.
const RHO: [u8; 16] = [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8];

/// Rotations by round and number of the word, the same in both lines.
const SHIFTS: [[u8; 16]; 5] = [
    [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
    [12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7],
    [13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9],
    [14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6],
    [15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5],
];

/// Bits of a SHA-256 digest, which end the padding.
const BITS: u32 = 256;

pub(super) fn ripemd160(digest: &[u8; 32]) -> [u8; 20] {
    let mut words = [0; 16];
    for (word, bytes) in words.iter_mut().zip(digest.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words[8] = 0x80;
    words[14] = BITS;
    let left = line(&words, &LEFT, std::array::from_fn(|place| place as u8), |round| round);
    // Permutation π is 9i + 5, and the functions come in the opposite order.
    let right = line(&words, &RIGHT, std::array::from_fn(|place| ((9 * place + 5) % 16) as u8), |round| 4 - round);
    let mut hash = [0; 20];
    for (place, bytes) in hash.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let [start, left, right] =
            [(START, 1), (left, 2), (right, 3)].map(|(values, ahead)| values[(place + ahead) % 5]);
        *bytes = start.wrapping_add(left).wrapping_add(right).to_le_bytes();
    }
    hash
}

/// One of the two lines, five rounds of 16 steps.
fn line(words: &[u32; 16], constants: &[u32; 5], mut order: [u8; 16], function: fn(usize) -> usize) -> [u32; 5] {
    let [mut a, mut b, mut c, mut d, mut e] = START;
    for (round, (constant, shifts)) in constants.iter().zip(&SHIFTS).enumerate() {
        for place in order {
            let mixed = match function(round) {
                0 => b ^ c ^ d,
                1 => (b & c) | (!b & d),
                2 => (b | !c) ^ d,
                3 => (b & d) | (c & !d),
                _ => b ^ (c | !d),
            };
            let place = usize::from(place);
            let sum = a.wrapping_add(mixed).wrapping_add(words[place]).wrapping_add(*constant);
            let turned = sum.rotate_left(shifts[place].into()).wrapping_add(e);
            (a, b, c, d, e) = (e, turned, b, c.rotate_left(10), d);
        }
        order = order.map(|place| RHO[usize::from(place)]);
    }
    [a, b, c, d, e]
}

#[cfg(test)]
mod tests {
    use super::*;
    use ripemd::{Digest, Ripemd160};

    proptest::proptest! {
        #[test]
        fn the_hash_is_that_of_the_library(digest: [u8; 32]) {
            assert_eq!(ripemd160(&digest), <[u8; 20]>::from(Ripemd160::digest(digest)));
        }
    }

    #[test]
    fn the_hash_of_a_digest_of_equal_bytes_is_that_of_the_library() {
        for byte in 0..=u8::MAX {
            assert_eq!(ripemd160(&[byte; 32]), <[u8; 20]>::from(Ripemd160::digest([byte; 32])));
        }
    }
}
