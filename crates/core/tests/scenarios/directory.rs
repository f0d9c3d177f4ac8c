use portico_api::directory::{DirectoryWallet, WalletPage};
use portico_core::Event;
use portico_core::connect::{DirectoryPhase as Phase, DirectoryView, Event as Connect, LinkKind};
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_terms::Namespace;
use portico_testkit::{SOLANA, ScriptedWallet, Store, World, every_namespace, options};

const WALLETS: &str = "/getWallets?";
const PICTURES: &str = "/getWalletImages?";

/// World of a host with its own server and these additional options.
fn hosted(more: &str, wallets: Vec<ScriptedWallet>) -> World {
    let options = options().replacen('{', &format!(r#"{{"endpoints":"https://host.example",{more}"#), 1);
    World::with(&options, wallets, Store::default())
}

fn wallet(id: &str, name: &str) -> DirectoryWallet {
    DirectoryWallet { id: id.into(), name: name.into(), ..DirectoryWallet::default() }
}

/// Page of the directory with the wallets of these numbers.
fn page(from: usize, to: usize, count: u32) -> WalletPage {
    let wallet = |at: usize| DirectoryWallet {
        image_id: Some(format!("p-{at}_a")),
        ..wallet(&format!("w{at}"), &format!("Wallet {at}"))
    };
    WalletPage { count, data: (from..to).map(wallet).collect() }
}

fn directory(world: &World) -> DirectoryView {
    world.snapshot().directory.unwrap()
}

fn listed(world: &World) -> Vec<String> {
    directory(world).wallets.into_iter().map(|item| item.name).collect()
}

fn groups(world: &World) -> Vec<(&'static str, Vec<String>)> {
    let groups = world.snapshot().wallets.groups.into_iter();
    groups.map(|group| (group.kind.word(), group.items.into_iter().map(|item| item.name).collect())).collect()
}

fn all_wallets(world: &mut World) {
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::AllWallets });
}

fn typed(world: &mut World, text: &str) {
    world.dispatch(Event::Connect(Connect::WalletSearchTyped { text: text.into() }));
}

fn more(world: &mut World) {
    world.dispatch(Event::Connect(Connect::MoreWalletsAsked));
}

const KNOWN: [&str; 4] = ["MetaMask", "Coinbase Wallet", "Trust Wallet", "Phantom"];

#[test]
fn a_host_without_a_server_lists_the_wallets_that_come_with_the_widget_and_asks_nobody() {
    let mut world = World::new(vec![]);
    all_wallets(&mut world);
    assert_eq!(groups(&world), [("recommended", KNOWN.map(String::from).to_vec())]);
    let all = directory(&world);
    assert_eq!((all.wallets.len(), all.phase, all.count, all.more), (8, Phase::Ready, None, false));
    typed(&mut world, "rain");
    assert_eq!((listed(&world), directory(&world).phase), (vec!["Rainbow".into()], Phase::Ready));
    typed(&mut world, "Räin bow");
    assert_eq!(listed(&world), ["Rainbow"]);
    typed(&mut world, "rainbows");
    assert_eq!((listed(&world).len(), directory(&world).phase), (0, Phase::Ready));
    typed(&mut world, "");
    assert_eq!(listed(&world).len(), 8);
    assert!(world.server.heard.is_empty());
}

