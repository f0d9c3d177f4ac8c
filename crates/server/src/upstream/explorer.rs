//! Explorer with Blockscout's API (<https://docs.blockscout.com/devs/apis/rest>). Needs no key.

mod read;

use super::{Fault, History, Nfts, Question, SourceAnswer, fetch};
use crate::AppState;
use crate::activity::{Leaf, Page, Params, Piece, Stream, doubt_coin};
use crate::config::{Chain, Token};
use futures_util::FutureExt;
use portico_api::account::{Nft, Transaction};
use portico_json::Value;
use portico_terms::Namespace;
use reqwest::Url;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Source that queries the chain's explorer.
pub(super) struct Explorer;

/// Maximum number of token pages, because accounts receive thousands of spam tokens.
const TOKEN_PAGES: usize = 4;

impl History for Explorer {
    fn knows(&self, chain: &Chain) -> bool {
        explores(chain)
    }

    fn history<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Transaction>> {
        async move {
            let chain = served(&asked)?;
            let list =
                |what, read, needed| List { asked, chain: &chain, what, read, needed, lost: AtomicBool::default() };
            let calls = list("transactions", read::call as Reader, true);
            let moves = list("token-transfers", read::moved, true);
            // Missing where the nodes do not trace, and the first list that an overloaded explorer stops serving.
            let within = list("internal-transactions", read::paid, false);
            let mut page = asked.merged(&[&calls, &moves, &within]).await?;
            if within.lost.load(Ordering::Relaxed) {
                page.rows.iter_mut().for_each(doubt_coin);
            }
            Ok(page)
        }
        .boxed()
    }
}

impl Nfts for Explorer {
    fn knows(&self, chain: &Chain) -> bool {
        explores(chain)
    }

    fn nfts<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Nft>> {
        async move {
            let (chain, account) = (served(&asked)?, asked.account);
            let params: Params = match asked.place {
                None => vec![("type".into(), "ERC-721,ERC-1155".into())],
                Some(text) => serde_json::from_str(text).map_err(|_| Fault::Cursor)?,
            };
            let answer = ask(asked.state, &chain, account.address(), "nft", &params).await?;
            let items = answer.get("items").as_list().ok_or(Fault::Nonsense)?;
            let next = next_of(&answer).filter(|next| *next != params);
            Ok(Page {
                rows: items.iter().filter_map(|item| read::nft(account, item)).collect(),
                next: next.and_then(|next| serde_json::to_string(&next).ok()),
            })
        }
        .boxed()
    }
}

/// Tokens that the explorer lists for the account; their balances are then read from the chain. Empty if the explorer does not respond.
pub(super) async fn tokens(state: &AppState, chain: &Chain, account: &str) -> Vec<Token> {
    let mut params: Params = vec![("type".into(), "ERC-20".into())];
    let mut found = Vec::new();
    for _ in 0..TOKEN_PAGES {
        let Ok(answer) = ask(state, chain, account, "tokens", &params).await else { break };
        found.extend(answer.get("items").as_list().unwrap_or_default().iter().filter_map(read::token));
        match next_of(&answer).filter(|next| *next != params) {
            Some(next) => params = next,
            None => break,
        }
    }
    found
}

/// Checks that a chain's explorer answers, about an address that each chain has.
pub(crate) async fn answers(state: &AppState, chain: &Chain) -> Result<(), Fault> {
    ask(state, chain, "0x0000000000000000000000000000000000000000", "transactions", &Params::new()).await.map(drop)
}

fn served(asked: &Question<'_>) -> Result<Arc<Chain>, Fault> {
    let chain = asked.chain()?;
    if explores(&chain) { Ok(chain) } else { Err(Fault::NotServed) }
}

fn explores(chain: &Chain) -> bool {
    chain.assets.explorer.is_some() && chain.id.namespace() == Namespace::Eip155
}

/// Parser of one item of a list.
type Reader = fn(&Value) -> Option<Piece>;

/// List of one kind of entries of an account.
struct List<'a> {
    asked: Question<'a>,
    chain: &'a Chain,
    what: &'static str,
    read: Reader,
    /// Whether the history fails if this list fails.
    needed: bool,
    /// Whether this list failed.
    lost: AtomicBool,
}

impl Stream for List<'_> {
    fn leaf<'a>(&'a self, params: &'a Params) -> SourceAnswer<'a, Leaf> {
        async move {
            let asked = ask(self.asked.state, self.chain, self.asked.account.address(), self.what, params).await;
            let leaf = asked.and_then(|answer| {
                let items = answer.get("items").as_list().ok_or(Fault::Nonsense)?;
                Ok(Leaf { pieces: items.iter().filter_map(self.read).collect(), next: next_of(&answer) })
            });
            self.lost.fetch_or(leaf.is_err(), Ordering::Relaxed);
            if self.needed { leaf } else { Ok(leaf.unwrap_or_default()) }
        }
        .boxed()
    }
}

async fn ask(state: &AppState, chain: &Chain, account: &str, what: &str, params: &Params) -> Result<Value, Fault> {
    let mut url: Url = chain.assets.explorer.clone().ok_or(Fault::NotServed)?;
    let path = ["api", "v2", "addresses", account, what];
    url.path_segments_mut().map_err(|()| Fault::NotServed)?.pop_if_empty().extend(path);
    if !params.is_empty() {
        url.query_pairs_mut().extend_pairs(params);
    }
    fetch(state.http().get(url)).await
}

/// Query parameters of the next page, sent back exactly as received.
fn next_of(answer: &Value) -> Option<Params> {
    let fields = answer.get("next_page_params").as_object()?;
    let said = |value: &Value| match value {
        Value::Text(text) | Value::Number(text) => Some(text.clone()),
        Value::Bool(is) => Some(is.to_string()),
        _ => None,
    };
    Some(fields.iter().filter_map(|(name, value)| Some((name.clone(), said(value)?))).collect())
}
