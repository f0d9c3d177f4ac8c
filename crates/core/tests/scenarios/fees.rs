//! Scenarios of the fee of a send, and the fee fields passed to the wallet.

use crate::send::{RECEIVER, alpha, confirmed, fill, opened, sent};
use portico_core::Event;
use portico_core::send::{AmountFault, Event as Send};
use portico_terms::ConnectorKind;
use portico_testkit::{ScriptedWallet, Store, World, options};

#[test]
fn max_keeps_the_fee_back() {
    let mut world = opened(alpha());
    fill(&mut world, "", RECEIVER);
    world.dispatch(Event::Send(Send::MaxAsked));
    let send = world.snapshot().send;
    // 1 gwei * 21,000 gas * 1.2
    assert_eq!((send.fee.as_deref(), send.send_token_amount.as_str()), (Some("0.0000252"), "9999.9999748"));
    assert_eq!((send.ready, send.amount_fault), (true, None));
    assert_eq!(send.total.as_deref(), Some("10000"));
}

/// World of a host that gives its first network this base fee multiplier.
fn with_multiplier(multiplier: &str) -> World {
    let fees = format!(r#""id":31337,"fees":{{"baseFeeMultiplier":{multiplier}}}"#);
    let mut world = World::with(&options().replace(r#""id":31337"#, &fees), vec![alpha()], Store::default());
    world.connect_first();
    world
}

#[test]
fn spec_5_33_a_host_sets_the_base_fee_multiplier_of_a_network_which_is_at_least_1() {
    // 1 gwei * 21,000 gas * the multiplier
    for (multiplier, fee) in [("1", "0.000021"), ("1.5", "0.0000315"), ("2", "0.000042"), ("null", "0.0000252")] {
        let mut world = with_multiplier(multiplier);
        world.open(Some("WalletSend"));
        fill(&mut world, "1", RECEIVER);
        assert_eq!(world.snapshot().send.fee.as_deref(), Some(fee), "{multiplier}");
    }
    let snapshot = with_multiplier("0.99").snapshot();
    let detail = snapshot.notice.alert.map(|alert| alert.detail);
    assert_eq!(detail.as_deref(), Some("networks[0]: Use a number of at least 1 as fees.baseFeeMultiplier"));
    assert_eq!(snapshot.network.networks.len(), 1);
}

#[test]
fn a_transaction_names_its_chain_and_an_ample_one_leaves_the_fee_to_the_wallet() {
    let world = confirmed(alpha());
    let transaction = &sent(&world)[0];
    assert_eq!(transaction.get("chainId").as_str(), Some("0x7a69"));
    assert!(transaction.get("gasPrice").is_null());
}

#[test]
fn sending_all_tells_the_wallet_the_fee_that_was_kept_back() {
    let mut world = opened(alpha());
    fill(&mut world, "", RECEIVER);
    world.dispatch(Event::Send(Send::MaxAsked));
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    let transaction = &sent(&world)[0];
    assert_eq!(
        (transaction.get("gas").as_str(), transaction.get("gasPrice").as_str()),
        (Some("0x5208"), Some("0x47868c00"))
    );
}

/// Gas oracle of OP Stack chains, with the selector of `getL1FeeUpperBound`.
const ORACLE: (&str, &str) = ("0x420000000000000000000000000000000000000f", "0xf1c7a58b");

/// World with the maximum amount filled in on a chain whose oracle returns this value.
fn all_on(chain: &str, oracle: &str) -> World {
    let options = portico_testkit::options().replace("31337", chain);
    let mut world = World::with(&options, vec![alpha().on(chain.parse().unwrap())], Store::default());
    world.node.calls.insert((ORACLE.0.into(), ORACLE.1.into()), oracle.into());
    world.connect_first();
    world.open(Some("WalletSend"));
    fill(&mut world, "", RECEIVER);
    world.dispatch(Event::Send(Send::MaxAsked));
    world
}

#[test]
fn where_the_data_of_a_transfer_costs_something_of_its_own_it_is_shown_and_kept_back() {
    // 0.00001 ETH
    let bound = format!("0x{:064x}", 10_000_000_000_000u64);
    for (chain, oracle, fee, amount) in [
        ("8453", bound.as_str(), "0.0000352", "9999.9999648"),
        ("10", &bound, "0.0000352", "9999.9999648"),
        // Oracle without a result, and a chain without an oracle.
        ("8453", "0x", "0.0000252", "9999.9999748"),
        ("31337", &bound, "0.0000252", "9999.9999748"),
    ] {
        let send = all_on(chain, oracle).snapshot().send;
        assert_eq!((send.fee.as_deref(), send.send_token_amount.as_str()), (Some(fee), amount), "{chain}");
        assert!(send.ready, "{chain}");
    }
    // The fee also counts for an amount that was typed.
    let mut world = all_on("8453", &bound);
    fill(&mut world, "9999.9999748", RECEIVER);
    assert_eq!(world.snapshot().send.amount_fault, Some(AmountFault::InsufficientGas));
}

#[test]
fn a_form_that_stood_for_long_is_reviewed_with_the_price_of_then() {
    let mut world = opened(alpha());
    fill(&mut world, "1", RECEIVER);
    let fee = |world: &World| world.snapshot().send.fee;
    assert_eq!(fee(&world).as_deref(), Some("0.0000252"));
    world.node.price = 2_000_000_000;
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!(fee(&world).as_deref(), Some("0.0000504"));
    // If the price cannot be read again, the last one stays.
    world.node.mute = Some("eth_gasPrice");
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!((fee(&world).as_deref(), world.snapshot().send.ready), (Some("0.0000504"), true));
}

#[test]
fn all_that_can_be_sent_is_what_the_price_of_then_leaves_and_stays_so_in_the_review() {
    let mut world = opened(alpha());
    fill(&mut world, "", RECEIVER);
    world.node.price = 2_000_000_000;
    world.dispatch(Event::Send(Send::MaxAsked));
    assert_eq!(world.snapshot().send.send_token_amount, "9999.9999496");
    world.node.price = 3_000_000_000;
    world.dispatch(Event::Send(Send::ReviewAsked));
    let send = world.snapshot().send;
    assert_eq!((send.send_token_amount.as_str(), send.ready), ("9999.9999496", true));
}

fn price(world: &mut World, usd: &str) {
    let told = portico_core::account::Event::PriceTold { chain: "eip155:31337".into(), usd: usd.into() };
    world.dispatch(Event::Account(told));
}

#[test]
fn spec_3_14_with_a_price_the_fee_and_the_balance_are_told_in_us_dollars() {
    let mut world = opened(alpha());
    let worth = |world: &World| {
        let send = world.snapshot().send;
        (send.gas_price_in_usd, send.network_balance_in_usd)
    };
    assert_eq!(worth(&world), (None, None));
    price(&mut world, "2000");
    // 0.0000252 and 10,000 ETH
    assert_eq!(worth(&world), (Some("0.0504".into()), Some("20000000".into())));
    price(&mut world, "0");
    assert_eq!(worth(&world), (None, None));
}

#[test]
fn spec_5_11_gas_is_insufficient_with_a_price_as_without_and_a_price_of_zero_blocks_nobody() {
    for usd in ["", "0", "2000.5", "0.000000000001", "1000000000000"] {
        let mut world = opened(alpha());
        price(&mut world, usd);
        for (amount, fault) in [("10000", Some(AmountFault::InsufficientGas)), ("9999.9999748", None), ("1", None)] {
            fill(&mut world, amount, RECEIVER);
            let send = world.snapshot().send;
            assert_eq!((send.amount_fault, send.ready), (fault, fault.is_none()), "{usd}: {amount}");
        }
    }
}

#[test]
fn spec_5_11_smart_accounts_need_no_gas_and_their_sends_are_tracked_as_such() {
    for (kinds, exempt) in [("", true), (r#""defaultAccountTypes":{"eip155":"eoa"},"#, false)] {
        let options = portico_testkit::options().replace(r#""projectId""#, &format!(r#"{kinds}"projectId""#));
        let login = ScriptedWallet::named("Login").through(ConnectorKind::Auth);
        let mut world = World::with(&options, vec![login], Store::default());
        world.choose("example.login");
        world.open(Some("WalletSend"));
        fill(&mut world, "10000", RECEIVER);
        assert_eq!(world.snapshot().send.amount_fault.is_none(), exempt);
        let (_, opened) = world.events.iter().find(|(name, _)| name == "OPEN_SEND").unwrap();
        assert_eq!(opened.get("isSmartAccount").as_bool(), Some(exempt));
        fill(&mut world, "1", RECEIVER);
        world.dispatch(Event::Send(Send::ReviewAsked));
        world.dispatch(Event::Send(Send::ConfirmAsked));
        let (_, sent) = world.events.iter().find(|(name, _)| name == "SEND_SUCCESS").unwrap();
        let hash = format!("0x{}", "ab".repeat(32));
        assert_eq!(
            portico_json::to_text(sent),
            format!(
                r#"{{"isSmartAccount":{exempt},"amount":"1","network":"eip155:31337","token":"ETH","hash":"{hash}","caipNetworkId":"eip155:31337"}}"#
            )
        );
    }
}

#[test]
fn spec_9_19_the_most_that_a_fee_can_be_is_the_base_fee_times_1_2_and_the_priority_fee() {
    let mut world = World::new(vec![alpha()]);
    world.node.priority = Some(100_000_000);
    world.connect_first();
    world.open(Some("WalletSend"));
    fill(&mut world, "", RECEIVER);
    world.dispatch(Event::Send(Send::MaxAsked));
    // (0.9 gwei * 1.2 + 0.1 gwei) * 21,000 gas
    assert_eq!(world.snapshot().send.fee.as_deref(), Some("0.00002478"));
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    let transaction = &sent(&world)[0];
    let field = |name: &str| transaction.get(name).as_str().map(String::from);
    assert_eq!(
        (field("maxFeePerGas").as_deref(), field("maxPriorityFeePerGas").as_deref()),
        (Some("0x46555f00"), Some("0x5f5e100"))
    );
    assert_eq!((field("gas").as_deref(), field("gasPrice")), (Some("0x5208"), None));
}

/// Sends the maximum to the receiver, with the node's gas estimate, and returns the transaction.
fn all_sent(world: &mut World, receiver: &str) -> portico_json::Value {
    fill(world, "", receiver);
    world.dispatch(Event::Send(Send::MaxAsked));
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    sent(world).remove(0)
}

/// Maximum that the wallet may spend: the value plus the price of this much gas.
fn cost(transaction: &portico_json::Value, gas: u128) -> u128 {
    let number =
        |name: &str| u128::from_str_radix(transaction.get(name).as_str().unwrap().trim_start_matches("0x"), 16);
    number("value").unwrap() + number("gasPrice").unwrap() * gas
}

const BALANCE: u128 = 10_000 * 10u128.pow(18);

#[test]
fn sending_all_to_a_contract_pins_the_gas_that_it_takes_with_a_value() {
    let mut world = opened(alpha());
    world.node.gas = [21_055, 43_106];
    let transaction = all_sent(&mut world, RECEIVER);
    assert_eq!(transaction.get("gas").as_str(), Some("0xa862"));
    assert_eq!(cost(&transaction, 43_106), BALANCE);
}

#[test]
fn sending_all_without_an_estimate_leaves_the_gas_and_room_for_it_to_the_wallet() {
    let mut world = opened(alpha());
    world.node.mute = Some("eth_estimateGas");
    let transaction = all_sent(&mut world, RECEIVER);
    assert!(transaction.get("gas").is_null());
    assert!(cost(&transaction, 100_000) <= BALANCE);
}

#[test]
fn gas_that_was_estimated_for_another_receiver_is_not_pinned() {
    let mut world = opened(alpha());
    fill(&mut world, "9999.9999", RECEIVER);
    world.node.mute = Some("eth_estimateGas");
    world.node.gas = [43_106; 2];
    world.dispatch(Event::Send(Send::ReceiverTyped { text: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC".into() }));
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert!(sent(&world)[0].get("gas").is_null());
}

#[test]
fn all_stays_all_when_the_receiver_is_typed_after_it() {
    let mut world = opened(alpha());
    world.dispatch(Event::Send(Send::MaxAsked));
    world.node.gas = [21_055, 43_106];
    world.dispatch(Event::Send(Send::ReceiverTyped { text: RECEIVER.into() }));
    world.advance(500);
    // 1 gwei * 1.2 * 43,106 gas
    let send = world.snapshot().send;
    assert_eq!((send.send_token_amount.as_str(), send.ready), ("9999.9999482728", true));
    world.dispatch(Event::Send(Send::AmountTyped { text: "1".into() }));
    world.advance(500);
    assert_eq!(world.snapshot().send.send_token_amount, "1");
}
