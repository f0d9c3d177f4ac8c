// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// Tells whether a contract takes a signature as its own (ERC-1271), also one that is not deployed yet (ERC-6492).
///
/// Nobody deploys this. `eth_call` without a recipient runs the constructor, and what would be the code of the contract is the
/// answer: one byte, 1 or 0. An account without code takes no signature here: its own are recovered from the signature itself,
/// where only one form of each counts.
contract SignatureValidator {
    /// What a signature of an account that is not deployed yet ends with (ERC-6492).
    bytes32 private constant WRAPPED = 0x6492649264926492649264926492649264926492649264926492649264926492;
    /// `isValidSignature(bytes32,bytes)`, and what it answers for yes (ERC-1271).
    bytes4 private constant TAKEN = 0x1626ba7e;

    constructor(address signer, bytes32 hash, bytes memory signature) {
        bool taken = isTaken(signer, hash, signature);
        assembly ("memory-safe") {
            mstore(0, taken)
            return(31, 1)
        }
    }

    function isTaken(address signer, bytes32 hash, bytes memory signature) private returns (bool) {
        if (endsWrapped(signature)) {
            address factory;
            bytes memory order;
            (factory, order, signature) = abi.decode(withoutEnd(signature), (address, bytes, bytes));
            if (signer.code.length == 0) {
                // Whether it deployed anything is seen by the code.
                (bool done,) = factory.call(order);
                done;
            }
        }
        if (signer.code.length == 0) return false;
        (bool answered, bytes memory answer) = signer.staticcall(abi.encodeWithSelector(TAKEN, hash, signature));
        return answered && answer.length >= 32 && bytes32(answer) == bytes32(TAKEN);
    }

    function endsWrapped(bytes memory signature) private pure returns (bool) {
        uint256 length = signature.length;
        if (length < 32) return false;
        bytes32 end;
        assembly ("memory-safe") {
            end := mload(add(signature, length))
        }
        return end == WRAPPED;
    }

    function withoutEnd(bytes memory signature) private pure returns (bytes memory) {
        assembly ("memory-safe") {
            mstore(signature, sub(mload(signature), 32))
        }
        return signature;
    }
}
