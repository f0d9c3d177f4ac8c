//! Transactions with their logs, in pages numbered from the oldest
//! (<https://goldrush.dev/docs/unified-api/guides/introducing-transactions-v3-apis>).

use super::GoldRush;
use crate::activity::{Leaf, Params, Piece, PieceContent, SignedCall, Stream, written};
use crate::config::Token;
use crate::source::{Fault, SourceAnswer, loose};
use crate::upstream::Question;
use crate::upstream::transfer::Transfer;
use futures_util::FutureExt;
use portico_json::Value;
use reqwest::Url;

pub(super) struct Pages<'a> {
    pub(super) vendor: &'a GoldRush,
    pub(super) asked: Question<'a>,
}

/// Gas of a plain payment; a transaction that used more called a contract.
const GAS_OF_PAYMENT: u64 = 21_000;

impl Stream for Pages<'_> {
    fn leaf<'a>(&'a self, params: &'a Params) -> SourceAnswer<'a, Leaf> {
        async move {
            let page = params.first().map(|(_, page)| page.parse::<u64>()).transpose().map_err(|_| Fault::Cursor)?;
            let data = match page {
                // The newest page, whatever its number.
                None => self.vendor.ask(&self.asked, &["transactions_v3"], &[]).await?,
                Some(page) => {
                    self.vendor.ask(&self.asked, &["transactions_v3", "page", &page.to_string()], &[]).await?
                }
            };
            let items = data.get("items").as_list().ok_or(Fault::Nonsense)?;
            let before = data.get("links").get("prev").as_str().and_then(page_of);
            Ok(Leaf {
                pieces: items.iter().flat_map(|item| self.pieces(item).unwrap_or_default()).collect(),
                next: before.map(|page| vec![("page".into(), page.to_string())]),
            })
        }
        .boxed()
    }
}

/// Page number in the URL of a page. The rest of the URL is ignored, because a vendor must not choose where the key is sent.
fn page_of(url: &str) -> Option<u64> {
    let url = Url::parse(url).ok()?;
    url.path_segments()?.skip_while(|part| *part != "page").nth(1)?.parse().ok()
}

impl Pages<'_> {
    fn pieces(&self, item: &Value) -> Option<Vec<Piece>> {
        let block = loose::number(item.get("block_height"))?;
        let hash = loose::hash(item.get("tx_hash"))?;
        let at = written(item.get("block_signed_at").as_str()?)?;
        let piece = |what| Piece { block, hash: hash.clone(), at: at.clone(), what };
        let logs = item.get("log_events").as_list().unwrap_or_default();
        let own = self.asked.account.address();
        let moved = logs.iter().filter_map(|log| {
            let moved = Transfer::read(log.get("raw_log_topics"), log.get("raw_log_data"))?.of(&token(log)?);
            (moved.from == own || moved.to == own).then_some(PieceContent::Moved(moved))
        });
        Some(std::iter::once(PieceContent::Call(call(item, logs)?)).chain(moved).map(piece).collect())
    }
}

/// Parses the signed call. The API does not name the method: approvals are recognized by their event, all others count as calls.
fn call(item: &Value, logs: &[Value]) -> Option<SignedCall> {
    let permits =
        |log: &Value| log.get("decoded").get("name").as_str().is_some_and(|name| name.starts_with("Approval"));
    let called = !logs.is_empty() || loose::number(item.get("gas_spent")).is_some_and(|gas| gas > GAS_OF_PAYMENT);
    let method = match (logs.iter().any(permits), called) {
        (true, _) => "approve",
        (false, true) => "call",
        (false, false) => "",
    };
    Some(SignedCall {
        from: loose::evm(item.get("from_address"))?,
        to: loose::evm(item.get("to_address")).unwrap_or_default(),
        value: loose::amount(item.get("value"))?,
        failed: item.get("successful").as_bool() == Some(false),
        method: method.into(),
        ..SignedCall::default()
    })
}

fn token(log: &Value) -> Option<Token> {
    Some(Token {
        address: loose::evm(log.get("sender_address"))?,
        name: loose::word(log.get("sender_name")).unwrap_or_default(),
        symbol: loose::word(log.get("sender_contract_ticker_symbol")).unwrap_or_default(),
        decimals: loose::decimals(log.get("sender_contract_decimals")).unwrap_or(0),
        picture: loose::picture(log.get("sender_logo_url")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_number_of_a_page_is_taken_of_its_address() {
        let of =
            |path: &str| page_of(&format!("https://evil.example/v1/eth-mainnet/address/0x1/transactions_v3/{path}"));
        assert_eq!(of("page/41/"), Some(41));
        for path in ["", "page/", "page/-1/", "page/x/", "41/", "page/99999999999999999999/"] {
            assert_eq!(of(path), None, "{path}");
        }
        assert_eq!(page_of("page/41"), None);
    }
}
