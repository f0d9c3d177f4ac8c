//! Scenarios of sending a token: neither its contract nor its listing is trusted.

use crate::asked::opened_by_host;
use crate::send::{RECEIVER, SEND, alpha, fill, sent};
use portico_api::account::{Balance, Balances, Quantity};
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::send::{AmountFault, Event as Send, PAGE, Phase, ReceiverFault, TokenState, Warning};
use portico_testkit::{Behaviour, Contract, ScriptedWallet, Store, World, options};

pub const TOKEN: &str = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const OTHER: &str = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";

fn balance(address: Option<&str>, symbol: &str, decimals: &str, numeric: &str, price: u64) -> Balance {
    Balance {
        name: format!("{symbol} Coin"),
        symbol: symbol.into(),
        chain_id: "eip155:31337".into(),
        address: address.map(|address| format!("eip155:31337:{address}")),
        price: price.into(),
        quantity: Quantity { decimals: decimals.into(), numeric: numeric.into() },
        ..Balance::default()
    }
}

/// World of an account with ether, 1,000 of a token with six decimals and 5 of another.
pub fn holder(wallet: ScriptedWallet) -> World {
    let listed = vec![
        balance(None, "ETH", "18", "10000", 2000),
        balance(Some(TOKEN), "USDX", "6", "1000", 1),
        balance(Some(OTHER), "WILD", "18", "5", 0),
    ];
    holder_of(listed, wallet)
}

fn holder_of(balances: Vec<Balance>, wallet: ScriptedWallet) -> World {
    let options = options().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![wallet], Store::default());
    world.server.serves("/balance", &Balances { balances, ..Balances::default() });
    let contract = Contract { symbol: Some("USDX"), decimals: Some(6), balance: Some(1_000_000_000), declines: false };
    world.node.tokens.insert(TOKEN.to_lowercase(), contract);
    let wild = Contract { symbol: Some("WILD"), decimals: Some(18), balance: Some(5), declines: false };
    world.node.tokens.insert(OTHER.to_lowercase(), wild);
    world.node.gas = [60_000; 2];
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world
}

pub fn choose(world: &mut World, address: Option<&str>) {
    world.modal(Modal::ViewAsked { view: View::WalletSendSelectToken });
    world.dispatch(Event::Send(Send::TokenChosen { address: address.map(Into::into) }));
}

pub fn contract(world: &mut World) -> &mut Contract {
    world.node.tokens.get_mut(&TOKEN.to_lowercase()).unwrap()
}

fn symbols(world: &World) -> Vec<String> {
    world.snapshot().send_tokens.unwrap().tokens.into_iter().map(|token| token.symbol).collect()
}

#[test]
fn decimals_on_which_two_nodes_disagree_are_not_sent_by() {
    // The server lists the token, and its node and that of the network are asked.
    for liar in ["host.example/v1?", "rpc-31337.example"] {
        let mut world = holder(alpha());
        world.node.other_decimals = Some((liar, 8));
        choose(&mut world, Some(TOKEN));
        fill(&mut world, "1", RECEIVER);
        let send = world.snapshot().send;
        assert_eq!((send.token.unwrap().state, send.ready), (TokenState::Disputed, false), "{liar}");
        world.dispatch(Event::Send(Send::ReviewAsked));
        world.dispatch(Event::Send(Send::ConfirmAsked));
        assert!(sent(&world).is_empty(), "{liar}");
        // Every try asks again.
        world.node.other_decimals = None;
        world.dispatch(Event::Send(Send::ReviewAsked));
        assert_eq!(world.snapshot().send.token.unwrap().state, TokenState::Ready, "{liar}");
    }
}

#[test]
fn a_token_whose_contract_says_nothing_cannot_be_sent() {
    for silent in [
        Contract { balance: Some(7), ..Contract::default() },
        Contract { decimals: Some(6), ..Contract::default() },
        Contract { balance: Some(7), decimals: Some(300), ..Contract::default() },
    ] {
        let mut world = holder(alpha());
        *contract(&mut world) = silent;
        choose(&mut world, Some(TOKEN));
        fill(&mut world, "1", RECEIVER);
        let send = world.snapshot().send;
        assert_eq!((send.token.unwrap().state, send.ready), (TokenState::Unreadable, false));
        world.dispatch(Event::Send(Send::ReviewAsked));
        assert_eq!(world.snapshot().modal.view, View::WalletSend);
        // Every try reads the contract again.
        *contract(&mut world) = Contract { decimals: Some(6), balance: Some(9_000_000), ..Contract::default() };
        world.dispatch(Event::Send(Send::ReviewAsked));
        world.advance(500);
        assert!(world.snapshot().send.ready);
    }
}

