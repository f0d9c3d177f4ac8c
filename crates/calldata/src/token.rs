//! Reader of the token calls that a wallet explains before it signs them: ERC-20, ERC-721, ERC-1155 and Permit2.

use crate::Address;
use crate::abi::{Reader, Selector, arguments};
use portico_terms::Amount;

/// Contract of Permit2, the same on all chains (<https://github.com/Uniswap/permit2>).
pub const PERMIT2: Address = [
    0x00, 0x00, 0x00, 0x00, 0x00, 0x22, 0xd4, 0x73, 0x03, 0x0f, 0x11, 0x6d, 0xde, 0xe9, 0xf6, 0xb4, 0x3a, 0xc7, 0x8b,
    0xa3,
];

/// Maximum number of items of one ERC-1155 batch; a larger one is not read.
const MOST_ITEMS: usize = 64;

/// Call of a token contract. The standards do not tell an amount of ERC-20 from an item's number of ERC-721.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum TokenCall {
    /// `transfer(to, amount)`
    Transfer { to: Address, amount: Amount },
    /// `transferFrom(from, to, amountOrItem)`
    TransferFrom { from: Address, to: Address, amount: Amount },
    /// `approve(spender, amountOrItem)`
    Approve { spender: Address, amount: Amount },
    /// `increaseAllowance(spender, added)`
    IncreaseAllowance { spender: Address, amount: Amount },
    /// `safeTransferFrom` of ERC-721.
    TransferItem { from: Address, to: Address, item: Amount },
    /// `safeTransferFrom` and `safeBatchTransferFrom` of ERC-1155: items with their amounts.
    TransferItems { from: Address, to: Address, items: Vec<(Amount, Amount)> },
    /// `setApprovalForAll(operator, approved)`
    ApproveAll { operator: Address, approved: bool },
    /// `approve(token, spender, amount, expiration)` of Permit2; the time is in epoch seconds.
    Permit2Approve { token: Address, spender: Address, amount: Amount, expires: u64 },
}

const TRANSFER: Selector = [0xa9, 0x05, 0x9c, 0xbb];
const TRANSFER_FROM: Selector = [0x23, 0xb8, 0x72, 0xdd];
const APPROVE: Selector = [0x09, 0x5e, 0xa7, 0xb3];
const INCREASE_ALLOWANCE: Selector = [0x39, 0x50, 0x93, 0x51];
const SAFE_TRANSFER: Selector = [0x42, 0x84, 0x2e, 0x0e];
const SAFE_TRANSFER_WITH_DATA: Selector = [0xb8, 0x8d, 0x4f, 0xde];
const TRANSFER_1155: Selector = [0xf2, 0x42, 0x43, 0x2a];
const TRANSFER_BATCH_1155: Selector = [0x2e, 0xb2, 0xc2, 0xd6];
const APPROVE_ALL: Selector = [0xa2, 0x2c, 0xb4, 0x65];
const PERMIT2_APPROVE: Selector = [0x87, 0x51, 0x7c, 0x45];

/// Reads a call of a token contract. `None` for any other call, and for one whose encoding is not canonical.
pub fn decode(data: &[u8]) -> Option<TokenCall> {
    if data.len() > crate::LONGEST {
        return None;
    }
    match *data.first_chunk()? {
        TRANSFER => pair(data, TRANSFER).map(|(to, amount)| TokenCall::Transfer { to, amount }),
        APPROVE => pair(data, APPROVE).map(|(spender, amount)| TokenCall::Approve { spender, amount }),
        INCREASE_ALLOWANCE => {
            pair(data, INCREASE_ALLOWANCE).map(|(spender, amount)| TokenCall::IncreaseAllowance { spender, amount })
        }
        TRANSFER_FROM => {
            triple(data, TRANSFER_FROM).map(|(from, to, amount)| TokenCall::TransferFrom { from, to, amount })
        }
        SAFE_TRANSFER => triple(data, SAFE_TRANSFER).map(|(from, to, item)| TokenCall::TransferItem { from, to, item }),
        SAFE_TRANSFER_WITH_DATA => safe_transfer(arguments(data, SAFE_TRANSFER_WITH_DATA, 4)?),
        TRANSFER_1155 => transfer_1155(arguments(data, TRANSFER_1155, 5)?),
        TRANSFER_BATCH_1155 => transfer_batch_1155(arguments(data, TRANSFER_BATCH_1155, 5)?),
        APPROVE_ALL => {
            let mut words = arguments(data, APPROVE_ALL, 2)?;
            let call = TokenCall::ApproveAll { operator: words.address()?, approved: words.flag()? };
            words.done().map(|()| call)
        }
        PERMIT2_APPROVE => permit2_approve(arguments(data, PERMIT2_APPROVE, 4)?),
        _ => None,
    }
}

fn pair(data: &[u8], selector: Selector) -> Option<(Address, Amount)> {
    let mut words = arguments(data, selector, 2)?;
    let read = (words.address()?, words.number()?);
    words.done().map(|()| read)
}

fn triple(data: &[u8], selector: Selector) -> Option<(Address, Address, Amount)> {
    let mut words = arguments(data, selector, 3)?;
    let read = (words.address()?, words.address()?, words.number()?);
    words.done().map(|()| read)
}

