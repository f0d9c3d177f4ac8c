//! Permission to spend tokens, as the server decoded it from an approval.

use crate::shown::{clean, is_bait};
use portico_api::account;
use portico_json::Json;
use portico_terms::Amount;
use portico_terms::address::{is_evm, to_checksum};

/// Permission that an approval gave (ERC-20, ERC-721, ERC-1155).
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "ActivityApproval")]
pub struct Approval {
    /// Address that may spend, with its checksum.
    pub spender: String,
    /// Name of the spender, if the server knows it.
    pub spender_name: Option<String>,
    /// Amount in whole tokens, exact; `null` without a limit, and where the token is not known.
    pub amount: Option<String>,
    /// Whether there is no limit.
    pub unlimited: bool,
    /// Symbol of the token, if the server knows it.
    pub symbol: Option<String>,
}

impl Approval {
    /// Reads the server's approval; `None` if its spender is no address.
    pub fn read(sent: account::Approval) -> Option<Approval> {
        let shown = |text: String| Some(clean(&text)).filter(|text| !text.is_empty() && !is_bait(text, false));
        let spender = Some(&sent.spender).filter(|spender| is_evm(spender))?;
        let amount: Option<Amount> = sent.amount.and_then(|amount| amount.parse().ok());
        let unlimited = amount.is_some_and(is_unlimited);
        let decimals: Option<u8> = sent.decimals.and_then(|decimals| decimals.try_into().ok());
        Some(Approval {
            spender: to_checksum(spender),
            spender_name: sent.spender_name.and_then(shown),
            amount: amount.zip(decimals).filter(|_| !unlimited).map(|(amount, decimals)| amount.to_units(decimals)),
            unlimited,
            symbol: sent.symbol.and_then(shown),
        })
    }
}

/// Whether an amount stands for no limit: the largest number of 256 bits and all that are spent down from it, and the largest of 160 and of
/// 96 bits, with which Permit2 and some tokens count.
fn is_unlimited(amount: Amount) -> bool {
    let word = amount.to_be_bytes();
    let is_largest = |bytes: usize| {
        let (before, after) = word.split_at(word.len() - bytes);
        before.iter().all(|byte| *byte == 0) && after.iter().all(|byte| *byte == u8::MAX)
    };
    word[0] >= 0x80 || is_largest(20) || is_largest(12)
}
