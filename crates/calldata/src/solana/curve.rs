//! Curve of Solana's keys (edwards25519, RFC 8032): whether 32 bytes are a point, and whether a signature is valid. Verification only: there
//! are no secrets here, so it need not take constant time, and it is a tenth of the size of a library that signs.

use super::{Key, SIGNATURE};
use sha2::{Digest, Sha512};

/// Number modulo 2^255 - 19, in 16 limbs of 16 bits. Limbs may leave their range between two reductions.
type Field = [i64; 16];

/// Point in extended coordinates: x = X/Z, y = Y/Z, xy = T/Z.
type Point = [Field; 4];

const ZERO: Field = [0; 16];
const ONE: Field = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Constant d of the curve equation -x² + y² = 1 + dx²y².
const D: Field = [
    0x78a3, 0x1359, 0x4dca, 0x75eb, 0xd8ab, 0x4141, 0x0a4d, 0x0070, 0xe898, 0x7779, 0x4079, 0x8cc7, 0xfe73, 0x2b6f,
    0x6cee, 0x5203,
];

/// Square root of -1.
const ROOT: Field = [
    0xa0b0, 0x4a0e, 0x1b27, 0xc4ee, 0xe478, 0xad2f, 0x1806, 0x2f43, 0xd7a7, 0x3dfb, 0x0099, 0x2b4d, 0xdf0b, 0x4fc1,
    0x2480, 0x2b83,
];

/// Base point, compressed.
const BASE: Key = {
    let mut bytes = [0x66; 32];
    bytes[0] = 0x58;
    bytes
};

/// Order of the base point, the lowest byte first.
const ORDER: Key = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// Whether an address is a point of the curve, so that somebody can have a secret key for it. Addresses of programs are not.
pub fn is_on_curve(key: &Key) -> bool {
    decompress(key).is_some()
}

/// Whether a signature of a message is valid for a public key.
pub fn verify(key: &Key, message: &[u8], signature: &[u8; SIGNATURE]) -> bool {
    let (nonce, scalar) = signature.split_at(32);
    // Another spelling of the same scalar would make a second signature of the message.
    if !scalar.iter().rev().lt(ORDER.iter().rev()) {
        return false;
    }
    let Some(mut negative) = decompress(key) else { return false };
    negative[0] = sub(&ZERO, &negative[0]);
    negative[3] = sub(&ZERO, &negative[3]);
    let hash = Sha512::new().chain_update(nonce).chain_update(key).chain_update(message).finalize();
    let Some(base) = decompress(&BASE) else { return false };
    let sum = add_points(&multiply(&base, scalar), &multiply(&negative, &hash));
    compress(&sum) == nonce
}

/// Point of 32 bytes: y, and the sign of x in the highest bit.
fn decompress(bytes: &Key) -> Option<Point> {
    let y = unpack(bytes);
    let square = mul(&y, &y);
    let numerator = sub(&square, &ONE);
    let denominator = add(&ONE, &mul(&square, &D));
    // x = (u/v)^((p+3)/8) = uv³(uv⁷)^((p-5)/8), times the root of -1 where that is the other root (RFC 8032, 5.1.3).
    let cube = mul(&mul(&denominator, &denominator), &denominator);
    let seventh = mul(&mul(&cube, &cube), &denominator);
    let mut x = mul(&mul(&numerator, &cube), &power_5_8(&mul(&numerator, &seventh)));
    let check = |x: &Field| pack(&mul(&mul(x, x), &denominator)) == pack(&numerator);
    if !check(&x) {
        x = mul(&x, &ROOT);
        if !check(&x) {
            return None;
        }
    }
    if pack(&x)[0] & 1 != bytes[31] >> 7 {
        x = sub(&ZERO, &x);
    }
    Some([x, y, ONE, mul(&x, &y)])
}

fn compress([x, y, z, _]: &Point) -> Key {
    let inverse = invert(z);
    let mut bytes = pack(&mul(y, &inverse));
    bytes[31] ^= (pack(&mul(x, &inverse))[0] & 1) << 7;
    bytes
}

fn add_points(one: &Point, other: &Point) -> Point {
    let a = mul(&sub(&one[1], &one[0]), &sub(&other[1], &other[0]));
    let b = mul(&add(&one[0], &one[1]), &add(&other[0], &other[1]));
    let product = mul(&mul(&one[3], &other[3]), &D);
    let c = add(&product, &product);
    let product = mul(&one[2], &other[2]);
    let d = add(&product, &product);
    let (e, f, g, h) = (sub(&b, &a), sub(&d, &c), add(&d, &c), add(&b, &a));
    [mul(&e, &f), mul(&h, &g), mul(&g, &f), mul(&e, &h)]
}

