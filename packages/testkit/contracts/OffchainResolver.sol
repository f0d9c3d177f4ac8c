// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {OffchainLookup} from "./Lookup.sol";

/// Resolver of a name whose records come from a gateway (EIP-3668); it also resolves every name below it (ENSIP-10).
///
/// The gateway responds with `abi.encode(bytes result, uint64 expires, bytes signature)`; the signature is over
/// `keccak256(0x1900 || this contract || expires || keccak256(request) || keccak256(result))`.
contract OffchainResolver is Ownable {
    string[] private urls;
    mapping(address => bool) public signers;

    error Expired(uint64 expires);
    error UnknownSigner(address signer);

    constructor(address owner, string[] memory urls_, address signer) Ownable(owner) {
        urls = urls_;
        signers[signer] = true;
    }

    function setUrls(string[] memory urls_) external onlyOwner {
        urls = urls_;
    }

    function setSigner(address signer, bool trusted) external onlyOwner {
        signers[signer] = trusted;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        bytes memory request = abi.encodeCall(this.resolve, (name, data));
        revert OffchainLookup(address(this), urls, request, this.resolveWithProof.selector, request);
    }

    function resolveWithProof(bytes calldata response, bytes calldata request) external view returns (bytes memory) {
        (bytes memory result, uint64 expires, bytes memory signature) = abi.decode(response, (bytes, uint64, bytes));
        if (expires < block.timestamp) revert Expired(expires);
        address signer = ECDSA.recover(signatureHash(address(this), expires, request, result), signature);
        if (!signers[signer]) revert UnknownSigner(signer);
        return result;
    }

    function signatureHash(address target, uint64 expires, bytes memory request, bytes memory result)
        public
        pure
        returns (bytes32)
    {
        return keccak256(abi.encodePacked(hex"1900", target, expires, keccak256(request), keccak256(result)));
    }

    /// ERC-165 and ENSIP-10.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x9061b923;
    }
}
