//! Snapshots of every screen, from a real run of the core; view tests and the gallery draw them.

use portico_api::directory::WalletPage;
use portico_core::account::{Event as Account, Tab};
use portico_core::connect::Event as Connect;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::notice::{Event as Notice, Variant};
use portico_core::send::Event as Send;
use portico_core::{Event, Snapshot};
use portico_json::{Value, parse, to_text};
use portico_terms::Namespace;
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, every_namespace, network, options};

const RECEIVER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const REQUEST: &str = "eth_requestAccounts";
const SWITCH: &str = "wallet_switchEthereumChain";
const SEND: &str = "eth_sendTransaction";

/// Returns name and text of every snapshot.
pub fn cases() -> Vec<(String, String)> {
    let all = [
        connecting(),
        crate::pairing::cases(),
        directory(),
        accounts(),
        crate::holdings::cases(),
        crate::acting::cases(),
        crate::namespaces::cases(),
        crate::naming::cases(),
        networks(),
        sending(),
        crate::sending::cases(),
        crate::paying::cases(),
        crate::paying_bitcoin::cases(),
        crate::buying::cases(),
        crate::swapping::cases(),
        crate::swapped::cases(),
        crate::wanted::cases(),
        crate::entering::cases(),
        crate::socials::cases(),
        crate::signing_in::cases(),
        notices(),
    ];
    all.into_iter().flatten().map(|(name, snapshot)| (name.into(), to_text(&snapshot) + "\n")).collect()
}

/// Returns whole visits as replays; the fuzzer starts with them.
pub fn replays() -> Vec<(String, String)> {
    let mut journey = sent();
    journey.node.receipts.insert(format!("0x{}", "ab".repeat(32)), true);
    journey.advance(10_000);
    switch(&mut journey);
    journey.reload();
    journey.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: Some(1) }));
    let refused = asked(REQUEST, Behaviour::Refuse);
    let mut down = connected();
    unavailable(&mut down);
    let runs = [("journey", journey), ("refused", refused), ("node-down", down), ("remote", crate::pairing::visit())];
    runs.map(|(name, world)| (name.into(), world.log.join("\n") + "\n")).into()
}

