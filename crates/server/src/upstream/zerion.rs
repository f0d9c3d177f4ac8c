//! Zerion (<https://developers.zerion.io>): balances and history of EVM chains and Solana, in JSON:API. Needs a key.

use super::{Balances, Fault, History, Holding, Kind, Question, SourceAnswer, fetch, loose, networks};
use crate::activity::{Page, Params, written};
use crate::config::{Chain, Keyed};
use crate::picture_link::picture;
use crate::price::Decimal;
use futures_util::FutureExt;
use portico_api::account::{
    Application, FungibleInfo, NftContent, NftFlags, NftInfo, Picture, Transaction, TransactionMetadata, Transfer,
    TransferQuantity,
};
use portico_json::{Number, Read, Value};
use portico_terms::{AccountId, Namespace};
use reqwest::Url;

pub(super) struct Zerion(pub(super) Keyed);

impl Zerion {
    async fn ask(&self, asked: &Question<'_>, list: &str, query: &[(&str, &str)]) -> Result<Value, Fault> {
        let network = networks::zerion(asked.account.chain()).ok_or(Fault::NotServed)?;
        let mut url = self.0.url.clone();
        let path = ["v1", "wallets", asked.account.address(), list, ""];
        url.path_segments_mut().map_err(|()| Fault::NotServed)?.pop_if_empty().extend(path);
        url.query_pairs_mut()
            .append_pair("filter[chain_ids]", network)
            .append_pair("filter[trash]", "only_non_trash")
            .append_pair("currency", asked.money.word())
            .extend_pairs(query);
        fetch(asked.state.http().get(url).basic_auth(self.0.key.reveal(), None::<&str>)).await
    }
}

impl Balances for Zerion {
    fn knows(&self, chain: &Chain) -> bool {
        networks::zerion(&chain.id).is_some()
    }

    fn balances<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Vec<Holding>> {
        async move {
            // The response is one list without pages.
            let answer =
                self.ask(&asked, "positions", &[("filter[positions]", "only_simple"), ("sort", "-value")]).await?;
            let items = answer.get("data").as_list().ok_or(Fault::Nonsense)?;
            Ok(items.iter().filter_map(|item| holding(asked.account, item)).collect())
        }
        .boxed()
    }
}

impl History for Zerion {
    fn knows(&self, chain: &Chain) -> bool {
        networks::zerion(&chain.id).is_some()
    }

    fn history<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Transaction>> {
        async move {
            let place: Params =
                asked.place.map_or(Ok(Params::new()), serde_json::from_str).map_err(|_| Fault::Cursor)?;
            if !place.iter().all(|(name, _)| is_place(name)) {
                return Err(Fault::Cursor);
            }
            let mut query = vec![("page[size]", "50")];
            query.extend(place.iter().map(|(name, value)| (&**name, &**value)));
            let answer = self.ask(&asked, "transactions", &query).await?;
            let items = answer.get("data").as_list().ok_or(Fault::Nonsense)?;
            let next = answer.get("links").get("next").as_str().and_then(after).filter(|next| *next != place);
            Ok(Page {
                rows: items.iter().take(50).filter_map(|item| transaction(asked.account, item)).collect(),
                next: next.and_then(|next| serde_json::to_string(&next).ok()),
            })
        }
        .boxed()
    }
}

/// Cursor parameters in the URL of the next page. The rest of the URL is ignored, because a vendor must not choose where the key is sent.
fn after(url: &str) -> Option<Params> {
    let url = Url::parse(url).ok().filter(|url| url.as_str().len() <= LONGEST_PLACE)?;
    let place = url.query_pairs().filter(|(name, _)| is_place(name));
    let place: Params = place.map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    (!place.is_empty()).then_some(place)
}

/// Whether a parameter belongs to the cursor. Names vary: `page[after]`, or `page[lastId]` and `page[lastTimestamp]`.
fn is_place(name: &str) -> bool {
    name.starts_with("page[") && name != "page[size]"
}

/// Maximum URL length that the vendor calls safe.
const LONGEST_PLACE: usize = 2000;

