//! Scenarios of social logins: the services, the window, the way back.

use portico_api::frame::FrameEvent;
use portico_api::project::{ProjectConfig, SocialService};
use portico_core::config::Social;
use portico_core::connect::Event as Connect;
use portico_core::embedded::{Event, Fault, LIMIT, SETTLE, SocialPhase};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::AlertKey;
use portico_core::{Event as Any, LinkTarget, Part};
use portico_json::{Value, parse};
use portico_testkit::{Store, Tab, World, with_login};

const BACK: &str = "https://wallet.example/wallet/callback/google?code=abc";
const PAGE: &str = "https://login.example/?state=1";

fn options() -> String {
    portico_testkit::options().replacen('{', r#"{"endpoints":"https://host.example","#, 1)
}

fn value(text: &str) -> Value {
    parse(text).unwrap()
}

fn serving(world: &mut World, services: &[&str]) {
    let socials = services.iter().map(|id| SocialService { id: (*id).into(), name: None }).collect();
    world.server.serves("/config", &ProjectConfig { socials: Some(socials), ..ProjectConfig::default() });
}

fn world_with(options: &str, services: &[&str]) -> World {
    let mut world = World::with(&with_login(options), vec![], Store::default());
    serving(&mut world, services);
    world
}

/// A page whose visitor sees the services.
fn opened() -> World {
    let mut world = world_with(&options(), &["google", "github", "apple"]);
    world.open(None);
    world
}

fn offered(world: &World) -> Option<Vec<String>> {
    let offered = world.snapshot().embedded.social.offered?;
    Some(offered.iter().map(|item| item.name.clone()).collect())
}

fn choose(world: &mut World) {
    world.embedded(Event::SocialChosen { social: Social::Google });
    world.advance(SETTLE);
}

fn phase(world: &World) -> SocialPhase {
    world.snapshot().embedded.social.phase
}

fn fault(world: &World) -> Option<Fault> {
    world.snapshot().embedded.social.fault
}

fn asked(world: &World, event: FrameEvent) -> usize {
    world.frame.payloads(event).len()
}

#[test]
fn spec_6_7_the_services_are_those_of_host_and_server_in_the_order_of_the_host() {
    let mut world = world_with(&options(), &["apple", "github", "google", "evil"]);
    assert_eq!(world.loads, [], "nothing is fetched before the modal opens");
    world.open(None);
    assert_eq!(world.loads, [Part::Home, Part::Embedded]);
    assert_eq!(offered(&world).unwrap(), ["Google", "GitHub", "Apple"]);
    let ordered = options().replacen('{', r#"{"features":{"socials":["apple","google"]},"#, 1);
    let mut world = world_with(&ordered, &["apple", "github", "google"]);
    world.open(None);
    assert_eq!(offered(&world).unwrap(), ["Apple", "Google"]);
    assert_eq!(world.alerts, []);
}

#[test]
fn spec_8_43_a_service_that_the_host_lists_and_the_server_lacks_is_told_to_the_developer() {
    let listed = options().replacen('{', r#"{"features":{"socials":["google","x","openid"]},"#, 1);
    let mut world = world_with(&listed, &["google"]);
    world.open(None);
    let detail = "features.socials: the server isn't set up for x, openid".to_string();
    assert_eq!(world.alerts, [(AlertKey::InvalidOptions, detail)]);
}

#[test]
fn a_host_without_social_logins_fetches_nothing_for_them() {
    let without = options().replacen('{', r#"{"features":{"socials":false},"#, 1);
    let mut world = world_with(&without, &["google"]);
    world.open(None);
    assert_eq!(world.loads, []);
}

#[test]
fn while_the_server_does_not_answer_none_is_offered_and_it_is_asked_again_with_the_next_opening() {
    let mut world = World::with(&with_login(&options()), vec![], Store::default());
    world.open(None);
    world.advance(60_000);
    assert!(offered(&world).is_none_or(|offered| offered.is_empty()));
    world.modal(Modal::CloseAsked);
    serving(&mut world, &["google"]);
    world.open(None);
    assert_eq!(offered(&world).unwrap(), ["Google"]);
}

#[test]
fn an_openid_provider_has_the_name_that_the_operator_gave_it_and_no_other_service_has() {
    let listed = options().replacen('{', r#"{"features":{"socials":["openid","google"]},"#, 1);
    let mut world = world_with(&listed, &[]);
    let named = |id: &str| SocialService { id: id.into(), name: Some("Example\u{202e} Company".into()) };
    let config = ProjectConfig { socials: Some(vec![named("openid"), named("google")]), ..ProjectConfig::default() };
    world.server.serves("/config", &config);
    world.open(None);
    assert_eq!(offered(&world).unwrap(), ["Example Company", "Google"]);
}

#[test]
fn spec_5_19_to_5_22_the_webviews_of_telegram_lack_some_services() {
    for (telegram, ios, mac, android, names) in [
        (false, true, false, false, "Google X Facebook"),
        (true, true, false, false, "X Facebook"),
        (true, false, true, false, "Google Facebook"),
        (true, false, false, true, "Google"),
        (true, false, false, false, "Google X Facebook"),
    ] {
        let mut world = world_with(&options(), &["google", "x", "facebook"]);
        world.environment.telegram = telegram;
        world.environment.ios = ios;
        world.environment.mac = mac;
        world.environment.android = android;
        world.come_back();
        assert_eq!(offered(&world).unwrap().join(" "), names, "{telegram} {ios} {mac} {android}");
    }
}

#[test]
fn spec_7_17_and_7_18_the_window_opens_with_the_click_and_its_return_connects_the_account() {
    let mut world = opened();
    world.embedded(Event::SocialChosen { social: Social::Google });
    assert_eq!(world.tabs, [Tab::Empty], "the window opens within the click");
    assert_eq!(world.snapshot().modal.view, View::ConnectingSocial);
    world.advance(SETTLE);
    assert_eq!(world.frame.payloads(FrameEvent::GetSocialRedirectUri), [&value(r#"{"provider":"google"}"#)]);
    assert_eq!(world.tabs, [Tab::At(PAGE.into())]);
    assert_eq!(phase(&world), SocialPhase::Away);
    world.window_ends(Some(BACK));
    assert_eq!(world.frame.payloads(FrameEvent::ConnectSocial)[0].get("uri").as_str(), Some(BACK));
    let snapshot = world.snapshot();
    let account = &snapshot.account.accounts[0];
    assert_eq!(account.address.as_deref(), Some("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"));
    assert_eq!(account.social_provider.as_deref(), Some("google"));
    assert_eq!(account.user.as_ref().map(|user| user.auth_provider.as_str()), Some("google"));
    assert!(!snapshot.modal.open);
    for name in ["SOCIAL_LOGIN_STARTED", "SOCIAL_LOGIN_REQUEST_USER_DATA", "SOCIAL_LOGIN_SUCCESS", "CONNECT_SUCCESS"] {
        assert!(world.event_names().contains(&name), "{name}");
    }
}

#[test]
fn a_login_at_a_service_whose_wallet_is_locked_goes_on_in_the_settings() {
    let mut world = opened();
    choose(&mut world);
    world.advance(SETTLE);
    world.frame.answers.push((FrameEvent::ConnectSocial, Ok(value(r#"{"locked":true}"#))));
    world.window_ends(Some(BACK));
    assert_eq!(world.snapshot().modal.view, View::UpgradeEmailWallet);
    assert!(world.snapshot().account.accounts.first().is_none_or(|account| account.address.is_none()));
}

#[test]
fn spec_4_10_and_3_31_the_service_is_stored_until_the_visitor_disconnects() {
    let mut world = opened();
    choose(&mut world);
    world.window_ends(Some(BACK));
    let stored = |world: &World| world.store.values.get("@portico/connected_social").cloned();
    assert_eq!(stored(&world).as_deref(), Some("google"));
    world.dispatch(Any::Connect(Connect::DisconnectAsked { namespace: None, ticket: Some(1) }));
    assert_eq!(stored(&world), None);
}

#[test]
fn a_closed_window_is_told_and_the_login_can_be_tried_again() {
    let mut world = opened();
    choose(&mut world);
    world.window_ends(None);
    assert_eq!((phase(&world), fault(&world)), (SocialPhase::Failed, Some(Fault::Closed)));
    assert!(world.event_names().contains(&"SOCIAL_LOGIN_CANCELED"));
    world.embedded(Event::SocialRetryAsked);
    assert_eq!(world.tabs, [Tab::Closed, Tab::At(PAGE.into())]);
    world.window_ends(Some(BACK));
    assert!(world.snapshot().account.accounts[0].is_connected);
}

#[test]
fn a_page_to_which_the_window_may_come_back_starts_the_core_until_the_login_ends() {
    let noted = |world: &World| world.store.values.contains_key("@portico/pairing");
    let mut world = opened();
    choose(&mut world);
    assert!(noted(&world));
    // A window that a service cut off looks closed, and its visitor may still come back.
    world.window_ends(None);
    assert!(noted(&world));
    world.modal(Modal::BackAsked);
    assert!(!noted(&world));
    choose(&mut world);
    world.window_ends(Some(BACK));
    assert!(world.snapshot().account.accounts[0].is_connected);
    assert!(!noted(&world));
}

#[test]
fn leaving_the_view_closes_the_window_and_a_late_answer_has_no_effect() {
    let mut world = opened();
    world.frame.silent.push(FrameEvent::GetSocialRedirectUri);
    choose(&mut world);
    world.modal(Modal::BackAsked);
    assert_eq!(world.tabs, [Tab::Closed]);
    world.frame_answers(FrameEvent::GetSocialRedirectUri, Ok(value(r#"{"uri":"https://login.example/"}"#)));
    assert_eq!(world.tabs, [Tab::Closed]);
    assert_eq!((phase(&world), asked(&world, FrameEvent::ConnectSocial)), (SocialPhase::Idle, 0));
}

#[test]
fn the_frames_sentence_is_told_and_its_silence_ends_after_its_time() {
    let mut world = opened();
    let refused = Err(value(r#"{"message":"This login isn't set up here"}"#));
    world.frame.answers.push((FrameEvent::GetSocialRedirectUri, refused));
    choose(&mut world);
    assert_eq!(fault(&world), Some(Fault::Said { words: "This login isn't set up here".into() }));
    assert_eq!(world.tabs, [Tab::Closed]);

    let mut world = opened();
    world.frame.silent.push(FrameEvent::GetSocialRedirectUri);
    choose(&mut world);
    world.advance(LIMIT - SETTLE - 1);
    assert_eq!(fault(&world), None);
    world.advance(1);
    assert_eq!((fault(&world), LIMIT), (Some(Fault::Late), 30_000));
}

#[test]
fn spec_8_47_a_frame_that_does_not_load_is_told() {
    let mut world = opened();
    world.frame.mute = true;
    choose(&mut world);
    world.advance(LIMIT);
    assert_eq!(fault(&world), Some(Fault::Unloadable));
    assert!(world.alerts.iter().any(|(key, _)| *key == AlertKey::SocialsTimeout));
}

#[test]
fn an_address_that_is_no_page_is_not_opened() {
    for uri in ["javascript:alert(1)", "http://login.example/", "", "data:text/html,x"] {
        let mut world = opened();
        let answer = format!(r#"{{"uri":"{uri}"}}"#);
        world.frame.answers.push((FrameEvent::GetSocialRedirectUri, Ok(value(&answer))));
        choose(&mut world);
        assert_eq!((fault(&world), &world.tabs[..]), (Some(Fault::Unknown), &[Tab::Closed][..]), "{uri}");
    }
}

#[test]
fn where_no_window_opens_the_service_takes_the_place_of_the_page_and_sends_the_visitor_back() {
    let mut world = opened();
    world.tabs_refused = true;
    choose(&mut world);
    assert_eq!(world.remote.links, [(PAGE.to_string(), LinkTarget::Here)]);
    assert!(
        world.store.values.get("@portico/pairing").is_some_and(|text| text.contains("until")),
        "a page starts the core"
    );
    world.reload();
    world.embedded(Event::SocialReturned { uri: BACK.into() });
    world.advance(SETTLE);
    assert!(world.snapshot().account.accounts[0].is_connected);
    assert!(!world.snapshot().modal.open);
    assert_eq!(world.store.values.get("@portico/pairing"), None);
}

#[test]
fn spec_2_27_in_telegram_there_is_no_window_and_the_modal_closes_on_the_return() {
    let mut world = opened();
    world.environment.telegram = true;
    world.come_back();
    choose(&mut world);
    assert_eq!((world.tabs.len(), world.remote.links.len()), (0, 1));
    world.reload();
    world.frame.silent.push(FrameEvent::ConnectSocial);
    world.embedded(Event::SocialReturned { uri: BACK.into() });
    world.advance(SETTLE);
    assert_eq!((world.snapshot().modal.open, world.snapshot().modal.view), (true, View::ConnectingSocial));
    world.frame.session = true;
    let user =
        r#"{"address":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","chainId":31337,"accounts":[],"provider":"google"}"#;
    world.frame_answers(FrameEvent::ConnectSocial, Ok(value(user)));
    assert!(!world.snapshot().modal.open);
    assert!(world.snapshot().account.accounts[0].is_connected);
}

#[test]
fn a_return_that_is_not_one_of_the_wallet_or_of_a_connected_visitor_is_ignored() {
    for uri in ["https://evil.example/wallet/callback/google?code=abc", "https://wallet.example/", "google", ""] {
        let mut world = opened();
        world.embedded(Event::SocialReturned { uri: uri.into() });
        world.advance(SETTLE);
        assert_eq!((asked(&world, FrameEvent::ConnectSocial), phase(&world)), (0, SocialPhase::Idle), "{uri}");
    }
    let mut world = opened();
    choose(&mut world);
    world.window_ends(Some(BACK));
    world.embedded(Event::SocialReturned { uri: BACK.into() });
    world.advance(SETTLE);
    assert_eq!(asked(&world, FrameEvent::ConnectSocial), 1);
}

#[test]
fn a_service_that_is_not_offered_is_not_opened() {
    let mut world = opened();
    world.embedded(Event::SocialChosen { social: Social::Discord });
    world.advance(SETTLE);
    assert_eq!((world.tabs.len(), asked(&world, FrameEvent::GetSocialRedirectUri)), (0, 0));
}

#[test]
fn a_list_of_all_social_logins_opens() {
    let mut world = opened();
    world.modal(Modal::ViewAsked { view: View::ConnectSocials });
    assert_eq!(world.snapshot().modal.view, View::ConnectSocials);
}

const LINK: &str = "https://farcaster.xyz/~/siwf?channelToken=1";

/// A page whose visitor sees the code of Farcaster.
fn scanning() -> World {
    let mut world = world_with(&options(), &["farcaster"]);
    world.frame.answers.push((FrameEvent::GetFarcasterUri, Ok(value(&format!(r#"{{"url":"{LINK}"}}"#)))));
    world.frame.silent.push(FrameEvent::ConnectFarcaster);
    world.open(None);
    world.embedded(Event::SocialChosen { social: Social::Farcaster });
    world.advance(SETTLE);
    world
}

#[test]
fn spec_7_19_and_7_20_farcaster_shows_a_code_waits_for_minutes_and_connects() {
    let mut world = scanning();
    let social = world.snapshot().embedded.social;
    assert_eq!((world.snapshot().modal.view, social.url.as_deref()), (View::ConnectingFarcaster, Some(LINK)));
    assert!(social.qr.is_some());
    assert_eq!(world.tabs, [], "the app opens the address, not a window");
    world.advance(10 * LIMIT);
    assert_eq!(phase(&world), SocialPhase::Signing);
    world.frame.session = true;
    world.frame.provider = Some("farcaster".into());
    world.frame_answers(FrameEvent::ConnectFarcaster, Ok(value(r#"{"userName":"ada"}"#)));
    let snapshot = world.snapshot();
    assert_eq!(snapshot.account.accounts[0].social_provider.as_deref(), Some("farcaster"));
    assert!(!snapshot.modal.open);
    world.advance(1_000);
    assert_eq!(asked(&world, FrameEvent::Reload), 0, "the visitor is connected");
}

#[test]
fn spec_2_22_going_back_from_farcaster_forgets_its_address_and_reloads_the_frame_after_100_ms() {
    let mut world = scanning();
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().embedded.social.url, phase(&world)), (None, SocialPhase::Idle));
    world.advance(99);
    assert_eq!(asked(&world, FrameEvent::Reload), 0);
    world.advance(1);
    assert_eq!(asked(&world, FrameEvent::Reload), 1);
    world.frame_answers(FrameEvent::ConnectFarcaster, Ok(value(r#"{"userName":"ada"}"#)));
    assert!(!world.snapshot().account.accounts[0].is_connected, "the login was left");
}

#[test]
fn a_login_by_farcaster_that_begins_before_the_frame_was_reloaded_is_not_ended_by_that() {
    let mut world = scanning();
    world.modal(Modal::BackAsked);
    world.advance(50);
    world.embedded(Event::SocialChosen { social: Social::Farcaster });
    world.advance(1_000);
    assert_eq!(asked(&world, FrameEvent::Reload), 0);
    assert_eq!(phase(&world), SocialPhase::Signing);
}

#[test]
fn a_refused_login_by_farcaster_is_told_and_an_address_that_is_none_is_not_shown() {
    let mut world = scanning();
    let words = "This login has ended. Start again.";
    world.frame_answers(FrameEvent::ConnectFarcaster, Err(value(&format!(r#"{{"message":"{words}"}}"#))));
    assert_eq!(fault(&world), Some(Fault::Said { words: words.into() }));
    for url in ["javascript:alert(1)", "http://farcaster.xyz/", ""] {
        let mut world = world_with(&options(), &["farcaster"]);
        world.frame.answers.push((FrameEvent::GetFarcasterUri, Ok(value(&format!(r#"{{"url":"{url}"}}"#)))));
        world.open(None);
        world.embedded(Event::SocialChosen { social: Social::Farcaster });
        world.advance(SETTLE);
        assert_eq!((fault(&world), world.snapshot().embedded.social.url), (Some(Fault::Unknown), None), "{url}");
    }
}
