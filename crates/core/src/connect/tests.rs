use super::*;
use crate::boot::Environment;
use crate::config::{ConnectMethod, Features, Options};
use crate::connect::directory::Known;
use crate::facts::Facts;
use portico_api::directory::DirectoryWallet;
use portico_json::{parse, to_text};
use std::rc::Rc;

fn facts(options: &str, mobile: bool) -> Facts {
    let options = Options { adapters: vec![Namespace::Eip155], ..Options::read(&parse(options).unwrap()) };
    let environment = Rc::new(Environment { mobile, ..Environment::default() });
    Facts { options: Rc::new(options), environment, active_namespace: Some(Namespace::Eip155), ..Facts::default() }
}

fn connector(name: &str, kind: ConnectorKind) -> Connector {
    let id = format!("example.{}", name.to_lowercase());
    Connector {
        id: id.clone(),
        name: name.into(),
        kind,
        chain: Namespace::Eip155,
        image_url: None,
        image_id: None,
        explorer_id: None,
        rdns: Some(id.clone()),
        handle: id,
        icon: false,
    }
}

fn connect(connectors: Vec<Connector>) -> Connect {
    Connect { connectors, ..Connect::default() }
}

fn groups(connect: &Connect, facts: &Facts) -> Vec<(&'static str, Vec<String>)> {
    let groups = connect.wallets(facts).groups;
    groups
        .into_iter()
        .map(|group| (group.kind.word(), group.items.into_iter().map(|item| item.name).collect()))
        .collect()
}

fn found(kind: ConnectorKind, rdns: Option<&str>, flags: &[&str]) -> Found {
    Found {
        kind,
        namespace: "eip155".into(),
        handle: format!("{kind:?}"),
        name: "Browser Wallet".into(),
        rdns: rdns.map(Into::into),
        icon: IconKind::Other,
        flags: flags.iter().map(|flag| (*flag).into()).collect(),
    }
}

fn take(connect: &mut Connect, facts: &Facts, wallet: Found) {
    connect.update(Event::WalletFound { wallet }, &mut Cx::new(0, facts));
}

#[test]
fn spec_2_14_the_order_of_methods_is_email_social_wallet_and_wallet_first_when_one_is_usable() {
    let features = Features::default();
    assert_eq!(methods(&features, false), [ConnectMethod::Email, ConnectMethod::Social, ConnectMethod::Wallet]);
    assert_eq!(methods(&features, true), [ConnectMethod::Wallet, ConnectMethod::Email, ConnectMethod::Social]);
    let host =
        Features { connect_methods_order: vec![ConnectMethod::Social, ConnectMethod::Wallet], ..Features::default() };
    assert_eq!(methods(&host, true), [ConnectMethod::Social, ConnectMethod::Wallet]);
}

#[test]
fn methods_that_nothing_can_serve_are_not_offered() {
    let facts = facts("{}", false);
    assert_eq!(methods::offered(&facts, &[]), [ConnectMethod::Wallet]);
    let with_login = [connector("Auth", ConnectorKind::Auth)];
    assert_eq!(methods::offered(&facts, &with_login).len(), 3);
    let features = Features { socials: Vec::new(), ..Features::default() };
    let options = Options { features, ..(*facts.options).clone() };
    let unsocial = Facts { options: Rc::new(options), ..facts };
    assert!(!methods::offered(&unsocial, &with_login).contains(&ConnectMethod::Social));
}

#[test]
fn spec_2_15_groups_stand_in_the_order_of_the_contract_or_of_the_host() {
    let mut connect = connect(vec![
        connector("Host", ConnectorKind::External),
        connector("Browser", ConnectorKind::Announced),
        connector("Phone", ConnectorKind::WalletConnect),
        connector("Last", ConnectorKind::Announced),
    ]);
    connect.recent = vec![RecentWallet { id: "example.last".into(), name: "Last".into(), wallet: Value::Null }];
    let expected = [("walletConnect", "Phone"), ("recent", "Last"), ("injected", "Browser"), ("external", "Host")];
    assert_eq!(groups(&connect, &facts("{}", false)), expected.map(|(kind, name)| (kind, vec![name.to_string()])));
    let host = facts(r#"{"features":{"connectorTypeOrder":["external","injected"]}}"#, false);
    let kinds: Vec<_> = groups(&connect, &host).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["external", "injected"]);
    let words: Vec<_> = crate::config::ConnectorGroup::ALL.iter().map(crate::config::ConnectorGroup::word).collect();
    assert_eq!(words, ["walletConnect", "recent", "injected", "featured", "custom", "external", "recommended"]);
}

