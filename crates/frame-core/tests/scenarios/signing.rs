//! Messages and typed data: what is shown, and what is signed.

use crate::world::{HOST, OTHER, OWN, World, spoken};
use portico_frame_core::{Action, FailureKind, Flag, Operation, Proof, RowLabel, SigningOrder};

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

#[test]
fn a_permit_names_spender_token_amount_and_end_and_an_unlimited_one_warns() {
    let types = r#""Permit":[{"name":"owner","type":"address"},{"name":"spender","type":"address"},{"name":"value","type":"uint256"},{"name":"nonce","type":"uint256"},{"name":"deadline","type":"uint256"}]"#;
    let usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
    let message = |value: &str| {
        format!(r#"{{"owner":"{OWN}","spender":"{OTHER}","value":"{value}","nonce":0,"deadline":1800000000}}"#)
    };
    let view = permit(usdc, "Permit", types, &message("1500000")).approval().unwrap();
    let rows: Vec<_> = view.rows.iter().map(|row| (row.label, spoken(&row.text))).collect();
    assert_eq!(
        rows[..4],
        [
            (RowLabel::Spender, OTHER.into()),
            (RowLabel::Token, format!("USDC {usdc}")),
            (RowLabel::AmountOrItem, "1500000".into()),
            (RowLabel::Expires, "2027-01-15T08:00:00Z".into()),
        ]
    );
    assert_eq!((view.action, view.flags), (Action::Permit, vec![Flag::Permit, Flag::FirstSpender]));
    let most = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    let view = permit(usdc, "Permit", types, &message(most)).approval().unwrap();
    assert_eq!(view.flags, [Flag::Permit, Flag::Large, Flag::UnlimitedApproval, Flag::FirstSpender]);
}

#[test]
fn a_permit_of_permit2_is_known_by_its_contract() {
    let types = r#""PermitSingle":[{"name":"details","type":"PermitDetails"},{"name":"spender","type":"address"},{"name":"sigDeadline","type":"uint256"}],"PermitDetails":[{"name":"token","type":"address"},{"name":"amount","type":"uint160"},{"name":"expiration","type":"uint48"},{"name":"nonce","type":"uint48"}]"#;
    let message = format!(
        r#"{{"details":{{"token":"{OTHER}","amount":"1461501637330902918203684832716283019655932542975","expiration":1800000000,"nonce":0}},"spender":"{OTHER}","sigDeadline":1800000000}}"#
    );
    let view =
        permit("0x000000000022D473030F116dDEE9F6B43aC78BA3", "PermitSingle", types, &message).approval().unwrap();
    let flags = vec![Flag::Permit, Flag::UnlimitedApproval, Flag::FirstSpender];
    assert_eq!((view.action, view.flags), (Action::Permit, flags));
    let view = permit(OTHER, "PermitSingle", types, &message).approval().unwrap();
    assert_eq!(view.action, Action::SignTypedData);
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
