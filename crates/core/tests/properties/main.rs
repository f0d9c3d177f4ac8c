//! Property tests: under any order of events, outcomes and faults, the core never panics and its invariants hold.

mod market;
mod sign_in;

use portico_core::{Event, account, config, connect, modal, network, notice, send, swap};
use portico_json::Value;
use portico_terms::Namespace;
use portico_terms::rpc::WALLET_METHODS;
use portico_testkit::{Faults, ScriptedWallet, Store, World, network as network_option, options};

const AMOUNTS: [&str; 8] = [
    "",
    "0",
    "1",
    "1,5",
    "1e9",
    "-1",
    "99999999999999999999999999999999999999999999999999999999999999999999999999999999",
    "0.0000000000000000000001",
];
const RECEIVERS: [&str; 4] =
    ["", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "alice.eth", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"];
const COIN: &str = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const TOKEN: &str = "0x00000000000000000000000000000000000000c0";
const CHAINS: [&str; 5] = ["eip155:31337", "eip155:31338", "eip155:1", "solana:x", ""];

fn pick<'a>(faults: &mut Faults, choices: &[&'a str]) -> &'a str {
    choices[faults.below(choices.len() as u64) as usize]
}

fn remote_event(faults: &mut Faults) -> connect::Event {
    let topic = || String::from("0000000000000000000000000000000000000000000000000000000000070a1");
    match faults.below(12) {
        0..=3 => connect::Event::WalletChosen {
            connector: pick(faults, &["walletConnect", "io.metamask", "com.ledger"]).into(),
        },
        4 => connect::Event::LinkAsked,
        5 => connect::Event::UriCopyAsked,
        6 => connect::Event::PairingRetryAsked,
        7 => connect::Event::PlatformChosen {
            platform: connect::Platform::ALL[faults.below(connect::Platform::ALL.len() as u64) as usize],
        },
        8 => connect::Event::SessionSettled { session: faults.nonsense() },
        9 => connect::Event::SessionChanged { session: faults.nonsense() },
        10 => connect::Event::PairingRejected { topic: topic(), code: 5000, message: "No".into() },
        _ => connect::Event::SessionEnded { topic: topic() },
    }
}

fn swap_event(faults: &mut Faults) -> swap::Event {
    let address = |faults: &mut Faults| pick(faults, &["", COIN, TOKEN, RECEIVERS[1]]).into();
    match faults.below(17) {
        0 | 1 => swap::Event::AmountTyped { text: pick(faults, &AMOUNTS).into() },
        2 => swap::Event::MaxAsked,
        3 => swap::Event::FlipAsked,
        4 => swap::Event::SelectAsked {
            target: if faults.strikes(50) { swap::Target::SourceToken } else { swap::Target::ToToken },
        },
        5 => swap::Event::SearchTyped { text: pick(faults, &AMOUNTS).into() },
        6 => swap::Event::MoreAsked,
        7 | 8 => swap::Event::TokenChosen { address: address(faults) },
        9 => swap::Event::NetworksAsked,
        10 => swap::Event::RetryAsked,
        11 => swap::Event::ReviewAsked,
        12 => swap::Event::PriceAccepted,
        // Mostly the default: below it the swaps of these visits are rightly refused.
        13 => swap::Event::SlippageTyped { text: pick(faults, &["", "1", "", "1", "", "1", "0.5", "x"]).into() },
        14 => swap::Event::SlippageChosen { percent: pick(faults, &["1", "1", "1", "1", "1", "0.1", "7"]).into() },
        15 => swap::Event::RetryAsked,
        _ => swap::Event::ConfirmAsked,
    }
}

/// Performs a random action of the remote wallet or the relay.
fn remote_turn(world: &mut World, choices: &mut Faults) {
    let account = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    let states = connect::RelayState::ALL;
    match choices.below(8) {
        0..=2 => world.remote_approves(),
        3 => world.remote_refuses(if choices.strikes(50) { 5000 } else { 5100 }, "No"),
        4 => {
            let chain = pick(choices, &["eip155:31337", "eip155:31338", "eip155:999", "solana:x"]);
            world.remote_changes(&[&format!("{chain}:{account}")]);
        }
        5 => world.remote_ends(),
        _ => {
            let state = states[choices.below(states.len() as u64) as usize];
            let reason = pick(choices, &["", "Unauthorized: invalid key", "1006"]);
            world.relay_tells(state, choices.strikes(50).then_some(reason));
        }
    }
}

