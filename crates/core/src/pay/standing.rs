//! Standing of a token among the account's holdings: anybody can send a token of any name to any address, so most that nobody asked for are
//! bait.
//!
//! Servers and wallets say names, symbols and prices. None of them can hide a holding that counts: the chain's own coin, a contract of our
//! table (`tokens.toml`) and a token with a price are always in the list. The others stay behind a row with their number.

use super::letters::is_disguised;
use super::tokens::contract_of;
use crate::account::Holding;
use crate::facts::Facts;
use crate::shown::is_bait;
use portico_calldata::{contradicts, hex, is_named};
use portico_json::Json;
use portico_terms::ChainId;
use portico_terms::address::shorten;

/// Reason to distrust the words of a token.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "TokenMark")]
pub enum Mark {
    /// Name or symbol contain a link or markup. The name is left out, and the shortened contract takes the place of the symbol.
    Suspicious,
    /// The symbol belongs to another contract or to the chain's own coin, or has letters that imitate others.
    Lookalike,
    /// Both of these.
    Both,
}

impl Mark {
    /// Mark of words that are bait, of a symbol that is another token's, or both; `None` for neither.
    pub fn of(bait: bool, misnamed: bool) -> Option<Mark> {
        match (bait, misnamed) {
            (true, true) => Some(Mark::Both),
            (true, false) => Some(Mark::Suspicious),
            (false, true) => Some(Mark::Lookalike),
            (false, false) => None,
        }
    }
}

/// Whether the table has another contract for the symbol on this chain, or another symbol for the contract.
pub fn is_contradicted(symbol: &str, contract: &str, chain: Option<&ChainId>) -> bool {
    let known = chain.and_then(ChainId::number).zip(hex::address(contract));
    known.is_some_and(|(chain, at)| contradicts(chain, symbol, &at))
}

/// Whether a symbol belongs to another contract or to the chain's own coin, or imitates one.
pub fn is_misnamed(symbol: &str, contract: &str, chain: &ChainId, facts: &Facts) -> bool {
    let coin = facts.network(chain).is_some_and(|own| own.native_currency.symbol.eq_ignore_ascii_case(symbol));
    coin || is_disguised(symbol) || is_contradicted(symbol, contract, Some(chain))
}

/// Whether the contract is in our table on this chain.
fn is_listed(contract: &str, chain: &ChainId) -> bool {
    chain.number().zip(hex::address(contract)).is_some_and(|(chain, at)| is_named(chain, &at))
}

/// Marks the tokens of a chain, and hides those that are on no list and have no price. Where no token at all has a price, as on a test
/// network, a missing one says nothing, and only marked tokens are hidden. A symbol also belongs to the token beside it that is on a list or
/// has a price, because our table has no tokens of most chains.
pub fn judge(tokens: &mut [Holding], chain: &ChainId, facts: &Facts) {
    let priced = facts.price.is_some() || tokens.iter().any(|token| token.price.is_some());
    let is_vouched =
        |token: &Holding| token.price.is_some() || contract_of(token).is_some_and(|at| is_listed(at, chain));
    let symbols: Vec<String> =
        tokens.iter().filter(|token| is_vouched(token)).map(|token| token.symbol.clone()).collect();
    for token in tokens {
        let Some(contract) = contract_of(token).map(String::from) else { continue };
        let vouched = is_vouched(token);
        let imitates = !vouched && symbols.iter().any(|symbol| symbol.eq_ignore_ascii_case(&token.symbol));
        // A list grows by parts. The words of an earlier judgement are gone, its mark stays.
        let bait = matches!(token.mark, Some(Mark::Suspicious | Mark::Both))
            || is_bait(&token.name, vouched)
            || is_bait(&token.symbol, vouched);
        let misnamed = matches!(token.mark, Some(Mark::Lookalike | Mark::Both))
            || imitates
            || is_misnamed(&token.symbol, &contract, chain, facts);
        token.mark = Mark::of(bait, misnamed);
        if bait {
            token.name.clear();
            if is_bait(&token.symbol, vouched) {
                token.symbol = shorten(&contract);
            }
        }
        token.hidden = !vouched && (priced || token.mark.is_some());
    }
}
