use super::*;
use crate::activity::{Moved, MovedAsset, PieceContent, SignedCall};
use futures_util::FutureExt;
use portico_terms::{AccountId, Amount, Currency};
use proptest::prelude::*;

const OWN: &str = "0x00000000000000000000000000000000000000aa";

/// List in pages of `size` pieces; a page is named by the index of its first piece.
struct List {
    pieces: Vec<Piece>,
    size: usize,
}

impl Stream for List {
    fn leaf<'a>(&'a self, params: &'a Params) -> SourceAnswer<'a, Leaf> {
        let start: usize = params.first().map_or(0, |(_, value)| value.parse().unwrap());
        let end = self.pieces.len().min(start + self.size);
        let next = (end < self.pieces.len()).then(|| vec![("start".into(), end.to_string())]);
        futures_util::future::ready(Ok(Leaf { pieces: self.pieces[start..end].to_vec(), next })).boxed()
    }
}

fn call(block: u64, hash: u32) -> Piece {
    let call = SignedCall { from: OWN.into(), to: "0x1".into(), value: Amount::from(1u32), ..SignedCall::default() };
    Piece { block, hash: format!("0x{hash}"), at: String::new(), what: PieceContent::Call(call) }
}

fn moved(block: u64, hash: u32) -> Piece {
    let thing =
        MovedAsset::Fungible { name: None, symbol: None, picture: String::new(), numeric: "1".into(), address: None };
    let moved = Moved { from: "0x1".into(), to: OWN.into(), thing };
    Piece { block, hash: format!("0x{hash}"), at: String::new(), what: PieceContent::Moved(moved) }
}

/// Reads all pages of the lists: ids with the number of transfers of each transaction, and the page lengths.
fn all(lists: &[&dyn Stream]) -> (Vec<(String, usize)>, Vec<usize>) {
    let account: AccountId = format!("eip155:1:{OWN}").parse().unwrap();
    let coin = Currency { name: "Ether".into(), decimals: 18, symbol: "ETH".into() };
    let of = Of { account: &account, coin: &coin };
    let (mut rows, mut sizes, mut place) = (Vec::new(), Vec::new(), None::<String>);
    loop {
        let page = page(lists, of, place.as_deref()).now_or_never().unwrap().unwrap();
        sizes.push(page.rows.len());
        rows.extend(page.rows.into_iter().map(|row| (row.id, row.transfers.unwrap().len())));
        place = page.next;
        if place.is_none() {
            return (rows, sizes);
        }
        assert!(sizes.len() < 10_000, "it never ends");
    }
}

proptest! {
    #[test]
    fn every_transaction_is_told_once_with_all_that_moved_in_it(
        blocks in prop::collection::vec((0..3u64, any::<bool>(), 0..4usize), 0..160),
        sizes in (1..60usize, 1..60usize),
    ) {
        let (mut calls, mut moves, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        let mut block = 1000;
        for (hash, (step, own, count)) in (0..).zip(blocks) {
            block -= step;
            if own {
                calls.push(call(block, hash));
            }
            moves.extend((0..count).map(|_| moved(block, hash)));
            if own || count > 0 {
                expected.push((format!("0x{hash}"), count + usize::from(own)));
            }
        }
        // Tiny source pages would exceed the budget of twelve requests for one page; these sizes fit.
        let (calls, moves) = (List { pieces: calls, size: sizes.0.max(20) }, List { pieces: moves, size: sizes.1.max(20) });
        let (mut rows, pages) = all(&[&calls, &moves]);
        prop_assert!(pages.iter().all(|rows| *rows <= ROWS));
        rows.sort();
        expected.sort();
        prop_assert_eq!(rows, expected);
    }

    #[test]
    fn no_place_makes_it_panic(text in ".{0,200}") {
        let _ = read(&text, 2);
    }
}

#[test]
fn a_block_with_more_than_a_page_is_cut_and_goes_on() {
    let calls = List { pieces: (0..130).map(|hash| call(7, hash)).collect(), size: 50 };
    let (rows, sizes) = all(&[&calls]);
    assert_eq!(sizes, [50, 50, 30]);
    assert_eq!(rows.iter().collect::<std::collections::BTreeSet<_>>().len(), 130);
}

#[test]
fn a_list_that_names_the_same_page_for_ever_ends() {
    struct Circle;
    impl Stream for Circle {
        fn leaf<'a>(&'a self, _params: &'a Params) -> SourceAnswer<'a, Leaf> {
            let next = Some(vec![("page".into(), "1".into())]);
            futures_util::future::ready(Ok(Leaf { pieces: vec![call(7, 7)], next })).boxed()
        }
    }
    assert!(all(&[&Circle]).0.len() <= 2);
}

#[test]
fn a_list_without_end_that_holds_nothing_is_left() {
    struct Empty;
    impl Stream for Empty {
        fn leaf<'a>(&'a self, params: &'a Params) -> SourceAnswer<'a, Leaf> {
            let next = Some(vec![("page".into(), format!("{}1", params.first().map_or("", |(_, value)| value)))]);
            futures_util::future::ready(Ok(Leaf { pieces: Vec::new(), next })).boxed()
        }
    }
    assert_eq!(all(&[&Empty]), (Vec::new(), vec![0]));
}
