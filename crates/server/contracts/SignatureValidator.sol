// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// Checks whether a contract accepts a signature (ERC-1271), even if it is not deployed yet (ERC-6492).
///
/// Never deployed: `eth_call` without a recipient runs the constructor and returns what would become the code: one byte, 1 or 0.
/// An account without code accepts no signature here: the server recovers its signers itself, and accepts only one form of
/// each signature.
contract SignatureValidator {
    /// Suffix of a signature of an account that is not deployed yet (ERC-6492).
    bytes32 private constant WRAPPED = 0x6492649264926492649264926492649264926492649264926492649264926492;
    /// Selector of `isValidSignature(bytes32,bytes)`, which is also its result for a valid signature (ERC-1271).
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
                // The result of the factory is ignored: the code at the address shows whether it deployed.
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
