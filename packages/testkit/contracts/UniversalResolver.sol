// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {OffchainLookup} from "./Lookup.sol";

interface Registry {
    function resolver(bytes32 node) external view returns (address);
}

interface Resolver {
    function addr(bytes32 node) external view returns (address);
    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory);
    function name(bytes32 node) external view returns (string memory);
    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory);
    function supportsInterface(bytes4 id) external view returns (bool);
}

/// ENSIP-21: several lookups in one gateway request.
interface BatchGateway {
    struct Query {
        address sender;
        string[] urls;
        bytes data;
    }

    error HttpError(uint16 status, string message);

    function query(Query[] memory queries) external view returns (bool[] memory failures, bytes[] memory responses);
}

/// Resolves a name, or the primary name of an address, in one call: finds the resolver, queries it, and checks that a claimed name resolves
/// to the claiming address. Interface and errors are those of the ENS Universal Resolver; the implementation is a short one over the first
/// registry only.
contract UniversalResolver {
    /// The registry has the same address on every chain with ENS.
    Registry public constant registry = Registry(0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e);

    error ResolverNotFound(bytes name);
    error ResolverNotContract(bytes name, address resolver);
    error UnsupportedResolverProfile(bytes4 selector);
    error ResolverError(bytes errorData);
    error ReverseAddressMismatch(string primary, bytes primaryAddress);
    error HttpError(uint16 status, string message);
    error InvalidBatchGatewayResponse();
    error DNSDecodingFailed(bytes dns);
    error DNSEncodingFailed(string ens);
    error EmptyAddress();

    /// State of a lookup in progress, passed through the client between the calls of EIP-3668.
    struct Carry {
        address resolver;
        bool extended;
        bytes4 selector;
        bytes4 callback;
        bytes extra;
        bytes rest;
    }

    /// State of a reverse lookup in progress.
    struct Claim {
        bytes account;
        uint256 coinType;
        string primary;
        address reverseResolver;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory, address) {
        return _resolve(name, data, localGateways());
    }

    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] calldata gateways)
        external
        view
        returns (bytes memory, address)
    {
        return _resolve(name, data, gateways);
    }

    function _resolve(bytes memory name, bytes memory data, string[] memory gateways)
        private
        view
        returns (bytes memory, address)
    {
        return lookup(name, data, gateways, this.resolveCallback.selector, "");
    }

    function resolveCallback(bytes calldata response, bytes calldata extra)
        external
        view
        returns (bytes memory, address)
    {
        Carry memory carry = abi.decode(extra, (Carry));
        return (answered(response, carry), carry.resolver);
    }

    function reverse(bytes calldata lookupAddress, uint256 coinType)
        external
        view
        returns (string memory, address, address)
    {
        return _reverse(lookupAddress, coinType, localGateways());
    }

    function reverseWithGateways(bytes calldata lookupAddress, uint256 coinType, string[] calldata gateways)
        external
        view
        returns (string memory, address, address)
    {
        return _reverse(lookupAddress, coinType, gateways);
    }

    function _reverse(bytes memory account, uint256 coinType, string[] memory gateways)
        private
        view
        returns (string memory, address, address)
    {
        if (account.length == 0) revert EmptyAddress();
        bytes memory reverseName = encode(reverseNameOf(account, coinType));
        bytes memory question = abi.encodeCall(Resolver.name, (namehash(reverseName, 0)));
        (bytes memory said, address reverseResolver) =
            lookup(reverseName, question, gateways, this.reverseNameCallback.selector, abi.encode(account, coinType, gateways));
        return forward(Claim(account, coinType, abi.decode(said, (string)), reverseResolver), gateways);
    }

    /// EIP-3668 callback with the gateway's response for the name that an address claims.
    function reverseNameCallback(bytes calldata response, bytes calldata extra)
        external
        view
        returns (string memory, address, address)
    {
        Carry memory carry = abi.decode(extra, (Carry));
        (bytes memory account, uint256 coinType, string[] memory gateways) =
            abi.decode(carry.rest, (bytes, uint256, string[]));
        string memory primary = abi.decode(answered(response, carry), (string));
        return forward(Claim(account, coinType, primary, carry.resolver), gateways);
    }

    function forward(Claim memory claim, string[] memory gateways)
        private
        view
        returns (string memory, address, address)
    {
        if (bytes(claim.primary).length == 0) return ("", address(0), claim.reverseResolver);
        bytes memory name = encode(claim.primary);
        bytes32 node = namehash(name, 0);
        bytes memory question = claim.coinType == 60
            ? abi.encodeWithSignature("addr(bytes32)", node)
            : abi.encodeWithSignature("addr(bytes32,uint256)", node, claim.coinType);
        (bytes memory said, address resolver) =
            lookup(name, question, gateways, this.reverseAddressCallback.selector, abi.encode(claim));
        return confirmed(claim, said, resolver);
    }

    /// EIP-3668 callback with the gateway's response for the address of the claimed name.
    function reverseAddressCallback(bytes calldata response, bytes calldata extra)
        external
        view
        returns (string memory, address, address)
    {
        Carry memory carry = abi.decode(extra, (Carry));
        return confirmed(abi.decode(carry.rest, (Claim)), answered(response, carry), carry.resolver);
    }

    function confirmed(Claim memory claim, bytes memory said, address resolver)
        private
        pure
        returns (string memory, address, address)
    {
        bytes memory account =
            claim.coinType == 60 ? abi.encodePacked(abi.decode(said, (address))) : abi.decode(said, (bytes));
        if (keccak256(account) != keccak256(claim.account)) revert ReverseAddressMismatch(claim.primary, account);
        return (claim.primary, resolver, claim.reverseResolver);
    }

    /// Queries the resolver of a name, or of its nearest parent whose resolver also resolves subnames (ENSIP-10).
    function lookup(bytes memory name, bytes memory data, string[] memory gateways, bytes4 callback, bytes memory rest)
        private
        view
        returns (bytes memory, address)
    {
        (address resolver, bool exact) = findResolver(name);
        if (resolver == address(0)) revert ResolverNotFound(name);
        if (resolver.code.length == 0) revert ResolverNotContract(name, resolver);
        bool extended = isExtended(resolver);
        if (!exact && !extended) revert ResolverNotFound(name);
        bytes memory question = extended ? abi.encodeCall(Resolver.resolve, (name, data)) : data;
        (bool ok, bytes memory said) = resolver.staticcall(question);
        if (ok) return (unwrapped(said, extended, bytes4(data)), resolver);
        if (bytes4(said) != OffchainLookup.selector) revert ResolverError(said);
        Carry memory carry = Carry(resolver, extended, bytes4(data), 0, "", rest);
        return (elsewhere(said, carry, gateways, callback), resolver);
    }

    /// Reverts with the resolver's `OffchainLookup` wrapped into one query for a batch gateway, for the client to fetch.
    function elsewhere(bytes memory said, Carry memory carry, string[] memory gateways, bytes4 callback)
        private
        view
        returns (bytes memory)
    {
        bytes memory arguments = new bytes(said.length - 4);
        for (uint256 at = 0; at < arguments.length; at++) arguments[at] = said[at + 4];
        (address sender, string[] memory urls, bytes memory callData, bytes4 inner, bytes memory extra) =
            abi.decode(arguments, (address, string[], bytes, bytes4, bytes));
        if (sender != carry.resolver) revert ResolverError(said);
        carry.callback = inner;
        carry.extra = extra;
        BatchGateway.Query[] memory queries = new BatchGateway.Query[](1);
        queries[0] = BatchGateway.Query(sender, urls, callData);
        bytes memory query = abi.encodeCall(BatchGateway.query, (queries));
        revert OffchainLookup(address(this), gateways, query, callback, abi.encode(carry));
    }

    /// Passes the gateway's response to the resolver's callback and returns its result.
    function answered(bytes memory response, Carry memory carry) private view returns (bytes memory) {
        (bool[] memory failures, bytes[] memory responses) = abi.decode(response, (bool[], bytes[]));
        if (failures.length != 1 || responses.length != 1) revert InvalidBatchGatewayResponse();
        if (failures[0]) {
            bytes memory failure = responses[0];
            if (bytes4(failure) != HttpError.selector) revert ResolverError(failure);
            assembly {
                revert(add(failure, 32), mload(failure))
            }
        }
        (bool ok, bytes memory said) =
            carry.resolver.staticcall(abi.encodeWithSelector(carry.callback, responses[0], carry.extra));
        if (!ok) revert ResolverError(said);
        return unwrapped(said, carry.extended, carry.selector);
    }

    function unwrapped(bytes memory said, bool extended, bytes4 selector) private pure returns (bytes memory result) {
        result = extended ? abi.decode(said, (bytes)) : said;
        if (result.length == 0) revert UnsupportedResolverProfile(selector);
    }

    function isExtended(address resolver) private view returns (bool) {
        (bool ok, bytes memory said) =
            resolver.staticcall(abi.encodeCall(Resolver.supportsInterface, (Resolver.resolve.selector)));
        return ok && said.length == 32 && abi.decode(said, (uint256)) == 1;
    }

    function findResolver(bytes memory name) public view returns (address resolver, bool exact) {
        for (uint256 at = 0; at < name.length; at += 1 + uint8(name[at])) {
            resolver = registry.resolver(namehash(name, at));
            if (resolver != address(0)) return (resolver, at == 0);
        }
    }

    /// EIP-137 namehash of a DNS-encoded name, starting at byte `at`.
    function namehash(bytes memory name, uint256 at) private pure returns (bytes32 node) {
        if (at >= name.length) revert DNSDecodingFailed(name);
        uint256 length = uint8(name[at]);
        if (length == 0) return 0;
        if (at + 1 + length >= name.length) revert DNSDecodingFailed(name);
        bytes32 label;
        assembly {
            label := keccak256(add(add(name, 33), at), length)
        }
        return keccak256(abi.encodePacked(namehash(name, at + 1 + length), label));
    }

    /// DNS encoding of a name: each label prefixed with its length, and a zero byte at the end.
    function encode(string memory ens) private pure returns (bytes memory dns) {
        bytes memory text = bytes(ens);
        dns = abi.encodePacked(bytes1(0), text, bytes1(0));
        uint256 length = 0;
        for (uint256 at = text.length; at > 0; at--) {
            if (text[at - 1] != ".") {
                length++;
                continue;
            }
            if (length == 0 || length > 255) revert DNSEncodingFailed(ens);
            dns[at] = bytes1(uint8(length));
            length = 0;
        }
        if (length == 0 || length > 255) revert DNSEncodingFailed(ens);
        dns[0] = bytes1(uint8(length));
    }

    /// Reverse name of an address: ENSIP-3 on mainnet, ENSIP-19 on other chains.
    function reverseNameOf(bytes memory account, uint256 coinType) private pure returns (string memory) {
        bytes memory digits = "0123456789abcdef";
        bytes memory text = new bytes(account.length * 2);
        for (uint256 at = 0; at < account.length; at++) {
            text[2 * at] = digits[uint8(account[at]) >> 4];
            text[2 * at + 1] = digits[uint8(account[at]) & 15];
        }
        if (coinType == 60) return string.concat(string(text), ".addr.reverse");
        if (coinType == 0x80000000) return string.concat(string(text), ".default.reverse");
        bytes memory kind = bytes(Strings.toHexString(coinType));
        // Coin type in hex without `0x` and without a leading zero.
        uint256 from = kind[2] == "0" ? 3 : 2;
        bytes memory short = new bytes(kind.length - from);
        for (uint256 at = 0; at < short.length; at++) short[at] = kind[at + from];
        return string.concat(string(text), ".", string(short), ".reverse");
    }

    /// Gateway URL that makes the client fetch each lookup itself.
    function localGateways() private pure returns (string[] memory gateways) {
        gateways = new string[](1);
        gateways[0] = "x-batch-gateway:true";
    }
}
