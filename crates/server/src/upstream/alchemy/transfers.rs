//! Alchemy's Transfers API (<https://www.alchemy.com/docs/reference/transfers-api-quickstart>): incoming and outgoing transfers, in two
//! lists. It reports neither approvals nor failed transactions, nor the called method.

use super::{Alchemy, page_key};
use crate::activity::{
    Leaf, Moved, MovedAsset, Page, Paid, Params, Piece, PieceContent, SignedCall, Stream, doubt_coin, written,
};
use crate::price::Decimal;
use crate::source::{Fault, SourceAnswer, fetch, loose};
use crate::upstream::{Question, networks};
use futures_util::FutureExt;
use portico_api::account::Transaction;
use portico_json::Value;
use portico_terms::{Amount, ChainId};
use reqwest::Url;
use reqwest::header::CONTENT_TYPE;
use serde_json::json;

/// Rows per request; the API allows up to a thousand.
const ROWS: u32 = 50;

pub(super) async fn history(alchemy: &Alchemy, asked: Question<'_>) -> Result<Page<Transaction>, Fault> {
    let chain = asked.account.chain();
    let network = networks::alchemy(chain).ok_or(Fault::NotServed)?;
    let categories = chain.number().and_then(categories).ok_or(Fault::NotServed)?;
    let url = node(alchemy.0.url.clone(), network, alchemy.0.key.reveal()).ok_or(Fault::NotServed)?;
    let list = |coming: bool| List { asked, url: &url, categories, coming };
    let mut page = asked.merged(&[&list(false), &list(true)]).await?;
    if !categories.contains(&"internal") {
        page.rows.iter_mut().for_each(doubt_coin);
    }
    Ok(page)
}

/// Whether the API has the history of a chain.
pub(super) fn serves(chain: &ChainId) -> bool {
    chain.number().and_then(categories).is_some()
}

/// Transfer categories of a chain. On other chains transfers have no timestamp; only two chains have internal transfers.
fn categories(chain: u64) -> Option<&'static [&'static str]> {
    const ALL: &[&str] = &["external", "erc20", "erc721", "erc1155", "specialnft", "internal"];
    match chain {
        1 | 137 => Some(ALL),
        10 | 8453 | 42161 => ALL.split_last().map(|(_, without)| without),
        _ => None,
    }
}

/// URL of a network's node. At Alchemy each network has its own host; behind an operator's proxy the network is the first path segment.
fn node(mut url: Url, network: &str, key: &str) -> Option<Url> {
    let vendors = url.host_str().and_then(|host| host.strip_prefix("api.")).map(|rest| format!("{network}.{rest}"));
    if let Some(host) = &vendors {
        url.set_host(Some(host)).ok()?;
    }
    let before = if vendors.is_some() { None } else { Some(network) };
    url.path_segments_mut().ok()?.pop_if_empty().extend(before).extend(["v2", key]);
    Some(url)
}

struct List<'a> {
    asked: Question<'a>,
    url: &'a Url,
    categories: &'a [&'a str],
    coming: bool,
}

impl Stream for List<'_> {
    fn leaf<'a>(&'a self, params: &'a Params) -> SourceAnswer<'a, Leaf> {
        async move {
            let side = if self.coming { "toAddress" } else { "fromAddress" };
            let mut wanted = json!({ "fromBlock": "0x0", "toBlock": "latest", "category": self.categories, "order": "desc",
                "withMetadata": true, "excludeZeroValue": true, "maxCount": format!("{ROWS:#x}") });
            wanted[side] = self.asked.account.address().into();
            if let Some((_, key)) = params.first() {
                wanted["pageKey"] = key.as_str().into();
            }
            let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "alchemy_getAssetTransfers", "params": [wanted] });
            let request = self.asked.state.http().post(self.url.clone()).header(CONTENT_TYPE, "application/json");
            let answer = fetch(request.body(body.to_string())).await?;
            let result = answer.get("result");
            let items = result.get("transfers").as_list().ok_or(Fault::Nonsense)?;
            Ok(Leaf {
                pieces: items.iter().flat_map(|item| self.pieces(item).unwrap_or_default()).collect(),
                next: page_key(result).map(|key| vec![("pageKey".into(), key.into())]),
            })
        }
        .boxed()
    }
}