#[test]
fn a_chain_that_does_not_answer_leaves_the_token_unread_and_nothing_is_sent() {
    let mut world = holder(alpha());
    world.node.down = true;
    choose(&mut world, Some(TOKEN));
    fill(&mut world, "1", RECEIVER);
    world.advance(60_000);
    assert!(!world.snapshot().send.ready);
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert!(sent(&world).is_empty());
}

#[test]
fn what_the_contract_says_wins_over_a_list_that_lies_and_the_visitor_is_told() {
    let mut world = holder(alpha());
    *contract(&mut world) = Contract { decimals: Some(2), balance: Some(12_345), ..Contract::default() };
    choose(&mut world, Some(TOKEN));
    fill(&mut world, "1.5", RECEIVER);
    let send = world.snapshot().send;
    let token = send.token.unwrap();
    assert_eq!((token.decimals, token.balance.as_deref()), (Some(2), Some("123.45")));
    // As many decimals as in the list.
    assert_eq!(token.shown.as_deref(), Some("123.45"));
    assert_eq!((send.warnings, send.send_token_value), (vec![Warning::FirstSeen, Warning::DecimalsDiffer], None));
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert!(sent(&world)[0].get("data").as_str().unwrap().ends_with(&format!("{:064x}", 150)));
}

#[test]
fn a_contract_that_calls_itself_otherwise_than_the_list_is_told() {
    for (own, told) in [("USDX", None), ("usdx", None), ("WETH", Some("WETH"))] {
        let mut world = holder(alpha());
        contract(&mut world).symbol = Some(own);
        choose(&mut world, Some(TOKEN));
        fill(&mut world, "1", RECEIVER);
        let send = world.snapshot().send;
        assert_eq!(send.warnings.contains(&Warning::SymbolDiffers), told.is_some(), "{own}");
        assert_eq!(send.token.unwrap().own_symbol.as_deref(), told);
    }
}

#[test]
fn a_transfer_that_the_contract_reverts_or_declines_is_told_before_it_is_paid_for() {
    for declines in [true, false] {
        let mut world = holder(alpha());
        contract(&mut world).declines = declines;
        world.node.reverts = !declines;
        choose(&mut world, Some(TOKEN));
        fill(&mut world, "1", RECEIVER);
        let send = world.snapshot().send;
        assert_eq!((send.reverts, send.ready), (true, false));
        world.dispatch(Event::Send(Send::ReviewAsked));
        // The form says why beside the amount.
        assert_eq!((world.snapshot().modal.view, world.snack()), (View::WalletSend, None));
        // Another amount may succeed.
        contract(&mut world).declines = false;
        world.node.reverts = false;
        fill(&mut world, "2", RECEIVER);
        assert!(world.snapshot().send.ready);
    }
}

#[test]
fn amounts_of_a_token_are_judged_by_its_own_decimals_and_balance() {
    let mut world = holder(alpha());
    choose(&mut world, Some(TOKEN));
    for (amount, fault) in [
        ("1000.000001", Some(AmountFault::AboveBalance)),
        ("0.0000001", Some(AmountFault::TooPrecise)),
        ("0", Some(AmountFault::Zero)),
        ("1,000", Some(AmountFault::Ambiguous)),
        ("1,000.00", None),
        ("999,999999", None),
    ] {
        fill(&mut world, amount, RECEIVER);
        assert_eq!(world.snapshot().send.amount_fault, fault, "{amount}");
    }
    fill(&mut world, "1", TOKEN);
    assert_eq!(world.snapshot().send.receiver_fault, Some(ReceiverFault::TokenContract));
}

#[test]
fn spec_5_11_the_fee_of_a_token_is_paid_in_the_coin_and_without_coin_nothing_is_sent() {
    let mut world = holder(alpha());
    // 1 gwei * 60,000 gas * 1.2, and one wei less.
    for (wei, fault) in [
        (72_000_000_000_000, None),
        (71_999_999_999_999, Some(AmountFault::InsufficientGas)),
        (0, Some(AmountFault::InsufficientGas)),
    ] {
        world.node.balances.insert("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266".into(), wei);
        world.dispatch(Event::Account(portico_core::account::Event::RefreshAsked { ticket: None }));
        choose(&mut world, Some(TOKEN));
        fill(&mut world, "1000", RECEIVER);
        assert_eq!(world.snapshot().send.amount_fault, fault, "{wei}");
        choose(&mut world, None);
    }
}

