//! Scenarios of the analytics events of pairings.

use super::*;

#[test]
fn a_wallet_that_was_chosen_is_tracked_with_the_way_to_it() {
    let selected = |world: World| {
        let event = world.events.iter().find(|(name, _)| name == "SELECT_WALLET").unwrap().1.clone();
        [event.get("name").as_str().unwrap().to_string(), event.get("platform").as_str().unwrap().into()]
    };
    assert_eq!(selected(shown(desktop(), "io.metamask")), ["MetaMask", "qrcode"]);
    assert_eq!(selected(shown(world(phone), "io.metamask")), ["MetaMask", "mobile"]);
    assert_eq!(selected(shown(desktop(), "walletConnect")), ["WalletConnect", "qrcode"]);
}

#[test]
fn a_choice_is_tracked_with_the_view_the_place_there_and_the_rank() {
    let told = |world: &World, wanted: &str| {
        let event = world.events.iter().rfind(|(name, _)| name == wanted).unwrap().1.clone();
        let own = event.as_object().unwrap().iter().filter(|(name, _)| name != "caipNetworkId");
        to_text(&portico_json::Value::Object(own.cloned().collect()))
    };
    let mut world = shown(desktop(), "io.metamask");
    let first = r#"{"name":"MetaMask","platform":"qrcode","displayIndex":1,"walletRank":1,"view":"Connect"}"#;
    assert_eq!(told(&world, "SELECT_WALLET"), first);
    world.remote_approves();
    let success = r#"{"method":"qrcode","name":"Pocket","reconnect":false,"walletRank":1,"view":"Connect"}"#;
    assert_eq!(told(&world, "CONNECT_SUCCESS"), success);
    world.reload();
    assert_eq!(
        told(&world, "CONNECT_SUCCESS"),
        r#"{"method":"qrcode","name":"Pocket","reconnect":true,"walletRank":1}"#
    );

    let mut world = desktop();
    world.open(Some("AllWallets"));
    world.choose("me.rainbow");
    assert!(told(&world, "SELECT_WALLET").ends_with(r#""view":"AllWallets"}"#));
    world.connecting(Connect::ConnectAsked { connector: Some("io.metamask".into()), namespace: None, ticket: 7 });
    assert_eq!(told(&world, "SELECT_WALLET"), r#"{"name":"MetaMask","platform":"qrcode","walletRank":1}"#);
}

#[test]
fn a_link_to_get_a_wallet_is_tracked_and_one_that_opens_it_is_not() {
    use portico_core::connect::LinkKind;
    let got = |world: &World| world.events.iter().filter(|(name, _)| name == "GET_WALLET").count();
    let mut world = shown(desktop(), "io.metamask");
    for kind in [LinkKind::Open, LinkKind::WebApp] {
        world.connecting(Connect::GetAsked { kind });
    }
    assert_eq!(got(&world), 0);
    world.connecting(Connect::GetAsked { kind: LinkKind::AppStore });
    let event = &world.events.last().unwrap().1;
    let own = ["name", "walletRank", "explorerId", "type"].map(|name| to_text(event.get(name)));
    assert_eq!(own, [r#""MetaMask""#, "1", r#""io.metamask""#, r#""app_store""#]);
    let mut world = shown(desktop(), "walletConnect");
    world.connecting(Connect::GetAsked { kind: LinkKind::Homepage });
    assert_eq!(got(&world), 0, "of no wallet");
}

#[test]
fn a_wallet_that_was_opened_by_its_link_and_cannot_connect_is_tracked_without_the_key() {
    let failed = |world: &World| world.events.iter().find(|(name, _)| name == "CONNECT_PROXY_ERROR").cloned();
    let mut world = shown(world(phone), "io.metamask");
    tap(&mut world);
    world.remote_refuses(5_100, "No such chain");
    let event = failed(&world).unwrap().1;
    assert_eq!(event.get("message").as_str(), Some("No such chain"));
    assert_eq!(event.get("name").as_str(), Some("MetaMask"));
    assert_eq!(event.get("mobile_link").as_str(), Some("metamask://"));
    assert!(event.get("uri").as_str().is_some_and(|uri| uri.starts_with("wc:") && uri.ends_with("@2")));
    // If no link was opened, or the visitor refused, the link is not the cause.
    for (open, code) in [(false, 5_100), (true, 5_000)] {
        let mut world = shown(self::world(phone), "io.metamask");
        if open {
            tap(&mut world);
        }
        world.remote_refuses(code, "");
        assert!(failed(&world).is_none());
    }
}

#[test]
fn what_debug_prints_of_the_core_its_orders_and_its_picture_holds_no_key() {
    let key = "5e".repeat(32);
    let mut world = shown(world(phone), "io.metamask");
    assert!(uri(&world).contains(&key));
    world.dispatch(Event::Connect(Connect::UriCopyAsked));
    let (href, target) = tap(&mut world);
    assert!(href.contains(&key));
    let order = portico_core::Operation::OpenLink { href, target };
    world.reload();
    let stored = world.store.entries();
    assert!(stored.iter().any(|entry| entry.value.contains(&key)));
    world.app.write_changes(&mut String::new());
    for told in
        [format!("{:?}", world.app), format!("{:?}", world.snapshot()), format!("{order:?}"), format!("{stored:?}")]
    {
        assert!(!told.contains(&key), "{told}");
    }
    let asked = Modal::OpenAsked {
        view: None,
        namespace: None,
        uri: Some(format!("wc:a@2?symKey={key}")),
        arguments: Value::Null,
        ticket: None,
    };
    assert!(!format!("{asked:?}").contains(&key));
    world.modal(asked);
    assert!(world.snapshot().modal.data.get("uri").as_str().is_some_and(|uri| uri.contains(&key)));
    assert!(!format!("{:?}{:?}", world.app, world.snapshot()).contains(&key));
}