#[test]
fn the_hosts_picture_of_a_wallet_is_found_by_rdns_by_id_and_by_the_name_it_was_brought_under() {
    let named = |images: &str, kind: ConnectorKind, rdns: Option<&str>| {
        let facts = facts(&format!(r#"{{"connectorImages":{images}}}"#), true);
        let mut connect = Connect::default();
        take(&mut connect, &facts, found(kind, rdns, &[]));
        connect.wallets(&facts).groups[0].items[0].image_url.clone()
    };
    let picture = Some("/a.svg".to_string());
    assert_eq!(named(r#"{"example.a":"/a.svg"}"#, ConnectorKind::Announced, Some("example.a")), picture);
    assert_eq!(named(r#"{"Injected":"/a.svg"}"#, ConnectorKind::Injected, None), picture);
    // Pictures of a host's wallet go by the id that the host gave it, or by its rdns.
    assert_eq!(named(r#"{"External":"/a.svg"}"#, ConnectorKind::External, Some("example.a")), picture);
    let both = r#"{"External":"/own.svg","example.a":"/a.svg"}"#;
    assert_eq!(named(both, ConnectorKind::External, Some("example.a")), picture);
    assert_eq!(named(r#"{"example.b":"/b.svg"}"#, ConnectorKind::Announced, Some("example.a")), None);
}

#[test]
fn spec_2_16_only_non_empty_groups_are_shown() {
    assert!(groups(&connect(vec![]), &facts("{}", false)).is_empty());
    // The groups before and after the wallet's own have no wallet, and are left out.
    let one = connect(vec![connector("Browser", ConnectorKind::Announced)]);
    assert_eq!(groups(&one, &facts("{}", false)), [("injected", vec!["Browser".to_string()])]);
}

#[test]
fn spec_2_17_the_wallet_connect_entry_is_hidden_when_connected_through_it() {
    let phone = connector("Phone", ConnectorKind::WalletConnect);
    let mut connect = connect(vec![phone.clone()]);
    assert_eq!(groups(&connect, &facts("{}", false)).len(), 1);
    connect.connections.push(Connection {
        namespace: Namespace::Eip155,
        connector: phone,
        accounts: vec!["0x1".into()],
        chosen: false,
        topic: None,
        link: None,
    });
    assert!(groups(&connect, &facts("{}", false)).is_empty());
}

#[test]
fn spec_4_8_chains_connected_through_the_same_mechanism_are_disconnected_together() {
    for kind in [ConnectorKind::WalletConnect, ConnectorKind::Auth] {
        let mut connect = connect(vec![]);
        for namespace in [Namespace::Eip155, Namespace::Solana] {
            connect.connections.push(Connection {
                namespace,
                connector: connector("Shared", kind),
                accounts: vec!["a".into()],
                chosen: false,
                topic: None,
                link: None,
            });
        }
        connect.connections.push(Connection {
            namespace: Namespace::Bip122,
            connector: connector("Own", ConnectorKind::Announced),
            accounts: vec!["b".into()],
            chosen: false,
            topic: None,
            link: None,
        });
        let facts = facts("{}", false);
        connect
            .update(Event::DisconnectAsked { namespace: Some("solana".into()), ticket: None }, &mut Cx::new(0, &facts));
        assert_eq!(connect.connected(), [Namespace::Bip122]);
    }
}

#[test]
fn an_announced_wallet_of_one_namespace_is_disconnected_alone() {
    let mut connect = connect(vec![]);
    for namespace in [Namespace::Eip155, Namespace::Solana] {
        connect.connections.push(Connection {
            namespace,
            connector: connector("Own", ConnectorKind::Announced),
            accounts: vec!["a".into()],
            chosen: false,
            topic: None,
            link: None,
        });
    }
    let facts = facts("{}", false);
    connect.update(Event::DisconnectAsked { namespace: Some("solana".into()), ticket: None }, &mut Cx::new(0, &facts));
    assert_eq!(connect.connected(), [Namespace::Eip155]);
}

#[test]
fn spec_5_23_excluded_wallets_are_matched_by_rdns_or_name_whatever_its_case() {
    let connect =
        connect(vec![connector("Alpha", ConnectorKind::Announced), connector("Beta", ConnectorKind::Announced)]);
    for excluded in ["example.alpha", "ALPHA", "alpha"] {
        let facts = facts(&format!(r#"{{"excludeWalletIds":["{excluded}"]}}"#), false);
        assert_eq!(groups(&connect, &facts), [("injected", vec!["Beta".to_string()])], "{excluded}");
    }
}

#[test]
fn spec_5_24_the_browser_wallet_entry_is_hidden_on_desktop() {
    for (mobile, listed) in [(false, 0), (true, 1)] {
        let facts = facts("{}", mobile);
        let mut connect = Connect::default();
        take(&mut connect, &facts, found(ConnectorKind::Injected, None, &[]));
        assert_eq!(groups(&connect, &facts).len(), listed);
    }
}

#[test]
fn spec_5_25_an_injected_wallet_needs_an_rdns_or_an_installed_check() {
    let facts = facts("{}", false);
    for (rdns, flags, name) in [
        (None, &["isMetaMask"][..], Some("MetaMask")),
        (None, &["isMetaMask", "isRabby"], Some("Rabby Wallet")),
        (Some("a.b"), &[], Some("Browser Wallet")),
        (None, &["isUnheardOf"], None),
    ] {
        let mut connect = Connect::default();
        take(&mut connect, &facts, found(ConnectorKind::Injected, rdns, flags));
        assert_eq!(groups(&connect, &facts).first().map(|(_, names)| names[0].as_str()), name);
    }
}

#[test]
fn a_wallet_found_as_injected_is_there_once_when_it_announces_itself() {
    let facts = facts("{}", false);
    let mut connect = Connect::default();
    take(&mut connect, &facts, found(ConnectorKind::Injected, None, &["isMetaMask"]));
    let mut announced = found(ConnectorKind::Announced, Some("io.metamask"), &[]);
    announced.name = "MetaMask".into();
    take(&mut connect, &facts, announced);
    assert_eq!(groups(&connect, &facts), [("injected", vec!["MetaMask".to_string()])]);
    assert_eq!(connect.connectors[0].kind, ConnectorKind::Announced);
}

#[test]
fn a_hostile_announcement_is_cleaned_or_left_out() {
    let facts = facts("{}", false);
    let mut connect = Connect::default();
    let mut wallet = found(ConnectorKind::Announced, Some("not an rdns"), &[]);
    wallet.name = format!("\u{202e}Evil\n{}", "x".repeat(500));
    take(&mut connect, &facts, wallet);
    let connector = &connect.connectors[0];
    assert!(connector.name.starts_with("Evilx") && connector.name.len() == 48);
    assert_eq!((connector.rdns.as_ref(), connector.id.as_str()), (None, "Announced"));
    for (name, shown) in [
        ("Meta\u{61c}\u{180e}\u{ad}\u{3164}\u{115f}\u{ffa0}\u{2800}\u{e0041}Mask", "MetaMask"),
        ("e\u{301}\u{301}\u{302}\u{20dd}X", "e\u{301}X"),
        ("\u{301}A \u{301}B\u{fe0f}", "A B\u{fe0f}"),
        ("Ω 狐", "Ω 狐"),
    ] {
        let mut connect = Connect::default();
        take(&mut connect, &facts, Found { name: name.into(), ..found(ConnectorKind::Announced, None, &[]) });
        assert_eq!(connect.connectors[0].name, shown);
    }
    for invisible in [" \u{200b} ", "\u{3164}", "\u{e0041}\u{e007f}", "\u{301}\u{302}", " \u{20dd} ", "\u{fe0f}"] {
        let mut connect = Connect::default();
        take(&mut connect, &facts, Found { name: invisible.into(), ..found(ConnectorKind::Announced, None, &[]) });
        assert!(connect.connectors.is_empty(), "{invisible:?}");
    }
    for (name, handle, namespace) in [(" \u{200b} ", "a", "eip155"), ("A", "", "eip155"), ("A", "a", "evil")] {
        let mut connect = Connect::default();
        let wallet = Found {
            name: name.into(),
            handle: handle.into(),
            namespace: namespace.into(),
            ..found(ConnectorKind::Announced, None, &[])
        };
        take(&mut connect, &facts, wallet);
        assert!(connect.connectors.is_empty(), "{name:?} {handle:?} {namespace:?}");
    }
}

#[test]
fn spec_8_50_the_wallet_errors_have_the_words_of_the_contract() {
    for (fault, text) in [
        (ConnectFault::ChainNotConfigured, "Chain not configured"),
        (ConnectFault::AlreadyConnected, "Connector already connected"),
        (ConnectFault::NotConnected, "Connector not connected"),
        (ConnectFault::AccountNotFound, "Account not found for connector"),
        (ConnectFault::ChainMismatch, "Chain mismatch"),
        (ConnectFault::UnavailableWhileReconnecting, "Connector unavailable while reconnecting"),
    ] {
        assert_eq!(fault.to_string(), text);
    }
}

#[test]
fn a_wallet_that_announced_itself_is_not_listed_again_when_it_is_found_as_injected() {
    let facts = facts("{}", false);
    let mut connect = Connect::default();
    let mut announced = found(ConnectorKind::Announced, Some("io.metamask"), &[]);
    announced.name = "MetaMask".into();
    take(&mut connect, &facts, announced);
    take(&mut connect, &facts, found(ConnectorKind::Injected, None, &["isMetaMask"]));
    assert_eq!(groups(&connect, &facts), [("injected", vec!["MetaMask".to_string()])]);
    assert_eq!(connect.connectors.len(), 1);
}

#[test]
fn a_wallet_that_takes_another_ones_id_for_its_uuid_is_not_listed() {
    let facts = facts("{}", false);
    let mut connect = Connect::default();
    take(&mut connect, &facts, found(ConnectorKind::Announced, Some("com.w"), &[]));
    let thief = Found { handle: "com.w".into(), ..found(ConnectorKind::Announced, None, &[]) };
    take(&mut connect, &facts, thief);
    assert_eq!(connect.connectors.len(), 1);
}

#[test]
fn each_field_of_a_wallet_of_the_servers_directory_is_read() {
    let https = |path: &str| Some(format!("https://wallet.example/{path}"));
    let wallet = DirectoryWallet {
        id: "example.wallet".into(),
        name: "Wallet".into(),
        homepage: https("home"),
        image_id: Some("picture-1".into()),
        order: 7,
        mobile_link: Some("wallet://".into()),
        link_mode: https("open"),
        desktop_link: Some("wallet-desktop://".into()),
        webapp_link: https("app"),
        app_store: https("ios"),
        play_store: https("android"),
        chrome_store: https("chrome"),
        rdns: Some("example.wallet.rdns".into()),
        namespaces: vec!["eip155".into()],
        chains: vec!["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp".into()],
        injected: None,
    };
    let known = Known::read(&parse(&to_text(&wallet)).unwrap()).unwrap();
    let (id, rdns, image) = (known.id.as_str(), known.rdns.as_deref(), known.image_id.as_deref());
    assert_eq!((id, rdns, image), ("example.wallet", Some("example.wallet.rdns"), Some("picture-1")));
    assert_eq!((known.name.as_str(), known.rank), ("Wallet", Some(7)));
    let links: Vec<&str> = known.links.iter().map(|link| link.href.as_str()).collect();
    let paths = ["open", "app", "chrome", "ios", "android", "home"];
    assert_eq!(links, paths.map(|path| https(path).unwrap()));
    let remote = [&known.remote.app, &known.remote.universal, &known.remote.desktop, &known.remote.web];
    assert!(remote.into_iter().all(Option::is_some), "{remote:?}");
    for (namespace, served) in [(Namespace::Eip155, true), (Namespace::Solana, true), (Namespace::Bip122, false)] {
        let facts = Facts { active_namespace: Some(namespace), ..Facts::default() };
        assert_eq!(known.serves(&facts), served, "{namespace:?}");
    }
}
