//! Transactions: reading those whose outputs are spent, and writing a payment.

use super::reader::{Reader, compact, vector};
use super::{Kind, LARGEST, hash256};
use portico_encoding::hex;

/// Version of a payment (BIP-68).
const VERSION: u32 = 2;

/// Sequence of inputs that lets the sender replace the transaction by one with a higher fee (BIP-125).
const REPLACEABLE: u32 = 0xffff_fffd;

/// Satoshis that there can ever be.
const MOST_SATOSHIS: u64 = 2_100_000_000_000_000;

/// Output of a transaction, by the transaction's id in the order of its bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OutPoint {
    pub transaction: [u8; 32],
    pub index: u32,
}

impl OutPoint {
    /// Output of the transaction with this id in hex, which shows the bytes from the last one.
    pub fn of(id: &str, index: u32) -> Option<OutPoint> {
        let mut transaction = hex::decode32(id)?;
        transaction.reverse();
        Some(OutPoint { transaction, index })
    }

    /// Id of the transaction as it is shown.
    pub fn id(&self) -> String {
        id_text(&self.transaction)
    }
}

/// Id of a transaction as it is shown: in hex, from the last byte.
pub fn id_text(id: &[u8; 32]) -> String {
    let mut bytes = *id;
    bytes.reverse();
    hex::encode(&bytes)
}

/// Amount and script of an output.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Output {
    pub satoshis: u64,
    pub script: Vec<u8>,
}

/// Transaction with the id that its bytes have, such as one whose outputs are spent.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Previous {
    pub id: [u8; 32],
    /// Outputs that it spends.
    pub inputs: Vec<OutPoint>,
    pub outputs: Vec<Output>,
}

impl Previous {
    /// Reads a whole transaction, with or without its witnesses (BIP-144).
    pub fn read(bytes: &[u8]) -> Option<Previous> {
        if bytes.len() > LARGEST {
            return None;
        }
        let mut reader = Reader::new(bytes);
        let mut body = reader.take(4)?.to_vec();
        let witnessed = bytes.get(4..6) == Some(&[0, 1]);
        if witnessed {
            reader.take(2)?;
        }
        let start = reader.at();
        let mut inputs = Vec::new();
        for _ in 0..reader.compact()? {
            inputs.push(OutPoint { transaction: reader.array()?, index: reader.u32()? });
            reader.vector()?;
            reader.u32()?;
        }
        let mut outputs = Vec::new();
        for _ in 0..reader.compact()? {
            let satoshis = reader.u64().filter(|satoshis| *satoshis <= MOST_SATOSHIS)?;
            outputs.push(Output { satoshis, script: reader.vector()?.to_vec() });
        }
        body.extend(bytes.get(start..reader.at())?);
        if witnessed {
            for _ in &inputs {
                for _ in 0..reader.compact()? {
                    reader.vector()?;
                }
            }
        }
        body.extend(reader.take(4)?);
        reader.ended().then(|| Previous { id: hash256(&body), inputs, outputs })
    }
}

/// Payment, decided: the outputs that it spends, and those that it makes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Payment {
    pub inputs: Vec<OutPoint>,
    pub outputs: Vec<Output>,
}

impl Payment {
    /// Bytes of the transaction with the scripts and witnesses of its inputs, in their order; none of them before it is signed.
    pub fn bytes(&self, proofs: &[Proof]) -> Vec<u8> {
        let mut out = VERSION.to_le_bytes().to_vec();
        let witnessed = proofs.iter().any(|proof| !proof.witness.is_empty());
        if witnessed {
            out.extend([0, 1]);
        }
        compact(self.inputs.len(), &mut out);
        for (place, input) in self.inputs.iter().enumerate() {
            out.extend(input.transaction);
            out.extend(input.index.to_le_bytes());
            vector(proofs.get(place).map_or(&[], |proof| proof.script.as_slice()), &mut out);
            out.extend(REPLACEABLE.to_le_bytes());
        }
        compact(self.outputs.len(), &mut out);
        for output in &self.outputs {
            out.extend(output.satoshis.to_le_bytes());
            vector(&output.script, &mut out);
        }
        if witnessed {
            for proof in proofs {
                compact(proof.witness.len(), &mut out);
                for item in &proof.witness {
                    vector(item, &mut out);
                }
            }
        }
        out.extend(0_u32.to_le_bytes());
        out
    }

    /// Id of the transaction with these proofs. Witnesses are no part of it.
    pub fn id(&self, proofs: &[Proof]) -> [u8; 32] {
        let plain: Vec<Proof> =
            proofs.iter().map(|proof| Proof { script: proof.script.clone(), witness: Vec::new() }).collect();
        hash256(&self.bytes(&plain))
    }
}

/// Proof that an input may be spent: a script, a witness, or both.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Proof {
    pub script: Vec<u8>,
    pub witness: Vec<Vec<u8>>,
}

impl Kind {
    /// Weight of an input that spends an output of this address by one key, with the longest signature. `None` for a script, whose proof is
    /// not known.
    pub fn input_weight(&self) -> Option<u64> {
        // Four units a byte of outpoint, length of the script, script and sequence; one a byte of the witness.
        Some(match self {
            Kind::P2pkh(_) => 4 * (41 + 107),
            Kind::P2sh(_) => 4 * (41 + 23) + 108,
            Kind::P2wpkh(_) => 4 * 41 + 108,
            // Wallets may write the type of the signature, which is a byte more.
            Kind::P2tr(_) => 4 * 41 + 67,
            Kind::P2wsh(_) => return None,
        })
    }

    /// Weight of an output.
    pub fn output_weight(&self) -> u64 {
        4 * (9 + self.script().len() as u64)
    }

    /// Least satoshis of an output that nodes pass on: three satoshis a byte of what it takes to make and to spend it.
    pub fn dust(&self) -> u64 {
        match self {
            Kind::P2pkh(_) => 546,
            Kind::P2sh(_) => 540,
            Kind::P2wpkh(_) => 294,
            Kind::P2wsh(_) | Kind::P2tr(_) => 330,
        }
    }
}