#[test]
fn spec_5_11_without_coin_there_is_no_gas_whatever_its_price_and_an_unknown_balance_refuses_nothing() {
    const POOR: &str = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
    for (wei, price, mute, fault) in [
        (1, 0, None, None),
        (0, 0, None, Some(AmountFault::InsufficientGas)),
        (1, 1_000_000_000, Some("eth_gasPrice"), None),
        (0, 1_000_000_000, Some("eth_gasPrice"), Some(AmountFault::InsufficientGas)),
        (u128::MAX, 0, Some("eth_getBalance"), None),
        (u128::MAX, 1_000_000_000, Some("eth_getBalance"), None),
    ] {
        let mut world = holder(alpha());
        world.node.balances.insert(POOR.into(), wei);
        (world.node.price, world.node.mute) = (price, mute);
        world.reload();
        world.open(Some("WalletSend"));
        choose(&mut world, Some(TOKEN));
        fill(&mut world, "1000", RECEIVER);
        let send = world.snapshot().send;
        assert_eq!(send.amount_fault, fault, "{wei} {price} {mute:?}");
        assert_eq!(send.ready, fault.is_none(), "{wei} {price} {mute:?}");
    }
}

#[test]
fn spec_5_8_a_token_is_sent_by_a_call_of_its_contract_and_all_of_it_can_be() {
    let mut world = holder(alpha());
    choose(&mut world, Some(TOKEN));
    assert_eq!(world.snapshot().modal.view, View::WalletSend);
    fill(&mut world, "", RECEIVER);
    world.dispatch(Event::Send(Send::MaxAsked));
    let send = world.snapshot().send;
    assert_eq!((send.send_token_amount.as_str(), send.send_token_value.as_deref()), ("1000", Some("1000.00")));
    assert_eq!(
        (send.fee.as_deref(), send.fee_symbol.as_str(), send.fee_value.as_deref()),
        (Some("0.000072"), "ETH", Some("0.14"))
    );
    assert_eq!((send.total, send.ready), (None, true));
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    let transaction = &sent(&world)[0];
    let receiver = RECEIVER[2..].to_lowercase();
    let data = format!("0xa9059cbb{receiver:0>64}{:064x}", 1_000_000_000);
    assert_eq!(transaction.get("to").as_str(), Some(TOKEN));
    assert_eq!(
        (transaction.get("value").as_str(), transaction.get("data").as_str()),
        (Some("0x0"), Some(data.as_str()))
    );
    let told = world.snapshot().send.sent.unwrap();
    assert_eq!((told.amount.as_str(), told.symbol.as_str()), ("1000", "USDX"));
    let (_, properties) = world.events.iter().find(|(name, _)| name == "SEND_INITIATED").unwrap();
    assert_eq!((properties.get("token").as_str(), properties.get("amount").as_str()), (Some("USDX"), Some("1000")));
    assert_eq!(
        (properties.get("network").as_str(), properties.get("isSmartAccount").as_bool()),
        (Some("eip155:31337"), Some(false))
    );
}

#[test]
fn another_token_takes_the_amount_away_and_the_same_one_does_not() {
    let mut world = holder(alpha());
    fill(&mut world, "1", RECEIVER);
    choose(&mut world, None);
    assert_eq!(world.snapshot().send.send_token_amount, "1");
    choose(&mut world, Some(TOKEN));
    let send = world.snapshot().send;
    assert_eq!((send.send_token_amount.as_str(), send.receiver_address.as_str()), ("", RECEIVER));
    assert_eq!((send.token.unwrap().symbol.as_str(), send.amount_fault), ("USDX", None));
}

#[test]
fn a_token_that_is_not_in_the_list_is_not_chosen() {
    let mut world = holder(alpha());
    for address in [RECEIVER, "", "0x", "nonsense"] {
        choose(&mut world, Some(address));
        assert_eq!(world.snapshot().send.token.unwrap().symbol, "ETH", "{address}");
    }
}

#[test]
fn an_answer_of_the_token_before_is_not_taken_for_this_one() {
    let mut world = holder(alpha());
    choose(&mut world, Some(OTHER));
    choose(&mut world, Some(TOKEN));
    world.advance(500);
    let token = world.snapshot().send.token.unwrap();
    assert_eq!((token.symbol.as_str(), token.decimals), ("USDX", Some(6)));
}

#[test]
fn spec_3_12_tokens_are_found_by_name_symbol_and_address_and_told_while_they_are_looked_at() {
    let mut world = holder(alpha());
    assert_eq!(world.snapshot().send_tokens, None);
    world.modal(Modal::ViewAsked { view: View::WalletSendSelectToken });
    world.dispatch(Event::Send(Send::HiddenAsked));
    assert_eq!(symbols(&world), ["ETH", "USDX", "WILD"]);
    for (search, found) in [
        ("usd", vec!["USDX"]),
        ("WILD coin", vec!["WILD"]),
        ("coin", vec!["USDX", "WILD"]),
        (" 0x5fbd", vec!["USDX"]),
        ("nothing", vec![]),
    ] {
        world.dispatch(Event::Send(Send::TokenSearched { text: search.into() }));
        assert_eq!(symbols(&world), found, "{search}");
    }
    world.modal(Modal::BackAsked);
    world.modal(Modal::ViewAsked { view: View::WalletSendSelectToken });
    let choices = world.snapshot().send_tokens.unwrap();
    assert_eq!((choices.search.as_str(), choices.tokens.len(), choices.revealed), ("", 2, false));
    assert!(choices.tokens[0].chosen && choices.tokens[0].value.as_deref() == Some("20000000.00"));
}