#[test]
fn what_is_embedded_lists_the_known_wallets_without_being_opened() {
    let known = [("recommended", KNOWN.map(String::from).to_vec())];
    assert_eq!(groups(&hosted(r#""enableEmbedded":true,"#, vec![])), known);
    assert_ne!(groups(&hosted("", vec![])), known);
}

#[test]
fn a_server_that_refuses_or_talks_nonsense_takes_no_wallet_away() {
    for (status, body) in [(500, ""), (200, "<html>"), (200, "[]"), (200, r#"{"count":1,"data":[null,{"id":7}]}"#)] {
        let mut world = hosted("", vec![]);
        world.server.answers(WALLETS, status, body);
        world.open(None);
        assert_eq!(groups(&world), [("recommended", KNOWN.map(String::from).to_vec())], "{body}");
    }
    let mut silent = hosted("", vec![ScriptedWallet::named("Alpha")]);
    silent.server.silent = true;
    silent.open(None);
    assert_eq!(groups(&silent), [("injected", vec!["Alpha".to_string()])]);
}

#[test]
fn a_list_that_does_not_come_can_be_asked_for_again() {
    let mut world = hosted("", vec![]);
    world.server.answers(WALLETS, 503, "");
    all_wallets(&mut world);
    assert_eq!(directory(&world).phase, Phase::Failed);
    world.server.answers(WALLETS, 200, r#"{"data":[]}"#);
    more(&mut world);
    assert_eq!(directory(&world).phase, Phase::Failed);
    world.server.serves(WALLETS, &page(0, 3, 3));
    more(&mut world);
    assert_eq!((directory(&world).phase, listed(&world).len()), (Phase::Ready, 3));
}

#[test]
fn links_and_names_of_a_wallet_are_hostile_until_parsed() {
    let wallet = r#"{"count":1,"data":[{"id":"evil","name":"E\u202evil","homepage":"javascript:alert(1)",
        "app_store":"http://a.example","play_store":"https://a.example/\" onclick=","mobile_link":"javascript://%0aalert(1)",
        "link_mode":"intent://a","webapp_link":"https://ok.example/","image_id":"../x","image_url":"http://a.example/a.png"}]}"#;
    let mut world = hosted("", vec![ScriptedWallet::named("Alpha")]);
    world.environment.mobile = true;
    world.reload();
    world.server.answers(WALLETS, 200, wallet);
    all_wallets(&mut world);
    assert_eq!(listed(&world), ["Evil"]);
    assert_eq!((world.server.count(PICTURES), directory(&world).wallets[0].image_url.clone()), (0, None));
    world.choose("evil");
    let links = directory(&world).links;
    assert_eq!(links.iter().map(|link| link.href.as_str()).collect::<Vec<_>>(), ["https://ok.example/"]);
}

#[test]
fn featured_and_custom_wallets_of_the_host_stand_in_its_order_and_each_wallet_once() {
    let mut metamask = ScriptedWallet::named("MetaMask");
    metamask.rdns = "io.metamask".into();
    let lists = r#""featuredWalletIds":["Phantom","io.metamask","unheard.of","me.rainbow"],
        "customWallets":[{"id":"own","name":"Own","homepage":"https://own.example"},{"id":"own","name":"Twice"},{"name":"No id"}],"#;
    let mut world = hosted(lists, vec![metamask]);
    world.open(None);
    let expected = [("injected", "MetaMask"), ("featured", "Phantom,Rainbow"), ("custom", "Own")];
    let found = groups(&world);
    assert_eq!(
        found.iter().map(|(kind, names)| (*kind, names.join(","))).collect::<Vec<_>>(),
        expected.map(|(kind, names)| (kind, names.to_string()))
    );
    assert_eq!(world.server.count("include=Phantom%2Cio.metamask%2Cunheard.of%2Cme.rainbow"), 1);
    world.choose("own");
    assert_eq!(world.snapshot().modal.view, View::Downloads);
    assert_eq!(directory(&world).links[0].kind, LinkKind::Homepage);
}

#[test]
fn as_many_featured_wallets_are_read_as_are_asked_for() {
    let names: Vec<String> = (0..120).map(|at| format!("\"w{at}\"")).collect();
    let mut world = hosted(&format!(r#""featuredWalletIds":[{}],"#, names.join(",")), vec![]);
    world.server.serves("entries=100&include=", &page(0, 120, 120));
    world.open(None);
    assert_eq!((groups(&world)[0].0, groups(&world)[0].1.len()), ("featured", 100));
}

#[test]
fn spec_5_23_excluded_wallets_are_neither_recommended_nor_listed_and_the_server_is_told() {
    let mut world = hosted(r#""excludeWalletIds":["METAMASK","app.phantom","w1"],"#, vec![]);
    world.server.serves(WALLETS, &page(0, 3, 3));
    all_wallets(&mut world);
    assert_eq!(listed(&world), ["Wallet 0", "Wallet 2"]);
    let asked = &world.server.heard.iter().find(|(request, _)| request.contains("entries=40")).unwrap().0;
    assert!(asked.contains("&exclude=METAMASK%2Capp.phantom%2Cw1&chains=eip155:31337%2Ceip155:31338"), "{asked}");
    let mut only =
        World::with(&options().replacen('{', r#"{"includeWalletIds":["me.rainbow"],"#, 1), vec![], Store::default());
    all_wallets(&mut only);
    assert_eq!((groups(&only), listed(&only)), (vec![("recommended", vec!["Rainbow".into()])], vec!["Rainbow".into()]));
}

#[test]
fn a_list_for_an_account_of_one_namespace_holds_no_wallet_of_another_whatever_the_server_sends() {
    let options = every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha")], Store::default());
    let of = |name: &str, namespaces: &[Namespace]| DirectoryWallet {
        namespaces: namespaces.iter().map(|namespace| namespace.word().into()).collect(),
        ..wallet(name, name)
    };
    let (both, other) = (of("Both", &[Namespace::Solana, Namespace::Eip155]), of("Other", &[Namespace::Eip155]));
    world.server.serves(WALLETS, &WalletPage { count: 2, data: vec![both, other] });
    world.choose("example.alpha");
    world.open(None);
    world.dispatch(Event::Network(Network::NetworkChosen { chain: SOLANA.into() }));
    world.modal(Modal::ViewAsked { view: View::AllWallets });
    assert_eq!(listed(&world), ["Both"]);
    let asked = |world: &World, part: &str| {
        let requests = world.server.heard.iter().filter(|(request, _)| request.contains(part));
        requests.map(|(request, _)| request.split("chains=").nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    for part in ["entries=4&", "entries=40&"] {
        assert_eq!(asked(&world, part), [SOLANA], "{part}");
    }
    world.modal(Modal::CloseAsked);
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    all_wallets(&mut world);
    assert_eq!(listed(&world), ["Both", "Other"]);
    assert_eq!(asked(&world, "entries=4&").len(), 2, "the best-known ones of all namespaces");
}

#[test]
fn the_entry_all_wallets_is_there_as_the_host_wishes() {
    for (wish, mobile, all) in [
        ("", false, true),
        (r#""allWallets":"HIDE","#, true, false),
        (r#""allWallets":"ONLY_MOBILE","#, false, false),
        (r#""allWallets":"ONLY_MOBILE","#, true, true),
        (r#""features":{"allWallets":false},"#, false, false),
        (r#""enableWallets":false,"#, false, false),
    ] {
        let mut world = hosted(wish, vec![]);
        world.environment.mobile = mobile;
        world.come_back();
        assert_eq!(directory(&world).all, all, "{wish} {mobile}");
    }
}

#[test]
fn all_wallets_come_by_the_page_with_one_request_for_the_pictures_of_each() {
    let mut world = hosted("", vec![ScriptedWallet::named("Alpha")]);
    world.server.serves("entries=4&", &page(0, 4, 50));
    world.server.serves("page=1&entries=40", &page(0, 40, 50));
    world.server.serves("page=2&entries=40", &page(39, 50, 50));
    world.server.answers(PICTURES, 200, "{}");
    all_wallets(&mut world);
    let all = directory(&world);
    assert_eq!((all.count, all.wallets.len(), all.more), (Some(50), 40, true));
    assert!(all.wallets[0].icon && all.wallets[0].handle == "image:p-0_a");
    assert_eq!(world.server.count(PICTURES), 1);
    more(&mut world);
    let all = directory(&world);
    assert_eq!((all.wallets.len(), all.more, world.server.count(PICTURES)), (50, false, 2));
    more(&mut world);
    assert_eq!(world.server.count("entries=40"), 2);
}

#[test]
fn spec_9_3_a_search_is_asked_once_what_is_typed_rests() {
    let mut world = hosted("", vec![]);
    world.server.serves(WALLETS, &page(0, 40, 80));
    world.server.serves("entries=40&search=", &page(7, 8, 1));
    all_wallets(&mut world);
    for text in ["m", "me", "met"] {
        typed(&mut world, text);
        world.advance(499);
    }
    assert_eq!((world.server.count("search="), directory(&world).phase), (0, Phase::Searching));
    world.advance(1);
    assert_eq!((world.server.count("search=met"), world.server.count("search=")), (1, 1));
    assert_eq!(listed(&world), ["Wallet 7"]);
    assert!(!directory(&world).more);
    world.modal(Modal::BackAsked);
    world.modal(Modal::ViewAsked { view: View::AllWallets });
    assert_eq!((directory(&world).search.as_str(), listed(&world).len()), ("", 40));
}

#[test]
fn what_is_listed_and_fits_is_there_from_the_first_letter_on_until_the_answer_comes() {
    let named = |names: &[&str]| {
        let data: Vec<_> = names.iter().map(|name| wallet(name, name)).collect();
        WalletPage { count: names.len() as u32, data }
    };
    let mut world = hosted("", vec![]);
    world.server.serves(WALLETS, &named(&["Alpha", "Álamo", "Beta", "E\u{301}clair Wallet"]));
    all_wallets(&mut world);
    world.server.serves("entries=40&search=al", &named(&["Alpha", "Coral"]));
    world.server.answers("entries=40&search=eclair", 503, "");
    typed(&mut world, "AL");
    let found = |world: &World| (listed(world).join(","), directory(world).phase);
    assert_eq!(found(&world), ("Alpha,Álamo,E\u{301}clair Wallet".into(), Phase::Searching));
    typed(&mut world, "al");
    world.advance(500);
    assert_eq!(found(&world), ("Alpha,Coral".into(), Phase::Ready));
    // Wallets listed before the last response match too.
    typed(&mut world, "eclair-w");
    assert_eq!(found(&world), ("E\u{301}clair Wallet".into(), Phase::Searching));
    world.choose("E\u{301}clair Wallet");
    assert_eq!(world.snapshot().modal.view, View::Downloads);
    world.modal(Modal::BackAsked);
    world.advance(500);
    assert_eq!(found(&world), ("E\u{301}clair Wallet".into(), Phase::Failed));
    // Another try starts with the first page.
    world.server.serves("entries=40&search=eclair", &named(&["Eclair"]));
    more(&mut world);
    assert_eq!(
        (found(&world), world.server.count("page=1&entries=40&search=eclair-w")),
        (("Eclair".into(), Phase::Ready), 2)
    );
    typed(&mut world, "zzz");
    assert_eq!(found(&world), (String::new(), Phase::Searching));
    typed(&mut world, "");
    assert_eq!(listed(&world).len(), 6);
}

#[test]
fn a_wallet_that_is_installed_is_asked_and_of_another_is_said_where_to_get_it() {
    let mut rainbow = ScriptedWallet::named("Rainbow");
    rainbow.rdns = "me.rainbow".into();
    let mut world = World::new(vec![rainbow]);
    all_wallets(&mut world);
    world.choose("app.phantom");
    assert_eq!(world.snapshot().modal.view, View::Downloads);
    let chosen = directory(&world);
    assert_eq!(chosen.chosen.map(|item| item.name).as_deref(), Some("Phantom"));
    let kinds: Vec<_> = chosen.links.iter().map(|link| link.kind).collect();
    assert_eq!(kinds, [LinkKind::ChromeStore, LinkKind::AppStore, LinkKind::PlayStore, LinkKind::Homepage]);
    world.modal(Modal::BackAsked);
    let item = directory(&world).wallets.into_iter().find(|item| item.name == "Rainbow").unwrap();
    assert!(item.installed);
    world.choose(&item.id);
    assert!(world.snapshot().account.accounts[0].is_connected);
}

#[test]
fn on_a_phone_a_wallet_that_no_session_reaches_opens_the_page_in_its_own_browser() {
    let page = "https%3A%2F%2Fhost.example%2Fshop";
    let origin = "https%3A%2F%2Fhost.example";
    let own = r#""customWallets":[{"id":"own","name":"SOLFLARE","homepage":"https://solflare.com"},
        {"id":"other","name":"Other","homepage":"https://other.example"}],"#;
    let opened = |mobile: bool, wallet: &str| {
        let mut world = hosted(own, vec![]);
        world.environment.mobile = mobile;
        world.come_back();
        world.choose(wallet);
        assert_eq!(world.snapshot().modal.view, View::Downloads, "{wallet}");
        let links = directory(&world).links;
        links.into_iter().filter(|link| link.kind == LinkKind::Open).map(|link| link.href).collect::<Vec<_>>()
    };
    for (wallet, href) in [
        ("app.phantom", format!("https://phantom.app/ul/browse/{page}?ref={origin}")),
        ("own", format!("https://solflare.com/ul/v1/browse/{page}?ref={origin}")),
        ("com.coinbase.wallet", format!("https://go.cb-w.com/dapp?cb_url={page}")),
    ] {
        assert_eq!(opened(true, wallet), [href]);
        assert!(opened(false, wallet).is_empty(), "{wallet}");
    }
    assert!(opened(true, "other").is_empty());
}

#[test]
fn spec_2_5_on_a_phone_without_adapters_all_wallets_are_the_first_view_and_lead_into_the_app() {
    let bare = options().replace(r#""adapters":[{"namespace":"eip155"}],"#, "");
    let mut world = World::with(&bare, vec![], Store::default());
    world.environment.mobile = true;
    world.come_back();
    assert_eq!((world.snapshot().modal.view, listed(&world).len()), (View::AllWallets, 8));
    world.choose("io.metamask");
    let open = &directory(&world).links[0];
    assert_eq!((open.kind, open.href.as_str()), (LinkKind::Open, "https://metamask.app.link"));
}

#[test]
fn spec_3_8_a_wallet_of_this_browser_has_its_ids_of_the_directory_once_the_directory_names_its_rdns() {
    let mut world = hosted("", vec![ScriptedWallet::named("Alpha"), ScriptedWallet::named("Beta")]);
    let listed = DirectoryWallet {
        rdns: Some("example.alpha".into()),
        image_id: Some("picture-1".into()),
        ..wallet("wallet-1", "Alpha")
    };
    world.server.serves(WALLETS, &WalletPage { count: 1, data: vec![listed] });
    let ids = |world: &World| {
        let connectors = world.snapshot().wallets.connectors.into_iter();
        connectors.map(|one| (one.id, one.explorer_id, one.image_id)).collect::<Vec<_>>()
    };
    let unknown = |id: &str| (String::from(id), None, None);
    assert_eq!(ids(&world), [unknown("example.alpha"), unknown("example.beta")]);
    world.open(None);
    let alpha = ("example.alpha".into(), Some("wallet-1".into()), Some("picture-1".into()));
    assert_eq!(ids(&world), [alpha.clone(), unknown("example.beta")]);
    world.choose("example.alpha");
    assert_eq!(ids(&world), [alpha, unknown("example.beta")], "also once it is connected");
}
