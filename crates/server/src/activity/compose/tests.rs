use super::*;
use portico_terms::Amount;

const OWN: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const FRIEND: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/// Same first and last letters as [`FRIEND`], as in address poisoning.
const ALIKE: &str = "0x7099000000000000000000000000000000dc79C8";
const TOKEN: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

fn composed(pieces: Vec<PieceContent>) -> Option<Transaction> {
    let account = format!("eip155:1:{OWN}").parse().unwrap();
    let coin = Currency { name: "Ether".into(), symbol: "ETH".into(), decimals: 18 };
    let piece = |what| Piece { block: 1, hash: "0x1".into(), at: String::new(), what };
    compose(Of { account: &account, coin: &coin }, "1".into(), &pieces.into_iter().map(piece).collect::<Vec<_>>())
}

fn moved(to: &str, numeric: &str) -> PieceContent {
    let thing = MovedAsset::Fungible {
        name: None,
        symbol: None,
        picture: String::new(),
        numeric: numeric.into(),
        address: None,
    };
    PieceContent::Moved(Moved { from: OWN.into(), to: to.into(), thing })
}

fn call(from: &str, to: &str, value: u32) -> PieceContent {
    let method = if value == 0 { "transfer".into() } else { String::new() };
    PieceContent::Call(SignedCall {
        from: from.into(),
        to: to.into(),
        value: Amount::from(value),
        method,
        ..SignedCall::default()
    })
}

fn recipients(told: &Transaction) -> Vec<&str> {
    told.transfers.iter().flatten().filter_map(|moved| moved.recipient.as_deref()).collect()
}

#[test]
fn a_transfer_of_nothing_in_the_name_of_the_account_is_not_told() {
    for nothing in ["0", "0.0", "0.000000"] {
        assert_eq!(composed(vec![moved(ALIKE, nothing)]), None, "{nothing}");
        let row = composed(vec![call(FRIEND, TOKEN, 0), moved(ALIKE, nothing)]).unwrap();
        assert_eq!((&*row.metadata.sent_from, recipients(&row)), (FRIEND, vec![]));
    }
}

#[test]
fn what_a_token_alone_tells_was_signed_by_nobody() {
    let row = composed(vec![moved(ALIKE, "1000")]).unwrap();
    assert_eq!((&*row.metadata.sent_from, &*row.metadata.operation_type), ("", "send"));
    let row = composed(vec![call(FRIEND, TOKEN, 0), moved(ALIKE, "1000")]).unwrap();
    assert_eq!(&*row.metadata.sent_from, FRIEND);
}

#[test]
fn who_got_a_token_or_the_coin_is_told_beside_the_contract_that_was_called() {
    let row = composed(vec![call(OWN, TOKEN, 0), moved(FRIEND, "42.5")]).unwrap();
    assert_eq!((&*row.metadata.sent_from, &*row.metadata.sent_to), (OWN, TOKEN));
    assert_eq!(recipients(&row), [FRIEND]);
    assert_eq!(recipients(&composed(vec![call(OWN, FRIEND, 7)]).unwrap()), [FRIEND]);
}
