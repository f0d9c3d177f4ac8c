//! Helius (<https://www.helius.dev/docs/das-api>): tokens, NFTs and history of Solana accounts. Needs a key.

use super::{Balances, Fault, History, Holding, Kind, Nfts, Question, SourceAnswer, fetch, loose, solana};
use crate::activity::{Of, Page, ROWS};
use crate::config::{Chain, Keyed};
use crate::picture_link::picture;
use crate::price::{Decimal, Money, market};
use futures_util::FutureExt;
use portico_api::account::{Nft, NftFlags, Transaction};
use portico_json::Value;
use portico_terms::{AccountId, address};
use reqwest::header::CONTENT_TYPE;
use serde_json::json;

pub(super) struct Helius(pub(super) Keyed);

const BY_AMOUNT: [&str; 2] = ["FungibleToken", "FungibleAsset"];

impl Helius {
    async fn ask(&self, asked: &Question<'_>, method: &str, params: serde_json::Value) -> Result<Value, Fault> {
        if !market::is_solana(asked.account.chain()) {
            return Err(Fault::NotServed);
        }
        let mut url = self.0.url.clone();
        url.query_pairs_mut().append_pair("api-key", self.0.key.reveal());
        let body = json!({ "jsonrpc": "2.0", "id": "1", "method": method, "params": params });
        fetch(asked.state.http().post(url).header(CONTENT_TYPE, "application/json").body(body.to_string())).await
    }

    async fn assets(&self, asked: &Question<'_>, page: u64, limit: u64, fungible: bool) -> Result<Value, Fault> {
        let params = json!({ "ownerAddress": asked.account.address(), "page": page, "limit": limit,
            "tokenType": if fungible { "fungible" } else { "nonFungible" },
            "options": { "showNativeBalance": fungible, "showCollectionMetadata": !fungible } });
        self.ask(asked, "searchAssets", params).await
    }
}

impl Balances for Helius {
    fn knows(&self, chain: &Chain) -> bool {
        market::is_solana(&chain.id)
    }

    fn balances<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Vec<Holding>> {
        async move {
            let money = asked.money;
            let answer = self.assets(&asked, 1, 1000, true).await?;
            let result = answer.get("result");
            let items = items(result).ok_or(Fault::Nonsense)?;
            let native = result.get("nativeBalance");
            let coin = loose::amount(native.get("lamports")).filter(|amount| !amount.is_zero()).map(|amount| Holding {
                kind: Kind::Coin,
                name: "Solana".into(),
                symbol: "SOL".into(),
                decimals: 9,
                picture: String::new(),
                amount,
                price: dollars(native.get("price_per_sol"), money),
            });
            Ok(coin.into_iter().chain(items.iter().filter_map(|item| holding(item, money))).collect())
        }
        .boxed()
    }
}

impl Nfts for Helius {
    fn knows(&self, chain: &Chain) -> bool {
        market::is_solana(&chain.id)
    }

    fn nfts<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Nft>> {
        async move {
            let page: u32 = asked.place.map_or(Ok(1), str::parse).map_err(|_| Fault::Cursor)?;
            let answer = self.assets(&asked, page.into(), 50, false).await?;
            let items = items(answer.get("result")).ok_or(Fault::Nonsense)?;
            let next = (items.len() >= 50).then(|| (u64::from(page) + 1).to_string());
            Ok(Page { rows: items.iter().take(50).filter_map(|item| nft(asked.account, item)).collect(), next })
        }
        .boxed()
    }
}

impl History for Helius {
    fn knows(&self, chain: &Chain) -> bool {
        market::is_solana(&chain.id)
    }

    fn history<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Transaction>> {
        async move {
            if asked.place.is_some_and(|place| !is_place(place)) {
                return Err(Fault::Cursor);
            }
            let chain = asked.chain()?;
            // Includes transactions that moved a token of the account without naming the account itself.
            let mut wanted = json!({ "transactionDetails": "full", "encoding": "jsonParsed", "sortOrder": "desc", "limit": ROWS,
                "maxSupportedTransactionVersion": 0, "filters": { "tokenAccounts": "balanceChanged" } });
            if let Some(place) = asked.place {
                wanted["paginationToken"] = place.into();
            }
            let params = json!([asked.account.address(), wanted]);
            let answer = self.ask(&asked, "getTransactionsForAddress", params).await?;
            let result = answer.get("result");
            let items = result.get("data").as_list().ok_or(Fault::Nonsense)?;
            let of = Of { account: asked.account, coin: &chain.assets.coin };
            let next = result.get("paginationToken").as_str().filter(|next| is_place(next) && Some(*next) != asked.place);
            Ok(Page {
                rows: items.iter().take(ROWS).filter_map(|item| solana::transaction(of, item)).collect(),
                next: next.map(Into::into),
            })
        }
        .boxed()
    }
}

/// Whether a text is a cursor: a slot and a position in it, such as `1055:5`.
fn is_place(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
}

/// Items of a response: under `items`, or under `assets.items` in another version of the API.
fn items(result: &Value) -> Option<&[Value]> {
    result.get("items").as_list().or_else(|| result.get("assets").get("items").as_list())
}

fn dollars(value: &Value, money: Money) -> Option<Decimal> {
    let price = loose::text(value)?.parse().ok().filter(|price: &Decimal| !price.is_zero());
    price.filter(|_| money == Money::USD)
}

fn mint(item: &Value) -> Option<String> {
    item.get("id").as_str().filter(|text| address::is_solana(text)).map(Into::into)
}

fn holding(item: &Value, money: Money) -> Option<Holding> {
    let by_amount = item.get("interface").as_str().is_some_and(|word| BY_AMOUNT.contains(&word));
    let (said, metadata) = (item.get("token_info"), item.get("content").get("metadata"));
    let symbol =
        loose::word(said.get("symbol")).or_else(|| loose::word(metadata.get("symbol"))).filter(|_| by_amount)?;
    Some(Holding {
        kind: Kind::Token(mint(item)?),
        name: loose::word(metadata.get("name")).unwrap_or_else(|| symbol.clone()),
        symbol,
        decimals: loose::decimals(said.get("decimals"))?,
        picture: loose::picture(item.get("content").get("links").get("image")),
        amount: loose::amount(said.get("balance")).filter(|amount| !amount.is_zero())?,
        price: dollars(said.get("price_info").get("price_per_token"), money),
    })
}

fn nft(account: &AccountId, item: &Value) -> Option<Nft> {
    let mint = mint(item)?;
    let content = item.get("content");
    let groups = item.get("grouping").as_list().unwrap_or_default();
    let collection = groups.iter().find(|group| group.get("group_key").as_str() == Some("collection"));
    let collection = collection.and_then(|group| loose::word(group.get("collection_metadata").get("name")));
    Some(Nft {
        address: format!("{}:{mint}", account.chain()),
        // On Solana each NFT has a mint of its own.
        token_id: "0".into(),
        name: loose::word(content.get("metadata").get("name")).unwrap_or(mint),
        collection: collection.unwrap_or_default(),
        image_url: picture(&loose::picture(content.get("links").get("image"))),
        amount: "1".into(),
        flags: NftFlags { is_spam: item.get("burnt").as_bool() == Some(true) },
    })
}
