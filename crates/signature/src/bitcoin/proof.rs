//! BIP-322: a text is signed as if an output of the address were spent, in a transaction that no network takes.

use super::reader::Reader;
use super::{tagged, vector};
use k256::ecdsa::signature::hazmat::PrehashVerifier;
use k256::{ecdsa, schnorr};
use portico_calldata::bitcoin::{Kind, hash160, hash256, program, sha256};

/// Flag of a signature over the whole transaction. BIP-322 takes no other.
const ALL: u8 = 1;

/// Output of `to_sign`, whose amount is 0: `OP_RETURN`.
const RETURN: [u8; 10] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 0x6a];

/// Parts of the transaction `to_sign` that a signature carries. It has one input and one output (BIP-322).
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Proof {
    version: u32,
    /// Times from which a spender of coins could use the transaction. A key alone has no such limit, and a sign-in has its own times.
    lock_time: u32,
    sequence: u32,
    /// Transaction whose first output is spent, and the script of the input; `None` in the simple form.
    input: Option<([u8; 32], Vec<u8>)>,
    witness: Vec<Vec<u8>>,
}

impl Proof {
    /// Reads the simple form: a witness.
    pub(super) fn simple(bytes: &[u8]) -> Option<Proof> {
        let mut reader = Reader(bytes);
        let witness = reader.witness()?;
        reader.ended().then_some(Proof { version: 0, lock_time: 0, sequence: 0, input: None, witness })
    }

    /// Reads the full form: the transaction. One with further inputs proves funds, which only a node could verify.
    pub(super) fn full(bytes: &[u8]) -> Option<Proof> {
        let mut reader = Reader(bytes);
        let version = reader.u32().filter(|version| matches!(version, 0 | 2))?;
        // An empty list of inputs is the marker of a transaction with a witness (BIP-144).
        let segregated = reader.0.starts_with(&[0]);
        if segregated && reader.array()? != [0, 1] {
            return None;
        }
        let ([1], spent, 0) = (reader.array()?, reader.array()?, reader.u32()?) else { return None };
        let script = reader.vector()?.to_vec();
        let sequence = reader.u32()?;
        let ([1], RETURN) = (reader.array()?, reader.array()?) else { return None };
        let witness = if segregated { reader.witness()? } else { Vec::new() };
        let lock_time = reader.u32()?;
        reader.ended().then_some(Proof { version, lock_time, sequence, input: Some((spent, script)), witness })
    }

    /// Whether this is a proof of the key of an address, for a text.
    pub(super) fn is_of(&self, kind: &Kind, text: &str) -> bool {
        let spent = to_spend(kind, text);
        if self.input.as_ref().is_some_and(|(id, _)| *id != spent) {
            return false;
        }
        let outpoint = [&spent[..], &[0; 4]].concat();
        let script = self.input.as_ref().map_or(&[][..], |(_, script)| script);
        match (kind, self.witness.as_slice()) {
            // P2PKH has no witness, so its only form is the full one.
            (Kind::P2pkh(_), []) => {
                let mut pushes = Reader(script);
                let (Some(signature), Some(key)) = (push(&mut pushes), push(&mut pushes)) else { return false };
                pushes.ended() && is_signed(kind, signature, key, || self.plain_hash(kind, &outpoint))
            }
            (Kind::P2wpkh(_), [signature, key]) => {
                script.is_empty() && is_signed(kind, signature, key, || self.witness_hash(key, &outpoint))
            }
            (Kind::P2sh(_), [signature, key]) => {
                // The simple form leaves out the script, which follows from the key.
                (self.input.is_none() || script == vector(&program(&hash160(key))))
                    && is_signed(kind, signature, key, || self.witness_hash(key, &outpoint))
            }
            (Kind::P2tr(key), [signature]) => script.is_empty() && self.is_taproot(key, signature, kind, &outpoint),
            _ => false,
        }
    }

    /// Hash that a key signs in a transaction without a witness.
    fn plain_hash(&self, kind: &Kind, outpoint: &[u8]) -> [u8; 32] {
        hash256(
            &[
                &self.version.to_le_bytes()[..],
                &[1],
                outpoint,
                &vector(&kind.script()),
                &self.sequence.to_le_bytes(),
                &[1],
                &RETURN,
                &self.lock_time.to_le_bytes(),
                &u32::from(ALL).to_le_bytes(),
            ]
            .concat(),
        )
    }

