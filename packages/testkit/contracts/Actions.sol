// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Test exchange: takes one token and pays out another in the same transaction.
contract Exchange {
    function swap(IERC20 give, uint256 amount, IERC20 take, uint256 amountOut) external {
        require(give.transferFrom(msg.sender, address(this), amount));
        require(take.transfer(msg.sender, amountOut));
    }
}

/// Passes the ether it receives on to another account: the receiver gets ether by an internal call, not by a transaction of its own.
contract Forwarder {
    function forward(address payable to) external payable {
        (bool sent,) = to.call{value: msg.value}("");
        require(sent);
    }

    /// Always reverts. With an explicit gas limit the transaction is still sent and mined, as failed.
    function fail() external payable {
        revert("as asked");
    }
}