fn any_event(faults: &mut Faults, handle: &str, ticket: u32) -> Event {
    let view = modal::View::ALL[faults.below(modal::View::ALL.len() as u64) as usize];
    let maybe = faults.strikes(50);
    match faults.below(48) {
        0 => Event::Modal(modal::Event::OpenAsked {
            view: maybe.then(|| view.word().into()),
            namespace: faults.strikes(20).then(|| pick(faults, &["eip155", "solana", "evil"]).into()),
            uri: faults.strikes(5).then(|| "wc:x".into()),
            arguments: faults.nonsense(),
            ticket: Some(ticket),
        }),
        1 | 2 => Event::Modal(modal::Event::CloseAsked),
        3 | 4 => Event::Modal(modal::Event::BackAsked),
        5 | 6 => Event::Modal(modal::Event::ViewAsked { view }),
        7 => Event::Modal(modal::Event::LoadingSet { loading: maybe }),
        8..=11 => Event::Connect(connect::Event::WalletChosen {
            connector: pick(faults, &["example.alpha", "example.beta", "nobody"]).into(),
        }),
        12 => Event::Connect(connect::Event::RetryAsked),
        13 => Event::Connect(connect::Event::ConnectAsked {
            connector: maybe.then(|| "example.beta".into()),
            namespace: None,
            ticket,
        }),
        14 => Event::Connect(connect::Event::AccountsChanged { handle: handle.into(), accounts: faults.nonsense() }),
        15 => Event::Connect(connect::Event::WalletDisconnected { handle: handle.into() }),
        16 => Event::Connect(connect::Event::DisconnectAsked {
            namespace: maybe.then(|| "eip155".into()),
            ticket: Some(ticket),
        }),
        17 => Event::Network(network::Event::NetworkChosen { chain: pick(faults, &CHAINS).into() }),
        18 => Event::Network(network::Event::SwitchAsked {
            network: Value::Text(pick(faults, &CHAINS).into()),
            ticket: Some(ticket),
        }),
        19 => Event::Network(network::Event::RetryAsked),
        20 => Event::Network(network::Event::ChainChanged {
            handle: handle.into(),
            chain: if maybe { "0x7a6a".into() } else { faults.nonsense() },
        }),
        21 => Event::Network(network::Event::NetworkRemoved {
            namespace: "eip155".into(),
            id: pick(faults, &["31337", "31338", "9"]).into(),
            ticket: Some(ticket),
        }),
        22 => Event::Account(account::Event::RefreshAsked { ticket: Some(ticket) }),
        23 => Event::Account(account::Event::CopyAsked),
        24 => Event::Modal(modal::Event::ViewAsked {
            view: if faults.strikes(20) { modal::View::WalletSendSelectToken } else { modal::View::WalletSend },
        }),
        25 => Event::Send(send::Event::AmountTyped { text: pick(faults, &AMOUNTS).into() }),
        26 => Event::Send(send::Event::ReceiverTyped { text: pick(faults, &RECEIVERS).into() }),
        27 => Event::Send(match faults.below(10) {
            0 => send::Event::TokenSearched { text: pick(faults, &AMOUNTS).into() },
            1 => send::Event::TokenChosen { address: maybe.then(|| pick(faults, &RECEIVERS).into()) },
            2 | 3 => send::Event::ReviewAsked,
            4 => send::Event::MoreAsked,
            5 => send::Event::ValueTyped { text: pick(faults, &AMOUNTS).into() },
            6 => send::Event::UnitSwitched,
            7 => send::Event::HiddenAsked,
            _ => send::Event::MaxAsked,
        }),
        28 => Event::Send(send::Event::ConfirmAsked),
        29 => Event::Connect(connect::Event::LegalTicked { ticked: maybe }),
        30 => Event::Notice(notice::Event::HostSaid {
            variant: notice::Variant::Loading,
            text: "Signing in".into(),
            auto_close: faults.strikes(50).then_some(maybe),
        }),
        31..=38 => Event::Connect(remote_event(faults)),
        40..=47 => Event::Swap(swap_event(faults)),
        _ if maybe => Event::Notice(notice::Event::AlertDismissed),
        _ => Event::Config(config::Event::FeaturesChanged { features: faults.nonsense() }),
    }
}

