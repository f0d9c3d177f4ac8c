//! Keys of a seed: BIP-32 on secp256k1 and SLIP-10 on ed25519.

use crate::entropy::{Seed, hmac_sha512};
use hmac::Mac;
use k256::elliptic_curve::ff::PrimeField;
use k256::elliptic_curve::sec1::ToSec1Point;
use k256::{NonZeroScalar, PublicKey, Scalar};
use zeroize::Zeroizing;

/// First index of hardened children.
pub const HARDENED: u32 = 1 << 31;

/// Secret key and chain code of a node in a tree of keys.
struct Node {
    key: Zeroizing<[u8; 32]>,
    chain: Zeroizing<[u8; 32]>,
}

impl Node {
    fn master(curve: &[u8], seed: &[u8]) -> Node {
        let mut mac = hmac_sha512(curve);
        mac.update(seed);
        Node::split(mac.finalize().into_bytes().into())
    }

    /// HMAC of the parts, keyed by the chain code.
    fn digest(&self, parts: [&[u8]; 3]) -> Node {
        let mut mac = hmac_sha512(self.chain.as_slice());
        parts.iter().for_each(|part| mac.update(part));
        Node::split(mac.finalize().into_bytes().into())
    }

    fn split(bytes: [u8; 64]) -> Node {
        let bytes = Zeroizing::new(bytes);
        let mut node = Node { key: Zeroizing::new([0; 32]), chain: Zeroizing::new([0; 32]) };
        node.key.copy_from_slice(&bytes[..32]);
        node.chain.copy_from_slice(&bytes[32..]);
        node
    }
}

/// Secret key on secp256k1 at a path (BIP-32). `None` where the standard has no key, which nobody has ever seen.
pub fn secp256k1(seed: &Seed, path: &[u32]) -> Option<Zeroizing<[u8; 32]>> {
    secp256k1_of(seed.as_bytes(), path)
}

fn secp256k1_of(seed: &[u8], path: &[u32]) -> Option<Zeroizing<[u8; 32]>> {
    let mut node = Node::master(b"Bitcoin seed", seed);
    let mut secret = scalar(&node.key)?;
    for index in path {
        let number = index.to_be_bytes();
        let child = if *index >= HARDENED {
            node.digest([&[0], node.key.as_slice(), &number])
        } else {
            let public = PublicKey::from_secret_scalar(&secret).to_sec1_point(true);
            node.digest([&[], public.as_bytes(), &number])
        };
        let sum = Zeroizing::new(**scalar(&child.key)? + **secret);
        secret = Zeroizing::new(Option::from(NonZeroScalar::new(*sum))?);
        node = Node { key: Zeroizing::new(secret.to_repr().into()), chain: child.chain };
    }
    Some(node.key)
}

fn scalar(bytes: &[u8; 32]) -> Option<Zeroizing<NonZeroScalar>> {
    let scalar = Zeroizing::new(Option::<Scalar>::from(Scalar::from_repr((*bytes).into()))?);
    Option::from(NonZeroScalar::new(*scalar)).map(Zeroizing::new)
}

/// Secret key on ed25519 at a path (SLIP-10), whose children are all hardened.
pub fn ed25519(seed: &Seed, path: &[u32]) -> Zeroizing<[u8; 32]> {
    ed25519_of(seed.as_bytes(), path)
}

fn ed25519_of(seed: &[u8], path: &[u32]) -> Zeroizing<[u8; 32]> {
    let master = Node::master(b"ed25519 seed", seed);
    let node = path
        .iter()
        .fold(master, |node, index| node.digest([&[0], node.key.as_slice(), &(index | HARDENED).to_be_bytes()]));
    node.key
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_encoding::hex;

    const H: u32 = HARDENED;
    const SEED_1: &str = "000102030405060708090a0b0c0d0e0f";
    const SEED_2: &str = "fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542";

    #[test]
    fn the_vectors_of_bip_32_hold() {
        let key = |seed, path: &[u32]| hex::encode(&*secp256k1_of(&hex::decode(seed).unwrap(), path).unwrap());
        let one = key(SEED_1, &[]);
        assert_eq!(one, "e8f32e723decf4051aefac8e2c93c9c5b214313817cdb01a1494b917c8436b35");
        let one = |path: &[u32]| key(SEED_1, path);
        assert_eq!(one(&[H]), "edb2e14f9ee77d26dd93b4ecede8d16ed408ce149b6cd80b0715a2d911a0afea");
        assert_eq!(one(&[H, 1]), "3c6cb8d0f6a264c91ea8b5030fadaa8e538b020f0a387421a12de9319dc93368");
        assert_eq!(one(&[H, 1, H + 2]), "cbce0d719ecf7431d88e6a89fa1483e02e35092af60c042b1df2ff59fa424dca");
        assert_eq!(one(&[H, 1, H + 2, 2]), "0f479245fb19a38a1954c5c7c0ebab2f9bdfd96a17563ef28a6a4b1a2a764ef4");
        assert_eq!(
            one(&[H, 1, H + 2, 2, 1_000_000_000]),
            "471b76e389e528d6de6d816857e012c5455051cad6660850e58372a6c3e6e7c8"
        );
        assert_eq!(key(SEED_2, &[]), "4b03d6fc340455b363f51020ad3ecca4f0850280cf436c70c727923f6db46c3e");
        assert_eq!(key(SEED_2, &[0]), "abe74a98f6c7eabee0428f53798f0ab8aa1bd37873999041703c742f15ac7e1e");
    }

    #[test]
    fn the_vectors_of_slip_10_hold() {
        let key = |seed, path: &[u32]| hex::encode(&*ed25519_of(&hex::decode(seed).unwrap(), path));
        let one = |path: &[u32]| key(SEED_1, path);
        assert_eq!(one(&[]), "2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7");
        assert_eq!(one(&[0]), "68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3");
        assert_eq!(one(&[0, 1]), "b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2");
        assert_eq!(one(&[0, 1, 2]), "92a5b23c0b8a99e37d07df3fb9966917f5d06e02ddbd909c7e184371463e9fc9");
        assert_eq!(one(&[0, 1, 2, 2]), "30d1dc7e5fc04c31219ab25a27ae00b50f6fd66622f6e9c913253d6511d1e662");
        assert_eq!(
            one(&[0, 1, 2, 2, 1_000_000_000]),
            "8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793"
        );
        assert_eq!(key(SEED_2, &[]), "171cb88b1b3c1db25add599712e36245d75bc65a1a5c9e18d76f9f2b1eab4012");
        assert_eq!(key(SEED_2, &[0]), "1559eb2bbec5790b0c65d8693e4d0875b1747f4970ae8b650486ed7470845635");
    }
}
