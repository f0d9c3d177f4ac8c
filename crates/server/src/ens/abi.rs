//! Contract calls and their results. Data from a contract or gateway is decoded with a memory limit: a short text whose
//! parts all point at one another would otherwise fill the memory.
#![allow(missing_docs, reason = "the names are those of the standards")]

use alloy_sol_types::abi::AbiDecoderConfig;
use alloy_sol_types::{SolCall, SolError, sol};

/// Memory limit of decoding, in bytes.
const ROOM: usize = 2 * 1024 * 1024;

const LIMITS: AbiDecoderConfig = AbiDecoderConfig::new().memory_limit(ROOM);

sol! {
    /// EIP-3668.
    #[derive(Debug)]
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    /// ENSIP-21.
    #[derive(Debug)]
    error HttpError(uint16 status, string message);
    struct Query { address sender; string[] urls; bytes data; }
    function query(Query[] queries) returns (bool[] failures, bytes[] responses);

    /// Universal Resolver of ENS.
    function resolveWithGateways(bytes name, bytes data, string[] gateways) returns (bytes result, address resolver);
    function reverseWithGateways(bytes lookupAddress, uint256 coinType, string[] gateways)
        returns (string primary, address resolver, address reverseResolver);

    /// ENSIP-1 and ENSIP-5.
    function addr(bytes32 node) returns (address account);
    function text(bytes32 node, string key) returns (string value);

    /// ERC-721 and ERC-1155.
    function ownerOf(uint256 tokenId) returns (address owner);
    function tokenURI(uint256 tokenId) returns (string uri);
    function balanceOf(address owner, uint256 tokenId) returns (uint256 balance);
    function uri(uint256 tokenId) returns (string uri);
}

/// ENSIP-9: `addr` with a coin type.
pub(super) mod of_coin {
    alloy_sol_types::sol! {
        function addr(bytes32 node, uint256 coinType) returns (bytes account);
    }
}

/// Decodes a function result; `None` if it does not fit.
pub(super) fn returned<C: SolCall>(data: &[u8]) -> Option<C::Return> {
    C::abi_decode_returns_with_config(data, LIMITS).ok()
}

/// Decodes calldata including its selector.
pub(super) fn called<C: SolCall>(data: &[u8]) -> Option<C> {
    C::abi_decode_with_config(data, LIMITS).ok()
}

/// Decodes an error including its selector.
pub(super) fn reverted<E: SolError>(data: &[u8]) -> Option<E> {
    E::abi_decode_with_config(data, LIMITS).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::{FixedBytes, U256};

    #[test]
    fn the_selectors_are_those_of_the_standards() {
        assert_eq!(OffchainLookup::SELECTOR, [0x55, 0x6f, 0x18, 0x30]);
        assert_eq!(queryCall::SELECTOR, [0xa7, 0x80, 0xba, 0xb6]);
        assert_eq!(addrCall::SELECTOR, [0x3b, 0x3b, 0x57, 0xde]);
        assert_eq!(of_coin::addrCall::SELECTOR, [0xf1, 0xcb, 0x7e, 0x06]);
        assert_eq!(textCall::SELECTOR, [0x59, 0xd1, 0xd4, 0x3c]);
    }

    /// `query(Query[])` with `width` references to one query, which has `width` references to one long URL.
    fn bomb(width: usize) -> Vec<u8> {
        let word = |number: usize| FixedBytes::<32>::from(U256::from(number));
        let mut words = vec![word(32), word(width)];
        // Offsets count from after the array's length.
        words.extend(std::iter::repeat_n(word(32 * width), width));
        words.extend([word(0), word(96), word(96 + 32 * (1 + width)), word(width)]);
        words.extend(std::iter::repeat_n(word(32 * width), width));
        words.push(word(32 * width));
        words.extend(std::iter::repeat_n(word(0), width));
        let mut data = queryCall::SELECTOR.to_vec();
        words.iter().for_each(|word| data.extend_from_slice(word.as_slice()));
        data
    }

    #[test]
    fn a_text_whose_parts_point_at_one_another_is_not_unfolded() {
        assert_eq!(called::<queryCall>(&bomb(2)).unwrap().queries.len(), 2);
        assert!(called::<queryCall>(&bomb(500)).is_none());
    }
}