fn hold(world: &mut World, after: &str) {
    world.settle();
    let snapshot = world.snapshot();
    let account = &snapshot.account.accounts[0];
    assert_eq!(account.is_connected, account.address.is_some(), "{after}");
    assert_eq!(
        account.is_connected,
        matches!(account.status, connect::Status::Connected | connect::Status::Reconnecting),
        "{after}: {:?}",
        account.status
    );
    assert!(
        !snapshot.modal.open
            || account.is_connected
            || !snapshot.modal.view.needs_account()
            || snapshot.modal.depth > 0,
        "{after}: {:?}",
        snapshot.modal
    );
    assert!(snapshot.network.active.is_none() || snapshot.network.unsupported.is_none(), "{after}");
    if snapshot.countdown.is_some_and(|left| left > 230) {
        panic!("{after}: {:?}", snapshot.countdown);
    }
    assert!(snapshot.countdown.is_none() || snapshot.pairing.is_some(), "{after}");
    if let Some(pairing) = &snapshot.pairing {
        assert!(pairing.platforms.contains(&pairing.platform), "{after}");
        assert!(pairing.href.is_none() || pairing.uri.is_some(), "{after}");
    }
    for (ticket, answers) in &world.answers {
        assert!(answers.len() <= 1, "{after}: ticket {ticket} was answered {} times", answers.len());
    }
}

/// Plays one visit with many faults.
fn visit(seed: u64) {
    let wallets = vec![ScriptedWallet::named("Alpha"), ScriptedWallet::named("Beta").on(999)];
    let mut choices = Faults::seeded(seed ^ 0x5bd1_e995);
    let mut world = World::with_faults(wallets, Store::default(), Faults::seeded(seed));
    // Reading all changes takes long: one visit in fifty is enough.
    world.exact = seed.is_multiple_of(50);
    for step in 0..60 {
        let handle = world.wallets[choices.below(2) as usize].handle();
        let event = any_event(&mut choices, &handle, step + 1);
        let told = format!("seed {seed}, step {step}: {event:?}");
        world.dispatch(event);
        hold(&mut world, &told);
        match choices.below(10) {
            8 => remote_turn(&mut world, &mut choices),
            0 => world.advance(choices.below(20_000)),
            1 => world.app.tick(choices.below(1_000)),
            2 => world.app.resolve(
                choices.below(300) as u32,
                portico_core::Outcome::Answered { value: choices.nonsense() },
                world.now,
            ),
            3 if step % 20 == 0 => world.reload(),
            _ => {}
        }
        hold(&mut world, &told);
    }
    // All methods are on the allowlist for pages (spec 9.20); `eth_chainId` is open to anyone.
    for (method, _) in world.wallets.iter().flat_map(|wallet| &wallet.requests) {
        assert!(method == "eth_chainId" || WALLET_METHODS.split(' ').any(|known| known == method), "{method}");
    }
    // Without faults the visitor can still connect.
    world.faults = None;
    world.store.refuses = false;
    world.advance(300_000);
    world.dispatch(Event::Connect(connect::Event::DisconnectAsked { namespace: None, ticket: None }));
    world.reload();
    world.advance(60_000);
    world.open(None);
    world.choose("example.alpha");
    assert!(world.snapshot().account.accounts[0].is_connected, "seed {seed}");
}

#[test]
fn spec_4_1_after_any_visit_with_any_faults_the_visitor_can_still_connect() {
    for seed in 0..1_200 {
        visit(seed);
    }
}

#[test]
fn a_snapshot_of_any_namespace_is_told_even_without_networks() {
    for namespace in Namespace::ALL {
        let options = format!(r#"{{"projectId":"a","adapters":[{{"namespace":"{}"}}]}}"#, namespace.word());
        let world = World::with(&options, vec![], Store::default());
        assert_eq!(world.snapshot().account.accounts.len(), 1);
    }
}

#[test]
fn a_long_list_of_networks_is_only_told_when_something_about_networks_changed() {
    let many: Vec<_> = (1..=700).map(|id| network_option(id, "Some Network")).collect();
    let options = options().replace(r#""networks":["#, &format!(r#""networks":[{},"#, many.join(",")));
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha")], Store::default());
    assert!(world.sent_last.contains("Some Network"));
    world.open(None);
    assert!(!world.sent_last.contains("Some Network"));
    world.modal(modal::Event::ViewAsked { view: modal::View::Networks });
    assert!(!world.sent_last.contains("Some Network"));
    world.dispatch(Event::Network(network::Event::NetworkChosen { chain: "eip155:7".into() }));
    assert!(world.sent_last.contains(r#""active":{"id":"7""#));
    world.dispatch(Event::Network(network::Event::NetworkRemoved {
        namespace: "eip155".into(),
        id: "8".into(),
        ticket: None,
    }));
    assert!(!world.sent_last.contains(r#""id":"8""#));
}
