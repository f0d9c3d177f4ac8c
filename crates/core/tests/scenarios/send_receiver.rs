//! Scenarios of the receiver: deceptive addresses, and addresses that were paid before.

use crate::send::{OWN, RECEIVER, alpha, fill};
use portico_api::account::{Transaction, TransactionMetadata, Transfer, TransferQuantity};
use portico_core::Event;
use portico_core::account::Event as Account;
use portico_core::modal::{Event as Modal, View};
use portico_core::send::{Event as Send, Warning};
use portico_json::to_text;
use portico_testkit::{Store, World, options};

const TOKEN: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
/// Address that begins and ends like [`RECEIVER`].
const ALIKE: &str = "0x7099000000000000000000000000000000dc79c8";

/// Hash of the transaction in the history.
const HASH: &str = "0x1111111111111111111111111111111111111111111111111111111111111111";

/// World with a server that returns this history of the account.
pub fn served(past: &str) -> World {
    let options = options()
        .replacen('{', r#"{"endpoints":"https://host.example","ensChain":"eip155:31337","#, 1)
        .replace(r#""testnet":true"#, r#""testnet":false"#);
    let mut world = World::with(&options, vec![alpha()], Store::default());
    world.server.answers("/history", 200, past);
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world
}

/// History with one payment of the coin between invalid entries.
fn past(from: &str, to: &str) -> String {
    past_of("send", "confirmed", from, to, moved("out", to, "1.5"))
}

/// Makes all nodes know the transaction of the history, with these fields.
fn on_chain(world: &mut World, from: &str, to: &str, value: &str, input: &str) {
    let transaction =
        format!(r#"{{"hash":"{HASH}","from":"{from}","to":"{to}","nonce":"0x1","value":"{value}","input":"{input}"}}"#);
    world.node.made_up = Some(("", "eth_getTransactionByHash", transaction));
}

fn past_of(kind: &str, status: &str, from: &str, to: &str, moved: Transfer) -> String {
    let metadata = TransactionMetadata {
        operation_type: kind.into(),
        status: status.into(),
        sent_from: from.into(),
        sent_to: to.into(),
        hash: HASH.into(),
        ..TransactionMetadata::default()
    };
    let payment = to_text(&Transaction { id: "1".into(), metadata, transfers: Some(vec![moved]), approval: None });
    let payment = payment.replace(r#""transfers":["#, r#""transfers":[null,7,"#);
    format!(r#"{{"data":[7,{payment},null],"next":null}}"#)
}

fn moved(direction: &str, to: &str, numeric: &str) -> Transfer {
    let quantity = TransferQuantity { numeric: numeric.into() };
    Transfer { direction: direction.into(), recipient: Some(to.into()), quantity, ..Transfer::default() }
}

pub fn typed(world: &mut World, receiver: &str) -> Vec<Warning> {
    fill(world, "1", receiver);
    world.snapshot().send.warnings
}

#[test]
fn a_refused_receiver_has_its_error_alone_without_warnings_and_name() {
    let mut world = served("");
    let here = 0x8000_0000 | 31337;
    for address in [RECEIVER, OWN] {
        world.node.names.set("alice.eth", here, address);
        world.server.answers("/v1/identity/", 200, r#"{"name":"alice.eth"}"#);
        let warnings = typed(&mut world, address);
        let send = world.snapshot().send;
        let refused = send.receiver_fault.is_some();
        assert_eq!(
            (refused, warnings.is_empty(), send.receiver_profile_name.is_none()),
            (address == OWN, refused, refused)
        );
    }
    assert_eq!(typed(&mut world, "0x0000000000000000000000000000000000000000"), []);
}

#[test]
fn the_name_that_a_server_gives_an_address_is_shown_only_where_the_chain_says_the_same() {
    let here = 0x8000_0000 | 31337;
    for (name, of, lie, shown) in [
        ("alice.eth", Some(RECEIVER), None, Some("alice.eth")),
        ("alice.eth", Some(OWN), None, None),
        ("alice.eth", None, None, None),
        ("alice.eth", Some(RECEIVER), Some(("rpc-31337.example", OWN)), None),
        ("alice.eth", Some(OWN), Some(("host.example/v1?", RECEIVER)), None),
        ("vіtalik.eth", Some(RECEIVER), None, None),
        ("not a name", Some(RECEIVER), None, None),
    ] {
        let mut world = served("");
        if let Some(address) = of {
            world.node.names.set(name, here, address);
        }
        world.node.lies = lie.into_iter().collect();
        let told = format!(r#"{{"name":{name:?},"avatar":"/v1/avatar/alice.eth"}}"#);
        world.server.answers("/v1/identity/", 200, &told);
        typed(&mut world, RECEIVER);
        let send = world.snapshot().send;
        assert_eq!(send.receiver_profile_name.as_deref(), shown, "{name} {of:?} {lie:?}");
        assert_eq!(send.receiver_profile_image_url.is_some(), shown.is_some(), "{name} {of:?} {lie:?}");
    }
    // Nothing is shown before the chain answers.
    let mut world = served("");
    world.node.names.set("alice.eth", here, RECEIVER);
    world.node.late = Some(5_000);
    world.server.answers("/v1/identity/", 200, r#"{"name":"alice.eth"}"#);
    typed(&mut world, RECEIVER);
    assert_eq!(world.snapshot().send.receiver_profile_name, None);
    world.advance(10_000);
    assert_eq!(world.snapshot().send.receiver_profile_name.as_deref(), Some("alice.eth"));
}

#[test]
fn an_open_form_fills_in_what_was_unreachable_once_the_network_is_back_or_the_visitor_tries_again() {
    let here = 0x8000_0000 | 31337;
    for event in [Account::PageShown, Account::RefreshAsked { ticket: None }] {
        let mut world = served("");
        world.modal(Modal::BackAsked);
        world.node.names.set("alice.eth", here, RECEIVER);
        world.node.down = true;
        world.server.answers("/v1/identity/", 503, "");
        world.modal(Modal::ViewAsked { view: View::WalletSend });
        fill(&mut world, "0.01", RECEIVER);
        world.advance(60_000);
        let send = world.snapshot().send;
        assert_eq!((send.receiver_profile_name, send.fee), (None, None), "{event:?}");

        world.node.down = false;
        world.server.answers("/v1/identity/", 200, r#"{"name":"alice.eth"}"#);
        world.dispatch(Event::Account(event.clone()));
        let send = world.snapshot().send;
        assert_eq!(send.receiver_profile_name.as_deref(), Some("alice.eth"), "{event:?}");
        assert!(send.fee.is_some(), "{event:?}");
        assert!(send.token.unwrap().balance.is_some(), "{event:?}");
    }
}

#[test]
fn an_address_that_begins_and_ends_as_one_that_was_paid_is_told_first() {
    let mut world = served(&past(OWN, RECEIVER));
    on_chain(&mut world, OWN, RECEIVER, "0x1", "0x");
    // A payment that the server's history tells and the chain confirms reveals a look-alike. It makes no address known.
    assert_eq!(typed(&mut world, RECEIVER), [Warning::FirstSeen]);
    assert_eq!(typed(&mut world, ALIKE), [Warning::LookAlike]);
    assert_eq!(world.snapshot().send.look_alike.as_deref(), Some(RECEIVER));
    assert_eq!(typed(&mut world, "0x7000000000000000000000000000000000000001"), [Warning::FirstSeen]);
}

#[test]
fn a_payment_that_the_server_makes_up_does_not_make_an_honest_address_look_like_a_deception() {
    let data = |to: &str, amount: &str| format!("0xa9059cbb{:0>64}{amount:0>64}", &to[2..].to_lowercase());
    for (from, to, value, input) in [
        // Another account's payment, one to another receiver, of nothing, of a token that goes elsewhere, and no transaction at all.
        (ALIKE, ALIKE, "0x1", "0x".to_owned()),
        (OWN, TOKEN, "0x1", "0x".into()),
        (OWN, ALIKE, "0x0", "0x".into()),
        (OWN, TOKEN, "0x0", data(TOKEN, "1")),
        (OWN, TOKEN, "0x0", data(ALIKE, "0")),
        ("", "", "", String::new()),
    ] {
        let mut world = served(&past(OWN, ALIKE));
        if !from.is_empty() {
            on_chain(&mut world, from, to, value, &input);
        }
        assert_eq!(typed(&mut world, RECEIVER), [Warning::FirstSeen], "{from} {to} {value} {input}");
        assert_eq!(world.snapshot().send.look_alike, None);
    }
    let mut world = served(&past(OWN, ALIKE));
    on_chain(&mut world, OWN, TOKEN, "0x0", &data(ALIKE, "1"));
    assert_eq!(typed(&mut world, RECEIVER), [Warning::LookAlike]);
    // The server's own node is not believed alone, and two that tell different things prove nothing.
    for node in ["host.example/v1?", "rpc-31337.example"] {
        let mut world = served(&past(OWN, ALIKE));
        on_chain(&mut world, OWN, ALIKE, "0x1", "0x");
        let (_, method, result) = world.node.made_up.take().unwrap();
        world.node.made_up = Some((node, method, result));
        assert_eq!(typed(&mut world, RECEIVER), [Warning::FirstSeen], "{node}");
    }
}

#[test]
fn whoever_sends_something_to_the_account_is_not_known_by_it() {
    let mut world = served(&past(ALIKE, OWN));
    assert_eq!(typed(&mut world, ALIKE), [Warning::FirstSeen]);
}

#[test]
fn whoever_has_a_token_tell_that_the_account_sent_them_something_or_nothing_is_not_known_by_it() {
    let own = OWN.to_lowercase();
    for poisoned in [
        // Signed by the poisoner, without a known signer, or of amount zero; and transactions that the account did not send.
        past_of("send", "confirmed", ALIKE, TOKEN, moved("out", ALIKE, "0")),
        past_of("send", "confirmed", RECEIVER, TOKEN, moved("out", ALIKE, "1000")),
        past_of("send", "confirmed", "", TOKEN, moved("out", ALIKE, "1000")),
        past_of("send", "confirmed", &own, TOKEN, moved("out", ALIKE, "0.000")),
        past_of("send", "confirmed", &own, TOKEN, moved("in", ALIKE, "1000")),
        past_of("send", "failed", &own, TOKEN, moved("out", ALIKE, "1000")),
        past_of("claim", "confirmed", &own, TOKEN, moved("out", ALIKE, "1000")),
        past_of("send", "confirmed", &own, ALIKE, Transfer::default()),
    ] {
        let mut world = served(&poisoned);
        assert_eq!(typed(&mut world, ALIKE), [Warning::FirstSeen], "{poisoned}");
    }
}

#[test]
fn who_got_a_token_was_paid_and_its_contract_was_not() {
    let mut world = served(&past_of("send", "confirmed", OWN, TOKEN, moved("out", RECEIVER, "42.5")));
    let input = format!("0xa9059cbb{:0>64}{:064x}", &RECEIVER[2..].to_lowercase(), 42);
    on_chain(&mut world, OWN, TOKEN, "0x0", &input);
    assert_eq!(typed(&mut world, ALIKE), [Warning::LookAlike]);
    assert_eq!(typed(&mut world, TOKEN), [Warning::FirstSeen]);
}

#[test]
fn a_past_that_could_not_be_had_is_asked_for_again_and_who_was_paid_meanwhile_stays_known() {
    let mut world = served("<html>");
    fill(&mut world, "1", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.server.answers("/history", 200, r#"{"data":[]}"#);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    assert_eq!(typed(&mut world, ALIKE), [Warning::LookAlike]);
    assert_eq!(typed(&mut world, TOKEN), [Warning::FirstSeen]);
}

#[test]
fn an_address_is_first_seen_whatever_history_the_server_tells() {
    let paid = past_of("send", "confirmed", OWN, RECEIVER, moved("out", RECEIVER, "42.5"));
    for history in ["", "[]", r#"{"data":7}"#, "<html>", r#"{"data":[]}"#, &past(OWN, RECEIVER), &paid] {
        let mut world = served(history);
        assert_eq!(typed(&mut world, RECEIVER), [Warning::FirstSeen], "{history}");
    }
}

#[test]
fn whoever_was_paid_here_is_known_from_then_on() {
    let mut world = served(r#"{"data":[]}"#);
    fill(&mut world, "1", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    assert!(typed(&mut world, RECEIVER).is_empty());
}

#[test]
fn a_contract_is_told_and_an_account_that_lets_one_act_for_it_is_none() {
    let mut world = served("");
    let address = RECEIVER.to_lowercase();
    for (code, warned) in [
        ("0x6080604052", true),
        ("0x", false),
        ("0xEF01005fbdb2315678afecb367f032d93f642f64180aa3", false),
        ("nonsense", true),
    ] {
        world.node.codes.insert(address.clone(), code.into());
        assert_eq!(typed(&mut world, RECEIVER).contains(&Warning::Contract), warned, "{code}");
    }
}

const PAID: &str = "@portico/paid/eip155:31337:0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266/";

/// World after a reload, with this history and these stored entries.
fn page_with(past: &str, stored: &[(String, String)]) -> World {
    let mut world = served(past);
    world.store.values.extend(stored.iter().cloned());
    world.reload();
    world.server.answers("/history", 200, past);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world
}

fn kept(world: &World) -> Vec<String> {
    world.store.values.keys().filter_map(|key| key.strip_prefix(PAID)).map(String::from).collect()
}

#[test]
fn whoever_was_paid_is_known_to_the_page_after_a_reload_and_so_is_who_looks_like_them() {
    let mut world = served("<html>");
    fill(&mut world, "1", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!(kept(&world), [RECEIVER.to_lowercase()]);
    let again = |world: &mut World| {
        world.come_back();
        world.modal(Modal::ViewAsked { view: View::WalletSend });
    };
    again(&mut world);
    assert_eq!(typed(&mut world, ALIKE), [Warning::LookAlike]);
    assert!(typed(&mut world, RECEIVER).is_empty());
    assert_eq!(typed(&mut world, TOKEN), [Warning::FirstSeen]);
}

#[test]
fn who_was_paid_last_stands_below_an_empty_receiver_and_is_checked_as_if_typed() {
    let stored = |number: u64, at: u64| {
        (format!("{PAID}0x70000000000000000000000000000000000000{number:02}"), (1_699_999_999_000 + at).to_string())
    };
    let mut world = page_with("<html>", &[stored(1, 1), stored(2, 4), stored(3, 2), stored(4, 3)]);
    let recent =
        |world: &World| -> Vec<_> { world.snapshot().send.recent.into_iter().map(|one| one.address).collect() };
    let at = |number: u64| portico_terms::address::to_checksum(&stored(number, 0).0[PAID.len()..]);
    assert_eq!(recent(&world), [at(2), at(4), at(3)]);
    // One payment later the receiver is the first of them, on this page and on the next.
    fill(&mut world, "1", RECEIVER);
    assert!(recent(&world).is_empty(), "a receiver is typed");
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    assert_eq!(recent(&world), [RECEIVER.to_owned(), at(2), at(4)]);
    world.come_back();
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    assert_eq!(recent(&world), [RECEIVER.to_owned(), at(2), at(4)]);
    // The suggestion goes the way of a typed address, with its checks.
    world.node.codes.insert(at(2).to_lowercase(), "0x6001".into());
    let chosen = recent(&world)[1].clone();
    assert_eq!(typed(&mut world, &chosen), [Warning::Contract]);
    // Neither the history of a server nor another network puts anybody there.
    let world = served(&past(OWN, RECEIVER));
    assert!(recent(&world).is_empty());
}

#[test]
fn who_was_refused_or_never_signed_for_is_not_kept() {
    let mut world = served(r#"{"data":[]}"#);
    world.wallet().behaviours.insert("eth_sendTransaction".into(), portico_testkit::Behaviour::Refuse);
    fill(&mut world, "1", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert!(kept(&world).is_empty());
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert!(kept(&world).is_empty());
}

#[test]
fn what_comes_in_is_never_kept() {
    let world = served(&past(ALIKE, OWN));
    assert!(kept(&world).is_empty());
    let world = served(&past(OWN, RECEIVER));
    assert!(kept(&world).is_empty(), "the server tells it anew");
}

#[test]
fn who_was_paid_by_a_name_is_suggested_by_it_and_stored_names_are_cleaned() {
    let name = |world: &World| world.snapshot().send.recent[0].name.clone();
    let mut world = served("");
    world.node.names.set("alice.eth", 0x8000_0000 | 31337, RECEIVER);
    fill(&mut world, "1", "alice.eth");
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    assert_eq!(name(&world).as_deref(), Some("alice.eth"));
    world.come_back();
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    assert_eq!(name(&world).as_deref(), Some("alice.eth"));
    for (stored, told) in [("", None), (" ", None), (" \u{202e}alice.eth", Some("alice.eth"))] {
        let entry = ([PAID, &RECEIVER.to_lowercase()].concat(), ["1700000000000", stored].concat());
        assert_eq!(name(&page_with("<html>", &[entry])).as_deref(), told, "{stored:?}");
    }
}

#[test]
fn whom_another_account_paid_or_the_same_one_elsewhere_is_not_known_by_it() {
    let to = RECEIVER.to_lowercase();
    for key in [
        format!("@portico/paid/eip155:1:{}/{to}", OWN.to_lowercase()),
        format!("@portico/paid/eip155:31337:{to}/{to}"),
        format!("@portico/paid/{to}"),
    ] {
        let mut world = page_with(r#"{"data":[]}"#, &[(key.clone(), "1700000000000".into())]);
        assert_eq!(typed(&mut world, RECEIVER), [Warning::FirstSeen], "{key}");
        assert!(world.store.values.contains_key(&key));
    }
}

#[test]
fn stored_nonsense_makes_nobody_known_and_is_removed() {
    let to = RECEIVER.to_lowercase();
    for (to, at) in [
        (to.clone(), ""),
        (to.clone(), "yesterday"),
        (to.clone(), "-1"),
        (to.clone(), "99999999999999999999999"),
        (to.clone(), "1700100000000"),
        (RECEIVER.into(), "1700000000000"),
        (to[2..].into(), "1700000000000"),
        ([&to, "/"].concat(), "1700000000000"),
        (String::new(), "1700000000000"),
    ] {
        let mut world = page_with(r#"{"data":[]}"#, &[([PAID, &to].concat(), at.into())]);
        assert_eq!(typed(&mut world, RECEIVER), [Warning::FirstSeen], "{to} {at}");
        assert!(kept(&world).is_empty(), "{to} {at}");
    }
}

#[test]
fn a_hundred_are_kept_and_they_are_those_paid_last() {
    let one = |number: u64| (format!("{PAID}0x{number:040x}"), (1_600_000_000_000 + number).to_string());
    let many: Vec<_> = (1..=1_000).map(one).collect();
    let mut world = page_with(r#"{"data":[]}"#, &many);
    assert_eq!(kept(&world), (901..=1_000).map(|number| format!("0x{number:040x}")).collect::<Vec<_>>());
    assert!(typed(&mut world, "0x0000000000000000000000000000000000000385").is_empty());
    assert_ne!(typed(&mut world, "0x0000000000000000000000000000000000000384"), []);
}

#[test]
fn what_is_signed_after_the_account_changed_was_paid_by_the_one_that_signed() {
    let mut world = served(r#"{"data":[]}"#);
    world.wallet().behaviours.insert("eth_sendTransaction".into(), portico_testkit::Behaviour::Late(5_000));
    fill(&mut world, "1", TOKEN);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.wallet_shows(&[RECEIVER]);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world.advance(5_000);
    assert_eq!(typed(&mut world, TOKEN), [Warning::FirstSeen]);
    assert_eq!(kept(&world), [TOKEN.to_lowercase()]);
}

#[test]
fn a_full_or_denied_storage_costs_nothing_but_the_memory() {
    let mut world = served(r#"{"data":[]}"#);
    world.store.refuses = true;
    fill(&mut world, "1", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    assert!(typed(&mut world, RECEIVER).is_empty());
}
