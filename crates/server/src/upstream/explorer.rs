//! An explorer that speaks as Blockscout does (<https://docs.blockscout.com/devs/apis/rest>). Needs no key.

mod read;

use super::{Asked, Fault, History, Nfts, fetch};
use crate::AppState;
use crate::activity::{Leaf, Of, Page, Params, Stream, page};
use crate::config::{Chain, Token};
use crate::price::Money;
use futures_util::FutureExt;
use portico_api::account::{Nft, Transaction};
use portico_json::Value;
use portico_terms::{AccountId, Namespace};
use reqwest::Url;
use std::sync::Arc;

/// See the module.
pub(super) struct Explorer;

/// An account may hold more kinds of tokens than are worth looking for: what nobody asked for comes by the thousand.
const TOKEN_PAGES: usize = 4;

impl History for Explorer {
    fn history<'a>(
        &'a self,
        state: &'a AppState,
        account: &'a AccountId,
        place: Option<&'a str>,
        _money: Money,
    ) -> Asked<'a, Page<Transaction>> {
        async move {
            let chain = served(state, account)?;
            let list = |what: &'static str| List { state, chain: &chain, account: account.address(), what };
            let (calls, moves) = (list("transactions"), list("token-transfers"));
            page(&[&calls, &moves], Of { account, coin: &chain.assets.coin }, place).await
        }
        .boxed()
    }
}

impl Nfts for Explorer {
    fn nfts<'a>(&'a self, state: &'a AppState, account: &'a AccountId, place: Option<&'a str>) -> Asked<'a, Page<Nft>> {
        async move {
            let chain = served(state, account)?;
            let params: Params = match place {
                None => vec![("type".into(), "ERC-721,ERC-1155".into())],
                Some(text) => serde_json::from_str(text).map_err(|_| Fault::Cursor)?,
            };
            let answer = ask(state, &chain, account.address(), "nft", &params).await?;
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

/// The tokens that the explorer has seen the account hold, for the chain to be asked how much. None where it does not answer.
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

fn served(state: &AppState, account: &AccountId) -> Result<Arc<Chain>, Fault> {
    let chain = state.chain(account.chain()).ok_or(Fault::NotServed)?.config();
    let has = chain.assets.explorer.is_some() && account.chain().namespace() == Namespace::Eip155;
    if has { Ok(chain) } else { Err(Fault::NotServed) }
}

/// One of an account's lists.
struct List<'a> {
    state: &'a AppState,
    chain: &'a Chain,
    account: &'a str,
    what: &'static str,
}

impl Stream for List<'_> {
    fn leaf<'a>(&'a self, params: &'a Params) -> Asked<'a, Leaf> {
        async move {
            let answer = ask(self.state, self.chain, self.account, self.what, params).await?;
            let items = answer.get("items").as_list().ok_or(Fault::Nonsense)?;
            let piece = if self.what == "transactions" { read::call } else { read::moved };
            Ok(Leaf { pieces: items.iter().filter_map(piece).collect(), next: next_of(&answer) })
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

/// What is to be asked for the next page: to be sent back as it came, whatever it is.
fn next_of(answer: &Value) -> Option<Params> {
    let fields = answer.get("next_page_params").as_object()?;
    let said = |value: &Value| match value {
        Value::Text(text) | Value::Number(text) => Some(text.clone()),
        Value::Bool(is) => Some(is.to_string()),
        _ => None,
    };
    Some(fields.iter().filter_map(|(name, value)| Some((name.clone(), said(value)?))).collect())
}
