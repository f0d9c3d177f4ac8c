//! Builds transactions in the form of the API from the pieces of the sources.

use super::classify::{Moves, kind};
use super::net::net;
use super::{Moved, MovedAsset, Paid, Piece, PieceContent, SignedCall};
use crate::marks;
use crate::picture_link::picture;
use portico_api::account::{
    Application, Approval, FungibleInfo, NftContent, NftFlags, NftInfo, Picture, Transaction, TransactionMetadata,
    Transfer, TransferQuantity,
};
use portico_terms::{AccountId, Currency, Namespace};

/// Account and coin of a history.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Of<'a> {
    pub(crate) account: &'a AccountId,
    /// Native coin of the chain.
    pub(crate) coin: &'a Currency,
}

/// Whether this is the sender of a mint or the recipient of a burn: no address, or the zero address.
fn is_nowhere(address: &str) -> bool {
    address.is_empty() || address == "0x0000000000000000000000000000000000000000"
}

/// Transaction from the pieces with the same hash, of which there is at least one.
pub(crate) fn compose(of: Of<'_>, id: String, pieces: &[Piece]) -> Option<Transaction> {
    let first = pieces.first()?;
    let call = pieces.iter().find_map(|piece| match &piece.what {
        PieceContent::Call(call) => Some(call),
        PieceContent::Moved(_) | PieceContent::Paid(_) => None,
    });
    // Solana addresses (base58) are case-sensitive.
    let is_hexadecimal = of.account.chain().namespace() == Namespace::Eip155;
    let own = of.account.address();
    let is_own = |address: &str| address == own || is_hexadecimal && address.eq_ignore_ascii_case(own);
    let sent = call.map(|call| Paid { from: call.from.clone(), to: call.to.clone(), value: call.value });
    let within = pieces.iter().filter_map(|piece| match &piece.what {
        PieceContent::Paid(paid) => Some(paid.clone()),
        PieceContent::Call(_) | PieceContent::Moved(_) => None,
    });
    let paid: Vec<Paid> = sent.clone().into_iter().chain(within).collect();
    let difference = net(&paid, is_own);
    let first_coin = difference.as_ref().or(sent.as_ref());
    let mut moved: Vec<Moved> = first_coin.and_then(|paid| of_coin(of.coin, paid)).into_iter().collect();
    moved.extend(pieces.iter().filter_map(|piece| match &piece.what {
        PieceContent::Moved(moved) => Some(moved.clone()),
        PieceContent::Paid(paid) if difference.is_none() => of_coin(of.coin, paid),
        PieceContent::Paid(_) | PieceContent::Call(_) => None,
    }));
    // A failed transaction moves nothing.
    let failed = call.is_some_and(|call| call.failed);
    moved.retain(|moved| !failed && (is_own(&moved.from) || is_own(&moved.to)) && !moved.thing.is_nothing());
    let (from, to) = match (call, moved.first()) {
        (Some(call), _) => (call.from.clone(), call.to.clone()),
        (None, Some(moved)) => (moved.from.clone(), moved.to.clone()),
        (None, None) => return None,
    };
    let own = is_own(&from);
    let kind = kind(call, own, moves(&moved, is_own));
    // A token contract can emit transfers in anybody's name: only the call itself shows who signed.
    let signer = if own && call.is_none() { String::new() } else { from };
    Some(Transaction {
        id,
        metadata: TransactionMetadata {
            operation_type: kind.into(),
            hash: first.hash.clone(),
            mined_at: first.at.clone(),
            sent_from: signer,
            sent_to: to,
            status: status(call).into(),
            nonce: call.map_or(0, |call| call.nonce),
            application: call
                .and_then(|call| call.contract.clone())
                .map(|name| Application { name, icon_url: String::new() }),
            chain: Some(of.account.chain().to_string()),
            fee: call.and_then(|call| call.fee).map(|fee| fee.to_units(of.coin.decimals)),
        },
        transfers: Some(moved.iter().map(|moved| transfer(moved, is_own)).collect()),
        approval: call.filter(|_| own && kind == "approve").and_then(approval),
    })
}

/// Permission that a call gave. The token is named by [`super::name_contract`], which knows the tokens of the chain.
fn approval(call: &SignedCall) -> Option<Approval> {
    let approved = call.approved.as_ref()?;
    let amount = approved.amount.as_ref().map(ToString::to_string);
    Some(Approval { spender: approved.spender.clone(), amount, ..Approval::default() })
}

fn status(call: Option<&SignedCall>) -> &'static str {
    match call {
        Some(SignedCall { pending: true, .. }) => "pending",
        Some(SignedCall { failed: true, .. }) => "failed",
        // Token movements exist only in successful transactions.
        _ => "confirmed",
    }
}

/// Movement of the native coin; `None` if the amount is zero.
fn of_coin(coin: &Currency, paid: &Paid) -> Option<Moved> {
    (!paid.value.is_zero()).then(|| Moved {
        from: paid.from.clone(),
        to: paid.to.clone(),
        thing: MovedAsset::Fungible {
            name: Some(coin.name.clone()),
            symbol: Some(coin.symbol.clone()),
            picture: marks::of_coin(&coin.symbol),
            numeric: paid.value.to_units(coin.decimals),
            address: None,
        },
    })
}

fn moves(moved: &[Moved], is_own: impl Fn(&str) -> bool) -> Moves {
    let outside = |moved: &&Moved| !(is_own(&moved.from) && is_own(&moved.to));
    let came: Vec<&Moved> = moved.iter().filter(outside).filter(|moved| is_own(&moved.to)).collect();
    let went: Vec<&Moved> = moved.iter().filter(outside).filter(|moved| is_own(&moved.from)).collect();
    Moves {
        came: !came.is_empty(),
        made: came.iter().all(|moved| is_nowhere(&moved.from)),
        went: !went.is_empty(),
        ended: went.iter().all(|moved| is_nowhere(&moved.to)),
    }
}

fn transfer(moved: &Moved, is_own: impl Fn(&str) -> bool) -> Transfer {
    let direction = match (is_own(&moved.from), is_own(&moved.to)) {
        (true, true) => "self",
        (true, false) => "out",
        _ => "in",
    };
    let path = |url: &str| if marks::is_own(url) { url.into() } else { picture(url) };
    let shown = |url: &str| Some(Picture { url: path(url) }).filter(|picture| !picture.url.is_empty());
    let recipient = Some(moved.to.clone()).filter(|to| !to.is_empty());
    let blank = Transfer { direction: direction.into(), recipient, ..Transfer::default() };
    match &moved.thing {
        MovedAsset::Fungible { name, symbol, picture, numeric, address } => Transfer {
            fungible_info: Some(FungibleInfo {
                name: name.clone(),
                symbol: symbol.clone(),
                icon: shown(picture),
                address: address.clone(),
            }),
            quantity: TransferQuantity { numeric: numeric.clone() },
            ..blank
        },
        MovedAsset::Piece { name, picture, numeric, spam } => Transfer {
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

#[cfg(test)]
mod tests;