impl List<'_> {
    fn pieces(&self, item: &Value) -> Option<Vec<Piece>> {
        let from = loose::evm(item.get("from"))?;
        // A transfer from the account to itself is in the outgoing list.
        if self.coming && from == self.asked.account.address() {
            return None;
        }
        let block = loose::number(item.get("blockNum"))?;
        let hash = loose::hash(item.get("hash"))?;
        let at = written(item.get("metadata").get("blockTimestamp").as_str()?)?;
        let piece = |what| Piece { block, hash: hash.clone(), at: at.clone(), what };
        Some(moved(item, &from)?.into_iter().map(piece).collect())
    }
}

fn moved(item: &Value, from: &str) -> Option<Vec<PieceContent>> {
    let to = loose::evm(item.get("to"));
    let (raw, asset) = (item.get("rawContract"), loose::word(item.get("asset")));
    let kind = item.get("category").as_str()?;
    if matches!(kind, "external" | "internal") {
        // A contract deployment has no receiver.
        let (from, to, value) = (from.to_owned(), to.unwrap_or_default(), loose::amount(raw.get("value"))?);
        // An external transfer is the transaction itself: its sender signed it.
        let external = kind == "external";
        return Some(vec![if external {
            PieceContent::Call(SignedCall { from, to, value, ..SignedCall::default() })
        } else {
            PieceContent::Paid(Paid { from, to, value })
        }]);
    }
    let to = to?;
    let told = |thing| PieceContent::Moved(Moved { from: from.into(), to: to.clone(), thing });
    let numbered = |number| told(MovedAsset::numbered(asset.as_deref().unwrap_or_default(), number));
    match kind {
        "erc20" => {
            let (symbol, numeric) = (asset.clone(), numeric(item, raw)?);
            Some(vec![told(MovedAsset::Fungible {
                name: asset,
                symbol,
                picture: String::new(),
                numeric,
                address: loose::evm(raw.get("address")),
            })])
        }
        "erc721" | "specialnft" => Some(vec![numbered(loose::amount(item.get("tokenId"))?)]),
        "erc1155" => {
            let several = item.get("erc1155Metadata").as_list()?.iter().take(MOST);
            Some(
                several.filter_map(|one| Some(several_of(numbered(loose::amount(one.get("tokenId"))?), one))).collect(),
            )
        }
        _ => None,
    }
}

/// Maximum number of tokens read from one ERC-1155 batch transfer.
const MOST: usize = 50;

fn several_of(mut what: PieceContent, one: &Value) -> PieceContent {
    if let PieceContent::Moved(Moved { thing: MovedAsset::Piece { numeric, .. }, .. }) = &mut what {
        *numeric = loose::amount(one.get("value")).unwrap_or(Amount::from(1u32)).to_string();
    }
    what
}

/// Amount in whole tokens, from the raw amount and its decimals, else as computed by the API.
fn numeric(item: &Value, raw: &Value) -> Option<String> {
    match (loose::amount(raw.get("value")), loose::decimals(raw.get("decimal"))) {
        (Some(amount), Some(decimals)) => Some(amount.to_units(decimals)),
        _ => Some(loose::text(item.get("value"))?.parse::<Decimal>().ok()?.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_network_has_its_own_host_at_the_vendor_and_its_own_path_elsewhere() {
        for (address, expected) in [
            ("https://api.g.alchemy.com", "https://opt-mainnet.g.alchemy.com/v2/key"),
            ("https://proxy.example/alchemy/", "https://proxy.example/alchemy/opt-mainnet/v2/key"),
            ("http://127.0.0.1:9", "http://127.0.0.1:9/opt-mainnet/v2/key"),
        ] {
            let url = node(Url::parse(address).unwrap(), "opt-mainnet", "key");
            assert_eq!(url.map(String::from).as_deref(), Some(expected));
        }
    }

    #[test]
    fn internal_transfers_are_asked_for_where_they_are_told_and_nothing_where_no_time_is() {
        assert_eq!(categories(1).map(<[&str]>::len), Some(6));
        assert!(categories(8453).is_some_and(|asked| !asked.contains(&"internal")));
        assert_eq!(categories(56), None);
    }
}
