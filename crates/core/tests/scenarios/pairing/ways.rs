//! Scenarios of reaching a wallet: its links, copying the URI, and where to get the wallet.

use super::*;

#[test]
fn spec_2_5_without_adapters_the_modal_opens_at_the_code_or_on_a_phone_at_all_wallets() {
    let alone = with_relay(
        &every_namespace()
            .replace(r#""adapters":[{"namespace":"eip155"},{"namespace":"solana"},{"namespace":"bip122"}],"#, ""),
    );
    let mut world = World::with(&alone, vec![], Store::default());
    world.open(None);
    assert_eq!(world.snapshot().modal.view, View::ConnectingWalletConnectBasic);
    assert_eq!(world.pairing().phase, PairingPhase::Ready);
    let asked = world.remote.asked[0].as_object().unwrap().iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
    assert_eq!(asked, ["eip155", "solana", "bip122"]);
    world.remote_approves();
    assert!(!world.snapshot().modal.open && world.snapshot().account.accounts[0].is_connected);

    let mut world = World::with(&alone, vec![], Store::default());
    world.environment.mobile = true;
    world.come_back();
    assert_eq!(world.snapshot().modal.view, View::AllWallets);
    world.choose("io.metamask");
    assert_eq!(world.snapshot().modal.view, View::ConnectingWalletConnect);
    assert!(world.pairing().href.unwrap().starts_with("metamask://wc?uri=wc%3A"));
}

#[test]
fn from_the_code_for_any_wallet_the_visitor_goes_to_one_and_back_with_the_same_code() {
    let alone = with_relay(&options().replace(r#""adapters":[{"namespace":"eip155"}],"#, ""));
    let mut world = World::with(&alone, vec![], Store::default());
    world.open(None);
    let topics = count(&world);
    world.choose("io.metamask");
    assert_eq!(world.pairing().wallet.unwrap().name, "MetaMask");
    world.modal(Modal::BackAsked);
    let snapshot = world.snapshot();
    assert_eq!(snapshot.modal.view, View::ConnectingWalletConnectBasic);
    assert_eq!(world.pairing().wallet, None);
    assert!(count(&world) <= topics + 1 && snapshot.countdown.is_some());
}

#[test]
fn a_wallet_that_no_session_reaches_says_where_to_get_it() {
    let own = r#"{"customWallets":[{"id":"own","name":"Own","homepage":"https://own.example","chrome_store":"https://store.example"}],"#;
    let world = shown(with(own), "own");
    assert_eq!((world.snapshot().modal.view, count(&world)), (View::Downloads, 0));
}

fn platforms(mobile: bool, links: &str) -> PairingView {
    let own = format!(r#"{{"customWallets":[{{"id":"own","name":"Own",{links}}}],"#);
    let mut world = with(&own);
    world.environment.mobile = mobile;
    world.reload();
    shown(world, "own").pairing()
}

#[test]
fn the_ways_to_a_wallet_are_those_of_its_links_and_of_this_device() {
    use Platform::{Desktop, Mobile, Qrcode, Unsupported, Web};
    let (app, universal) = (r#""mobile_link":"own://""#, r#""link_mode":"https://own.example""#);
    let (desktop, web) = (r#""desktop_link":"owndesk://""#, r#""webapp_link":"https://app.example""#);
    let all = [app, universal, desktop, web].join(",");
    for (mobile, links, ways) in [
        (false, app, vec![Qrcode]),
        (true, app, vec![Mobile]),
        (true, universal, vec![Mobile]),
        (false, desktop, vec![Desktop]),
        (true, desktop, vec![Unsupported]),
        (false, web, vec![Web]),
        (true, web, vec![Web]),
        (false, &all, vec![Qrcode, Web, Desktop]),
        (true, &all, vec![Mobile, Web]),
    ] {
        let pairing = platforms(mobile, links);
        assert_eq!((pairing.platform, pairing.platforms), (ways[0], ways), "{mobile} {links}");
    }
}

#[test]
fn a_way_that_is_not_offered_cannot_be_chosen() {
    let mut world = shown(desktop(), "com.ledger");
    assert_eq!(world.pairing().platforms, [Platform::Qrcode, Platform::Desktop]);
    world.connecting(Connect::PlatformChosen { platform: Platform::Mobile });
    assert_eq!(world.pairing().platform, Platform::Qrcode);
    world.connecting(Connect::PlatformChosen { platform: Platform::Desktop });
    assert!(world.pairing().href.unwrap().starts_with("ledgerlive://wc?uri="));
    assert_eq!(tap(&mut world).1, LinkTarget::Here);
}

#[test]
fn a_wallet_that_turns_out_to_be_in_this_browser_can_be_asked_there() {
    let mut wallet = ScriptedWallet::named("MetaMask");
    wallet.rdns = "io.metamask".into();
    let mut world = World::with_hidden(vec![wallet], Store::default(), &["io.metamask"]);
    world = World::with(&with_relay(&options()), world.wallets, Store::default());
    world.hidden = vec!["io.metamask".into()];
    world.reload();
    let mut world = shown(world, "io.metamask");
    assert_eq!(world.pairing().platforms, [Platform::Qrcode]);
    world.announce("io.metamask");
    assert_eq!(world.pairing().platforms, [Platform::Browser, Platform::Qrcode]);
    world.connecting(Connect::PlatformChosen { platform: Platform::Browser });
    assert_eq!(world.snapshot().account.accounts[0].connector.as_deref(), Some("io.metamask"));
}

#[test]
fn the_link_is_there_before_the_tap_and_opens_in_it() {
    let mut world = shown(world(phone), "io.metamask");
    let uri = uri(&world);
    let encoded: String = uri
        .bytes()
        .map(|byte| match byte {
            b':' | b'@' | b'?' | b'=' | b'&' => format!("%{byte:02X}"),
            _ => char::from(byte).to_string(),
        })
        .collect();
    let href = world.pairing().href.unwrap();
    assert_eq!(href, format!("metamask://wc?uri={encoded}"));
    assert_eq!(tap(&mut world), (href, LinkTarget::Here));
    assert_eq!(world.store.values[CHOICE], r#"{"href":"metamask://","name":"MetaMask"}"#);
    let pairing = world.pairing();
    assert!(pairing.opened && pairing.phase == PairingPhase::Ready);
    // Still waiting: the link can be opened again, copied, or the code taken to another device.
    assert_eq!(pairing.platforms, [Platform::Mobile, Platform::Qrcode]);
    tap(&mut world);
    assert_eq!(world.remote.links.len(), 2);
    world.connecting(Connect::PlatformChosen { platform: Platform::Qrcode });
    assert!(world.pairing().qr.is_some());
}

#[test]
fn the_universal_link_goes_first_where_the_host_prefers_it() {
    let mut world = with(r#"{"experimental_preferUniversalLinks":true,"#);
    phone(&mut world.environment);
    world.reload();
    let mut world = shown(world, "io.metamask");
    assert!(world.pairing().universal);
    let (href, target) = tap(&mut world);
    assert!(href.starts_with("https://metamask.app.link/wc?uri=wc%3A"), "{href}");
    assert_eq!(target, LinkTarget::Apart);
    // A wallet without a universal link is opened by its own scheme.
    world.modal(Modal::CloseAsked);
    let world = shown(world, "com.ledger");
    assert!(world.pairing().href.unwrap().starts_with("ledgerlive://wc?uri="));
}

#[test]
fn on_android_inside_telegram_the_uri_is_encoded_twice() {
    let telegram = |environment: &mut Environment| (environment.mobile, environment.telegram) = (true, true);
    let android = |environment: &mut Environment| {
        telegram(environment);
        environment.android = true;
    };
    let mut twice = shown(world(android), "io.metamask");
    let href = twice.pairing().href.unwrap();
    assert!(href.starts_with("metamask://wc?uri=wc%253A"), "{href}");
    assert_eq!(tap(&mut twice).1, LinkTarget::Apart);
    let once = shown(world(telegram), "io.metamask");
    assert!(once.pairing().href.unwrap().starts_with("metamask://wc?uri=wc%3A"));
}

#[test]
fn a_link_that_would_run_something_in_the_page_is_never_opened() {
    for link in [
        "javascript:alert(1)//",
        "JavaScript://%0aalert(1)",
        "data:text/html,x",
        "data://x",
        "vbscript://x",
        "blob://x",
        "file:///etc/passwd",
        "intent://x#Intent;end",
        "own://x y",
        "own://a?b=c",
        "own://a#b",
        "own:",
        "//own.example",
    ] {
        let links =
            format!(r#""mobile_link":"{link}","desktop_link":"{link}","webapp_link":"{link}","link_mode":"{link}""#);
        let own = format!(r#"{{"customWallets":[{{"id":"own","name":"Own",{links}}}],"#);
        let mut world = with(&own);
        phone(&mut world.environment);
        world.reload();
        let mut world = shown(world, "own");
        world.connecting(Connect::LinkAsked);
        assert_eq!((world.remote.links.len(), world.store.values.contains_key(CHOICE)), (0, false), "{link}");
    }
}

#[test]
fn nothing_is_opened_where_there_is_nothing_to_open() {
    let mut world = desktop();
    world.connecting(Connect::LinkAsked);
    let mut world = shown(world, "io.metamask");
    world.connecting(Connect::LinkAsked);
    assert!(world.remote.links.is_empty() && !world.pairing().opened);
}

#[test]
fn the_address_of_the_pairing_is_copied_and_said_so() {
    let mut world = shown(desktop(), "walletConnect");
    world.connecting(Connect::UriCopyAsked);
    assert_eq!(world.clipboard, [uri(&world)]);
    assert!(world.pairing().copied);
    assert_eq!(world.snapshot().notice.snack.unwrap().message, Some(Message::LinkCopied));
    let mut world = shown(desktop(), "walletConnect");
    world.clipboard_works = false;
    world.connecting(Connect::UriCopyAsked);
    assert!(!world.pairing().copied);
    assert_eq!(world.snapshot().notice.snack.unwrap().message, Some(Message::CopyFailed));
}

#[test]
fn where_to_get_the_wallet_stands_below_for_this_device() {
    let kinds = |prepare: &dyn Fn(&mut Environment)| {
        let installs = shown(world(prepare), "io.metamask").pairing().installs;
        installs.into_iter().map(|link| link.kind).collect::<Vec<_>>()
    };
    use LinkKind::{AppStore, ChromeStore, Homepage, PlayStore};
    assert_eq!(kinds(&|_| {}), [ChromeStore, AppStore, PlayStore, Homepage]);
    assert_eq!(kinds(&|environment| (environment.mobile, environment.ios) = (true, true)), [AppStore, Homepage]);
    assert_eq!(kinds(&|environment| (environment.mobile, environment.android) = (true, true)), [PlayStore, Homepage]);
}

#[test]
fn spec_2_15_on_a_phone_the_entry_leads_to_the_link_and_the_code_and_the_list_of_all_wallets_has_a_row_of_its_own() {
    let mut world = shown(world(phone), "walletConnect");
    let pairing = world.pairing();
    assert_eq!((world.snapshot().modal.view, count(&world)), (View::ConnectingWalletConnect, 1));
    assert_eq!((pairing.wallet, pairing.platform, pairing.mobile), (None, Platform::Qrcode, true));
    assert!(pairing.uri.is_some(), "to copy to a wallet on this phone");
    world.modal(Modal::BackAsked);
    assert!(world.snapshot().directory.unwrap().all);
    world.modal(Modal::ViewAsked { view: View::AllWallets });
    assert_eq!(world.snapshot().modal.view, View::AllWallets);
}
