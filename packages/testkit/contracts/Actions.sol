// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Takes one token and gives another in the same transaction: a trade.
contract Exchange {
    function swap(IERC20 give, uint256 amount, IERC20 take, uint256 amountOut) external {
        require(give.transferFrom(msg.sender, address(this), amount));
        require(take.transfer(msg.sender, amountOut));
    }
}

/// Hands what it is sent on to another: ether that arrives without a transaction to the receiver.
contract Forwarder {
    function forward(address payable to) external payable {
        (bool sent,) = to.call{value: msg.value}("");
        require(sent);
    }

    /// Fails when it is mined, not when it is sent with enough gas.
    function fail() external payable {
        revert("as asked");
    }
}
