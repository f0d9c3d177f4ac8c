use super::filter::is_shown;
use super::label::{sign, sign_of_way};
use super::page::{Item, Month, Status, sort_in};
use super::*;
use portico_api::account::{NftFlags, NftInfo, Transaction, TransactionMetadata, Transfer};

#[test]
fn spec_2_13_receive_deposit_borrow_and_claim_take_a_plus_and_withdraw_repay_and_burn_a_minus() {
    let signs = |words: &[&str]| -> Vec<_> { words.iter().map(|word| sign(Kind::from_word(word).unwrap())).collect() };
    assert_eq!(signs(&["receive", "deposit", "borrow", "claim"]), [Some("+"); 4]);
    assert_eq!(signs(&["withdraw", "repay", "burn"]), [Some("-"); 3]);
    assert_eq!([Kind::Send, Kind::Trade, Kind::Mint, Kind::Execute].map(sign), [None; 4]);
    assert_eq!(["in", "out", "self", "×"].map(sign_of_way), ["+", "-", "", ""]);
}

#[test]
fn spec_5_13_a_transaction_whose_transfers_are_all_spam_is_dropped() {
    let shown = |transfers: &Option<Vec<Transfer>>| {
        let metadata = TransactionMetadata { chain: Some("eip155:1".into()), ..Default::default() };
        is_shown(&Transaction { metadata, transfers: transfers.clone(), ..Default::default() }, "eip155:1")
    };
    let nft = NftInfo { flags: NftFlags { is_spam: true }, ..Default::default() };
    let spam = Transfer { nft_info: Some(nft), ..Default::default() };
    let coin = Transfer { fungible_info: Some(Default::default()), ..Default::default() };
    assert!(!shown(&Some(vec![spam.clone()])));
    assert!(!shown(&Some(vec![spam.clone(), spam.clone()])));
    for good in [Some(vec![spam, coin]), Some(Vec::new()), None] {
        assert!(shown(&good), "{good:?}");
    }
}

#[test]
fn spec_5_14_only_transactions_of_the_connected_chain_are_kept() {
    for (chain, kept) in [(Some("eip155:1"), true), (Some("eip155:10"), false), (Some(""), false), (None, false)] {
        let metadata = TransactionMetadata { chain: chain.map(Into::into), ..Default::default() };
        let transaction = Transaction { metadata, ..Default::default() };
        assert_eq!(is_shown(&transaction, "eip155:1"), kept, "{chain:?}");
    }
}

fn item(id: &str, mined_at: &str) -> Item {
    Item {
        id: id.into(),
        kind: Kind::Send,
        status: Status::Confirmed,
        mined_at: mined_at.into(),
        other: None,
        other_address: None,
        contract: None,
        fee: None,
        own: true,
        application: None,
        moves: vec![],
        approval: None,
        hash: None,
        url: None,
    }
}

#[test]
fn spec_2_9_transactions_stand_by_year_and_month_the_newest_first_in_whatever_order_they_come() {
    let mut months: Vec<Month> = Vec::new();
    for (id, mined_at) in [
        ("c", "2026-10-03T00:00:00Z"),
        ("e", "2025-12-31T23:59:59Z"),
        ("a", "2026-11-02T12:00:00Z"),
        ("d", "2026-10-01T08:00:00Z"),
        ("b", "2026-11-02T11:00:00Z"),
        ("b2", "2026-11-02T11:00:00Z"),
    ] {
        assert!(sort_in(&mut months, item(id, mined_at)));
    }
    let told: Vec<(u32, u32, Vec<&str>)> = months
        .iter()
        .map(|month| (month.year, month.month, month.items.iter().map(|item| item.id.as_str()).collect()))
        .collect();
    assert_eq!(told, [(2026, 11, vec!["a", "b", "b2"]), (2026, 10, vec!["c", "d"]), (2025, 12, vec!["e"])]);
}

#[test]
fn spec_2_9_what_has_no_date_or_is_there_already_is_not_sorted_in() {
    let mut months: Vec<Month> = Vec::new();
    assert!(sort_in(&mut months, item("a", "2026-10-03T00:00:00Z")));
    assert!(!sort_in(&mut months, item("a", "2026-10-04T00:00:00Z")));
    for date in ["", "yesterday", "2026", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "٢٠٢٦-10-01T00", "2026-1-01"]
    {
        assert!(!sort_in(&mut months, item("b", date)), "{date}");
    }
    assert_eq!(months.len(), 1);
}
