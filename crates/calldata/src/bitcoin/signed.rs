//! The answer of a wallet to a PSBT: its signatures are taken, and nothing else.

use super::psbt::{MAGIC, key};
use super::reader::{Reader, vector};
use super::transaction::{Payment, Proof};
use super::{Kind, LARGEST, hash160, program};

/// Type of a signature that covers all inputs and outputs. Under another one somebody else may change the payment.
const ALL: u8 = 1;

/// Why the answer of a wallet is no payment.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SignFault {
    /// No PSBT, or one of another transaction.
    Changed,
    /// An input has no signature of the account, or one that does not cover the whole payment.
    Unsigned,
}

/// Whole transaction with the signatures of the wallet's PSBT, and its id. All inputs are of one address.
///
/// The signatures are not verified: a node refuses a wrong one, and none can change what the bytes say.
pub fn complete(payment: &Payment, kind: &Kind, answer: &[u8]) -> Result<(Vec<u8>, [u8; 32]), SignFault> {
    let inputs = inputs_of(payment, answer).ok_or(SignFault::Changed)?;
    let proofs: Option<Vec<Proof>> = inputs.iter().map(|input| input.proof(kind)).collect();
    let proofs = proofs.ok_or(SignFault::Unsigned)?;
    Ok((payment.bytes(&proofs), payment.id(&proofs)))
}

/// Signatures of one input.
#[derive(Default)]
struct Signed<'a> {
    /// Keys, each with its signature.
    partial: Vec<(&'a [u8], &'a [u8])>,
    taproot: Option<&'a [u8]>,
    script: &'a [u8],
    witness: Vec<&'a [u8]>,
}

fn inputs_of<'a>(payment: &Payment, answer: &'a [u8]) -> Option<Vec<Signed<'a>>> {
    // Each input may have a previous transaction with it.
    if answer.len() > LARGEST * (payment.inputs.len() + 1) {
        return None;
    }
    let mut reader = Reader::new(answer);
    if reader.array() != Some(MAGIC) {
        return None;
    }
    let mut same = false;
    while let Some((name, value)) = entry(&mut reader)? {
        same |= *name == [key::TRANSACTION] && value == payment.bytes(&[]);
    }
    if !same {
        return None;
    }
    let read = payment.inputs.iter().map(|_| Signed::read(&mut reader)).collect::<Option<Vec<_>>>()?;
    for _ in &payment.outputs {
        while entry(&mut reader)?.is_some() {}
    }
    reader.ended().then_some(read)
}

/// Next entry of a map: `None` inside at its end, `None` outside for what is no entry.
fn entry<'a>(reader: &mut Reader<'a>) -> Option<Option<(&'a [u8], &'a [u8])>> {
    let name = reader.vector()?;
    if name.is_empty() {
        return Some(None);
    }
    Some(Some((name, reader.vector()?)))
}

impl<'a> Signed<'a> {
    fn read(reader: &mut Reader<'a>) -> Option<Signed<'a>> {
        let mut signed = Signed::default();
        while let Some((name, value)) = entry(reader)? {
            match name {
                [key::SIGNATURE, own @ ..] => signed.partial.push((own, value)),
                [key::TAPROOT_SIGNATURE] => signed.taproot = Some(value),
                [key::FINAL_SCRIPT] => signed.script = value,
                [key::FINAL_WITNESS] => signed.witness = items(value)?,
                _ => {}
            }
        }
        Some(signed)
    }

    /// Proof of an input of this address, made from the signature alone.
    fn proof(&self, kind: &Kind) -> Option<Proof> {
        if let Kind::P2tr(_) = kind {
            let signature = match self.witness.as_slice() {
                [] => self.taproot?,
                [signature] => signature,
                _ => return None,
            };
            // Without a type a signature covers everything.
            let whole = signature.len() == 64 || signature.len() == 65 && signature.last() == Some(&ALL);
            return whole.then(|| Proof { script: Vec::new(), witness: vec![signature.to_vec()] });
        }
        let (own, signature) = self.keyed(kind).filter(|(own, _)| kind.is_of(own))?;
        // A key in the long form is 32 bytes that nobody has paid for.
        if own.len() != 33 || !(9..=73).contains(&signature.len()) || signature.last() != Some(&ALL) {
            return None;
        }
        let witness = vec![signature.to_vec(), own.to_vec()];
        match kind {
            Kind::P2wpkh(_) => Some(Proof { script: Vec::new(), witness }),
            Kind::P2sh(_) => Some(Proof { script: pushes(&[&program(&hash160(own))]), witness }),
            Kind::P2pkh(_) => Some(Proof { script: pushes(&[signature, own]), witness: Vec::new() }),
            Kind::P2wsh(_) | Kind::P2tr(_) => None,
        }
    }

    /// Key and signature: of a finished input, or of one that has only them.
    fn keyed(&self, kind: &Kind) -> Option<(&'a [u8], &'a [u8])> {
        match (self.witness.as_slice(), kind) {
            ([signature, own], _) => Some((own, signature)),
            ([], Kind::P2pkh(_)) if !self.script.is_empty() => {
                // Pushes of less than 76 bytes have the form of a vector.
                let mut reader = Reader::new(self.script);
                let (signature, own) = (reader.vector()?, reader.vector()?);
                reader.ended().then_some((own, signature))
            }
            _ => self.partial.iter().find(|(own, _)| kind.is_of(own)).copied(),
        }
    }
}

/// Items of a witness.
fn items(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut reader = Reader::new(bytes);
    let count = reader.compact()?;
    let items = (0..count).map(|_| reader.vector()).collect::<Option<Vec<_>>>()?;
    reader.ended().then_some(items)
}

/// Script that pushes bytes, each of less than 76.
fn pushes(items: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    for item in items {
        vector(item, &mut out);
    }
    out
}