pub type Cases = Vec<(&'static str, Snapshot)>;

fn wallets(names: &[&str]) -> Vec<ScriptedWallet> {
    names.iter().map(|name| ScriptedWallet::named(name)).collect()
}

fn opened(wallets: Vec<ScriptedWallet>) -> World {
    let mut world = World::new(wallets);
    world.open(None);
    world
}

fn asked(method: &str, behaviour: Behaviour) -> World {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha Wallet").when(method, behaviour)]);
    world.connect_first();
    world
}

fn throw(text: &str) -> Behaviour {
    Behaviour::Throw(parse(text).unwrap_or_default())
}

fn connecting() -> Cases {
    let mut recent = World::new(wallets(&["Alpha Wallet", "Beta", "Gamma Vault"]));
    recent.connect_first();
    recent.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    recent.open(None);
    let mut discovering = opened(vec![]).snapshot();
    discovering.connect.discovered = false;
    discovering.wallets.groups.clear();
    let mut many = wallets(&[
        "Alpha Wallet",
        "Beta",
        "Gamma Vault",
        "Delta",
        "A Wallet With A Very Long Name That Has 48 Letters",
        "Epsilon",
        "Zeta",
        "Eta",
        "Theta",
        "محفظة",
        "钱包",
        "Omega",
    ]);
    for (index, wallet) in many.iter_mut().enumerate() {
        wallet.rdns = format!("example.wallet{index}");
    }
    let nothing = r#"{"includeWalletIds":["none"],"allWallets":"HIDE","#;
    let mut empty = World::with(&options().replacen('{', nothing, 1), vec![], Store::default());
    empty.open(None);
    let mut slow = asked(REQUEST, Behaviour::Silent);
    slow.advance(8_000);
    let mut wallet_help = opened(vec![]);
    wallet_help.modal(Modal::ViewAsked { view: View::WhatIsAWallet });
    let mut network_help = opened(vec![]);
    network_help.modal(Modal::ViewAsked { view: View::WhatIsANetwork });
    let basic =
        World::with(&options().replace(r#""adapters":[{"namespace":"eip155"}],"#, ""), vec![], Store::default());
    let mut unavailable = basic;
    unavailable.open(None);
    let mut ticked = asking_for_consent();
    ticked.dispatch(Event::Connect(Connect::LegalTicked { ticked: true }));
    let no_wallets = options().replacen('{', r#"{"enableWallets":false,"#, 1);
    let mut no_method = World::with(&no_wallets, wallets(&["Alpha Wallet"]), Store::default());
    no_method.open(None);
    vec![
        ("Connect.wallets", opened(wallets(&["Alpha Wallet", "Beta", "Gamma Vault"])).snapshot()),
        ("Connect.discovering", discovering),
        ("Connect.empty", empty.snapshot()),
        ("Connect.recommended", opened(vec![]).snapshot()),
        ("Connect.many", opened(many).snapshot()),
        ("Connect.recent", recent.snapshot()),
        ("Connect.consentMissing", asking_for_consent().snapshot()),
        ("Connect.consentGiven", ticked.snapshot()),
        ("Connect.noMethod", no_method.snapshot()),
        ("ConnectingMultiChain.chains", several_chains().snapshot()),
        ("ConnectingExternal.waiting", asked(REQUEST, Behaviour::Silent).snapshot()),
        ("ConnectingExternal.slow", slow.snapshot()),
        (
            "ConnectingExternal.pending",
            asked(
                REQUEST,
                throw(r#"{"code":-32002,"message":"Already processing eth_requestAccounts. Please wait."}"#),
            )
            .snapshot(),
        ),
        ("ConnectingExternal.refused", asked(REQUEST, Behaviour::Refuse).snapshot()),
        (
            "ConnectingExternal.failed",
            asked(REQUEST, throw(r#"{"code":4900,"message":"The provider is disconnected from all chains."}"#))
                .snapshot(),
        ),
        ("WhatIsAWallet.page", wallet_help.snapshot()),
        ("WhatIsANetwork.page", network_help.snapshot()),
        ("ConnectingWalletConnectBasic.unavailable", unavailable.snapshot()),
    ]
}

/// World with a server that lists the bundled wallets, without their pictures.
/// A wallet that serves three namespaces was chosen.
fn several_chains() -> World {
    let part = |namespace: Namespace, account: &str| ScriptedWallet {
        rdns: format!("{}.alpha", namespace.word()),
        ..ScriptedWallet::named("Alpha Wallet").of(namespace, account)
    };
    let wallets = vec![
        ScriptedWallet::named("Alpha Wallet"),
        part(Namespace::Solana, "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv"),
        part(Namespace::Bip122, "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"),
    ];
    let mut world = World::with(&every_namespace(), wallets, Store::default());
    world.open(None);
    world.choose("example.alpha-wallet");
    world
}

fn with_directory(mobile: bool, prepare: impl FnOnce(&mut World)) -> World {
    let hosted = options().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&hosted, wallets(&["Alpha Wallet"]), Store::default());
    world.environment.mobile = mobile;
    world.reload();
    let known = include_str!("../../server/directory/bundled.json");
    world.server.answers("/getWallets?", 200, &format!(r#"{{"count":520,"data":{known}}}"#));
    prepare(&mut world);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::AllWallets });
    world
}

fn directory() -> Cases {
    let typed = |world: &mut World, text: &str| {
        world.dispatch(Event::Connect(Connect::WalletSearchTyped { text: text.into() }));
    };
    let mut searching = with_directory(false, |_| {});
    typed(&mut searching, "metamsak");
    let mut narrowed = with_directory(false, |_| {});
    typed(&mut narrowed, "meta");
    let mut none = with_directory(false, |world| world.server.serves("entries=40&search=", &WalletPage::default()));
    typed(&mut none, "no such wallet");
    none.advance(500);
    let mut desktop = with_directory(false, |_| {});
    desktop.choose("io.metamask");
    let mut mobile = with_directory(true, |_| {});
    mobile.choose("io.metamask");
    vec![
        ("AllWallets.loading", with_directory(false, |world| world.server.silent = true).snapshot()),
        ("AllWallets.ready", with_directory(false, |_| {}).snapshot()),
        ("AllWallets.searching", searching.snapshot()),
        ("AllWallets.narrowed", narrowed.snapshot()),
        ("AllWallets.none", none.snapshot()),
        ("AllWallets.error", with_directory(false, |world| world.server.answers("/getWallets?", 503, "")).snapshot()),
        ("AllWallets.mobile", with_directory(true, |_| {}).snapshot()),
        ("Downloads.desktop", desktop.snapshot()),
        ("Downloads.mobile", mobile.snapshot()),
    ]
}

fn asking_for_consent() -> World {
    let asking = r#"{"features":{"legalCheckbox":true},"termsConditionsUrl":"https://host.example/terms","privacyPolicyUrl":"https://host.example/privacy","#;
    let options = options().replacen('{', asking, 1);
    let mut world = World::with(&options, wallets(&["Alpha Wallet", "Beta", "Gamma Vault"]), Store::default());
    world.open(None);
    world
}

fn connected() -> World {
    let mut world = World::new(wallets(&["Alpha Wallet"]));
    world.connect_first();
    world
}

fn account(prepare: impl FnOnce(&mut World)) -> Snapshot {
    let mut world = connected();
    prepare(&mut world);
    world.open(None);
    world.snapshot()
}

fn tab(tab: Tab) -> Snapshot {
    account(|world| world.dispatch(Event::Account(Account::TabChosen { tab })))
}

fn unavailable(world: &mut World) {
    world.node.down = true;
    world.dispatch(Event::Account(Account::RefreshAsked { ticket: None }));
    world.advance(20_000);
}

fn accounts() -> Cases {
    let mut pending = sent();
    pending.advance(1_000);
    vec![
        ("Account.ready", account(|_| {})),
        (
            "Account.loading",
            account(|world| {
                world.node.down = true;
                world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
            }),
        ),
        ("Account.unavailable", account(unavailable)),
        ("Account.nfts", tab(Tab::Nfts)),
        ("Account.activity", tab(Tab::Activity)),
        ("Account.pending", pending.snapshot()),
    ]
}

fn switching(behaviour: Behaviour) -> Snapshot {
    let mut world = World::new(vec![ScriptedWallet::named("Alpha Wallet").when(SWITCH, behaviour)]);
    world.connect_first();
    switch(&mut world);
    world.snapshot()
}

fn switch(world: &mut World) {
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Networks });
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
}

fn networks() -> Cases {
    let mut one = connected();
    one.open(Some("Networks"));
    // Beside the two of the test chains, which the gallery shows as Ethereum and Base.
    let known = [
        (10, "Optimism"),
        (42_161, "Arbitrum One"),
        (137, "Polygon"),
        (56, "BNB Smart Chain"),
        (43_114, "Avalanche"),
        (100, "Gnosis"),
        (324, "ZKsync Era"),
        (42_220, "Celo"),
        (59_144, "Linea"),
        (7, "A Network With A Rather Long Name"),
    ];
    let known = known.map(|(id, name)| network(id, name).replace(r#""testnet":true"#, r#""testnet":false"#));
    let extra = [&known[..], &[network(11_155_111, "Sepolia")]].concat();
    let mut many = options();
    // Before the end of the list and of the options.
    many.insert_str(many.len() - 2, &format!(",{}", extra.join(",")));
    let mut many = World::with(&many, vec![], Store::default());
    many.open(Some("Networks"));
    let mut slow = World::new(vec![ScriptedWallet::named("Alpha Wallet").when(SWITCH, Behaviour::Silent)]);
    slow.connect_first();
    switch(&mut slow);
    slow.advance(8_000);
    let mut stranger = World::new(vec![ScriptedWallet::named("Alpha Wallet").on(999)]);
    stranger.connect_first();
    let mut wallet = ScriptedWallet::named("Alpha Wallet").when("wallet_addEthereumChain", Behaviour::Silent);
    wallet.chains = vec![31337];
    let mut adding = World::new(vec![wallet]);
    adding.connect_first();
    switch(&mut adding);
    vec![
        ("Networks.list", one.snapshot()),
        ("Networks.many", many.snapshot()),
        ("SwitchNetwork.waiting", switching(Behaviour::Silent)),
        ("SwitchNetwork.slow", slow.snapshot()),
        ("SwitchNetwork.adding", adding.snapshot()),
        ("SwitchNetwork.refused", switching(Behaviour::Refuse)),
        ("SwitchNetwork.failed", switching(throw(r#"{"code":-32603,"message":"Internal JSON-RPC error."}"#))),
        ("UnsupportedChain.list", stranger.snapshot()),
    ]
}

fn form(wallet: ScriptedWallet, amount: &str, receiver: &str) -> World {
    let mut world = World::new(vec![wallet]);
    world.connect_first();
    open_form(&mut world, amount, receiver);
    world
}

fn open_form(world: &mut World, amount: &str, receiver: &str) {
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    if !amount.is_empty() {
        world.dispatch(Event::Send(Send::AmountTyped { text: amount.into() }));
        world.dispatch(Event::Send(Send::ReceiverTyped { text: receiver.into() }));
        world.advance(500);
    }
}

fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha Wallet")
}

fn preview(behaviour: Behaviour, confirm: bool) -> Snapshot {
    let mut world = form(alpha().when(SEND, behaviour), "1.25", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    if confirm {
        world.dispatch(Event::Send(Send::ConfirmAsked));
        world.dispatch(Event::Notice(Notice::SnackDismissed));
    }
    world.snapshot()
}

fn slow_preview() -> Snapshot {
    let mut world = form(alpha().when(SEND, Behaviour::Silent), "1.25", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.advance(8_000);
    world.snapshot()
}

fn interrupted_preview() -> Snapshot {
    let mut world = form(alpha().when(SEND, Behaviour::Silent), "1.25", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.reload();
    open_form(&mut world, "1.25", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.snapshot()
}

fn sent() -> World {
    let mut world = form(alpha(), "1.25", RECEIVER);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world
}

fn sending() -> Cases {
    let failure = throw(r#"{"code":-32003,"message":"insufficient funds for gas * price + value"}"#);
    let expiry = throw(r#"{"code":8000,"message":"The request has expired"}"#);
    vec![
        ("WalletSend.empty", form(alpha(), "", "").snapshot()),
        ("WalletSend.filled", form(alpha(), "1.25", RECEIVER).snapshot()),
        ("WalletSend.faults", form(alpha(), "99999", "0x70997970C51812dc3A010C7d01b50e0d17dc79c8").snapshot()),
        ("WalletSend.insufficient", form(alpha(), "10000", RECEIVER).snapshot()),
        ("WalletSendPreview.ready", preview(Behaviour::Right, false)),
        ("WalletSendPreview.confirming", preview(Behaviour::Silent, true)),
        ("WalletSendPreview.slow", slow_preview()),
        ("WalletSendPreview.refused", preview(Behaviour::Refuse, true)),
        ("WalletSendPreview.failed", preview(failure, true)),
        ("WalletSendPreview.unsure", preview(expiry, true)),
        ("WalletSendPreview.interrupted", interrupted_preview()),
    ]
}

fn said(variant: Variant, text: &str) -> Snapshot {
    let mut world = connected();
    world.open(None);
    world.dispatch(Event::Notice(Notice::HostSaid { variant, text: text.into(), auto_close: None }));
    world.snapshot()
}

fn said_over_page(variant: Variant, text: &str) -> Snapshot {
    let mut world = connected();
    world.dispatch(Event::Notice(Notice::HostSaid { variant, text: text.into(), auto_close: None }));
    world.snapshot()
}

fn notices() -> Cases {
    let mut no_project = World::with(
        &options().replace(r#""projectId":"test","#, ""),
        wallets(&["Alpha Wallet", "Beta"]),
        Store::default(),
    );
    no_project.open(None);
    let mut no_network = connected();
    no_network.open(None);
    let wanted = Value::Text("eip155:1".into());
    no_network.dispatch(Event::Network(Network::SwitchAsked { network: wanted, ticket: None }));
    let mut over_page = connected();
    let wanted = Value::Text("eip155:1".into());
    over_page.dispatch(Event::Network(Network::SwitchAsked { network: wanted, ticket: None }));
    vec![
        ("Snack.overPage", said_over_page(Variant::Success, "Transaction confirmed")),
        ("Alert.overPage", over_page.snapshot()),
        ("Snack.success", said(Variant::Success, "Transaction started")),
        ("Snack.error", said(Variant::Error, "Failed to send transaction. Please try again.")),
        ("Snack.loading", said(Variant::Loading, "Authenticating...")),
        ("Alert.projectId", no_project.snapshot()),
        ("Alert.network", no_network.snapshot()),
    ]
}
