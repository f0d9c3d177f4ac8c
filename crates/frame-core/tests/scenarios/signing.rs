//! Messages and typed data: what is shown, and what is signed.

use crate::transaction::{batch, word};
use crate::world::{HOST, OTHER, OWN, World, spoken};
use portico_frame_core::{
    Action, ApprovalView, FailureKind, Flag, Operation, Outcome, Proof, RowLabel, SigningOrder, Stage,
};

fn sign(message: &str) -> World {
    let mut world = World::logged_in();
    let hex: String = message.bytes().map(|byte| format!("{byte:02x}")).collect();
    world.rpc("personal_sign", &format!(r#"["0x{hex}","{OWN}"]"#));
    world
}

fn sign_in(domain: &str, address: &str, uri: &str, chain: u64) -> String {
    format!(
        "{domain} wants you to sign in with your Ethereum account:\n{address}\n\nWelcome.\n\nURI: {uri}\nVersion: 1\nChain ID: {chain}\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z"
    )
}

#[test]
fn a_message_is_shown_and_its_bytes_are_signed() {
    let mut world = sign("Hello\u{202e}");
    let view = world.approval().unwrap();
    assert_eq!((view.action, view.text.as_deref()), (Action::SignMessage, Some("Hello\\u{202e}")));
    assert_eq!((view.account.as_str(), view.network.name.as_deref()), (OWN, Some("Ethereum")));
    world.approve();
    let order = SigningOrder::Message { address: OWN.into(), message: "0x48656c6c6fe280ae".into() };
    assert_eq!(world.only().operation, Operation::Sign { order, proof: Proof::Click });
}

#[test]
fn a_message_that_is_no_text_is_shown_as_bytes_with_a_warning() {
    let mut world = World::logged_in();
    world.rpc("personal_sign", &format!(r#"["0xff00","{OWN}"]"#));
    let view = world.approval().unwrap();
    assert_eq!((view.text.as_deref(), view.flags), (Some("0xff00"), vec![Flag::NotText]));
}

#[test]
fn parameters_the_other_way_round_are_told_by_the_account_and_another_account_is_refused() {
    let mut world = World::logged_in();
    world.rpc("personal_sign", &format!(r#"["{OWN}","0x6869"]"#));
    assert_eq!(world.approval().unwrap().text.as_deref(), Some("hi"));
    for params in [format!(r#"["0x6869","{OTHER}"]"#), "[]".into(), r#"["0x6869"]"#.into(), format!(r#"[1,"{OWN}"]"#)] {
        let mut world = World::logged_in();
        world.rpc("personal_sign", &params);
        assert!(world.approval().is_none() && world.take()[0].contains("_ERROR"), "{params}");
    }
}

#[test]
fn a_sign_in_for_this_page_can_be_approved() {
    let mut world = sign(&sign_in("shop.example.org", OWN, HOST, 1));
    let view = world.approval().unwrap();
    assert_eq!((view.action, view.blocked, view.flags), (Action::SignIn, false, vec![]));
    world.approve();
    assert!(matches!(world.only().operation, Operation::Sign { .. }));
}

#[test]
fn a_sign_in_for_another_page_or_account_can_only_be_cancelled() {
    for (text, flag) in [
        (sign_in("bank.example.org", OWN, HOST, 1), Flag::WrongDomain),
        (sign_in("shop.example.org.evil.com", OWN, HOST, 1), Flag::WrongDomain),
        (sign_in("http://shop.example.org", OWN, HOST, 1), Flag::WrongDomain),
        (sign_in("shop.example.org", OTHER, HOST, 1), Flag::WrongAccount),
        (sign_in("shop.example.org", OWN, HOST, 1).replace("Version: 1", "Version: 2"), Flag::MalformedSignIn),
        (
            sign_in("bank.example.org", OWN, HOST, 1).replace("Ethereum account", "ethereum  account"),
            Flag::MalformedSignIn,
        ),
        (["\n", &sign_in("bank.example.org", OWN, HOST, 1)].concat(), Flag::MalformedSignIn),
    ] {
        let mut world = sign(&text);
        let view = world.approval().unwrap();
        assert!(view.blocked && view.flags.contains(&flag), "{text}: {view:?}");
        world.approve();
        assert!(world.ordered.is_empty());
    }
}

#[test]
fn a_sign_in_with_another_uri_or_chain_warns() {
    let mut world = sign(&sign_in("shop.example.org", OWN, "https://shop.example.org.evil.com", 10));
    let view = world.approval().unwrap();
    assert_eq!((view.blocked, view.flags), (false, vec![Flag::WrongUri, Flag::WrongChain]));
}

fn typed(data: &str) -> World {
    let mut world = World::logged_in();
    world.rpc("eth_signTypedData_v4", &format!(r#"["{OWN}",{data}]"#));
    world
}

const MAIL: &str = r#"{"types":{"EIP712Domain":[{"name":"name","type":"string"}],"Mail":[{"name":"to","type":"Person[]"},{"name":"contents","type":"string"}],"Person":[{"name":"name","type":"string"}]},"primaryType":"Mail","domain":{"name":"Post","chainId":1},"message":{"to":[{"name":"Bob"}],"contents":"Hi","unsigned":"not shown"}}"#;

#[test]
fn typed_data_are_shown_by_their_types_and_signed_as_they_were_read() {
    let mut world = typed(MAIL);
    let view = world.approval().unwrap();
    assert_eq!(view.text.as_deref(), Some("Mail\nto: \n  -: \n    name: Bob\ncontents: Hi\n"));
    assert_eq!((view.action, view.blocked), (Action::SignTypedData, false));
    world.approve();
    let order = SigningOrder::TypedData { address: OWN.into(), data: MAIL.into() };
    assert_eq!(world.only().operation, Operation::Sign { order, proof: Proof::Click });
}

#[test]
fn typed_data_of_another_chain_can_only_be_cancelled() {
    let view = typed(&MAIL.replace("\"chainId\":1", "\"chainId\":\"0xa\"")).approval().unwrap();
    assert!(view.blocked && view.flags.contains(&Flag::WrongChain));
}

#[test]
fn typed_data_that_two_readers_could_read_differently_are_refused() {
    for data in [
        "1",
        "\"x\"",
        "{}",
        &MAIL.replace(r#""contents":"Hi""#, r#""contents":"Hi","contents":"Ho""#),
        &MAIL.replace(r#""contents":"Hi","#, ""),
        &MAIL.replace(r#""primaryType":"Mail""#, r#""primaryType":"Letter""#),
        &MAIL.replace(r#"{"name":"name","type":"string"}]},"primary"#, r#"{"name":"name","type":"Person"}]},"primary"#),
    ] {
        let mut world = typed(data);
        assert!(world.approval().is_none() && world.take()[0].contains("-32602"), "{data}");
    }
}

fn permit(contract: &str, primary: &str, types: &str, message: &str) -> World {
    typed(&format!(
        r#"{{"types":{{{types}}},"primaryType":"{primary}","domain":{{"name":"T","chainId":1,"verifyingContract":"{contract}"}},"message":{message}}}"#
    ))
}

const PERMIT: &str = r#""Permit":[{"name":"owner","type":"address"},{"name":"spender","type":"address"},{"name":"value","type":"uint256"},{"name":"nonce","type":"uint256"},{"name":"deadline","type":"uint256"}]"#;
const DETAILS: &str = r#""PermitDetails":[{"name":"token","type":"address"},{"name":"amount","type":"uint160"},{"name":"expiration","type":"uint48"},{"name":"nonce","type":"uint48"}]"#;
const PERMIT2: &str = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const WBTC: &str = "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599";
const MOST: &str = "115792089237316195423570985008687907853269984665640564039457584007913129639935";

fn permit_of(contract: &str, value: &str) -> World {
    let message =
        format!(r#"{{"owner":"{OWN}","spender":"{OTHER}","value":"{value}","nonce":0,"deadline":1800000000}}"#);
    permit(contract, "Permit", PERMIT, &message)
}

fn rows(view: &ApprovalView) -> Vec<(RowLabel, String)> {
    view.rows.iter().map(|row| (row.label, spoken(&row.text))).collect()
}

/// Answers of a token's contract: its decimals, and its symbol of at most 32 letters.
fn token(decimals: u8, symbol: &str) -> [String; 2] {
    let letters: String = symbol.bytes().map(|byte| format!("{byte:02x}")).collect();
    [
        format!(r#""result":"0x{}""#, word(&format!("{decimals:x}"))),
        format!(r#""result":"0x{}{}{letters:0<64}""#, word("20"), word(&format!("{:x}", symbol.len()))),
    ]
}

/// Answers a node of a chain, in the form `0x1`, about one token.
fn name(world: &mut World, chain: &str, token: [String; 2]) -> ApprovalView {
    let [decimals, symbol] = token;
    world.answer(&batch(&[format!(r#""result":"{chain}""#), decimals, symbol]));
    world.approval().unwrap()
}

#[test]
fn a_permit_names_spender_token_amount_and_end_and_an_unlimited_one_warns() {
    let mut world = permit_of(USDC, "1500000");
    assert!(world.ordered.is_empty(), "the frame knows the token");
    let view = world.approval().unwrap();
    assert_eq!(
        rows(&view)[..4],
        [
            (RowLabel::Spender, OTHER.into()),
            (RowLabel::Token, format!("USDC {USDC}")),
            (RowLabel::Amount, "1.5 USDC".into()),
            (RowLabel::Expires, "2027-01-15T08:00:00Z".into()),
        ]
    );
    assert_eq!((view.action, view.flags), (Action::Permit, vec![Flag::Permit, Flag::FirstSpender]));
    let view = permit_of(USDC, MOST).approval().unwrap();
    assert_eq!(view.flags, [Flag::Permit, Flag::Large, Flag::UnlimitedApproval, Flag::FirstSpender]);
}

#[test]
fn a_permit_of_an_unknown_token_waits_for_what_its_contract_says() {
    let mut world = permit_of(OWN, "1500000");
    let view = world.approval().unwrap();
    assert_eq!((view.stage, &rows(&view)[2]), (Stage::Preparing, &(RowLabel::AmountOrItem, "1500000".into())));
    let asked: Vec<_> = world.calls().into_iter().map(|call| call.method).collect();
    assert_eq!(asked, ["eth_chainId", "eth_call", "eth_call"]);
    let view = name(&mut world, "0x1", token(5, "PEPE"));
    assert_eq!(
        rows(&view)[1..3],
        [(RowLabel::Token, OWN.to_string()), (RowLabel::Amount, "15 PEPE".into())],
        "the contract stands beside the name it gives itself"
    );
    assert_eq!((view.stage, view.flags), (Stage::Ready, vec![Flag::Permit, Flag::FirstSpender]));
    world.approve();
    assert!(matches!(world.only().operation, Operation::Sign { order: SigningOrder::TypedData { .. }, .. }));
}

#[test]
fn a_permit_whose_token_no_node_names_is_shown_in_smallest_units() {
    let silent = || [r#""error":{"code":3,"message":"no token"}"#.to_string(), r#""result":"0x""#.into()];
    let mut late = permit_of(OWN, "1500000");
    late.fail(FailureKind::Unreachable, "");
    let mut broken = permit_of(OWN, "1500000");
    broken.answer("null");
    let mut elsewhere = permit_of(OWN, "1500000");
    name(&mut elsewhere, "0xa", token(5, "PEPE"));
    let mut mute = permit_of(OWN, "1500000");
    name(&mut mute, "0x1", silent());
    for mut world in [late, broken, elsewhere, mute] {
        let view = world.approval().unwrap();
        assert_eq!((view.stage, &rows(&view)[2]), (Stage::Ready, &(RowLabel::AmountOrItem, "1500000".into())));
        assert_eq!(view.flags, [Flag::Permit, Flag::FirstSpender]);
    }
    // One that was withdrawn meanwhile stays so.
    let mut world = permit_of(OWN, "1500000");
    let asked = world.only();
    world.host("RPC_ABORT", "null");
    world.resolve(asked.id, Outcome::Answered { value: portico_json::Value::Null });
    assert!(world.approval().is_none());
}

#[test]
fn a_permit_of_a_token_that_calls_itself_a_known_one_is_flagged() {
    let view = name(&mut permit_of(OWN, "1500000"), "0x1", token(6, "USDC"));
    assert_eq!(rows(&view)[2], (RowLabel::Amount, "1.5".into()));
    assert_eq!(view.flags, [Flag::Permit, Flag::FakeToken, Flag::FirstSpender]);
    let view = name(&mut permit_of(OWN, MOST), "0x1", token(6, "USDC"));
    assert_eq!(view.flags, [Flag::Permit, Flag::UnlimitedApproval, Flag::FakeToken, Flag::FirstSpender]);
}

#[test]
fn a_permit_of_permit2_is_known_by_its_contract() {
    let types = [
        r#""PermitSingle":[{"name":"details","type":"PermitDetails"},{"name":"spender","type":"address"},{"name":"sigDeadline","type":"uint256"}],"#,
        DETAILS,
    ];
    let message = |token: &str, amount: &str| {
        format!(
            r#"{{"details":{{"token":"{token}","amount":"{amount}","expiration":1800000000,"nonce":0}},"spender":"{OTHER}","sigDeadline":1800000000}}"#
        )
    };
    let most = message(USDC, "1461501637330902918203684832716283019655932542975");
    let view = permit(PERMIT2, "PermitSingle", &types.concat(), &most).approval().unwrap();
    let flags = vec![Flag::Permit, Flag::Large, Flag::UnlimitedApproval, Flag::FirstSpender];
    assert_eq!((view.action, view.flags), (Action::Permit, flags));
    let view = permit(OTHER, "PermitSingle", &types.concat(), &most).approval().unwrap();
    assert_eq!(view.action, Action::SignTypedData);
    let view = permit(PERMIT2, "PermitSingle", &types.concat(), &message(USDC, "1500000")).approval().unwrap();
    assert_eq!(rows(&view)[2], (RowLabel::Amount, "1.5 USDC".into()));
}

#[test]
fn a_batch_of_permit2_shows_the_amount_of_each_token() {
    let types = [
        r#""PermitBatch":[{"name":"details","type":"PermitDetails[]"},{"name":"spender","type":"address"},{"name":"sigDeadline","type":"uint256"}],"#,
        DETAILS,
    ];
    let part = |token: &str, amount: u32| {
        format!(r#"{{"token":"{token}","amount":"{amount}","expiration":1800000000,"nonce":0}}"#)
    };
    let parts = [part(USDC, 1_500_000), part(OWN, 250), part(WBTC, 12_345), part(OWN, 1)].join(",");
    let message = format!(r#"{{"details":[{parts}],"spender":"{OTHER}","sigDeadline":1800000000}}"#);
    let mut world = permit(PERMIT2, "PermitBatch", &types.concat(), &message);
    assert_eq!(world.calls().len(), 3, "the unknown token is asked once, and no known one");
    let view = name(&mut world, "0x1", token(2, "PEPE"));
    let amounts: Vec<_> = rows(&view).into_iter().filter(|(label, _)| *label == RowLabel::Amount).collect();
    assert_eq!(
        amounts.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
        ["1.5 USDC", "2.5 PEPE", "0.00012345 WBTC", "0.01 PEPE"]
    );
    assert_eq!((view.stage, view.flags), (Stage::Ready, vec![Flag::Permit, Flag::FirstSpender]));
}

#[test]
fn a_signature_that_fails_after_the_approval_is_told_by_its_code() {
    for (kind, words, told) in [
        (FailureKind::NoSession, "", r#"{"message":"Your session ended. Log in again.","code":4100}"#),
        (FailureKind::Unreachable, "", r#"{"message":"Something went wrong","code":4900}"#),
        (FailureKind::Refused, "This wallet is frozen", r#"{"message":"This wallet is frozen","code":null}"#),
    ] {
        let mut world = sign("Hello");
        world.approve();
        world.fail(kind, words);
        assert_eq!(world.take(), [format!("@w3m-frame/RPC_REQUEST_ERROR 2 {told}")]);
        assert!(world.approval().is_none());
    }
}
