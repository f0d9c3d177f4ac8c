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

fn paid(from: &str, to: &str, value: u32) -> PieceContent {
    PieceContent::Paid(Paid { from: from.into(), to: to.into(), value: Amount::from(value) })
}

fn coins(told: &Transaction) -> Vec<(&str, &str)> {
    told.transfers.iter().flatten().map(|one| (&*one.direction, &*one.quantity.numeric)).collect()
}

#[test]
fn coin_that_left_and_came_back_is_one_transfer_of_the_difference() {
    let ether = 1_000_000_000;
    let swapped = |back: &[u32]| {
        let refunds = back.iter().map(|value| paid(TOKEN, OWN, *value));
        composed(std::iter::once(call(OWN, TOKEN, ether)).chain(refunds).collect()).unwrap()
    };
    assert_eq!(coins(&swapped(&[])), [("out", "0.000000001")]);
    assert_eq!(coins(&swapped(&[ether / 4])), [("out", "0.00000000075")]);
    assert_eq!(coins(&swapped(&[ether / 4, ether / 4])), [("out", "0.0000000005")]);
    assert_eq!(coins(&swapped(&[ether])), []);
    assert_eq!(coins(&swapped(&[ether, ether / 4])), [("in", "0.00000000025")]);
}

#[test]
fn payments_in_one_direction_and_of_the_account_to_itself_stay_apart() {
    let row = composed(vec![call(FRIEND, TOKEN, 0), paid(TOKEN, OWN, 1_000_000_000), paid(FRIEND, OWN, 2_000_000_000)]);
    assert_eq!(coins(&row.unwrap()), [("in", "0.000000001"), ("in", "0.000000002")]);
    let row = composed(vec![call(OWN, TOKEN, 1_000_000_000), paid(OWN, OWN, 2_000_000_000)]).unwrap();
    assert_eq!(coins(&row), [("out", "0.000000001"), ("self", "0.000000002")]);
}

#[test]
fn only_coin_that_was_given_for_something_else_is_doubted() {
    let came = |numeric: &str| {
        let PieceContent::Moved(moved) = moved(OWN, numeric) else { unreachable!() };
        PieceContent::Moved(Moved { from: TOKEN.into(), ..moved })
    };
    let doubted = |pieces: Vec<PieceContent>| {
        let mut row = composed(pieces).unwrap();
        crate::activity::doubt_coin(&mut row);
        row.transfers.iter().flatten().map(|one| one.at_most).collect::<Vec<_>>()
    };
    assert_eq!(doubted(vec![call(OWN, TOKEN, 1_000_000_000), came("5")]), [Some(true), None]);
    // A payment brings nothing, and a wrap brings as much as it takes.
    assert_eq!(doubted(vec![call(OWN, FRIEND, 1_000_000_000)]), [None]);
    let PieceContent::Call(paying) = call(OWN, TOKEN, 1_000_000_000) else { unreachable!() };
    let with = |method: &str| PieceContent::Call(SignedCall { method: method.into(), ..paying.clone() });
    assert_eq!(doubted(vec![with("deposit"), came("0.000000001")]), [None, None]);
    assert_eq!(doubted(vec![with("deposit"), came("5")]), [Some(true), None]);
    assert_eq!(doubted(vec![with("swap"), came("0.000000001")]), [Some(true), None]);
}