fn safe_transfer(mut words: Reader<'_>) -> Option<TokenCall> {
    let call = TokenCall::TransferItem { from: words.address()?, to: words.address()?, item: words.number()? };
    words.bytes()?;
    words.done().map(|()| call)
}

fn transfer_1155(mut words: Reader<'_>) -> Option<TokenCall> {
    let (from, to) = (words.address()?, words.address()?);
    let items = vec![(words.number()?, words.number()?)];
    words.bytes()?;
    words.done().map(|()| TokenCall::TransferItems { from, to, items })
}

fn transfer_batch_1155(mut words: Reader<'_>) -> Option<TokenCall> {
    let (from, to) = (words.address()?, words.address()?);
    let (items, amounts) = (numbers(&mut words)?, numbers(&mut words)?);
    words.bytes()?;
    words.done()?;
    let items = (items.len() == amounts.len()).then(|| items.into_iter().zip(amounts).collect())?;
    Some(TokenCall::TransferItems { from, to, items })
}

fn numbers(words: &mut Reader<'_>) -> Option<Vec<Amount>> {
    let (length, mut items) = words.array()?;
    if length > MOST_ITEMS {
        return None;
    }
    let mut list = Vec::with_capacity(length);
    for _ in 0..length {
        list.push(items.number()?);
    }
    words.leave(items).map(|()| list)
}

fn permit2_approve(mut words: Reader<'_>) -> Option<TokenCall> {
    let (token, spender) = (words.address()?, words.address()?);
    let (amount, expires) = (words.number()?, words.small()?);
    words.done().map(|()| TokenCall::Permit2Approve { token, spender, amount, expires })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::{Address as Alloy, Bytes, U160, U256, aliases::U48};
    use alloy_sol_types::{SolCall, sol};

    sol! {
        function transfer(address to, uint256 amount);
        function approve(address spender, uint256 amount);
        function transferFrom(address from, address to, uint256 amount);
        function setApprovalForAll(address operator, bool approved);
        function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data);
        function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data);
    }
    mod erc721 {
        alloy_sol_types::sol! { function safeTransferFrom(address from, address to, uint256 id, bytes data); }
    }
    mod permit2 {
        alloy_sol_types::sol! { function approve(address token, address spender, uint160 amount, uint48 expiration); }
    }

    const A: Address = [0xaa; 20];
    const B: Address = [0xbb; 20];

    fn alloy(address: Address) -> Alloy {
        Alloy::from(address)
    }

    #[test]
    fn each_token_call_that_another_encoder_writes_is_read() {
        let seven = Amount::from(7u32);
        let number = U256::from(7);
        let cases = [
            (transferCall { to: alloy(A), amount: number }.abi_encode(), TokenCall::Transfer { to: A, amount: seven }),
            (
                approveCall { spender: alloy(A), amount: number }.abi_encode(),
                TokenCall::Approve { spender: A, amount: seven },
            ),
            (
                transferFromCall { from: alloy(A), to: alloy(B), amount: number }.abi_encode(),
                TokenCall::TransferFrom { from: A, to: B, amount: seven },
            ),
            (
                setApprovalForAllCall { operator: alloy(B), approved: true }.abi_encode(),
                TokenCall::ApproveAll { operator: B, approved: true },
            ),
            (
                safeTransferFromCall {
                    from: alloy(A),
                    to: alloy(B),
                    id: number,
                    amount: U256::from(2),
                    data: Bytes::from(vec![1, 2]),
                }
                .abi_encode(),
                TokenCall::TransferItems { from: A, to: B, items: vec![(seven, Amount::from(2u32))] },
            ),
            (
                safeBatchTransferFromCall {
                    from: alloy(A),
                    to: alloy(B),
                    ids: vec![number, U256::from(8)],
                    amounts: vec![U256::from(1), U256::from(2)],
                    data: Bytes::new(),
                }
                .abi_encode(),
                TokenCall::TransferItems {
                    from: A,
                    to: B,
                    items: vec![(seven, Amount::from(1u32)), (Amount::from(8u32), Amount::from(2u32))],
                },
            ),
            (
                erc721::safeTransferFromCall { from: alloy(A), to: alloy(B), id: number, data: Bytes::from(vec![9]) }
                    .abi_encode(),
                TokenCall::TransferItem { from: A, to: B, item: seven },
            ),
            (
                permit2::approveCall {
                    token: alloy(A),
                    spender: alloy(B),
                    amount: U160::from(7),
                    expiration: U48::from(9),
                }
                .abi_encode(),
                TokenCall::Permit2Approve { token: A, spender: B, amount: seven, expires: 9 },
            ),
        ];
        for (data, call) in cases {
            assert_eq!(decode(&data), Some(call));
            let mut longer = data.clone();
            longer.push(0);
            assert_eq!(decode(&longer), None, "bytes behind the arguments");
            assert_eq!(decode(&data[..data.len() - 1]), None, "bytes that are missing");
        }
    }

    #[test]
    fn a_call_with_dirty_padding_or_of_another_function_is_not_read() {
        let mut dirty = transferCall { to: alloy(A), amount: U256::from(7) }.abi_encode();
        dirty[4] = 1;
        for data in [&dirty[..], &[], &[0xa9, 0x05], &[1, 2, 3, 4]] {
            assert_eq!(decode(data), None);
        }
    }
}
