//! Nodes of a chain as a source: balances of the native coin and of the configured tokens, and history. Needs no key.

use super::multicall::{self, ContractRead};
use super::{Balances, Fault, History, Holding, Kind, Question, SourceAnswer, bitcoin, explorer, logs, solana};
use crate::AppState;
use crate::activity::Page;
use crate::config::{Chain, Token};
use crate::rpc::inside;
use alloy_primitives::Address;
use alloy_sol_types::{SolCall, sol};
use futures_util::FutureExt;
use portico_api::account::Transaction;
use portico_terms::{Amount, Namespace};
use serde_json::json;
use std::time::Duration;
use tokio::time::timeout;

sol! {
    function balanceOf(address account) external view returns (uint256);
}

/// Source that queries the nodes of the chain.
pub(super) struct Rpc;

impl Balances for Rpc {
    fn knows(&self, chain: &Chain) -> bool {
        matches!(chain.id.namespace(), Namespace::Eip155 | Namespace::Solana | Namespace::Bip122)
    }

    fn balances<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Vec<Holding>> {
        async move {
            let (chain, account) = (asked.chain()?, asked.account.address());
            match chain.id.namespace() {
                Namespace::Eip155 => of_evm(asked.state, &chain, account).await,
                Namespace::Solana => solana::balances(asked.state, &chain, account).await,
                Namespace::Bip122 => bitcoin::balances(asked.state, &chain, account).await,
                Namespace::Polkadot => Err(Fault::NotServed),
            }
        }
        .boxed()
    }
}

impl History for Rpc {
    fn knows(&self, chain: &Chain) -> bool {
        matches!(chain.id.namespace(), Namespace::Eip155 | Namespace::Solana | Namespace::Bip122)
    }

    fn history<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Transaction>> {
        async move {
            match asked.account.chain().namespace() {
                Namespace::Eip155 => logs::history(asked).await,
                Namespace::Solana => solana::history(asked).await,
                Namespace::Bip122 => bitcoin::history(asked).await,
                Namespace::Polkadot => Err(Fault::NotServed),
            }
        }
        .boxed()
    }
}

async fn of_evm(state: &AppState, chain: &Chain, account: &str) -> Result<Vec<Holding>, Fault> {
    let (coin, seen) = futures_util::future::join(coin(state, chain, account), seen(state, chain, account)).await;
    let (coin, mut tokens) = (coin?, chain.assets.tokens.clone());
    for token in seen {
        if tokens.iter().all(|other| other.address != token.address) {
            tokens.push(token);
        }
    }
    let held = amounts(state, chain, account, &tokens).await?;
    let mut holdings = Vec::new();
    if !coin.is_zero() {
        let own = &chain.assets.coin;
        holdings.push(Holding {
            kind: Kind::Coin,
            name: own.name.clone(),
            symbol: own.symbol.clone(),
            decimals: own.decimals,
            picture: String::new(),
            amount: coin,
            price: None,
        });
    }
    for (token, amount) in tokens.into_iter().zip(held) {
        if let Some(amount) = amount.filter(|amount| !amount.is_zero()) {
            holdings.push(Holding {
                kind: Kind::Token(token.address),
                name: token.name,
                symbol: token.symbol,
                decimals: token.decimals,
                picture: token.picture,
                amount,
                price: None,
            });
        }
    }
    Ok(holdings)
}

/// Tokens of the account according to the chain's explorer, if it has one and it responds in time.
async fn seen(state: &AppState, chain: &Chain, account: &str) -> Vec<Token> {
    if chain.assets.explorer.is_none() {
        return Vec::new();
    }
    timeout(SEEN_LIMIT, explorer::tokens(state, chain, account)).await.unwrap_or_default()
}

/// Timeout of the explorer: the tokens that only it knows must not delay the others.
const SEEN_LIMIT: Duration = Duration::from_secs(2);

async fn coin(state: &AppState, chain: &Chain, account: &str) -> Result<Amount, Fault> {
    let answer = inside::call(state, &chain.id, "eth_getBalance", &json!([account, "latest"])).await;
    let answer = answer.map_err(|_| Fault::Unreachable)?;
    answer.as_str().and_then(|text| Amount::from_hex(text).ok()).ok_or(Fault::Nonsense)
}

/// Balance of each token; `None` if the call reverts or does not return a number.
async fn amounts(
    state: &AppState,
    chain: &Chain,
    account: &str,
    tokens: &[Token],
) -> Result<Vec<Option<Amount>>, Fault> {
    let account: Address = account.parse().map_err(|_| Fault::NotServed)?;
    let data = balanceOfCall { account }.abi_encode();
    let targets = tokens.iter().filter_map(|token| token.address.parse::<Address>().ok());
    let calls: Vec<ContractRead> = targets.map(|to| ContractRead { to, data: data.clone() }).collect();
    let answers = multicall::ask(state, chain, &calls).await?;
    Ok(answers.into_iter().map(|answer| word(&answer?)).collect())
}

/// Decodes exactly one 256-bit word.
fn word(bytes: &[u8]) -> Option<Amount> {
    let word: &[u8; 32] = bytes.try_into().ok()?;
    Amount::from_hex(&alloy_primitives::hex::encode_prefixed(word)).ok()
}
