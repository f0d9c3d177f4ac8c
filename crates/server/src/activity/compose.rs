//! A transaction as clients read it, from the pieces that sources tell of it.

use super::classify::{Moves, kind};
use super::{Call, Moved, Piece, Thing, What};
use crate::account::picture;
use portico_api::account::{
    Application, FungibleInfo, NftContent, NftFlags, NftInfo, Picture, Transaction, TransactionMetadata, Transfer,
    TransferQuantity,
};
use portico_terms::{AccountId, Currency};

/// Whose history it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Of<'a> {
    /// The account on its chain.
    pub(crate) account: &'a AccountId,
    /// The chain's own coin.
    pub(crate) coin: &'a Currency,
}

/// The address that tokens come from when they are made and go to when they end.
const NOWHERE: &str = "0x0000000000000000000000000000000000000000";

/// One transaction of the pieces that have the same hash; at least one.
pub(crate) fn compose(of: Of<'_>, id: String, pieces: &[Piece]) -> Option<Transaction> {
    let first = pieces.first()?;
    let call = pieces.iter().find_map(|piece| match &piece.what {
        What::Call(call) => Some(call),
        What::Moved(_) => None,
    });
    let mut moved: Vec<Moved> = call.and_then(|call| of_coin(of.coin, call)).into_iter().collect();
    moved.extend(pieces.iter().filter_map(|piece| match &piece.what {
        What::Moved(moved) => Some(moved.clone()),
        What::Call(_) => None,
    }));
    let is_own = |address: &str| address.eq_ignore_ascii_case(of.account.address());
    moved.retain(|moved| is_own(&moved.from) || is_own(&moved.to));
    let (from, to) = match (call, moved.first()) {
        (Some(call), _) => (call.from.clone(), call.to.clone()),
        (None, Some(moved)) => (moved.from.clone(), moved.to.clone()),
        (None, None) => return None,
    };
    let own = is_own(&from);
    Some(Transaction {
        id,
        metadata: TransactionMetadata {
            operation_type: kind(call, own, moves(&moved, is_own)).into(),
            hash: first.hash.clone(),
            mined_at: first.at.clone(),
            sent_from: from,
            sent_to: to,
            status: status(call).into(),
            nonce: call.map_or(0, |call| call.nonce),
            application: call
                .and_then(|call| call.contract.clone())
                .map(|name| Application { name, icon_url: String::new() }),
            chain: Some(of.account.chain().to_string()),
        },
        transfers: Some(moved.iter().map(|moved| transfer(moved, is_own)).collect()),
    })
}

fn status(call: Option<&Call>) -> &'static str {
    match call {
        Some(Call { pending: true, .. }) => "pending",
        Some(Call { failed: true, .. }) => "failed",
        // A token that moved did so in a transaction that succeeded.
        _ => "confirmed",
    }
}

/// What a transaction carried of the chain's own coin; one that failed carried nothing.
fn of_coin(coin: &Currency, call: &Call) -> Option<Moved> {
    let carried = !call.failed && !call.value.is_zero();
    carried.then(|| Moved {
        from: call.from.clone(),
        to: call.to.clone(),
        thing: Thing::Fungible {
            name: Some(coin.name.clone()),
            symbol: Some(coin.symbol.clone()),
            picture: String::new(),
            numeric: call.value.to_units(coin.decimals),
        },
    })
}

fn moves(moved: &[Moved], is_own: impl Fn(&str) -> bool) -> Moves {
    let outside = |moved: &&Moved| !(is_own(&moved.from) && is_own(&moved.to));
    let came: Vec<&Moved> = moved.iter().filter(outside).filter(|moved| is_own(&moved.to)).collect();
    let went: Vec<&Moved> = moved.iter().filter(outside).filter(|moved| is_own(&moved.from)).collect();
    Moves {
        came: !came.is_empty(),
        made: came.iter().all(|moved| moved.from == NOWHERE),
        went: !went.is_empty(),
        ended: went.iter().all(|moved| moved.to == NOWHERE),
    }
}

fn transfer(moved: &Moved, is_own: impl Fn(&str) -> bool) -> Transfer {
    let direction = match (is_own(&moved.from), is_own(&moved.to)) {
        (true, true) => "self",
        (true, false) => "out",
        _ => "in",
    };
    let shown = |url: &str| Some(Picture { url: picture(url) }).filter(|picture| !picture.url.is_empty());
    let blank = Transfer { direction: direction.into(), ..Transfer::default() };
    match &moved.thing {
        Thing::Fungible { name, symbol, picture, numeric } => Transfer {
            fungible_info: Some(FungibleInfo { name: name.clone(), symbol: symbol.clone(), icon: shown(picture) }),
            quantity: TransferQuantity { numeric: numeric.clone() },
            ..blank
        },
        Thing::Piece { name, picture, numeric, spam } => Transfer {
            nft_info: Some(NftInfo {
                name: Some(name.clone()),
                content: shown(picture).map(|found| NftContent { preview: Some(found.clone()), detail: Some(found) }),
                flags: NftFlags { is_spam: *spam },
            }),
            quantity: TransferQuantity { numeric: numeric.clone() },
            ..blank
        },
    }
}
