//! Decoding of logs that move tokens (ERC-20, ERC-721, ERC-1155).

use alloy_primitives::{Address, B256, U256, b256};

use crate::chain::Log;

/// `Transfer(address,address,uint256)`; ERC-20 has the amount in the data, ERC-721 the id as a topic.
const TRANSFER: B256 = b256!("ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");
/// `TransferSingle(address,address,address,uint256,uint256)`.
const TRANSFER_SINGLE: B256 = b256!("c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62");
/// `TransferBatch(address,address,address,uint256[],uint256[])`.
const TRANSFER_BATCH: B256 = b256!("4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb");
/// `Deposit(address,uint256)` of WETH9, which mints coins without a `Transfer`.
const DEPOSIT: B256 = b256!("e1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c");
/// `Withdrawal(address,uint256)` of WETH9.
const WITHDRAWAL: B256 = b256!("7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65");

/// Standard of a token.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Standard {
    Erc20,
    Erc721,
    Erc1155,
}

impl Standard {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Erc20 => "ERC-20",
            Self::Erc721 => "ERC-721",
            Self::Erc1155 => "ERC-1155",
        }
    }
}

/// Tokens that changed owner.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Move {
    pub token: Address,
    pub standard: Standard,
    pub from: Address,
    pub to: Address,
    pub id: Option<U256>,
    /// Amount in the smallest unit; one for an ERC-721.
    pub value: U256,
}

/// Decodes the moves in a log; none for any other log, or one that violates its standard.
pub(crate) fn moves(log: &Log) -> Vec<Move> {
    read(log).unwrap_or_default()
}

fn read(log: &Log) -> Option<Vec<Move>> {
    let topic = |at: usize| log.topics.get(at).copied();
    let account = |at: usize| topic(at).map(Address::from_word);
    let one = |standard, from, to, id, value| Move { token: log.address, standard, from, to, id, value };
    match (topic(0)?, log.topics.len()) {
        (TRANSFER, 3) if log.data.len() == 32 => {
            Some(vec![one(Standard::Erc20, account(1)?, account(2)?, None, word(&log.data, 0)?)])
        }
        (DEPOSIT, 2) if log.data.len() == 32 => {
            Some(vec![one(Standard::Erc20, Address::ZERO, account(1)?, None, word(&log.data, 0)?)])
        }
        (WITHDRAWAL, 2) if log.data.len() == 32 => {
            Some(vec![one(Standard::Erc20, account(1)?, Address::ZERO, None, word(&log.data, 0)?)])
        }
        (TRANSFER, 4) => {
            let id = U256::from_be_bytes(topic(3)?.0);
            Some(vec![one(Standard::Erc721, account(1)?, account(2)?, Some(id), U256::from(1))])
        }
        (TRANSFER_SINGLE, 4) => {
            let (id, value) = (word(&log.data, 0)?, word(&log.data, 1)?);
            Some(vec![one(Standard::Erc1155, account(2)?, account(3)?, Some(id), value)])
        }
        (TRANSFER_BATCH, 4) => {
            let (from, to) = (account(2)?, account(3)?);
            let (ids, values) = (words(&log.data, 0)?, words(&log.data, 1)?);
            if ids.len() != values.len() {
                return None;
            }
            let all = ids.into_iter().zip(values);
            Some(all.map(|(id, value)| one(Standard::Erc1155, from, to, Some(id), value)).collect())
        }
        _ => None,
    }
}

/// Reads the 32-byte word at a position in ABI-encoded data.
pub(crate) fn word(data: &[u8], at: usize) -> Option<U256> {
    let begin = at.checked_mul(32)?;
    data.get(begin..begin.checked_add(32)?).map(U256::from_be_slice)
}

/// Reads the array of words whose offset is at a position in ABI-encoded data.
fn words(data: &[u8], at: usize) -> Option<Vec<U256>> {
    let begin = usize::try_from(word(data, at)?).ok()?;
    let data = data.get(begin..)?;
    let length = usize::try_from(word(data, 0)?).ok()?;
    // The stated length exceeds the data.
    if length > data.len() / 32 {
        return None;
    }
    (1..=length).map(|at| word(data, at)).collect()
}

#[cfg(test)]
mod tests {
    use alloy_primitives::{Bytes, U160};

    use super::*;

    fn account(number: u64) -> B256 {
        Address::from(U160::from(number)).into_word()
    }

    fn log(topics: Vec<B256>, words: &[u64]) -> Log {
        let data: Vec<u8> = words.iter().flat_map(|word| U256::from(*word).to_be_bytes::<32>()).collect();
        Log { address: Address::ZERO, topics, data: Bytes::from(data), log_index: U256::ZERO }
    }

    #[test]
    fn a_log_that_is_not_as_its_standard_says_moves_nothing() {
        let batch = vec![TRANSFER_BATCH, account(1), account(2), account(3)];
        for broken in [
            log(vec![], &[]),
            log(vec![TRANSFER], &[7]),
            log(vec![TRANSFER, account(1), account(2)], &[]),
            log(vec![TRANSFER, account(1), account(2)], &[1, 2]),
            log(vec![TRANSFER_SINGLE, account(1), account(2), account(3)], &[1]),
            log(vec![DEPOSIT, account(1)], &[]),
            log(vec![WITHDRAWAL], &[1, 2]),
            // Two ids and one value; an array offset beyond the data; a length beyond the data.
            log(batch.clone(), &[64, 160, 2, 7, 8, 1, 5]),
            log(batch.clone(), &[6_400, 64, 0]),
            log(batch, &[64, 64, u64::MAX]),
        ] {
            assert_eq!(moves(&broken), []);
        }
    }

    #[test]
    fn a_batch_is_one_move_for_each_kind() {
        let topics = vec![TRANSFER_BATCH, account(1), account(2), account(3)];
        let found = moves(&log(topics, &[64, 160, 2, 7, 8, 2, 5, 6]));
        let told: Vec<_> = found.iter().map(|one| (one.id.unwrap(), one.value)).collect();
        assert_eq!(told, [(U256::from(7), U256::from(5)), (U256::from(8), U256::from(6))]);
        assert!(found.iter().all(|one| one.standard == Standard::Erc1155 && one.from.into_word() == account(2)));
    }

    #[test]
    fn the_same_event_is_of_a_coin_or_of_a_picture_by_its_topics() {
        let coin = moves(&log(vec![TRANSFER, account(1), account(2)], &[5]));
        assert_eq!((coin[0].standard, coin[0].id, coin[0].value), (Standard::Erc20, None, U256::from(5)));
        let picture = moves(&log(vec![TRANSFER, account(1), account(2), account(9)], &[]));
        assert_eq!((picture[0].standard, picture[0].id), (Standard::Erc721, Some(U256::from(9))));
    }

    #[test]
    fn ether_that_is_wrapped_comes_from_nowhere_and_goes_there_again() {
        let [made, gone] = [DEPOSIT, WITHDRAWAL].map(|event| moves(&log(vec![event, account(1)], &[5])).remove(0));
        assert_eq!((made.from, made.to.into_word(), made.value), (Address::ZERO, account(1), U256::from(5)));
        assert_eq!((gone.from.into_word(), gone.to, gone.value), (account(1), Address::ZERO, U256::from(5)));
    }
}
