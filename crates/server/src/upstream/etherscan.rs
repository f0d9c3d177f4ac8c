//! Etherscan API V2 (<https://docs.etherscan.io/etherscan-v2>): history. Needs a key.

use super::{Fault, History, Question, SourceAnswer, fetch, loose};
use crate::activity::{
    Leaf, Moved, MovedAsset, Page, Params, Piece, PieceContent, SignedCall, Stream, approved, doubt_coin, rfc3339,
};
use crate::config::{Chain, Keyed};
use futures_util::FutureExt;
use portico_api::account::Transaction;
use portico_json::Value;

pub(super) struct Etherscan(pub(super) Keyed);

/// Rows per request, and number of pages: the API returns at most ten thousand rows of a list.
const ROWS: usize = 100;
const PAGES: u64 = 100;

impl History for Etherscan {
    fn knows(&self, chain: &Chain) -> bool {
        chain.id.number().is_some()
    }

    fn history<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Transaction>> {
        async move {
            let number = asked.account.chain().number().ok_or(Fault::NotServed)?;
            let list = |action: &'static str| List { asked, vendor: &self.0, number, action };
            // Three requests at once are the limit of a free key per second.
            let mut page = asked.merged(&[&list("txlist"), &list("tokentx"), &list("tokennfttx")]).await?;
            // The list of internal transactions would be a fourth.
            page.rows.iter_mut().for_each(doubt_coin);
            Ok(page)
        }
        .boxed()
    }
}

struct List<'a> {
    asked: Question<'a>,
    vendor: &'a Keyed,
    number: u64,
    action: &'static str,
}

impl Stream for List<'_> {
    fn leaf<'a>(&'a self, params: &'a Params) -> SourceAnswer<'a, Leaf> {
        async move {
            let page: u64 = params.first().map_or(Ok(1), |(_, page)| page.parse()).map_err(|_| Fault::Cursor)?;
            let mut url = self.vendor.url.clone();
            url.path_segments_mut().map_err(|()| Fault::NotServed)?.pop_if_empty().extend(["v2", "api"]);
            url.query_pairs_mut().extend_pairs([
                ("chainid", &*self.number.to_string()),
                ("module", "account"),
                ("action", self.action),
                ("address", self.asked.account.address()),
                ("page", &page.to_string()),
                ("offset", &ROWS.to_string()),
                ("sort", "desc"),
                ("apikey", self.vendor.key.reveal()),
            ]);
            let answer = fetch(self.asked.state.http().get(url)).await?;
            // On refusal `result` is a text instead of a list; it may contain the key and is dropped.
            let items = answer.get("result").as_list().ok_or(Fault::Nonsense)?;
            let more = items.len() >= ROWS && page < PAGES;
            Ok(Leaf {
                pieces: items.iter().filter_map(|item| self.piece(item)).collect(),
                next: more.then(|| vec![("page".into(), (page + 1).to_string())]),
            })
        }
        .boxed()
    }
}

impl List<'_> {
    fn piece(&self, item: &Value) -> Option<Piece> {
        let what = match self.action {
            "txlist" => PieceContent::Call(call(item)?),
            action => PieceContent::Moved(Moved {
                from: loose::evm(item.get("from"))?,
                to: loose::evm(item.get("to"))?,
                thing: thing(item, action == "tokennfttx")?,
            }),
        };
        Some(Piece {
            block: loose::number(item.get("blockNumber"))?,
            hash: loose::hash(item.get("hash"))?,
            at: rfc3339(loose::number(item.get("timeStamp"))?)?,
            what,
        })
    }
}

fn call(item: &Value) -> Option<SignedCall> {
    let name = loose::word(item.get("functionName")).and_then(|name| name.split('(').next().map(str::to_owned));
    let selector = loose::word(item.get("methodId")).filter(|selector| selector != "0x");
    Some(SignedCall {
        from: loose::evm(item.get("from"))?,
        to: loose::evm(item.get("to")).unwrap_or_default(),
        value: loose::amount(item.get("value"))?,
        failed: loose::text(item.get("isError")) == Some("1"),
        pending: false,
        nonce: loose::number(item.get("nonce")).unwrap_or(0),
        method: name.filter(|name| !name.is_empty()).or(selector).unwrap_or_default(),
        contract: None,
        fee: loose::amount(item.get("gasUsed"))
            .zip(loose::amount(item.get("gasPrice")))
            .and_then(|(used, price)| used.by(price)),
        approved: item.get("input").as_str().and_then(approved),
    })
}

fn thing(item: &Value, by_piece: bool) -> Option<MovedAsset> {
    let name = loose::word(item.get("tokenName"));
    if by_piece {
        return Some(MovedAsset::numbered(&name.unwrap_or_default(), loose::amount(item.get("tokenID"))?));
    }
    let decimals = loose::decimals(item.get("tokenDecimal")).unwrap_or(0);
    Some(MovedAsset::Fungible {
        name,
        symbol: loose::word(item.get("tokenSymbol")),
        picture: String::new(),
        numeric: loose::amount(item.get("value"))?.to_units(decimals),
        address: loose::evm(item.get("contractAddress")),
    })
}
