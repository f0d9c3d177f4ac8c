// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// EIP-3668: the requested data is off-chain, at one of `urls`.
error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