fn holding(account: &AccountId, item: &Value) -> Option<Holding> {
    let network = networks::zerion(account.chain())?;
    let said = item.get("attributes");
    if item.get("relationships").get("chain").get("data").get("id").as_str() != Some(network) {
        return None;
    }
    let fungible = said.get("fungible_info");
    let implementations = fungible.get("implementations").as_list()?;
    let here = implementations.iter().find(|one| one.get("chain_id").as_str() == Some(network))?;
    let decimals =
        loose::decimals(said.get("quantity").get("decimals")).or_else(|| loose::decimals(here.get("decimals")))?;
    let symbol = loose::word(fungible.get("symbol"))?;
    Some(Holding {
        kind: match (here.get("address"), account.chain().namespace()) {
            (Value::Null, _) => Kind::Coin,
            (address, Namespace::Eip155) => Kind::Token(loose::evm(address)?),
            (address, _) => Kind::Token(loose::word(address)?),
        },
        name: loose::word(fungible.get("name")).unwrap_or_else(|| symbol.clone()),
        symbol,
        decimals,
        picture: loose::picture(fungible.get("icon").get("url")),
        amount: loose::amount(said.get("quantity").get("int")).filter(|amount| !amount.is_zero())?,
        price: decimal(said.get("price")),
    })
}

fn decimal(value: &Value) -> Option<Decimal> {
    loose::text(value)?.parse().ok().filter(|price: &Decimal| !price.is_zero())
}

fn number(value: &Value) -> Option<Number> {
    Number::read(&Value::Number(decimal(value)?.to_string())).ok()
}

fn transaction(account: &AccountId, item: &Value) -> Option<Transaction> {
    let said = item.get("attributes");
    let hash = loose::word(said.get("hash")).map(|_| said.get("hash").as_str().unwrap_or_default().to_owned())?;
    let address =
        |name: &str| said.get(name).as_str().filter(|text| text.len() <= LONGEST).unwrap_or_default().to_owned();
    let application = said.get("application_metadata");
    Some(Transaction {
        id: loose::word(item.get("id")).unwrap_or_else(|| hash.clone()),
        metadata: TransactionMetadata {
            operation_type: loose::word(said.get("operation_type")).unwrap_or_else(|| "execute".into()),
            hash: hash.chars().take(LONGEST).collect(),
            mined_at: written(said.get("mined_at").as_str()?)?,
            sent_from: address("sent_from"),
            sent_to: address("sent_to"),
            status: said
                .get("status")
                .as_str()
                .filter(|word| ["confirmed", "failed", "pending"].contains(word))?
                .into(),
            nonce: loose::number(said.get("nonce")).unwrap_or(0),
            application: loose::word(application.get("name")).map(|name| Application {
                name,
                icon_url: picture(&loose::picture(application.get("icon").get("url"))),
            }),
            chain: Some(account.chain().to_string()),
            fee: None,
        },
        transfers: Some(said.get("transfers").as_list().unwrap_or_default().iter().filter_map(transfer).collect()),
        approval: None,
    })
}

/// Maximum length of a hash or address on any chain.
const LONGEST: usize = 96;

fn transfer(item: &Value) -> Option<Transfer> {
    let shown = |value: &Value| {
        Some(Picture { url: picture(&loose::picture(value.get("url"))) }).filter(|picture| !picture.url.is_empty())
    };
    let (fungible, nft) = (item.get("fungible_info"), item.get("nft_info"));
    let content = nft.get("content");
    Some(Transfer {
        fungible_info: (!fungible.is_null()).then(|| FungibleInfo {
            name: loose::word(fungible.get("name")),
            symbol: loose::word(fungible.get("symbol")),
            icon: shown(fungible.get("icon")),
            address: None,
        }),
        nft_info: (!nft.is_null()).then(|| NftInfo {
            name: loose::word(nft.get("name")),
            content: (!content.is_null())
                .then(|| NftContent { preview: shown(content.get("preview")), detail: shown(content.get("detail")) }),
            flags: NftFlags { is_spam: nft.get("flags").get("is_spam").as_bool() == Some(true) },
        }),
        direction: item.get("direction").as_str().filter(|word| ["in", "out", "self"].contains(word))?.into(),
        recipient: item
            .get("recipient")
            .as_str()
            .filter(|text| !text.is_empty() && text.len() <= LONGEST)
            .map(Into::into),
        quantity: TransferQuantity { numeric: numeric(item.get("quantity"))? },
        at_most: None,
        value: number(item.get("value")),
        price: number(item.get("price")),
    })
}

/// Exact amount from the integer and its decimals, not the rounded one.
fn numeric(quantity: &Value) -> Option<String> {
    Some(loose::amount(quantity.get("int"))?.to_units(loose::decimals(quantity.get("decimals"))?))
}
