use super::number::{self, Number};
use super::{Signature, rlp};
use crate::refusal::{Reason, Refusal};
use k256::ecdsa::SigningKey;
use portico_encoding::hex;
use portico_json::Value;
use portico_terms::address::{keccak256, with_checksum};

/// Transaction of EIP-1559, or of EIP-155 where it has a gas price.
pub struct Transaction {
    chain: u64,
    nonce: u64,
    gas: u64,
    to: Option<[u8; 20]>,
    value: Number,
    data: Vec<u8>,
    fee: Fee,
}

enum Fee {
    /// Price of the gas, before EIP-1559.
    Price(Number),
    /// Limits of the price and of the tip (EIP-1559).
    Market { most: Number, tip: Number },
}

/// Signed transaction.
pub struct SignedTransaction {
    /// Bytes to send.
    pub raw: Vec<u8>,
    /// Hash, by which explorers find it.
    pub hash: [u8; 32],
}

/// Fields that are read. Another one would change the meaning of a transaction, so it is refused.
const FIELDS: [&str; 13] = [
    "from",
    "to",
    "value",
    "data",
    "input",
    "gas",
    "gasPrice",
    "maxFeePerGas",
    "maxPriorityFeePerGas",
    "nonce",
    "chainId",
    "type",
    "accessList",
];

/// Largest number of a chain, so that `v` of EIP-155 fits 64 bits: that of JavaScript's exact integers.
const LARGEST_CHAIN: u64 = (1 << 53) - 1;

impl Transaction {
    /// Reads the parameter of `eth_sendTransaction`. Numbers are quantities; `nonce`, `gas`, `chainId` and the fees must be there, because
    /// this crate asks no node. `from` is not checked here. A field that is `null` counts as absent.
    pub fn read(params: &Value) -> Result<Transaction, Refusal> {
        let fields = params.as_object().ok_or(Refusal::params("transaction"))?;
        if fields.iter().any(|(name, value)| !FIELDS.contains(&name.as_str()) && !value.is_null()) {
            return Err(Refusal::new(Reason::Method, "transaction"));
        }
        let list = params.get("accessList");
        if !list.is_null() && list.as_list() != Some(&[]) {
            return Err(Refusal::new(Reason::Method, "accessList"));
        }
        let (to, data) = (receiver(params)?, data(params)?);
        if to.is_none() && data.is_empty() {
            return Err(Refusal::params("to"));
        }
        let chain = small(params, "chainId")?;
        if chain == 0 || chain > LARGEST_CHAIN {
            return Err(Refusal::params("chainId"));
        }
        let nonce = small(params, "nonce")?;
        // EIP-2681.
        if nonce == u64::MAX {
            return Err(Refusal::params("nonce"));
        }
        let value = if params.get("value").is_null() { [0; 32] } else { quantity(params, "value")? };
        Ok(Transaction { chain, nonce, gas: small(params, "gas")?, to, value, data, fee: fee(params)? })
    }

    /// Number of the chain (EIP-155).
    pub fn chain(&self) -> u64 {
        self.chain
    }

    /// Signs the transaction.
    pub fn sign(&self, key: &SigningKey) -> SignedTransaction {
        let digest = keccak256(&self.encode(&[]));
        let Signature { r, s, parity } = Signature::of(key, &digest);
        let v = match self.fee {
            Fee::Price(_) => self.chain * 2 + 35 + u64::from(parity),
            Fee::Market { .. } => u64::from(parity),
        };
        let raw = self.encode(&[integer(&v.to_be_bytes()), integer(&r), integer(&s)]);
        SignedTransaction { hash: keccak256(&raw), raw }
    }

    /// Encodes the transaction with its signature, or without for the digest.
    fn encode(&self, signature: &[Vec<u8>]) -> Vec<u8> {
        let chain = integer(&self.chain.to_be_bytes());
        let (nonce, gas) = (integer(&self.nonce.to_be_bytes()), integer(&self.gas.to_be_bytes()));
        let to = rlp::item(self.to.as_ref().map_or(&[], |to| to));
        let rest = [gas, to, integer(&self.value), rlp::item(&self.data)];
        match &self.fee {
            Fee::Price(price) => {
                let mut items = vec![nonce, integer(price)];
                items.extend(rest);
                match signature {
                    [] => items.extend([chain, rlp::item(&[]), rlp::item(&[])]),
                    signature => items.extend_from_slice(signature),
                }
                rlp::list(&items)
            }
            Fee::Market { most, tip } => {
                let mut items = vec![chain, nonce, integer(tip), integer(most)];
                items.extend(rest);
                items.push(rlp::list(&[]));
                items.extend_from_slice(signature);
                [vec![2], rlp::list(&items)].concat()
            }
        }
    }
}

fn integer(bytes: &[u8]) -> Vec<u8> {
    rlp::item(number::significant(bytes))
}

fn quantity(params: &Value, name: &'static str) -> Result<Number, Refusal> {
    params.get(name).as_str().and_then(number::from_quantity).ok_or(Refusal::params(name))
}

fn small(params: &Value, name: &'static str) -> Result<u64, Refusal> {
    number::to_u64(&quantity(params, name)?).ok_or(Refusal::params(name))
}

fn receiver(params: &Value) -> Result<Option<[u8; 20]>, Refusal> {
    match params.get("to") {
        Value::Null => Ok(None),
        to => to.as_str().and_then(address).map(Some).ok_or(Refusal::params("to")),
    }
}

/// Reads an address: `0x` and 40 hex digits, whose checksum holds if they have one (EIP-55).
pub fn address(text: &str) -> Option<[u8; 20]> {
    with_checksum(text).ok()?;
    hex::decode(text.strip_prefix("0x")?)?.try_into().ok()
}

/// Calldata, by either of its names.
fn data(params: &Value) -> Result<Vec<u8>, Refusal> {
    let read = |name| match params.get(name) {
        Value::Null => Ok(None),
        value => {
            let bytes = value.as_str().and_then(|text| text.strip_prefix("0x")).and_then(hex::decode);
            bytes.map(Some).ok_or(Refusal::params(name))
        }
    };
    match (read("data")?, read("input")?) {
        (Some(data), Some(input)) if data != input => Err(Refusal::params("input")),
        (data, input) => Ok(data.or(input).unwrap_or_default()),
    }
}

fn fee(params: &Value) -> Result<Fee, Refusal> {
    let is_priced = !params.get("gasPrice").is_null();
    let is_market = ["maxFeePerGas", "maxPriorityFeePerGas"].iter().any(|name| !params.get(name).is_null());
    let kind = match params.get("type") {
        Value::Null => None,
        kind => Some(kind.as_str().and_then(number::from_quantity).as_ref().and_then(number::to_u64)),
    };
    match (is_priced, is_market, kind) {
        (true, false, None | Some(Some(0))) => Ok(Fee::Price(quantity(params, "gasPrice")?)),
        (false, true, None | Some(Some(2))) => {
            let (most, tip) = (quantity(params, "maxFeePerGas")?, quantity(params, "maxPriorityFeePerGas")?);
            if tip > most { Err(Refusal::params("maxPriorityFeePerGas")) } else { Ok(Fee::Market { most, tip }) }
        }
        (_, _, Some(Some(1 | 3..))) => Err(Refusal::new(Reason::Method, "type")),
        (_, _, Some(None)) => Err(Refusal::params("type")),
        (true, ..) => Err(Refusal::params("gasPrice")),
        (false, ..) => Err(Refusal::params("maxFeePerGas")),
    }
}

#[cfg(test)]
mod tests;
