//! Coin types: SLIP-44, and ENSIP-11 for `eip155` chains.

use crate::AppState;
use portico_terms::{ChainId, address};

/// Ethereum.
pub(super) const ETHER: u32 = 60;
const SOLANA: u32 = 501;
/// With this bit, the rest is the id of an `eip155` chain; alone, it stands for all EVM chains (ENSIP-19).
pub(super) const EVM: u32 = 0x8000_0000;

pub(super) fn is_evm(coin_type: u32) -> bool {
    coin_type == ETHER || coin_type & EVM != 0
}

/// Chain of ENS.
fn ethereum(state: &AppState) -> Option<ChainId> {
    state.ens().map_or_else(|| "eip155:1".parse().ok(), |ens| Some(ens.chain.clone()))
}

/// Chain of the contract account of this coin type; `None` if the coin type does not stand for a single chain.
pub(super) fn chain(state: &AppState, coin_type: u32) -> Option<ChainId> {
    match coin_type {
        ETHER => ethereum(state),
        EVM => None,
        _ if is_evm(coin_type) => format!("eip155:{}", coin_type & !EVM).parse().ok(),
        _ => None,
    }
}

/// Canonical coin type of its chain: if two coin types stand for the ENS chain, it is Ethereum's.
pub(super) fn on_one_chain(state: &AppState, coin_type: u32) -> Option<u32> {
    let chain = chain(state, coin_type)?;
    Some(if ethereum(state) == Some(chain) { ETHER } else { coin_type })
}

/// Address in its stored form; `None` if it does not fit the coin type or the coin type is unknown.
pub(super) fn address(coin_type: u32, text: &str) -> Option<String> {
    match coin_type {
        _ if is_evm(coin_type) => address::with_checksum(text).ok(),
        SOLANA => base58(text).filter(|key| key.len() == 32).map(|_| text.to_owned()),
        _ => None,
    }
}

/// Address as contracts return it (ENSIP-9): its raw bytes.
pub(super) fn bytes(coin_type: u32, address: &str) -> Option<Vec<u8>> {
    match coin_type {
        _ if is_evm(coin_type) => alloy_primitives::hex::decode(address).ok(),
        SOLANA => base58(address),
        _ => None,
    }
}

fn base58(text: &str) -> Option<Vec<u8>> {
    const ALPHABET: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    if text.len() > 44 {
        return None;
    }
    // Little-endian.
    let mut bytes: Vec<u8> = Vec::new();
    for letter in text.bytes() {
        let mut carry = u32::try_from(ALPHABET.iter().position(|known| *known == letter)?).ok()?;
        for byte in &mut bytes {
            carry += u32::from(*byte) * 58;
            *byte = carry.to_le_bytes()[0];
            carry >>= 8;
        }
        if carry > 0 {
            bytes.push(carry.to_le_bytes()[0]);
        }
    }
    let zeros = text.bytes().take_while(|letter| *letter == b'1').count();
    bytes.resize(bytes.len() + zeros, 0);
    bytes.reverse();
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_kept_where_it_is_one_of_its_coin_type() {
        let evm = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
        assert_eq!(address(ETHER, &evm.to_lowercase()).as_deref(), Some(evm));
        assert_eq!(address(EVM | 10, evm).as_deref(), Some(evm));
        assert_eq!(bytes(EVM | 10, evm).map(|bytes| bytes.len()), Some(20));
        let solana = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
        assert_eq!(address(SOLANA, solana).as_deref(), Some(solana));
        assert_eq!(bytes(SOLANA, "11111111111111111111111111111111"), Some(vec![0; 32]));
        assert_eq!(bytes(SOLANA, "11111111111111111111111111111112").and_then(|bytes| bytes.last().copied()), Some(1));
        for (coin_type, text) in [
            (ETHER, solana),
            (ETHER, ""),
            (SOLANA, evm),
            (SOLANA, "1111111111111111111111111111111"),
            (SOLANA, &"z".repeat(44)),
            (SOLANA, &"1".repeat(45)),
            (0, "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"),
        ] {
            assert_eq!(address(coin_type, text), None, "{coin_type} {text}");
        }
    }
}
