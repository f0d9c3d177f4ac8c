//! Scenarios of activity on Solana and Bitcoin, and of Polkadot, which has none.

use super::*;
use crate::session::{POLKADOT_ACCOUNT, with_polkadot};
use portico_api::project::ProjectConfig;
use portico_core::bitcoin::Event as Pay;
use portico_core::modal::View as ModalView;
use portico_core::notice::Event as Notice;
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{BITCOIN, BITCOIN_ADDRESS, BitcoinNode, SOLANA, every_namespace};

const KEY: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
const FRIEND: &str = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin";
const USDC: &str = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SHOP: &str = "3P14159f73E4gFr7JterCCQh9QjiTjiZrG";

/// Options of a host whose networks have explorers.
fn explored() -> String {
    let explorer = |namespace: &str| {
        let urls = format!(r#""rpcUrls":{{"default":{{"http":["https://{namespace}.example"]}}}}"#);
        let with = format!(
            r#"{urls},"blockExplorers":{{"default":{{"name":"Scan","url":"https://{namespace}.scan.example"}}}}"#
        );
        (urls, with)
    };
    let mut options = every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    for (urls, with) in [explorer("solana"), explorer("bip122")] {
        options = options.replace(&urls, &with);
    }
    options
}

/// World of a visitor with an account of this namespace, whose server asks these chains.
fn of_namespace(namespace: Namespace, address: &str, chains: &[&str]) -> World {
    let wallet = ScriptedWallet::named("Bit").of(namespace, address).through(ConnectorKind::Announced);
    let mut world = World::with(&explored(), vec![wallet], Store::default());
    let chains = chains.iter().map(|chain| String::from(*chain)).collect();
    world.server.serves("/config", &ProjectConfig { chains, ..ProjectConfig::default() });
    world.server.serves("/balance", &Balances::default());
    world.open(None);
    world.choose("example.bit");
    world.open(None);
    world
}

fn solana(data: Vec<Transaction>) -> World {
    let mut world = of_namespace(Namespace::Solana, KEY, &[SOLANA]);
    world.server.answers(ROUTE, 200, &from_nodes(data));
    choose(&mut world);
    world
}

fn bitcoin(data: Vec<Transaction>) -> World {
    let mut world = of_namespace(Namespace::Bip122, BITCOIN_ADDRESS, &[BITCOIN]);
    world.server.answers(ROUTE, 200, &from_nodes(data));
    choose(&mut world);
    world
}

fn from_nodes(data: Vec<Transaction>) -> String {
    to_text(&History { data, source: Some("rpc".into()), ..History::default() })
}

/// Transaction of a chain: hash, kind, sender, receiver, transfers.
fn done(chain: &str, hash: &str, kind: &str, between: [&str; 2], transfers: Vec<Transfer>) -> Transaction {
    let mut done = transaction(1, kind, "2026-11-02", transfers);
    done.id = hash.into();
    done.metadata.hash = hash.into();
    done.metadata.chain = Some(chain.into());
    let [from, to] = between;
    (done.metadata.sent_from, done.metadata.sent_to) = (from.into(), to.into());
    done.metadata.fee = Some("0.000005".into());
    done
}

/// Signature of Solana of 88 letters that begins with this one.
fn signature(letter: char) -> String {
    format!("{letter}{}", "z".repeat(87))
}

/// Id of a transaction of Bitcoin.
fn id(number: u32) -> String {
    format!("{number:064x}")
}

fn to(recipient: &str, moved: Transfer) -> Transfer {
    Transfer { recipient: Some(recipient.into()), ..moved }
}

/// Whether the Activity tab is among those of the active account.
fn has_tab(world: &World) -> bool {
    let snapshot = world.snapshot();
    let active = snapshot.network.active_namespace;
    let account = snapshot.account.accounts.iter().find(|account| Some(account.namespace) == active).unwrap();
    account.tabs.contains(&Tab::Activity)
}

#[test]
fn activity_of_solana_tells_what_was_sent_and_received_with_tokens_counterparties_and_the_explorer() {
    let mut usdc = to(KEY, token("USDC", "in", "42.5"));
    usdc.fungible_info.as_mut().unwrap().address = Some(USDC.into());
    let world = solana(vec![
        done(SOLANA, &signature('2'), "send", [KEY, FRIEND], vec![to(FRIEND, token("SOL", "out", "0.5"))]),
        done(SOLANA, &signature('3'), "receive", [FRIEND, KEY], vec![usdc]),
    ]);
    assert_eq!(world.server.count(&format!("account/{KEY}{ROUTE}")), 1);
    assert_eq!(world.server.count(&format!("chainId={SOLANA}")), 3);
    assert!(has_tab(&world));
    let [sent, received] = items(&world).try_into().unwrap();
    assert_eq!((sent.kind, sent.own, sent.status), (Kind::Send, true, Status::Confirmed));
    assert_eq!((sent.other.as_deref(), sent.other_address.as_deref()), (Some("9xQe…usVFin"), Some(FRIEND)));
    assert_eq!((sent.moves[0].sign.as_str(), sent.moves[0].amount.as_deref()), ("-", Some("0.500")));
    assert_eq!((sent.fee.as_deref(), sent.hash), (Some("0.000005"), Some(signature('2'))));
    assert_eq!(sent.url, Some(format!("https://solana.scan.example/tx/{}", signature('2'))));
    assert_eq!((received.kind, received.own, received.fee), (Kind::Receive, false, None));
    assert_eq!(received.other_address.as_deref(), Some(FRIEND));
    let moved = &received.moves[0];
    assert_eq!((moved.sign.as_str(), moved.amount.as_deref(), moved.name.as_str()), ("+", Some("42.500"), "USDC"));
    assert_eq!((moved.contract.as_deref(), moved.address.clone()), (Some(USDC), Some(format!("{SOLANA}:{USDC}"))));
    assert_eq!(moved.mark, None);
}

#[test]
fn a_transaction_of_solana_that_cost_only_its_fee_and_one_that_failed_are_told() {
    let mut failed = done(SOLANA, &signature('3'), "send", [KEY, FRIEND], vec![]);
    failed.metadata.status = "failed".into();
    let world = solana(vec![done(SOLANA, &signature('2'), "execute", [KEY, KEY], vec![]), failed]);
    let [called, failed] = items(&world).try_into().unwrap();
    assert_eq!((called.kind, called.moves.len(), called.fee.as_deref()), (Kind::Execute, 0, Some("0.000005")));
    assert_eq!((called.other, called.contract), (None, None));
    assert_eq!((failed.kind, failed.status, failed.fee.as_deref()), (Kind::Send, Status::Failed, Some("0.000005")));
    assert_eq!(failed.other_address.as_deref(), Some(FRIEND));
}

#[test]
fn the_words_of_solanas_programs_do_not_turn_the_sign_of_an_amount() {
    let world = solana(vec![
        done(SOLANA, &signature('2'), "withdraw", [KEY, KEY], vec![token("SOL", "in", "2")]),
        done(SOLANA, &signature('3'), "deposit", [KEY, KEY], vec![token("SOL", "out", "2")]),
    ]);
    assert_eq!(items(&world).iter().map(|item| item.moves[0].sign.as_str()).collect::<Vec<_>>(), ["+", "-"]);
}

#[test]
fn an_address_of_solana_is_ones_own_only_with_the_same_capitals() {
    let alike = KEY.to_lowercase();
    let world = solana(vec![done(SOLANA, &signature('2'), "receive", [&alike, KEY], vec![token("SOL", "in", "2")])]);
    assert!(!items(&world)[0].own);
}

#[test]
fn a_token_of_solana_with_the_coins_symbol_is_a_lookalike() {
    let mut fake = token("SOL", "in", "5000");
    fake.fungible_info.as_mut().unwrap().address = Some(FRIEND.into());
    let world = solana(vec![done(SOLANA, &signature('2'), "receive", [FRIEND, KEY], vec![fake])]);
    assert_eq!(to_text(&items(&world)[0].moves[0].mark), r#""lookalike""#);
}

#[test]
fn activity_of_bitcoin_tells_payments_whole_with_their_fee_and_the_explorer() {
    let mut pending =
        done(BITCOIN, &id(1), "send", [BITCOIN_ADDRESS, SHOP], vec![to(SHOP, token("BTC", "out", "0.0015"))]);
    pending.metadata.status = "pending".into();
    let world = bitcoin(vec![
        pending,
        done(BITCOIN, &id(2), "receive", [SHOP, BITCOIN_ADDRESS], vec![token("BTC", "in", "0.00000546")]),
        done(BITCOIN, &id(3), "send", [BITCOIN_ADDRESS, BITCOIN_ADDRESS], vec![token("BTC", "self", "1.5")]),
    ]);
    assert!(has_tab(&world));
    let [sent, received, moved] = items(&world).try_into().unwrap();
    assert_eq!((sent.kind, sent.own, sent.status), (Kind::Send, true, Status::Pending));
    assert_eq!((sent.other.as_deref(), sent.other_address.as_deref()), (Some("3P14…TjiZrG"), Some(SHOP)));
    assert_eq!((sent.moves[0].sign.as_str(), sent.moves[0].amount.as_deref()), ("-", Some("0.0015")));
    assert_eq!((sent.fee.as_deref(), sent.hash), (Some("0.000005"), Some(id(1))));
    assert_eq!(sent.url, Some(format!("https://bip122.scan.example/tx/{}", id(1))));
    assert_eq!((received.kind, received.fee, received.other_address.as_deref()), (Kind::Receive, None, Some(SHOP)));
    assert_eq!((received.moves[0].sign.as_str(), received.moves[0].amount.as_deref()), ("+", Some("0.00000546")));
    // A payment to oneself costs its fee alone.
    assert_eq!((moved.moves[0].sign.as_str(), moved.fee.as_deref()), ("", Some("0.000005")));
}

#[test]
fn new_coins_of_bitcoin_are_received_and_a_script_without_an_address_is_no_party() {
    let mined = done(BITCOIN, &id(1), "mint", ["", BITCOIN_ADDRESS], vec![token("BTC", "in", "3.125")]);
    let to_script = to("unknown", token("BTC", "out", "0.1"));
    let scripted = done(BITCOIN, &id(2), "send", [BITCOIN_ADDRESS, "unknown"], vec![to_script]);
    let called = done(BITCOIN, &id(3), "execute", [BITCOIN_ADDRESS, SHOP], vec![token("BTC", "out", "0.1")]);
    let [mined, scripted, called] = items(&bitcoin(vec![mined, scripted, called])).try_into().unwrap();
    assert_eq!((mined.kind, mined.other, mined.own), (Kind::Receive, None, false));
    assert_eq!((scripted.kind, scripted.other, scripted.other_address), (Kind::Send, None, None));
    assert_eq!(called.kind, Kind::Send);
}

#[test]
fn ids_and_addresses_in_the_form_of_another_chain_are_left_out() {
    let evm = format!("0x{}", "ab".repeat(32));
    let (id, signature) = (id(1), signature('2'));
    let hostile = ["javascript:alert(1)", "../../blocks", &evm, "", "é", &"z".repeat(89)];
    let rows = |chain: &str, own: &str, wrong: &[&str]| -> Vec<Transaction> {
        let row = |(at, wrong): (usize, &&str)| {
            let row = done(chain, wrong, "send", [own, wrong], vec![to(wrong, token("X", "out", "1"))]);
            Transaction { id: at.to_string(), ..row }
        };
        wrong.iter().enumerate().map(row).collect()
    };
    let of_solana = [&hostile[..], &[id.as_str(), SHOP, OTHER]].concat();
    let of_bitcoin = [&hostile[..], &[signature.as_str(), KEY, OTHER]].concat();
    for (world, count) in [
        (solana(rows(SOLANA, KEY, &of_solana)), of_solana.len()),
        (bitcoin(rows(BITCOIN, BITCOIN_ADDRESS, &of_bitcoin)), of_bitcoin.len()),
    ] {
        assert_eq!(items(&world).len(), count);
        for item in items(&world) {
            let told = (item.hash, item.url, item.other, item.other_address, item.contract);
            assert_eq!(told, (None, None, None, None, None), "{}", item.id);
        }
    }
}

#[test]
fn amounts_of_bitcoin_that_no_chain_has_are_cut() {
    let row = |numeric: &str| {
        let rows = vec![done(BITCOIN, &id(1), "receive", [SHOP, BITCOIN_ADDRESS], vec![token("BTC", "in", numeric)])];
        items(&bitcoin(rows)).remove(0).moves.into_iter().next().and_then(|moved| moved.amount)
    };
    assert_eq!(row("21000000.00000000").as_deref(), Some("21000000.00000000"));
    assert_eq!(row("1.2345678901234567").as_deref(), Some("1.234"));
    assert_eq!([row("1e8"), row("-1"), row("")], [None, None, None]);
}

#[test]
fn spec_4_30_an_empty_list_and_one_that_cannot_be_had_are_told_apart_on_solana_and_bitcoin() {
    for (namespace, address, chain) in [(Namespace::Solana, KEY, SOLANA), (Namespace::Bip122, BITCOIN_ADDRESS, BITCOIN)]
    {
        let shown = |status: u16, body: &str| {
            let mut world = of_namespace(namespace, address, &[chain]);
            world.server.answers(ROUTE, status, body);
            world.dispatch(Event::Notice(Notice::SnackDismissed));
            choose(&mut world);
            (view(&world).state, view(&world).empty, world.snack())
        };
        // Nodes of these chains have all transactions, unlike those of an EVM chain.
        assert_eq!(shown(200, &from_nodes(vec![])), (ListState::Ready, true, None));
        let failed = (ListState::Unavailable, true, Some(Message::FailedToFetchTransactions));
        assert_eq!(shown(503, ""), failed);
        assert_eq!(shown(200, "nonsense"), failed);
        assert_eq!(shown(501, ""), (ListState::Unserved, true, None));
    }
}

#[test]
fn spec_4_30_further_pages_of_solana_and_bitcoin_come_by_cursor() {
    for (mut world, chain, ids) in
        [(solana(vec![]), SOLANA, [signature('2'), signature('3')]), (bitcoin(vec![]), BITCOIN, [id(1), id(2)])]
    {
        let one = |id: &str| done(chain, id, "receive", ["", ""], vec![token("X", "in", "1")]);
        world.server.answers(ROUTE, 200, &page(vec![one(&ids[0])], Some("two")));
        world.server.answers("cursor=two", 200, &page(vec![one(&ids[0]), one(&ids[1])], None));
        world.advance(31_000);
        choose(&mut world);
        more(&mut world);
        assert_eq!(super::ids(&world), ids);
        assert!(!view(&world).more);
    }
}

#[test]
fn on_bitcoin_nothing_is_asked_of_a_server_that_asks_no_nodes_of_the_network() {
    let mut world = of_namespace(Namespace::Bip122, BITCOIN_ADDRESS, &["eip155:1"]);
    choose(&mut world);
    assert_eq!((world.server.count(ROUTE), world.snapshot().activity), (0, None));
}

#[test]
fn spec_6_9_polkadot_has_no_activity() {
    let options = with_polkadot(&every_namespace()).replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let wallet = ScriptedWallet::named("Dot").of(Namespace::Polkadot, POLKADOT_ACCOUNT);
    let wallet = wallet.through(ConnectorKind::Announced);
    let mut world = World::with(&options, vec![wallet], Store::default());
    world.open(None);
    world.choose("example.dot");
    world.open(None);
    assert!(!has_tab(&world));
    choose(&mut world);
    assert_eq!((world.server.count(ROUTE), world.snapshot().activity), (0, None));
}

#[test]
fn a_payment_on_bitcoin_is_asked_for_at_once_past_the_servers_cache() {
    let mut node = BitcoinNode { fees: [(144, "0.00001"), (2, "5e-5")].into(), ..BitcoinNode::default() };
    node.fund(BITCOIN_ADDRESS, 150_000, true);
    let mut world = bitcoin(vec![]);
    let (chain, _node) = node.chain();
    world.node.chain = Some(chain);
    world.modal(Modal::ViewAsked { view: ModalView::WalletSend });
    for event in [
        Pay::AmountTyped { text: "0.0005".into() },
        Pay::ReceiverTyped { text: "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0".into() },
        Pay::ReviewAsked,
        Pay::ConfirmAsked,
    ] {
        world.dispatch(Event::Bitcoin(event));
    }
    assert_eq!((world.server.count(ROUTE), world.server.count("cache=no-cache")), (1, 0));
    choose(&mut world);
    assert_eq!((world.server.count(ROUTE), world.server.count("cache=no-cache")), (2, 1));
}