/// Product with a number of any length, the lowest byte first.
fn multiply(point: &Point, scalar: &[u8]) -> Point {
    let mut sum = [ZERO, ONE, ONE, ZERO];
    for byte in scalar.iter().rev() {
        for bit in (0..8).rev() {
            sum = add_points(&sum, &sum);
            if byte >> bit & 1 == 1 {
                sum = add_points(&sum, point);
            }
        }
    }
    sum
}

fn add(one: &Field, other: &Field) -> Field {
    std::array::from_fn(|limb| one[limb] + other[limb])
}

fn sub(one: &Field, other: &Field) -> Field {
    std::array::from_fn(|limb| one[limb] - other[limb])
}

fn mul(one: &Field, other: &Field) -> Field {
    let mut wide = [0; 31];
    for (at, limb) in one.iter().enumerate() {
        for (place, factor) in other.iter().enumerate() {
            wide[at + place] += limb * factor;
        }
    }
    // 2^256 is 38 modulo the prime.
    let mut product: Field = std::array::from_fn(|limb| wide[limb] + 38 * wide.get(limb + 16).unwrap_or(&0));
    carry(&mut product);
    carry(&mut product);
    product
}

/// Moves what is above 16 bits of each limb to the next one.
fn carry(number: &mut Field) {
    for limb in 0..16 {
        let over = number[limb] >> 16;
        number[limb] -= over << 16;
        if limb < 15 {
            number[limb + 1] += over;
        } else {
            number[0] += 38 * over;
        }
    }
}

/// (p - 5) / 8 = 2^252 - 3.
fn power_5_8(base: &Field) -> Field {
    let mut power = *base;
    for bit in (0..251).rev() {
        power = mul(&power, &power);
        if bit != 1 {
            power = mul(&power, base);
        }
    }
    power
}

/// Power p - 2 = 2^255 - 21.
fn invert(base: &Field) -> Field {
    let mut power = *base;
    for bit in (0..254).rev() {
        power = mul(&power, &power);
        if bit != 2 && bit != 4 {
            power = mul(&power, base);
        }
    }
    power
}

fn unpack(bytes: &Key) -> Field {
    let mut number: Field =
        std::array::from_fn(|limb| i64::from(bytes[2 * limb]) | i64::from(bytes[2 * limb + 1]) << 8);
    number[15] &= 0x7fff;
    number
}

/// The one spelling of a number below the prime.
fn pack(number: &Field) -> Key {
    let mut number = *number;
    for _ in 0..3 {
        carry(&mut number);
    }
    for _ in 0..2 {
        // Number minus the prime, which counts if it is not negative.
        let mut less = ZERO;
        let mut borrow = 0;
        for limb in 0..16 {
            let prime = match limb {
                0 => 0xffed,
                15 => 0x7fff,
                _ => 0xffff,
            };
            let rest = number[limb] - prime - borrow;
            borrow = rest >> 16 & 1;
            less[limb] = rest & 0xffff;
        }
        if borrow == 0 {
            number = less;
        }
    }
    std::array::from_fn(|at| (number[at / 2] >> (8 * (at % 2))) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn points_are_those_of_another_implementation(bytes: Key) {
            prop_assert_eq!(is_on_curve(&bytes), VerifyingKey::from_bytes(&bytes).is_ok());
        }

    }

    proptest! {
        // A verification takes long without the optimiser.
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn signatures_of_another_implementation_are_valid_and_any_changed_bit_is_not(
            secret: Key, message: Vec<u8>, at in 0usize..64, bit in 0u8..8,
        ) {
            let secret = SigningKey::from_bytes(&secret);
            let key = secret.verifying_key().to_bytes();
            let mut signature = secret.sign(&message).to_bytes();
            prop_assert!(verify(&key, &message, &signature));
            let mut longer = message.clone();
            longer.push(bit);
            prop_assert!(!verify(&key, &longer, &signature));
            signature[at] ^= 1 << bit;
            prop_assert!(!verify(&key, &message, &signature));
        }
    }

    #[test]
    fn the_same_signature_with_the_order_added_to_its_scalar_is_refused() {
        let secret = SigningKey::from_bytes(&[7; 32]);
        let mut signature = secret.sign(b"hello").to_bytes();
        let mut over = 0;
        for (byte, order) in signature[32..].iter_mut().zip(ORDER) {
            over += u16::from(*byte) + u16::from(order);
            *byte = over as u8;
            over >>= 8;
        }
        assert!(!verify(&secret.verifying_key().to_bytes(), b"hello", &signature));
    }
}
