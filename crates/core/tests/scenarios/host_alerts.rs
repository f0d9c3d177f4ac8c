//! Scenarios of alerts for the host: missing or unknown project, origin not allowed by the server.

use portico_core::Event;
use portico_core::config::Event as Config;
use portico_core::modal::Event as Modal;
use portico_core::notice::AlertKey;
use portico_json::parse;
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, options};

#[test]
fn spec_8_46_a_missing_project_id_is_told_and_a_browser_wallet_still_connects() {
    let options = options().replace(r#""projectId":"test","#, "");
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha")], Store::default());
    assert_eq!(
        world.snapshot().notice.alert.map(|alert| (alert.key, alert.key.short())),
        Some((AlertKey::ProjectIdNotConfigured, "Project ID Not Configured"))
    );
    world.connect_first();
    assert_eq!(world.snapshot().account.accounts[0].balance.as_deref(), Some("10000.000"));
}

#[test]
fn spec_8_45_a_malformed_project_id_is_told() {
    let options = options().replace(r#""test""#, r#""no good!""#);
    let world = World::with(&options, vec![], Store::default());
    assert_eq!(world.snapshot().notice.alert.map(|alert| alert.key.short()), Some("Invalid Project ID"));
}

#[test]
fn spec_8_45_a_project_that_the_hosts_own_server_does_not_know_raises_the_alert() {
    for (status, key) in [(401, AlertKey::InvalidProjectId), (403, AlertKey::OriginNotAllowed)] {
        let own = options().replace(r#""projectId""#, r#""endpoints":"https://own.example","projectId""#);
        let mut world = World::with(&own, vec![ScriptedWallet::named("Alpha")], Store::default());
        world.node.status = Some(status);
        world.connect_first();
        world.advance(10_000);
        let alert = world.snapshot().notice.alert.unwrap();
        let detail = if status == 401 { "test" } else { "https://host.example" };
        assert_eq!((alert.key, alert.detail.as_str()), (key, detail));
    }
}

#[test]
fn endpoints_that_lead_to_a_web_page_are_told() {
    for status in [200, 404] {
        let own = options().replace(r#""projectId""#, r#""endpoints":"https://own.example","projectId""#);
        let mut world = World::with(&own, vec![ScriptedWallet::named("Alpha")], Store::default());
        world.node.status = Some(status);
        world.node.refusal = "<!doctype html><title>A shop</title>".into();
        world.connect_first();
        let alert = world.snapshot().notice.alert.unwrap();
        assert_eq!((alert.key, alert.detail.as_str()), (AlertKey::InvalidOptions, "endpoints: no Portico server"));
    }
}

#[test]
fn spec_8_43_to_8_45_and_8_49_the_words_of_the_server_say_which_alert_it_is_and_it_is_raised_once() {
    for (status, words, key) in [
        (403, "Unauthorized: origin not allowed", AlertKey::OriginNotAllowed),
        (401, "JWT validation error: JWT Token is not yet valid", AlertKey::JwtTokenNotValid),
        (403, "Unauthorized: invalid key", AlertKey::InvalidProjectId),
    ] {
        let own = options().replace(r#""projectId""#, r#""endpoints":"https://own.example","projectId""#);
        let mut world = World::with(&own, vec![ScriptedWallet::named("Alpha")], Store::default());
        world.node.status = Some(status);
        world.node.refusal = format!(r#"{{"status":"FAILED","reasons":[{{"field":"","description":"{words}"}}]}}"#);
        world.connect_first();
        let alert = world.snapshot().notice.alert;
        let detail = if key == AlertKey::InvalidProjectId { "test" } else { "https://host.example" };
        assert_eq!(alert.map(|alert| (alert.key, alert.detail)), Some((key, detail.into())));
        world.dispatch(Event::Notice(portico_core::notice::Event::AlertDismissed));
        for _ in 0..3 {
            world.dispatch(Event::Account(portico_core::account::Event::RefreshAsked { ticket: None }));
            world.advance(20_000);
        }
        assert_eq!(world.snapshot().notice.alert, None);
    }
}

#[test]
fn spec_8_48_a_sink_that_refuses_the_page_says_invalid_app_configuration_once() {
    let own = options().replace(r#""projectId""#, r#""endpoints":"https://own.example","projectId""#);
    let mut world = World::with(&own, vec![ScriptedWallet::named("Alpha")], Store::default());
    world.server.answers("/e?", 403, "");
    world.open(None);
    let alert = world.snapshot().notice.alert.unwrap();
    assert_eq!((alert.key, alert.key.short()), (AlertKey::OriginNotAllowed, "Invalid App Configuration"));
    assert!(alert.key.long().contains("on the allowlist"));
    world.dispatch(Event::Notice(portico_core::notice::Event::AlertDismissed));
    world.modal(Modal::CloseAsked);
    world.open(None);
    assert_eq!((world.snapshot().notice.alert, world.server.count("/e?")), (None, 1));
}

#[test]
fn spec_8_44_and_8_49_what_a_remote_session_says_of_the_project_is_an_alert_and_what_a_browser_wallet_says_is_not() {
    use portico_terms::ConnectorKind;
    let refusal = r#"{"code":3000,"message":"JWT validation error: JWT Token is not yet valid"}"#;
    let thrown = Behaviour::Throw(parse(refusal).unwrap());
    for (kind, raised) in [
        (ConnectorKind::WalletConnect, Some("Session Expired")),
        (ConnectorKind::Auth, Some("Session Expired")),
        (ConnectorKind::Announced, None),
    ] {
        let wallet = ScriptedWallet::named("Alpha").through(kind).when("eth_requestAccounts", thrown.clone());
        let mut world = World::new(vec![wallet]);
        world.choose("example.alpha");
        assert_eq!(world.snapshot().notice.alert.map(|alert| alert.key.short()), raised, "{kind:?}");
    }
}

#[test]
fn an_option_without_effect_is_told_once_whether_the_host_gives_it_at_boot_or_later() {
    let details = |world: &World| world.alerts.iter().map(|(_, detail)| detail.clone()).collect::<Vec<_>>();
    for (option, features, told) in [
        (
            r#""features":{"smartSessions":true}"#,
            r#"{"smartSessions":true}"#,
            "features.smartSessions: has no effect yet",
        ),
        (
            r#""features":{"collapseWallets":true}"#,
            r#"{"collapseWallets":true}"#,
            "features.collapseWallets: has no effect yet",
        ),
    ] {
        let given = options().replacen('{', &format!("{{{option},"), 1);
        let changed = Event::Config(Config::OptionsChanged { options: parse(&given).unwrap() });
        let at_boot = World::with(&given, vec![], Store::default());
        assert_eq!(details(&at_boot), [told], "{option} at boot");

        let mut later = World::new(vec![]);
        assert_eq!(details(&later), [""; 0]);
        later.dispatch(changed.clone());
        later.dispatch(changed.clone());
        assert_eq!(details(&later), [told], "{option} later");

        let Ok(features) = parse(features) else { continue };
        let mut switched = World::new(vec![]);
        switched.dispatch(Event::Config(Config::FeaturesChanged { features: features.clone() }));
        assert_eq!(details(&switched), [told], "{option} by the call for features");
        switched.dispatch(Event::Notice(portico_core::notice::Event::AlertDismissed));
        switched.dispatch(Event::Config(Config::FeaturesChanged { features }));
        switched.dispatch(changed);
        let off = parse(r#"{"smartSessions":false,"collapseWallets":false,"swaps":false}"#).unwrap();
        switched.dispatch(Event::Config(Config::FeaturesChanged { features: off }));
        assert_eq!(details(&switched), [told]);
    }
}
