//! `eth_sendTransaction` from the request to the hash.

use crate::world::{OTHER, OWN, World, spoken};
use portico_frame_core::{Action, ApprovalView, Flag, Operation, RowLabel, SigningOrder, Stage};

/// Answers of a chain with a base fee of 10 gwei, a tip of 1 gwei, a balance of 1 ETH and an estimate of 21000 gas. The receiver is a
/// contract, and a simulation moves nothing.
pub fn chain() -> Vec<String> {
    [
        r#""result":"0x1""#,
        r#""result":"0x5""#,
        r#""result":{"baseFeePerGas":"0x2540be400"}"#,
        r#""result":"0x28fa6ae00""#,
        r#""result":"0xde0b6b3a7640000""#,
        r#""result":"0x5208""#,
        r#""result":"0x3b9aca00""#,
        r#""result":"0x60""#,
        r#""result":[{"calls":[{"status":"0x1","logs":[]}]}]"#,
        r#""error":{"code":3,"message":"no token"}"#,
        r#""error":{"code":3,"message":"no token"}"#,
    ]
    .map(String::from)
    .into()
}

pub fn batch(answers: &[String]) -> String {
    let answers: Vec<_> = answers.iter().map(|answer| format!(r#"{{"jsonrpc":"2.0","id":1,{answer}}}"#)).collect();
    format!("[{}]", answers.join(","))
}

pub fn send(fields: &str) -> World {
    let mut world = World::logged_in();
    world.rpc("eth_sendTransaction", &format!(r#"[{{"from":"{OWN}",{fields}}}]"#));
    world
}

pub fn view_of(fields: &str, answers: &[String]) -> ApprovalView {
    let mut world = send(fields);
    world.answer(&batch(answers));
    world.approval().unwrap()
}

pub fn row(view: &ApprovalView, label: RowLabel) -> Option<String> {
    view.rows.iter().find(|row| row.label == label).map(|row| spoken(&row.text))
}

#[test]
fn a_transfer_is_completed_shown_signed_and_sent_and_its_hash_is_that_of_the_signed_bytes() {
    let mut world = send(&format!(r#""to":"{OTHER}","value":"0x16345785d8a0000""#));
    assert_eq!(world.approval().unwrap().stage, Stage::Preparing);
    let methods: Vec<_> = world.calls().into_iter().map(|call| call.method).collect();
    assert_eq!(
        methods,
        [
            "eth_chainId",
            "eth_getTransactionCount",
            "eth_getBlockByNumber",
            "eth_gasPrice",
            "eth_getBalance",
            "eth_estimateGas",
            "eth_maxPriorityFeePerGas",
            "eth_getCode",
            "eth_simulateV1"
        ]
    );
    world.answer(&batch(&chain()));
    let view = world.approval().unwrap();
    assert_eq!((view.action, view.stage, view.flags.len()), (Action::Send, Stage::Ready, 0));
    assert_eq!(
        (row(&view, RowLabel::Amount).as_deref(), row(&view, RowLabel::To).as_deref()),
        (Some("0.1 ETH"), Some(OTHER))
    );
    assert_eq!(
        view.fee.as_ref().map(spoken).as_deref(),
        Some("0.000273 ETH"),
        "21000 gas at 10 gwei with a fifth more, and 1 gwei"
    );
    world.approve();
    let effect = world.only();
    let Operation::Sign { order: SigningOrder::Transaction { address, transaction }, .. } = &effect.operation else {
        panic!()
    };
    assert_eq!((address.as_str(), transaction.nonce.as_str(), transaction.gas.as_str()), (OWN, "0x5", "0x5208"));
    assert_eq!(transaction.max_fee_per_gas.as_deref(), Some("0x306dc4200"));
    assert_eq!((transaction.max_priority_fee_per_gas.as_deref(), &transaction.gas_price), (Some("0x3b9aca00"), &None));
    assert_eq!((transaction.chain_id.as_str(), transaction.value.as_str()), ("0x1", "0x16345785d8a0000"));
    world.ordered.push(effect);
    world.answer("\"0x02c0\"");
    assert_eq!(portico_json::to_text(&world.calls()[0].params), r#"["0x02c0"]"#);
    world.answer(&batch(&[format!(r#""result":"0x{}""#, "00".repeat(32))]));
    // keccak256(0x02c0), computed by viem; the node's own hash is not believed.
    let hash = "0xcace66b6a82a5dc496a5b21a4032eb58baf223ea6f142a01593a5d105d5ee150";
    assert_eq!(world.take(), [format!(r#"@w3m-frame/RPC_REQUEST_SUCCESS 2 "{hash}""#)]);
}

#[test]
fn a_chain_without_a_base_fee_gets_a_transaction_with_one_price() {
    let mut answers = chain();
    answers[2] = r#""result":{"number":"0x1"}"#.into();
    let mut world = send(&format!(r#""to":"{OTHER}","value":"0x1""#));
    world.answer(&batch(&answers));
    world.approve();
    let Operation::Sign { order: SigningOrder::Transaction { transaction, .. }, .. } = world.only().operation else {
        panic!()
    };
    assert_eq!((transaction.gas_price.as_deref(), &transaction.max_fee_per_gas), (Some("0x28fa6ae00"), &None));
}

#[test]
fn fields_of_the_host_are_kept_and_a_far_higher_fee_warns() {
    let view = view_of(
        &format!(
            r#""to":"{OTHER}","value":"0x1","gas":"0x7530","maxFeePerGas":"0x1bf08eb000","maxPriorityFeePerGas":"0x1","nonce":"0x9""#
        ),
        &chain(),
    );
    assert_eq!(
        (view.fee.as_ref().map(spoken).as_deref(), row(&view, RowLabel::Nonce).as_deref()),
        (Some("0.0036 ETH"), Some("9"))
    );
    assert_eq!(view.flags, [Flag::HighFee]);
}

#[test]
fn what_the_account_cannot_pay_can_only_be_cancelled() {
    let view = view_of(&format!(r#""to":"{OTHER}","value":"0xde0b6b3a7640000""#), &chain());
    assert!(view.blocked && view.flags == [Flag::Large, Flag::InsufficientFunds]);
}

#[test]
fn a_transaction_that_would_fail_is_refused_with_the_nodes_error_and_warns_where_the_host_gave_the_gas() {
    let mut answers = chain();
    answers[5] = r#""error":{"code":3,"message":"execution reverted: no"}"#.into();
    let mut world = send(&format!(r#""to":"{OTHER}","data":"0x01020304""#));
    world.answer(&batch(&answers));
    assert_eq!(world.take(), [r#"@w3m-frame/RPC_REQUEST_ERROR 2 {"message":"execution reverted: no","code":3}"#]);
    assert!(world.approval().is_none());
    let view = view_of(&format!(r#""to":"{OTHER}","data":"0x01020304","gas":"0x7530""#), &answers);
    assert_eq!(view.flags, [Flag::UnknownCall, Flag::LikelyToFail]);
    assert_eq!(row(&view, RowLabel::Selector).as_deref(), Some("0x01020304"));
}

#[test]
fn a_node_of_another_chain_or_with_broken_answers_is_refused() {
    for (index, answer) in [
        (0, r#""result":"0x2""#),
        (0, r#""result":null"#),
        (1, r#""result":"x""#),
        (3, r#""error":{"code":1}"#),
        (4, r#""result":{}"#),
    ] {
        let mut answers = chain();
        answers[index] = answer.into();
        let mut world = send(&format!(r#""to":"{OTHER}","value":"0x1""#));
        world.answer(&batch(&answers));
        assert!(world.approval().is_none() && world.take()[0].contains("-32603"), "{index} {answer}");
    }
    for nonsense in ["null", "[]", "{}", "[1,2,3]"] {
        let mut world = send(&format!(r#""to":"{OTHER}","value":"0x1""#));
        world.answer(nonsense);
        assert!(world.approval().is_none() && world.take()[0].contains("_ERROR"), "{nonsense}");
    }
}

#[test]
fn transactions_of_wrong_form_are_refused_before_anything_is_read() {
    for fields in [
        r#""value":"0x1""#.to_owned(),
        r#""to":"0x00","value":"0x1""#.into(),
        format!(r#""to":"{}","value":"0x1""#, OTHER.replace('d', "D")),
        format!(r#""to":"{OTHER}","value":"1""#),
        format!(r#""to":"{OTHER}","value":"-0x1""#),
        format!(r#""to":"{OTHER}","data":"0x1""#),
        format!(r#""to":"{OTHER}","data":"0x01","input":"0x02""#),
        format!(r#""to":"{OTHER}","chainId":"0x2""#),
        format!(r#""to":"{OTHER}","nonce":"0x10000000000000000""#),
        format!(r#""to":"{OTHER}","type":"0x4""#),
        format!(r#""to":"{OTHER}","authorizationList":[{{}}]"#),
        format!(r#""to":"{OTHER}","blobVersionedHashes":["0x01"]"#),
        format!(r#""to":"{OTHER}","accessList":[{{}}]"#),
    ] {
        let mut world = send(&fields);
        assert!(world.ordered.is_empty() && world.take()[0].contains("-32602"), "{fields}");
    }
    let mut world = World::logged_in();
    world.rpc("eth_sendTransaction", &format!(r#"[{{"from":"{OTHER}","to":"{OWN}"}}]"#));
    assert!(world.take()[0].contains("4100"), "of another account");
}

pub fn word(text: &str) -> String {
    format!("{:0>64}", text.trim_start_matches("0x").to_lowercase())
}

#[test]
fn a_token_transfer_is_shown_in_the_tokens_own_decimals() {
    let usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
    let mut answers = chain();
    answers[9] = format!(r#""result":"0x{}""#, word("6"));
    let view = view_of(&format!(r#""to":"{usdc}","data":"0xa9059cbb{}{}""#, word(OTHER), word("16e360")), &answers);
    assert_eq!(
        (view.action, row(&view, RowLabel::Amount).as_deref(), row(&view, RowLabel::To).as_deref()),
        (Action::SendToken, Some("1.5 USDC"), Some(OTHER))
    );
    let view = view_of(&format!(r#""to":"{OTHER}","data":"0xa9059cbb{}{}""#, word(OTHER), word("16e360")), &chain());
    assert_eq!(row(&view, RowLabel::AmountOrItem).as_deref(), Some("1500000"), "without decimals");
}

#[test]
fn no_node_makes_an_amount_of_a_known_token_look_small() {
    let usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
    let mut answers = chain();
    answers[9] = format!(r#""result":"0x{}""#, word("12"));
    let view = view_of(&format!(r#""to":"{usdc}","data":"0xa9059cbb{}{}""#, word(OTHER), word("16e360")), &answers);
    assert_eq!(row(&view, RowLabel::Amount).as_deref(), Some("1.5 USDC"));
}

#[test]
fn a_contract_that_calls_itself_a_known_token_is_flagged() {
    let mut answers = chain();
    answers[9] = format!(r#""result":"0x{}""#, word("6"));
    answers[10] = format!(r#""result":"0x{}{}{:0<64}""#, word("20"), word("4"), "55534443");
    let view = view_of(&format!(r#""to":"{OTHER}","data":"0xa9059cbb{}{}""#, word(OTHER), word("1")), &answers);
    assert_eq!(
        (view.flags.as_slice(), row(&view, RowLabel::Amount).as_deref()),
        (&[Flag::FakeToken][..], Some("0.000001"))
    );
}

#[test]
fn approvals_are_told_from_revocations_and_unlimited_ones_warn() {
    let most = "f".repeat(64);
    let approve = |amount: &str| {
        view_of(&format!(r#""to":"{OTHER}","data":"0x095ea7b3{}{}""#, word(OWN), word(amount)), &chain())
    };
    assert_eq!(approve("0").action, Action::Revoke);
    let view = approve(&most);
    assert_eq!(
        (view.action, view.flags.as_slice(), row(&view, RowLabel::Spender).as_deref()),
        (Action::ApproveToken, &[Flag::UnlimitedApproval, Flag::FirstSpender][..], Some(OWN))
    );
    assert_eq!(approve("64").flags, [Flag::FirstSpender]);
    let all =
        |flag: &str| view_of(&format!(r#""to":"{OTHER}","data":"0xa22cb465{}{}""#, word(OWN), word(flag)), &chain());
    assert_eq!((all("1").action, all("1").flags), (Action::ApproveItems, vec![Flag::ApprovesAll, Flag::FirstSpender]));
    assert_eq!(all("0").action, Action::Revoke);
    assert_eq!(all("2").flags, [Flag::OnlySimulated], "no canonical encoding");
}

#[test]
fn what_was_sent_cannot_be_withdrawn_and_a_lost_answer_says_so() {
    let mut world = send(&format!(r#""to":"{OTHER}","value":"0x1""#));
    world.answer(&batch(&chain()));
    world.approve();
    world.answer("\"0x02c0\"");
    world.host("RPC_ABORT", "null");
    assert_eq!(world.take(), ["@w3m-frame/RPC_ABORT_SUCCESS 3"]);
    world.fail(portico_frame_core::FailureKind::Unreachable, "");
    assert!(world.take()[0].contains("Check your activity before you try again."));
    assert!(world.approval().is_none());
}

#[test]
fn a_new_content_has_to_be_seen_before_it_can_be_approved() {
    let mut world = send(&format!(r#""to":"{OTHER}","value":"0x1""#));
    let view = world.approval().unwrap();
    world.event(portico_frame_core::Event::ApprovalPainted { approval: view.number, revision: view.revision });
    world.pass(1_000);
    world.answer(&batch(&chain()));
    assert!(!world.is_armed());
    world.event(portico_frame_core::Event::Approved { approval: view.number, revision: view.revision });
    assert!(world.ordered.is_empty());
    world.approve();
    assert_eq!(world.ordered.len(), 1);
}
