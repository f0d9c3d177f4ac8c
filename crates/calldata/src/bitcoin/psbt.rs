//! Partially signed transactions (BIP-174, BIP-371 for Taproot): what a wallet is given to sign.

use super::reader::{compact, vector};
use super::transaction::Payment;
use super::{Kind, Output, hash160, program};

pub(super) const MAGIC: [u8; 5] = *b"psbt\xff";

/// Keys of a map, by their first byte.
pub(super) mod key {
    pub const TRANSACTION: u8 = 0x00;
    pub const PREVIOUS: u8 = 0x00;
    pub const SPENT_OUTPUT: u8 = 0x01;
    pub const SIGNATURE: u8 = 0x02;
    pub const REDEEM_SCRIPT: u8 = 0x04;
    pub const FINAL_SCRIPT: u8 = 0x07;
    pub const FINAL_WITNESS: u8 = 0x08;
    pub const TAPROOT_SIGNATURE: u8 = 0x13;
    pub const INTERNAL_KEY: u8 = 0x17;
}

/// Output that an input spends, with its transaction.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Funding<'a> {
    /// The whole transaction whose output is spent.
    pub previous: &'a [u8],
    pub output: &'a Output,
}

/// PSBT of a payment whose inputs are all of one address. `own` is the public key of the account, where the wallet told it: P2SH needs it.
/// `None` if the key isn't that of the address.
pub fn unsigned(payment: &Payment, kind: &Kind, own: Option<&[u8]>, funding: &[Funding]) -> Option<Vec<u8>> {
    let mut out = MAGIC.to_vec();
    pair(&[key::TRANSACTION], &payment.bytes(&[]), &mut out);
    out.push(0);
    for Funding { previous, output } in funding {
        let mut spent = output.satoshis.to_le_bytes().to_vec();
        vector(&output.script, &mut spent);
        // A signature for Taproot covers the amounts of all inputs; one for an older address does not cover any (P2PKH), or only that of its own
        // input. The previous transaction lets the wallet check them.
        if !matches!(kind, Kind::P2tr(_)) {
            pair(&[key::PREVIOUS], previous, &mut out);
        }
        if !matches!(kind, Kind::P2pkh(_)) {
            pair(&[key::SPENT_OUTPUT], &spent, &mut out);
        }
        match kind {
            Kind::P2sh(_) => {
                let own = own.filter(|own| kind.is_of(own))?;
                pair(&[key::REDEEM_SCRIPT], &program(&hash160(own)), &mut out);
            }
            Kind::P2tr(_) => {
                // The last 32 bytes: a short key has the sign of the point before them.
                if let Some(internal) = own.and_then(|own| own.last_chunk::<32>()) {
                    pair(&[key::INTERNAL_KEY], internal, &mut out);
                }
            }
            _ => {}
        }
        out.push(0);
    }
    out.extend(payment.outputs.iter().map(|_| 0));
    Some(out)
}

fn pair(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
    compact(name.len(), out);
    out.extend(name);
    vector(value, out);
}
