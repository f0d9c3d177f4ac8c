//! Index of all transactions and transfers of the chain, updated before each request.

use std::collections::HashMap;
use std::sync::Arc;

use alloy_primitives::{Address, B256, U256};

use crate::chain::{Chain, ChainError, FullBlock, Receipt, Trace, Transaction};
use crate::transfer::{self, Move, Standard};

/// Number of blocks read at once.
const STRIDE: u64 = 50;

/// Everything read from the chain so far.
#[derive(Default)]
pub(crate) struct Index {
    /// Hashes of the blocks read, by number.
    blocks: Vec<B256>,
    /// Transactions, oldest first.
    pub transactions: Vec<Mined>,
    /// Transfers of tokens, oldest first.
    pub transfers: Vec<Transfer>,
    /// Inner calls of transactions, oldest first.
    pub calls: Vec<InnerCall>,
}

/// Mined transaction with its receipt.
#[derive(Clone)]
pub(crate) struct Mined {
    pub block: u64,
    pub index: u64,
    /// Time of the block, in seconds since 1970.
    pub timestamp: u64,
    pub base_fee: Option<U256>,
    pub transaction: Transaction,
    pub receipt: Receipt,
}

/// Transfer of tokens with its position in the chain.
#[derive(Clone)]
pub(crate) struct Transfer {
    pub block: u64,
    pub block_hash: B256,
    pub timestamp: u64,
    pub log_index: u64,
    /// Position in a batch of ERC-1155.
    pub index_in_batch: u64,
    pub transaction: B256,
    /// Input of the transaction; its first four bytes name the called function.
    pub input: alloy_primitives::Bytes,
    pub tokens: Move,
}

/// Inner call of a transaction with its position in the chain.
#[derive(Clone)]
pub(crate) struct InnerCall {
    pub block: u64,
    /// Position among the traces of the block.
    pub index: u64,
    pub timestamp: u64,
    pub trace: Arc<Trace>,
}

impl Index {
    /// Reads the blocks mined since the last call; reads all anew if the chain was reset.
    pub async fn catch_up(&mut self, chain: &Chain) -> Result<u64, ChainError> {
        let height = chain.height().await?;
        self.forget_what_went_away(chain, height).await?;
        while self.next() <= height {
            let end = height.min(self.next() + STRIDE - 1);
            let blocks = chain.blocks(self.next()..=end).await?;
            if blocks.is_empty() {
                break;
            }
            for whole in blocks {
                self.add(whole);
            }
        }
        Ok(height)
    }

    /// Number of the first block not read yet.
    fn next(&self) -> u64 {
        self.blocks.len() as u64
    }

    async fn forget_what_went_away(&mut self, chain: &Chain, height: u64) -> Result<(), ChainError> {
        let Some((last, hash)) = self.next().checked_sub(1).zip(self.blocks.last().copied()) else {
            return Ok(());
        };
        if last > height || chain.hash(last).await? != Some(hash) {
            // A test has reverted to a snapshot: for small chains reading anew is faster than comparing.
            *self = Self::default();
        }
        Ok(())
    }

    fn add(&mut self, FullBlock { block, receipts, traces }: FullBlock) {
        let number = block.number.saturating_to();
        let timestamp = block.timestamp.saturating_to();
        let mut receipts: HashMap<_, _> = receipts.into_iter().map(|one| (one.transaction_hash, one)).collect();
        for (index, transaction) in (0..).zip(block.transactions) {
            let Some(receipt) = receipts.remove(&transaction.hash) else { continue };
            for log in &receipt.logs {
                for (index_in_batch, tokens) in (0..).zip(transfer::moves(log)) {
                    self.transfers.push(Transfer {
                        block: number,
                        block_hash: block.hash,
                        timestamp,
                        log_index: log.log_index.saturating_to(),
                        index_in_batch,
                        transaction: transaction.hash,
                        input: transaction.input.clone(),
                        tokens,
                    });
                }
            }
            let base_fee = block.base_fee_per_gas;
            self.transactions.push(Mined { block: number, index, timestamp, base_fee, transaction, receipt });
        }
        let inner = (0..).zip(traces).filter(|(_, trace)| !trace.trace_address.is_empty());
        self.calls.extend(inner.map(|(index, trace)| InnerCall {
            block: number,
            index,
            timestamp,
            trace: trace.into(),
        }));
        self.blocks.push(block.hash);
    }

    /// Returns all tokens that an account ever received or sent, in the order of the first transfer.
    pub fn tokens_of(&self, account: Address) -> Vec<TokenKind> {
        let mut found: Vec<TokenKind> = Vec::new();
        for Transfer { tokens, .. } in self.transfers.iter().filter(|one| one.touches(account)) {
            let held = TokenKind { token: tokens.token, standard: tokens.standard, id: tokens.id };
            if !found.contains(&held) {
                found.push(held);
            }
        }
        found
    }

    /// Returns the owner of the ERC-721 token with this id.
    pub fn owner(&self, token: Address, id: U256) -> Option<Address> {
        let of = |one: &&Transfer| {
            one.tokens.token == token && one.tokens.standard == Standard::Erc721 && one.tokens.id == Some(id)
        };
        self.transfers.iter().rev().find(of).map(|one| one.tokens.to)
    }
}

/// Token contract, with the id if one contract has many tokens.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct TokenKind {
    pub token: Address,
    pub standard: Standard,
    pub id: Option<U256>,
}

impl Mined {
    /// Whether the account is the sender, the receiver or the contract created by the transaction.
    pub fn touches(&self, account: Address) -> bool {
        self.transaction.from == account
            || self.transaction.to == Some(account)
            || self.receipt.contract_address == Some(account)
    }
}

impl InnerCall {
    pub fn touches(&self, account: Address) -> bool {
        self.trace.action.from == Some(account) || self.trace.action.to == Some(account)
    }
}

impl Transfer {
    pub fn touches(&self, account: Address) -> bool {
        self.tokens.from == account || self.tokens.to == account
    }
}
