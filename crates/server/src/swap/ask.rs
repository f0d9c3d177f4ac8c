//! Parsing of the parameters of swap requests.

use super::trade::{Coin, Trade, wide};
use crate::config::Chain;
use crate::error::in_words;
use crate::guard::project::Project;
use crate::shared::Rate;
use crate::{AppState, Failure};
use alloy_primitives::{Address, U256};
use axum::http::StatusCode;
use portico_terms::address::is_evm;
use portico_terms::{AccountId, Amount, ChainId};
use serde::Deserialize;
use std::sync::Arc;

/// Query parameters of all swap endpoints.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Query {
    pub(super) chain_id: Option<String>,
    pub(super) address: Option<String>,
    pub(super) amount: Option<String>,
    pub(super) to_amount: Option<String>,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) user_address: Option<String>,
    pub(super) token_address: Option<String>,
    pub(super) quote_id: Option<String>,
}

/// Rate limit of one visitor in all projects together, because upstreams limit the server: requests per second on average, and burst.
const ASKED: Rate = Rate { per_second: 4.0, burst: 80 };

/// Refuses with 429 a visitor over the rate limit. Each quote costs a request to every provider and to the chain.
pub(super) async fn spend(state: &AppState, project: &Project) -> Result<(), Failure> {
    let Some(client) = project.client() else { return Ok(()) };
    let spent = state.shared().spend(&format!("swap:asked:{client}"), 1, ASKED).await;
    spent.map_err(|spent| {
        let description = format!("Too many swaps from here. Try again in {}.", in_words(spent.seconds));
        Failure::new(StatusCode::TOO_MANY_REQUESTS, "", description).again_after(spent.seconds)
    })
}

/// Value of a required parameter.
pub(super) fn needed<'a>(text: Option<&'a String>, field: &str) -> Result<&'a str, Failure> {
    let text = text.map(String::as_str).filter(|text| !text.is_empty());
    text.ok_or_else(|| Failure::parameter(field, format!("Add {field} to the query")))
}

/// Parses a chain that the project may use and that a swap provider supports.
pub(super) fn chain(state: &AppState, project: &Project, text: &str, field: &str) -> Result<Arc<Chain>, Failure> {
    let id = text.parse::<ChainId>();
    let id = id.map_err(|_| Failure::parameter(field, format!("Use a CAIP-2 id as {field}, such as eip155:1")))?;
    served(state, project, &id, field)
}

/// Looks up a chain that the project may use, with or without swap providers.
pub(super) fn any_chain(state: &AppState, project: &Project, id: &ChainId, field: &str) -> Result<Arc<Chain>, Failure> {
    let chain = state.chain(id).map(|served| served.config());
    let chain = chain.ok_or_else(|| Failure::parameter(field, format!("The chain {id} isn't served here")))?;
    project.allow_chain(id)?;
    Ok(chain)
}

fn served(state: &AppState, project: &Project, id: &ChainId, field: &str) -> Result<Arc<Chain>, Failure> {
    let chain = any_chain(state, project, id, field)?;
    if state.swaps().words(&chain).is_empty() {
        let sentence = format!("No swap provider is set up for the chain {id}");
        return Err(Failure::new(StatusCode::NOT_FOUND, field, sentence));
    }
    Ok(chain)
}

/// Parses a token and its chain from a CAIP-10 id.
pub(super) fn coin(text: &str, field: &str) -> Result<(ChainId, Coin), Failure> {
    let id = text.parse::<AccountId>().ok();
    let read = id.and_then(|id| Some((id.chain().clone(), Coin(id.address().to_ascii_lowercase().parse().ok()?))));
    let read = read.filter(|(_, coin)| !coin.0.is_zero());
    read.ok_or_else(|| {
        Failure::parameter(
            field,
            format!("Use a token's CAIP-10 id as {field}, such as eip155:1:0x… with 40 hex digits"),
        )
    })
}

/// Parses the account that pays and receives: a CAIP-10 id on the chain of the swap, or a bare address.
pub(super) fn user(text: &str, chain: &ChainId) -> Result<Address, Failure> {
    let refused = |why: &str| Err(Failure::parameter("userAddress", why));
    let address = match text.parse::<AccountId>() {
        Ok(id) if id.chain() != chain => return refused("Use a userAddress of the same chain"),
        Ok(id) => id.address().to_ascii_lowercase(),
        Err(_) if is_evm(text) => text.to_ascii_lowercase(),
        Err(_) => return refused("Use an EVM address as userAddress, 0x and 40 hex digits"),
    };
    match address.parse::<Address>() {
        Ok(address) if !address.is_zero() && address != Coin::NATIVE.0 => Ok(address),
        _ => refused("Use an EVM address as userAddress, 0x and 40 hex digits"),
    }
}

/// Parses an amount in the smallest unit.
pub(super) fn amount(text: &str, field: &str) -> Result<U256, Failure> {
    let sentence = || {
        Failure::parameter(
            field,
            format!("Use a whole number of the smallest unit as {field}, in digits, of at most 256 bits"),
        )
    };
    // 2^256 - 1 has 78 digits.
    let fits = (1..=78).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if !fits {
        return Err(sentence());
    }
    text.parse::<Amount>().map(wide).map_err(|_| sentence())
}

/// Unparsed parameters of a swap.
pub(super) struct Words<'a> {
    /// Amount to pay, unless the amount to receive is named.
    pub(super) amount: Option<&'a str>,
    /// Amount to receive.
    pub(super) to_amount: Option<&'a str>,
    pub(super) from: &'a str,
    pub(super) to: &'a str,
    pub(super) user: Option<&'a str>,
}

impl Words<'_> {
    /// Parses a swap on a chain that a provider supports.
    pub(super) fn read(&self, state: &AppState, project: &Project) -> Result<Trade, Failure> {
        let (id, from) = coin(self.from, "from")?;
        let (other, to) = coin(self.to, "to")?;
        if id != other {
            return Err(Failure::parameter("to", "Can't swap between chains. Choose two tokens of one chain."));
        }
        if from == to {
            return Err(Failure::parameter("to", "Choose two different tokens"));
        }
        let (text, field) = match (self.amount, self.to_amount) {
            (Some(_), Some(_)) => return Err(Failure::parameter("toAmount", "Use either amount or toAmount")),
            (_, Some(text)) => (text, "toAmount"),
            (text, None) => (text.unwrap_or_default(), "amount"),
        };
        let exact_out = field == "toAmount";
        let amount = amount(text, field)?;
        if amount.is_zero() {
            return Err(Failure::parameter(
                field,
                format!("Use {} above zero", if exact_out { "a toAmount" } else { "an amount" }),
            ));
        }
        let chain = served(state, project, &id, "from")?;
        if exact_out && !state.swaps().exact_out(&chain) {
            let sentence = format!("No swap provider on the chain {id} takes an amount to receive. Use amount.");
            return Err(Failure::new(StatusCode::UNPROCESSABLE_ENTITY, field, sentence));
        }
        let user = self.user.map(|text| user(text, &id)).transpose()?;
        Ok(Trade { chain, from, to, amount, exact_out, user })
    }
}