    /// Hash that a key signs in a witness of version 0 (BIP-143).
    fn witness_hash(&self, key: &[u8], outpoint: &[u8]) -> [u8; 32] {
        hash256(
            &[
                &self.version.to_le_bytes()[..],
                &hash256(outpoint),
                &hash256(&self.sequence.to_le_bytes()),
                outpoint,
                &vector(&Kind::P2pkh(hash160(key)).script()),
                &[0; 8],
                &self.sequence.to_le_bytes(),
                &hash256(&RETURN),
                &self.lock_time.to_le_bytes(),
                &u32::from(ALL).to_le_bytes(),
            ]
            .concat(),
        )
    }

    /// Whether the key of a Taproot address signed (BIP-340, BIP-341). A signature without a flag is over the whole transaction, too.
    fn is_taproot(&self, key: &[u8; 32], signature: &[u8], kind: &Kind, outpoint: &[u8]) -> bool {
        let (flag, signature) = match signature {
            [numbers @ .., ALL] if numbers.len() == 64 => (ALL, numbers),
            numbers if numbers.len() == 64 => (0, numbers),
            _ => return false,
        };
        let hash = tagged(
            "TapSighash",
            &[
                &[0, flag][..],
                &self.version.to_le_bytes(),
                &self.lock_time.to_le_bytes(),
                &sha256(outpoint),
                &sha256(&[0; 8]),
                &sha256(&vector(&kind.script())),
                &sha256(&self.sequence.to_le_bytes()),
                &sha256(&RETURN),
                &[0; 5],
            ]
            .concat(),
        );
        let (Ok(key), Ok(signature)) =
            (schnorr::VerifyingKey::from_slice(key), schnorr::Signature::from_slice(signature))
        else {
            return false;
        };
        key.verify_raw(&hash, &signature).is_ok()
    }
}

/// Id of the transaction `to_spend`, whose output a proof spends.
fn to_spend(kind: &Kind, text: &str) -> [u8; 32] {
    hash256(
        &[
            &[0; 4][..],
            &[1],
            &[0; 32],
            &[0xff; 4],
            &vector(&[&[0, 32][..], &tagged("BIP0322-signed-message", text.as_bytes())].concat()),
            &[0; 4],
            &[1],
            &[0; 8],
            &vector(&kind.script()),
            &[0; 4],
        ]
        .concat(),
    )
}

/// Bytes that a script pushes, by the shortest of its ways.
fn push<'a>(script: &mut Reader<'a>) -> Option<&'a [u8]> {
    matches!(script.0, [2..=75, ..]).then(|| script.vector())?
}

/// Whether the key of an address signed a hash: strict DER, the lower form, and over the whole transaction.
fn is_signed(kind: &Kind, signature: &[u8], key: &[u8], hash: impl FnOnce() -> [u8; 32]) -> bool {
    let Some((&ALL, der)) = signature.split_last() else { return false };
    if !kind.is_of(key) {
        return false;
    }
    let (Ok(key), Ok(signature)) = (ecdsa::VerifyingKey::from_sec1_bytes(key), ecdsa::Signature::from_der(der)) else {
        return false;
    };
    // The verifier refuses the higher of the two forms.
    key.verify_prehash(&hash(), &signature).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_calldata::bitcoin::Address;
    use portico_encoding::hex;

    /// Ids of transactions are shown with the last byte first.
    fn id(mut hash: [u8; 32]) -> String {
        hash.reverse();
        hex::encode(&hash)
    }

    #[test]
    fn the_virtual_transactions_are_those_of_bip_322() {
        let kind = Address::parse("bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l").unwrap().kind;
        let vectors: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/vectors/bip-0322.json")).unwrap();
        let all = vectors["tx_hashes"].as_array().unwrap();
        assert_eq!(all.len(), 3);
        for vector in all {
            let text = vector["message"].as_str().unwrap();
            let hash = tagged("BIP0322-signed-message", text.as_bytes());
            assert_eq!(hex::encode(&hash), vector["message_hash"].as_str().unwrap());
            let spent = to_spend(&kind, text);
            assert_eq!(id(spent), vector["to_spend"].as_str().unwrap());
            let to_sign = [&[0; 4][..], &[1], &spent, &[0; 4], &[0], &[0; 4], &[1], &RETURN, &[0; 4]].concat();
            assert_eq!(id(hash256(&to_sign)), vector["to_sign"].as_str().unwrap());
        }
    }
}
