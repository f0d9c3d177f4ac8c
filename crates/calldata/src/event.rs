//! Events by which tokens tell that something moved or was permitted: the first topic of each, the hash of its signature.

/// `Transfer(address,address,uint256)` of EIP-20, and of EIP-721 with a fourth topic. Nodes log a transfer of the coin alike.
pub const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/// `Approval(address,address,uint256)` of EIP-20 and EIP-721.
pub const APPROVAL: &str = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
/// `Deposit(address,uint256)` of the wrapped coin, which logs no transfer for it.
pub const DEPOSIT: &str = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c";
/// `Withdrawal(address,uint256)` of the wrapped coin, which logs no transfer for it.
pub const WITHDRAWAL: &str = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";
/// `ApprovalForAll(address,address,bool)` of EIP-721 and EIP-1155: owner, operator.
pub const APPROVAL_FOR_ALL: &str = "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31";
/// `Approval(address,address,address,uint160,uint48)` of Permit2: owner, token, spender.
pub const PERMIT2_APPROVAL: &str = "0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b";
/// `Permit(address,address,address,uint160,uint48,uint48)` of Permit2: owner, token, spender.
pub const PERMIT2_PERMIT: &str = "0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec";
/// `TransferSingle(address,address,address,uint256,uint256)` of EIP-1155: operator, sender, receiver.
pub const TRANSFER_SINGLE: &str = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
/// `TransferBatch(address,address,address,uint256[],uint256[])` of EIP-1155: operator, sender, receiver.
pub const TRANSFER_BATCH: &str = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";
