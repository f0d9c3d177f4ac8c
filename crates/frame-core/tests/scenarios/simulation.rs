//! What a simulation adds to the explanation of a transaction.

use crate::transaction::{batch, chain, row, send, view_of, word};
use crate::world::{OTHER, OWN, World, spoken};
use portico_frame_core::{Action, ApprovalView, Flag, RowLabel, Stage};

const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const WETH: &str = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
/// SwapRouter02 of Uniswap on Ethereum.
const ROUTER: &str = "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45";
const COIN: &str = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const APPROVAL: &str = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
const APPROVAL_FOR_ALL: &str = "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31";
const PERMIT2: &str = "0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b";
const TRANSFER_SINGLE: &str = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
const WITHDRAWAL: &str = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";

const CALL: &str = r#""data":"0x01020304""#;

fn log(contract: &str, topics: &[&str], data: &[&str]) -> String {
    let words: Vec<_> = topics[1..].iter().map(|topic| format!(r#","0x{}""#, word(topic))).collect();
    let data: String = data.iter().map(|data| word(data)).collect();
    format!(r#"{{"address":"{contract}","topics":["{}"{}],"data":"0x{data}"}}"#, topics[0], words.concat())
}

/// Chain on which a call leaves these logs.
fn chain_with(logs: &[String]) -> Vec<String> {
    let mut answers = chain();
    answers[8] = format!(r#""result":[{{"calls":[{{"status":"0x1","logs":[{}]}}]}}]"#, logs.join(","));
    answers
}

/// Answers of a token of 6 decimals with a symbol of four letters, given in hex.
fn token(symbol: &str) -> [String; 2] {
    [format!(r#""result":"0x{}""#, word("6")), format!(r#""result":"0x{}{}{symbol:0<64}""#, word("20"), word("4"))]
}

/// Rows of a simulation as "label value".
fn expected(view: &ApprovalView) -> Vec<String> {
    let rows = view.expected.as_deref().expect("a simulation");
    rows.iter().map(|row| format!("{:?} {}", row.label, spoken(&row.text))).collect()
}

/// Sends a call whose simulation leaves these logs; `named` is what the chain answers of the tokens.
fn simulated(logs: &[String], named: &[String]) -> (World, ApprovalView) {
    let mut world = send(&format!(r#""to":"{OTHER}",{CALL}"#));
    world.answer(&batch(&chain_with(logs)));
    if !named.is_empty() {
        assert_eq!(world.approval().unwrap().stage, Stage::Preparing);
        world.answer(&batch(named));
    }
    let view = world.approval().unwrap();
    assert_eq!(view.stage, Stage::Ready);
    (world, view)
}

#[test]
fn an_unknown_call_shows_what_leaves_and_what_comes_in_the_tokens_own_decimals() {
    let logs = [
        log(USDC, &[TRANSFER, OWN, OTHER], &["16e360"]),
        log(USDC, &[TRANSFER, OTHER, OWN], &["7a120"]),
        log(COIN, &[TRANSFER, OTHER, OWN], &["16345785d8a0000"]),
        log(USDC, &[TRANSFER, OTHER, USDC], &["ffff"]),
    ];
    let (mut world, view) = simulated(&logs, &token("55534443"));
    assert_eq!(expected(&view), ["Leaves 1 USDC", "Comes 0.100 ETH"], "1.5 leave, 0.5 come back");
    assert_eq!(view.flags, [Flag::OnlySimulated]);
    world.approve();
    assert_eq!(world.ordered.len(), 1, "the visitor can approve it");
}

#[test]
fn what_leaves_is_exact_and_what_comes_is_cut_as_in_the_widget() {
    let shown = |from: &str, to: &str, wei: &str| {
        let (_, view) = simulated(&[log(COIN, &[TRANSFER, from, to], &[wei])], &[]);
        expected(&view)
    };
    assert_eq!(shown(OWN, OTHER, "16345785d8a0001"), ["Leaves 0.100000000000000001 ETH"]);
    assert_eq!(shown(OTHER, OWN, "16345785d89ffff"), ["Comes 0.099 ETH"], "never rounded up");
    assert_eq!(shown(OTHER, OWN, "1"), ["Comes <0.001 ETH"]);
}

#[test]
fn without_names_of_tokens_the_simulation_shows_contracts_and_smallest_units() {
    let mut world = send(&format!(r#""to":"{OTHER}",{CALL}"#));
    world.answer(&batch(&chain_with(&[log(OTHER, &[TRANSFER, OWN, USDC], &["16e360"])])));
    world.fail(portico_frame_core::FailureKind::Unreachable, "");
    let view = world.approval().unwrap();
    assert_eq!(expected(&view), [format!("Leaves 1500000 smallest units of {OTHER}")]);
}

#[test]
fn a_call_that_lets_somebody_take_more_is_flagged() {
    let most = "f".repeat(64);
    let logs = [
        log(USDC, &[APPROVAL, OWN, OTHER], &[&most]),
        log(WETH, &[APPROVAL_FOR_ALL, OWN, OTHER], &["1"]),
        log(WETH, &[PERMIT2, OWN, USDC, OTHER], &["1", "1"]),
        log(USDC, &[APPROVAL, OTHER, OWN], &[&most]),
    ];
    let [decimals, symbol] = token("55534443");
    let (_, view) = simulated(&logs, &[decimals, symbol, format!(r#""result":"0x{}""#, word("0"))]);
    assert_eq!(
        expected(&view),
        [
            format!("Allows {OTHER} may take any amount of USDC"),
            format!("Allows {OTHER} may take all NFTs of {WETH}"),
            format!("Allows {OTHER} may take some USDC, through Permit2"),
        ]
    );
    assert_eq!(view.flags, [Flag::OnlySimulated, Flag::Large, Flag::AlsoPermits], "any amount of dollars is large");
}

#[test]
fn an_allowance_that_is_used_or_taken_back_is_no_permission() {
    // Tokens tell the rest of an allowance when it is used: 100 before, 40 after.
    let [decimals, symbol] = token("55534443");
    let told = [decimals, symbol, format!(r#""result":"0x{}""#, word("64"))];
    let (_, view) = simulated(&[log(USDC, &[APPROVAL, OWN, OTHER], &["28"])], &told);
    assert_eq!((expected(&view), view.flags), (vec![], vec![Flag::OnlySimulated]));
    let logs = [log(WETH, &[APPROVAL_FOR_ALL, OWN, OTHER], &["1"]), log(WETH, &[APPROVAL_FOR_ALL, OWN, OTHER], &["0"])];
    let (_, view) = simulated(&logs, &[]);
    assert!(expected(&view).is_empty());
}

#[test]
fn items_that_leave_and_come_are_shown() {
    let logs =
        [log(OTHER, &[TRANSFER, OWN, USDC, "7"], &[]), log(OTHER, &[TRANSFER_SINGLE, USDC, USDC, OWN], &["8", "2"])];
    let (_, view) = simulated(&logs, &[]);
    assert_eq!(expected(&view), [format!("Leaves NFT #7 of {OTHER}"), format!("Comes NFT #8 of {OTHER}")]);
}

#[test]
fn only_the_chains_own_wrapped_coin_is_believed_about_withdrawals() {
    let logs = [log(WETH, &[WITHDRAWAL, OWN], &["16345785d8a0000"]), log(OTHER, &[WITHDRAWAL, OWN], &["1"])];
    let mut told = token("57455448");
    told[0] = format!(r#""result":"0x{}""#, word("12"));
    let (_, view) = simulated(&logs, &told);
    assert_eq!(expected(&view), ["Leaves 0.1 WETH"]);
}

/// Answers to the two calls that try what a node cannot simulate, and what the approval says then.
const TRIALS: [([&str; 2], Flag); 6] = [
    ([r#""result":"0x""#, r#""result":"0x""#], Flag::OnlyTried),
    ([r#""error":{"code":-32602,"message":"too many arguments"}"#, r#""result":"0x""#], Flag::OnlyTried),
    ([r#""error":{"code":3,"message":"execution failed"}"#, r#""result":"0x""#], Flag::LikelyToFail),
    ([r#""error":{"code":-32000,"message":"execution reverted"}"#, r#""result":"0x""#], Flag::LikelyToFail),
    (
        [r#""error":{"code":-32602,"message":"too many arguments"}"#, r#""error":{"code":3,"message":"no"}"#],
        Flag::LikelyToFail,
    ),
    (
        [r#""error":{"code":-32005,"message":"limit"}"#, r#""error":{"code":-32005,"message":"limit"}"#],
        Flag::NotSimulated,
    ),
];

/// Calls that wait, with the state that they are made in.
fn tried(world: &World) -> Vec<&'static str> {
    let shape = |call: portico_frame_core::RpcCall| match call.params.as_list().unwrap() {
        [_, _, state] if !state.get(OWN).get("balance").is_null() => "eth_call with a balance",
        [_, _] if call.method == "eth_call" => "eth_call",
        other => panic!("{other:?}"),
    };
    world.calls().into_iter().map(shape).collect()
}

#[test]
fn a_call_that_nothing_can_simulate_says_so_and_a_broken_answer_is_no_simulation() {
    let mut many = Vec::new();
    for number in 1..=17 {
        many.push(log(&format!("0x{number:040x}"), &[TRANSFER, OWN, OTHER], &["1"]));
    }
    for answer in [
        r#""error":{"code":-32601,"message":"method not found"}"#.to_owned(),
        r#""result":null"#.into(),
        r#""result":[]"#.into(),
        r#""result":[{"calls":[]}]"#.into(),
        r#""result":[{"calls":[{"status":"0x1","logs":[{"address":"0x00"}]}]}]"#.into(),
        chain_with(&many)[8].clone(),
    ] {
        let mut answers = chain();
        answers[8] = answer.clone();
        for (trials, flag) in TRIALS {
            let mut world = send(&format!(r#""to":"{OTHER}",{CALL}"#));
            world.answer(&batch(&answers));
            assert_eq!(tried(&world), ["eth_call with a balance", "eth_call"]);
            world.answer(&batch(&trials.map(String::from)));
            let view = world.approval().unwrap();
            assert_eq!((view.flags, view.expected), (vec![Flag::UnknownCall, flag], None), "{answer} {trials:?}");
        }
    }
    let mut answers = chain();
    answers[8] = r#""error":{"code":-32601,"message":"method not found"}"#.into();
    let mut world = send(&format!(r#""to":"{OTHER}",{CALL}"#));
    world.answer(&batch(&answers));
    world.fail(portico_frame_core::FailureKind::Unreachable, "");
    assert_eq!(world.approval().unwrap().flags, [Flag::UnknownCall, Flag::NotSimulated]);
    // A failure that the chain expects already isn't tried again, and a plain transfer needs no trial.
    answers[5] = r#""error":{"code":3,"message":"execution reverted"}"#.into();
    let view = view_of(&format!(r#""to":"{OTHER}","gas":"0x7530",{CALL}"#), &answers);
    assert_eq!(view.flags, [Flag::UnknownCall, Flag::NotSimulated, Flag::LikelyToFail]);
    assert_eq!(view_of(&format!(r#""to":"{OTHER}","value":"0x1","gas":"0x7530""#), &answers).stage, Stage::Ready);
    let mut answers = chain();
    answers[8] = r#""result":[{"calls":[{"status":"0x0","logs":[]}]}]"#.into();
    let view = view_of(&format!(r#""to":"{OTHER}",{CALL}"#), &answers);
    assert_eq!(view.flags, [Flag::UnknownCall, Flag::LikelyToFail]);
}

#[test]
fn a_call_to_an_address_without_a_contract_warns_and_a_plain_transfer_to_an_account_does_not() {
    let mut answers = chain();
    answers[7] = r#""result":"0x""#.into();
    let view = view_of(&format!(r#""to":"{OTHER}",{CALL}"#), &answers);
    assert_eq!(view.flags, [Flag::UnknownCall, Flag::NoContract]);
    let view = view_of(&format!(r#""to":"{OTHER}","value":"0x1""#), &answers);
    assert_eq!((view.flags, view.expected), (vec![], None));
}

/// `exactInputSingle` of SwapRouter02: 1.5 USDC for at least 0.1 WETH.
fn swap_to(receiver: &str) -> String {
    let words = [USDC, WETH, "1f4", receiver, "16e360", "16345785d8a0000", "0"].map(word);
    format!(r#""to":"{ROUTER}","data":"0x04e45aaf{}""#, words.concat())
}

#[test]
fn a_swap_by_a_known_router_is_read_from_its_bytes_whatever_the_node_says() {
    let mut answers = chain();
    answers.truncate(9);
    answers.extend(token("55534443"));
    answers.extend([format!(r#""result":"0x{}""#, word("12")), token("57455448")[1].clone()]);
    let view = view_of(&swap_to(OWN), &answers);
    assert_eq!(view.action, Action::Swap);
    assert_eq!(
        (row(&view, RowLabel::Pays).as_deref(), row(&view, RowLabel::Least).as_deref()),
        (Some("1.5 USDC"), Some("0.1 WETH"))
    );
    assert_eq!(
        (row(&view, RowLabel::Provider).as_deref(), row(&view, RowLabel::Contract).as_deref()),
        (Some("Uniswap V3"), Some(ROUTER))
    );
    assert!(view.flags.is_empty());
    // `exactOutputSingle`: 0.1 WETH exactly, for at most 1.5 USDC.
    let words = [USDC, WETH, "1f4", OWN, "16345785d8a0000", "16e360", "0"].map(word);
    let bought = view_of(&format!(r#""to":"{ROUTER}","data":"0x5023b4df{}""#, words.concat()), &answers);
    assert_eq!(
        (row(&bought, RowLabel::PaysMost).as_deref(), row(&bought, RowLabel::Comes).as_deref()),
        (Some("1.5 USDC"), Some("0.1 WETH"))
    );
    assert_eq!((row(&bought, RowLabel::Pays), row(&bought, RowLabel::Least)), (None, None));
    let view = view_of(&swap_to(OTHER), &answers);
    assert_eq!((view.flags.as_slice(), row(&view, RowLabel::To).as_deref()), (&[Flag::OtherReceiver][..], Some(OTHER)));
    let other_contract = swap_to(OWN).replace(ROUTER, OTHER);
    assert_eq!(view_of(&other_contract, &answers).flags, [Flag::OnlySimulated], "not a known router");
}
