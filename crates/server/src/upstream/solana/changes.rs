//! Balance changes of a Solana transaction, from the balances before and after it, whichever programs caused them.

use crate::source::loose;
use portico_json::Value;
use portico_terms::{Amount, address};

/// Maximum number of accounts in a transaction (a byte counts them).
const MOST: usize = 256;

/// Increase or decrease of a balance.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Change {
    pub(super) came: bool,
    /// Size of the change, never zero.
    pub(super) amount: Amount,
}

impl Change {
    fn of(before: Amount, after: Amount) -> Option<Change> {
        let (came, amount) = match after.minus(before) {
            Some(more) => (true, more),
            None => (false, before.minus(after)?),
        };
        (!amount.is_zero()).then_some(Change { came, amount })
    }
}

/// Balance change of an account in one coin or token, and the account with the largest opposite change.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Changed<'a> {
    /// Mint and decimals of the token; `None` for the coin.
    pub(super) token: Option<(&'a str, u8)>,
    pub(super) change: Change,
    /// Account with the largest opposite change; empty if there is none (minted or burned).
    pub(super) other: &'a str,
}

/// Balance changes of an account, tokens first. `keys` are the accounts of the transaction, the first of which pays the fee.
pub(super) fn changed<'a>(own: &str, keys: &[&'a str], meta: &'a Value) -> Vec<Changed<'a>> {
    let coin = of_coin(keys, meta);
    let tokens = of_tokens(meta);
    let kinds = tokens.iter().filter(|held| held.owner == own).map(|held| Some((held.mint, held.decimals)));
    let told = kinds.chain([None]).filter_map(|token| {
        let each: Vec<(&str, Change)> = match token {
            None => coin.clone(),
            Some((mint, _)) => {
                tokens.iter().filter(|held| held.mint == mint).filter_map(TokenHolding::change).collect()
            }
        };
        let (_, change) = *each.iter().find(|(owner, _)| *owner == own)?;
        let others = each.iter().filter(|(owner, other)| *owner != own && other.came != change.came);
        let other = others.max_by_key(|(_, other)| other.amount).map_or("", |(owner, _)| *owner);
        Some(Changed { token, change, other })
    });
    told.collect()
}

/// Changes in the coin for each account of the transaction. The fee is added back, because no listed account receives it.
fn of_coin<'a>(keys: &[&'a str], meta: &Value) -> Vec<(&'a str, Change)> {
    let list = |name: &str| meta.get(name).as_list().unwrap_or_default();
    let (before, after) = (list("preBalances"), list("postBalances"));
    let fee = loose::amount(meta.get("fee")).unwrap_or_default();
    let told = keys.iter().zip(before.iter().zip(after)).enumerate().take(MOST);
    let change = |(place, (key, (before, after))): (usize, (&&'a str, (&Value, &Value)))| {
        let fee = if place == 0 { fee } else { Amount::default() };
        let change = Change::of(loose::amount(before)?, loose::amount(after)?.plus(fee)?)?;
        Some((*key, change))
    };
    told.filter_map(change).collect()
}

/// Balances of one token and owner, summed over all token accounts in the transaction.
struct TokenHolding<'a> {
    owner: &'a str,
    mint: &'a str,
    decimals: u8,
    before: Amount,
    after: Amount,
}

impl<'a> TokenHolding<'a> {
    fn change(&self) -> Option<(&'a str, Change)> {
        Some((self.owner, Change::of(self.before, self.after)?))
    }
}

fn of_tokens(meta: &Value) -> Vec<TokenHolding<'_>> {
    let mut all: Vec<TokenHolding<'_>> = Vec::new();
    for (name, is_after) in [("preTokenBalances", false), ("postTokenBalances", true)] {
        for item in meta.get(name).as_list().unwrap_or_default().iter().take(MOST) {
            let account = |field: &str| item.get(field).as_str().filter(|text| address::is_solana(text));
            let said = item.get("uiTokenAmount");
            let (Some(owner), Some(mint)) = (account("owner"), account("mint")) else { continue };
            let told = (loose::amount(said.get("amount")), loose::decimals(said.get("decimals")));
            let (Some(amount), Some(decimals)) = told else { continue };
            let place = all.iter().position(|held| held.owner == owner && held.mint == mint).unwrap_or_else(|| {
                all.push(TokenHolding { owner, mint, decimals, before: Amount::default(), after: Amount::default() });
                all.len() - 1
            });
            let Some(held) = all.get_mut(place) else { continue };
            let sum = if is_after { &mut held.after } else { &mut held.before };
            *sum = sum.plus(amount).unwrap_or(*sum);
        }
    }
    all
}
