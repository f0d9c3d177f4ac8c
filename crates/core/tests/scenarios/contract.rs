//! Scenarios of items of the contract that belong to no single feature: views, fields and events, each reached as a visitor or a host does.

use crate::send::{RECEIVER, fill};
use portico_core::Event;
use portico_core::account::{Event as Account, Tab};
use portico_core::connect::Event as Connect;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Message;
use portico_core::send::Event as Send;
use portico_json::{Value, parse, to_text};
use portico_terms::ConnectorKind;
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, options, with_relay};

const ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha")
}

fn connected() -> World {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    world.open(None);
    world
}

fn view(world: &World) -> View {
    world.snapshot().modal.view
}

/// The other views of the item have scenarios of their own (swap, name, network), or belong to a sign-in that is not built.
#[test]
fn spec_2_2_hosts_and_visitors_reach_the_views() {
    let mut world = World::with(&with_relay(&options()), vec![alpha()], Store::default());
    for (name, reached) in [
        (None, View::Connect),
        (Some("AllWallets"), View::AllWallets),
        (Some("ConnectingWalletConnectBasic"), View::ConnectingWalletConnectBasic),
        (Some("Connect"), View::Connect),
    ] {
        world.open(name);
        assert_eq!(view(&world), reached, "{name:?}");
        world.modal(Modal::CloseAsked);
    }
    world.open(None);
    world.choose("walletConnect");
    assert_eq!(view(&world), View::ConnectingWalletConnect);
    world.modal(Modal::BackAsked);
    world.wallet().behaviours.insert("eth_requestAccounts".into(), Behaviour::Refuse);
    world.choose("example.alpha");
    assert_eq!(view(&world), View::ConnectingExternal);
    world.wallet().behaviours.clear();
    world.choose("example.alpha");
    world.open(None);
    assert_eq!(view(&world), View::Account);
    world.wallet_switches(999);
    assert_eq!(view(&world), View::UnsupportedChain);
}

#[test]
fn spec_2_8_a_visitor_goes_through_the_tabs_tokens_nfts_and_activity() {
    let mut world = connected();
    let account = |world: &World| world.snapshot().account.accounts[0].clone();
    assert_eq!(account(&world).tabs, [Tab::Tokens, Tab::Nfts, Tab::Activity]);
    assert_eq!(account(&world).current_tab, Tab::Tokens);
    for tab in [Tab::Nfts, Tab::Activity, Tab::Tokens] {
        world.dispatch(Event::Account(Account::TabChosen { tab }));
        assert_eq!(account(&world).current_tab, tab);
    }
}

