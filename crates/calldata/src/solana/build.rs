//! Writes messages of the legacy form, which every wallet signs: the payer of the fee is the only signer.

use super::Key;

/// Account of a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Account {
    pub key: Key,
    pub writable: bool,
}

/// Call of a program.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Call {
    pub program: Key,
    pub accounts: Vec<Account>,
    pub data: Vec<u8>,
}

impl Account {
    pub fn writable(key: Key) -> Account {
        Account { key, writable: true }
    }

    pub fn readonly(key: Key) -> Account {
        Account { key, writable: false }
    }
}

/// Bytes of a message that `payer` signs: header, keys, recent block and calls. Keys are the payer, writable ones, then the others, each once.
pub fn message(payer: &Key, block: &Key, calls: &[Call]) -> Vec<u8> {
    let named = || calls.iter().flat_map(|call| call.accounts.iter().copied().chain([Account::readonly(call.program)]));
    let mut keys = vec![*payer];
    for writable in [true, false] {
        for account in named().filter(|account| account.writable == writable) {
            if !keys.contains(&account.key) {
                keys.push(account.key);
            }
        }
    }
    let writable = keys.iter().filter(|key| named().any(|account| account.writable && account.key == **key));
    // The payer is writable without being named so.
    let readonly = keys.len() - 1 - writable.filter(|key| *key != payer).count();
    let mut bytes = vec![1, 0, readonly as u8];
    compact(keys.len(), &mut bytes);
    for key in &keys {
        bytes.extend(key);
    }
    bytes.extend(block);
    compact(calls.len(), &mut bytes);
    let place = |key: &Key| keys.iter().position(|known| known == key).unwrap_or_default() as u8;
    for call in calls {
        bytes.push(place(&call.program));
        compact(call.accounts.len(), &mut bytes);
        bytes.extend(call.accounts.iter().map(|account| place(&account.key)));
        compact(call.data.len(), &mut bytes);
        bytes.extend(&call.data);
    }
    bytes
}

/// Transaction of a message with one signature.
pub fn transaction(signature: &[u8; super::SIGNATURE], message: &[u8]) -> Vec<u8> {
    [&[1], signature.as_slice(), message].concat()
}

/// Number in the compact form: seven bits a byte, the lowest first.
fn compact(mut number: usize, bytes: &mut Vec<u8>) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
