use super::*;
use portico_json::parse;

const HASH: &str = "0xAB12";
const FROM: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

fn flight() -> Flight {
    Flight::new(HASH.into(), ChainId::eip155(1), FROM.into(), 1_000)
}

fn json(text: &str) -> Result<Value, RpcError> {
    Ok(parse(text).unwrap())
}

fn transaction(from: &str, nonce: &str) -> Result<Value, RpcError> {
    json(&format!(r#"{{"hash":"0xab12","from":"{from}","nonce":{nonce}}}"#))
}

fn methods(flight: &Flight) -> Vec<&'static str> {
    flight.look().into_iter().map(|(method, _, _)| method).collect()
}

#[test]
fn a_receipt_of_something_else_is_a_failed_look() {
    for receipt in [
        r#"{"transactionHash":"0xcd","status":"0x1"}"#,
        r#"{"transactionHash":"0xab12"}"#,
        r#"{"transactionHash":"0xab12","status":1}"#,
        r#""0x1""#,
        "[]",
    ] {
        assert_eq!(flight().on_response(Question::Receipt, &json(receipt), 1_000), Step::Again(200), "{receipt}");
    }
    assert_eq!(flight().on_response(Question::Receipt, &Err(RpcError::nonsense("down")), 1_000), Step::Again(200));
}

#[test]
fn a_receipt_of_another_account_or_to_another_contract_confirms_nothing_unless_a_relayer_sends() {
    let receipt = |from: &str, to: &str| {
        json(&format!(r#"{{"transactionHash":"0xab12","status":"0x1","from":"{from}","to":"{to}"}}"#))
    };
    let step = |mut flight: Flight, receipt| flight.on_response(Question::Receipt, &receipt, 1_000);
    let direct = || flight().sent_by_account(Some("0xCC".into()), None);
    assert_eq!(step(direct(), receipt(&FROM.to_lowercase(), "0xcc")), Step::Mined(true));
    assert_eq!(step(direct(), receipt("0x1", "0xcc")), Step::Again(4_000));
    assert_eq!(step(direct(), receipt(FROM, "0xdd")), Step::Again(4_000));
    assert_eq!(step(flight().sent_by_account(None, None), receipt(FROM, "0xdd")), Step::Mined(true));
    assert_eq!(step(flight(), receipt("0x1", "0xdd")), Step::Mined(true));
}

#[test]
fn a_transaction_of_another_account_to_another_contract_or_from_before_is_foreign_unless_a_relayer_sends() {
    let found = |from: &str, to: &str, nonce: &str| {
        json(&format!(r#"{{"hash":"0xab12","from":"{from}","to":"{to}","nonce":"{nonce}"}}"#))
    };
    let step = |mut flight: Flight, found| flight.on_response(Question::Transaction, &found, 1_000);
    let direct = || flight().sent_by_account(Some("0xCC".into()), Some(Amount::from(7u32)));
    assert_eq!(step(direct(), found(&FROM.to_lowercase(), "0xcc", "0x7")), Step::Wait);
    assert_eq!(step(direct(), found("0x1", "0xcc", "0x7")), Step::Foreign);
    assert_eq!(step(direct(), found(FROM, "0xdd", "0x7")), Step::Foreign);
    assert_eq!(step(direct(), found(FROM, "0xcc", "0x6")), Step::Foreign);
    assert_eq!(step(flight().sent_by_account(None, None), found(FROM, "0xdd", "0x6")), Step::Wait);
    assert_eq!(step(flight(), found("0x1", "0xdd", "0x6")), Step::Wait);
}

#[test]
fn spec_9_17_six_failed_looks_in_a_row_are_forgiven_and_three_minutes_are_the_end() {
    let mut flight = flight();
    let steps: Vec<Step> =
        (0..7).map(|_| flight.on_response(Question::Receipt, &Err(RpcError::nonsense("down")), 1_000)).collect();
    let delays = [200, 400, 800, 1_600, 3_200, 6_400].map(Step::Again);
    assert_eq!(steps[..6], delays);
    assert_eq!(steps[6], Step::GivenUp);
    assert_eq!(super::tests::flight().on_response(Question::Receipt, &Ok(Value::Null), 177_000), Step::Again(4_000));
    assert_eq!(super::tests::flight().on_response(Question::Receipt, &Ok(Value::Null), 177_001), Step::GivenUp);
}

#[test]
fn a_used_nonce_without_a_receipt_is_a_replacement_once_it_was_seen_twice() {
    let mut flight = flight();
    assert_eq!(methods(&flight), ["eth_getTransactionByHash", "eth_getTransactionReceipt"]);
    assert_eq!(
        flight.on_response(Question::Transaction, &transaction(&FROM.to_lowercase(), r#""0x7""#), 1_000),
        Step::Wait
    );
    assert_eq!(methods(&flight), ["eth_getTransactionCount", "eth_getTransactionReceipt"]);
    let mut look = |count: &str| {
        assert_eq!(flight.on_response(Question::Count, &json(count), 5_000), Step::Wait);
        flight.on_response(Question::Receipt, &Ok(Value::Null), 5_000)
    };
    assert_eq!(look(r#""0x7""#), Step::Again(4_000));
    assert_eq!(look(r#""0x8""#), Step::Again(4_000));
    // The next node is behind: the result of the one before is discarded.
    assert_eq!(look(r#""nonsense""#), Step::Again(4_000));
    assert_eq!(look(r#""0x8""#), Step::Again(4_000));
    // The replacement is searched for, and not found if no node returns the latest block.
    assert_eq!(look(r#""0x9""#), Step::Again(0));
    assert_eq!(methods(&flight), ["eth_blockNumber"]);
    assert_eq!(flight.on_response(Question::Receipt, &Ok(Value::Null), 5_000), Step::Wait, "of the look before");
    assert_eq!(flight.on_response(Question::Head, &Err(RpcError::nonsense("down")), 5_000), Step::Again(0));
    assert_eq!(methods(&flight), ["eth_getBlockByNumber"]);
    assert_eq!(flight.on_response(Question::Block, &Ok(Value::Null), 5_000), Step::Replaced);
    assert_eq!(flight.other(), None);
}

#[test]
fn what_took_its_place_and_does_the_same_is_believed_by_its_own_receipt() {
    let found = |input: &str| {
        json(&format!(
            r#"{{"hash":"0xab12","from":"{FROM}","nonce":"0x7","to":"0xCC","value":"0x1","input":"{input}"}}"#
        ))
    };
    let other = format!("0x{}", "CD".repeat(32));
    let block = |input: &str| {
        let transaction = portico_json::to_text(&found(input).unwrap()).replace("0xab12", &other);
        json(&format!(r#"{{"transactions":[{transaction}]}}"#))
    };
    for (input, receipt, expected) in [
        ("0xEE", r#"{"transactionHash":"HASH","status":"0x1"}"#, Step::Mined(true)),
        ("0xee", r#"{"transactionHash":"HASH","status":"0x0"}"#, Step::Mined(false)),
        ("0xee", r#"{"transactionHash":"0xab12","status":"0x1"}"#, Step::Again(200)),
        ("0xee", "null", Step::Again(200)),
    ] {
        let mut flight = flight();
        flight.on_response(Question::Transaction, &found("0xee"), 1_000);
        flight.search = Some(Search::Block(9));
        assert_eq!(flight.on_response(Question::Block, &block(input), 1_000), Step::Again(0));
        assert_eq!(methods(&flight), ["eth_getTransactionReceipt"]);
        assert_eq!(flight.on_response(Question::Other, &json(&receipt.replace("HASH", &other)), 1_000), expected);
        assert_eq!(flight.other(), Some(&other.to_lowercase()));
    }
    let mut flight = flight();
    flight.on_response(Question::Transaction, &found("0xee"), 1_000);
    flight.search = Some(Search::Block(9));
    assert_eq!(flight.on_response(Question::Block, &block("0xef"), 1_000), Step::Replaced);
    // Two nodes that tell different blocks prove nothing.
    (flight.search, flight.other) = (Some(Search::Block(9)), None);
    let disagreed = Err(RpcError::nonsense("Two nodes gave different answers"));
    assert_eq!(flight.on_response(Question::Block, &disagreed, 1_000), Step::Again(200));
    assert_eq!(methods(&flight), ["eth_getTransactionCount", "eth_getTransactionReceipt"]);
}

#[test]
fn a_receipt_is_believed_whatever_the_nonce_says() {
    let mut flight = flight();
    flight.on_response(Question::Transaction, &transaction(FROM, r#""0x7""#), 1_000);
    flight.on_response(Question::Count, &json(r#""0x8""#), 1_000);
    let mined = json(r#"{"transactionHash":"0xab12","status":"0x1"}"#);
    assert_eq!(flight.on_response(Question::Receipt, &mined, 1_000), Step::Mined(true));
    let failed = json(r#"{"transactionHash":"0xab12","status":"0x0"}"#);
    assert_eq!(flight.on_response(Question::Receipt, &failed, 1_000), Step::Mined(false));
}

#[test]
fn nonces_of_somebody_else_and_nonsense_say_nothing() {
    for answer in [
        transaction("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", r#""0x7""#),
        transaction(FROM, "7"),
        transaction(FROM, r#""seven""#),
        json(r#"{"hash":"0xcd","from":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","nonce":"0x7"}"#),
        json("null"),
        Err(RpcError::nonsense("down")),
    ] {
        let mut flight = flight();
        flight.on_response(Question::Transaction, &answer, 1_000);
        assert_eq!(methods(&flight)[0], "eth_getTransactionByHash", "{answer:?}");
    }
}

#[test]
fn after_a_minute_it_is_slow() {
    assert!(!flight().is_slow(60_999));
    assert!(flight().is_slow(61_000));
    assert!(!flight().is_slow(0));
}