#[test]
fn spec_2_23_closing_an_embedded_modal_leads_a_visitor_to_the_account_or_to_connect() {
    let embedded = options().replace(r#""projectId""#, r#""enableEmbedded":true,"projectId""#);
    let mut world = World::with(&embedded, vec![alpha()], Store::default());
    world.modal(Modal::ViewAsked { view: View::AllWallets });
    world.modal(Modal::CloseAsked);
    assert_eq!(view(&world), View::Connect);
    world.choose("example.alpha");
    world.modal(Modal::ViewAsked { view: View::Networks });
    assert_eq!(view(&world), View::Networks);
    world.modal(Modal::CloseAsked);
    let modal = world.snapshot().modal;
    assert_eq!((modal.view, modal.can_go_back), (View::Account, false));
}

#[test]
fn spec_3_3_the_account_state_of_a_connected_visitor_has_the_values_of_wallet_and_chain() {
    let mut world = World::new(vec![alpha()]);
    let before = parse(&to_text(&world.snapshot().account.accounts[0])).unwrap();
    assert_eq!(
        (before.get("status").as_str(), before.get("isConnected").as_bool()),
        (Some("disconnected"), Some(false))
    );
    assert_eq!((before.get("address"), before.get("balance")), (&Value::Null, &Value::Null));
    world.connect_first();
    world.open(None);
    let state = parse(&to_text(&world.snapshot().account.accounts[0])).unwrap();
    let expected = [
        ("currentTab", r#""tokens""#.into()),
        ("smartAccountDeployed", "null".into()),
        ("allAccounts", format!(r#"[{{"namespace":"eip155","address":"{ADDRESS}","type":"eoa"}}]"#)),
        ("user", "null".into()),
        ("caipAddress", format!(r#""eip155:31337:{ADDRESS}""#)),
        ("address", format!(r#""{ADDRESS}""#)),
        ("balance", r#""10000.000""#.into()),
        ("balanceSymbol", r#""ETH""#.into()),
        ("profileName", "null".into()),
        ("profileImage", "null".into()),
        ("addressExplorerUrl", format!(r#""https://scan-31337.example/address/{ADDRESS}""#)),
        ("preferredAccountTypes", r#""smartAccount""#.into()),
        ("socialProvider", "null".into()),
        ("socialWindow", "false".into()),
        ("farcasterUrl", "null".into()),
        ("status", r#""connected""#.into()),
        ("isConnected", "true".into()),
    ];
    for (field, value) in expected {
        assert_eq!(to_text(state.get(field)), value, "{field}");
    }
    let token = &state.get("tokenBalance").as_list().unwrap()[0];
    assert_eq!(to_text(token.get("quantity")), r#"{"decimals":"18","numeric":"10000"}"#);
    let wallet = state.get("connectedWalletInfo");
    assert_eq!(
        (wallet.get("name").as_str(), wallet.get("identifier").as_str()),
        (Some("Alpha"), Some("example.alpha"))
    );
    assert_eq!(to_text(state.get("addressLabels")), "{}");
}

#[test]
fn spec_3_10_a_wallet_that_a_host_adds_has_its_name_and_picture_and_is_known_as_installed_by_its_rdns() {
    let wallets = r#""customWallets":[
        {"id":"beta","name":"Beta Wallet","rdns":"example.beta","image_url":"https://pictures.example/beta.png",
            "image_id":"picture-beta"},
        {"id":"gamma","name":"Gamma","rdns":"example.gamma","image_id":"picture-gamma",
            "image_url":"https://pictures.example/gamma.png"}],"#;
    let options = options().replacen('{', &format!(r#"{{"endpoints":"https://host.example",{wallets}"#), 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Beta")], Store::default());
    world.open(None);
    let wallets = world.snapshot().wallets;
    let items: Vec<_> = wallets.groups.into_iter().flat_map(|group| group.items).collect();
    let item = |id: &str| items.iter().find(|item| item.id == id).unwrap_or_else(|| panic!("{id} of {items:?}"));
    // The wallet in the page stands for the one of the list, under the id of its connector.
    assert!(items.iter().all(|item| item.id != "beta"), "{items:?}");
    assert_eq!((item("example.beta").name.as_str(), item("example.beta").installed), ("Beta", true));
    assert_eq!((item("gamma").name.as_str(), item("gamma").installed), ("Gamma", false));
    assert_eq!(item("gamma").image_url.as_deref(), Some("https://pictures.example/gamma.png"));
    // Icons of the directory are loaded by their `image_id`.
    assert_eq!(item("gamma").handle, "image:picture-gamma");
    let beta = wallets.connectors.iter().find(|connector| connector.id == "example.beta").unwrap();
    assert_eq!((beta.image_id.as_deref(), beta.rdns.as_deref()), (Some("picture-beta"), Some("example.beta")));
    let asked = world.server.heard.iter().find(|(url, _)| url.contains("/getWalletImages?"));
    assert!(asked.is_some_and(|(url, _)| url.contains("picture-gamma")), "{:?}", world.server.heard);
}

#[test]
fn spec_3_14_the_send_state_holds_what_the_visitor_typed_and_what_the_chain_says() {
    let mut world = connected();
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    fill(&mut world, "1.5", RECEIVER);
    let told = Account::PriceTold { chain: "eip155:31337".into(), usd: "2000".into() };
    world.dispatch(Event::Account(told));
    let state = |world: &World| parse(&to_text(&world.snapshot().send)).unwrap();
    let filled = state(&world);
    for (field, value) in [
        ("sendTokenAmount", r#""1.5""#.to_owned()),
        ("receiverAddress", format!(r#""{RECEIVER}""#)),
        ("receiverProfileImageUrl", "null".into()),
        ("receiverProfileName", "null".into()),
        ("gasPrice", r#""1000000000""#.into()),
        ("gasPriceInUSD", r#""0.0504""#.into()),
        ("networkBalanceInUSD", r#""20000000""#.into()),
        ("loading", "false".into()),
    ] {
        assert_eq!(to_text(filled.get(field)), value, "{field}");
    }
    assert_eq!(filled.get("token").get("symbol").as_str(), Some("ETH"));
    world.wallet().behaviours.insert("eth_sendTransaction".into(), Behaviour::Late(5_000));
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    assert_eq!(state(&world).get("loading").as_bool(), Some(true));
}

#[test]
fn spec_6_4_and_6_7_socials_have_their_order_until_the_host_turns_them_off() {
    let socials = |features: &str| {
        let options = options().replacen('{', &format!("{{{features}"), 1);
        let mut world = World::with(&options, vec![], Store::default());
        world.open(None);
        to_text(parse(&to_text(&world.snapshot().config)).unwrap().get("features").get("socials"))
    };
    assert_eq!(socials(""), r#"["google","x","discord","farcaster","github","apple","facebook"]"#);
    assert_eq!(socials(r#""features":{"socials":["apple","x"]},"#), r#"["apple","x"]"#);
    assert_eq!(socials(r#""features":{"socials":false},"#), "[]");
}

/// The events of the sign-in and of the preferred kind of account are in scenarios of their own.
#[test]
fn spec_8_54_a_visit_from_opening_to_a_failed_payment_and_disconnecting_is_tracked() {
    let mut world = connected();
    world.modal(Modal::CloseAsked);
    world.dispatch(Event::Network(portico_core::network::Event::NetworkChosen { chain: "eip155:31338".into() }));
    world.dispatch(Event::Network(portico_core::network::Event::NetworkChosen { chain: "eip155:31337".into() }));
    for (answer, last) in [(Behaviour::Nonsense(Value::Null), "SEND_ERROR"), (Behaviour::Right, "SEND_SUCCESS")] {
        world.wallet().behaviours.insert("eth_sendTransaction".into(), answer);
        world.open(Some("WalletSend"));
        fill(&mut world, "1", RECEIVER);
        world.dispatch(Event::Send(Send::ReviewAsked));
        world.dispatch(Event::Send(Send::ConfirmAsked));
        world.node.receipts.insert(format!("0x{}", "ab".repeat(32)), true);
        world.advance(10_000);
        let names: Vec<_> = world.event_names().into_iter().filter(|name| name.starts_with("SEND_")).collect();
        assert_eq!(names.last(), Some(&last), "{names:?}");
        assert!(names.contains(&"SEND_INITIATED"));
    }
    world.modal(Modal::CloseAsked);
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    for name in ["MODAL_OPEN", "MODAL_CLOSE", "CONNECT_SUCCESS", "SWITCH_NETWORK", "DISCONNECT_SUCCESS"] {
        assert!(world.event_names().contains(&name), "{name}");
    }
}

#[test]
fn spec_9_3_a_modal_that_may_not_close_shakes_for_500_ms_and_a_message_follows_another_after_150_ms() {
    let signed = options().replacen('{', r#"{"siwx":{"required":true},"#, 1);
    let mut world = World::with(&signed, vec![alpha()], Store::default());
    world.connect_first();
    world.open(Some("ApproveTransaction"));
    world.modal(Modal::CloseAsked);
    assert!(world.snapshot().modal.open && world.snapshot().modal.shaking);
    world.advance(499);
    assert!(world.snapshot().modal.shaking);
    world.advance(1);
    assert!(!world.snapshot().modal.shaking);
    // Two messages in a row.
    let mut world = connected();
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world.dispatch(Event::Send(Send::ReviewAsked));
    assert_eq!(world.snack(), Some(Message::EnterValidAmountAndReceiver));
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.advance(149);
    assert_eq!(world.snack(), None);
    world.advance(1);
    assert_eq!(world.snack(), Some(Message::EnterValidAmountAndReceiver));
}

#[test]
fn spec_3_4_a_login_without_a_social_provider_is_one_by_email() {
    let mut world = World::new(vec![ScriptedWallet::named("Login").through(ConnectorKind::Auth)]);
    world.choose("example.login");
    let account = parse(&to_text(&world.snapshot().account.accounts[0])).unwrap();
    let user = account.get("embeddedWalletInfo").get("user");
    assert_eq!((user.get("authProvider").as_str(), user.get("username")), (Some("email"), &Value::Null));
    assert_eq!((user.get("accountType").as_str(), user), (Some("smartAccount"), account.get("user")));
}
