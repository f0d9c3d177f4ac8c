//! Requests to the Solana account: what is shown, what is signed, and what is refused.

use crate::solana_bytes as bytes;
use crate::world::{DEVNET, MAIN, SOLANA, TO, World, json, spoken};
use portico_encoding::base58;
use portico_encoding::base64::{self, Spelling};
use portico_frame_core::{Action, ApprovalView, Flag, Operation, Phrase, Proof, RowLabel, Said, SigningOrder, Stage};

/// Accounts with the keys of 32 threes, fours and so on.
const MINT: &str = "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8";
const TO_TOKENS: &str = "GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq";
const OWN_TOKENS: &str = "LbUiWL3xVV8hTFYBVdbTNrpDo41NKS6o3LHHuDzjfcY";
const PROGRAM: &str = "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx";

fn message(text: &str) -> World {
    let mut world = World::logged_in();
    let text = base58::encode(text.as_bytes());
    world.rpc("solana_signMessage", &format!(r#"{{"message":"{text}","pubkey":"{SOLANA}"}}"#));
    world
}

fn asked(method: &str, params: &str) -> World {
    let mut world = World::logged_in();
    world.rpc(method, params);
    world
}

fn transaction(method: &str, transaction: &str) -> World {
    asked(method, &format!(r#"{{"transaction":"{transaction}"}}"#))
}

/// Answers of a node that knows the block, and foresees that all goes well.
pub const FINE: &str = r#"[{"result":"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"},{"result":{"value":true}},{"result":{"value":{"err":null,"fee":5000,"preBalances":[9000,0],"postBalances":[3000,1000],"preTokenBalances":[],"postTokenBalances":[]}}}]"#;

/// Request with its view.
fn shown(bytes: &str) -> ApprovalView {
    let mut world = transaction("solana_signTransaction", bytes);
    world.answer(FINE);
    world.approval().unwrap()
}

fn rows(view: &ApprovalView) -> Vec<(RowLabel, String)> {
    view.rows.iter().map(|row| (row.label, spoken(&row.text))).collect()
}

/// The transaction with a signature at this place.
fn signed(transaction: &str, place: usize) -> (String, String) {
    let mut bytes = base64::decode(transaction, Spelling::Standard).unwrap();
    bytes[1 + 64 * place..65 + 64 * place].fill(7);
    (base64::encode(&bytes, Spelling::Standard), base58::encode(&[7; 64]))
}

#[test]
fn spec_5_31_a_message_is_shown_and_its_signature_told() {
    let mut world = message("Hello\u{202e}");
    let view = world.approval().unwrap();
    assert_eq!((view.action, view.text.as_deref()), (Action::SignMessage, Some("Hello\\u{202e}")));
    assert_eq!((view.account.as_str(), view.network.name.as_deref(), view.fee), (SOLANA, Some("Solana"), None));
    world.approve();
    let order =
        SigningOrder::SolanaMessage { address: SOLANA.into(), message: base58::encode("Hello\u{202e}".as_bytes()) };
    assert_eq!(world.ordered[0].operation, Operation::Sign { order, proof: Proof::Click });
    world.answer("\"5igna\"");
    assert_eq!(world.take(), [r#"@w3m-frame/RPC_REQUEST_SUCCESS 2 {"signature":"5igna"}"#]);
}

#[test]
fn a_message_for_another_account_that_is_none_or_is_a_transaction_is_refused() {
    let transaction = base64::decode(bytes::TRANSFER, Spelling::Standard).unwrap();
    let transaction = base58::encode(&transaction[65..]);
    for params in [
        format!(r#"{{"message":"2g","pubkey":"{TO}"}}"#),
        r#"{"message":"2g"}"#.into(),
        format!(r#"{{"pubkey":"{SOLANA}"}}"#),
        format!(r#"{{"message":"","pubkey":"{SOLANA}"}}"#),
        format!(r#"{{"message":"0","pubkey":"{SOLANA}"}}"#),
        format!(r#"{{"message":"{transaction}","pubkey":"{SOLANA}"}}"#),
        format!(r#"["2g","{SOLANA}"]"#),
        "null".into(),
    ] {
        let mut world = asked("solana_signMessage", &params);
        assert!(world.approval().is_none() && world.take()[0].contains("_ERROR"), "{params}");
    }
}

fn sign_in(domain: &str, address: &str, rest: &str) -> World {
    message(&format!("{domain} wants you to sign in with your Solana account:\n{address}{rest}"))
}

#[test]
fn a_sign_in_for_this_page_can_be_approved_with_and_without_its_optional_parts() {
    let fields = "URI: https://shop.example.org/in\nVersion: 1\nChain ID: mainnet\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z\nExpiration Time: 2026-01-02T00:00:00Z\nResources:\n- https://shop.example.org/a";
    for rest in [
        String::new(),
        "\n\nWelcome.".into(),
        format!("\n\nWelcome.\n\n{fields}"),
        format!("\n\n{fields}"),
        format!("\n\n\n{fields}"),
        "\n\nWelcome.\n\nNonce: 12345678".into(),
        "\n\nChain ID: solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp".into(),
    ] {
        let view = sign_in("shop.example.org", SOLANA, &rest).approval().unwrap();
        assert_eq!((view.action, view.blocked, &view.flags), (Action::SignIn, false, &vec![]), "{rest}");
        // Its end is a date in the visitor's language, not the letters of RFC 3339.
        let ends = view.rows.iter().find(|row| row.label == RowLabel::Expires);
        let date = Said::new(Phrase::Date, &["2026-01-02T00:00:00Z"]);
        assert_eq!(ends.map(|row| &row.text), rest.contains("Expiration").then_some(&date), "{rest}");
    }
}

#[test]
fn a_sign_in_for_another_page_account_or_chain_is_told() {
    let warned = |view: ApprovalView| (view.blocked, view.flags);
    let of = |domain: &str, address: &str, rest: &str| warned(sign_in(domain, address, rest).approval().unwrap());
    assert_eq!(of("bank.example.org", SOLANA, ""), (true, vec![Flag::WrongDomain]));
    assert_eq!(of("http://shop.example.org", SOLANA, ""), (true, vec![Flag::WrongDomain]));
    assert_eq!(of("shop.example.org", TO, ""), (true, vec![Flag::WrongAccount]));
    assert_eq!(of("shop.example.org", &SOLANA.to_lowercase(), ""), (true, vec![Flag::WrongAccount]));
    assert_eq!(of("shop.example.org", SOLANA, "\n\nChain ID: devnet"), (false, vec![Flag::WrongChain]));
    assert_eq!(of("shop.example.org", SOLANA, "\n\nURI: https://evil.example"), (false, vec![Flag::WrongUri]));
    for rest in ["\nWelcome.", "\n\nWelcome.\nMore.", "\n\nNonce: 1\nURI: https://shop.example.org", "\n\nVersion: 2"] {
        assert_eq!(of("shop.example.org", SOLANA, rest), (true, vec![Flag::MalformedSignIn]), "{rest}");
    }
    let ethereum = format!("bank.example.org wants you to sign in with your Ethereum account:\n{SOLANA}");
    assert_eq!(warned(message(&ethereum).approval().unwrap()), (true, vec![Flag::MalformedSignIn]));
}

#[test]
fn a_transfer_is_shown_with_its_fee_and_note() {
    let view = shown(bytes::TRANSFER);
    assert_eq!((view.action, view.flags.clone()), (Action::Send, vec![]));
    let expected = [(RowLabel::Amount, "1.5 SOL"), (RowLabel::To, TO), (RowLabel::Memo, "For the book")];
    assert_eq!(rows(&view), expected.map(|(label, text)| (label, text.to_owned())));
    // 5000 lamports, and 30,000 units at two lamports.
    assert_eq!(view.fee.as_ref().map(spoken).as_deref(), Some("0.000065 SOL"));
}

#[test]
fn tokens_are_shown_with_their_mint_and_the_owner_of_an_account_that_is_made() {
    let view = shown(bytes::CHECKED);
    assert_eq!((view.action, view.flags.clone()), (Action::SendToken, vec![]));
    let expected = [
        (RowLabel::Creates, TO),
        (RowLabel::Token, MINT),
        (RowLabel::Amount, "2.5 CktR…8oEzy8"),
        (RowLabel::Token, MINT),
        (RowLabel::To, TO),
        (RowLabel::TokenAccount, TO_TOKENS),
    ];
    assert_eq!(rows(&view), expected.map(|(label, text)| (label, text.to_owned())));
    let expected = [
        (RowLabel::Amount, "77 smallest units of LbUi…DzjfcY"),
        (RowLabel::TokenAccount, OWN_TOKENS),
        (RowLabel::TokenAccount, TO_TOKENS),
    ];
    assert_eq!(rows(&shown(bytes::PLAIN)), expected.map(|(label, text)| (label, text.to_owned())));
}

#[test]
fn delegates_and_new_authorities_are_told() {
    for (bytes, action, flags, row) in [
        (
            bytes::APPROVE,
            Action::ApproveToken,
            vec![Flag::UnlimitedApproval, Flag::FirstSpender],
            (RowLabel::Spender, TO),
        ),
        (
            bytes::APPROVE_CHECKED,
            Action::ApproveToken,
            vec![Flag::Delegates, Flag::FirstSpender],
            (RowLabel::Spender, TO),
        ),
        (bytes::REVOKE, Action::Revoke, vec![], (RowLabel::TokenAccount, OWN_TOKENS)),
        (bytes::CLOSE, Action::SignTransaction, vec![], (RowLabel::To, TO)),
        (bytes::AUTHORITY, Action::SignTransaction, vec![Flag::NewAuthority], (RowLabel::NewAuthority, TO)),
        (bytes::NO_AUTHORITY, Action::SignTransaction, vec![Flag::NewAuthority], (RowLabel::NewAuthority, "Nobody")),
        (bytes::NONCE, Action::Send, vec![Flag::NeverExpires], (RowLabel::To, TO)),
    ] {
        let view = shown(bytes);
        assert_eq!((view.action, view.flags.clone()), (action, flags));
        assert!(rows(&view).contains(&(row.0, row.1.into())), "{view:?}");
    }
}

#[test]
fn an_unknown_program_and_accounts_of_a_table_are_told_as_risks() {
    let view = shown(bytes::UNKNOWN);
    assert_eq!((view.action, view.flags.clone()), (Action::SignTransaction, vec![Flag::UnknownProgram]));
    assert!(rows(&view).contains(&(RowLabel::Program, PROGRAM.into())));
    let view = shown(bytes::TABLE);
    assert_eq!(view.flags, [Flag::HiddenAccounts, Flag::UnknownProgram]);
    // The receiver of its transfer is in the table: the transfer isn't explained.
    assert!(!rows(&view).iter().any(|(label, _)| *label == RowLabel::Amount), "{view:?}");
}

#[test]
fn the_bytes_that_were_shown_are_signed_and_told() {
    let mut world = transaction("solana_signTransaction", bytes::TRANSFER);
    world.approve();
    assert_eq!(world.ordered.len(), 1, "nothing is signed before the node answered");
    world.answer(FINE);
    world.approve();
    let order = SigningOrder::SolanaTransactions { transactions: vec![bytes::TRANSFER.into()] };
    assert_eq!(world.ordered[0].operation, Operation::Sign { order, proof: Proof::Click });
    let (transaction, signature) = signed(bytes::TRANSFER, 0);
    world.answer(&format!(r#"["{transaction}"]"#));
    let told =
        format!(r#"@w3m-frame/RPC_REQUEST_SUCCESS 2 {{"signature":"{signature}","transaction":"{transaction}"}}"#);
    assert_eq!(world.take(), [told]);
}

#[test]
fn several_transactions_are_shown_one_after_the_other() {
    let params = format!(r#"{{"transactions":["{}","{}"]}}"#, bytes::TRANSFER, bytes::UNKNOWN);
    let mut world = asked("solana_signAllTransactions", &params);
    assert_eq!(world.calls().len(), 4);
    world.answer(r#"[null,{"result":{"value":true}},{"result":{"value":true}}]"#);
    let view = world.approval().unwrap();
    let flags = vec![Flag::UnknownProgram, Flag::NotSimulated];
    assert_eq!((view.action, view.flags.clone()), (Action::SignTransaction, flags));
    let places: Vec<_> = rows(&view).into_iter().filter(|(label, _)| *label == RowLabel::Transaction).collect();
    assert_eq!(places, [(RowLabel::Transaction, "1 of 2".into()), (RowLabel::Transaction, "2 of 2".into())]);
    assert_eq!(view.fee.as_ref().map(spoken).as_deref(), Some("0.00007 SOL"));
    world.approve();
    world.answer(r#"["AA==","AQ=="]"#);
    assert_eq!(world.take(), [r#"@w3m-frame/RPC_REQUEST_SUCCESS 2 {"transactions":["AA==","AQ=="]}"#]);
}

#[test]
fn another_signer_pays_the_fee_and_signs_before_it_is_sent() {
    let view = shown(bytes::TWO);
    assert_eq!((view.fee, view.action), (None, Action::Send));
    let mut world = transaction("solana_signAndSendTransaction", bytes::TWO);
    assert!(world.approval().is_none() && world.take()[0].contains("another account is missing"));
    let mut world = transaction("solana_signAndSendTransaction", &signed(bytes::TWO, 0).0);
    assert!(world.approval().is_some());
}

#[test]
fn what_cannot_be_read_or_needs_no_signature_of_the_account_is_refused() {
    let cut = base64::decode(bytes::TRANSFER, Spelling::Standard).unwrap();
    let cut = base64::encode(&cut[..cut.len() - 1], Spelling::Standard);
    for params in [
        r#"{"transaction":""}"#.into(),
        r#"{"transaction":1}"#.into(),
        "{}".into(),
        "null".into(),
        format!(r#"{{"transaction":"{cut}"}}"#),
        format!(r#"{{"transaction":"{}"}}"#, bytes::STRANGER),
        r#"{"transactions":[]}"#.into(),
    ] {
        for method in ["solana_signTransaction", "solana_signAndSendTransaction", "solana_signAllTransactions"] {
            let mut world = asked(method, &params);
            assert!(world.approval().is_none() && world.take()[0].contains("_ERROR"), "{method} {params}");
        }
    }
}

#[test]
fn a_signed_transaction_is_sent_and_its_id_is_that_of_its_bytes() {
    let params = format!(
        r#"{{"transaction":"{}","sendOptions":{{"skipPreflight":true,"preflightCommitment":"worst","maxRetries":3,"encoding":"base58"}}}}"#,
        bytes::TRANSFER
    );
    for (answer, told) in [
        (r#"[{"result":"1111"}]"#, "SUCCESS"),
        (r#"[{"error":{"code":-32002,"message":"This transaction has already been processed"}}]"#, "SUCCESS"),
        (
            r#"[{"error":{"code":-32002,"message":"Blockhash not found"}}]"#,
            r#"{"message":"Blockhash not found","code":-32003}"#,
        ),
        ("[]", "4901"),
    ] {
        let mut world = asked("solana_signAndSendTransaction", &params);
        world.answer(FINE);
        world.approve();
        let (transaction, signature) = signed(bytes::TRANSFER, 0);
        world.answer(&format!(r#"["{transaction}"]"#));
        assert_eq!(world.approval().unwrap().stage, Stage::Sending);
        let calls = world.calls();
        let options = r#"{"encoding":"base64","skipPreflight":true,"preflightCommitment":"confirmed","maxRetries":3}"#;
        assert_eq!(calls[0].method, "sendTransaction");
        assert_eq!(calls[0].params, json(&format!(r#"["{transaction}",{options}]"#)));
        assert!(matches!(&world.ordered[0].operation, Operation::SendRpc { chain, .. }
            if chain.to_string() == "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"));
        world.answer(answer);
        let reply = world.take().remove(0);
        let id = format!(r#"{{"signature":"{signature}"}}"#);
        assert!(reply.contains(told) && reply.contains("SUCCESS") == reply.ends_with(&id), "{reply}");
    }
}

#[test]
fn the_chain_is_that_of_the_call_and_one_of_solana() {
    let message = format!(r#""params":{{"message":"2g","pubkey":"{SOLANA}"}}"#);
    let ask = |fields: &str| {
        let mut world = World::logged_in();
        world.host("RPC_REQUEST", &format!(r#"{{"method":"solana_signMessage",{message}{fields}}}"#));
        world
    };
    for (fields, name) in [
        (r#","chainId":"solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1","chainNamespace":"solana""#, Some("Solana Devnet")),
        (r#","chainId":null"#, Some("Solana")),
        (r#","chainId":"solana:11111111111111111111111111111111""#, None),
    ] {
        let network = ask(fields).approval().unwrap().network;
        assert_eq!(network.name.as_deref(), name, "{fields}");
        assert_eq!(network.id.is_some(), name.is_none());
    }
    for fields in
        [r#","chainId":1"#, r#","chainNamespace":"eip155""#, r#","chainId":"bip122:000000000019d6689c085ae165831e93""#]
    {
        assert!(ask(fields).take()[0].contains("Chain is not supported"), "{fields}");
    }
    let mut world = World::logged_in();
    world.host(
        "RPC_REQUEST",
        r#"{"method":"personal_sign","params":[],"chainId":"solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"}"#,
    );
    assert!(world.take()[0].contains("Chain is not supported"));
}

#[test]
fn spec_7_21_the_account_on_solana_is_told_and_the_chain_in_use_stays() {
    let mut world = World::logged_in();
    world.host("GET_USER", r#"{"chainId":"solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"}"#);
    world.answer(&crate::world::me());
    let told = world.take().remove(0);
    assert!(
        told.contains(&format!(r#""address":"{SOLANA}","chainId":"solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1""#)),
        "{told}"
    );
    world.host("GET_CHAIN_ID", "null");
    assert!(world.take()[0].ends_with(r#"{"chainId":1}"#));
}

/// Request on a network whose node answers this.
pub fn foreseen(bytes: &str, chain: &str, answers: &str) -> World {
    let mut world = World::logged_in();
    let params = format!(r#"{{"transaction":"{bytes}"}}"#);
    world.host(
        "RPC_REQUEST",
        &format!(r#"{{"method":"solana_signTransaction","params":{params},"chainId":"{chain}"}}"#),
    );
    world.answer(answers);
    world
}

#[test]
fn what_a_node_foresees_of_the_accounts_balances_is_shown() {
    let balance = |owner: &str, amount: u32| {
        format!(r#"{{"owner":"{owner}","mint":"{MINT}","uiTokenAmount":{{"amount":"{amount}","decimals":2}}}}"#)
    };
    let simulated = |before: &str, after: &str| {
        format!(
            r#"[{{"result":"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"}},{{"result":{{"value":true}}}},{{"result":{{"value":{{"err":null,"fee":5000,"preBalances":[2000005000,1],"postBalances":[500000000,2],"preTokenBalances":[{before}],"postTokenBalances":[{after}]}}}}}}]"#
        )
    };
    let mut world = transaction("solana_signTransaction", bytes::UNKNOWN);
    let methods: Vec<_> = world.calls().iter().map(|call| call.method.clone()).collect();
    assert_eq!(methods, ["getGenesisHash", "isBlockhashValid", "simulateTransaction"]);
    world.answer(&simulated(
        &[balance(SOLANA, 100), balance(TO, 7)].join(","),
        &[balance(SOLANA, 150), balance(SOLANA, 25), balance(TO, 0)].join(","),
    ));
    let view = world.approval().unwrap();
    let expected: Vec<_> = view.expected.unwrap().iter().map(|row| (row.label, spoken(&row.text))).collect();
    assert_eq!(expected, [(RowLabel::Leaves, "1.5 SOL".into()), (RowLabel::Comes, "0.75 CktR…8oEzy8".into())]);
    assert_eq!((view.flags, view.stage), (vec![Flag::UnknownProgram], Stage::Ready));
    // The second signer pays no fee.
    let mut world = transaction("solana_signTransaction", bytes::TWO);
    world.answer(FINE);
    let view = world.approval().unwrap();
    let expected: Vec<_> = view.expected.unwrap().iter().map(|row| (row.label, spoken(&row.text))).collect();
    assert_eq!(expected, [(RowLabel::Comes, "0.000001 SOL".into())]);
}

#[test]
fn a_node_that_cannot_say_is_told_where_the_bytes_do_not_say_it_all() {
    for answers in [
        "[]".to_owned(),
        FINE.replace("\"preTokenBalances\":[]", "\"preTokenBalances\":null"),
        FINE.replace("\"preBalances\":[9000,0]", "\"preBalances\":null"),
    ] {
        let view = foreseen(bytes::UNKNOWN, MAIN, &answers).approval().unwrap();
        assert_eq!((view.expected, view.flags), (None, vec![Flag::UnknownProgram, Flag::NotSimulated]), "{answers}");
        let view = foreseen(bytes::TRANSFER, MAIN, &answers).approval().unwrap();
        assert_eq!((view.expected, view.flags), (None, vec![]), "{answers}");
    }
    let fails = FINE.replace("\"err\":null", "\"err\":{\"InstructionError\":[0,{\"Custom\":1}]}");
    assert_eq!(foreseen(bytes::TRANSFER, MAIN, &fails).approval().unwrap().flags, [Flag::LikelyToFail]);
}

#[test]
fn a_node_of_another_network_is_refused_and_a_block_that_it_does_not_know_is_told() {
    assert!(foreseen(bytes::TRANSFER, DEVNET, FINE).take()[0].contains("The node answers for another network"));
    let unknown = FINE.replace("\"value\":true", "\"value\":false");
    assert_eq!(foreseen(bytes::TRANSFER, MAIN, &unknown).approval().unwrap().flags, [Flag::LikelyToFail]);
    assert_eq!(foreseen(bytes::NONCE, MAIN, &unknown).approval().unwrap().flags, [Flag::NeverExpires]);
    let unknown = unknown.replace("5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "EtWTRABZaYq6iMfeYKouRu166VU2xqa1");
    assert_eq!(foreseen(bytes::TRANSFER, DEVNET, &unknown).approval().unwrap().flags, [Flag::OtherNetwork]);
    assert_eq!(foreseen(bytes::TRANSFER, DEVNET, "[]").approval().unwrap().flags, [Flag::OtherNetwork]);
}
