//! Scenarios of a send in which one of two nodes lies about fees and about what became of it.

use crate::send::{RECEIVER, SEND, alpha, fill};
use crate::send_token::{TOKEN, choose, contract, holder};
use portico_api::account::{Balance, Balances, Quantity};
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::send::{AmountFault, Event as Send, SentState, TokenState, Warning};
use portico_json::parse;
use portico_terms::Amount;
use portico_testkit::{Store, World, options};

fn with_two_nodes() -> World {
    let options = options().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![alpha()], Store::default());
    let ether = Balance {
        symbol: "ETH".into(),
        chain_id: "eip155:31337".into(),
        quantity: Quantity { decimals: "18".into(), numeric: "10000".into() },
        ..Balance::default()
    };
    world.server.serves("/balance", &Balances { balances: vec![ether], ..Balances::default() });
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world
}

fn pay(world: &mut World, amount: &str) {
    fill(world, amount, RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
}

fn pending(world: &World) -> Vec<String> {
    world.snapshot().send.pending.into_iter().map(|sent| sent.hash).collect()
}

/// State of the transaction on the screen.
fn state(world: &World) -> SentState {
    world.snapshot().send.sent.unwrap().receipt.state
}

/// The nodes of the network and of the host's server.
const NODES: [&str; 2] = ["host.example/v1?", "rpc-31337.example"];

#[test]
fn a_failure_or_a_replacement_that_one_node_alone_tells_is_not_believed() {
    let hash = format!("0x{}", "ab".repeat(32));
    for liar in NODES {
        let failed = format!(r#"{{"transactionHash":"{hash}","status":"0x0"}}"#);
        for (method, result) in
            [("eth_getTransactionReceipt", failed.as_str()), ("eth_getTransactionCount", r#""0xff""#)]
        {
            let mut world = with_two_nodes();
            pay(&mut world, "1.5");
            world.node.made_up = Some((liar, method, result.into()));
            world.advance(20_000);
            assert_eq!(pending(&world), [hash.as_str()], "{liar} {method}");
            assert_eq!(world.snack().filter(|said| *said != Message::TransactionStarted), None, "{liar} {method}");
            // The other node's word ends it once the liar is silent, or agrees.
            world.node.made_up = None;
            world.node.receipts.insert(hash.clone(), true);
            world.advance(20_000);
            assert!(pending(&world).is_empty() && world.event_names().contains(&"SEND_SUCCESS"), "{liar} {method}");
        }
    }
}

#[test]
fn a_failure_or_a_replacement_that_the_hosts_server_tells_while_the_other_node_is_out_is_not_believed() {
    let (hash, [server, node]) = (format!("0x{}", "ab".repeat(32)), NODES);
    for (method, lie) in [
        ("eth_getTransactionReceipt", format!(r#"{{"transactionHash":"{hash}","status":"0x0"}}"#)),
        ("eth_getTransactionByHash", format!(r#"{{"hash":"{hash}","nonce":"0x7","from":"{RECEIVER}"}}"#)),
        ("eth_getTransactionCount", r#""0xff""#.into()),
    ] {
        let mut world = with_two_nodes();
        world.node.nonces = Some([7, 7]);
        if method == "eth_getTransactionByHash" {
            (world.node.out, world.node.made_up) = (Some(node), Some((server, method, lie.clone())));
        }
        pay(&mut world, "1.5");
        world.advance(4_100);
        (world.node.out, world.node.made_up) = (Some(node), Some((server, method, lie)));
        world.advance(60_000);
        assert_eq!(pending(&world), [hash.as_str()], "{method}");
        (world.node.out, world.node.made_up) = (None, None);
        world.node.receipts.insert(hash.clone(), true);
        world.advance(30_000);
        assert_eq!(state(&world), SentState::Confirmed, "{method}");
    }
}

#[test]
fn a_nonce_that_only_the_hosts_server_tells_at_the_review_does_not_make_a_payment_an_older_one() {
    let (hash, [server, node]) = (format!("0x{}", "ab".repeat(32)), NODES);
    let mut world = with_two_nodes();
    world.node.nonces = Some([7, 7]);
    fill(&mut world, "1.5", RECEIVER);
    (world.node.out, world.node.made_up) = (Some(node), Some((server, "eth_getTransactionCount", r#""0xff""#.into())));
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.advance(60_000);
    (world.node.out, world.node.made_up) = (None, None);
    world.node.receipts.insert(hash, true);
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.advance(30_000);
    assert_eq!(state(&world), SentState::Confirmed);
}

#[test]
fn a_success_that_one_of_two_nodes_misses_waits_for_the_other_one() {
    let hash = format!("0x{}", "ab".repeat(32));
    let own = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
    let mined = format!(r#""transactionHash":"{hash}","status":"0x1""#);
    for liar in NODES {
        for (told, believed) in [
            (format!(r#"{{{mined},"from":"{own}","to":"{RECEIVER}"}}"#), true),
            (format!(r#"{{{mined},"from":"{own}"}}"#), false),
            (format!("{{{mined}}}"), false),
        ] {
            let mut world = with_two_nodes();
            world.node.made_up = Some((liar, "eth_getTransactionReceipt", told.clone()));
            pay(&mut world, "1.5");
            world.advance(19_000);
            assert_eq!(pending(&world), [hash.as_str()], "{liar} {told}");
            // A node may stay behind for long, but not without the names of sender and receiver.
            world.advance(10_000);
            assert_eq!(state(&world) == SentState::Confirmed, believed, "{liar} {told}");
            world.node.made_up = None;
            world.node.receipts.insert(hash.clone(), true);
            world.advance(5_000);
            assert_eq!(state(&world), SentState::Confirmed, "{liar} {told}");
        }
    }
    // The other node catches up.
    let mut world = with_two_nodes();
    let told = format!(r#"{{{mined},"from":"{own}","to":"{RECEIVER}"}}"#);
    world.node.made_up = Some((NODES[0], "eth_getTransactionReceipt", told));
    pay(&mut world, "1.5");
    world.advance(4_100);
    world.node.made_up = None;
    world.node.receipts.insert(hash, true);
    world.advance(4_100);
    assert_eq!(state(&world), SentState::Confirmed);
}

#[test]
fn one_node_that_makes_up_the_nonce_or_the_receipt_of_a_payment_does_not_end_it() {
    let hash = format!("0x{}", "ab".repeat(32));
    let own = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
    let content = format!(r#""from":"{own}","to":"{RECEIVER}","value":"0x14d1120d7b160000","input":"0x""#);
    for liar in NODES {
        for (method, lie) in [
            // A nonce that was used before, another account, and a block with another transaction of that nonce.
            ("eth_getTransactionByHash", format!(r#"{{"hash":"{hash}","nonce":"0x1",{content}}}"#)),
            ("eth_getTransactionByHash", format!(r#"{{"hash":"{hash}","nonce":"0x7","from":"{RECEIVER}"}}"#)),
            (
                "eth_getTransactionReceipt",
                format!(r#"{{"transactionHash":"{hash}","status":"0x1","from":"{RECEIVER}"}}"#),
            ),
        ] {
            let mut world = with_two_nodes();
            world.node.nonces = Some([7, 7]);
            world.node.made_up = Some((liar, method, lie.clone()));
            pay(&mut world, "1.5");
            world.advance(30_000);
            assert_eq!(pending(&world), [hash.as_str()], "{liar} {method}");
            world.node.made_up = None;
            world.node.receipts.insert(hash.clone(), true);
            world.advance(30_000);
            assert!(pending(&world).is_empty() && world.snack() != Some(Message::TransactionReplaced), "{lie}");
        }
    }
}

#[test]
fn one_node_that_marks_a_failed_receipt_as_the_only_one_does_not_end_the_payment() {
    let hash = format!("0x{}", "ab".repeat(32));
    let own = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
    let receipt = format!(r#""transactionHash":"{hash}","status":"0x0","from":"{own}","to":"{RECEIVER}""#);
    let lies = [format!(r#"{{"lone":{{{receipt}}}}}"#), format!(r#"{{{receipt},"lone":{{{receipt}}}}}"#)];
    for lie in lies {
        for (liar, out) in [(NODES[0], None), (NODES[1], None), (NODES[0], Some(NODES[1]))] {
            let mut world = with_two_nodes();
            pay(&mut world, "1.5");
            world.node.out = out;
            world.node.made_up = Some((liar, "eth_getTransactionReceipt", lie.clone()));
            world.advance(60_000);
            assert_eq!(state(&world), SentState::Pending, "{liar} {lie}");
        }
    }
}

#[test]
fn one_node_that_hides_or_forges_the_block_of_a_payment_that_was_sped_up_does_not_make_it_replaced() {
    let (other, own) = (format!("0x{}", "cd".repeat(32)), "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266");
    let block = |value: &str| {
        let rest = format!(r#""to":"{RECEIVER}","value":"{value}","input":"0x""#);
        format!(r#"[{{"hash":"{other}","from":"{own}","nonce":"0x7",{rest}}}]"#)
    };
    for liar in NODES {
        for lie in ["null".to_owned(), format!(r#"{{"transactions":{}}}"#, block("0x1"))] {
            let mut world = with_two_nodes();
            world.node.nonces = Some([7, 7]);
            pay(&mut world, "1.5");
            world.advance(4_100);
            world.node.nonces = Some([7, 8]);
            world.node.mined = Some((0x100, parse(&block("0x14d1120d7b160000")).unwrap().as_list().unwrap().to_vec()));
            world.node.receipts.insert(other.clone(), true);
            world.node.made_up = Some((liar, "eth_getBlockByNumber", lie.clone()));
            world.advance(12_000);
            assert_eq!((pending(&world).len(), world.snack()), (1, None), "{liar} {lie}");
            world.node.made_up = None;
            world.advance(20_000);
            assert!(pending(&world).is_empty() && world.event_names().contains(&"SEND_SUCCESS"), "{liar} {lie}");
        }
    }
}

#[test]
fn a_node_of_another_network_is_warned_of() {
    for (node, chain, warned) in [
        ("", r#""0x7a69""#, false),
        ("", r#""0x1""#, true),
        ("host.example/v1?", r#""0x1""#, true),
        ("rpc-31337.example", r#""0x1""#, true),
        ("", "null", false),
        ("", r#""one""#, false),
    ] {
        let mut world = with_two_nodes();
        if !node.is_empty() {
            world.node.chain_id = Some("0x7a69".into());
        }
        world.node.made_up = Some((node, "eth_chainId", chain.into()));
        fill(&mut world, "1.5", RECEIVER);
        world.dispatch(Event::Send(Send::ReviewAsked));
        let told = world.snapshot().send.warnings.contains(&Warning::NodesElsewhere);
        assert_eq!(told, warned, "{node} {chain}");
    }
}

#[test]
fn a_fee_that_one_node_makes_up_is_not_paid() {
    let honest = max_of(None);
    for liar in NODES {
        // Far more than the balance, for a single gas.
        let much = r#""0x8ac7230489e80000""#;
        assert_eq!(max_of(Some((liar, "eth_gasPrice", much.into()))), honest, "{liar}");
        // No other node knows a priority fee here; it is bounded by the price, which both know.
        let fees = |params: &str| params.contains(r#""maxFeePerGas":"0x3b9aca00""#);
        assert!(fees(&max_of(Some((liar, "eth_maxPriorityFeePerGas", much.into())))), "{liar}");
    }
}

#[test]
fn a_fee_that_one_node_makes_too_low_changes_nothing_but_the_fee() {
    for liar in NODES {
        let low = || Some((liar, "eth_gasPrice", r#""0x1""#.into()));
        let sent = parse(&max_of(low())).unwrap();
        let transaction = &sent.as_list().unwrap()[0];
        let number = |name: &str| transaction.get(name).as_str().map(|hex| Amount::from_hex(hex).unwrap());
        let fee = number("gasPrice").unwrap().by(number("gas").unwrap()).unwrap();
        let all = number("value").unwrap().plus(fee).unwrap();
        assert_eq!(all, Amount::from(10_000u64).by(Amount::from(10u64.pow(18))).unwrap(), "{liar}");
        assert_eq!(transaction.get("to").as_str(), Some(RECEIVER), "{liar}");
        // Of any other amount the wallet makes the fee.
        let mut world = with_two_nodes();
        world.node.made_up = low();
        pay(&mut world, "1.5");
        let asked = world.wallets[0].requests.iter().find(|(method, _)| method == SEND);
        let asked = portico_json::to_text(&asked.unwrap().1);
        assert!(asked.contains(r#""value":"0x14d1120d7b160000""#), "{liar} {asked}");
        assert!(!asked.to_lowercase().contains("gas"), "{liar} {asked}");
    }
}

/// Parameters of the wallet request that sends the whole balance: value and fees.
fn max_of(lie: Option<(&'static str, &'static str, String)>) -> String {
    let mut world = with_two_nodes();
    world.node.made_up = lie;
    fill(&mut world, "", RECEIVER);
    world.dispatch(Event::Send(Send::MaxAsked));
    world.advance(1_000);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    let asked = world.wallets[0].requests.iter().find(|(method, _)| method == SEND);
    portico_json::to_text(&asked.expect("the wallet is asked").1)
}

/// Makes both nodes report this base fee and priority fee for the last blocks, in gwei.
fn history(world: &mut World, base: u64, tip: u64) {
    let gwei = |number: u64| format!("{:#x}", number * 1_000_000_000);
    let told = format!(
        r#"{{"oldestBlock":"0x1","baseFeePerGas":["0x1","{}"],"reward":[["0x1"],["{}"]],"gasUsedRatio":[0.5]}}"#,
        gwei(base),
        gwei(tip)
    );
    world.node.made_up = Some(("", "eth_feeHistory", told));
}

#[test]
fn a_fee_far_above_those_of_the_last_blocks_is_warned_of() {
    // Price and priority fee of the nodes, and base fee and priority fee of the last blocks, in gwei.
    for (price, priority, base, tip, warned) in [
        (30, Some(2), 28, 2, false),
        (30, Some(20), 28, 2, false),
        (30, Some(21), 28, 2, true),
        (301, Some(2), 28, 2, true),
        (300, None, 28, 2, false),
        (301, None, 28, 2, true),
        // Empty blocks pay nothing, and a small fee is no loss.
        (2, Some(2), 0, 0, false),
        (3, Some(3), 0, 0, true),
    ] {
        let mut world = with_two_nodes();
        world.node.price = price * 1_000_000_000;
        world.node.priority = priority.map(|tip: u64| tip * 1_000_000_000);
        history(&mut world, base, tip);
        fill(&mut world, "1", RECEIVER);
        world.dispatch(Event::Send(Send::ReviewAsked));
        let told = world.snapshot().send.warnings.contains(&Warning::FeeUnusual);
        assert_eq!(told, warned, "{price} {priority:?} {base} {tip}");
    }
    // Nonsense instead of a history warns of nothing.
    for nonsense in
        ["null", "7", "{}", r#"{"baseFeePerGas":[],"reward":[]}"#, r#"{"baseFeePerGas":["x"],"reward":[[]]}"#]
    {
        let mut world = with_two_nodes();
        world.node.price = 1_000_000_000_000;
        world.node.made_up = Some(("", "eth_feeHistory", nonsense.into()));
        fill(&mut world, "1", RECEIVER);
        assert!(!world.snapshot().send.warnings.contains(&Warning::FeeUnusual), "{nonsense}");
    }
}

#[test]
fn a_symbol_on_which_two_nodes_disagree_is_not_sent_by() {
    // The token is another one than the list says, which one of two nodes conceals.
    for liar in NODES {
        let mut world = holder(alpha());
        contract(&mut world).symbol = Some("WILD");
        world.node.other_symbol = Some((liar, "USDX"));
        choose(&mut world, Some(TOKEN));
        fill(&mut world, "1", RECEIVER);
        let send = world.snapshot().send;
        assert_eq!((send.token.unwrap().state, send.ready), (TokenState::Disputed, false), "{liar}");
        world.node.other_symbol = None;
        world.dispatch(Event::Send(Send::ReviewAsked));
        let send = world.snapshot().send;
        assert_eq!(send.token.unwrap().state, TokenState::Ready, "{liar}");
        assert!(send.warnings.contains(&Warning::SymbolDiffers), "{liar}");
    }
}

#[test]
fn decimals_and_a_symbol_that_only_the_hosts_server_tells_are_not_sent_by() {
    for (out, state) in [(NODES[1], TokenState::Unreadable), (NODES[0], TokenState::Ready)] {
        let mut world = holder(alpha());
        world.node.out = Some(out);
        choose(&mut world, Some(TOKEN));
        fill(&mut world, "1", RECEIVER);
        world.advance(60_000);
        let send = world.snapshot().send;
        assert_eq!((send.token.unwrap().state, send.ready), (state, state == TokenState::Ready), "{out}");
    }
}

#[test]
fn the_whole_balance_is_sent_only_where_two_nodes_report_the_same() {
    for liar in NODES {
        for balance in ["0x1", "0xffffffffffffffffffffff"] {
            let mut world = with_two_nodes();
            fill(&mut world, "", RECEIVER);
            world.node.made_up = Some((liar, "eth_getBalance", format!("\"{balance}\"")));
            world.dispatch(Event::Send(Send::MaxAsked));
            let send = world.snapshot().send;
            let told = (send.send_token_amount.as_str(), send.amount_fault, send.ready);
            assert_eq!(told, ("", Some(AmountFault::BalanceDisputed), false), "{liar} {balance}");
            // An amount that is typed needs no balance.
            fill(&mut world, "1", RECEIVER);
            assert_eq!((world.snapshot().send.amount_fault, world.snapshot().send.ready), (None, true));
            // The liar is silent: the other node is believed, with its newer balance.
            world.node.made_up = None;
            world.dispatch(Event::Send(Send::MaxAsked));
            assert!(world.snapshot().send.send_token_amount.starts_with("9999.99"), "{liar}");
        }
    }
}