#[test]
fn of_thousands_of_tokens_some_are_told_at_first_and_more_when_the_end_is_seen() {
    let token = |index: u32| balance(Some(&format!("0x{index:040x}")), &format!("T{index}"), "18", "1", 1);
    let mut world = holder_of((1..=2_000).map(token).collect(), alpha());
    world.modal(Modal::ViewAsked { view: View::WalletSendSelectToken });
    let told = |world: &World| {
        let choices = world.snapshot().send_tokens.unwrap();
        (choices.tokens.len(), choices.more, choices.count)
    };
    assert_eq!(told(&world), (PAGE, true, 2_001));
    world.dispatch(Event::Send(Send::MoreAsked));
    assert_eq!(told(&world), (2 * PAGE, true, 2_001));
    // Another search starts from the top of its list.
    world.dispatch(Event::Send(Send::TokenSearched { text: "t199".into() }));
    assert_eq!(told(&world), (11, false, 11));
    world.dispatch(Event::Send(Send::TokenSearched { text: String::new() }));
    assert_eq!(told(&world), (PAGE, true, 2_001));
}

#[test]
fn a_chain_switched_under_a_chosen_token_clears_it() {
    let mut world = holder(alpha());
    choose(&mut world, Some(TOKEN));
    fill(&mut world, "1", RECEIVER);
    world.modal(Modal::ViewAsked { view: View::WalletSendSelectToken });
    world.wallet_switches(31338);
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.view, snapshot.send.token.unwrap().symbol.as_str()), (View::Account, "ETH"));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert!(sent(&world).is_empty());
}

#[test]
fn a_host_names_a_token_and_learns_the_hash() {
    for asset in [TOKEN.to_owned(), format!("eip155:31337:{}", TOKEN.to_lowercase())] {
        let arguments = format!(r#"{{"assetAddress":"{asset}","amount":"2.5","to":"{RECEIVER}"}}"#);
        let mut world = World::new(vec![alpha()]);
        let known = Contract { symbol: Some("USDX"), decimals: Some(6), balance: Some(1_000_000_000), declines: false };
        world.node.tokens.insert(TOKEN.to_lowercase(), known);
        world.connect_first();
        world.modal(Modal::OpenAsked {
            view: Some("WalletSend".into()),
            namespace: None,
            uri: None,
            arguments: portico_json::parse(&arguments).unwrap(),
            ticket: Some(9),
        });
        let send = world.snapshot().send;
        assert_eq!((send.token.unwrap().symbol.as_str(), send.ready), ("USDX", true));
        world.dispatch(Event::Send(Send::ReviewAsked));
        world.dispatch(Event::Send(Send::ConfirmAsked));
        assert_eq!(sent(&world)[0].get("to").as_str(), Some(TOKEN));
        assert!(world.answer(9).unwrap().contains(&format!(r#"{{"hash":"0x{}"}}"#, "ab".repeat(32))));
    }
}

#[test]
fn a_host_that_names_no_token_of_this_network_is_refused_and_the_coin_has_its_names() {
    for asset in [r#""0x12""#, r#""eip155:1:0x5FbDB2315678afecb367f032d93F642f64180aa3""#, "7", r#""""#, r#""USDX""#] {
        let world = opened_by_host(alpha(), &format!(r#"{{"assetAddress":{asset}}}"#));
        assert!(world.answer(9).unwrap().contains(r#""reason":"unsupportedAsset""#), "{asset}");
    }
    for coin in ["native", "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"] {
        let world = opened_by_host(alpha(), &format!(r#"{{"assetAddress":"{coin}","amount":"1"}}"#));
        assert_eq!(world.snapshot().send.token.unwrap().symbol, "ETH", "{coin}");
    }
}

#[test]
fn a_refused_token_transfer_is_tracked_as_such() {
    let mut world = holder(alpha().when(SEND, Behaviour::Refuse));
    choose(&mut world, Some(TOKEN));
    fill(&mut world, "1", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!(world.snapshot().send.phase, Phase::Refused);
    let (_, properties) = world.events.iter().find(|(name, _)| name == "SEND_REJECTED").unwrap();
    assert_eq!(properties.get("token").as_str(), Some("USDX"));
    assert!(!properties.get("message").is_null());
}
