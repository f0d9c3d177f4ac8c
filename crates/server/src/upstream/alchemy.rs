//! Alchemy's Portfolio API (<https://www.alchemy.com/docs/reference/portfolio-apis>) for balances and NFTs, and its Transfers API for
//! history. Needs a key, which is part of the path.

mod transfers;

use super::{Balances, Fault, History, Holding, Kind, Nfts, Question, SourceAnswer, fetch, loose, networks};
use crate::AppState;
use crate::activity::Page;
use crate::config::{Chain, Keyed};
use crate::picture_link::picture;
use crate::price::{Decimal, Money};
use futures_util::FutureExt;
use portico_api::account::{Nft, NftFlags, Transaction};
use portico_json::Value;
use portico_terms::{AccountId, Amount};
use reqwest::header::CONTENT_TYPE;
use serde_json::json;

pub(super) struct Alchemy(pub(super) Keyed);

/// Maximum number of token pages; tokens beyond them are mostly spam.
const PAGES: usize = 3;

impl Alchemy {
    async fn ask(&self, state: &AppState, what: &str, body: &serde_json::Value) -> Result<Value, Fault> {
        let mut url = self.0.url.clone();
        let path = ["data", "v1", self.0.key.reveal(), "assets", what, "by-address"];
        url.path_segments_mut().map_err(|()| Fault::NotServed)?.pop_if_empty().extend(path);
        fetch(state.http().post(url).header(CONTENT_TYPE, "application/json").body(body.to_string())).await
    }
}

impl Balances for Alchemy {
    fn knows(&self, chain: &Chain) -> bool {
        networks::alchemy(&chain.id).is_some()
    }

    fn balances<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Vec<Holding>> {
        async move {
            let Question { state, account, money, .. } = asked;
            let network = networks::alchemy(account.chain()).ok_or(Fault::NotServed)?;
            let chain = asked.chain()?;
            let mut body = json!({
                "addresses": [{ "address": account.address(), "networks": [network] }],
                "withMetadata": true, "withPrices": true, "includeNativeTokens": true
            });
            let mut holdings = Vec::new();
            for _ in 0..PAGES {
                let answer = self.ask(state, "tokens", &body).await?;
                let data = answer.get("data");
                let tokens = data.get("tokens").as_list().ok_or(Fault::Nonsense)?;
                holdings.extend(tokens.iter().filter_map(|token| holding(&chain, token, money)));
                match page_key(data) {
                    Some(key) => body["pageKey"] = key.into(),
                    None => break,
                }
            }
            Ok(holdings)
        }
        .boxed()
    }
}

impl Nfts for Alchemy {
    fn knows(&self, chain: &Chain) -> bool {
        networks::alchemy(&chain.id).is_some()
    }

    fn nfts<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Nft>> {
        async move {
            let Question { state, account, place, .. } = asked;
            let network = networks::alchemy(account.chain()).ok_or(Fault::NotServed)?;
            let mut body = json!({
                "addresses": [{ "address": account.address(), "networks": [network] }], "withMetadata": true, "pageSize": 50
            });
            if let Some(place) = place {
                body["pageKey"] = place.into();
            }
            let answer = self.ask(state, "nfts", &body).await?;
            let data = answer.get("data");
            let owned = data.get("ownedNfts").as_list().ok_or(Fault::Nonsense)?;
            let next = page_key(data).filter(|next| Some(*next) != place).map(Into::into);
            Ok(Page { rows: owned.iter().take(50).filter_map(|item| nft(account, item)).collect(), next })
        }
        .boxed()
    }
}

impl History for Alchemy {
    fn knows(&self, chain: &Chain) -> bool {
        networks::alchemy(&chain.id).is_some() && transfers::serves(&chain.id)
    }

    fn history<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Transaction>> {
        transfers::history(self, asked).boxed()
    }
}

/// Cursor of the next page; absent, null or empty after the last one.
fn page_key(data: &Value) -> Option<&str> {
    data.get("pageKey").as_str().filter(|key| !key.is_empty())
}

fn holding(chain: &Chain, item: &Value, money: Money) -> Option<Holding> {
    let amount = loose::amount(item.get("tokenBalance")).filter(|amount| !amount.is_zero())?;
    let prices = item.get("tokenPrices").as_list().unwrap_or_default();
    let price = prices.iter().find(|price| price.get("currency").as_str().and_then(Money::read) == Some(money));
    let price = price
        .and_then(|price| loose::text(price.get("value"))?.parse().ok())
        .filter(|price: &Decimal| !price.is_zero());
    let said = item.get("tokenMetadata");
    if item.get("tokenAddress").is_null() {
        let own = &chain.assets.coin;
        return Some(Holding {
            kind: Kind::Coin,
            name: own.name.clone(),
            symbol: own.symbol.clone(),
            decimals: own.decimals,
            picture: loose::picture(said.get("logo")),
            amount,
            price,
        });
    }
    let symbol = loose::word(said.get("symbol"))?;
    Some(Holding {
        kind: Kind::Token(loose::evm(item.get("tokenAddress"))?),
        name: loose::word(said.get("name")).unwrap_or_else(|| symbol.clone()),
        symbol,
        decimals: loose::decimals(said.get("decimals"))?,
        picture: loose::picture(said.get("logo")),
        amount,
        price,
    })
}

fn nft(account: &AccountId, item: &Value) -> Option<Nft> {
    let contract = item.get("contract");
    let id = loose::amount(item.get("tokenId"))?.to_string();
    let collection = loose::word(item.get("collection").get("name")).or_else(|| loose::word(contract.get("name")));
    let collection = collection.unwrap_or_default();
    let image = item.get("image");
    let shown = ["thumbnailUrl", "cachedUrl", "pngUrl", "originalUrl"].map(|name| loose::picture(image.get(name)));
    Some(Nft {
        address: format!("{}:{}", account.chain(), loose::evm(contract.get("address"))?),
        name: loose::word(item.get("name")).unwrap_or_else(|| format!("{collection} #{id}").trim().into()),
        token_id: id,
        collection,
        image_url: picture(&shown.into_iter().find(|url| !url.is_empty()).unwrap_or_default()),
        amount: loose::amount(item.get("balance")).unwrap_or(Amount::from(1u32)).to_string(),
        flags: NftFlags { is_spam: contract.get("isSpam").as_bool() == Some(true) },
    })
}
